#include <unshade/system/file.hpp>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

namespace unshade::system {

namespace {

FileStatus status_from(const struct stat& status) {
  FileStatus made;
  made.kind = S_ISREG(status.st_mode) ? FileKind::regular : S_ISDIR(status.st_mode) ? FileKind::folder : FileKind::other;
  made.bytes = static_cast<std::uint64_t>(status.st_size);
  made.modified = std::int64_t{status.st_mtim.tv_sec} * 1'000'000'000 + status.st_mtim.tv_nsec;
  made.rights = status.st_mode & 07777U;
  made.id = {static_cast<std::uint64_t>(status.st_dev), static_cast<std::uint64_t>(status.st_ino)};
  return made;
}

int descriptor(File::Native native) { return static_cast<int>(native); }

}  // namespace

std::optional<FileStatus> status_of(const std::string& path) {
  struct stat status{};
  return ::stat(path.c_str(), &status) == 0 ? std::optional(status_from(status)) : std::nullopt;
}

std::ptrdiff_t File::read(std::span<std::byte> into) {
  for (;;) {
    const auto count = ::read(descriptor(native_), into.data(), into.size());
    if (count >= 0 || errno != EINTR) return count;
  }
}

std::ptrdiff_t File::read_at(std::uint64_t offset, std::span<std::byte> into) const {
  for (;;) {
    const auto count = ::pread(descriptor(native_), into.data(), into.size(), static_cast<off_t>(offset));
    if (count >= 0 || errno != EINTR) return count;
  }
}

bool File::write(std::string_view bytes) {
  while (!bytes.empty()) {
    const auto written = ::write(descriptor(native_), bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

std::optional<FileStatus> File::status() const {
  struct stat status{};
  return ::fstat(descriptor(native_), &status) == 0 ? std::optional(status_from(status)) : std::nullopt;
}

bool File::close() {
  const Native native = std::exchange(native_, kNone);
  return native == kNone || !owned_ || ::close(descriptor(native)) == 0;
}

File open_to_read(const std::string& path, Waits waits) {
  return File(::open(path.c_str(), O_RDONLY | O_CLOEXEC | (waits == Waits::no ? O_NONBLOCK : 0)));
}

File open_to_write(const std::string& path) { return File(::open(path.c_str(), O_WRONLY | O_CLOEXEC)); }

File open_to_append(const std::string& path) { return File(::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666)); }

File standard(Standard which) { return File(static_cast<File::Native>(which), File::Owned::no); }

std::string native_path(const std::string& path) { return path; }

}  // namespace unshade::system

#include <unshade/unpack/files.hpp>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "unpack/open_file.hpp"

namespace unshade::unpack {

std::optional<std::uint64_t> file_bytes(const std::string& name) {
  struct stat status{};
  if (::stat(name.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) return std::nullopt;
  return static_cast<std::uint64_t>(status.st_size);
}

std::optional<std::vector<std::byte>> read_part(const std::string& name, std::uint64_t offset, std::size_t bytes) {
  if (file_bytes(name).value_or(0) < offset + bytes) return std::nullopt;
  OpenFile file(name);
  std::vector<std::byte> part(bytes);
  return file.read(offset, part.data(), bytes).size() == bytes ? std::optional(std::move(part)) : std::nullopt;
}

OpenFile::OpenFile(const std::string& name) : fd_(::open(name.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)) {
  if (fd_ < 0) {
    fault_ = std::strerror(errno);
  } else if (!file_bytes(name)) {
    fault_ = "not a regular file";
  }
}

OpenFile::~OpenFile() {
  if (fd_ >= 0) ::close(fd_);
}

View OpenFile::read(std::uint64_t offset, std::byte* into, std::size_t bytes) {
  std::size_t got = 0;
  while (fault_.empty() && got < bytes) {
    const auto count = ::pread(fd_, into + got, bytes - got, static_cast<off_t>(offset + got));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) fault_ = std::strerror(errno);
    if (count <= 0) break;
    got += static_cast<std::size_t>(count);
  }
  return View({into, got}, offset);
}

}  // namespace unshade::unpack

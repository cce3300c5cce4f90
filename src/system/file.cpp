#include <unshade/system/file.hpp>

#include <utility>

namespace unshade::system {

std::optional<std::uint64_t> regular_file_bytes(const std::string& path) {
  const auto status = status_of(path);
  return status && status->kind == FileKind::regular ? std::optional(status->bytes) : std::nullopt;
}

File::File(File&& other) noexcept
    : native_(std::exchange(other.native_, kNone)), owned_(other.owned_), begun_(other.begun_), begun_bytes_(other.begun_bytes_) {}

File& File::operator=(File&& other) noexcept {
  if (this == &other) return *this;
  close();
  native_ = std::exchange(other.native_, kNone);
  owned_ = other.owned_;
  begun_ = other.begun_;
  begun_bytes_ = other.begun_bytes_;
  return *this;
}

}  // namespace unshade::system

#include <unshade/unpack/files.hpp>

#include <cerrno>
#include <cstring>

#include "unpack/open_file.hpp"

namespace unshade::unpack {

std::optional<std::vector<std::byte>> read_part(const std::string& name, std::uint64_t offset, std::size_t bytes) {
  if (system::regular_file_bytes(name).value_or(0) < offset + bytes) return std::nullopt;
  OpenFile file(name);
  std::vector<std::byte> part(bytes);
  return file.read(offset, part.data(), bytes).size() == bytes ? std::optional(std::move(part)) : std::nullopt;
}

OpenFile::OpenFile(const std::string& name) : file_(system::open_to_read(name, system::Waits::no)) {
  if (!file_) {
    fault_ = std::strerror(errno);
  } else if (!system::regular_file_bytes(name)) {
    fault_ = "not a regular file";
  }
}

View OpenFile::read(std::uint64_t offset, std::byte* into, std::size_t bytes) {
  std::size_t got = 0;
  while (fault_.empty() && got < bytes) {
    const auto count = file_.read_at(offset + got, {into + got, bytes - got});
    if (count < 0) fault_ = std::strerror(errno);
    if (count <= 0) break;
    got += static_cast<std::size_t>(count);
  }
  return View({into, got}, offset);
}

}  // namespace unshade::unpack

#include "cli/io/stream.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace unshade::cli {

bool FileStream::write(std::string_view bytes) {
  if (file_.write(bytes)) return true;
  if (errno != EPIPE) fault = std::strerror(errno);
  return false;
}

std::ptrdiff_t MemorySource::read(std::span<std::byte> into) {
  const auto count = std::min(into.size(), left_.size());
  std::copy_n(left_.begin(), count, into.begin());
  left_ = left_.subspan(count);
  return static_cast<std::ptrdiff_t>(count);
}

}  // namespace unshade::cli

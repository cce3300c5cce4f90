#include "cli/io/stream.hpp"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace unshade::cli {

bool FdStream::write(std::string_view bytes) {
  while (!bytes.empty()) {
    const auto written = ::write(fd_, bytes.data(), bytes.size());
    if (written < 0) {
      if (errno == EINTR) continue;
      if (errno != EPIPE) fault = std::strerror(errno);
      return false;
    }
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

std::ptrdiff_t FdSource::read(std::span<std::byte> into) {
  for (;;) {
    const auto count = ::read(fd_, into.data(), into.size());
    if (count >= 0 || errno != EINTR) return count;
  }
}

std::ptrdiff_t MemorySource::read(std::span<std::byte> into) {
  const auto count = std::min(into.size(), left_.size());
  std::copy_n(left_.begin(), count, into.begin());
  left_ = left_.subspan(count);
  return static_cast<std::ptrdiff_t>(count);
}

}  // namespace unshade::cli

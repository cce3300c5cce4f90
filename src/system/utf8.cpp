#include "system/utf8.hpp"

#include <algorithm>

namespace unshade::system {

std::size_t unfinished_bytes(std::string_view text) {
  for (std::size_t back = 1; back <= std::min<std::size_t>(text.size(), 3); ++back) {
    const auto letter = static_cast<unsigned char>(text[text.size() - back]);
    if ((letter & 0xc0U) == 0x80U) continue;
    const std::size_t bytes = letter >= 0xf0U ? 4 : letter >= 0xe0U ? 3 : letter >= 0xc0U ? 2 : 1;
    return bytes > back ? back : 0;
  }
  return 0;
}

}  // namespace unshade::system

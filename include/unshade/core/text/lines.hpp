// Texts line by line.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string_view>

namespace unshade {

/// Calls `visit` with each line of a text, without its end.
template <class Visit>
void for_each_line(std::string_view text, Visit visit) {
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    visit(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

}  // namespace unshade

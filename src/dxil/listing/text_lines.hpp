// Places in a text, as people count them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>

namespace unshade::dxil::listing {

/// Line and column, from 1, in bytes.
inline std::pair<std::uint32_t, std::uint32_t> line_and_column(std::string_view text, std::size_t at) {
  const std::string_view before = text.substr(0, at);
  std::uint32_t line = 1;
  for (const char c : before) line += c == '\n' ? 1 : 0;
  const std::size_t start = before.rfind('\n');
  return {line, static_cast<std::uint32_t>(before.size() - (start == std::string_view::npos ? 0 : start + 1)) + 1};
}

}  // namespace unshade::dxil::listing

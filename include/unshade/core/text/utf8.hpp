// UTF-8 and the characters of Unicode. src: Unicode 15.0, table 3-7 and section 23.7
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace unshade {

/// A character and the bytes that it takes.
struct Utf8Character {
  std::uint32_t code = 0;
  std::size_t bytes = 0;  ///< 0: no well-formed sequence
};

/// The character that a text begins with; none if the text is empty.
constexpr Utf8Character first_character(std::string_view text) {
  const auto at = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U; };
  const auto follows = [&](std::size_t i, std::uint32_t low = 0x80, std::uint32_t high = 0xbf) { return at(i) >= low && at(i) <= high; };
  const auto bits = [&](std::size_t i) { return at(i) & 0x3fU; };
  const std::uint32_t first = at(0);
  if (text.empty()) return {};
  if (first < 0x80) return {first, 1};
  if (first >= 0xc2 && first <= 0xdf && follows(1)) return {(first & 0x1fU) << 6 | bits(1), 2};
  if (first >= 0xe0 && first <= 0xef && follows(1, first == 0xe0 ? 0xa0 : 0x80, first == 0xed ? 0x9f : 0xbf) && follows(2))
    return {(first & 0xfU) << 12 | bits(1) << 6 | bits(2), 3};
  if (first >= 0xf0 && first <= 0xf4 && follows(1, first == 0xf0 ? 0x90 : 0x80, first == 0xf4 ? 0x8f : 0xbf) && follows(2) && follows(3))
    return {(first & 7U) << 18 | bits(1) << 12 | bits(2) << 6 | bits(3), 4};
  return {};
}

/// Appends a character.
inline void append_utf8(std::string& out, std::uint32_t code) {
  const auto byte = [&](std::uint32_t value) { out += static_cast<char>(value); };
  if (code < 0x80) {
    byte(code);
  } else if (code < 0x800) {
    byte(0xc0 | code >> 6), byte(0x80 | (code & 0x3f));
  } else if (code < 0x10000) {
    byte(0xe0 | code >> 12), byte(0x80 | (code >> 6 & 0x3f)), byte(0x80 | (code & 0x3f));
  } else {
    byte(0xf0 | code >> 18), byte(0x80 | (code >> 12 & 0x3f)), byte(0x80 | (code >> 6 & 0x3f)), byte(0x80 | (code & 0x3f));
  }
}

/// Whether a character can stand for itself in a line of any text format: no control, no separator of lines, no byte order mark, no
/// noncharacter.
constexpr bool is_visible(std::uint32_t code) {
  const bool is_control = code < 0x20 || (code >= 0x7f && code < 0xa0);
  return !is_control && code != 0x2028 && code != 0x2029 && code != 0xfeff && (code & 0xfffe) != 0xfffe;
}

}  // namespace unshade

// Classes of characters in assembly text, without a locale.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include <unshade/core/text/characters.hpp>

namespace unshade::pica::characters {

inline constexpr std::uint8_t kName = 1;   ///< may be in a name
inline constexpr std::uint8_t kDigit = 2;  ///< 0-9
inline constexpr std::uint8_t kBlank = 4;  ///< separates words; not the end of a line
inline constexpr std::uint8_t kHex = 8;

inline constexpr auto kClasses = [] {
  std::array<std::uint8_t, 256> table{};
  for (int c = 'a'; c <= 'z'; ++c) {
    table[static_cast<std::size_t>(c)] = kName;
    table[static_cast<std::size_t>(c - 'a' + 'A')] = kName;
  }
  for (int c = '0'; c <= '9'; ++c) table[static_cast<std::size_t>(c)] = kName | kDigit | kHex;
  for (int c = 'a'; c <= 'f'; ++c) {
    table[static_cast<std::size_t>(c)] |= kHex;
    table[static_cast<std::size_t>(c - 'a' + 'A')] |= kHex;
  }
  table['_'] = table['$'] = kName;
  table[' '] = table['\t'] = table['\r'] = table['\v'] = table['\f'] = kBlank;
  return table;
}();

constexpr bool is(char c, std::uint8_t classes) { return (kClasses[static_cast<unsigned char>(c)] & classes) != 0; }

/// Whether `text` is `lower_case` in any case.
constexpr bool same(std::string_view text, std::string_view lower_case) {
  if (text.size() != lower_case.size()) return false;
  for (std::size_t i = 0; i < text.size(); ++i)
    if (lower(text[i]) != lower_case[i]) return false;
  return true;
}

constexpr bool is_name(std::string_view text) {
  if (text.empty() || is(text[0], kDigit)) return false;
  for (const char c : text)
    if (!is(c, kName)) return false;
  return true;
}

/// The value of a component's letter, or 4.
inline constexpr auto kComponents = [] {
  std::array<std::uint8_t, 256> table{};
  for (auto& entry : table) entry = 4;
  constexpr std::string_view kLetters[] = {"xrsXRS", "ygtYGT", "zbpZBP", "waqWAQ"};
  for (std::uint8_t i = 0; i < 4; ++i)
    for (const char c : kLetters[i]) table[static_cast<unsigned char>(c)] = i;
  return table;
}();
constexpr unsigned component(char c) { return kComponents[static_cast<unsigned char>(c)]; }

}  // namespace unshade::pica::characters

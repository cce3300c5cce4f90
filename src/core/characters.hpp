// ASCII characters as the languages that we read sort them, whatever the locale.
#pragma once

#include <string_view>

namespace unshade {

constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }
constexpr bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
/// What an identifier of C begins with.
constexpr bool is_name_start(char c) { return is_letter(c) || c == '_'; }
/// What an identifier of C consists of.
constexpr bool is_name_character(char c) { return is_name_start(c) || is_digit(c); }

/// Without the `blanks` at both ends.
constexpr std::string_view trimmed(std::string_view text, std::string_view blanks = " \t\r") {
  const auto first = text.find_first_not_of(blanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

}  // namespace unshade

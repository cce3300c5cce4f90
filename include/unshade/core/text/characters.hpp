// ASCII characters as the languages that we read sort them, whatever the locale.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

namespace unshade {

constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }
constexpr bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
/// 0 to 15; -1 for what is not a hexadecimal digit.
constexpr int hex_digit(char c) {
  if (is_digit(c)) return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}
/// What an identifier of C begins with.
constexpr bool is_name_start(char c) { return is_letter(c) || c == '_'; }
/// What an identifier of C consists of.
constexpr bool is_name_character(char c) { return is_name_start(c) || is_digit(c); }

/// Letters, digits and underscores, no digit first: an identifier of C and HLSL.
constexpr bool is_identifier(std::string_view text) {
  if (text.empty() || !is_name_start(text[0])) return false;
  for (const char c : text)
    if (!is_name_character(c)) return false;
  return true;
}
/// `tex`, `tex[1]`, `tex[1][2]`: an identifier, and indexes in brackets.
constexpr bool is_indexed_identifier(std::string_view text) {
  while (text.ends_with(']')) {
    const auto open = text.rfind('[');
    if (open == std::string_view::npos || open + 2 >= text.size()) return false;
    for (const char c : text.substr(open + 1, text.size() - open - 2))
      if (!is_digit(c)) return false;
    text = text.substr(0, open);
  }
  return is_identifier(text);
}

constexpr char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }
constexpr char upper(char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; }
/// Whether two texts are the same but for small and capital letters.
constexpr bool same_letters(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i)
    if (lower(a[i]) != lower(b[i])) return false;
  return true;
}

/// Whether a character is one of a set, by table.
class CharacterSet {
 public:
  constexpr explicit CharacterSet(std::string_view members) {
    for (const char c : members) has_[static_cast<unsigned char>(c)] = true;
  }
  /// Also all that an identifier of C consists of.
  constexpr CharacterSet with_name_characters() const {
    CharacterSet all = *this;
    for (std::size_t c = 0; c < has_.size(); ++c) all.has_[c] = has_[c] || is_name_character(static_cast<char>(c));
    return all;
  }
  constexpr bool has(char c) const { return has_[static_cast<unsigned char>(c)]; }

 private:
  std::array<bool, 256> has_{};
};

/// Without the `blanks` at both ends.
constexpr std::string_view trimmed(std::string_view text, std::string_view blanks = " \t\r") {
  // find_first_not_of() calls memchr() for each character
  const auto is_blank = [&](char c) {
    for (const char blank : blanks)
      if (c == blank) return true;
    return false;
  };
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

}  // namespace unshade

#include "amber/lexer.hpp"

#include <bit>
#include <charconv>
#include <limits>

#include <unshade/core/text/numbers.hpp>

namespace unshade::amber {

Token Lexer::next() {
  for (;;) {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t' || text_[at_] == '\r')) ++at_;
    if (at_ >= text_.size() || text_[at_] == '\n' || text_[at_] == '#') return {{}, at_};
    if (text_[at_] != '\\') break;
    std::size_t end = at_ + 1;
    while (end < text_.size() && (text_[end] == ' ' || text_[end] == '\t' || text_[end] == '\r')) ++end;
    if (end >= text_.size() || text_[end] != '\n') break;
    at_ = line_start_ = end + 1;
    ++line_;
  }
  const std::size_t first = at_;
  if (text_[at_] == '"') {
    const std::size_t end = text_.find_first_of("\"\n", at_ + 1);
    if (end != std::string_view::npos && text_[end] == '"' && end > at_ + 1) {
      at_ = end + 1;
      return {text_.substr(first + 1, end - first - 1), first};
    }
  }
  while (at_ < text_.size() && std::string_view(" \t\r\n").find(text_[at_]) == std::string_view::npos) ++at_;
  return {text_.substr(first, at_ - first), first};
}

Token Lexer::peek() {
  const Lexer before = *this;
  const Token found = next();
  *this = before;
  return found;
}

bool Lexer::next_line() {
  const std::size_t end = text_.find('\n', at_);
  if (end == std::string_view::npos) {
    at_ = text_.size();
    return false;
  }
  at_ = line_start_ = end + 1;
  ++line_;
  return true;
}

Token Lexer::next_of_any_line() {
  for (;;) {
    const Token token = next();
    if (token || !next_line()) return token;
  }
}

std::optional<std::string_view> Lexer::body(std::uint32_t& first_line) {
  if (!next_line()) return std::nullopt;
  first_line = line_;
  const std::size_t first = at_;
  for (;;) {
    const std::size_t start = at_;
    if (const Token word = next(); word.text == "END" && !peek()) return text_.substr(first, start - first);
    // a comment or a backslash of the other language means nothing here
    at_ = start;
    if (line_start_ > start) line_start_ = start;
    if (!next_line()) return std::nullopt;
  }
}

suite::Place Lexer::place(std::size_t offset) const {
  suite::Place made{line_, 1};
  std::size_t start = line_start_;
  while (offset < start && made.line > 1) {  // a line before
    --made.line;
    const std::size_t end = start - 1;
    start = end == 0 ? 0 : text_.rfind('\n', end - 1);
    start = start == std::string_view::npos || end == 0 ? 0 : start + 1;
  }
  made.column = static_cast<std::uint32_t>(offset - start + 1);
  return made;
}

std::optional<ScriptNumber> number_of(std::string_view word) {
  ScriptNumber made;
  const bool negative = word.starts_with('-');
  const std::string_view digits = negative ? word.substr(1) : word;
  if (digits.empty()) return std::nullopt;
  const bool is_hexadecimal = digits.size() > 2 && digits[0] == '0' && (digits[1] == 'x' || digits[1] == 'X');
  const std::string_view whole = is_hexadecimal ? digits.substr(2) : digits;
  std::uint64_t magnitude = 0;
  const auto [end, problem] = std::from_chars(whole.data(), whole.data() + whole.size(), magnitude, is_hexadecimal ? 16 : 10);
  if (problem == std::errc{} && end == whole.data() + whole.size()) {
    made.is_whole = true;
    made.bits = negative ? 0 - magnitude : magnitude;
    made.real = negative ? -static_cast<double>(magnitude) : static_cast<double>(magnitude);
    return made;
  }
  if (is_hexadecimal) return std::nullopt;
  if (digits == "nan" || digits == "NaN" || digits == "NAN") {
    made.real = std::numeric_limits<double>::quiet_NaN();
    return made;
  }
  if (const char first = digits[0]; first != '.' && (first < '0' || first > '9') && digits != "inf") return std::nullopt;
  const auto [real_end, real_problem] = read_rounded(word.data(), word.data() + word.size(), made.real);
  if (real_end != word.data() + word.size() || real_problem != std::errc{}) return std::nullopt;
  return made;
}

}  // namespace unshade::amber

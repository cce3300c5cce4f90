#include "shader/embed/lexer.hpp"

#include <unshade/core/text/characters.hpp>

namespace unshade::shader::embedding {

namespace {

/// Of names in all of these languages.
constexpr bool begins_name(char c) { return is_name_start(c) || c == '$' || static_cast<unsigned char>(c) >= 0x80; }
constexpr bool is_word(char c) { return begins_name(c) || is_digit(c); }
constexpr bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f'; }

constexpr unsigned digit_value(char c) {
  if (is_digit(c)) return static_cast<unsigned>(c - '0');
  if (c >= 'a' && c <= 'f') return static_cast<unsigned>(c - 'a') + 10;
  if (c >= 'A' && c <= 'F') return static_cast<unsigned>(c - 'A') + 10;
  return 99;
}

/// `u`, `UL`, `ull`, `u8`, `i32`, `ui64`, `usize`, nothing.
bool is_suffix(std::string_view text) {
  std::size_t letters = 0;
  while (letters < text.size() && std::string_view("uUlLiIzZ").find(text[letters]) != std::string_view::npos) ++letters;
  const std::string_view rest = text.substr(letters);
  return rest.empty() ? letters <= 4
                      : letters <= 2 && letters != 0 && (rest == "8" || rest == "16" || rest == "32" || rest == "64" || rest == "size");
}

}  // namespace

int read_escape(std::string_view text, std::size_t& at) {
  if (at >= text.size()) return -1;
  const char c = text[at++];
  switch (c) {
    case 'n': return '\n';
    case 't': return '\t';
    case 'r': return '\r';
    case 'a': return '\a';
    case 'b': return '\b';
    case 'f': return '\f';
    case 'v': return '\v';
    case 'e': return 27;
    case '\\':
    case '\'':
    case '"':
    case '?': return c;
    case '\r':
      if (at < text.size() && text[at] == '\n') ++at;
      return -2;
    case '\n': return -2;
    case 'x': {
      // Two digits at most: what is meant are bytes.
      unsigned value = 0;
      std::size_t digits = 0;
      for (; digits < 2 && at < text.size() && digit_value(text[at]) < 16; ++digits) value = value * 16 + digit_value(text[at++]);
      return digits == 0 ? -1 : static_cast<int>(value);
    }
    default: break;
  }
  if (c < '0' || c > '7') return -1;
  unsigned value = digit_value(c);
  for (int digits = 1; digits < 3 && at < text.size() && digit_value(text[at]) < 8; ++digits) value = value * 8 + digit_value(text[at++]);
  return value > 0xff ? -1 : static_cast<int>(value);
}

void SourceLexer::skip_line() {
  while (at_ < text_.size()) {
    const std::size_t end = text_.find('\n', at_);
    if (end == std::string_view::npos) {
      at_ = text_.size();
      return;
    }
    std::size_t last = end;
    while (last > at_ && text_[last - 1] == '\r') --last;
    const bool goes_on = last > at_ && text_[last - 1] == '\\';
    at_ = end + 1;
    if (!goes_on) break;
  }
  line_start_ = true;
}

bool SourceLexer::skip_comment() {
  if (peek() != '/') return false;
  if (peek(1) == '/') {
    skip_line();
    return true;
  }
  if (peek(1) != '*') return false;
  const std::size_t end = text_.find("*/", at_ + 2);
  at_ = end == std::string_view::npos ? text_.size() : end + 2;
  return true;
}

/// Past the lines of a group that is not compiled, to after its `#else`, `#elif` or `#endif`.
void SourceLexer::skip_group() {
  std::size_t depth = 0;
  bool line_start = true;
  while (at_ < text_.size()) {
    const char c = text_[at_];
    if (c == '\n' || is_blank(c)) {
      line_start = line_start || c == '\n';
      ++at_;
    } else if (c == '\\' && (peek(1) == '\n' || (peek(1) == '\r' && peek(2) == '\n'))) {
      at_ += peek(1) == '\n' ? 2 : 3;
    } else if (c == '/' && (peek(1) == '/' || peek(1) == '*')) {
      const bool to_line_end = peek(1) == '/';
      skip_comment();
      line_start = line_start || to_line_end;
    } else if (c == '#' && line_start) {
      ++at_;
      while (is_blank(peek())) ++at_;
      const std::size_t from = at_;
      while (at_ < text_.size() && is_word(text_[at_])) ++at_;
      const std::string_view word = text_.substr(from, at_ - from);
      if (word == "if" || word == "ifdef" || word == "ifndef") ++depth;
      const bool ends = word == "endif";
      const bool other = word == "else" || word.starts_with("elif");
      if (depth == 0 && (ends || other)) {
        skip_line();
        return;
      }
      if (ends) --depth;
      skip_line();
      line_start = true;
    } else if (c == '"' || c == '\'') {
      // A quote that its line does not close is none: listings are full of them.
      line_start = false;
      std::size_t close = at_ + 1;
      while (close < text_.size() && text_[close] != c && text_[close] != '\n')
        close += text_[close] == '\\' && close + 1 < text_.size() && text_[close + 1] != '\n' ? 2 : 1;
      if (close > text_.size()) close = text_.size();
      at_ = close < text_.size() && text_[close] == c ? close + 1 : close;
    } else {
      line_start = false;
      ++at_;
    }
  }
  line_start_ = true;
}

/// At the word after `#`.
void SourceLexer::directive() {
  while (is_blank(peek())) ++at_;
  const std::size_t from = at_;
  while (at_ < text_.size() && is_word(text_[at_])) ++at_;
  const std::string_view word = text_.substr(from, at_ - from);
  if (word != "if") {
    skip_line();
    return;
  }
  while (is_blank(peek()) || peek() == '(') ++at_;
  const std::size_t condition = at_;
  while (at_ < text_.size() && is_word(text_[at_])) ++at_;
  const std::string_view what = text_.substr(condition, at_ - condition);
  while (is_blank(peek()) || peek() == ')') ++at_;
  const bool alone = at_ == text_.size() || peek() == '\n' || peek() == '/';
  skip_line();
  if (alone && (what == "0" || what == "false")) skip_group();
}

SourceToken SourceLexer::number() {
  SourceToken token{.kind = SourceToken::Kind::number, .at = at_};
  const std::size_t from = at_;
  unsigned base = 10;
  if (text_[at_] == '0' && at_ + 1 < text_.size()) {
    const char mark = static_cast<char>(text_[at_ + 1] | 0x20);
    base = mark == 'x' ? 16 : mark == 'b' ? 2 : mark == 'o' ? 8 : 10;
    if (base != 10) at_ += 2;
  }
  bool any = false;
  bool fits = true;
  bool octal = base == 10 && text_[from] == '0';
  std::uint64_t as_octal = 0;
  for (; at_ < text_.size(); ++at_) {
    const char c = text_[at_];
    if ((c == '_' || c == '\'') && any) {
      if (c == '\'' && !is_word(peek(1))) break;
      continue;
    }
    const unsigned digit = digit_value(c);
    if (digit >= base) break;
    any = true;
    if (token.value > (~std::uint64_t{0} - digit) / base) fits = false;
    token.value = token.value * base + digit;
    octal = octal && digit < 8;
    as_octal = as_octal * 8 + digit;
  }
  if (octal) token.value = as_octal;
  const std::size_t suffix = at_;
  while (at_ < text_.size() && (is_word(text_[at_]) || text_[at_] == '.')) ++at_;
  token.is_good = any && fits && is_suffix(text_.substr(suffix, at_ - suffix));
  token.text = text_.substr(from, at_ - from);
  return token;
}

SourceToken SourceLexer::string() {
  SourceToken token{.kind = SourceToken::Kind::string, .at = at_};
  const std::size_t from = ++at_;
  while (at_ < text_.size() && text_[at_] != '"' && text_[at_] != '\n') {
    if (text_[at_] != '\\') {
      ++at_;
      continue;
    }
    const char c = peek(1);
    if (c == 'x' || is_digit(c)) token.has_escapes = true;
    if (c == '\r' && peek(2) == '\n') ++at_;
    at_ += at_ + 1 < text_.size() ? 2 : 1;
  }
  token.is_good = at_ < text_.size() && text_[at_] == '"';
  token.text = text_.substr(from, at_ - from);
  if (token.is_good) ++at_;
  return token;
}

/// `R"delimiter(...)delimiter"` of C++ and `r#"..."#` of Rust, after their letters. False: it is none, and nothing is passed.
bool SourceLexer::raw_string(SourceToken& token) {
  if (!raw_strings_end_) return false;
  constexpr std::size_t kDelimiter = 16;  // src: C++ standard, [lex.string]
  std::string close;
  std::size_t from = at_;
  if (peek() == '"') {
    std::size_t open = at_ + 1;
    while (open < text_.size() && open - at_ <= kDelimiter && text_[open] != '(' && text_[open] != '"' && text_[open] != '\n') ++open;
    if (open >= text_.size() || text_[open] != '(') return false;
    close = ')' + std::string(text_.substr(at_ + 1, open - at_ - 1)) + '"';
    from = open + 1;
  } else {
    while (peek(from - at_) == '#' && from - at_ <= kDelimiter) ++from;
    if (from == at_ || peek(from - at_) != '"') return false;
    close = '"' + std::string(from - at_, '#');
    ++from;
  }
  const std::size_t end = text_.find(close, from);
  if (end == std::string_view::npos) {
    raw_strings_end_ = false;
    return false;
  }
  token = {.kind = SourceToken::Kind::string, .is_good = false, .at = at_, .text = text_.substr(from, end - from)};
  at_ = end + close.size();
  return true;
}

/// `'D'`, `'\x44'`. False: a quote that is none, as of Rust's 'static.
bool SourceLexer::character(SourceToken& token) {
  constexpr std::size_t kLongest = 12;
  std::size_t end = at_ + 1;
  while (end < text_.size() && end - at_ < kLongest && text_[end] != '\'' && text_[end] != '\n') end += text_[end] == '\\' ? 2 : 1;
  if (end >= text_.size() || text_[end] != '\'' || end == at_ + 1) return false;
  token = {.kind = SourceToken::Kind::number, .is_good = false, .at = at_, .text = text_.substr(at_, end + 1 - at_)};
  const std::string_view inside = text_.substr(at_ + 1, end - at_ - 1);
  std::size_t used = 1;
  const int value = inside[0] == '\\' ? read_escape(inside, used) : static_cast<unsigned char>(inside[0]);
  token.is_good = used == inside.size() && value >= 0;
  if (token.is_good) token.value = static_cast<std::uint64_t>(value);
  at_ = end + 1;
  return true;
}

SourceToken SourceLexer::next() {
  using Kind = SourceToken::Kind;
  while (at_ < text_.size()) {
    const char c = text_[at_];
    if (c == '\n') {
      line_start_ = true;
      ++at_;
      continue;
    }
    if (is_blank(c)) {
      ++at_;
      continue;
    }
    if (c == '/' && skip_comment()) continue;
    if (c == '\\' && (peek(1) == '\n' || (peek(1) == '\r' && peek(2) == '\n'))) {
      at_ += peek(1) == '\n' ? 2 : 3;
      continue;
    }
    const bool line_start = line_start_;
    line_start_ = false;
    if (c == '#' && line_start && peek(1) != '[' && peek(1) != '!') {  // #[...] and #![...] are Rust's
      ++at_;
      directive();
      continue;
    }
    if (is_digit(c)) return number();
    if (c == '"') return string();
    SourceToken token{.kind = Kind::punctuation, .mark = c, .at = at_};
    if (c == '\'' && character(token)) return token;
    if (begins_name(c)) {
      const std::size_t from = at_;
      while (at_ < text_.size() && is_word(text_[at_])) ++at_;
      const std::string_view word = text_.substr(from, at_ - from);
      if ((peek() == '"' && word.back() == 'R' && word.size() <= 3) || (peek() == '#' && (word == "r" || word == "br"))) {
        if (raw_string(token)) return token;
      }
      return {.kind = Kind::identifier, .at = from, .text = word};
    }
    if (c == ':' && peek(1) == ':') {
      token.mark = 'n';  // a name goes on
      token.text = text_.substr(at_, 2);
      at_ += 2;
      return token;
    }
    token.text = text_.substr(at_, 1);
    ++at_;
    return token;
  }
  return {.at = text_.size()};
}

}  // namespace unshade::shader::embedding

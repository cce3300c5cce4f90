#include "dxil/assemble/lexer.hpp"

#include <unshade/core/text/characters.hpp>

#include "dxil/listing/module.hpp"

namespace unshade::dxil::assembler {

namespace {

constexpr bool is_start(char c) { return is_letter(c) || c == '-' || c == '$' || c == '.' || c == '_'; }
constexpr bool is_name(char c) { return is_start(c) || is_digit(c); }

}  // namespace

void append_unescaped(std::string& out, std::string_view text) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\' && i + 2 < text.size() && hex_digit(text[i + 1]) >= 0 && hex_digit(text[i + 2]) >= 0) {
      out.push_back(static_cast<char>(hex_digit(text[i + 1]) << 4 | hex_digit(text[i + 2])));
      i += 2;
    } else {
      if (text[i] == '\\' && i + 1 < text.size() && text[i + 1] == '\\') ++i;
      out.push_back(text[i]);
    }
  }
}

void Lexer::skip_blanks() {
  comments_.clear();
  while (at_ < text_.size()) {
    const char c = text_[at_];
    if (c == ';') {
      const std::size_t end = text_.find('\n', at_);
      const std::size_t begin = at_;
      at_ = end == std::string_view::npos ? text_.size() : end;
      comments_.emplace_back(begin, at_);
    } else if (c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\0') {
      ++at_;
    } else {
      return;
    }
  }
}

/// From a quote on; false if it is not closed, and the text is at its end.
bool Lexer::quoted(Token& token) {
  const std::size_t end = text_.find('"', at_ + 1);
  if (end == std::string_view::npos) {
    at_ = text_.size();
    return false;
  }
  token.text = text_.substr(at_ + 1, end - at_ - 1);
  token.quoted = true;
  at_ = end + 1;
  return true;
}

bool Lexer::decimal(Token& token) {
  const std::size_t first = at_;
  std::uint64_t value = 0;
  for (; is_digit(peek()); ++at_)
    if (value <= 0xffff'ffff) value = value * 10 + static_cast<std::uint64_t>(peek() - '0');
  token.text = text_.substr(first, at_ - first);
  token.number = static_cast<std::uint32_t>(value);
  return first != at_ && value < 0xffff'ffff;
}

void Lexer::name(Token& token, Token::Kind kind) {
  ++at_;
  if (peek() == '"') {
    if (quoted(token)) token.kind = kind;
    return;
  }
  if (is_digit(peek())) {
    if (!decimal(token)) return;
    token.kind = kind;
    token.is_number = true;
    return;
  }
  const std::size_t first = at_;
  while (is_name(peek())) ++at_;
  token.text = text_.substr(first, at_ - first);
  if (first != at_) token.kind = kind;
}

void Lexer::metadata(Token& token) {
  ++at_;
  if (is_digit(peek())) {
    if (decimal(token)) token.kind = Token::Kind::metadata_number;
    return;
  }
  const std::size_t first = at_;
  if (is_start(peek()) || peek() == '\\')
    while (is_name(peek()) || peek() == '\\') ++at_;
  token.text = text_.substr(first, at_ - first);
  if (first != at_) {
    token.kind = Token::Kind::metadata_name;
    return;
  }
  token.kind = Token::Kind::punctuation;
  token.mark = '!';
}

void Lexer::number(Token& token) {
  const std::size_t first = at_;
  if (peek() == '-' || peek() == '+') ++at_;
  if (peek() == '0' && peek(1) == 'x') {
    at_ += 2;
    const std::size_t form_at = at_;
    const char form = peek();
    if (form == 'H' || form == 'K' || form == 'L' || form == 'M') ++at_;
    const std::size_t digits = at_;
    while (hex_digit(peek()) >= 0) ++at_;
    if (digits != at_ && form_at == first + 2) token.kind = Token::Kind::hex;  // bits have no sign
  } else {
    while (is_digit(peek())) ++at_;
    token.kind = Token::Kind::integer;
    if (peek() == '.') {
      token.kind = Token::Kind::real;
      ++at_;
      while (is_digit(peek())) ++at_;
      if (peek() == 'e' || peek() == 'E') {
        ++at_;
        if (peek() == '-' || peek() == '+') ++at_;
        while (is_digit(peek())) ++at_;
      }
    }
  }
  token.text = text_.substr(first, at_ - first);
}

void Lexer::word(Token& token) {
  const std::size_t first = at_;
  while (is_name(peek())) ++at_;
  token.text = text_.substr(first, at_ - first);
  token.kind = Token::Kind::word;
  if (peek() == ':') {
    ++at_;
    token.kind = Token::Kind::label;
  } else if (token.text == "c" && peek() == '"') {
    token.kind = quoted(token) ? Token::Kind::c_string : Token::Kind::bad;
  }
}

Token Lexer::next() {
  skip_blanks();
  Token token;
  token.at = at_;
  if (at_ == text_.size()) return token;
  token.kind = Token::Kind::bad;
  const char c = peek();
  switch (c) {
    case '%': name(token, Token::Kind::local); break;
    case '@': name(token, Token::Kind::global); break;
    case '!': metadata(token); break;
    case '#':
      ++at_;
      if (decimal(token)) token.kind = Token::Kind::attribute_group;
      break;
    case '"':
      if (!quoted(token)) break;
      token.kind = Token::Kind::string;
      if (peek() == ':') {
        ++at_;
        token.kind = Token::Kind::label;
      }
      break;
    case '.':
      if (peek(1) == '.' && peek(2) == '.') {
        at_ += 3;
        token.kind = Token::Kind::punctuation;
        token.mark = '.';
        break;
      }
      word(token);
      break;
    case '$': {
      name(token, Token::Kind::comdat);
      break;
    }
    case '(':
    case ')':
    case '{':
    case '}':
    case '[':
    case ']':
    case '<':
    case '>':
    case ',':
    case '=':
    case '*':
    case '|':
      ++at_;
      token.kind = Token::Kind::punctuation;
      token.mark = c;
      break;
    default:
      if (is_digit(c) || ((c == '-' || c == '+') && is_digit(peek(1)))) {
        number(token);
      } else if (is_start(c)) {
        word(token);
      } else {
        ++at_;
      }
  }
  if (token.text.empty() && token.kind != Token::Kind::string && token.kind != Token::Kind::c_string && !token.quoted)
    token.text = text_.substr(token.at, at_ - token.at);
  return token;
}

}  // namespace unshade::dxil::assembler

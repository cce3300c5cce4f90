// The tokens of the IR's text form.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include <unshade/core/text/characters.hpp>
#include <unshade/core/text/numbers.hpp>
#include <unshade/ir/module.hpp>

#include "ir/words.hpp"

namespace unshade::ir::words {

enum class TokenKind : std::uint8_t { line_end, word, value, block, symbol, text, source, punctuation };

/// `text` is without the sign in front (% ^ @ ! or quotes).
struct Token {
  TokenKind kind;
  std::string_view text;
  std::size_t offset;
};

constexpr bool is_word_character(char c) {
  return is_name_character(c) || c == '.' || c == ':' || c == '-' || c == '+' || c == '|' || c == '>';
}

/// What stands after `!`: an instruction of the file, its group, a component, with points between; the last two may be missing.
inline std::optional<Source> source_of(std::string_view text) {
  constexpr std::string_view kComponents = "xyzw";
  Source made;
  for (unsigned part = 0;; ++part) {
    const std::size_t end = std::min(text.find('.'), text.size());
    const std::string_view word = text.substr(0, end);
    const auto letter = word.size() == 1 && part == 2 ? kComponents.find(word[0]) : std::string_view::npos;
    const auto number =
        letter != std::string_view::npos ? std::optional(static_cast<std::uint32_t>(letter)) : as_number<std::uint32_t>(word);
    if (!number || part > 2 || (part == 0 && *number == kNone) || (part == 2 && *number >= kNoComponent)) return std::nullopt;
    if (part == 0) made.instruction = *number;
    if (part == 1) made.group = *number;
    if (part == 2) made.component = static_cast<std::uint8_t>(*number);
    if (end == text.size()) return made;
    text.remove_prefix(end + 1);
  }
}

/// Each line's tokens and its end; lines without any are left out.
class Lexer {
 public:
  explicit Lexer(std::string_view text) : text_(text) {}

  std::vector<Token> all(std::optional<std::size_t>& fault) {
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == '\n') {
        end_line();
        ++at_;
      } else if (c == ' ' || c == '\t' || c == '\r') {
        ++at_;
      } else if (c == ';') {
        at_ = std::min(text_.find('\n', at_), text_.size());
      } else if (!token(c)) {
        fault = at_;
        break;
      }
    }
    end_line();
    return std::move(tokens_);
  }

 private:
  void end_line() {
    if (!tokens_.empty() && tokens_.back().kind != TokenKind::line_end) tokens_.push_back({TokenKind::line_end, {}, at_});
  }

  bool token(char c) {
    switch (c) {
      case '%': return after_sign(TokenKind::value, is_label_character);
      case '@': return after_sign(TokenKind::symbol, is_label_character);
      case '!': return after_sign(TokenKind::source, is_label_character);
      case '^': return after_sign(TokenKind::block, is_digit);
      case '"': return quoted();
      case '{':
      case '}':
      case '(':
      case ')':
      case '=':
      case ':': return add(TokenKind::punctuation, at_, at_ + 1);
      default: break;
    }
    std::size_t end = at_;
    while (end < text_.size() && is_word_character(text_[end])) ++end;
    return end != at_ && add(TokenKind::word, at_, end);
  }

  bool after_sign(TokenKind kind, bool (*belongs)(char)) {
    std::size_t end = at_ + 1;
    while (end < text_.size() && belongs(text_[end])) ++end;
    return end != at_ + 1 && add(kind, at_ + 1, end);
  }

  bool quoted() {
    for (std::size_t end = at_ + 1; end < text_.size() && text_[end] != '\n'; ++end) {
      if (text_[end] == '"') {
        add(TokenKind::text, at_ + 1, end);
        at_ = end + 1;
        return true;
      }
      if (text_[end] == '\\') ++end;
    }
    return false;
  }

  bool add(TokenKind kind, std::size_t first, std::size_t end) {
    tokens_.push_back({kind, text_.substr(first, end - first), at_});
    at_ = end;
    return true;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::vector<Token> tokens_;
};

}  // namespace unshade::ir::words

// Words of the assembly text. A word ends at a blank or a comment; between quotes both are part of it, and a backslash takes the next
// character.
#pragma once

#include <cstddef>
#include <string_view>

namespace unshade::spirv::text {

struct Token {
  std::string_view text;  // empty: the end
  std::size_t offset = 0;
  bool begins_line = false;

  bool is_end() const { return text.empty(); }
  /// Op and a capital letter: the name of an instruction, as no enumerant is spelled.
  bool is_opcode() const { return text.size() >= 3 && text[0] == 'O' && text[1] == 'p' && text[2] >= 'A' && text[2] <= 'Z'; }
  bool is_id() const { return text.size() > 1 && text[0] == '%'; }
  bool is_immediate() const { return !text.empty() && text[0] == '!'; }
};

class Lexer {
 public:
  explicit Lexer(std::string_view text) : text_(text) {}

  Token next() {
    bool begins_line = skip();
    const std::size_t from = at_;
    bool is_quoting = false;
    bool is_escaping = false;
    for (; at_ < text_.size(); ++at_) {
      const char c = text_[at_];
      if (c == '\0') break;
      if (c == '\\') {
        is_escaping = !is_escaping;
        continue;
      }
      if (c == '"' && !is_escaping) is_quoting = !is_quoting;
      if ((c == ' ' || c == ';' || c == '\t' || c == '\n' || c == '\r') && !is_escaping && !is_quoting) break;
      is_escaping = false;
    }
    return {text_.substr(from, at_ - from), from, begins_line};
  }

  /// The comment that the last skip went over, from its semicolon to the end of its line; empty when there was none. Of several, the first.
  std::string_view comment() const { return comment_; }

  /// The comments on lines of their own that the last skip went over, from the first semicolon to the end of the last; empty when there
  /// were none.
  std::string_view comment_lines() const { return comment_lines_; }

 private:
  bool skip() {
    bool begins_line = at_ == 0;
    comment_ = {};
    comment_lines_ = {};
    for (; at_ < text_.size(); ++at_) {
      const char c = text_[at_];
      if (c == '\n') {
        begins_line = true;
      } else if (c == ';') {
        const std::size_t end = text_.find('\n', at_);
        const std::size_t stop = end == std::string_view::npos ? text_.size() : end;
        if (comment_.empty() && !begins_line) comment_ = text_.substr(at_, stop - at_);
        if (begins_line) {
          const char* const from = comment_lines_.empty() ? text_.data() + at_ : comment_lines_.data();
          comment_lines_ = {from, static_cast<std::size_t>(text_.data() + stop - from)};
        }
        at_ = stop;
        if (end == std::string_view::npos) break;
        begins_line = true;
      } else if (c != ' ' && c != '\t' && c != '\r') {
        break;
      }
    }
    return begins_line;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::string_view comment_;
  std::string_view comment_lines_;
};

}  // namespace unshade::spirv::text

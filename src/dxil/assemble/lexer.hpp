// Words of LLVM's assembly language. src: LLVM 3.7, LLLexer.cpp
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace unshade::dxil::assembler {

struct Token {
  enum class Kind : std::uint8_t {
    end,
    word,             ///< `define`, `i32`, `x`
    label,            ///< `name:`
    local,            ///< `%name`, `%5`
    global,           ///< `@name`
    comdat,           ///< `$name`
    metadata_name,    ///< `!name`
    metadata_number,  ///< `!5`
    attribute_group,  ///< `#5`
    string,           ///< `"text"`
    c_string,         ///< `c"text"`
    integer,          ///< `-5`
    real,             ///< `1.0e+00`
    hex,              ///< `0x3F00`, `0xH3F00`
    punctuation,      ///< one character, `.` for three of them
    bad,
  };
  Kind kind = Kind::end;
  bool quoted = false;     ///< a name between quotes
  bool is_number = false;  ///< local, global: has no name; `number` is set
  char mark = 0;           ///< punctuation
  std::uint32_t number = 0;
  std::size_t at = 0;       ///< bytes from the start of the text
  std::string_view text{};  ///< a name or string without prefix and quotes, escapes as they stand; else the characters of the token
};

class Lexer {
 public:
  explicit Lexer(std::string_view text) : text_(text) {}

  /// Passes over blanks and comments.
  Token next();
  std::size_t at() const { return at_; }
  void restart(std::size_t at) { at_ = at; }
  std::string_view text() const { return text_; }
  /// Comments between the last token and the one before: begin and end of each.
  const std::vector<std::pair<std::size_t, std::size_t>>& comments() const { return comments_; }

 private:
  char peek(std::size_t ahead = 0) const { return ahead < text_.size() - at_ ? text_[at_ + ahead] : '\0'; }
  void skip_blanks();
  bool quoted(Token& token);
  void name(Token& token, Token::Kind kind);
  void metadata(Token& token);
  void number(Token& token);
  void word(Token& token);
  bool decimal(Token& token);

  std::string_view text_;
  std::size_t at_ = 0;
  std::vector<std::pair<std::size_t, std::size_t>> comments_;
};

/// Appends characters with `\22` and the like resolved.
void append_unescaped(std::string& out, std::string_view text);

}  // namespace unshade::dxil::assembler

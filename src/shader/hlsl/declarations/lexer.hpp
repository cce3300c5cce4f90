// Tokens of HLSL, with what the preprocessor's lines say of names.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string_view>
#include <vector>

namespace unshade::shader::hlsl {

struct Token {
  enum class Kind : std::uint8_t { end, identifier, number, text, mark, condition };

  Kind kind = Kind::end;
  std::size_t at = 0;       ///< bytes from the start of the text
  std::string_view text{};  ///< of a mark one character; of a condition its word: `ifdef`, or `include`

  bool is(std::string_view word) const { return (kind == Kind::mark || kind == Kind::identifier) && text == word; }
};

/// What `#define` says.
struct Macro {
  std::string_view body{};
  std::size_t at = 0;
  bool is_function = false;
  bool is_word = false;     ///< the body is one name or number
  bool is_unknown = false;  ///< it was defined in several ways: only a preprocessor can choose

  bool is_empty() const { return body.empty() && !is_function; }
};

/// Passes over comments, `#if 0` up to its `#else` or `#endif`, and lines of the preprocessor but for conditions. Macros are remembered,
/// not expanded, but for those of nothing. Borrows the text.
class Lexer {
 public:
  explicit Lexer(std::string_view text) : text_(text) {}
  Token next();

  const Macro* find_macro(std::string_view name) const;
  /// What a word stands for, through macros of one word or of nothing.
  std::string_view meaning(std::string_view word) const;
  /// By `#pragma pack_matrix`.
  bool packs_rows() const { return packs_rows_; }
  /// Where a comment begins that has no end; npos: none.
  std::size_t open_comment() const { return open_comment_; }

 private:
  char peek(std::size_t ahead = 0) const { return ahead < text_.size() - at_ ? text_[at_ + ahead] : '\0'; }
  bool skip_comment();
  std::string_view line();
  bool directive(Token& made);
  void define(std::string_view rest);
  std::string_view skip_group();
  Token quotation(char quote);

  std::string_view text_;
  std::size_t at_ = 0;
  bool at_line_start_ = true;
  bool packs_rows_ = false;
  std::size_t open_comment_ = std::string_view::npos;
  std::map<std::string_view, Macro> macros_;
  std::vector<bool> decided_;  ///< of each condition that is open: it is 0, and what is read is its other group
};

}  // namespace unshade::shader::hlsl

// Tokens of C-like source text: enough of C, C++, Rust, C#, JavaScript and their like to find arrays of numbers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace unshade::shader::embedding {

struct SourceToken {
  enum class Kind : std::uint8_t { end, identifier, number, string, punctuation };

  Kind kind = Kind::end;
  bool is_good = true;       ///< number: it is an integer of 64 bits; string: it ends
  bool has_escapes = false;  ///< string: bytes by number, `\x44` or `\104`
  char mark = 0;             ///< punctuation
  std::size_t at = 0;        ///< bytes from the start of the text
  std::string_view text{};   ///< string: the text between the quotes
  std::uint64_t value = 0;   ///< number
};

/// Passes over comments, `#if 0` up to its `#else` or `#endif`, and other directives. Every call takes time in proportion to what it
/// passes.
class SourceLexer {
 public:
  SourceLexer(std::string_view text, std::size_t from, bool at_line_start) : text_(text), at_(from), line_start_(at_line_start) {}
  SourceToken next();

 private:
  char peek(std::size_t ahead = 0) const { return ahead < text_.size() - at_ ? text_[at_ + ahead] : '\0'; }
  bool skip_comment();
  void skip_line();
  void directive();
  void skip_group();
  SourceToken number();
  SourceToken string();
  bool raw_string(SourceToken& token);
  bool character(SourceToken& token);

  std::string_view text_;
  std::size_t at_ = 0;
  bool line_start_ = true;
  bool raw_strings_end_ = true;  // false once one did not: searching on from each would be quadratic
};

/// The value after a backslash, and past it; -1 if it is none. A backslash before a line end gives -2: nothing.
int read_escape(std::string_view text, std::size_t& at);

}  // namespace unshade::shader::embedding

// Words of a script, line by line.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include <unshade/amber/script.hpp>

namespace unshade::amber {

struct Token {
  std::string_view text;  ///< empty: the line ends
  std::size_t offset = 0;
  explicit operator bool() const { return !text.empty(); }
};

class Lexer {
 public:
  explicit Lexer(std::string_view text) : text_(text) {}

  /// The next word of the line. A backslash at its end continues it.
  Token next();
  Token peek();
  /// Drops what is left of the line. False if there are no more.
  bool next_line();
  /// The next word, whichever line it stands in; empty at the end of the text.
  Token next_of_any_line();
  /// The lines up to one of the word END alone; nothing if there is none.
  std::optional<std::string_view> body(std::uint32_t& first_line);
  /// Of an offset in this line or before.
  suite::Place place(std::size_t offset) const;
  std::size_t offset() const { return at_; }

 private:
  std::string_view text_;
  std::size_t at_ = 0;
  std::size_t line_start_ = 0;
  std::uint32_t line_ = 1;
};

/// A word as a number: decimal, hexadecimal, with a point or exponent, `nan`, `inf`. Nothing if it does not fit into a double, or into 64
/// bits.
std::optional<ScriptNumber> number_of(std::string_view word);

}  // namespace unshade::amber

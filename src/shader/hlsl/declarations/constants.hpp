// Integers that declarations state: sizes of arrays.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string_view>

#include "shader/hlsl/declarations/lexer.hpp"

namespace unshade::shader::hlsl {

/// Values of expressions of literals, constants and macros. Borrows the text, and the macros of `names`.
class Constants {
 public:
  explicit Constants(const Lexer& names) : names_(names) {}

  /// `static const uint kCount = 4;`: what is between `=` and `;`. Defined in several ways it has no value.
  void define(std::string_view name, std::string_view expression);
  /// Of 64 bits, which wrap around. Nothing: it is no such expression.
  std::optional<std::uint64_t> value(std::string_view expression);

 private:
  struct Source {
    Lexer lexer;
    Token token;
    void advance() { token = lexer.next(); }
  };
  std::optional<std::uint64_t> whole(std::string_view expression, unsigned depth);
  std::optional<std::uint64_t> binary(Source& from, unsigned level, unsigned depth);
  std::optional<std::uint64_t> unary(Source& from, unsigned depth);

  const Lexer& names_;
  std::map<std::string_view, std::optional<std::uint64_t>> values_;
  std::size_t steps_ = 0;  ///< operands, and bytes of macros
};

}  // namespace unshade::shader::hlsl

// Text of expressions in languages like C, with what is needed to put them into each other.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace unshade::write::source {

/// Of components.
inline constexpr std::string_view kLetters = "xyzw";

/// What a number is in the language; `half` and those of 16 bits are native ones.
enum class Base : std::uint8_t { bool_, int_, uint_, float_, half, int16, uint16, double_, int64, uint64 };
inline constexpr std::size_t kBases = 10;

constexpr bool is_real(Base base) { return base == Base::float_ || base == Base::half || base == Base::double_; }
constexpr bool is_signed(Base base) { return base == Base::int_ || base == Base::int16 || base == Base::int64; }
constexpr bool is_unsigned(Base base) { return base == Base::uint_ || base == Base::uint16 || base == Base::uint64; }
constexpr unsigned bits_of(Base base) {
  switch (base) {
    case Base::bool_: return 1;
    case Base::half:
    case Base::int16:
    case Base::uint16: return 16;
    case Base::double_:
    case Base::int64:
    case Base::uint64: return 64;
    default: return 32;
  }
}

/// A scalar or vector.
struct ValueType {
  Base base = Base::uint_;
  std::uint8_t width = 1;
  bool operator==(const ValueType&) const = default;
};

/// How tightly an expression is bound: an operand of an operator needs parentheses if it is bound less.
enum class Level : std::uint8_t {
  conditional,
  logical_or,
  logical_and,
  bit_or,
  bit_xor,
  bit_and,
  equality,
  relation,
  shift,
  sum,
  product,
  unary,
  postfix,
};

struct Expression {
  std::string text;
  Level level = Level::postfix;
  ValueType type;
  bool is_literal = false;  ///< of a number, or a vector of some
  std::string opposite{};   ///< of a truth: what is true where it is false, if that is no longer
  std::string truth{};      ///< of what is 0 or all ones: whether it is not 0

  /// The text as an operand of what is bound as `outer`.
  std::string in(Level outer) const { return level < outer ? '(' + text + ')' : text; }
};

/// What a vector is constructed of, if it is written as one: `x, y` of `type_name(x, y)`; else the vector. `converts`: a constructor of one
/// operand converts a vector, so that it counts; else the operand may be a scalar for all components.
std::string components_of(const Expression& vector, std::string_view type_name, bool converts = false);

/// A variable that is called like a semantic: `TEXCOORD` is `texcoord`, `SV_Target` is `target`.
std::string variable_of(std::string_view semantic);

}  // namespace unshade::write::source

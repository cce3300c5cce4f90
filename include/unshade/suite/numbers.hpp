// Numbers, and what is expected of them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <unshade/core/result.hpp>
#include <unshade/core/value.hpp>
#include <unshade/texel/formats.hpp>

namespace unshade::suite::cases {

/// What a component in memory or of a signature is.
struct NumberType {
  enum class Kind : std::uint8_t { real, sint, uint, boolean, texel };
  Kind kind = Kind::real;
  std::uint8_t bytes = 4;
  const texel::Format* format = nullptr;  ///< of texels; may be null if they hold plain numbers
  std::uint8_t component = 0;             ///< of the texel
};
/// `f32`, `u16`; nothing if no type has the name.
std::optional<NumberType> find_number_type(std::string_view name);

struct Number {
  NumberType type;
  double real = 0;
  std::uint64_t bits = 0;  ///< of integers sign-extended, of reals those of their type
};
Number real_number(double value, NumberType type);
Number whole_number(std::uint64_t bits, NumberType type);
/// What bits in memory are.
Number number_of_bits(std::uint64_t bits, NumberType type);
std::string shown(const Number& number);
/// Units in the last place between two numbers of a type: of normalized ones, their steps.
double ulps_between(const Number& a, const Number& b);

/// How far a number may be from what is expected: within one of these. Without any, both must be equal as numbers; with `exact`, all bits.
struct Tolerance {
  double ulp = 0;
  double absolute = 0;
  double relative = 0;
  bool exact = false;
};
/// Those of a map, or `inherited` if it has none.
Result<Tolerance> tolerance_of(const Value& map, Tolerance inherited);

/// One of the conditions of a text: `>= 0`.
struct Condition {
  enum class Is : std::uint8_t { any, nan, number, finite, eq, ne, lt, le, gt, ge };
  Is is = Is::any;
  double value = 0;
  std::optional<Integer> whole{};  ///< the same, of a bound without a fraction
};
/// Those of a text, which must all hold: `0..1` is two. Nothing if it has none.
std::optional<std::vector<Condition>> conditions_of(std::string_view text);
bool holds(const Condition& condition, const Number& number);
/// What a value that is no condition expects, as memory can hold it. Errors: bad_value, also for what it cannot hold.
Result<Number> expected_number(const Value& expected, NumberType type);

struct Mismatch {
  std::string expected;
  std::string actual;
};
/// Compares a number with what is expected of it: a number, a text that is a predicate, or a map of these with a tolerance.
/// Errors: bad_value for an expectation that is none of these.
Result<std::optional<Mismatch>> compared(const Number& actual, const Value& expected, const Tolerance& tolerance);
std::optional<Mismatch> compared(const Number& actual, const Number& expected, const Tolerance& tolerance);

}  // namespace unshade::suite::cases

// Numbers against what is expected of them.
#include <algorithm>
#include <bit>
#include <cmath>
#include <compare>
#include <cstring>
#include <limits>
#include <utility>

#include <unshade/core/bits/half.hpp>
#include <unshade/core/bits/sign_extended.hpp>
#include <unshade/core/spelling.hpp>
#include <unshade/core/text.hpp>
#include <unshade/core/text/numbers.hpp>
#include <unshade/run/values.hpp>

#include "suite/cases/cases.hpp"

namespace unshade::suite::cases {
namespace {

using Kind = NumberType::Kind;
using run::fault;

constexpr struct {
  std::string_view name;
  NumberType type;
} kNumberTypes[] = {
    {"f16", {Kind::real, 2}}, {"f32", {Kind::real, 4}}, {"f64", {Kind::real, 8}}, {"u8", {Kind::uint, 1}},
    {"u16", {Kind::uint, 2}}, {"u32", {Kind::uint, 4}}, {"u64", {Kind::uint, 8}}, {"i8", {Kind::sint, 1}},
    {"i16", {Kind::sint, 2}}, {"i32", {Kind::sint, 4}}, {"i64", {Kind::sint, 8}}, {"bool", {Kind::boolean, 4}},
};

constexpr std::string_view kValueFields[] = {"value", "ulp", "absolute", "relative", "exact"};

bool is_real(const NumberType& type) { return type.kind == Kind::real || type.kind == Kind::texel; }

/// Steps of a normalized component from 0 to 1.
double steps_of(const NumberType& type) {
  const unsigned bits = std::min(31U, unsigned{type.format->components[type.component].bits});
  return std::ldexp(1.0, static_cast<int>(type.format->encoding == texel::Encoding::snorm ? bits - 1 : bits)) - 1;
}

/// Whether a type of reals can hold a number, rounded: 7 is none of R8_UNORM.
bool can_hold(const NumberType& type, double value) {
  const double rounded = real_number(value, type).real;
  if (!std::isfinite(value)) return type.kind != Kind::texel || !std::isfinite(rounded);
  // the narrowest floats have five bits of a mantissa, and begin at 2^-14
  double least = 0;
  double most = std::max(std::abs(value) / 32, 0x1p-14);
  if (type.kind == Kind::texel) {
    using texel::Encoding;
    const Encoding encoding = type.format->encoding;
    constexpr double kSlack = 1e-6;  // values that were computed may be a little above 1
    constexpr double kStepOfXr = 1.0 / 510;
    constexpr double kHalf = 0.5;
    if (encoding == Encoding::unorm || encoding == Encoding::snorm)
      return std::abs(static_cast<double>(texel::in_range(*type.format, static_cast<float>(value))) - value) <= kSlack;
    if (encoding == Encoding::xr_bias) least = kStepOfXr;
    if (encoding == Encoding::uscaled || encoding == Encoding::sscaled) least = kHalf;
    most = std::max(most, least);
  }
  // at the ends of a format, which texels beyond them become, half a step of a float of 16 bits
  if (type.format != nullptr && rounded != 0 && real_number(2 * value, type).real == rounded)
    most = std::max(std::abs(rounded) * 0x1p-12, least);
  return std::abs(rounded - value) <= most;
}

std::string name_of(const NumberType& type) {
  if (type.kind == Kind::texel) {
    const std::string_view name = texel::format_name(texel::format_number(*type.format));
    return name.empty() ? "the format" : std::string(name);
  }
  const auto* const row =
      std::ranges::find_if(kNumberTypes, [&](const auto& one) { return one.type.kind == type.kind && one.type.bytes == type.bytes; });
  return std::string(row->name);
}

/// Floats of a width as integers in their order: those next to each other differ by 1.
std::int64_t in_order(std::uint64_t bits, unsigned bytes) {
  const unsigned sign = bytes * 8 - 1;
  const auto magnitude = static_cast<std::int64_t>(bits & ((std::uint64_t{1} << sign) - 1));
  return (bits >> sign & 1) != 0 ? -magnitude : magnitude;
}

std::string shown_real(double value, bool single) {
  Text text;
  if (std::isnan(value)) return "nan";
  if (single) {
    text.shortest(static_cast<float>(value));
  } else {
    text.shortest(value);
  }
  return text.str();
}

std::string shown_within(const Tolerance& tolerance) {
  std::string made;
  const auto bound = [&](double value, std::string_view after) {
    if (value == 0) return;
    std::string text = shown_real(value, true);
    if (text.ends_with(".0")) text.resize(text.size() - 2);
    made += (made.empty() ? " within " : " or ") + text + std::string(after);
  };
  bound(tolerance.ulp, " ulp");
  bound(tolerance.absolute, "");
  bound(tolerance.relative * 100, " %");
  return made;
}

/// The distance in what the tolerance is in: the absolute difference, a share of the number expected, units in the last place.
std::string shown_distance(const Number& actual, const Number& expected, const Tolerance& tolerance) {
  const bool real = is_real(actual.type);
  if (real && (!std::isfinite(actual.real) || !std::isfinite(expected.real))) return {};
  std::string made;
  const auto add = [&](const std::string& distance) { made += (made.empty() ? ", " : " or ") + distance; };
  const double difference = real ? std::abs(actual.real - expected.real) : ulps_between(actual, expected);
  if (tolerance.ulp > 0 || (real && tolerance.absolute <= 0 && tolerance.relative <= 0)) {
    Text text;
    text.dec(static_cast<std::uint64_t>(std::min(std::ceil(ulps_between(actual, expected)), 1e18)));
    add(text.str() + (text.view() == "1" ? " ulp" : " ulps"));
  }
  // as many digits as a float has are enough to see how far beyond the bound it is
  const auto rounded = [](double value) {
    Text text;
    text.shortest(static_cast<float>(value));
    std::string shown = text.str();
    return shown.ends_with(".0") ? shown.substr(0, shown.size() - 2) : shown;
  };
  if (tolerance.absolute > 0) add(rounded(difference));
  if (tolerance.relative > 0 && expected.real != 0) add(rounded(difference / std::abs(expected.real) * 100) + " %");
  return made.empty() ? made : made + " away";
}

Mismatch mismatch(const Number& actual, const Number& expected, const Tolerance& tolerance) {
  return {shown(expected) + shown_within(tolerance), shown(actual) + shown_distance(actual, expected, tolerance)};
}

// --- predicates --------------------------------------------------------------------------------------------------------------------------

std::string_view without_blanks(std::string_view text) {
  while (text.starts_with(' ')) text.remove_prefix(1);
  while (text.ends_with(' ')) text.remove_suffix(1);
  return text;
}

/// A bound into `to`; false if the text is not a number.
bool read_bound(std::string_view text, Condition& to) {
  text = without_blanks(text);
  const bool negative = text.starts_with('-');
  if (negative) text.remove_prefix(1);
  double value = std::numeric_limits<double>::infinity();
  to.whole.reset();
  if (text != "inf") {
    // words that the library reads as numbers are none
    if (text.empty() || std::string_view("0123456789.").find(text.front()) == std::string_view::npos) return false;
    const auto read = as_real(text);
    if (!read) return false;
    value = read->wide;
    if (const auto whole = as_number<std::uint64_t>(text)) to.whole = Integer{*whole, negative, false};
  }
  to.value = negative ? -value : value;
  return true;
}

/// Adds what one condition says; false if the text is not a condition.
bool add_condition(std::string_view text, std::vector<Condition>& to) {
  using Is = Condition::Is;
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  constexpr std::pair<std::string_view, Condition> kWords[] = {{"any", {Is::any, 0, {}}},
                                                               {"nan", {Is::nan, 0, {}}},
                                                               {"finite", {Is::finite, 0, {}}},
                                                               {"inf", {Is::eq, kInfinity, {}}},
                                                               {"-inf", {Is::eq, -kInfinity, {}}}};
  for (const auto& [word, condition] : kWords)
    if (text == word) return to.push_back(condition), true;
  constexpr std::pair<std::string_view, Is> kSigns[] = {{">=", Is::ge}, {"<=", Is::le}, {"!=", Is::ne},
                                                        {"==", Is::eq}, {">", Is::gt},  {"<", Is::lt}};
  for (const auto& [sign, is] : kSigns) {
    if (!text.starts_with(sign)) continue;
    const std::string_view bound = without_blanks(text.substr(sign.size()));
    if (bound == "nan" && (is == Is::eq || is == Is::ne)) {
      to.push_back({is == Is::eq ? Is::nan : Is::number, 0, {}});
      return true;
    }
    Condition made{is, 0, {}};
    if (!read_bound(bound, made)) return false;
    to.push_back(made);
    return true;
  }
  const std::size_t dots = text.find("..");
  if (dots == std::string_view::npos) return false;
  Condition least{Is::ge, 0, {}};
  Condition most{Is::le, 0, {}};
  if (!read_bound(text.substr(0, dots), least) || !read_bound(text.substr(dots + 2), most) || least.value > most.value) return false;
  to.push_back(least);
  to.push_back(most);
  return true;
}

std::strong_ordering compared(const Integer& a, const Integer& b) {
  const bool a_negative = a.negative && a.magnitude != 0;
  const bool b_negative = b.negative && b.magnitude != 0;
  if (a_negative != b_negative) return a_negative ? std::strong_ordering::less : std::strong_ordering::greater;
  return a_negative ? b.magnitude <=> a.magnitude : a.magnitude <=> b.magnitude;
}

/// The bound of an order as a float of the number's width: 0.1 is the 0.1 that a shader computes. One of texels is not rounded to their
/// steps, and none becomes 0 or is clamped.
double ordered_bound(const NumberType& type, double value) {
  if (type.kind == Kind::texel) return static_cast<double>(static_cast<float>(value));
  const double rounded = real_number(value, type).real;
  return rounded == 0 || !can_hold(type, value) ? value : rounded;
}

/// How a number is to a bound: integers exactly, floats as their type can hold the bound.
std::partial_ordering compared(const Number& number, const Condition& bound) {
  if (is_real(number.type)) {
    const bool is_equality = bound.is == Condition::Is::eq || bound.is == Condition::Is::ne;
    if (!is_equality) return number.real <=> ordered_bound(number.type, bound.value);
    return number.real <=> (can_hold(number.type, bound.value) ? real_number(bound.value, number.type).real : bound.value);
  }
  const bool negative = number.type.kind == Kind::sint && static_cast<std::int64_t>(number.bits) < 0;
  const Integer own{negative ? 0 - number.bits : number.bits, negative, false};
  if (bound.whole) return compared(own, *bound.whole);
  constexpr double kBeyond = 0x1p64;
  if (std::abs(bound.value) >= kBeyond) return bound.value < 0 ? std::partial_ordering::greater : std::partial_ordering::less;
  const double below = std::floor(bound.value);
  const auto order = compared(own, Integer{static_cast<std::uint64_t>(std::abs(below)), below < 0, false});
  return order == std::strong_ordering::equal && below != bound.value ? std::strong_ordering::less : order;
}

}  // namespace

bool holds(const Condition& condition, const Number& number) {
  const auto order = [&] { return compared(number, condition); };
  switch (condition.is) {
    case Condition::Is::any: return true;
    case Condition::Is::nan: return std::isnan(number.real);
    case Condition::Is::number: return !std::isnan(number.real);
    case Condition::Is::finite: return std::isfinite(number.real);
    case Condition::Is::eq: return order() == 0;
    case Condition::Is::ne: return order() != 0;
    case Condition::Is::lt: return order() < 0;
    case Condition::Is::le: return order() <= 0;
    case Condition::Is::gt: return order() > 0;
    default: return order() >= 0;
  }
}

std::optional<NumberType> find_number_type(std::string_view name) {
  const auto found = std::ranges::find(kNumberTypes, name, [](const auto& row) { return row.name; });
  return found == std::end(kNumberTypes) ? std::nullopt : std::optional(found->type);
}

Number real_number(double value, NumberType type) {
  Number made{type, value, 0};
  const auto narrow = static_cast<float>(value);
  const bool is_half = type.kind == Kind::real && type.bytes == 2;
  if (type.kind == Kind::texel || (is_half && type.format != nullptr)) {
    // as the texel can hold it
    std::array<std::uint32_t, 4> texel{};
    std::array<std::byte, 16> memory{};
    texel[type.component] = std::bit_cast<std::uint32_t>(narrow);
    texel::store_texel(*type.format, texel, memory.data());
    made.real = static_cast<double>(std::bit_cast<float>(texel::load_texel(*type.format, memory.data())[type.component]));
    if (is_half) made.bits = texel::nearest_f16(made.real);
  } else if (is_half) {
    made = number_of_bits(texel::nearest_f16(value), type);
  } else if (type.bytes == 4) {
    made = number_of_bits(std::bit_cast<std::uint32_t>(narrow), type);
  } else {
    made.bits = std::bit_cast<std::uint64_t>(value);
  }
  return made;
}

Number whole_number(std::uint64_t bits, NumberType type) {
  const unsigned unused = 64 - 8 * type.bytes;
  Number made{type, 0, bits << unused >> unused};
  if (type.kind == Kind::boolean) made.bits = made.bits != 0 ? 1 : 0;
  if (type.kind == Kind::sint) {
    const std::int64_t value = sign_extended(bits, 8 * type.bytes);
    made.bits = static_cast<std::uint64_t>(value);
    made.real = static_cast<double>(value);
  } else {
    made.real = static_cast<double>(made.bits);
  }
  return made;
}

Number number_of_bits(std::uint64_t bits, NumberType type) {
  if (type.kind != Kind::real) return whole_number(bits, type);
  if (type.bytes == 8) return {type, std::bit_cast<double>(bits), bits};
  const auto word = static_cast<std::uint32_t>(bits);
  const auto value = std::bit_cast<float>(type.bytes == 2 ? single_bits_of_half(word) : word);
  return {type, static_cast<double>(value), bits};
}

std::string shown(const Number& number) {
  switch (number.type.kind) {
    case Kind::sint: return std::to_string(static_cast<std::int64_t>(number.bits));
    case Kind::uint: return std::to_string(number.bits);
    case Kind::boolean: return number.bits != 0 ? "true" : "false";
    default: return shown_real(number.real, number.type.kind == Kind::texel || number.type.bytes != 8);
  }
}

double ulps_between(const Number& a, const Number& b) {
  switch (a.type.kind) {
    case Kind::real: {
      const std::int64_t first = in_order(a.bits, a.type.bytes);
      const std::int64_t second = in_order(b.bits, b.type.bytes);
      return static_cast<double>(first > second ? static_cast<std::uint64_t>(first) - static_cast<std::uint64_t>(second)
                                                : static_cast<std::uint64_t>(second) - static_cast<std::uint64_t>(first));
    }
    case Kind::texel: return std::abs(a.real - b.real) * steps_of(a.type);
    case Kind::sint:
    case Kind::uint: {
      const bool is_less =
          a.type.kind == Kind::sint ? static_cast<std::int64_t>(a.bits) < static_cast<std::int64_t>(b.bits) : a.bits < b.bits;
      return static_cast<double>(is_less ? b.bits - a.bits : a.bits - b.bits);
    }
    default: return std::abs(a.real - b.real);
  }
}

Result<Tolerance> tolerance_of(const Value& map, Tolerance inherited) {
  Tolerance made;
  bool any = false;
  constexpr std::pair<std::string_view, double Tolerance::*> kBounds[] = {
      {"ulp", &Tolerance::ulp}, {"absolute", &Tolerance::absolute}, {"relative", &Tolerance::relative}};
  for (const auto& [name, bound] : kBounds) {
    const Value* const given = map.find(name);
    if (given == nullptr) continue;
    any = true;
    const Real* const real = given->as_real();
    const Integer* const whole = given->as_integer();
    made.*bound = real != nullptr ? real->wide : whole != nullptr && !whole->negative ? static_cast<double>(whole->magnitude) : -1;
    if (!(made.*bound >= 0) || std::isinf(made.*bound)) return fault(*given, std::string(name), "expected a finite number of at least 0");
  }
  if (const Value* const exact = map.find("exact")) {
    any = true;
    if (exact->as_boolean() == nullptr) return fault(*exact, "exact", "expected true or false");
    made.exact = *exact->as_boolean();
    if (made.exact && (made.ulp != 0 || made.absolute != 0 || made.relative != 0))
      return fault(*exact, "exact", "`exact` and other tolerances are mutually exclusive");
  }
  return any ? made : inherited;
}

std::optional<std::vector<Condition>> conditions_of(std::string_view text) {
  std::vector<Condition> made;
  for (;;) {
    const std::size_t comma = text.find(',');
    if (!add_condition(without_blanks(text.substr(0, comma)), made)) return std::nullopt;
    if (comma == std::string_view::npos) return made;
    text.remove_prefix(comma + 1);
  }
}

Result<Number> expected_number(const Value& expected, NumberType type) {
  if (!is_real(type)) {
    const auto bits = run::bits_of(expected, ir::Type::i64, "");
    if (!bits) return bits.error();
    // of either sign, as memory can hold it
    const std::uint64_t unused = ~std::uint64_t{0} << (8 * type.bytes - 1);
    const bool fits = type.bytes == 8 || (*bits & unused) == 0 || (*bits & unused) == unused || (*bits >> (8 * type.bytes)) == 0;
    if (!fits) return fault(expected, "", "the number must fit into " + std::to_string(8 * type.bytes) + " bits");
    if (type.kind == Kind::boolean && *bits > 1) return fault(expected, "", "expected true, false, 0 or 1");
    return whole_number(*bits, type);
  }
  const auto wide = run::bits_of(expected, ir::Type::f64, "");
  if (!wide) return wide.error();
  const auto wanted = std::bit_cast<double>(*wide);
  if (!can_hold(type, wanted)) return fault(expected, "", shown_real(wanted, false) + " does not fit into " + name_of(type));
  if (type.kind == Kind::real && (type.bytes == 8 || (type.bytes == 2 && type.format == nullptr))) return real_number(wanted, type);
  const auto narrow = run::bits_of(expected, ir::Type::f32, "");
  if (!narrow) return narrow.error();
  return real_number(static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(*narrow))), type);
}

std::optional<Mismatch> compared(const Number& actual, const Number& expected, const Tolerance& tolerance) {
  const auto holds = [&] {
    if (tolerance.exact && actual.type.kind != Kind::texel) return actual.bits == expected.bits;
    if (!is_real(actual.type) && actual.bits == expected.bits) return true;
    if (std::isnan(actual.real) || std::isnan(expected.real)) return std::isnan(actual.real) && std::isnan(expected.real);
    if (is_real(actual.type) && actual.real == expected.real) return true;
    if (!std::isfinite(actual.real) || !std::isfinite(expected.real)) return false;
    const double distance = is_real(actual.type) ? std::abs(actual.real - expected.real) : ulps_between(actual, expected);
    return (tolerance.ulp > 0 && ulps_between(actual, expected) <= tolerance.ulp) ||
           (tolerance.absolute > 0 && distance <= tolerance.absolute) ||
           (tolerance.relative > 0 && distance <= tolerance.relative * std::abs(expected.real));
  };
  if (holds()) return std::nullopt;
  return mismatch(actual, expected, tolerance);
}

Result<std::optional<Mismatch>> compared(const Number& actual, const Value& expected, const Tolerance& tolerance) {
  if (const Value* const value = expected.find("value")) {
    for (const Value::Member& member : *expected.as_map()) {
      if (std::ranges::find(kValueFields, member.key) == std::end(kValueFields))
        return Error{ErrorCode::bad_value, member.key_offset, member.key.substr(0, 64),
                     with_nearest("a value with a tolerance has no field of this name", member.key, kValueFields)};
    }
    auto own = tolerance_of(expected, tolerance);
    if (!own) return std::move(own).error();
    if (value->as_map() != nullptr) return fault(*value, "value", "expected a number or a condition");
    return compared(actual, *value, *own);
  }
  if (expected.as_map() != nullptr) return fault(expected, "", "a map must have the number as `value`, beside its tolerance");
  if (const std::string* const text = expected.as_text(); text != nullptr && *text != "nan") {
    const auto conditions = conditions_of(*text);
    if (!conditions) return fault(expected, "", "expected a number or a condition, such as `>= 0`, found `" + text->substr(0, 40) + '`');
    if (std::ranges::all_of(*conditions, [&](const Condition& one) { return holds(one, actual); })) return std::optional<Mismatch>();
    return std::optional(Mismatch{*text, shown(actual)});
  }
  const auto wanted = expected_number(expected, actual.type);
  if (!wanted) return wanted.error();
  return compared(actual, *wanted, tolerance);
}

}  // namespace unshade::suite::cases

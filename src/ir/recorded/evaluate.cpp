// Evaluating recordings: each primitive as C++ has it for scalars, calls by the functions that the rules have.
#include <array>
#include <bit>
#include <cassert>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include <unshade/ir/numeric/rules.hpp>
#include <unshade/ir/recorded/recording.hpp>

#include "ir/recorded/scalar.hpp"

namespace unshade::ir::recorded {
namespace {

using numeric::Function;

template <class T>
T from_bits(std::uint64_t bits) {
  using Word = typename numeric::inner::IntegersOf<sizeof(T)>::Unsigned;
  return std::bit_cast<T>(static_cast<Word>(bits));
}
template <class T>
std::uint64_t to_bits(T value) {
  return std::bit_cast<typename numeric::inner::IntegersOf<sizeof(T)>::Unsigned>(value);
}

/// f of the operands as T.
template <class T, class F>
std::uint64_t binary(const std::array<std::uint64_t, 3>& v, F f) {
  return to_bits(static_cast<T>(f(from_bits<T>(v[0]), from_bits<T>(v[1]))));
}
template <class F>
std::uint64_t arithmetic(Lane type, const std::array<std::uint64_t, 3>& v, F f) {
  switch (type) {
    case Lane::i32: return binary<std::uint32_t>(v, f);
    case Lane::i64: return binary<std::uint64_t>(v, f);
    case Lane::f32: return binary<float>(v, f);
    default: return binary<double>(v, f);
  }
}
/// Shifts to the left and, of signed or unsigned integers, to the right.
template <class F>
std::uint64_t shifted(Lane type, bool is_signed, const std::array<std::uint64_t, 3>& v, F f) {
  const std::uint64_t width = lane_bytes(type) * 8;
  assert(v[1] < width && "a count of the width or more");
  const std::array<std::uint64_t, 3> operands{v[0], v[1] % width};
  if (type == Lane::i32) return is_signed ? binary<std::int32_t>(operands, f) : binary<std::uint32_t>(operands, f);
  return is_signed ? binary<std::int64_t>(operands, f) : binary<std::uint64_t>(operands, f);
}

/// A mask as wide as the operands, which are of type `from`, and signed integers or unsigned ones.
template <class F>
std::uint64_t comparison(Lane from, bool is_signed, const std::array<std::uint64_t, 3>& v, F f) {
  const auto holds = [&]<class T>(T) { return f(from_bits<T>(v[0]), from_bits<T>(v[1])); };
  switch (from) {
    case Lane::i32: return (is_signed ? holds(std::int32_t{}) : holds(std::uint32_t{})) ? 0xffff'ffff : 0;
    case Lane::i64: return (is_signed ? holds(std::int64_t{}) : holds(std::uint64_t{})) ? ~std::uint64_t{0} : 0;
    case Lane::f32: return holds(float{}) ? 0xffff'ffff : 0;
    default: return holds(double{}) ? ~std::uint64_t{0} : 0;
  }
}

/// Toward zero.
template <class To, class From>
std::uint64_t integer_of(From v) {
  constexpr From kEnd = static_cast<From>(std::uint64_t{1} << (sizeof(To) * 8 - 1));
  const bool is_in_range = v >= -kEnd && v < kEnd;
  assert(is_in_range && "the integral part has no place");
  return to_bits(is_in_range ? static_cast<To>(v) : To{0});
}

}  // namespace

std::uint64_t scalar_value(Primitive primitive, Lane type, Lane from, const std::array<std::uint64_t, 3>& v) {
  switch (primitive) {
    case Primitive::bits: return v[0];
    case Primitive::select: {
      const std::uint64_t ones = lane_bytes(type) == 4 ? 0xffff'ffff : ~std::uint64_t{0};
      assert((v[0] == 0 || v[0] == ones) && "a mask is 0 or all ones");
      return v[0] == ones ? v[1] : v[2];
    }
    case Primitive::add: return arithmetic(type, v, [](auto a, auto b) { return a + b; });
    case Primitive::sub: return arithmetic(type, v, [](auto a, auto b) { return a - b; });
    case Primitive::mul: return arithmetic(type, v, [](auto a, auto b) { return a * b; });
    case Primitive::div:
      return type == Lane::f32 ? to_bits(from_bits<float>(v[0]) / from_bits<float>(v[1]))
                               : to_bits(from_bits<double>(v[0]) / from_bits<double>(v[1]));
    case Primitive::sqrt:
      if (type == Lane::f32) return to_bits(numeric::square_root(numeric::F32<1>(from_bits<float>(v[0]))).lane(0));
      return to_bits(numeric::square_root(numeric::F64<1>(from_bits<double>(v[0]))).lane(0));
    case Primitive::and_: return v[0] & v[1];
    case Primitive::or_: return v[0] | v[1];
    case Primitive::xor_: return v[0] ^ v[1];
    case Primitive::not_: return type == Lane::i32 ? v[0] ^ 0xffff'ffff : ~v[0];
    case Primitive::shl: return shifted(type, false, v, [](auto a, auto b) { return a << b; });
    case Primitive::shr_u: return shifted(type, false, v, [](auto a, auto b) { return a >> b; });
    case Primitive::shr_s: return shifted(type, true, v, [](auto a, auto b) { return a >> b; });
    case Primitive::eq: return comparison(from, false, v, [](auto a, auto b) { return a == b; });
    case Primitive::ne: return comparison(from, false, v, [](auto a, auto b) { return a != b; });
    case Primitive::lt:
    case Primitive::lt_u: return comparison(from, false, v, [](auto a, auto b) { return a < b; });
    case Primitive::le:
    case Primitive::le_u: return comparison(from, false, v, [](auto a, auto b) { return a <= b; });
    case Primitive::lt_s: return comparison(from, true, v, [](auto a, auto b) { return a < b; });
    case Primitive::le_s: return comparison(from, true, v, [](auto a, auto b) { return a <= b; });
    case Primitive::f_to_f:
      return type == Lane::f32 ? to_bits(static_cast<float>(from_bits<double>(v[0])))
                               : to_bits(static_cast<double>(from_bits<float>(v[0])));
    case Primitive::s_to_f: {
      const auto integer = from_bits<std::int32_t>(v[0]);
      return type == Lane::f32 ? to_bits(static_cast<float>(integer)) : to_bits(static_cast<double>(integer));
    }
    case Primitive::f_to_s: {
      const bool narrow = type == Lane::i32;
      if (from == Lane::f32)
        return narrow ? integer_of<std::int32_t>(from_bits<float>(v[0])) : integer_of<std::int64_t>(from_bits<float>(v[0]));
      return narrow ? integer_of<std::int32_t>(from_bits<double>(v[0])) : integer_of<std::int64_t>(from_bits<double>(v[0]));
    }
    case Primitive::extend_s: return to_bits(static_cast<std::int64_t>(from_bits<std::int32_t>(v[0])));
    case Primitive::extend_u: return v[0];
    case Primitive::truncate: return v[0] & 0xffff'ffff;
    default: assert(false && "operands, constants and calls have no value of their own"); return 0;
  }
}

bool computes(Primitive primitive, Lane type) {
  switch (primitive) {
    case Primitive::add:
    case Primitive::sub:
    case Primitive::mul:
    case Primitive::div:
    case Primitive::sqrt:
    case Primitive::f_to_f:
    case Primitive::s_to_f: return is_float(type);
    default: return false;
  }
}

namespace {

std::array<std::uint64_t, 2> called(const Node& node, std::span<const std::uint64_t> v) {
  namespace rules = numeric::inner;
  const auto wide = [&](std::size_t at) { return from_bits<double>(v[at]); };
  const auto one = [](std::uint64_t bits) { return std::array<std::uint64_t, 2>{bits, 0}; };
  const bool narrow = node.type == Lane::f32;
  switch (node.function) {
    case Function::fma:
      return one(to_bits(rules::fused(numeric::F64<1>(wide(0)), numeric::F64<1>(wide(1)), numeric::F64<1>(wide(2))).lane(0)));
    case Function::fmod:
      if (narrow) return one(to_bits(rules::Remainder<float>()(from_bits<float>(v[0]), from_bits<float>(v[1]))));
      return one(to_bits(rules::Remainder<double>()(wide(0), wide(1))));
    case Function::ldexp: return one(to_bits(rules::Scale()(wide(0), static_cast<std::uint32_t>(v[1]))));
    case Function::idiv: return one(rules::SignedQuotient()(v[0], v[1]));
    case Function::udiv: return one(rules::UnsignedQuotient()(v[0], v[1]));
    case Function::s_to_f:
      if (narrow) return one(to_bits(rules::ConvertedInteger<float, std::int64_t>()(v[0])));
      return one(to_bits(rules::ConvertedInteger<double, std::int64_t>()(v[0])));
    case Function::u_to_f:
      if (narrow) return one(to_bits(rules::ConvertedInteger<float, std::uint64_t>()(v[0])));
      return one(to_bits(rules::ConvertedInteger<double, std::uint64_t>()(v[0])));
    case Function::large_angle: {
      const auto angle = rules::LargeAngle()(wide(0));
      return {to_bits(angle.rest), angle.quadrant};
    }
  }
  return {};
}

// A NaN as one of another sign and payload.
std::uint64_t other_nan(Lane type, std::uint64_t bits) {
  if (type == Lane::f32) return std::isnan(from_bits<float>(bits)) ? bits ^ 0x8012'3456 : bits;
  return std::isnan(from_bits<double>(bits)) ? bits ^ 0x8001'2345'6789'abcd : bits;
}

}  // namespace

std::vector<std::uint64_t> evaluate(const Recording& recording, std::span<const std::uint64_t> operands, std::size_t lanes, Nans nans) {
  assert(operands.size() == recording.operands.size() * lanes);
  const std::vector<Node>& nodes = recording.nodes;
  std::vector<std::uint64_t> values(nodes.size() * lanes);
  std::vector<std::uint64_t> seconds(values.size());  // results of calls
  for (std::size_t at = 0; at < nodes.size(); ++at) {
    const Node& node = nodes[at];
    const Lane from = node.operands[0] == kNoNode ? node.type : nodes[node.operands[0]].type;
    for (std::size_t lane = 0; lane < lanes; ++lane) {
      std::array<std::uint64_t, 3> v{};
      std::size_t count = 0;
      while (count < v.size() && node.operands[count] != kNoNode) {
        v[count] = values[node.operands[count] * lanes + lane];
        ++count;
      }
      std::uint64_t& value = values[at * lanes + lane];
      switch (node.primitive) {
        case Primitive::operand: value = operands[static_cast<std::size_t>(node.value) * lanes + lane]; break;
        case Primitive::constant: value = node.value; break;
        case Primitive::second: value = seconds[node.operands[0] * lanes + lane]; break;
        case Primitive::call: {
          if (node.masked && v[0] == 0) break;
          const auto made = called(node, std::span(v).subspan(node.masked ? 1 : 0));
          value = made[0];
          seconds[at * lanes + lane] = made[1];
          break;
        }
        default:
          value = scalar_value(node.primitive, node.type, from, v);
          if (nans == Nans::others && computes(node.primitive, node.type)) value = other_nan(node.type, value);
      }
    }
  }
  std::vector<std::uint64_t> results;
  for (const std::uint32_t result : recording.results) {
    const auto first = values.begin() + static_cast<std::ptrdiff_t>(result * lanes);
    results.insert(results.end(), first, first + static_cast<std::ptrdiff_t>(lanes));
  }
  return results;
}

}  // namespace unshade::ir::recorded

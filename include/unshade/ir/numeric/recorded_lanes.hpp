// Lanes that do not compute: each operation is appended to a recording, and a Vec<T, N> stands for its value, whatever N is. Included by
// lanes.hpp in files compiled with UNSHADE_RECORDED, which must not be compiled for more than the least instruction set.
#pragma once

#include <bit>
#include <cstdint>
#include <type_traits>

#include <unshade/ir/numeric/isa.hpp>
#include <unshade/ir/numeric/out_of_line.hpp>
#include <unshade/ir/recorded/recording.hpp>

// Nothing for other files, which may include all headers.
#ifdef UNSHADE_RECORDED

namespace unshade::ir::numeric {
inline namespace UNSHADE_ISA {

namespace inner {

namespace recorded = ir::recorded;
using recorded::Primitive;

template <class T>
inline constexpr recorded::Lane kLane = std::is_same_v<T, float>    ? recorded::Lane::f32
                                        : std::is_same_v<T, double> ? recorded::Lane::f64
                                        : sizeof(T) == 4            ? recorded::Lane::i32
                                                                    : recorded::Lane::i64;

}  // namespace inner

/// One value of each lane.
template <class T, int N>
struct Vec {
  using Element = T;
  static constexpr int kLanes = N;

  inner::recorded::Value value;

  Vec() = default;
  /// The same value in all lanes.
  Vec(T number) : value{nullptr, inner::kLane<T>, std::bit_cast<typename inner::IntegersOf<sizeof(T)>::Unsigned>(number)} {}
  explicit Vec(const inner::recorded::Value& recorded) : value(recorded) {}
};

namespace inner {

template <class R, class... V>
R recorded_as(Primitive primitive, const V&... v) {
  return R(recorded::record(primitive, kLane<typename R::Element>, v.value...));
}

/// The function F of lanes, by its name.
template <class R, class F, class... V>
R out_of_line(F, const V&... v) {
  const recorded::Value operands[] = {v.value...};
  return R(recorded::record_call(F::kFunction, false, kLane<typename R::Element>, operands));
}
/// In the lanes of the mask, which is rarely true in any, `first` and `second` become the members of what F gives.
template <class Mask, class A, class B, class F, class... V>
void out_of_line_where(const Mask& mask, A& first, B& second, F, const V&... v) {
  const recorded::Value operands[] = {mask.value, v.value...};
  const A made(recorded::record_call(F::kFunction, true, kLane<typename A::Element>, operands));
  first = select(mask, made, first);
  second = select(mask, recorded_as<B>(Primitive::second, made), second);
}

}  // namespace inner

/// The bits of v as lanes of another type of the same size.
template <class To, class From, int N>
Vec<To, N> bits_as(const Vec<From, N>& v) {
  return inner::recorded_as<Vec<To, N>>(inner::Primitive::bits, v);
}

// The second operand may be a scalar.
#define UNSHADE_BINARY(op, condition, primitive)                         \
  template <class T, int N>                                              \
    requires condition                                                   \
  Vec<T, N> operator op(const Vec<T, N>& a, const Vec<T, N>& b) {        \
    return inner::recorded_as<Vec<T, N>>(primitive, a, b);               \
  }                                                                      \
  template <class T, int N>                                              \
    requires condition                                                   \
  Vec<T, N> operator op(const Vec<T, N>& a, std::type_identity_t<T> b) { \
    return a op Vec<T, N>(b);                                            \
  }
UNSHADE_BINARY(+, true, inner::Primitive::add)
UNSHADE_BINARY(-, true, inner::Primitive::sub)
UNSHADE_BINARY(*, true, inner::Primitive::mul)
UNSHADE_BINARY(/, std::is_floating_point_v<T>, inner::Primitive::div)
UNSHADE_BINARY(&, std::is_unsigned_v<T>, inner::Primitive::and_)
UNSHADE_BINARY(|, std::is_unsigned_v<T>, inner::Primitive::or_)
UNSHADE_BINARY(^, std::is_unsigned_v<T>, inner::Primitive::xor_)
UNSHADE_BINARY(<<, std::is_unsigned_v<T>, inner::Primitive::shl)
UNSHADE_BINARY(>>, std::is_integral_v<T>, std::is_signed_v<T> ? inner::Primitive::shr_s : inner::Primitive::shr_u)
#undef UNSHADE_BINARY

template <class T, int N>
  requires std::is_unsigned_v<T>
Vec<T, N> operator~(const Vec<T, N>& a) {
  return inner::recorded_as<Vec<T, N>>(inner::Primitive::not_, a);
}
/// As processors do: the sign alone changes, of a NaN too.
template <class T, int N>
  requires std::is_floating_point_v<T>
Vec<T, N> operator-(const Vec<T, N>& a) {
  using Word = typename UnsignedOf<Vec<T, N>>::Element;
  return bits_as<T>(bits_as<Word>(a) ^ ~(~Word{0} >> 1));
}

// Comparisons give masks. Greater is less with the operands exchanged.
#define UNSHADE_COMPARISON(op, a, b, primitive)                                           \
  template <class T, int N>                                                               \
  UnsignedOf<Vec<T, N>> operator op(const Vec<T, N>& x, const Vec<T, N>& y) {             \
    return inner::recorded_as<UnsignedOf<Vec<T, N>>>(primitive, a, b);                    \
  }                                                                                       \
  template <class T, int N>                                                               \
  UnsignedOf<Vec<T, N>> operator op(const Vec<T, N>& x, std::type_identity_t<T> scalar) { \
    return x op Vec<T, N>(scalar);                                                        \
  }
namespace inner {
template <class T>
inline constexpr Primitive kLess = std::is_floating_point_v<T> ? Primitive::lt
                                   : std::is_signed_v<T>       ? Primitive::lt_s
                                                               : Primitive::lt_u;
template <class T>
inline constexpr Primitive kLessOrEqual = std::is_floating_point_v<T> ? Primitive::le
                                          : std::is_signed_v<T>       ? Primitive::le_s
                                                                      : Primitive::le_u;
}  // namespace inner
UNSHADE_COMPARISON(==, x, y, inner::Primitive::eq)
UNSHADE_COMPARISON(!=, x, y, inner::Primitive::ne)
UNSHADE_COMPARISON(<, x, y, inner::kLess<T>)
UNSHADE_COMPARISON(<=, x, y, inner::kLessOrEqual<T>)
UNSHADE_COMPARISON(>, y, x, inner::kLess<T>)
UNSHADE_COMPARISON(>=, y, x, inner::kLessOrEqual<T>)
#undef UNSHADE_COMPARISON

/// In each lane the bits of yes or no.
template <class T, int N>
Vec<T, N> select(const UnsignedOf<Vec<T, N>>& mask, const Vec<T, N>& yes, const Vec<T, N>& no) {
  return inner::recorded_as<Vec<T, N>>(inner::Primitive::select, mask, yes, no);
}

/// Values of lanes as another type: as static_cast does, rounding to nearest even. A float's integral part must be in range.
template <class To, class From, int N>
Vec<To, N> convert(const Vec<From, N>& v) {
  using Target = Vec<To, N>;
  if constexpr (std::is_same_v<To, From>) {
    return v;
  } else if constexpr (std::is_floating_point_v<To> && std::is_floating_point_v<From>) {
    return inner::recorded_as<Target>(inner::Primitive::f_to_f, v);
  } else if constexpr (std::is_floating_point_v<To>) {
    static_assert(std::is_same_v<From, std::int32_t>, "no other integer is converted by the instruction sets");
    return inner::recorded_as<Target>(inner::Primitive::s_to_f, v);
  } else if constexpr (std::is_floating_point_v<From>) {
    static_assert(std::is_signed_v<To>);
    return inner::recorded_as<Target>(inner::Primitive::f_to_s, v);
  } else if constexpr (sizeof(To) < sizeof(From)) {
    return inner::recorded_as<Target>(inner::Primitive::truncate, v);
  } else if constexpr (sizeof(To) > sizeof(From)) {
    return inner::recorded_as<Target>(std::is_signed_v<From> ? inner::Primitive::extend_s : inner::Primitive::extend_u, v);
  } else {
    return bits_as<To>(v);
  }
}

template <class T, int N>
Vec<T, N> square_root(const Vec<T, N>& v) {
  return inner::recorded_as<Vec<T, N>>(inner::Primitive::sqrt, v);
}

/// Where v is NaN, the number.
template <class T, int N>
Vec<T, N> number_or(const Vec<T, N>& v, std::type_identity_t<T> number) {
  return select(v != v, Vec<T, N>(number), v);
}

}  // namespace UNSHADE_ISA
}  // namespace unshade::ir::numeric

#endif  // UNSHADE_RECORDED

// How values of the IR's types stand in lanes.
#pragma once

#include <cstdint>

#include <unshade/ir/numeric/lanes.hpp>
#include <unshade/ir/types.hpp>

namespace unshade::ir::numeric {
inline namespace UNSHADE_ISA {

namespace inner {
template <Type T>
struct ElementOf {
  using type = std::uint32_t;
};
template <>
struct ElementOf<Type::i64> {
  using type = std::uint64_t;
};
template <>
struct ElementOf<Type::f16> {
  using type = float;
};
template <>
struct ElementOf<Type::f24> {
  using type = float;
};
template <>
struct ElementOf<Type::f32> {
  using type = float;
};
template <>
struct ElementOf<Type::f64> {
  using type = double;
};
template <Type T>
inline constexpr unsigned kBits = T == Type::i8                      ? 8
                                  : T == Type::i16 || T == Type::f16 ? 16
                                  : T == Type::f24                   ? 24
                                  : T == Type::i64 || T == Type::f64 ? 64
                                  : T == Type::b1                    ? 1
                                                                     : 32;
}  // namespace inner

/// What holds a value of type T in a lane: std::uint32_t of b1 (0 or all ones), i8, i16 (both sign-extended) and i32, std::uint64_t of i64,
/// float of f16, f24 and f32, double of f64.
template <Type T>
using Element = typename inner::ElementOf<T>::type;
template <Type T, int N>
using Value = Vec<Element<T>, N>;

/// Results of operations with several.
template <class A, class B>
struct Two {
  A first;
  B second;
};
template <class A>
struct Four {
  A values[4];
};

namespace inner {

/// Signed or unsigned value of the low bits of an integer of type T.
template <Type T, int N>
UNSHADE_LANES U32<N> sign_extended(const U32<N>& v) {
  if constexpr (kBits<T> < 32) {
    return as_unsigned(as_signed(v << (32 - kBits<T>)) >> static_cast<std::int32_t>(32 - kBits<T>));
  } else {
    return v;
  }
}
template <Type T, int N>
UNSHADE_LANES U64<N> sign_extended(const U64<N>& v) {
  return v;
}
template <Type T, class V>
UNSHADE_LANES V zero_extended(const V& v) {
  if constexpr (kBits<T> < 32) {
    return v & ((1U << kBits<T>)-1);
  } else {
    return v;
  }
}

}  // namespace inner
}  // namespace UNSHADE_ISA
}  // namespace unshade::ir::numeric

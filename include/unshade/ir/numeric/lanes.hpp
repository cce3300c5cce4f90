// Lanes: the values that the numeric rules compute with. A Vec<T, N> is one value of each of N lanes; folding of constants has N = 1,
// kernels of the interpreter have 16. All instruction sets give the same bits. Files compiled with UNSHADE_RECORDED have lanes that do not
// compute, but record what would.
//
// What includes these headers must be compiled with -ffp-contract=off, and without -ffast-math.
#pragma once

#include <cstdint>
#include <type_traits>

#include <unshade/ir/numeric/isa.hpp>
#if defined(UNSHADE_RECORDED)
#include <unshade/ir/numeric/recorded_lanes.hpp>
#else
#include <unshade/ir/numeric/vectors.hpp>
#endif

namespace unshade::ir::numeric {
inline namespace UNSHADE_ISA {

template <class T, int N>
UNSHADE_LANES UnsignedOf<Vec<T, N>> bits(const Vec<T, N>& v) {
  return bits_as<typename UnsignedOf<Vec<T, N>>::Element>(v);
}
template <class T, int N>
UNSHADE_LANES SignedOf<Vec<T, N>> as_signed(const Vec<T, N>& v) {
  return bits_as<typename SignedOf<Vec<T, N>>::Element>(v);
}
template <class T, int N>
UNSHADE_LANES UnsignedOf<Vec<T, N>> as_unsigned(const Vec<T, N>& v) {
  return bits(v);
}
template <int N>
UNSHADE_LANES F32<N> as_float(const U32<N>& v) {
  return bits_as<float>(v);
}
template <int N>
UNSHADE_LANES F64<N> as_float(const U64<N>& v) {
  return bits_as<double>(v);
}

template <class T, int N>
UNSHADE_LANES Vec<T, N> select(const UnsignedOf<Vec<T, N>>& mask, std::type_identity_t<T> yes, const Vec<T, N>& no) {
  return select(mask, Vec<T, N>(yes), no);
}
template <class T, int N>
UNSHADE_LANES Vec<T, N> select(const UnsignedOf<Vec<T, N>>& mask, const Vec<T, N>& yes, std::type_identity_t<T> no) {
  return select(mask, yes, Vec<T, N>(no));
}
/// Exact. Not all instruction sets convert unsigned integers.
template <int N>
UNSHADE_LANES F64<N> unsigned_to_double(const U32<N>& v) {
  return convert<double>(as_signed(v ^ 0x8000'0000)) + 2147483648.0;
}
/// Toward zero, of values above -1 and below 2^32.
template <int N>
UNSHADE_LANES U32<N> double_to_unsigned(const F64<N>& v) {
  const U64<N> large = v >= 2147483648.0;
  const F64<N> rest = v - select(large, 2147483648.0, F64<N>(0.0));
  return as_unsigned(convert<std::int32_t>(rest)) ^ (convert<std::uint32_t>(large) << 31);
}

/// A mask for lanes of another size.
template <class To, int N>
UNSHADE_LANES Vec<To, N> mask_as(const U32<N>& mask) {
  if constexpr (sizeof(To) == 4) {
    return bits_as<To>(mask);
  } else {
    return bits_as<To>(convert<std::int64_t>(as_signed(mask)));
  }
}
template <class To, int N>
UNSHADE_LANES Vec<To, N> mask_as(const U64<N>& mask) {
  if constexpr (sizeof(To) == 8) {
    return bits_as<To>(mask);
  } else {
    return bits_as<To>(convert<std::uint32_t>(mask));
  }
}

}  // namespace UNSHADE_ISA
}  // namespace unshade::ir::numeric

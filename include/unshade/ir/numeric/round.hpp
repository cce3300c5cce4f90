// What the rules of floating point share: rounding to the formats of the IR, sums with what they lose, and denormals.
//
// A program that flushes denormals of f32 runs with FTZ and DAZ set in MXCSR, so that arithmetic and conversions do it by themselves. The
// rules do the rest: `flushed` zeroes what compares as zero, which is a denormal only under DAZ. Rules of f64, which preserve denormals,
// run with both cleared. FTZ decides after rounding to 24 bits: a result just below 2^-126 that f32 rounds up to it is flushed if 24 bits
// of any exponent would hold it below.
//
// If the processor has no such mode, files compiled with UNSHADE_FLUSH_DENORMALS have rules that flush, with the same bits.
#pragma once

#include <cstdint>
#include <limits>

#include <unshade/core/bits/half.hpp>
#include <unshade/ir/extra.hpp>
#include <unshade/ir/numeric/lanes.hpp>
#include <unshade/ir/numeric/value.hpp>
#include <unshade/ir/types.hpp>

namespace unshade::ir::numeric {
inline namespace UNSHADE_ISA {

/// Of f24, if a module does not say: guess: citra PR 7372.
inline constexpr Rounding kRoundingOfF24 = Rounding::toward_zero;

namespace inner {

template <class Number>
inline constexpr Number kInfinity = std::numeric_limits<Number>::infinity();
template <class Number>
inline constexpr Number kNotANumber = std::numeric_limits<Number>::quiet_NaN();
template <class Number>
inline constexpr Number kSmallestNormal = std::numeric_limits<Number>::min();

template <class V>
inline constexpr typename UnsignedOf<V>::Element kSign = ~(~typename UnsignedOf<V>::Element{0} >> 1);

template <class V>
UNSHADE_LANES V magnitude(const V& v) {
  return as_float(bits(v) & ~kSign<V>);
}
template <class V>
UNSHADE_LANES V with_sign_of(const V& sign, const V& v) {
  return as_float((bits(v) & ~kSign<V>) | (bits(sign) & kSign<V>));
}
template <class V>
UNSHADE_LANES UnsignedOf<V> is_nan(const V& v) {
  return v != v;
}
#if defined(UNSHADE_FLUSH_DENORMALS)
inline constexpr bool kFlushes = true;
#else
inline constexpr bool kFlushes = false;
#endif
/// From here on a magnitude rounds to 2^-126 or more in 24 bits.
inline constexpr double kLeastNotFlushed = 0x1.ffffffp-127;

/// Without what the program flushes, keeping its sign.
template <class V>
UNSHADE_LANES V flushed(const V& v) {
  using Number = typename V::Element;
  if constexpr (kFlushes && sizeof(Number) == 4) {
    return select(magnitude(v) < kSmallestNormal<Number>, as_float(bits(v) & kSign<V>), v);
  } else {
    return select(v == 0, as_float(bits(v) & kSign<V>), v);
  }
}
/// The f32 nearest to v.
template <int N>
UNSHADE_LANES F32<N> nearest_float(const F64<N>& v) {
  const F32<N> rounded = convert<float>(v);
  if constexpr (kFlushes) {
    return select(mask_as<std::uint32_t>(magnitude(v) < kLeastNotFlushed), as_float(bits(rounded) & kSign<F32<N>>), rounded);
  } else {
    return rounded;
  }
}

template <int N>
UNSHADE_LANES F64<N> wide(const F32<N>& v) {
  return convert<double>(v);
}
template <int N>
UNSHADE_LANES F64<N> wide(const F64<N>& v) {
  return v;
}

/// The rounded value of an exact one, made the exact one's truncation with its lowest bit set if it is inexact ("round to odd"): rounding
/// it again, to two bits less or fewer still, is as if the exact one had been rounded. `above`: the rounded value's magnitude is too great.
template <class V>
UNSHADE_LANES V odd(const V& rounded, const UnsignedOf<V>& inexact, const UnsignedOf<V>& above) {
  return as_float((bits(rounded) + (inexact & above)) | (inexact & 1));
}
/// a + b, rounded to odd.
template <int N>
UNSHADE_LANES F64<N> odd_sum(const F64<N>& a, const F64<N>& b) {
  const F64<N> sum = a + b;
  const F64<N> b_part = sum - a;
  const F64<N> error = (a - (sum - b_part)) + (b - b_part);
  const U64<N> inexact = (error < 0) | (error > 0);  // not if infinite or NaN
  return odd(sum, inexact, as_unsigned(as_signed(bits(sum) ^ bits(error)) >> std::int64_t{63}));
}
template <int N>
UNSHADE_LANES F32<N> odd_float(const F64<N>& v) {
  const F32<N> rounded = convert<float>(v);
  const F64<N> back = wide(rounded);
  return odd(rounded, mask_as<std::uint32_t>((back < v) | (back > v)), mask_as<std::uint32_t>(magnitude(back) > magnitude(v)));
}
template <int N>
UNSHADE_LANES F32<N> float_toward_zero(const F64<N>& v) {
  const F32<N> rounded = convert<float>(v);
  const F32<N> result = as_float(bits(rounded) + mask_as<std::uint32_t>(magnitude(wide(rounded)) > magnitude(v)));
  if constexpr (kFlushes) return flushed(result);
  // as `flushed`, but clang takes a comparison of such bits with 0 for one of integers
  return select(result * 2 == 0, as_float(bits(result) & kSign<F32<N>>), result);
}

/// To f16, whose subnormals are multiples of 2^-24.
template <Rounding R, int N>
UNSHADE_LANES F32<N> rounded_f16(const F32<N>& v) {
  const F32<N> size = magnitude(v);
  if constexpr (R == Rounding::nearest_even) {
    const F32<N> subnormal = (size + 0.5F) - 0.5F;
    const U32<N> word = bits(size);
    F32<N> normal = as_float((word + 0xfff + (word >> 13 & 1)) & ~0x1fffU);
    normal = select(size >= 65520.0F, kInfinity<float>, normal);
    return with_sign_of(v, select(size < 0x1p-14F, subnormal, select(is_nan(v), v, normal)));
  } else {
    const F32<N> subnormal = convert<float>(convert<std::int32_t>(select(size < 0x1p-14F, size, 0.0F) * 0x1p24F)) * 0x1p-24F;
    F32<N> normal = as_float(bits(size) & ~0x1fffU);
    normal = select((size >= 65536.0F) & (size < kInfinity<float>), static_cast<float>(kGreatestHalf), normal);
    return with_sign_of(v, select(size < 0x1p-14F, subnormal, select(is_nan(v), v, normal)));
  }
}

/// To f24 of what is exact or rounded to odd: 16 bits of mantissa. Below its smallest normal number +0; from 2^64 on infinite (guess).
template <Rounding R, int N>
UNSHADE_LANES F32<N> rounded_f24(const F64<N>& v) {
  constexpr unsigned kDropped = 52 - 16;
  constexpr std::uint64_t kMask = (std::uint64_t{1} << kDropped) - 1;
  U64<N> word = bits(v);
  if constexpr (R == Rounding::nearest_even) word = word + (word >> kDropped & 1) + (kMask >> 1);
  F64<N> result = as_float(word & ~kMask);
  result = select(magnitude(result) >= 0x1p64, with_sign_of(v, F64<N>(kInfinity<double>)), result);
  result = select(magnitude(result) < 0x1p-62, 0.0, result);
  return convert<float>(select(is_nan(v), v, result));
}

/// Operands of arithmetic: of f24 without denormals and -0, of f32 without denormals if the rules flush them.
template <Type T, class V>
UNSHADE_LANES V operand(const V& v) {
  if constexpr (T == Type::f24) {
    return select(magnitude(v) < 0x1p-62F, 0.0F, v);
  } else if constexpr (T == Type::f32 && kFlushes) {
    return flushed(v);
  } else {
    return v;
  }
}
/// The value of type T nearest to one that is exact, or rounded to odd, or of f32 itself.
template <Type T, Rounding R, int N>
UNSHADE_LANES F32<N> rounded(const F32<N>& v) {
  static_assert(T == Type::f16 || T == Type::f24 || T == Type::f32);
  if constexpr (T == Type::f16) {
    return rounded_f16<Rounding::nearest_even>(v);
  } else if constexpr (T == Type::f24) {
    return rounded_f24<R>(wide(v));
  } else {
    return v;
  }
}
template <Type T, Rounding R, int N>
UNSHADE_LANES auto rounded(const F64<N>& v) {
  if constexpr (T == Type::f64) {
    return v;
  } else if constexpr (T == Type::f32) {
    return nearest_float(v);
  } else if constexpr (T == Type::f24) {
    return rounded_f24<R>(v);
  } else {
    return rounded_f16<Rounding::nearest_even>(odd_float(v));
  }
}

}  // namespace inner
}  // namespace UNSHADE_ISA
}  // namespace unshade::ir::numeric

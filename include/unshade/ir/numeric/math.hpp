// Transcendental functions, named as in ops.def. All compute in f64 and round once, by polynomials of our own, so that each instruction set
// gives the same bits. docs/internals/numeric.md has the bounds of their errors.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include <unshade/ir/extra.hpp>
#include <unshade/ir/numeric/coefficients.hpp>
#include <unshade/ir/numeric/lanes.hpp>
#include <unshade/ir/numeric/out_of_line.hpp>
#include <unshade/ir/numeric/round.hpp>
#include <unshade/ir/numeric/value.hpp>
#include <unshade/ir/types.hpp>

namespace unshade::ir::numeric {
inline namespace UNSHADE_ISA {
namespace inner {

/// Polynomials that results of type T need: Single or Twice.
template <Type T>
using Precision = std::conditional_t<T == Type::f64, Twice, Single>;

/// The polynomial's value, from the highest coefficient down.
template <std::size_t Terms, int N>
UNSHADE_LANES F64<N> polynomial(const double (&coefficients)[Terms], const F64<N>& x) {
  F64<N> sum = coefficients[0];
  for (std::size_t i = 1; i < Terms; ++i) sum = sum * x + coefficients[i];
  return sum;
}
/// a * (1 + correction); of results of f64 with less rounding, but +0 of -0.
template <class P, int N>
UNSHADE_LANES F64<N> corrected(const F64<N>& a, const F64<N>& correction) {
  if constexpr (std::is_same_v<P, Twice>) {
    return a + a * correction;
  } else {
    return a * (correction + 1.0);
  }
}

inline constexpr double kMagic = 0x1.8p52;  // added to a number below 2^51, its lowest bits are those of the nearest integer

template <int N>
UNSHADE_LANES F64<N> clamped(const F64<N>& v, double limit) {
  const F64<N> low = select(v < -limit, -limit, v);
  return select(low > limit, limit, low);
}

/// 2^(fraction + integer): fraction within 1/2, integer as the sum with kMagic.
template <class P, int N>
UNSHADE_LANES F64<N> exp2_of(const F64<N>& fraction, const F64<N>& magic, int offset = 0) {
  const F64<N> value = polynomial(P::kExp2, fraction) * fraction + 1.0;
  const U64<N> exponent = bits(magic) + static_cast<std::uint64_t>(offset);
  if constexpr (std::is_same_v<P, Twice>) {
    // In two steps: the scale itself may be out of range.
    const U64<N> half = as_unsigned(as_signed(exponent << 40) >> std::int64_t{41});
    const U64<N> rest = as_unsigned(as_signed(exponent << 40) >> std::int64_t{40}) - half;
    return value * as_float((half + 1023) << 52) * as_float((rest + 1023) << 52);
  } else {
    return value * as_float((exponent + 1023) << 52);
  }
}
template <class P, int N>
UNSHADE_LANES F64<N> exp2(const F64<N>& v) {
  const F64<N> x = clamped(v, std::is_same_v<P, Twice> ? 1100.0 : 400.0);
  const F64<N> magic = x + kMagic;
  return exp2_of<P>(x - (magic - kMagic), magic);
}
/// From here on e^x is infinite as a result; 2^(1.5 x) is still a scale that exp2_of can make.
template <class P>
inline constexpr double kExpLimit = std::is_same_v<P, Twice> ? 800 : 400;
/// e^v * 2^offset.
template <class P, int N>
UNSHADE_LANES F64<N> exp(const F64<N>& v, int offset) {
  const F64<N> magic = v * kLog2OfE + kMagic;
  const F64<N> integer = magic - kMagic;
  return exp2_of<P>(((v - integer * kLn2High) - integer * kLn2Low) * kLog2OfE, magic, offset);
}

template <class P, int N>
UNSHADE_LANES F64<N> log2(const F64<N>& v) {
  constexpr std::uint64_t kRootOfHalf = 0x3fe6'a09e'667f'3bcd;
  U64<N> word = bits(v);
  F64<N> unscaled = 0.0;
  if constexpr (std::is_same_v<P, Twice>) {
    const U64<N> tiny = v < kSmallestNormal<double>;
    word = bits(select(tiny, v * 0x1p54, v));
    unscaled = select(tiny, 54.0, F64<N>(0.0));
  }
  // v = m * 2^exponent, m from sqrt(1/2) to sqrt(2).
  const U64<N> above = word - kRootOfHalf;
  const F64<N> exponent = (as_float((above >> 52 ^ 0x800) | 0x4330'0000'0000'0000) - (0x1p52 + 0x800)) - unscaled;
  const F64<N> m = as_float(word - (above & 0xfff0'0000'0000'0000));
  const F64<N> s = (m - 1.0) / (m + 1.0);
  const F64<N> result = exponent + s * polynomial(P::kLog2, s * s);
  const F64<N> special = select(v == 0, -kInfinity<double>, select(v < 0, kNotANumber<double>, v));
  return select((v > 0) & (v < kInfinity<double>), result, special);
}

/// An angle as a multiple of pi/2 and a rest of magnitude pi/4 at most.
struct Angle {
  double rest;
  std::uint64_t quadrant;  // only the two lowest bits count
};
/// Of all numbers from 2^20 on, exactly: from the bits of 2/pi that matter. Smaller ones are right too.
inline Angle large_angle(double v) {
  std::uint64_t word;
  std::memcpy(&word, &v, sizeof word);
  const int biased = static_cast<int>(word >> 52 & 0x7ff);
  if (biased == 0x7ff) return {kNotANumber<double>, 0};
  const int exponent = biased - 1075;  // |v| = mantissa * 2^exponent
  const std::uint64_t mantissa = (word & 0xf'ffff'ffff'ffff) | 0x10'0000'0000'0000;
  // Bits of 2/pi that make multiples of 4 are left out. Seven words are enough: no double is nearer than 2^-62 to a multiple of pi/2.
  const int first = exponent < 2 ? 0 : (exponent - 2) / 32;
  std::uint32_t product[12] = {};  // from the lowest word up
  for (int half = 0; half < 2; ++half) {
    const std::uint64_t factor = mantissa >> (32 * half) & 0xffff'ffff;
    std::uint64_t carry = 0;
    for (int i = 0; i < 7; ++i) {
      const std::uint64_t sum = factor * kTwoByPiBits[first + 6 - i] + product[i + half] + carry;
      product[i + half] = static_cast<std::uint32_t>(sum);
      carry = sum >> 32;
    }
    product[7 + half] = static_cast<std::uint32_t>(carry);
  }
  const int point = 32 * (first + 7) - exponent;  // bits after the point
  const auto bits_from = [&](int at) {
    const int i = at / 32;
    const int shift = at % 32;
    const std::uint64_t low = product[i] | static_cast<std::uint64_t>(product[i + 1]) << 32;
    return shift == 0 ? low : low >> shift | static_cast<std::uint64_t>(product[i + 2]) << (64 - shift);
  };
  const std::uint64_t high = bits_from(point - 64);
  const std::uint64_t quadrant = bits_from(point) + (high >> 63);
  const double rest =
      static_cast<double>(static_cast<std::int64_t>(high)) * 0x1p-64 + static_cast<double>(bits_from(point - 128)) * 0x1p-128;
  const double angle = rest * (kPi / 2);
  return word >> 63 != 0 ? Angle{-angle, 0 - quadrant} : Angle{angle, quadrant};
}

struct LargeAngle {
  static constexpr Function kFunction = Function::large_angle;
  Angle operator()(double v) const { return large_angle(v); }
};

template <int N>
struct Angles {
  F64<N> rest;
  U64<N> quadrant;
};
template <class P, int N>
UNSHADE_LANES Angles<N> reduced(const F64<N>& v) {
  const F64<N> magic = v * kTwoByPi + kMagic;
  const F64<N> count = magic - kMagic;
  Angles<N> result{((v - count * kHalfPi1) - count * kHalfPi2) - count * kHalfPi3, bits(magic)};
  U64<N> large = magnitude(v) >= 0x1p20;
  if constexpr (std::is_same_v<P, Twice>) large = large | ((magnitude(result.rest) < 0x1p-30) & (count != 0));
  out_of_line_where(large, result.rest, result.quadrant, LargeAngle(), v);
  return result;
}

template <int N>
struct SinCos {
  F64<N> sin, cos;
};
/// Of an angle within pi/4.
template <class P, int N>
UNSHADE_LANES SinCos<N> sin_cos_of(const F64<N>& rest) {
  const F64<N> square = rest * rest;
  return {corrected<P>(rest, square * polynomial(P::kSin, square)), square * polynomial(P::kCos, square) + 1.0};
}
/// sin(v + offset * pi/2).
template <class P, int N>
UNSHADE_LANES F64<N> sine(const F64<N>& v, unsigned offset) {
  const Angles<N> angle = reduced<P>(v);
  const SinCos<N> both = sin_cos_of<P>(angle.rest);
  const U64<N> quadrant = angle.quadrant + offset;
  const F64<N> result = select(U64<N>(0) - (quadrant & 1), both.cos, both.sin);
  return as_float(bits(result) ^ (quadrant & 2) << 62);
}
template <class P, int N>
UNSHADE_LANES F64<N> tangent(const F64<N>& v) {
  const Angles<N> angle = reduced<P>(v);
  const SinCos<N> both = sin_cos_of<P>(angle.rest);
  const U64<N> odd_quadrant = U64<N>(0) - (angle.quadrant & 1);
  const F64<N> result = select(odd_quadrant, both.cos, both.sin) / select(odd_quadrant, both.sin, both.cos);
  return as_float(bits(result) ^ (odd_quadrant & kSign<F64<N>>));
}

/// A multiple of pi/2 and a small number, which f64 adds to the part of that multiple below its own precision.
template <class P, int N>
UNSHADE_LANES F64<N> from_half_pi(double halves, const F64<N>& v) {
  if constexpr (std::is_same_v<P, Twice>) {
    return (v + halves * (kPiLow / 2)) + halves * (kPi / 2);
  } else {
    return v + halves * (kPi / 2);
  }
}
/// asin(sqrt(square)), root = sqrt(square) up to 1/2.
template <class P, int N>
UNSHADE_LANES F64<N> asin_of(const F64<N>& root, const F64<N>& square) {
  return corrected<P>(root, square * polynomial(P::kAsin, square));
}
template <class P, int N>
UNSHADE_LANES F64<N> arc_sine(const F64<N>& v) {
  const F64<N> size = magnitude(v);
  const U64<N> large = ~(size <= 0.5);
  const F64<N> square = select(large, (F64<N>(1.0) - size) * 0.5, size * size);
  const F64<N> arc = asin_of<P>(select(large, square_root(square), size), square);
  return with_sign_of(v, select(large, from_half_pi<P>(1, arc * -2.0), arc));
}
template <class P, int N>
UNSHADE_LANES F64<N> arc_cosine(const F64<N>& v) {
  const F64<N> size = magnitude(v);
  const U64<N> large = ~(size <= 0.5);
  const F64<N> square = select(large, (F64<N>(1.0) - size) * 0.5, size * size);
  const F64<N> arc = asin_of<P>(select(large, square_root(square), size), square);
  const F64<N> twice = arc * 2.0;
  const F64<N> of_large = select(v < 0, from_half_pi<P>(2, -twice), twice);
  return select(large, of_large, from_half_pi<P>(1, -with_sign_of(v, arc)));
}
/// Of y / x for x and y of sign 0: from 0 to pi/2.
template <class P, int N>
UNSHADE_LANES F64<N> arc_tangent(const F64<N>& y, const F64<N>& x) {
  const U64<N> small = y <= x * kTanPi8;
  const U64<N> middle = ~small & (y <= x * kTan3Pi8);
  const F64<N> above = select(small, y, select(middle, y - x, -x));
  const F64<N> below = select(small, x, select(middle, x + y, y));
  const F64<N> ratio = above / below;
  const F64<N> square = ratio * ratio;
  const F64<N> arc = corrected<P>(ratio, square * polynomial(P::kAtan, square));
  return select(small, arc, select(middle, from_half_pi<P>(0.5, arc), from_half_pi<P>(1, arc)));
}
/// As C's atan2.
template <class P, int N>
UNSHADE_LANES F64<N> arc_tangent2(const F64<N>& y, const F64<N>& x) {
  F64<N> over = magnitude(y);
  F64<N> under = magnitude(x);
  under = select((over == 0) & (under == 0), 1.0, under);
  const U64<N> infinite = (over == kInfinity<double>)&(under == over);
  over = select(infinite, 1.0, over);
  under = select(infinite, 1.0, under);
  const F64<N> arc = arc_tangent<P>(over, under);
  const U64<N> left = as_unsigned(as_signed(bits(x)) >> std::int64_t{63});
  return with_sign_of(y, select(left, from_half_pi<P>(2, -arc), arc));
}

/// Of |v| below 1.
template <class P, int N>
UNSHADE_LANES F64<N> small_sinh(const F64<N>& v) {
  const F64<N> square = v * v;
  return corrected<P>(v, square * polynomial(P::kSinh, square));
}
template <class P, int N>
UNSHADE_LANES F64<N> hyperbolic_sine(const F64<N>& v) {
  const F64<N> size = magnitude(v);
  const U64<N> large = size >= 1;
  const F64<N> half = exp<P>(clamped(size, kExpLimit<P>), -1);
  return with_sign_of(v, select(large, half - F64<N>(0.25) / half, small_sinh<P>(select(large, 0.0, size))));
}
template <class P, int N>
UNSHADE_LANES F64<N> hyperbolic_cosine(const F64<N>& v) {
  const F64<N> half = exp<P>(clamped(magnitude(v), kExpLimit<P>), -1);
  return half + F64<N>(0.25) / half;
}
template <class P, int N>
UNSHADE_LANES F64<N> hyperbolic_tangent(const F64<N>& v) {
  const F64<N> size = clamped(magnitude(v), 40);
  const U64<N> large = size >= 1;
  const F64<N> sinh = small_sinh<P>(select(large, 0.0, size));
  const F64<N> above = select(large, -2.0, sinh);
  const F64<N> below = select(large, exp<P>(size + size, 0) + 1.0, square_root(sinh * sinh + 1.0));
  const F64<N> ratio = above / below;
  return with_sign_of(v, select(large, ratio + 1.0, ratio));
}

}  // namespace inner

#define UNSHADE_FUNCTION(op, function)                    \
  template <Type T, Rounding R = kRoundingOfF24, class V> \
  UNSHADE_LANES V op(const V& a) {                        \
    using P = inner::Precision<T>;                        \
    const auto x = inner::wide(inner::operand<T>(a));     \
    return inner::rounded<T, R>(function);                \
  }
UNSHADE_FUNCTION(fexp2, inner::exp2<P>(x))
UNSHADE_FUNCTION(flog2, inner::log2<P>(x))
UNSHADE_FUNCTION(fsin, inner::sine<P>(x, 0))
UNSHADE_FUNCTION(fcos, inner::sine<P>(x, 1))
UNSHADE_FUNCTION(ftan, inner::tangent<P>(x))
UNSHADE_FUNCTION(fasin, inner::arc_sine<P>(x))
UNSHADE_FUNCTION(facos, inner::arc_cosine<P>(x))
UNSHADE_FUNCTION(fatan, inner::with_sign_of(x, inner::arc_tangent<P>(inner::magnitude(x), decltype(x)(1.0))))
UNSHADE_FUNCTION(fsinh, inner::hyperbolic_sine<P>(x))
UNSHADE_FUNCTION(fcosh, inner::hyperbolic_cosine<P>(x))
UNSHADE_FUNCTION(ftanh, inner::hyperbolic_tangent<P>(x))
#undef UNSHADE_FUNCTION

template <Type T, Rounding R = kRoundingOfF24, class V>
UNSHADE_LANES V fatan2(const V& y, const V& x) {
  using P = inner::Precision<T>;
  return inner::rounded<T, R>(inner::arc_tangent2<P>(inner::wide(inner::operand<T>(y)), inner::wide(inner::operand<T>(x))));
}
/// exp2(y * log2(x)), rounded once: NaN if x is negative, and of 0 to the 0.
template <Type T, Rounding R = kRoundingOfF24, class V>
UNSHADE_LANES V fpow(const V& x, const V& y) {
  using P = inner::Precision<T>;
  const auto power = inner::wide(inner::operand<T>(y)) * inner::log2<inner::Twice>(inner::wide(inner::operand<T>(x)));
  return inner::rounded<T, R>(inner::exp2<P>(power));
}

}  // namespace UNSHADE_ISA
}  // namespace unshade::ir::numeric

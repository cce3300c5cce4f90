// Operations on floating point but transcendental functions, named as in ops.def: OP<type>(operands...), and OP<Type::f24, rounding>(...).
// f16 computes in f32 and rounds, which is as good as once for all but ffma: 24 bits are twice 11 and two more. f24 computes in f64.
#pragma once

#include <cstdint>
#include <limits>

#include <unshade/ir/extra.hpp>
#include <unshade/ir/numeric/fused.hpp>
#include <unshade/ir/numeric/integer.hpp>
#include <unshade/ir/numeric/lanes.hpp>
#include <unshade/ir/numeric/out_of_line.hpp>
#include <unshade/ir/numeric/round.hpp>
#include <unshade/ir/numeric/value.hpp>
#include <unshade/ir/types.hpp>

namespace unshade::ir::numeric {
inline namespace UNSHADE_ISA {

// --- sign and choice ---

template <Type T, class V>
UNSHADE_LANES V fneg(const V& a) {
  return as_float(bits(a) ^ inner::kSign<V>);
}
template <Type T, class V>
UNSHADE_LANES V fabs(const V& a) {
  return inner::magnitude(a);
}
/// max(0, a), then min(1, .): NaN and -0 give +0. Needs no `flushed`: what compares as zero is not above it.
template <Type T, class V>
UNSHADE_LANES V fsat(const V& a) {
  const V x = inner::operand<T>(a);
  const V positive = select(x > 0, x, 0);
  return select(positive < 1, positive, 1);
}
/// The number if one is NaN. f24: as the hardware of PICA200, which gives the second then.
template <Type T, class V>
UNSHADE_LANES V fmin(const V& a, const V& b) {
  if constexpr (T == Type::f24) {
    return select(a < b, a, b);
  } else {
    const V x = inner::operand<T>(a);
    const V y = inner::operand<T>(b);
    return inner::flushed(select((x < y) | inner::is_nan(y), x, y));
  }
}
template <Type T, class V>
UNSHADE_LANES V fmax(const V& a, const V& b) {
  if constexpr (T == Type::f24) {
    return select(a > b, a, b);
  } else {
    const V x = inner::operand<T>(a);
    const V y = inner::operand<T>(b);
    return inner::flushed(select((x >= y) | inner::is_nan(y), x, y));
  }
}
template <Type T, class V>
UNSHADE_LANES V select(const U32<V::kLanes>& condition, const V& a, const V& b) {
  return select(mask_as<typename UnsignedOf<V>::Element>(condition), a, b);
}

// --- comparisons ---

namespace inner {

/// Operands of comparisons: PICA200 flushes those of arithmetic only.
template <Type T, class V>
UNSHADE_LANES V compared(const V& v) {
  if constexpr (T == Type::f24) {
    return v;
  } else {
    return operand<T>(v);
  }
}

}  // namespace inner

template <Type T, class V>
UNSHADE_LANES U32<V::kLanes> feq(const V& a, const V& b) {
  return mask_as<std::uint32_t>(inner::compared<T>(a) == inner::compared<T>(b));
}
template <Type T, class V>
UNSHADE_LANES U32<V::kLanes> fne(const V& a, const V& b) {
  return mask_as<std::uint32_t>(inner::compared<T>(a) != inner::compared<T>(b));
}
template <Type T, class V>
UNSHADE_LANES U32<V::kLanes> flt(const V& a, const V& b) {
  return mask_as<std::uint32_t>(inner::compared<T>(a) < inner::compared<T>(b));
}
template <Type T, class V>
UNSHADE_LANES U32<V::kLanes> fle(const V& a, const V& b) {
  return mask_as<std::uint32_t>(inner::compared<T>(a) <= inner::compared<T>(b));
}
template <Type T, class V>
UNSHADE_LANES U32<V::kLanes> funord(const V& a, const V& b) {
  return mask_as<std::uint32_t>(inner::is_nan(a) | inner::is_nan(b));
}
/// Whether the class is one of the set, FloatClass joined by |. Looks at bits: a denormal is one if programs flush it, too.
template <Type T, class V>
UNSHADE_LANES U32<V::kLanes> fclass(const V& a, std::uint32_t set) {
  using Word = typename UnsignedOf<V>::Element;
  constexpr Word kInfinity = T == Type::f64 ? static_cast<Word>(0x7ff0'0000'0000'0000) : static_cast<Word>(0x7f80'0000);
  constexpr Word kSmallest = T == Type::f16   ? static_cast<Word>(0x3880'0000)  // 2^-14
                             : T == Type::f24 ? static_cast<Word>(0x2080'0000)  // 2^-62
                             : T == Type::f32 ? static_cast<Word>(0x0080'0000)
                                              : static_cast<Word>(0x0010'0000'0000'0000);
  const UnsignedOf<V> word = bits(a) & ~inner::kSign<V>;
  const auto asked = [set](FloatClass which) { return (set & which) != 0 ? ~Word{0} : Word{0}; };
  const UnsignedOf<V> zero = word == 0;
  const UnsignedOf<V> small = word < kSmallest;
  const UnsignedOf<V> infinite = word == kInfinity;
  const UnsignedOf<V> nan = word > kInfinity;
  return mask_as<std::uint32_t>((nan & asked(kNan)) | (infinite & asked(kInfinite)) | (zero & asked(kZero)) |
                                (small & ~zero & asked(kSubnormal)) | (~(small | infinite | nan) & asked(kNormal)));
}

// --- arithmetic ---

template <Type T, Rounding R = kRoundingOfF24, class V>
UNSHADE_LANES V fadd(const V& a, const V& b) {
  if constexpr (T == Type::f24) {
    return inner::rounded_f24<R>(inner::odd_sum(inner::wide(inner::operand<T>(a)), inner::wide(inner::operand<T>(b))));
  } else if constexpr (T == Type::f16) {
    return inner::rounded<T, R>(a + b);
  } else if constexpr (inner::kFlushes && T == Type::f32) {
    return inner::flushed(inner::operand<T>(a) + inner::operand<T>(b));  // sums that small are exact
  } else {
    return a + b;
  }
}
template <Type T, Rounding R = kRoundingOfF24, class V>
UNSHADE_LANES V fsub(const V& a, const V& b) {
  return fadd<T, R>(a, fneg<T>(b));
}
template <Type T, Rounding R = kRoundingOfF24, class V>
UNSHADE_LANES V fmul(const V& a, const V& b) {
  if constexpr (T == Type::f24) {
    return inner::rounded_f24<R>(inner::wide(inner::operand<T>(a)) * inner::wide(inner::operand<T>(b)));
  } else if constexpr (T == Type::f16) {
    return inner::rounded<T, R>(a * b);
  } else if constexpr (inner::kFlushes && T == Type::f32) {
    return inner::nearest_float(inner::wide(inner::operand<T>(a)) * inner::wide(inner::operand<T>(b)));
  } else {
    return a * b;
  }
}
/// 0 * (number or infinity) = +0.
template <Type T, Rounding R = kRoundingOfF24, class V>
UNSHADE_LANES V fmul_zero(const V& a, const V& b) {
  const V x = inner::operand<T>(a);
  const V y = inner::operand<T>(b);
  return select(((x == 0) & (y == y)) | ((y == 0) & (x == x)), 0, fmul<T, R>(x, y));
}
template <Type T, Rounding R = kRoundingOfF24, class V>
UNSHADE_LANES V fmad_zero(const V& a, const V& b, const V& c) {
  return fadd<T, R>(fmul_zero<T, R>(a, b), c);
}
template <Type T, Rounding R = kRoundingOfF24, class V>
UNSHADE_LANES V fdiv(const V& a, const V& b) {
  if constexpr (T == Type::f24) {
    return inner::rounded_f24<R>(inner::wide(inner::operand<T>(a)) / inner::wide(inner::operand<T>(b)));
  } else if constexpr (T == Type::f16) {
    return inner::rounded<T, R>(a / b);
  } else if constexpr (inner::kFlushes && T == Type::f32) {
    return inner::nearest_float(inner::wide(inner::operand<T>(a)) / inner::wide(inner::operand<T>(b)));
  } else {
    return a / b;
  }
}
/// Rounded twice; fused programs have ffma.
template <Type T, Rounding R = kRoundingOfF24, class V>
UNSHADE_LANES V fmad(const V& a, const V& b, const V& c) {
  return fadd<T, R>(fmul<T, R>(a, b), c);
}
template <Type T, Rounding R = kRoundingOfF24, class V>
UNSHADE_LANES V ffma(const V& a, const V& b, const V& c) {
  if constexpr (T == Type::f64) {
    return inner::fused(a, b, c);
  } else {
    // The product is exact in f64.
    const auto product = inner::wide(inner::operand<T>(a)) * inner::wide(inner::operand<T>(b));
    return inner::rounded<T, R>(inner::odd_sum(product, inner::wide(inner::operand<T>(c))));
  }
}
namespace inner {

template <class Number>
struct Remainder {
  static constexpr Function kFunction = Function::fmod;
  Number operator()(double a, double b) const { return static_cast<Number>(__builtin_fmod(a, b)); }
};

}  // namespace inner

template <Type T, Rounding R = kRoundingOfF24, class V>
UNSHADE_LANES V frem(const V& a, const V& b) {
  using Number = typename V::Element;
  const V x = inner::flushed(inner::operand<T>(a));
  const V y = inner::flushed(inner::operand<T>(b));
  return inner::operand<T>(inner::flushed(inner::out_of_line<V>(inner::Remainder<Number>(), x, y)));
}
template <Type T, Rounding R = kRoundingOfF24, class V>
UNSHADE_LANES V fsqrt(const V& a) {
  if constexpr (T == Type::f24) {
    return inner::rounded_f24<R>(square_root(inner::wide(inner::operand<T>(a))));
  } else if constexpr (T == Type::f16) {
    return inner::rounded<T, R>(square_root(a));
  } else {
    return square_root(inner::operand<T>(a));
  }
}
template <Type T, Rounding R = kRoundingOfF24, class V>
UNSHADE_LANES V frcp(const V& a) {
  return fdiv<T, R>(V(1), a);
}
/// In f64, then rounded.
template <Type T, Rounding R = kRoundingOfF24, class V>
UNSHADE_LANES V frsqrt(const V& a) {
  return inner::rounded<T, R>(F64<V::kLanes>(1.0) / square_root(inner::wide(inner::operand<T>(a))));
}

// --- integral values ---

namespace inner {

/// To nearest even, keeping the sign of zeros.
template <class V>
UNSHADE_LANES V integral(const V& v) {
  using Number = typename V::Element;
  constexpr Number kIntegral = 1 / std::numeric_limits<Number>::epsilon();  // from here on all are
  const V size = magnitude(v);
  return with_sign_of(v, select(size < kIntegral, (size + kIntegral) - kIntegral, size));
}

}  // namespace inner

template <Type T, class V>
UNSHADE_LANES V fround_even(const V& a) {
  const V x = inner::operand<T>(a);
  return inner::operand<T>(inner::integral(x));
}
template <Type T, class V>
UNSHADE_LANES V ffloor(const V& a) {
  const V x = inner::operand<T>(a);
  const V near = inner::integral(x);
  return inner::operand<T>(inner::with_sign_of(x, select(near > x, near - 1, near)));
}
template <Type T, class V>
UNSHADE_LANES V fceil(const V& a) {
  const V x = inner::operand<T>(a);
  const V near = inner::integral(x);
  return inner::operand<T>(inner::with_sign_of(x, select(near < x, near + 1, near)));
}
template <Type T, class V>
UNSHADE_LANES V ftrunc(const V& a) {
  const V x = inner::operand<T>(a);
  const V size = inner::magnitude(x);
  const V near = inner::integral(size);
  return inner::operand<T>(inner::with_sign_of(x, select(near > size, near - 1, near)));
}
/// a - floor(a), below 1 even if that would round to 1. Of zeros +0, of infinity NaN.
template <Type T, Rounding R = kRoundingOfF24, class V>
UNSHADE_LANES V ffract(const V& a) {
  using Number = typename V::Element;
  constexpr Number kBelowOne = T == Type::f16   ? static_cast<Number>(1 - 0x1p-11)
                               : T == Type::f24 ? static_cast<Number>(1 - 0x1p-17)
                                                : 1 - std::numeric_limits<Number>::epsilon() / 2;
  const V rest = fsub<T, R>(a, ffloor<T>(a));
  return select(rest > kBelowOne, kBelowOne, rest);
}

// --- scale ---

namespace inner {

struct Scale {
  static constexpr Function kFunction = Function::ldexp;
  double operator()(double a, std::uint32_t exponent) const { return __builtin_ldexp(a, static_cast<int>(exponent)); }
};

}  // namespace inner

/// a * 2^exponent, rounded once.
template <Type T, Rounding R = kRoundingOfF24, class V, class I>
UNSHADE_LANES V fldexp(const V& a, const I& exponent) {
  if constexpr (T == Type::f64) {
    return inner::out_of_line<V>(inner::Scale(), a, exponent);
  } else {
    const auto limited = imax<Type::i32>(imin<Type::i32>(exponent, I(400)), I(static_cast<std::uint32_t>(-400)));
    const auto scale = as_float(convert<std::uint64_t>(limited + 1023) << 52);
    return inner::rounded<T, R>(inner::wide(inner::operand<T>(a)) * scale);
  }
}
/// Mantissa of magnitude [0.5, 1) and exponent. Of zero, infinity and NaN themselves and 0.
template <Type T, class V>
UNSHADE_LANES Two<V, U32<V::kLanes>> ffrexp(const V& a) {
  constexpr int N = V::kLanes;
  // flushed as such: compilers take a conversion there and back for nothing
  const F64<N> value = inner::wide(inner::flushed(inner::operand<T>(a)));
  const U64<N> tiny = inner::magnitude(value) < inner::kSmallestNormal<double>;
  const U64<N> word = bits(select(tiny, value * 0x1p54, value));
  const U64<N> other = (value == 0) | ((word & 0x7ff0'0000'0000'0000) == 0x7ff0'0000'0000'0000);
  const U64<N> exponent = (word >> 52 & 0x7ff) - 1022 - (tiny & 54);
  const F64<N> mantissa = as_float((word & 0x800f'ffff'ffff'ffff) | 0x3fe0'0000'0000'0000);
  return {convert<typename V::Element>(select(other, value, mantissa)), convert<std::uint32_t>(exponent & ~other)};
}

/// accumulator + a.x * b.x + a.y * b.y, in f32 from left to right; the products of f16 are exact there.
template <Type T, class V>
UNSHADE_LANES V dot2_add(const V& accumulator, const V& a_x, const V& a_y, const V& b_x, const V& b_y) {
  return fadd<T>(fadd<T>(accumulator, a_x * b_x), a_y * b_y);
}

}  // namespace UNSHADE_ISA
}  // namespace unshade::ir::numeric

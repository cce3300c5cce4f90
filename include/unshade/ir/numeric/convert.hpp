// Conversions, named as in ops.def: OP<to, from>(value), and the bits of values in memory.
#pragma once

#include <cstdint>
#include <limits>
#include <type_traits>

#include <unshade/ir/extra.hpp>
#include <unshade/ir/numeric/lanes.hpp>
#include <unshade/ir/numeric/out_of_line.hpp>
#include <unshade/ir/numeric/round.hpp>
#include <unshade/ir/numeric/value.hpp>
#include <unshade/ir/types.hpp>

namespace unshade::ir::numeric {
inline namespace UNSHADE_ISA {

// --- bits ---

/// The bits that a value has in memory, those above them 0. Those of a NaN stay, a signalling one too; what has no bit in the format's
/// payload becomes quiet, since without a payload it would be infinite.
template <Type T, class V>
UNSHADE_LANES UnsignedOf<V> memory_bits(const V& v) {
  if constexpr (T == Type::f16) {
    const auto word = bits(v);
    const auto size = word & 0x7fff'ffff;
    const auto subnormal = as_unsigned(convert<std::int32_t>(select(size < 0x3880'0000, as_float(size), 0.0F) * 0x1p24F));
    const auto normal = (size >> 13) - (112U << 10);
    const auto payload = size >> 13 & 0x3ff;
    const auto nan = select(payload == 0, 0x7e00U, payload | 0x7c00);
    const auto half = select(size < 0x3880'0000, subnormal, select(size > 0x7f80'0000, nan, select(size == 0x7f80'0000, 0x7c00U, normal)));
    return half | (word >> 16 & 0x8000);
  } else if constexpr (T == Type::f24) {
    const auto word = bits(v);
    const auto size = word & 0x7fff'ffff;
    const auto subnormal = as_unsigned(convert<std::int32_t>(select(size < 0x2080'0000, as_float(size), 0.0F) * 0x1p78F));
    const auto normal = (size >> 7) - (64U << 16);
    const auto payload = size >> 7 & 0xffff;
    const auto nan = select(payload == 0, 0x7f'8000U, payload | 0x7f'0000);
    const auto f24 =
        select(size < 0x2080'0000, subnormal, select(size > 0x7f80'0000, nan, select(size == 0x7f80'0000, 0x7f'0000U, normal)));
    return f24 | (word >> 8 & 0x80'0000);
  } else {
    return inner::zero_extended<T>(bits(v));
  }
}
/// The value of bits in memory; those above its width do not matter.
template <Type T, class W>
UNSHADE_LANES Value<T, W::kLanes> from_memory_bits(const W& word) {
  if constexpr (T == Type::f16) {
    const auto size = word & 0x7fff;
    const auto subnormal = bits(convert<float>(as_signed(size)) * 0x1p-24F);
    const auto normal = (size << 13) + (112U << 23);
    return as_float(select(size < 0x400, subnormal, select(size >= 0x7c00, (size << 13) | 0x7f80'0000, normal)) | (word & 0x8000) << 16);
  } else if constexpr (T == Type::f24) {
    const auto size = word & 0x7f'ffff;
    const auto subnormal = bits(convert<float>(as_signed(size)) * 0x1p-78F);
    const auto normal = (size << 7) + (64U << 23);
    return as_float(select(size < 0x1'0000, subnormal, select(size >= 0x7f'0000, (size << 7) | 0x7f80'0000, normal)) | (word & 0x80'0000)
                                                                                                                           << 8);
  } else if constexpr (T == Type::b1) {
    return W(0) - (word & 1);
  } else {
    return bits_as<Element<T>>(inner::sign_extended<T>(word));
  }
}

template <Type To, Type From, class V>
  requires(inner::kBits<To> == inner::kBits<From>)
UNSHADE_LANES Value<To, V::kLanes> bitcast(const V& v) {
  if constexpr (To == From) {
    return v;
  } else {
    return from_memory_bits<To>(memory_bits<From>(v));
  }
}
template <Type T, int N>
UNSHADE_LANES Value<T, N> pack64(const U32<N>& low, const U32<N>& high) {
  return bits_as<Element<T>>(convert<std::uint64_t>(low) | convert<std::uint64_t>(high) << 32);
}
template <Type T, class V>
UNSHADE_LANES Two<U32<V::kLanes>, U32<V::kLanes>> unpack64(const V& v) {
  const auto word = bits(v);
  return {convert<std::uint32_t>(word), convert<std::uint32_t>(word >> 32)};
}

// --- between integers ---

template <Type To, Type From, class V>
  requires(inner::kBits<To> > inner::kBits<From>)
UNSHADE_LANES Value<To, V::kLanes> sext(const V& v) {
  if constexpr (To == Type::i64) {
    return as_unsigned(convert<std::int64_t>(as_signed(v)));
  } else {
    return v;
  }
}
template <Type To, Type From, class V>
  requires(inner::kBits<To> > inner::kBits<From>)
UNSHADE_LANES Value<To, V::kLanes> zext(const V& v) {
  if constexpr (From == Type::b1) {
    return convert<Element<To>>(v & 1);
  } else {
    return convert<Element<To>>(inner::zero_extended<From>(v));
  }
}
template <Type To, Type From, class V>
  requires(inner::kBits<To> < inner::kBits<From>)
UNSHADE_LANES Value<To, V::kLanes> trunc(const V& v) {
  const auto low = convert<std::uint32_t>(v);
  if constexpr (To == Type::b1) {
    return U32<V::kLanes>(0) - (low & 1);
  } else {
    return inner::sign_extended<To>(low);
  }
}

// --- between floats ---

/// f16 that rounds toward zero does not overflow: kGreatestHalf is the most.
template <Type To, Type From, Rounding R = Rounding::nearest_even, class V>
  requires(To != From)
UNSHADE_LANES Value<To, V::kLanes> f_to_f(const V& v) {
  if constexpr (To == Type::f64) {
    return inner::wide(inner::operand < From == Type::f24 ? Type::f32 : From > (v));
  } else if constexpr (To == Type::f24) {
    return inner::rounded_f24<R>(inner::wide(v));
  } else if constexpr (To == Type::f32) {
    if constexpr (From != Type::f64) {
      return v;
    } else if constexpr (R == Rounding::toward_zero) {
      return inner::float_toward_zero(v);
    } else {
      return inner::nearest_float(v);
    }
  } else if constexpr (From == Type::f64) {
    return inner::rounded_f16<R>(inner::odd_float(v));
  } else {
    return inner::rounded_f16<R>(v);
  }
}

// --- between floats and integers ---

namespace inner {

template <Type T>
inline constexpr double kSignedEnd = static_cast<double>(std::uint64_t{1} << (kBits<T> - 1));  // above all values of the type
template <Type T>
inline constexpr std::uint64_t kSignedMax = (std::uint64_t{1} << (kBits<T> - 1)) - 1;

}  // namespace inner

/// Toward zero; the nearest value of the type if out of its range; of NaN 0.
template <Type To, Type From, class V>
UNSHADE_LANES Value<To, V::kLanes> f_to_s(const V& v) {
  using Number = typename V::Element;
  using Result = Value<To, V::kLanes>;
  using Word = typename Result::Element;
  constexpr auto kEnd = static_cast<Number>(inner::kSignedEnd<To>);
  constexpr auto kMax = static_cast<Word>(inner::kSignedMax<To>);
  const auto above = mask_as<Word>(v >= kEnd);
  const auto below = mask_as<Word>(v < -kEnd);
  const auto inside = select((v >= -kEnd) & (v < kEnd), v, 0);
  const Result result = as_unsigned(convert<typename SignedOf<Result>::Element>(inside));
  return select(above, kMax, select(below, ~kMax, result));
}
template <Type To, Type From, class V>
UNSHADE_LANES Value<To, V::kLanes> f_to_u(const V& v) {
  using Number = typename V::Element;
  using Result = Value<To, V::kLanes>;
  using Word = typename Result::Element;
  constexpr auto kHalf = static_cast<Number>(inner::kSignedEnd<To>);  // half of the range
  const auto above = mask_as<Word>(v >= 2 * kHalf);
  const auto inside = select((v > 0) & (v < 2 * kHalf), v, 0);
  const auto large = inside >= kHalf;
  const auto rest = inside - select(large, V(kHalf), V(0));
  const Result low = as_unsigned(convert<typename SignedOf<Result>::Element>(rest));
  constexpr auto kTop = static_cast<Word>(Word{1} << (inner::kBits<To> - 1));
  const Result result = low | (mask_as<Word>(large) & kTop) | above;
  return inner::sign_extended<To>(result);
}

namespace inner {

/// Integer, which has 64 bits, to Number.
template <class Number, class Integer>
struct ConvertedInteger {
  static constexpr Function kFunction = std::is_signed_v<Integer> ? Function::s_to_f : Function::u_to_f;
  Number operator()(std::uint64_t a) const { return static_cast<Number>(static_cast<Integer>(a)); }
};

/// A rounded conversion of integers, exact of those up to 32 bits.
template <Type To, bool Signed, class V>
UNSHADE_LANES Value<To, V::kLanes> from_integer(const V& v) {
  constexpr int N = V::kLanes;
  if constexpr (sizeof(typename V::Element) == 4) {
    if constexpr (Signed) {
      if constexpr (To == Type::f32) {
        return convert<float>(as_signed(v));
      } else {
        return rounded<To, Rounding::nearest_even>(convert<double>(as_signed(v)));
      }
    } else {
      return rounded<To, Rounding::nearest_even>(unsigned_to_double(v));
    }
  } else {
    using Number = Element<To>;
    using Integer = std::conditional_t<Signed, std::int64_t, std::uint64_t>;
    const auto value = out_of_line<Vec<Number, N>>(ConvertedInteger<Number, Integer>(), v);
    return rounded<To, Rounding::nearest_even>(value);
  }
}

}  // namespace inner

template <Type To, Type From, class V>
UNSHADE_LANES Value<To, V::kLanes> s_to_f(const V& v) {
  return inner::from_integer<To, true>(v);
}
template <Type To, Type From, class V>
UNSHADE_LANES Value<To, V::kLanes> u_to_f(const V& v) {
  return inner::from_integer<To, false>(inner::zero_extended<From>(v));
}

}  // namespace UNSHADE_ISA
}  // namespace unshade::ir::numeric

// Operations on integers and b1, named as in ops.def: OP<type>(operands...). A value of i8 and i16 is sign-extended before and after.
#pragma once

#include <cstdint>

#include <unshade/ir/extra.hpp>
#include <unshade/ir/numeric/lanes.hpp>
#include <unshade/ir/numeric/out_of_line.hpp>
#include <unshade/ir/numeric/value.hpp>
#include <unshade/ir/types.hpp>

namespace unshade::ir::numeric {
inline namespace UNSHADE_ISA {

// --- bits ---

template <Type T, class V>
UNSHADE_LANES V iand(const V& a, const V& b) {
  return a & b;
}
template <Type T, class V>
UNSHADE_LANES V ior(const V& a, const V& b) {
  return a | b;
}
template <Type T, class V>
UNSHADE_LANES V ixor(const V& a, const V& b) {
  return a ^ b;
}
template <Type T, class V>
UNSHADE_LANES V inot(const V& a) {
  return ~a;
}
template <Type T, class V>
UNSHADE_LANES V ishl(const V& a, const V& count) {
  return inner::sign_extended<T>(a << (count & (inner::kBits<T> - 1)));
}
template <Type T, class V>
UNSHADE_LANES V ishr(const V& a, const V& count) {
  return as_unsigned(as_signed(a) >> as_signed(count & (inner::kBits<T> - 1)));
}
template <Type T, class V>
UNSHADE_LANES V ushr(const V& a, const V& count) {
  return inner::sign_extended<T>(inner::zero_extended<T>(a) >> (count & (inner::kBits<T> - 1)));
}

namespace inner {

/// Ones in each lane, by halves: of 32 or 64 bits.
template <class V>
UNSHADE_LANES V ones(V v) {
  using Word = typename V::Element;
  constexpr Word kAll = ~Word{0};
  v = v - (v >> 1 & kAll / 3);
  v = (v & kAll / 5) + (v >> 2 & kAll / 5);
  v = (v + (v >> 4)) & kAll / 17;
  return v * (kAll / 255) >> (sizeof(Word) * 8 - 8);
}
template <class V>
UNSHADE_LANES V reversed(V v) {
  using Word = typename V::Element;
  constexpr Word kAll = ~Word{0};
  v = (v >> 1 & kAll / 3) | (v & kAll / 3) << 1;
  v = (v >> 2 & kAll / 5) | (v & kAll / 5) << 2;
  v = (v >> 4 & kAll / 17) | (v & kAll / 17) << 4;
  v = (v >> 8 & kAll / 257) | (v & kAll / 257) << 8;
  if constexpr (sizeof(Word) == 8) {
    v = (v >> 16 & kAll / 65537) | (v & kAll / 65537) << 16;
    return v >> 32 | v << 32;
  } else {
    return v >> 16 | v << 16;
  }
}
/// All bits below the highest one, and that.
template <class V>
UNSHADE_LANES V smeared(V v) {
  v = v | v >> 1;
  v = v | v >> 2;
  v = v | v >> 4;
  v = v | v >> 8;
  v = v | v >> 16;
  if constexpr (sizeof(typename V::Element) == 8) v = v | v >> 32;
  return v;
}
template <class V>
UNSHADE_LANES U32<V::kLanes> narrow(const V& v) {
  return convert<std::uint32_t>(v);
}

}  // namespace inner

template <Type T, class V>
UNSHADE_LANES V bit_reverse(const V& a) {
  const V all = inner::reversed(a);
  if constexpr (inner::kBits<T> < 32) {
    return as_unsigned(as_signed(all) >> static_cast<std::int32_t>(32 - inner::kBits<T>));
  } else {
    return all;
  }
}
template <Type T, class V>
UNSHADE_LANES U32<V::kLanes> bit_count(const V& a) {
  return inner::narrow(inner::ones(inner::zero_extended<T>(a)));
}
template <Type T, class V>
UNSHADE_LANES U32<V::kLanes> first_low(const V& a) {
  const V v = inner::zero_extended<T>(a);
  const V below = (v - 1) & ~v;
  return inner::narrow(inner::ones(below) | (v == 0));
}
template <Type T, class V>
UNSHADE_LANES U32<V::kLanes> first_high(const V& a) {
  return inner::narrow(inner::ones(inner::smeared(inner::zero_extended<T>(a))) - 1);
}
/// Of a negative value, its first zero.
template <Type T, class V>
UNSHADE_LANES U32<V::kLanes> first_high_signed(const V& a) {
  return first_high<T>(a ^ as_unsigned(as_signed(a) >> static_cast<typename SignedOf<V>::Element>(sizeof(typename V::Element) * 8 - 1)));
}

namespace inner {

/// The operands of ibfe, ubfe and bfi: as wide as the value, modulo its width.
template <class V>
UNSHADE_LANES V bit_operand(const U32<V::kLanes>& v) {
  return convert<typename V::Element>(v & (sizeof(typename V::Element) * 8 - 1));
}

}  // namespace inner

/// A field of width 0 is 0. Above the value's highest bit ibfe reads its sign, ubfe zeros.
template <Type T, class V>
UNSHADE_LANES V ubfe(const V& a, const U32<V::kLanes>& offset, const U32<V::kLanes>& width) {
  const V shift = inner::bit_operand<V>(offset);
  const V count = inner::bit_operand<V>(width);
  return a >> shift & ((V(1) << count) - 1);
}
template <Type T, class V>
UNSHADE_LANES V ibfe(const V& a, const U32<V::kLanes>& offset, const U32<V::kLanes>& width) {
  const V shift = inner::bit_operand<V>(offset);
  const V count = inner::bit_operand<V>(width);
  const V field = as_unsigned(as_signed(a) >> as_signed(shift)) & ((V(1) << count) - 1);
  const V sign = (V(1) << count) >> 1;  // 0 of width 0
  return (field ^ sign) - sign;
}
/// `insert` into `base`; of width 0 the base. Bits beyond the highest are dropped.
template <Type T, class V>
UNSHADE_LANES V bfi(const V& insert, const V& base, const U32<V::kLanes>& offset, const U32<V::kLanes>& width) {
  const V shift = inner::bit_operand<V>(offset);
  const V field = ((V(1) << inner::bit_operand<V>(width)) - 1) << shift;
  return (insert << shift & field) | (base & ~field);
}

// --- comparisons ---

template <Type T, class V>
UNSHADE_LANES U32<V::kLanes> ieq(const V& a, const V& b) {
  return mask_as<std::uint32_t>(a == b);
}
template <Type T, class V>
UNSHADE_LANES U32<V::kLanes> ine(const V& a, const V& b) {
  return mask_as<std::uint32_t>(a != b);
}
template <Type T, class V>
UNSHADE_LANES U32<V::kLanes> ilt(const V& a, const V& b) {
  return mask_as<std::uint32_t>(as_signed(a) < as_signed(b));
}
template <Type T, class V>
UNSHADE_LANES U32<V::kLanes> ile(const V& a, const V& b) {
  return mask_as<std::uint32_t>(as_signed(a) <= as_signed(b));
}
/// Sign-extended values have the order of those that are not.
template <Type T, class V>
UNSHADE_LANES U32<V::kLanes> ult(const V& a, const V& b) {
  return mask_as<std::uint32_t>(a < b);
}
template <Type T, class V>
UNSHADE_LANES U32<V::kLanes> ule(const V& a, const V& b) {
  return mask_as<std::uint32_t>(a <= b);
}

template <Type T, class V>
UNSHADE_LANES V imin(const V& a, const V& b) {
  return select(as_signed(a) < as_signed(b), a, b);
}
template <Type T, class V>
UNSHADE_LANES V imax(const V& a, const V& b) {
  return select(as_signed(a) < as_signed(b), b, a);
}
template <Type T, class V>
UNSHADE_LANES V umin(const V& a, const V& b) {
  return select(a < b, a, b);
}
template <Type T, class V>
UNSHADE_LANES V umax(const V& a, const V& b) {
  return select(a < b, b, a);
}

// --- arithmetic: modulo 2 to the width ---

template <Type T, class V>
UNSHADE_LANES V iadd(const V& a, const V& b) {
  return inner::sign_extended<T>(a + b);
}
template <Type T, class V>
UNSHADE_LANES V isub(const V& a, const V& b) {
  return inner::sign_extended<T>(a - b);
}
template <Type T, class V>
UNSHADE_LANES V imul(const V& a, const V& b) {
  return inner::sign_extended<T>(a * b);
}
template <Type T, class V>
UNSHADE_LANES V ineg(const V& a) {
  return inner::sign_extended<T>(V(0) - a);
}
/// The smallest stays.
template <Type T, class V>
UNSHADE_LANES V iabs(const V& a) {
  return select(as_signed(a) < 0, ineg<T>(a), a);
}
template <Type T, class V>
UNSHADE_LANES V umul_high(const V& a, const V& b) {
  if constexpr (T == Type::i64) {
    const V a_low = a & 0xffff'ffff;
    const V a_high = a >> 32;
    const V b_low = b & 0xffff'ffff;
    const V b_high = b >> 32;
    const V middle = a_high * b_low + (a_low * b_low >> 32);
    return a_high * b_high + (middle >> 32) + ((a_low * b_high + (middle & 0xffff'ffff)) >> 32);
  } else {
    const auto product = convert<std::uint64_t>(inner::zero_extended<T>(a)) * convert<std::uint64_t>(inner::zero_extended<T>(b));
    return inner::sign_extended<T>(convert<std::uint32_t>(product >> inner::kBits<T>));
  }
}
template <Type T, class V>
UNSHADE_LANES V imul_high(const V& a, const V& b) {
  if constexpr (inner::kBits<T> < 32) {
    return as_unsigned(as_signed(a * b) >> static_cast<std::int32_t>(inner::kBits<T>));
  } else {
    return umul_high<T>(a, b) - select(as_signed(a) < 0, b, V(0)) - select(as_signed(b) < 0, a, V(0));
  }
}

namespace inner {

struct SignedQuotient {
  static constexpr Function kFunction = Function::idiv;
  std::uint64_t operator()(std::uint64_t a, std::uint64_t b) const {
    if (b == 0) return ~std::uint64_t{0};
    if (b == ~std::uint64_t{0}) return 0 - a;
    return static_cast<std::uint64_t>(static_cast<std::int64_t>(a) / static_cast<std::int64_t>(b));
  }
};
struct UnsignedQuotient {
  static constexpr Function kFunction = Function::udiv;
  std::uint64_t operator()(std::uint64_t a, std::uint64_t b) const { return b == 0 ? ~std::uint64_t{0} : a / b; }
};

}  // namespace inner

/// Each quotient toward zero: by zero all ones, of the smallest by -1 the smallest.
template <Type T, class V>
UNSHADE_LANES V idiv(const V& a, const V& b) {
  const UnsignedOf<V> zero = b == 0;
  if constexpr (T == Type::i64) {
    return inner::out_of_line<V>(inner::SignedQuotient(), a, b);
  } else {
    // Exact in double: a quotient of 32 bits is either an integer or at least 2^-32 of itself away from one. 2^31 comes of the smallest by
    // -1 only.
    const auto quotient = convert<double>(as_signed(a)) / convert<double>(as_signed(b | (zero & 1)));
    const auto overflow = quotient == 2147483648.0;
    return inner::sign_extended<T>(as_unsigned(convert<std::int32_t>(select(overflow, -2147483648.0, quotient)))) | zero;
  }
}
template <Type T, class V>
UNSHADE_LANES V udiv(const V& a, const V& b) {
  const UnsignedOf<V> zero = b == 0;
  if constexpr (T == Type::i64) {
    return inner::out_of_line<V>(inner::UnsignedQuotient(), a, b);
  } else {
    const V divisor = inner::zero_extended<T>(b) | (zero & 1);
    const auto quotient = unsigned_to_double(inner::zero_extended<T>(a)) / unsigned_to_double(divisor);
    return inner::sign_extended<T>(double_to_unsigned(quotient)) | zero;
  }
}
/// What the quotient leaves, with the sign of a; by zero all ones.
template <Type T, class V>
UNSHADE_LANES V irem(const V& a, const V& b) {
  return isub<T>(a, idiv<T>(a, b) * b) | (b == 0);
}
template <Type T, class V>
UNSHADE_LANES V urem(const V& a, const V& b) {
  return isub<T>(a, udiv<T>(a, b) * b) | (b == 0);
}

/// Sum and carry, 0 or 1.
template <Type T, class V>
UNSHADE_LANES Two<V, V> add_carry(const V& a, const V& b) {
  const V sum = a + b;
  return {sum, (sum < a) & 1};
}
/// Difference and borrow, 0 or 1.
template <Type T, class V>
UNSHADE_LANES Two<V, V> sub_borrow(const V& a, const V& b) {
  return {a - b, (a < b) & 1};
}

// --- packed bytes ---

namespace inner {

template <class V>
UNSHADE_LANES V byte_of(const V& v, unsigned i) {
  return v >> (8 * i) & 0xff;
}
template <class V>
UNSHADE_LANES V signed_byte_of(const V& v, unsigned i) {
  return sign_extended<Type::i8>(v >> (8 * i));
}

}  // namespace inner

/// The accumulator plus the differences of those bytes whose byte of the reference is not 0; the sum stays at the greatest value that it
/// reaches.
template <Type T, class V>
UNSHADE_LANES V msad(const V& reference, const V& source, const V& accumulator) {
  V sum = 0;
  for (unsigned i = 0; i < 4; ++i) {
    const V r = inner::byte_of(reference, i);
    const V s = inner::byte_of(source, i);
    sum = sum + (select(r < s, s - r, r - s) & ~(r == 0));
  }
  const V result = accumulator + sum;
  return result | (result < accumulator);
}
template <Type T, class V>
UNSHADE_LANES V dot4_add_i8(const V& accumulator, const V& a, const V& b) {
  V sum = accumulator;
  for (unsigned i = 0; i < 4; ++i) sum = sum + inner::signed_byte_of(a, i) * inner::signed_byte_of(b, i);
  return sum;
}
template <Type T, class V>
UNSHADE_LANES V dot4_add_u8(const V& accumulator, const V& a, const V& b) {
  V sum = accumulator;
  for (unsigned i = 0; i < 4; ++i) sum = sum + inner::byte_of(a, i) * inner::byte_of(b, i);
  return sum;
}
/// Four values as bytes, the first lowest.
template <Type T, class V>
UNSHADE_LANES V pack_i8(const V& x, const V& y, const V& z, const V& w, Pack how) {
  const auto byte = [how](const V& v) {
    if (how == Pack::truncate) return v & 0xff;
    const V least = how == Pack::clamp_signed ? static_cast<std::uint32_t>(-128) : 0U;
    const V most = how == Pack::clamp_signed ? 127U : 255U;
    return imin<T>(imax<T>(v, least), most) & 0xff;
  };
  return byte(x) | byte(y) << 8 | byte(z) << 16 | byte(w) << 24;
}
template <Type T, class V>
UNSHADE_LANES Four<V> unpack_i8(const V& v, Unpack how) {
  Four<V> result;
  for (unsigned i = 0; i < 4; ++i) result.values[i] = how == Unpack::sign_extend ? inner::signed_byte_of(v, i) : inner::byte_of(v, i);
  return result;
}

}  // namespace UNSHADE_ISA
}  // namespace unshade::ir::numeric

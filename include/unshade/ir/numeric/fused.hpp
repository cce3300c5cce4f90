// a * b + c of f64, rounded once. C libraries are not asked: that of mingw-w64 10 is wrong in the last bit of a quarter of ordinary
// operands. A processor that has the instruction, and a file compiled for it, gives the same bits.
#pragma once

#include <cstdint>
#include <cstring>

#include <unshade/ir/numeric/lanes.hpp>
#include <unshade/ir/numeric/out_of_line.hpp>
#include <unshade/ir/numeric/round.hpp>

namespace unshade::ir::numeric {
inline namespace UNSHADE_ISA {
namespace inner {

/// The magnitude of a number that is not 0: mantissa * 2^exponent, where the highest bit of the mantissa is 52.
struct Scaled {
  std::uint64_t mantissa;
  int exponent;
};
inline Scaled scaled(std::uint64_t magnitude) {
  constexpr std::uint64_t kHighest = std::uint64_t{1} << 52;
  const int biased = static_cast<int>(magnitude >> 52);
  Scaled made{magnitude & (kHighest - 1), biased == 0 ? -1074 : biased - 1075};
  if (biased != 0) made.mantissa |= kHighest;
  for (; made.mantissa < kHighest; made.mantissa <<= 1) --made.exponent;
  return made;
}

struct Bits128 {
  std::uint64_t high, low;
};
/// Of factors below 2^53.
inline Bits128 product_of(std::uint64_t a, std::uint64_t b) {
  const std::uint64_t a_low = a & 0xffff'ffff, a_high = a >> 32, b_low = b & 0xffff'ffff, b_high = b >> 32;
  const std::uint64_t low = a_low * b_low;
  const std::uint64_t middle = a_high * b_low + a_low * b_high + (low >> 32);
  return {a_high * b_high + (middle >> 32), (middle << 32) | (low & 0xffff'ffff)};
}
/// v / 2^count, whose lowest bit is set if a bit that is lost was.
inline Bits128 shifted_right(const Bits128& v, int count) {
  if (count == 0) return v;
  if (count < 64) {
    const std::uint64_t lost = v.low << (64 - count);
    return {v.high >> count, v.low >> count | v.high << (64 - count) | (lost != 0 ? 1U : 0U)};
  }
  if (count == 64) return {0, v.high | (v.low != 0 ? 1U : 0U)};
  if (count >= 128) return {0, (v.high | v.low) != 0 ? 1U : 0U};
  const std::uint64_t lost = v.low | v.high << (128 - count);
  return {0, v.high >> (count - 64) | (lost != 0 ? 1U : 0U)};
}
inline int highest_bit(const Bits128& v) {
  int at = v.high != 0 ? 64 : 0;
  for (std::uint64_t rest = (v.high != 0 ? v.high : v.low) >> 1; rest != 0; rest >>= 1) ++at;
  return at;
}
/// v * 2^exponent rounded to nearest even; v is not 0.
inline std::uint64_t nearest_double(const Bits128& v, int exponent) {
  constexpr std::uint64_t kInfinite = 0x7ff0'0000'0000'0000;
  int lowest = exponent + highest_bit(v) - 52;
  if (lowest < -1074) lowest = -1074;
  if (lowest > 971) return kInfinite;
  const int dropped = lowest - exponent;
  // with two bits more: half of the last place, and whether there is anything below
  const std::uint64_t quarters = dropped >= 2 ? shifted_right(v, dropped - 2).low : v.low << (2 - dropped);
  const std::uint64_t up = (quarters & 3) + (quarters >> 2 & 1) > 2 ? 1 : 0;
  return (static_cast<std::uint64_t>(lowest + 1074) << 52) + (quarters >> 2) + up;  // bit 52 counts as one of the exponent
}

/// Of all operands, by integers.
inline double fused_by_integers(double a, double b, double c) {
  constexpr std::uint64_t kSignBit = std::uint64_t{1} << 63;
  constexpr std::uint64_t kInfinite = 0x7ff0'0000'0000'0000;
  std::uint64_t words[3];
  std::memcpy(&words[0], &a, sizeof a);
  std::memcpy(&words[1], &b, sizeof b);
  std::memcpy(&words[2], &c, sizeof c);
  std::uint64_t sign = (words[0] ^ words[1]) & kSignBit;
  const bool is_difference = ((words[2] ^ sign) & kSignBit) != 0;
  for (std::uint64_t& word : words) word &= ~kSignBit;
  if (words[0] == 0 || words[1] == 0 || words[0] >= kInfinite || words[1] >= kInfinite) return a * b + c;  // the product is exact
  if (words[2] >= kInfinite) return c + c;
  const Scaled x = scaled(words[0]);
  const Scaled y = scaled(words[1]);
  // The highest bit of either summand is 124, that of the product may be 125.
  const Bits128 exact = product_of(x.mantissa, y.mantissa);
  Bits128 sum{exact.high << 20 | exact.low >> 44, exact.low << 20};
  int exponent = x.exponent + y.exponent - 20;
  if (words[2] != 0) {
    const Scaled z = scaled(words[2]);
    Bits128 other{z.mantissa << 8, 0};
    const int apart = z.exponent - 72 - exponent;
    if (apart <= 0) {
      other = shifted_right(other, -apart);
    } else {
      sum = shifted_right(sum, apart);
      exponent += apart;
    }
    if (is_difference) {
      if (sum.high < other.high || (sum.high == other.high && sum.low < other.low)) {
        const Bits128 less = sum;
        sum = other;
        other = less;
        sign ^= kSignBit;
      }
      sum = {sum.high - other.high - (sum.low < other.low ? 1U : 0U), sum.low - other.low};
      if ((sum.high | sum.low) == 0) return 0;
    } else {
      const std::uint64_t low = sum.low + other.low;
      sum = {sum.high + other.high + (low < other.low ? 1U : 0U), low};
    }
  }
  const std::uint64_t word = nearest_double(sum, exponent) | sign;
  double made;
  std::memcpy(&made, &word, sizeof made);
  return made;
}

template <int N>
struct Pair {
  F64<N> value, error;
};
/// a + b and what it loses.
template <int N>
UNSHADE_LANES Pair<N> exact_sum(const F64<N>& a, const F64<N>& b) {
  const F64<N> sum = a + b;
  const F64<N> b_part = sum - a;
  return {sum, (a - (sum - b_part)) + (b - b_part)};
}
/// a * b and what it loses, of factors from 2^-400 to 2^400.
template <int N>
UNSHADE_LANES Pair<N> exact_product(const F64<N>& a, const F64<N>& b) {
  const auto upper_half = [](const F64<N>& v) UNSHADE_LAMBDA {
    const F64<N> moved = v * (0x1p27 + 1);
    return moved - (moved - v);
  };
  const F64<N> product = a * b;
  const F64<N> a_high = upper_half(a), b_high = upper_half(b);
  const F64<N> a_low = a - a_high, b_low = b - b_high;
  return {product, (((a_high * b_high - product) + a_high * b_low) + a_low * b_high) + a_low * b_low};
}
/// By two exact operations and one rounding to odd (Boldo and Melquiond, "Emulation of a FMA and correctly rounded sums"), where nothing
/// can overflow or become subnormal; else by integers.
template <int N>
UNSHADE_LANES F64<N> fused_without_instruction(const F64<N>& a, const F64<N>& b, const F64<N>& c) {
  const Pair<N> product = exact_product(a, b);
  const Pair<N> low = exact_sum(c, product.error);
  const Pair<N> high = exact_sum(product.value, low.value);
  const U64<N> zero = (a == 0) | (b == 0);
  F64<N> result = select(zero, product.value + c, high.value + odd_sum(low.error, high.error));
  const F64<N> a_size = magnitude(a), b_size = magnitude(b);
  const U64<N> small = (a_size < 0x1p400) & (b_size < 0x1p400) & (magnitude(c) < 0x1p900);
  const U64<N> other = ~(small & (zero | ((a_size >= 0x1p-400) & (b_size >= 0x1p-400))));
  if (any(other)) {
    for (int i = 0; i < N; ++i)
      if (other.lane(i) != 0) result.set_lane(i, fused_by_integers(a.lane(i), b.lane(i), c.lane(i)));
  }
  return result;
}
#if defined(__FMA__) || defined(__ARM_FEATURE_FMA) || defined(UNSHADE_RECORDED)
struct FusedByInstruction {
  static constexpr Function kFunction = Function::fma;
  UNSHADE_LANES double operator()(double a, double b, double c) const { return __builtin_fma(a, b, c); }
};
#endif
template <int N>
UNSHADE_LANES F64<N> fused(const F64<N>& a, const F64<N>& b, const F64<N>& c) {
#if defined(__FMA__) || defined(__ARM_FEATURE_FMA) || defined(UNSHADE_RECORDED)
  return out_of_line<F64<N>>(FusedByInstruction(), a, b, c);
#else
  return fused_without_instruction(a, b, c);
#endif
}

}  // namespace inner
}  // namespace UNSHADE_ISA
}  // namespace unshade::ir::numeric

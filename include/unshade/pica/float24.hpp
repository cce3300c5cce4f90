// The 24-bit floats of the PICA200: sign, 7 bits of exponent (bias 63), 16 of mantissa.
#pragma once

#include <bit>
#include <cstdint>

namespace unshade::pica {

inline constexpr std::uint32_t kFloat24Bits = 0xff'ffff;

/// What picasso and libctru make of a float: the mantissa is cut, not rounded; too small is zero, too large (NaN too) infinity; both keep
/// their sign. src: docs/reference/formats/shbin.md, "Numbers"
constexpr std::uint32_t to_float24(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  const std::uint32_t sign = bits >> 31 << 23;
  const std::int32_t exponent = static_cast<std::int32_t>(bits >> 23 & 0xff) - 127 + 63;
  if (exponent < 0) return sign;
  if (exponent > 127) return sign | 0x7f'0000;
  return sign | static_cast<std::uint32_t>(exponent) << 16 | (bits & 0x7f'ffff) >> 7;
}

/// The exact value. Exponent 0 holds denormals (m * 2^-78), exponent 127 infinity and NaN; the bits above 23 are dropped.
constexpr float from_float24(std::uint32_t bits) {
  const std::uint32_t sign = (bits >> 23 & 1) << 31;
  const std::uint32_t exponent = bits >> 16 & 0x7f;
  std::uint32_t mantissa = bits & 0xffff;
  if (exponent == 0x7f) return std::bit_cast<float>(sign | 0x7f80'0000 | mantissa << 7);
  if (exponent != 0) return std::bit_cast<float>(sign | (exponent - 63 + 127) << 23 | mantissa << 7);
  if (mantissa == 0) return std::bit_cast<float>(sign);
  // m * 2^-78 with its leading one brought to bit 16
  std::uint32_t shift = 0;
  while ((mantissa & 0x1'0000) == 0) {
    mantissa <<= 1;
    ++shift;
  }
  return std::bit_cast<float>(sign | (1 - 63 + 127 - shift) << 23 | (mantissa & 0xffff) << 7);
}

/// A float that to_float24 makes these bits of: what assembly has to say for them. Equals the value but for denormals, infinity and NaN.
constexpr float float24_source(std::uint32_t bits) {
  const std::uint32_t sign = (bits >> 23 & 1) << 31;
  if ((bits & 0x7f'ffff) == 0) return std::bit_cast<float>(sign);
  return std::bit_cast<float>(sign | ((bits >> 16 & 0x7f) - 63 + 127) << 23 | (bits & 0xffff) << 7);
}

/// The inverse of from_float24, rounding to nearest even what lies between: every one of the 2^24 values comes back as it was.
constexpr std::uint32_t to_float24_nearest(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  const std::uint32_t sign = bits >> 31 << 23;
  const std::uint32_t exponent = bits >> 23 & 0xff;
  const std::uint32_t mantissa = bits & 0x7f'ffff;
  if (exponent == 0xff) {
    if (mantissa == 0) return sign | 0x7f'0000;
    const std::uint32_t payload = mantissa >> 7;
    return sign | 0x7f'0000 | (payload == 0 ? 1 : payload);
  }
  if (exponent == 0) return sign;  // below 2^-126
  const std::int32_t target = static_cast<std::int32_t>(exponent) - 127 + 63;
  // bits of the 24-bit significand that are lost
  const std::int32_t lost = target >= 1 ? 7 : 7 + 1 - target;
  if (lost > 24) return sign;
  const std::uint32_t significand = mantissa | 0x80'0000;
  std::uint32_t kept = significand >> lost;
  const std::uint32_t below = significand & ((1U << lost) - 1);
  const std::uint32_t half = 1U << (lost - 1);
  if (below > half || (below == half && (kept & 1) != 0)) ++kept;
  // a carry out of the mantissa runs into the exponent, which is where it belongs
  const std::uint32_t magnitude = target >= 1 ? (static_cast<std::uint32_t>(target - 1) << 16) + kept : kept;
  return sign | (magnitude > 0x7f'0000 ? 0x7f'0000 : magnitude);
}

}  // namespace unshade::pica

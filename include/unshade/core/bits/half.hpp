// Floats of 16 bits.
#pragma once

#include <bit>
#include <cstdint>

namespace unshade {

/// The greatest finite value of a float of 16 bits.
inline constexpr int kGreatestHalf = 65504;

/// The bits of the float of 32 bits that has the value of a half: every half has one. What is no number stays so.
constexpr std::uint32_t single_bits_of_half(std::uint32_t half) {
  const std::uint32_t magnitude = half & 0x7fff;
  const std::uint32_t sign = (half & 0x8000) << 16;
  if (magnitude >= 0x7c00) return sign | 0x7f80'0000 | (magnitude & 0x3ff) << 13;
  if (magnitude < 0x400) return sign | std::bit_cast<std::uint32_t>(static_cast<float>(magnitude) * 0x1p-24F);
  return sign | ((magnitude << 13) + 0x3800'0000);
}

}  // namespace unshade

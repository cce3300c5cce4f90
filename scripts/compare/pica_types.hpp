// Numbers of the PICA200 as unshade computes them by default: each result is cut to 24 bits. azahar.py puts this in the place of Azahar's
// own header of numbers, which computes in f32 and rounds nothing, so that its interpreter can be compared bit for bit in both ways. The
// program must run with FE_TOWARDZERO: cutting twice is as cutting once.
#pragma once

#include <array>
#include <bit>
#include <boost/serialization/access.hpp>
#include <cmath>
#include <cstdint>
#include <cstring>

#include "common/common_types.h"

namespace Pica {

template <unsigned M, unsigned E>
struct Float {
  static Float FromFloat32(float value) {
    const float size = std::fabs(value);
    if (size < 0x1p-62F) value = 0;
    if (size >= 0x1p64F) value = std::copysign(HUGE_VALF, value);
    if (std::isfinite(value)) value = std::bit_cast<float>(std::bit_cast<std::uint32_t>(value) & ~0U << (23 - M));
    return raw(value);
  }
  static Float Zero() { return raw(0); }
  static Float One() { return raw(1); }
  float ToFloat32() const { return value; }

  Float operator*(Float other) const {
    const bool is_number = !std::isnan(value) && !std::isnan(other.value);
    const float product = value * other.value;
    return FromFloat32(is_number && std::isnan(product) ? 0 : product);
  }
  // + 0: rounding toward zero, the sum of zeros of different signs is +0, as that of a number and its opposite
  Float operator+(Float other) const { return FromFloat32(value + other.value + 0.0F); }
  Float operator-(Float other) const { return *this + -other; }
  Float operator-() const { return raw(-value); }
  bool operator<(Float other) const { return value < other.value; }
  bool operator>(Float other) const { return value > other.value; }
  bool operator<=(Float other) const { return value <= other.value; }
  bool operator>=(Float other) const { return value >= other.value; }
  bool operator==(Float other) const { return value == other.value; }
  bool operator!=(Float other) const { return value != other.value; }

  // Declared by Azahar's headers, never called here.
  static Float FromRaw(std::uint32_t);

 private:
  static Float raw(float value) {
    Float made;
    made.value = value;
    return made;
  }
  float value;
};

using f24 = Float<16, 7>;
using f20 = Float<12, 7>;
using f16 = Float<10, 5>;

}  // namespace Pica

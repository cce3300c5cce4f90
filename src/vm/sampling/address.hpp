// From coordinates to texels. src: Direct3D 11.3 functional specification 3.2.4.1, 7.18.5 to 7.18.9
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include <unshade/texel/sampler.hpp>

namespace unshade::vm::sampling {

/// Bits of fraction of places in texels, and of levels.
inline constexpr unsigned kFractionBits = 8;
inline constexpr std::int64_t kOne = std::int64_t{1} << kFractionBits;

/// To 8 bits of fraction, to nearest even; NaN is 0.
inline std::int64_t to_fixed(double value) {
  if (std::isnan(value)) return 0;
  constexpr double kMost = 0x1p40;
  constexpr double kRound = 0x1.8p52;  // sums with it have no fraction
  const double scaled = std::clamp(value, -kMost, kMost) * static_cast<double>(kOne);
  return static_cast<std::int64_t>((scaled + kRound) - kRound);
}

/// 7.18.6: takes whole repetitions away, so that a large coordinate keeps the precision that it has.
inline double reduce_range(double u, texel::AddressMode mode) {
  switch (mode) {
    case texel::AddressMode::wrap: return u - std::floor(u);
    case texel::AddressMode::mirror: return (u / 2 - std::trunc(u / 2)) * 2;
    default: return u <= -10 ? -10 : u >= 10 ? 10 : u;
  }
}

/// The texels of an axis around a coordinate: `first`, and with a weight the one after it.
struct Taps {
  std::int64_t first = 0;
  double weight = 0;  ///< of the second
};

/// 7.18.7, 7.18.8. `place`: in texels.
inline Taps taps_at(double place, texel::Filter filter) {
  if (filter == texel::Filter::point) return {to_fixed(place) >> kFractionBits, 0};
  const std::int64_t fixed = to_fixed(place - 0.5);
  return {fixed >> kFractionBits, static_cast<double>(fixed & (kOne - 1)) / static_cast<double>(kOne)};
}

/// 7.18.9: the texel of an axis of `size` texels; kBorder if it is outside and has the border's colour.
inline constexpr std::int64_t kBorder = -1;
inline std::int64_t address(std::int64_t texel, std::int64_t size, texel::AddressMode mode) {
  if (texel >= 0 && texel < size) return texel;
  switch (mode) {
    case texel::AddressMode::wrap: {
      const std::int64_t rest = texel % size;
      return rest < 0 ? rest + size : rest;
    }
    case texel::AddressMode::mirror: {
      const std::int64_t positive = texel < 0 ? -texel - 1 : texel;
      const std::int64_t rest = positive % size;
      return (positive / size & 1) != 0 ? size - rest - 1 : rest;
    }
    case texel::AddressMode::clamp: return texel < 0 ? 0 : size - 1;
    case texel::AddressMode::mirror_once: return std::min(texel < 0 ? -texel - 1 : texel, size - 1);
    default: return kBorder;
  }
}

}  // namespace unshade::vm::sampling

// Where the samples of a pixel lie.
#pragma once

#include <array>
#include <cstdint>
#include <span>

namespace unshade::texel {

/// A sample, in sixteenths of a pixel from its centre.
using SamplePlace = std::array<std::int8_t, 2>;

namespace patterns {
inline constexpr SamplePlace k1[] = {{0, 0}};
inline constexpr SamplePlace k2[] = {{4, 4}, {-4, -4}};
inline constexpr SamplePlace k4[] = {{-2, -6}, {6, -2}, {-6, 2}, {2, 6}};
inline constexpr SamplePlace k8[] = {{1, -3}, {-1, 3}, {5, 1}, {-3, -5}, {-5, 5}, {-7, -1}, {3, 7}, {7, -7}};
inline constexpr SamplePlace k16[] = {{1, 1},  {-1, -3}, {-3, 2},  {4, -1}, {-5, -2}, {2, 5},  {5, 3}, {3, -5},
                                      {-2, 6}, {0, -7},  {-4, -6}, {-6, 4}, {-8, 0},  {7, -4}, {6, 7}, {-7, -8}};
}  // namespace patterns

/// The standard pattern of 2, 4, 8 or 16 samples; one sample in the centre otherwise. src: Direct3D 11.3 functional specification 19.2.4
constexpr std::span<const SamplePlace> sample_pattern(std::uint32_t samples) {
  switch (samples) {
    case 2: return patterns::k2;
    case 4: return patterns::k4;
    case 8: return patterns::k8;
    case 16: return patterns::k16;
    default: return patterns::k1;
  }
}

}  // namespace unshade::texel

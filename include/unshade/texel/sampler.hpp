// The state of a sampler: how textures are filtered, and what lies outside of them.
#pragma once

#include <array>
#include <cfloat>
#include <cstdint>

namespace unshade::texel {

/// The nearest texel, or the weighted mean of the nearest two in each dimension. src: D3D12_FILTER_TYPE
enum class Filter : std::uint8_t { point, linear };
/// Texels outside of the texture. `mirror_once` mirrors around 0 and clamps beyond one repetition. src: D3D12_TEXTURE_ADDRESS_MODE
enum class AddressMode : std::uint8_t { wrap, mirror, clamp, border, mirror_once };
/// src: D3D12_COMPARISON_FUNC, in its order
enum class Comparison : std::uint8_t { never, less, equal, less_equal, greater, not_equal, greater_equal, always };
/// What becomes of the texels that a filter reads. src: D3D12_FILTER_REDUCTION_TYPE
enum class Blending : std::uint8_t { average, minimum, maximum };

/// Default: what Direct3D documents for no sampler, trilinear and clamped, but comparing by less_equal.
/// src: Direct3D 11.3 functional specification 7.18.3
struct Sampler {
  Filter min = Filter::linear, mag = Filter::linear, mip = Filter::linear;
  bool anisotropic = false;  ///< then what minifies and magnifies is linear, on several places of a line
  Blending blending = Blending::average;
  Comparison comparison = Comparison::less_equal;  ///< of operations with a reference: reference (comparison) texel
  std::array<AddressMode, 3> address{AddressMode::clamp, AddressMode::clamp, AddressMode::clamp};
  bool normalized = true;            ///< coordinates from 0 to 1; else in texels (Vulkan)
  std::uint8_t max_anisotropy = 16;  ///< 1 to 16: places of the line at most
  float lod_bias = 0;                ///< levels
  float min_lod = -FLT_MAX;          ///< levels: the level of detail is clamped to [min_lod, max_lod]
  float max_lod = FLT_MAX;
  std::array<float, 4> border{1, 1, 1, 1};  ///< red, green, blue, alpha, for AddressMode::border
};

}  // namespace unshade::texel

// Which levels of a texture a filter reads. src: Direct3D 11.3 functional specification 7.18.10, 7.18.11
#pragma once

#include <array>
#include <cstdint>

#include <unshade/ir/extra.hpp>
#include <unshade/vm/resources.hpp>

namespace unshade::vm::sampling {

using Vector = std::array<double, 3>;

/// What a pixel covers of a texture.
struct Footprint {
  float level = 0;               ///< before bias and clamps
  unsigned samples = 1;          ///< of an anisotropic filter, along `line`
  std::array<double, 2> line{};  ///< the longer axis of the ellipse, in the coordinates of the texture
};

/// `dx`, `dy`: how `place` changes to the next pixel.
Footprint footprint(const texel::Descriptor& texture, const texel::Sampler& sampler, const ir::TextureExtra& extra, const Vector& place,
                    const Vector& dx, const Vector& dy);

/// Two levels, and the weight of the second.
struct Levels {
  std::uint32_t first = 0, second = 0;
  double weight = 0;  ///< 0: the first alone
  bool magnified = false;
};
/// The level with the sampler's clamps.
float clamp_level(const texel::Sampler& sampler, float level);
Levels choose_levels(const texel::Descriptor& texture, const texel::Sampler& sampler, float clamped);

}  // namespace unshade::vm::sampling

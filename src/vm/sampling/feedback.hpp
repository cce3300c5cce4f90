// Which texels of a feedback map stand for a texel of the texture that it is paired with.
// src: Direct3D sampler feedback specification, "MinMip feedback map", "MipRegionUsed feedback map", "Example of non-power-of-two feedback
// maps behavior"
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include <unshade/texel/texture.hpp>
#include <unshade/vm/resources.hpp>

namespace unshade::vm::sampling {

/// Texels of an axis of a map, from `first` to `last`.
struct Regions {
  std::uint32_t first = 0, last = 0;
};

/// The regions of `region` texels of an axis of `size` texels, in a map of `count`, for a texel of a level that has `texels`: the one in
/// which its middle lies; of a texel that is larger than a region all that it touches.
inline Regions regions_of(std::uint64_t texel, std::uint64_t texels, std::uint64_t size, std::uint64_t region, std::uint64_t count) {
  const auto within = [&](std::uint64_t number) { return static_cast<std::uint32_t>(std::min(number, count - 1)); };
  if (texels * region >= size) {
    const std::uint32_t only = within((2 * texel + 1) * size / (2 * texels * region));
    return {only, only};
  }
  return {within(texel * size / (texels * region)), within(((texel + 1) * size - 1) / (texels * region))};
}

/// Calls `visit(std::byte*)` for the texels of a map that stand for a texel of its paired texture.
template <class Visit>
void for_each_region(const texel::Descriptor& map, const texel::Descriptor& paired, const texel::TexelPlace& texel, Visit visit) {
  const bool is_flat = *map.feedback == dxcontainer::SamplerFeedback::min_mip;
  const texel::Level from = texel::level_of(paired, texel.level);
  texel::TexelPlace at{.layer = texel.layer, .level = is_flat ? 0 : texel.level};
  const texel::Level to = texel::level_of(map, at.level);
  if (to.width == 0 || to.height == 0) return;
  // a map of all levels has regions of the level itself
  const Regions columns = regions_of(texel.x, from.width, is_flat ? paired.width : from.width, map.region[0], to.width);
  const Regions rows = regions_of(texel.y, from.height, is_flat ? paired.height : from.height, map.region[1], to.height);
  for (at.y = rows.first; at.y <= rows.last; ++at.y) {
    for (at.x = columns.first; at.x <= columns.last; ++at.x) {
      if (std::byte* const place = texel::texel_at(map, at)) visit(place);
    }
  }
}

}  // namespace unshade::vm::sampling

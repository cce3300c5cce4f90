// Reads texels of a texture and combines them. Docs: docs/internals/sampling.md.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include <unshade/ir/extra.hpp>
#include <unshade/vm/resources.hpp>

#include "vm/sampling/level_of_detail.hpp"

namespace unshade::vm::sampling {

/// Bits of f32, or of i32 for formats of integers.
using Texel = std::array<std::uint32_t, 4>;

/// A texture with its sampler, and the operands of one lane.
struct Request {
  const texel::Descriptor& texture;
  const texel::Sampler& sampler;
  ir::TextureExtra extra;
  Vector place{};     ///< coordinates
  float element = 0;  ///< of an array
  std::array<std::int32_t, 3> offset{};
  float reference = 0;  ///< see TextureExtra::has_reference
};

struct Sampled {
  Texel texel{};
  bool is_mapped = true;  ///< all texels that were read have memory
};
/// The filtered value at a level of detail (with bias and clamps), along a line of an anisotropic filter.
Sampled sample(const Request& request, float level, const Footprint& footprint);
/// The texels that sample() reads, but for those of the border; some may come several times. `to` gets them.
void find_texels(const Request& request, float level, const Footprint& footprint, std::vector<texel::TexelPlace>& to);
/// A component of the four texels around a place, of the first level: (-,+) (+,+) (+,-) (-,-); `offsets` of each, with one for all.
Sampled gather(const Request& request, std::span<const std::array<std::int32_t, 3>> offsets);

}  // namespace unshade::vm::sampling

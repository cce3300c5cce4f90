// Where the levels of a texture lie in its bytes.
#pragma once

#include <array>
#include <cstdint>

#include <unshade/vm/resources.hpp>

namespace unshade::vm {

/// A level of a texture.
struct Level {
  std::uint32_t width = 0, height = 0, depth = 0;
  std::uint64_t offset = 0;        ///< bytes from the start of a layer
  std::uint64_t layer_stride = 0;  ///< bytes from a layer to the next

  /// The texel at (x, y, z), which must be within the level, or the block that it is in; null without memory.
  const std::byte* at(const Descriptor& texture, std::uint32_t x, std::uint32_t y, std::uint32_t z, std::uint32_t layer,
                      std::uint32_t sample) const;
};

/// Whether a place is within a texture, with memory or without.
bool is_inside(const Descriptor& texture, const TexelPlace& place);
/// Nothing (no texels) if the texture has no such level.
Level level_of(const Descriptor& texture, std::uint32_t number);

}  // namespace unshade::vm

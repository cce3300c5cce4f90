// Texels of formats that store several together. src: Direct3D 11.3 functional specification 19.4, 19.5
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include <unshade/texel/formats.hpp>

namespace unshade::texel {

/// Bits of f32 of the texel at (x, y) of a block. `colors`: what red, green and blue of 8 bits mean, by the format.
std::array<std::uint32_t, 4> decode_block(const Format& format, const std::byte* block, unsigned x, unsigned y,
                                          std::span<const float, 256> colors);

}  // namespace unshade::texel

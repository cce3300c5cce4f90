// What becomes of a color in a target.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include <unshade/draw/state.hpp>
#include <unshade/texel/formats.hpp>

namespace unshade::draw {

using Color = std::array<std::uint32_t, 4>;  ///< bits of f32, or of i32 for integer formats

/// Blends, or combines by a logic operation, and stores what the write mask lets through. `second`: of dual source blending.
/// src: Direct3D 11.3 functional specification 17.2 to 17.8
void write_color(const TargetBlend& state, const std::array<float, 4>& factor, const texel::Format& format, const Color& color,
                 const Color& second, std::byte* texel);

/// The samples that an alpha covers: as many of them as its share, the first ones. src: 17.8: the pattern is free
std::uint32_t alpha_coverage(float alpha, unsigned samples);

}  // namespace unshade::draw

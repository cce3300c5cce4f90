// Pictures on terminals that show sixel graphics.
#pragma once

#include <array>
#include <cstdint>

#include <unshade/core/text.hpp>
#include <unshade/picture/picture.hpp>

namespace unshade::picture {

/// Red, green and blue, to 255.
using Color = std::array<std::uint32_t, 3>;
/// The mean of a part of a picture in R8G8B8A8_UNORM, on black.
Color mean_color(const Picture& picture, std::uint32_t left, std::uint32_t top, std::uint32_t right, std::uint32_t bottom);

/// A picture in R8G8B8A8_UNORM, a pixel for each of its, on black. Of more than 256 colors, which sixel has in percent, 216 are made in a
/// pattern of 4x4 pixels. Wider pictures are made as wide as `pixels`.
void write_sixel(const Picture& picture, std::uint32_t pixels, Text& out);

}  // namespace unshade::picture

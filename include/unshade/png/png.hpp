// Pictures in PNG.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include <unshade/core/result.hpp>
#include <unshade/picture/picture.hpp>

namespace unshade::png {

/// A picture in R8G8B8A8_UNORM: its values as they are stored, whatever gamma it states; 16 bits are rounded to 8, and gray and palettes
/// become colors. Errors: bad_magic; bad_value; limit above 2^26 pixels.
Result<picture::Picture> read_png(std::span<const std::byte> file);
/// The first level and layer, as 8 bits of red, green, blue and alpha. Errors: bad_value for formats of integers.
Result<std::vector<std::byte>> write_png(const picture::Picture& picture);

}  // namespace unshade::png

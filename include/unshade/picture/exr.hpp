// Pictures in OpenEXR.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include <unshade/core/result.hpp>
#include <unshade/picture/picture.hpp>

namespace unshade::picture {

/// The first level and layer in lines without compression: channels A, B, G and R that the format has, in 32 bits of float, or whole
/// numbers of formats of integers. sRGB becomes linear. src: openexr.com, "OpenEXR File Layout". Errors: bad_value for formats of blocks.
Result<std::vector<std::byte>> write_exr(const Picture& picture);

bool is_exr(std::span<const std::byte> file);
/// A picture in lines, without compression or with RLE, ZIPS or ZIP: channels R, G, B, A, or Y or Z as the first, as 32 bits of float,
/// whole numbers if all are; one, two or four components, alpha 1 if the file has none. Others are left out. Errors: bad_magic; bad_value,
/// by name for tiles, parts, other compressions and channels of fewer samples; limit above 1 GiB; truncated, missing, out_of_range.
Result<Picture> read_exr(std::span<const std::byte> file);

}  // namespace unshade::picture

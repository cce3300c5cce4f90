// Pictures in OpenEXR.
#pragma once

#include <cstddef>
#include <vector>

#include <unshade/core/result.hpp>
#include <unshade/shader/picture.hpp>

namespace unshade::cli {

/// The first level and layer in lines without compression: channels A, B, G and R that the format has, in 32 bits of float, or whole
/// numbers of formats of integers. sRGB becomes linear. src: openexr.com, "OpenEXR File Layout". Errors: bad_value for formats of blocks.
Result<std::vector<std::byte>> write_exr(const shader::Picture& picture);

}  // namespace unshade::cli

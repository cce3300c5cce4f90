// Blocks whose sizes are stated elsewhere.
#pragma once

#include <cstddef>
#include <span>

#include <unshade/core/view.hpp>

namespace unshade::cli::unpack {

/// Whether a block of LZ4 fills `out` exactly. False in builds without LZ4.
bool unpack_lz4_block(View packed, std::span<std::byte> out);
/// The same of zlib.
bool unpack_zlib_block(View packed, std::span<std::byte> out);

}  // namespace unshade::cli::unpack

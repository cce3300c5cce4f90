// Blocks that are unpacked at once.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include <unshade/core/view.hpp>

namespace unshade::cli::unpack {

/// Whether a block of LZ4 fills `out` exactly. False in builds without LZ4.
bool unpack_lz4_block(View packed, std::span<std::byte> out);
/// The same of zlib.
bool unpack_zlib_block(View packed, std::span<std::byte> out);
/// What a block of zstd holds that states its size, `most` bytes at most. Nothing in builds without zstd.
std::optional<std::vector<std::byte>> unpack_zstd_block(View packed, std::size_t most);

}  // namespace unshade::cli::unpack

// Blocks that are unpacked at once.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include <unshade/core/view.hpp>

namespace unshade::unpack {

/// Unpacks a block of LZ4 to the front of `out`, and returns how many bytes it has. Nothing if it is damaged or has more, and in builds
/// without LZ4.
std::optional<std::size_t> unpack_lz4_block_within(View packed, std::span<std::byte> out);
/// Whether a block of LZ4 fills `out` exactly.
bool unpack_lz4_block(View packed, std::span<std::byte> out);
/// The same of zlib.
bool unpack_zlib_block(View packed, std::span<std::byte> out);
/// What a block of zstd holds that states its size, `most` bytes at most. Nothing in builds without zstd.
std::optional<std::vector<std::byte>> unpack_zstd_block(View packed, std::size_t most);

}  // namespace unshade::unpack

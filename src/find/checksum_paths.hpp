// Checksums without the processor's instructions for them, for tests: elsewhere they are used where there are none.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include <unshade/core/view.hpp>

namespace unshade::find {

std::uint32_t portable_crc32(View bytes, std::uint32_t before);
std::uint32_t portable_crc32c(View bytes, std::uint32_t before);
/// Blocks of 64 bytes.
void portable_sha1_blocks(std::array<std::uint32_t, 5>& state, const std::byte* bytes, std::size_t count);
/// The fastest of this machine.
void sha1_blocks(std::array<std::uint32_t, 5>& state, const std::byte* bytes, std::size_t count);

}  // namespace unshade::find

// Checksums and hashes by which other tools call shaders.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include <unshade/core/view.hpp>

namespace unshade::find {

/// CRC-32 as zlib, PNG and Ethernet have it (polynomial 0x04c11db7, reflected). `before`: the checksum of the bytes in front. src: RFC
/// 1952, 8
std::uint32_t crc32(View bytes, std::uint32_t before = 0);

/// CRC-32C, as SSE4.2 computes it (Castagnoli, polynomial 0x1edc6f41, reflected). src: RFC 3720, B.4
std::uint32_t crc32c(View bytes, std::uint32_t before = 0);

/// What FNV-1 begins with; 3Dmigoto begins with 0. src: RFC 9923, 2.2
inline constexpr std::uint64_t kFnvBasis = 0xcbf2'9ce4'8422'2325;

/// FNV-1 of 64 bits: each byte multiplies, then is added by exclusive or.
std::uint64_t fnv1_64(View bytes, std::uint64_t basis = kFnvBasis);

/// The same from two beginnings at once: each step waits for the one before, so two take no longer than one.
std::array<std::uint64_t, 2> fnv1_64(View bytes, std::array<std::uint64_t, 2> bases);

/// Whether the library was built with xxHash's header.
bool has_xxh3();
/// XXH3 of 128 bits, seed 0, the highest byte first, as xxh128sum prints it; zeros without xxHash. src: xxHash, doc/xxhash_spec.md
std::array<std::byte, 16> xxh3_128(View bytes);
/// XXH3 of 64 bits; 0 without xxHash.
std::uint64_t xxh3_64(View bytes, std::uint64_t seed);

/// SHA-1. src: RFC 3174
std::array<std::byte, 20> sha1(View bytes);

}  // namespace unshade::find

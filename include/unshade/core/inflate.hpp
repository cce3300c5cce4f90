// zlib streams of a known size.
#pragma once

#include <cstddef>
#include <span>

namespace unshade {

/// Fills `out`, whose size is that of the content, from a zlib stream. False if the stream is damaged, or its content has another size.
/// Writes no more than `out`. src: RFC 1950, RFC 1951
bool inflate_zlib(std::span<const std::byte> zlib, std::span<std::byte> out);

}  // namespace unshade

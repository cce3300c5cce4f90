// How alike two shaders are, by the sequence of their opcodes.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace unshade::find {

/// A MinHash over the runs of kGram opcodes of a shader: of each of kSketchHashes hash functions the lowest 16 bits of the lowest value.
/// Operands, names and constants do not count. src: A. Broder, On the resemblance and containment of documents, 1997
inline constexpr std::size_t kGram = 4;
inline constexpr std::size_t kSketchHashes = 32;
using Sketch = std::array<std::uint16_t, kSketchHashes>;

/// Of fewer opcodes than kGram, all of them are the one run.
Sketch sketch_of(std::span<const std::uint32_t> opcodes);

/// The part of both sketches that is the same, from 0 to 1: an estimate of how many of the runs of either shader both have. Its standard
/// deviation is 0.09 at most.
double similarity(const Sketch& a, const Sketch& b);

}  // namespace unshade::find

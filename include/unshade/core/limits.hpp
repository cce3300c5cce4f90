// Every bound that protects a reader from its input, in one place.
#pragma once

#include <cstddef>
#include <cstdint>

namespace unshade::limits {

/// Largest file that is opened. Offsets in every format we read are 32 bits wide.
inline constexpr std::uint64_t kFileBytes = 0x7fff'ffff;

/// How deep records may nest (struct types, groups of fields). fxc's own limit on nested structs is far below.
inline constexpr unsigned kNesting = 64;

/// How deep an operand may index by operands that are themselves indexed. fxc writes two levels.
inline constexpr unsigned kOperandNesting = 4;

/// How many parts a container may have. Those seen have 11 at most; parts may lie inside each other, so that a small file could have any
/// number of large ones.
inline constexpr std::uint32_t kParts = 4096;

/// How many fields the tree of a file may have: `size / kTreeBytes * kTreeFields + kTreeBase`. Real files have 0.39 a byte at most.
inline constexpr std::size_t kTreeFields = 5;
inline constexpr std::size_t kTreeBytes = 8;
inline constexpr std::size_t kTreeBase = 4096;

/// How many resources a program may declare. Direct3D 11 binds 222 to a stage at most. src: d3d11.h, D3D11_COMMONSHADER_*_SLOT_COUNT
inline constexpr std::size_t kDeclaredResources = 4096;

/// A reader may look at no more than `kWorkPerByte * size + kWorkBase` bytes of a part. Records that share bytes (types, strings) are
/// read more than once, so this is over 1 (real parts need 2 at most); tables that overlap on purpose to multiply themselves run into it.
inline constexpr std::size_t kWorkPerByte = 4;
inline constexpr std::size_t kWorkBase = 4096;

/// Types are shared, so that nested structs can expand to far more text than the part has bytes. Where the text of a part's buffers grows
/// beyond `kExpandedTextPerByte * size + kExpandedTextBase` characters, structs print as `...`. Real files need 3 at most.
inline constexpr std::size_t kExpandedTextPerByte = 12;
inline constexpr std::size_t kExpandedTextBase = std::size_t{1} << 18;

}  // namespace unshade::limits

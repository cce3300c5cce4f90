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

/// A reader may look at no more than `kWorkPerByte * size + kWorkBase` bytes of a part. Records that share bytes (types, strings) are
/// read more than once, so this is over 1 (real parts need 2 at most); tables that overlap on purpose to multiply themselves run into it.
inline constexpr std::size_t kWorkPerByte = 4;
inline constexpr std::size_t kWorkBase = 4096;

/// Types are shared, so that nested structs can expand to far more text than the part has bytes. Where the text of a part's buffers grows
/// beyond `kExpandedTextPerByte * size + kExpandedTextBase` characters, structs print as `...`.
inline constexpr std::size_t kExpandedTextPerByte = 48;
inline constexpr std::size_t kExpandedTextBase = std::size_t{1} << 18;

}  // namespace unshade::limits

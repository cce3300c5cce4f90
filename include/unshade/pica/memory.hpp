// Programs as the GPU holds them: words of code and operand descriptors that were uploaded to fixed memories, where nothing says how many
// of them belong to the last program. Emulators store such memories.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include <unshade/core/result.hpp>
#include <unshade/pica/shbin.hpp>

namespace unshade::pica {

/// Words of code, and operand descriptors, that an emulator has room for.
inline constexpr std::size_t kMemoryWords = 4096;
/// Outputs that the rasterizer takes.
inline constexpr std::size_t kMappedOutputs = 7;

/// An entry point, and what registers of the GPU say of its outputs. src: 3dbrew, GPU/Internal Registers
struct MemoryEntry {
  std::uint16_t entry_words = 0;  ///< GPUREG_VSH_ENTRYPOINT
  std::uint16_t output_mask = 0;  ///< GPUREG_VSH_OUTMAP_MASK: bit n: on leaves the shader
  std::uint8_t output_count = 0;  ///< GPUREG_SH_OUTMAP_TOTAL: outputs that have a map
  /// GPUREG_SH_OUTMAP_O0 to O6, of the outputs of the mask one after the other: a byte with a semantic for each component.
  std::array<std::uint32_t, kMappedOutputs> output_maps{};

  friend bool operator==(const MemoryEntry&, const MemoryEntry&) = default;
};

/// A file of the code that vertex shaders reach in memory, with an executable for each entry point. Words after the last one that is
/// reached are left out, and descriptors after the last one in use: earlier programs may have left them there. Names and constants are
/// not in these memories, so the file has none. Errors: out_of_range if an entry point lies after the words.
Result<Shbin> shbin_of_memory(std::span<const std::uint32_t> words, std::span<const std::uint32_t> descriptors,
                              std::span<const MemoryEntry> entries);

}  // namespace unshade::pica

// Rows: a value of all lanes of a wave, one lane behind the other, in slots and in private memory. What is done with whole rows, compiled
// for each instruction set. Files for other instruction sets than the least include this header: it has plain data alone.
#pragma once

#include <cstddef>
#include <cstdint>

#include "vm/code.hpp"

namespace unshade::vm {

enum class Isa : std::uint8_t;

/// A number of each lane that tells where it accesses memory.
struct PlaceTerm {
  static constexpr std::uint16_t kNothing = 0xffff;

  std::uint16_t slot = kNothing;  ///< words
  std::uint16_t plus = kNothing;  ///< words that are added to them, modulo 2^32
  std::uint32_t last = ~0U;       ///< a lane whose number is larger is outside
  std::uint32_t low = 0;          ///< and so is one whose number has one of these bits
  std::uint32_t scale = 1;        ///< bytes from one number to the next
};

/// Where the lanes of a wave access memory: `base`, `lane_step` by the number of the lane, and the numbers of all terms by their scales,
/// modulo 2^32. A lane whose numbers are outside of theirs, or whose place is beyond `limit`, is outside.
struct Places {
  PlaceTerm terms[5];
  unsigned count = 0;  ///< of terms
  std::uint32_t base = 0, lane_step = 0, limit = ~0U;
};

/// The slots of a wave.
struct SlotRows {
  std::byte* first;
  std::size_t bytes;  ///< of a slot

  std::byte* row(unsigned slot) const { return first + slot * bytes; }
};

/// Lanes, bit i of word i / 64. LaneMask has the same.
using LaneBits = std::uint64_t[2];

/// `width`: lanes of the wave. If it is not kNarrow, rows are read and written kChunk lanes at a time: memory goes on for so many, and what
/// lies in lanes that a mask does not have stays as it was.
struct RowFunctions {
  /// Where lanes that run are, and in `outside` those that are outside, which get place 0 as those that do not run.
  void (*places)(const Places& places, const SlotRows& slots, const LaneBits& exec, unsigned width, std::uint32_t* to, LaneBits& outside);
  /// Loads `words` words of each lane that runs, the first one from its place in `memory`, into as many rows from slot `to` on. Lanes that
  /// are outside get nothing, and are in `outside`.
  void (*load)(const Places& places, const SlotRows& slots, const std::byte* memory, const LaneBits& exec, unsigned width, unsigned words,
               unsigned to, LaneBits& outside);
  /// Stores the words of slot `from` likewise, lane by lane in their order.
  void (*store)(const Places& places, const SlotRows& slots, std::byte* memory, const LaneBits& exec, unsigned width, unsigned from,
                LaneBits& outside);
  /// The lanes of which the next one's place is `step` behind theirs. `places`: of all lanes and one more.
  void (*followed)(const std::uint32_t* places, std::uint32_t step, unsigned width, LaneBits& to);
  /// Does copies one after the other in the lanes of a mask.
  void (*copy)(const SlotRows& slots, const Copy* copies, unsigned count, const LaneBits& lanes, unsigned width);
  /// Copies the words of a row in the lanes of a mask.
  void (*copy_row)(std::byte* to, const std::byte* from, const LaneBits& lanes, unsigned width);
  /// The lanes whose word has its highest bit.
  void (*negative)(const std::byte* row, unsigned width, LaneBits& to);
};

/// Those for an instruction set.
const RowFunctions& row_functions(Isa isa);

}  // namespace unshade::vm

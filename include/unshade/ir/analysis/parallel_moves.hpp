// Assignments that happen at once, as those of phis on an edge do, done one after the other.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace unshade::ir {

/// What one assignment reads and writes: places of any kind, by number. No two of one set write the same.
struct ParallelMove {
  std::vector<std::uint32_t> reads, writes;
};

/// A step of their order.
struct MoveStep {
  enum class Kind : std::uint8_t {
    whole,    ///< reads and writes
    keep,     ///< reads only: what is assigned is kept in a place of its own, since others overwrite what it reads
    restore,  ///< writes what was kept
  };
  std::uint32_t move = 0;  ///< in the list given
  Kind kind = Kind::whole;
  bool operator==(const MoveStep&) const = default;
};

/// One whose target no other still reads goes first; of a cycle, one is kept. In proportion to what is read and written.
std::vector<MoveStep> order_moves(std::span<const ParallelMove> moves);

}  // namespace unshade::ir

// The states that a PICA200 program can be in: the hardware knows no structure, only a program counter that is compared after each
// instruction with the tops of three rings. What is found here is a graph without calls or blocks.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <unshade/core/result.hpp>
#include <unshade/pica/instruction.hpp>

namespace unshade::ir::lower_pica {

/// Target of an edge that has no state as its target.
inline constexpr std::uint32_t kEnd = 0xffff'ffff;   ///< the program ends
inline constexpr std::uint32_t kTrap = 0xffff'fffe;  ///< a break without a loop, or beyond the code: the hardware hangs

/// A slot of the ring of loops: which of the variables of counters and saved aL are its own.
inline constexpr unsigned kLoopSlots = 4;

struct Edge {
  enum class Loop : std::uint8_t {
    none,   ///< no loop ends here
    again,  ///< the innermost loop runs once more
    done,   ///< it has run its last round
  };
  bool taken = false;  ///< of an instruction with a condition: whether it holds
  Loop loop = Loop::none;
  std::uint8_t slot = 0;          ///< of the loop
  std::uint8_t integer = 0;       ///< its integer uniform
  bool restores_counter = false;  ///< another loop is around it: aL is that one's again
  std::uint32_t next = kEnd;      ///< index of a state, kEnd or kTrap
};

struct Node {
  std::uint16_t pc = 0;
  std::uint8_t loop_slot = 0;  ///< of `for` and `break`: the slot of the loop that begins or is left
  bool leaves_nested = false;  ///< of `break`: another loop is around the one that is left
  std::vector<Edge> edges;     ///< those not taken first
};

/// All states that can be reached from `entry`, in the order of a walk that takes fall-through edges before jumps; the first is the entry.
/// Errors: limit. Their offset is that of the word in the code, bytes.
Result<std::vector<Node>> explore(const std::vector<pica::Instruction>& code, std::uint32_t entry);

/// Of each state that begins a block, how many edges enter it, and of others 0. One begins a block if it has more than one incoming edge,
/// or one of several edges of an instruction; the first one, by the edge that the entry is, does always.
std::vector<std::uint32_t> find_leaders(const std::vector<Node>& nodes);

}  // namespace unshade::ir::lower_pica

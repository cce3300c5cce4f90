// Functions with copies of some of their blocks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <unshade/core/result.hpp>
#include <unshade/ir/module.hpp>

namespace unshade::ir::structure {

/// The blocks of a function that is to be made: each is a copy of one that is there, with edges to others. The first is the entry.
struct Plan {
  std::vector<BlockId> original;
  std::vector<std::vector<std::uint32_t>> targets;  ///< one for each block that the terminator names, in its order

  /// Each block once, in the order of blocks.
  explicit Plan(const Function& function);
  /// A copy of a block, with the same edges.
  std::uint32_t copy(std::uint32_t block);
};

/// How many instructions a block has.
std::size_t size_of(const Function& function, BlockId block);

/// The function that a plan describes, in canonical form; what cannot be reached is left out. `room`: the steps that this may take, which
/// are at most the values that are used in other blocks times the blocks, and are taken from it. Errors: limit, if there is no room, or the
/// function would be too large.
Result<Function> made(const Function& function, const Plan& plan, std::size_t& room);

/// An irreducible function with copies of blocks, so that every cycle is entered at one block. src: S. Unger, F. Mueller, "Handling
/// Irreducible Loops: Optimized Node Splitting versus DJ-Graphs", 2002. Errors: limit, if that takes too many.
Result<Function> reducible(const Function& function);

}  // namespace unshade::ir::structure

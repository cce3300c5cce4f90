// The control flow of a function: its graph, dominators, loops, and the ranges that loops have in the order of blocks.
#pragma once

#include <cstdint>
#include <vector>

#include <unshade/core/graph.hpp>
#include <unshade/ir/module.hpp>

namespace unshade::ir {

struct Flow {
  Graph graph;  ///< nodes are blocks; of those that stand in no order, none is reachable
  Dominators dominators;
  Loops loops;
  std::vector<std::uint32_t> place;  ///< of a block in the order; kNone if it is not in it
  std::vector<std::uint32_t> end;    ///< of a header, the last place of a block of its loop, which is that of the latch in canonical form
  /// Header of the innermost range that a block is in. Ranges may hold blocks besides those of the loop: they leave it, but run in each
  /// round.
  std::vector<BlockId> range;
  std::vector<BlockId> outer;  ///< of a header, that of the range around its own
  bool nested = true;          ///< whether of any two ranges one holds the other, or they have no block in common

  explicit Flow(const Function& function) { examine(function); }
  void examine(const Function& function);

  /// Whether a block is in the range of a header, or `header` is kNone.
  bool in_range(BlockId header, BlockId block) const {
    return header == kNone || (place[block] >= place[header] && place[block] <= end[header]);
  }
};

}  // namespace unshade::ir

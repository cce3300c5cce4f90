// Where each block stands in the tree of its function: below the branch that leads to it, or after the block or loop that it follows.
#pragma once

#include <cstdint>
#include <vector>

#include <unshade/ir/module.hpp>

#include "ir/flow.hpp"

namespace unshade::ir::structure {

/// Blocks in a list, by the order of blocks.
struct Followers {
  std::vector<BlockId> first, next;  ///< of what they follow; of each of them

  explicit Followers(std::size_t blocks) : first(blocks, kNone), next(blocks, kNone), last_(blocks, kNone) {}
  void add(BlockId followed, BlockId block) {
    (first[followed] == kNone ? first[followed] : next[last_[followed]]) = block;
    last_[followed] = block;
  }

 private:
  std::vector<BlockId> last_;
};

class Places {
 public:
  Places(const Function& function, const Flow& flow);

  bool is_header(BlockId block) const { return flow_.loops.is_header(block); }
  BlockId latch(BlockId header) const { return function_.order[flow_.end[header]]; }
  /// The block whose terminator is where a block is printed; kNone of the entry and of blocks that follow something.
  BlockId arm_of(BlockId block) const { return arm_of_[block]; }
  /// The first block that follows another after the paths from it have met, and of a header within the loop; kNone: none.
  BlockId first_after(BlockId block) const { return after_.first[block]; }
  BlockId next_after(BlockId block) const { return after_.next[block]; }
  /// The same of what follows a loop.
  BlockId first_after_loop(BlockId header) const { return after_loop_.first[header]; }
  BlockId next_after_loop(BlockId block) const { return after_loop_.next[block]; }
  /// Whether a block does nothing but return.
  bool only_returns(BlockId block) const;

 private:
  /// A block after a loop, and the loop's header.
  struct Exit {
    BlockId block, header;
    bool one_way;
  };

  void find_depths();
  void place_blocks();
  std::vector<BlockId> find_loops_left();
  void place_exits(std::vector<Exit>& exits);
  bool only_leads_on(BlockId header, BlockId block) const;
  bool has_one_way(BlockId block) const;
  BlockId loop_around(BlockId block) const { return is_header(block) ? flow_.outer[block] : flow_.range[block]; }
  std::uint32_t depth_of(BlockId header) const { return header == kNone ? 0 : depth_[header]; }

  const Function& function_;
  const Flow& flow_;
  std::vector<std::uint32_t> depth_;  ///< of headers: how many loops their block is in
  std::vector<BlockId> arm_of_;
  Followers after_, after_loop_;
};

}  // namespace unshade::ir::structure

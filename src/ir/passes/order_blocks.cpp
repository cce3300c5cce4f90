// A topological order in which a loop is finished before anything after it begins. Each loop has a heap of blocks that may come next; that
// of the innermost loop that has begun is emptied first.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <numeric>
#include <queue>
#include <span>
#include <utility>
#include <vector>

#include <unshade/ir/passes.hpp>

#include "ir/flow.hpp"
#include "ir/passes/order.hpp"

namespace unshade::ir::passes {
namespace {

using Key = std::pair<std::uint32_t, BlockId>;

// Loops that contain others, with blocks that leave a loop taken into it if they stood in its range in the file: lanes that break run them
// in their round, which is where lanes reconverge.
class Nest {
 public:
  Nest(const Flow& flow, std::span<const std::uint32_t> position) : flow_(flow) {
    const auto blocks = position.size();
    outer_.assign(blocks, kNone);
    depth_.assign(blocks, 0);
    inside_.assign(blocks, kNone);
    std::vector<Key> latch(blocks);
    std::vector<bool> is_latch(blocks);
    for (const auto& [from, to] : flow.loops.back_edges()) {
      latch[to] = std::max(latch[to], Key(position[from], from));
      is_latch[from] = true;
    }
    for (const BlockId block : flow.dominators.reverse_postorder()) {
      BlockId loop = natural(block);
      const BlockId meet = meet_of_predecessors(block);
      for (BlockId at = meet; at != loop && at != kNone; at = outer_[at]) {
        const Key key(position[block], block);
        if (!is_latch[block] && Key(position[at], at) < key && key < latch[at]) {
          loop = at;
          break;
        }
      }
      inside_[block] = loop;
      if (!flow.loops.is_header(block)) continue;
      outer_[block] = loop;
      depth_[block] = loop == kNone ? 1 : depth_[loop] + 1;
    }
  }

  /// Header of the loop that a block stands in; of a header, that of the loop around its own.
  BlockId loop_of(BlockId block) const { return inside_[block]; }
  BlockId outer(BlockId header) const { return outer_[header]; }

 private:
  // deeper loops take no blocks in, so that any nesting takes linear time
  static constexpr std::uint32_t kDepth = 64;

  BlockId natural(BlockId block) const {
    return flow_.loops.is_header(block) ? flow_.loops.enclosing(block) : flow_.loops.header_of(block);
  }

  // The innermost loop that all predecessors but latches are in.
  BlockId meet_of_predecessors(BlockId block) const {
    BlockId meet = kNone;
    bool any = false;
    for (const BlockId from : flow_.graph.predecessors(block)) {
      if (!flow_.dominators.reachable(from) || flow_.dominators.dominates(block, from)) continue;
      BlockId loop = flow_.loops.is_header(from) ? from : inside_[from];
      if (depth_of(loop) > kDepth || depth_of(meet) > kDepth) return natural(block);
      if (!std::exchange(any, true)) meet = loop;
      while (meet != loop) {
        BlockId& deeper = depth_of(meet) >= depth_of(loop) ? meet : loop;
        deeper = outer_[deeper];
      }
    }
    return meet;
  }
  std::uint32_t depth_of(BlockId header) const { return header == kNone ? 0 : depth_[header]; }

  const Flow& flow_;
  std::vector<BlockId> inside_, outer_;
  std::vector<std::uint32_t> depth_;
};

}  // namespace

void order_function(Function& function, std::span<const std::uint32_t> position) {
  if (function.order.size() == 1) {
    function.irreducible = false;
    return;
  }
  const Flow flow(function);
  std::erase_if(function.order, [&](BlockId block) { return !flow.dominators.reachable(block); });
  function.irreducible = flow.loops.irreducible().has_value();
  const auto key = [&](BlockId block) { return Key(position[block], block); };
  if (function.irreducible) {
    // any order will do that begins with the entry
    std::ranges::sort(function.order, {}, [&](BlockId block) { return std::pair(block != 0, key(block)); });
    return;
  }
  const Nest nest(flow, position);
  std::vector<std::uint32_t> waits(function.blocks.size());  // for edges from blocks that are not placed yet
  for (const BlockId block : function.order) {
    for (const BlockId to : flow.graph.successors(block)) waits[to] += flow.dominators.dominates(to, block) ? 0 : 1;
  }
  using Heap = std::priority_queue<Key, std::vector<Key>, std::greater<>>;
  std::vector<Heap> heaps(function.blocks.size() + 1);  // by header; the last of what is in no loop
  const auto heap_of = [&](BlockId header) -> Heap& { return header == kNone ? heaps.back() : heaps[header]; };
  std::vector<BlockId> order;
  heaps.back().push(key(0));
  for (BlockId loop = kNone;;) {
    Heap& heap = heap_of(loop);
    if (heap.empty()) {
      if (loop == kNone) break;
      loop = nest.outer(loop);
      continue;
    }
    const BlockId block = heap.top().second;
    heap.pop();
    order.push_back(block);
    if (flow.loops.is_header(block)) loop = block;
    for (const BlockId to : flow.graph.successors(block)) {
      if (!flow.dominators.dominates(to, block) && --waits[to] == 0) heap_of(nest.loop_of(to)).push(key(to));
    }
  }
  function.order = std::move(order);
}

std::size_t order_blocks(Module& module) {
  std::size_t moved = 0;
  for (Function& function : module.functions) {
    std::vector<std::uint32_t> position(function.blocks.size());
    std::iota(position.begin(), position.end(), 0U);
    const auto before = function.order;
    order_function(function, position);
    for (std::size_t at = 0; at < before.size() && at < function.order.size(); ++at) moved += before[at] != function.order[at] ? 1 : 0;
  }
  return moved;
}

}  // namespace unshade::ir::passes

#include "ir/structure/places.hpp"

#include <algorithm>
#include <cstddef>

namespace unshade::ir::structure {

Places::Places(const Function& function, const Flow& flow)
    : function_(function),
      flow_(flow),
      arm_of_(function.blocks.size(), kNone),
      after_(function.blocks.size()),
      after_loop_(function.blocks.size()) {
  find_depths();
  place_blocks();
}

bool Places::only_returns(BlockId block) const {
  Id id = function_.blocks[block].first;
  while (id != kNone && function_.insts[id].op == Op::phi) id = function_.next[id];
  return id != kNone && (function_.insts[id].op == Op::return_ || function_.insts[id].op == Op::unreachable);
}

void Places::find_depths() {
  depth_.assign(function_.blocks.size(), 0);
  for (const BlockId block : function_.order)
    if (is_header(block)) depth_[block] = depth_of(flow_.outer[block]) + 1;
}

/// Whether one edge leads to a block, or labels of one switch do. Edges from a latch are not counted.
bool Places::has_one_way(BlockId block) const {
  const BlockId from = flow_.dominators.immediate_dominator(block);
  std::size_t edges = 0;
  for (const BlockId before : flow_.graph.predecessors(block)) {
    if (flow_.place[before] >= flow_.place[block]) continue;
    if (before != from) return false;
    ++edges;
  }
  return edges == 1 || function_.insts[function_.blocks[from].last].op == Op::switch_;
}

// By block: header of the outermost loop that its immediate dominator is in and the block is not; kNone: there is none. The loops around
// the dominator are those that are open where it stands in the order.
std::vector<BlockId> Places::find_loops_left() {
  const std::size_t count = function_.blocks.size();
  std::vector<BlockId> left(count, kNone);
  Followers dominated(count);
  for (const BlockId block : function_.order) {
    const BlockId above = flow_.dominators.immediate_dominator(block);
    if (above != kNone && depth_of(flow_.range[above]) > depth_of(loop_around(block))) dominated.add(above, block);
  }
  std::vector<BlockId> open;
  for (const BlockId block : function_.order) {
    open.resize(depth_of(loop_around(block)));
    if (is_header(block)) open.push_back(block);
    for (BlockId below = dominated.first[block]; below != kNone; below = dominated.next[below])
      left[below] = open[depth_of(loop_around(below))];
  }
  return left;
}

// What only returns stands last, after all that goes on to it, or in no place of its own where a loop would have to go around it: wherever
// an edge leads to it, a return can be printed instead.
void Places::place_blocks() {
  const std::vector<BlockId> left = find_loops_left();
  std::vector<Exit> exits;
  std::vector<BlockId> returns;
  for (const BlockId block : function_.order) {
    const BlockId above = flow_.dominators.immediate_dominator(block);
    if (above == kNone) continue;
    const BlockId loop = flow_.range[block];
    const bool one_way = has_one_way(block);
    if (loop != kNone && loop != block && latch(loop) == block) {
      after_.add(loop, block);  // the last of its loop, where all that continues meets
    } else if (!one_way && only_returns(block)) {
      if (loop == kNone) returns.push_back(block);
    } else if (left[block] != kNone) {
      exits.push_back({block, left[block], one_way});
    } else if (one_way) {
      arm_of_[block] = above;
    } else {
      after_.add(above, block);
    }
  }
  place_exits(exits);
  for (const BlockId block : returns) {
    if (left[block] != kNone) {
      after_loop_.add(left[block], block);
    } else {
      after_.add(flow_.dominators.immediate_dominator(block), block);
    }
  }
}

// Blocks that are entered from a loop alone and stand after it. If all of them have one way to them, the one that most code belongs to
// follows the loop. What else has one way to it is printed in the loop, where it is left, so that every break goes to one block; but no
// operations of waves and quads, since lanes meet after the loop for them.
void Places::place_exits(std::vector<Exit>& exits) {
  const std::size_t count = function_.blocks.size();
  // Of a block: how many it dominates, and whether lanes act together in one of them.
  std::vector<std::uint32_t> size(count, 1);
  std::vector<bool> together(count, false);
  for (std::size_t at = exits.empty() ? 0 : function_.order.size(); at-- > 1;) {
    const BlockId block = function_.order[at], above = flow_.dominators.immediate_dominator(block);
    for (Id id = function_.blocks[block].first; id != kNone && !together[block]; id = function_.next[id])
      together[block] = has(info(function_.insts[id].op).effects, Effects::wave | Effects::quad);
    size[above] += size[block];
    if (together[block]) together[above] = true;
  }
  std::vector<BlockId> end(count, kNone);  // of a header
  std::vector<bool> meets(count, false);
  for (Exit& exit : exits) {
    if (only_returns(exit.block)) size[exit.block] = 0;
    BlockId& best = end[exit.header];
    if (exit.one_way && (best == kNone || size[exit.block] >= size[best])) best = exit.block;
    if (!exit.one_way) meets[exit.header] = true;
  }
  for (Exit& exit : exits) {
    exit.one_way = exit.one_way && !together[exit.block];
    if (!exit.one_way && end[exit.header] != exit.block) meets[exit.header] = true;
  }
  for (const BlockId header : function_.order)
    if (end[header] != kNone && (meets[header] || (size[end[header]] == 1 && only_leads_on(header, end[header])))) end[header] = kNone;
  for (const Exit& exit : exits) {
    if (!exit.one_way || end[exit.header] == exit.block) {
      after_loop_.add(exit.header, exit.block);
    } else {
      arm_of_[exit.block] = flow_.dominators.immediate_dominator(exit.block);
    }
  }
}

// Whether a block after a loop leads to one that other ways out of the loop lead to as well.
bool Places::only_leads_on(BlockId header, BlockId block) const {
  constexpr std::size_t kLooked = 16;
  const Id last = function_.blocks[block].last;
  if (function_.insts[last].op != Op::jump) return false;
  const auto before = flow_.graph.predecessors(function_.operands_of(last)[0]);
  return std::ranges::any_of(before.first(std::min(before.size(), kLooked)),
                             [&](BlockId from) { return from != block && flow_.dominators.dominates(header, from); });
}

}  // namespace unshade::ir::structure

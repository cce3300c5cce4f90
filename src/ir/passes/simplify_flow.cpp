#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include <unshade/ir/builder.hpp>
#include <unshade/ir/passes.hpp>

#include "ir/flow.hpp"

namespace unshade::ir::passes {
namespace {

class Simplify {
 public:
  explicit Simplify(Function& function) : function_(function) {}

  std::size_t run() {
    for (const BlockId block : function_.order) decide(block);
    link_predecessors(function_);
    if (!function_.irreducible && function_.order.size() > 1) {
      skip_empty_blocks();
      join_blocks();
    }
    return changes_;
  }

 private:
  // A terminator that leads to one block in any case becomes a jump.
  void decide(BlockId block) {
    const Id last = function_.blocks[block].last;
    const Inst& inst = function_.insts[last];
    if (inst.op != Op::branch && inst.op != Op::switch_) return;
    const auto operands = std::as_const(function_).operands_of(last);
    BlockId only = operands[1];
    bool several = false;
    for_each_successor(function_, block, [&](BlockId to) { several |= to != only; });
    if (function_.insts[operands[0]].op == Op::constant) {
      only = target(inst.op, operands, constant_bits(function_, operands[0]));
    } else if (several) {
      return;
    }
    ++changes_;
    const Id jump = append(function_, Op::jump, Type::void_, std::span(&only, 1));
    if (!function_.sources.empty()) function_.sources[jump] = function_.sources[last];
    remove(function_, last);
    insert_at_end(function_, block, jump);
  }
  BlockId target(Op op, std::span<const std::uint32_t> operands, std::uint64_t value) const {
    if (op == Op::branch) return operands[value != 0 ? 1 : 2];
    for (std::size_t at = 2; at + 1 < operands.size(); at += 2) {
      if (constant_bits(function_, operands[at]) == value) return operands[at + 1];
    }
    return operands[1];
  }

  bool has_phis(BlockId block) const {
    const Id first = function_.blocks[block].first;
    return first != kNone && function_.insts[first].op == Op::phi;
  }

  // Edges to a block of a jump alone go where it leads, unless values come from there, or it is a loop's latch.
  void skip_empty_blocks() {
    const Flow flow(function_);
    std::vector<BlockId> instead(function_.blocks.size(), kNone);
    bool any = false;
    for (const BlockId block : function_.order) {
      const Id only = function_.blocks[block].first;
      if (block == 0 || function_.insts[only].op != Op::jump) continue;
      const BlockId to = function_.operands_of(only)[0];
      if (has_phis(to) || flow.place[to] <= flow.place[block] || flow.range[to] != flow.range[block]) continue;
      instead[block] = to;
      any = true;
      ++changes_;
    }
    if (!any) return;
    // each leads to a later one
    for (auto block = function_.order.rbegin(); block != function_.order.rend(); ++block) {
      BlockId& to = instead[*block];
      if (to != kNone && instead[to] != kNone) to = instead[to];
    }
    for (const BlockId block : function_.order) {
      const Id last = function_.blocks[block].last;
      const auto operands = function_.operands_of(last);
      for (std::size_t at = 0; at < operands.size(); ++at) {
        if (!is_block_operand(function_.insts[last].op, at)) continue;
        if (instead[operands[at]] != kNone) operands[at] = instead[operands[at]];
      }
    }
    link_predecessors(function_);
  }

  // A block and the only one that follows it, which nothing else leads to, are one. They stand in the same loops, one directly after the
  // other, so that operations of waves see the lanes that they saw.
  void join_blocks() {
    const Flow flow(function_);
    const std::size_t before = changes_;
    std::vector<Id> value(function_.insts.size(), kNone);
    for (const BlockId block : function_.order) {
      last_joined_ = block;
      while (joins(flow, block)) {
        const Id jump = function_.blocks[block].last;
        const BlockId next = function_.operands_of(jump)[0];
        ++changes_;
        remove(function_, jump);
        for (Id id = function_.blocks[next].first, after = kNone; id != kNone; id = after) {
          after = function_.next[id];
          remove(function_, id);
          if (function_.insts[id].op == Op::phi) {
            value[id] = function_.operands_of(id)[0];
          } else {
            insert_at_end(function_, block, id);
          }
        }
        function_.blocks[block].merge = function_.blocks[next].merge;
        function_.blocks[block].continue_ = function_.blocks[next].continue_;
        take_edges(block, next);
        last_joined_ = next;
      }
    }
    if (changes_ == before) return;
    replace_uses(function_, value);
    std::erase_if(function_.order, [&](BlockId block) { return function_.blocks[block].first == kNone; });
    link_blocks(function_);
  }

  bool joins(const Flow& flow, BlockId block) const {
    const Id last = function_.blocks[block].last;
    if (last == kNone || function_.insts[last].op != Op::jump) return false;
    const BlockId next = function_.operands_of(last)[0];
    const Id before = function_.previous[last];
    const bool after_barrier = before != kNone && function_.insts[before].op == Op::barrier;
    return next != block && !after_barrier && function_.blocks[next].predecessor_count == 1 && flow.range[block] == flow.range[next] &&
           flow.place[next] == flow.place[last_joined_] + 1;
  }

  // Successors of `next` come from `block` now; the operands of their phis keep their places, which are sorted again when blocks are
  // linked.
  void take_edges(BlockId block, BlockId next) {
    for_each_successor(function_, block, [&](BlockId to) {
      Block& target = function_.blocks[to];
      const auto origins = std::span(function_.predecessors).subspan(target.first_predecessor, target.predecessor_count);
      const auto found = std::ranges::find(origins, next);
      if (found == origins.end()) return;
      *found = block;
      std::vector<std::pair<BlockId, std::size_t>> places;
      for (std::size_t at = 0; at < origins.size(); ++at) places.emplace_back(origins[at], at);
      if (std::ranges::is_sorted(places)) return;
      std::ranges::sort(places);
      for (std::size_t at = 0; at < origins.size(); ++at) origins[at] = places[at].first;
      std::vector<std::uint32_t> moved;
      for (Id id = target.first; id != kNone && function_.insts[id].op == Op::phi; id = function_.next[id]) {
        const auto operands = function_.operands_of(id);
        moved.assign(operands.begin(), operands.end());
        for (std::size_t at = 0; at < operands.size(); ++at) operands[at] = moved[places[at].second];
      }
    });
  }

  Function& function_;
  BlockId last_joined_ = kNone;
  std::size_t changes_ = 0;
};

}  // namespace

std::size_t simplify_flow(Module& module) {
  std::size_t changes = 0;
  for (Function& function : module.functions) changes += Simplify(function).run();
  if (changes != 0) canonicalize(module);
  return changes;
}

}  // namespace unshade::ir::passes

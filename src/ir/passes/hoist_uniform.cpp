#include <algorithm>
#include <cstddef>
#include <cstdint>

#include <unshade/ir/builder.hpp>
#include <unshade/ir/extra.hpp>
#include <unshade/ir/passes.hpp>

#include "ir/flow.hpp"

namespace unshade::ir::passes {
namespace {

/// Values that move in a function: each needs a slot of the interpreter throughout the loop.
constexpr std::size_t kMostHoisted = 1024;

class Hoist {
 public:
  explicit Hoist(Function& function) : function_(function), flow_(function) {}

  std::size_t run() {
    // operands come first, so that what a value needs has moved before it
    for (const BlockId block : function_.order) {
      if (flow_.range[block] == kNone) continue;
      for (Id id = function_.blocks[block].first, next = kNone; id != kNone; id = next) {
        next = function_.next[id];
        const Inst& inst = function_.insts[id];
        if (!may_move(inst)) continue;
        // a member stays beside its tuple
        const BlockId to = inst.op == Op::get ? function_.block_of[function_.operands_of(id)[0]] : place_of(id, block);
        if (to == block || (inst.op != Op::get && moved_ >= kMostHoisted)) continue;
        remove(function_, id);
        insert_before(function_, end_of(to), id);
        ++moved_;
      }
    }
    return moved_;
  }

 private:
  static bool may_move(const Inst& inst) {
    if (info(inst.op).effects != Effects::pure || inst.op == Op::phi || inst.op == Op::param || inst.results == 0) return false;
    // lanes become helpers in between
    return inst.op != Op::builtin || BuiltinExtra(inst.extra).builtin != Builtin::is_helper;
  }

  /// The block before the outermost loop whose rounds all compute the same; `block` if there is none.
  BlockId place_of(Id id, BlockId block) const {
    for (BlockId loop = flow_.range[block]; loop != kNone; loop = flow_.range[block]) {
      const BlockId latch = function_.order[flow_.end[loop]];
      // what only some rounds compute may be computed in none
      if (!flow_.dominators.dominates(block, latch)) break;
      const BlockId before = before_loop(loop);
      if (before == kNone || !are_known(id, before)) break;
      block = before;
    }
    return block;
  }

  /// The nearest block that dominates a loop, in the range around the loop itself.
  BlockId before_loop(BlockId loop) const {
    BlockId block = flow_.dominators.immediate_dominator(loop);
    while (block != kNone && flow_.range[block] != flow_.outer[loop]) block = flow_.dominators.immediate_dominator(block);
    return block;
  }

  bool are_known(Id id, BlockId block) const {
    return std::ranges::all_of(function_.operands_of(id), [&](Id operand) {
      const BlockId there = function_.block_of[operand];
      return there == kNone || flow_.dominators.dominates(there, block);
    });
  }

  /// The terminator, or the barrier that must be directly before it.
  Id end_of(BlockId block) const {
    const Id last = function_.blocks[block].last;
    const Id before = function_.previous[last];
    return before != kNone && function_.insts[before].op == Op::barrier ? before : last;
  }

  Function& function_;
  Flow flow_;
  std::size_t moved_ = 0;
};

}  // namespace

std::size_t hoist_uniform(Module& module) {
  std::size_t moved = 0;
  for (Function& function : module.functions) {
    if (!function.irreducible && function.order.size() > 1) moved += Hoist(function).run();
  }
  return moved;
}

}  // namespace unshade::ir::passes

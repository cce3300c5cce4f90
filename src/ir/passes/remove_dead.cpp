#include <cstddef>
#include <vector>

#include <unshade/ir/builder.hpp>
#include <unshade/ir/passes.hpp>

#include "ir/operands.hpp"

namespace unshade::ir::passes {
namespace {

// Values that nothing uses can go, though lanes act together for them: that changes nothing for others.
bool stays(const Inst& inst) { return has(info(inst.op).effects, Effects::writes | Effects::ends) || has(inst.flags, Flags::volatile_); }

std::size_t remove_dead_in(Function& function) {
  std::vector<bool> needed(function.insts.size());
  std::vector<Id> waiting;
  const auto need = [&](Id id) {
    if (needed[id]) return;
    needed[id] = true;
    waiting.push_back(id);
  };
  for (const BlockId block : function.order) {
    for (Id id = function.blocks[block].first; id != kNone; id = function.next[id]) {
      if (stays(function.insts[id])) need(id);
    }
  }
  while (!waiting.empty()) {
    const Id id = waiting.back();
    waiting.pop_back();
    for_each_value(function, id, need);
  }
  std::size_t removed = 0;
  for (const BlockId block : function.order) {
    for (Id id = function.blocks[block].first, next = kNone; id != kNone; id = next) {
      next = function.next[id];
      if (needed[id]) continue;
      remove(function, id);
      ++removed;
    }
  }
  if (removed != 0) compact(function);
  return removed;
}

}  // namespace

std::size_t remove_dead(Module& module) {
  std::size_t removed = 0;
  for (Function& function : module.functions) removed += remove_dead_in(function);
  return removed;
}

}  // namespace unshade::ir::passes

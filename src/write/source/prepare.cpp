#include "write/source/prepare.hpp"

#include <utility>

#include <unshade/ir/analysis/uses.hpp>
#include <unshade/ir/analysis/vectors.hpp>
#include <unshade/ir/passes.hpp>
#include <unshade/ir/verify.hpp>

namespace unshade::write::source {

using ir::Id;
using ir::kNone;
using ir::Op;

namespace {

constexpr unsigned kMostCopied = 4;

bool is_address_sum(const ir::Function& f, Id id) {
  const ir::Inst& inst = f.insts[id];
  if (inst.type != ir::Type::i32 || f.block_of[id] == kNone) return false;
  if (inst.op != Op::iadd && inst.op != Op::ishl && inst.op != Op::imul) return false;
  const auto operands = f.operands_of(id);
  return f.insts[operands[1]].op == Op::constant || f.insts[operands[0]].op == Op::constant;
}

/// The operand that is an address; kNone: the instruction has none.
std::size_t address_operand(const ir::Inst& inst) {
  switch (inst.op) {
    case Op::load:
    case Op::store:
    case Op::atomic: return 0;
    case Op::cbuffer_load: return 1;
    case Op::buffer_load:
    case Op::buffer_store:
    case Op::buffer_atomic: return 2;
    default: return kNone;
  }
}

// Puts a copy of an instruction before another.
Id copy_before(ir::Function& f, Id from, Id before) {
  const auto id = static_cast<Id>(f.insts.size());
  ir::Inst inst = f.insts[from];
  const auto first = static_cast<std::uint32_t>(f.operands.size());
  for (std::size_t k = 0; k < inst.operand_count; ++k) f.operands.push_back(f.operands[inst.first_operand + k]);
  inst.first_operand = first;
  f.insts.push_back(inst);
  const Id previous = f.previous[before];
  f.next.push_back(before);
  f.previous.push_back(previous);
  f.block_of.push_back(f.block_of[before]);
  if (!f.sources.empty()) f.sources.push_back({});
  f.previous[before] = id;
  if (previous == kNone)
    f.blocks[f.block_of[before]].first = id;
  else
    f.next[previous] = id;
  return id;
}

// Gives each access a sum of its own, which then is written as its index.
void copy_addresses(ir::Function& f) {
  const ir::Uses uses = ir::uses_of(f);
  const std::size_t most = 2 * f.insts.size() + 64;
  for (const ir::BlockId block : f.order) {
    for (Id id = f.blocks[block].first; id != kNone; id = f.next[id]) {
      const std::size_t at = address_operand(f.insts[id]);
      if (at >= f.insts[id].operand_count) continue;
      if (f.insts[id].op == Op::buffer_load || f.insts[id].op == Op::buffer_store || f.insts[id].op == Op::buffer_atomic)
        if (f.insts[f.operands_of(id)[0]].op != Op::handle) continue;
      Id user = id;
      std::size_t operand = at;
      for (unsigned depth = 0; depth < kMostCopied && f.insts.size() < most; ++depth) {
        const Id sum = f.operands_of(user)[operand];
        if (sum >= uses.count.size() || !is_address_sum(f, sum)) break;
        Id own = sum;
        if (uses.count[sum] > 1) {
          own = copy_before(f, sum, user);
          f.operands_of(user)[operand] = own;
        }
        operand = f.insts[f.operands_of(own)[0]].op == Op::constant ? 1 : 0;
        user = own;
      }
    }
  }
}

}  // namespace

Result<Validated<ir::Module>> prepared(ir::Module module) {
  ir::passes::promote_variables(module);
  ir::passes::fold_constants(module);
  ir::passes::simplify_flow(module);
  ir::passes::retype_phis(module);
  ir::passes::fold_constants(module);
  ir::passes::remove_dead(module);
  for (ir::Function& function : module.functions) copy_addresses(function);
  ir::passes::remove_dead(module);
  ir::canonicalize(module);
  for (ir::Function& function : module.functions) ir::bring_together(function, ir::vectors_of(function));
  return ir::verified(std::move(module));
}

}  // namespace unshade::write::source

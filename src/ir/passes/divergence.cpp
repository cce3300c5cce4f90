// src: J. Rosemann, S. Moll, S. Hack, "An Abstract Interpretation for SPMD Divergence on Reducible Control Flow Graphs", POPL 2021, made
// simple by the order of blocks: what may be joined under a divergent branch stands between the block that dominates it and itself.
#include <cstddef>
#include <cstdint>
#include <vector>

#include <unshade/ir/passes.hpp>

#include "ir/flow.hpp"

namespace unshade::ir {
namespace {

bool is_uniform_builtin(Builtin builtin) {
  switch (builtin) {
    case Builtin::group_id:
    case Builtin::group_count:
    case Builtin::wave_size:
    case Builtin::wave_index:
    case Builtin::wave_count:
    case Builtin::base_vertex:
    case Builtin::base_instance:
    case Builtin::draw_index:
    case Builtin::view_id:
    case Builtin::device_index: return true;
    default: return false;
  }
}

// Whether an operation gives lanes different values though its operands are the same in all.
bool differs_by_itself(const Module& module, const Inst& inst) {
  switch (inst.op) {
    case Op::builtin: return !is_uniform_builtin(BuiltinExtra(inst.extra).builtin);
    case Op::load: return module.variables[inst.extra].space == Space::private_;
    case Op::input:
    case Op::interpolate:
    case Op::output_load:
    case Op::param:
    case Op::call:
    case Op::wave_first:
    case Op::quad_any:
    case Op::quad_all:
    case Op::wave_scan:
    case Op::wave_multi_scan: return true;
    case Op::wave_reduce: return ReductionExtra(inst.extra).cluster_log2 != ReductionExtra().cluster_log2;
    default: return has(info(inst.op).effects, Effects::writes);  // atomics and counters
  }
}

// Whether all lanes get the same value, whatever the operands.
bool is_same_in_all(Op op) {
  return op == Op::wave_any || op == Op::wave_all || op == Op::wave_all_equal || op == Op::wave_ballot || op == Op::wave_read_first ||
         op == Op::wave_reduce;
}

class Analysis {
 public:
  Analysis(const Module& module, const Function& function) : module_(module), function_(function), flow_(function) {
    found_.divergent.resize(function.insts.size());
    found_.divergent_exit.resize(function.blocks.size());
  }

  Divergence run() {
    if (function_.irreducible) {
      give_up();
      return std::move(found_);
    }
    // Programs need as many rounds as their loops nest; others are not worth more.
    constexpr unsigned kRounds = 16;
    for (unsigned rounds = 0; changed_; ++rounds) {
      if (rounds == kRounds) {
        give_up();
        break;
      }
      changed_ = false;
      count_exits();
      for (const BlockId block : function_.order) visit(block);
    }
    return std::move(found_);
  }

 private:
  void give_up() {
    for (const BlockId block : function_.order) {
      found_.divergent_exit[block] = true;
      for (Id id = function_.blocks[block].first; id != kNone; id = function_.next[id]) found_.divergent[id] = true;
    }
  }

  // How many blocks before each place have divergent exits.
  void count_exits() {
    exits_.assign(function_.order.size() + 1, 0);
    for (std::size_t at = 0; at < function_.order.size(); ++at)
      exits_[at + 1] = exits_[at] + (found_.divergent_exit[function_.order[at]] ? 1 : 0);
  }
  bool any_exit(std::uint32_t first, std::uint32_t end) const { return exits_[end] != exits_[first]; }

  void visit(BlockId block) {
    const bool joins = joins_divergently(block);
    for (Id id = function_.blocks[block].first; id != kNone; id = function_.next[id]) {
      if (found_.divergent[id]) continue;
      const Inst& inst = function_.insts[id];
      bool divergent = (inst.op == Op::phi && joins) || differs_by_itself(module_, inst);
      const auto operands = function_.operands_of(id);
      for (std::size_t at = 0; at < operands.size() && !divergent; ++at) {
        divergent = !is_block_operand(inst.op, at) && found_.divergent[operands[at]] && !is_same_in_all(inst.op);
      }
      if (!divergent) continue;
      found_.divergent[id] = changed_ = true;
      if (inst.op == Op::branch || inst.op == Op::switch_) found_.divergent_exit[block] = true;
    }
  }

  // Whether lanes that come to a block from several others, or out of a loop, may have gone different ways.
  bool joins_divergently(BlockId block) const {
    const BlockId dominator = flow_.dominators.immediate_dominator(block);
    if (dominator == kNone) return false;
    const bool is_header = flow_.range[block] == block;
    const std::size_t forward = function_.blocks[block].predecessor_count - (is_header ? 1U : 0U);
    if (forward > 1 && any_exit(flow_.place[dominator], flow_.place[block])) return true;
    for (const BlockId origin : function_.predecessors_of(block)) {
      for (BlockId loop = flow_.range[origin]; loop != kNone && !flow_.in_range(loop, block); loop = flow_.outer[loop]) {
        if (any_exit(flow_.place[loop], flow_.end[loop] + 1)) return true;
      }
    }
    return false;
  }

  const Module& module_;
  const Function& function_;
  Flow flow_;
  Divergence found_;
  std::vector<std::uint32_t> exits_;
  bool changed_ = true;
};

}  // namespace

Divergence find_divergence(const Module& module, const Function& function) { return Analysis(module, function).run(); }

}  // namespace unshade::ir

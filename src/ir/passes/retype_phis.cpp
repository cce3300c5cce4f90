#include <cstddef>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

#include <unshade/ir/builder.hpp>
#include <unshade/ir/passes.hpp>

namespace unshade::ir::passes {
namespace {

// Phis that read each other are a web, with one type.
class Retype {
 public:
  explicit Retype(Function& function) : function_(function), web_(function.insts.size()), votes_(function.insts.size()) {
    std::iota(web_.begin(), web_.end(), 0U);
  }

  std::size_t run() {
    bool any = false;
    for_each([&](Id id) {
      if (!is_phi(id)) return;
      any = true;
      for (const Id operand : std::as_const(function_).operands_of(id))
        if (is_phi(operand)) web_[find(operand)] = find(id);
    });
    if (!any) return 0;
    for_each([&](Id id) { vote(id); });
    std::vector<Id> changed;
    for_each([&](Id id) {
      if (is_phi(id) && function_.insts[id].type != wanted(id)) changed.push_back(id);
    });
    if (changed.empty()) return 0;
    std::vector<bool> is_changed(function_.insts.size());
    for (const Id id : changed) is_changed[id] = true;
    Constants constants(function_);
    std::vector<Id> value(function_.insts.size(), kNone);
    for (const Id id : changed) {
      const Type before = function_.insts[id].type;
      const Type after = wanted(id);
      function_.insts[id].type = after;
      const auto predecessors = std::as_const(function_).predecessors_of(function_.block_of[id]);
      for (std::size_t at = 0; at < predecessors.size(); ++at) {
        const Id operand = function_.operands_of(id)[at];
        if (operand < is_changed.size() && is_changed[operand]) continue;
        const Id as_wanted = cast(constants, operand, after, function_.blocks[predecessors[at]].last);
        function_.operands_of(id)[at] = as_wanted;
      }
      // what reads it as before, but phis of its web
      Id place = id;
      while (is_phi(place)) place = function_.next[place];
      const Id back = append(function_, Op::bitcast, before, std::span(&id, 1));
      insert_before(function_, place, back);
      backs_.emplace_back(id, back);
    }
    value.resize(function_.insts.size(), kNone);
    for (const auto& [phi, back] : backs_) value[phi] = back;
    for_each([&](Id id) {
      if (id < is_changed.size() && is_changed[id]) return;
      const bool is_back = id >= is_changed.size() && function_.insts[id].op == Op::bitcast;
      for (std::size_t at = 0; at < function_.insts[id].operand_count; ++at) {
        if (is_block_operand(function_.insts[id].op, at) || is_back) continue;
        std::uint32_t& operand = function_.operands_of(id)[at];
        if (value[operand] != kNone) operand = value[operand];
      }
    });
    return changed.size();
  }

 private:
  struct Votes {
    bool any = false;
    bool integer = false;
  };

  template <class Visit>
  void for_each(Visit visit) {
    for (const BlockId block : function_.order) {
      for (Id id = function_.blocks[block].first; id != kNone; id = function_.next[id]) visit(id);
    }
  }

  bool is_phi(Id id) const {
    const Inst& inst = function_.insts[id];
    return inst.op == Op::phi && (inst.type == Type::i32 || inst.type == Type::f32);
  }
  Id find(Id id) {
    while (web_[id] != id) id = web_[id] = web_[web_[id]];
    return id;
  }
  Type wanted(Id id) {
    const Votes& votes = votes_[find(id)];
    return votes.any && !votes.integer ? Type::f32 : votes.any ? Type::i32 : function_.insts[id].type;
  }
  // The type of which a value is, if bits are taken as they are.
  Type origin(Id id) const {
    const Inst& inst = function_.insts[id];
    return inst.op == Op::bitcast ? result_type(function_, function_.operands_of(id)[0]) : result_type(function_, id);
  }

  // A phi's operands write it; all others that read it read it as their type.
  void vote(Id id) {
    const Op op = function_.insts[id].op;
    const auto operands = std::as_const(function_).operands_of(id);
    const auto add = [&](Id phi, Type type) {
      Votes& votes = votes_[find(phi)];
      votes.any = true;
      votes.integer |= type != Type::f32;
    };
    for (std::size_t at = 0; at < operands.size(); ++at) {
      if (is_block_operand(op, at)) continue;
      const Id operand = operands[at];
      const Op from = function_.insts[operand].op;
      if (is_phi(id) && !is_phi(operand) && from != Op::constant && from != Op::undef) add(id, origin(operand));
      if (is_phi(operand) && !is_phi(id)) add(operand, op == Op::bitcast ? function_.insts[id].type : function_.insts[operand].type);
    }
  }

  Id cast(Constants& constants, Id value, Type type, Id place) {
    const Inst& inst = function_.insts[value];
    if (inst.op == Op::constant) return constants.get(type, constant_bits(function_, value));
    if (inst.op == Op::undef) return constants.undef(type);
    if (inst.op == Op::bitcast && origin(value) == type) return function_.operands_of(value)[0];
    const Id made = append(function_, Op::bitcast, type, std::span(&value, 1));
    insert_before(function_, place, made);
    return made;
  }

  Function& function_;
  std::vector<Id> web_;
  std::vector<Votes> votes_;
  std::vector<std::pair<Id, Id>> backs_;  // phis, and what they are in their type before
};

}  // namespace

std::size_t retype_phis(Module& module) {
  std::size_t changed = 0;
  for (Function& function : module.functions) changed += Retype(function).run();
  if (changed != 0) canonicalize(module);
  return changed;
}

}  // namespace unshade::ir::passes

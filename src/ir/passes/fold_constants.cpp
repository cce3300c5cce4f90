#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include <unshade/ir/builder.hpp>
#include <unshade/ir/passes.hpp>

#include "ir/passes/evaluate.hpp"

namespace unshade::ir::passes {
namespace {

class Fold {
 public:
  Fold(Function& function, const Modes& modes) : function_(function), modes_(modes) {}

  std::size_t run() {
    for (const BlockId block : function_.order) {
      for (Id id = function_.blocks[block].first; id != kNone; id = function_.next[id]) visit(id);
    }
    if (value_.empty()) return 0;
    replace_uses(function_, value_);
    std::size_t removed = 0;
    for (Id id = 0; id < value_.size(); ++id) {
      if (value_[id] == kNone) continue;
      remove(function_, id);
      ++removed;
    }
    return removed;
  }

 private:
  Id now(Id id) const {
    while (id < value_.size() && value_[id] != kNone) id = value_[id];
    return id;
  }

  void visit(Id id) {
    const Op op = function_.insts[id].op;
    const auto operands = function_.operands_of(id);
    for (std::size_t at = 0; at < operands.size(); ++at) {
      if (op != Op::phi && !is_block_operand(op, at)) operands[at] = now(operands[at]);
    }
    if (info(op).effects != Effects::pure || op == Op::phi || function_.insts[id].results != 1) return;
    const auto found = simpler(id);
    if (!found) return;
    value_.resize(function_.insts.size(), kNone);
    value_[id] = *found;
  }

  Constants& constants() { return constants_ ? *constants_ : constants_.emplace(function_); }
  Op op_of(Id id) const { return function_.insts[id].op; }
  Id operand(Id id, std::size_t at) const { return function_.operands_of(id)[at]; }
  bool is_constant(Id id, std::uint64_t bits) const { return op_of(id) == Op::constant && constant_bits(function_, id) == bits; }
  // An instruction in the place of `id`.
  Id instead(Id id, Op op, Type type, std::initializer_list<Id> operands) {
    const Id made = append(function_, op, type, std::span(operands.begin(), operands.size()));
    if (!function_.sources.empty()) function_.sources[made] = function_.sources[id];
    insert_before(function_, id, made);
    return made;
  }
  bool extends_b1(Id id) const { return op_of(id) == Op::sext && result_type(function_, operand(id, 0)) == Type::b1; }

  // A value that is the same, if there is one that is simpler.
  std::optional<Id> simpler(Id id) {
    if (auto value = computed(id)) return value;
    const Inst inst = function_.insts[id];
    const std::size_t count = inst.operand_count;
    const Id a = count > 0 ? operand(id, 0) : kNone;
    const Id b = count > 1 ? operand(id, 1) : kNone;
    const auto all = is_integer(inst.type) ? ~std::uint64_t{0} >> (64 - bit_width(inst.type)) : 1;
    switch (inst.op) {
      case Op::iadd:
      case Op::ior:
      case Op::ixor:
        if (is_constant(a, 0)) return b;
        if (is_constant(b, 0)) return a;
        if (inst.op == Op::ixor) return a == b ? std::optional(constants().get(inst.type, 0)) : std::nullopt;
        if (inst.op == Op::ior && a == b) return a;
        return inst.op == Op::ior ? joined(id, a, b) : std::nullopt;
      case Op::iand:
        if (is_constant(a, all) || a == b) return b;
        if (is_constant(b, all)) return a;
        if (is_constant(a, 0) || is_constant(b, 0)) return constants().get(inst.type, 0);
        return joined(id, a, b);
      case Op::isub:
      case Op::ishl:
      case Op::ishr:
      case Op::ushr:
        if (is_constant(b, 0)) return a;
        return std::nullopt;
      case Op::imul:
        if (is_constant(a, 1)) return b;
        if (is_constant(b, 1)) return a;
        return std::nullopt;
      case Op::inot:
        if (op_of(a) == Op::inot) return operand(a, 0);
        if (extends_b1(a)) return instead(id, Op::sext, inst.type, {instead(id, Op::inot, Type::b1, {operand(a, 0)})});
        return std::nullopt;
      case Op::ieq:
      case Op::ine:
        if (extends_b1(a) && is_constant(b, 0)) {
          return inst.op == Op::ine ? operand(a, 0) : instead(id, Op::inot, Type::b1, {operand(a, 0)});
        }
        return std::nullopt;
      case Op::select:
        if (op_of(a) == Op::constant) return operand(id, constant_bits(function_, a) != 0 ? 1 : 2);
        if (b == operand(id, 2)) return b;
        if (op_of(a) == Op::inot) return instead(id, Op::select, inst.type, {operand(a, 0), operand(id, 2), b});
        return std::nullopt;
      case Op::bitcast: {
        Id from = a;
        while (op_of(from) == Op::bitcast) from = operand(from, 0);
        // bits of f16 and f24 do not stand in lanes as in memory
        const Type type = result_type(function_, from);
        if (type == inst.type) return from;
        if (op_of(from) == Op::undef) return constants().undef(inst.type);
        if (op_of(from) == Op::constant && bit_width(inst.type) >= 32) return constants().get(inst.type, constant_bits(function_, from));
        if (from != a) return instead(id, Op::bitcast, inst.type, {from});
        return std::nullopt;
      }
      default: return std::nullopt;
    }
  }

  // Of two conditions as integers: one condition as an integer.
  std::optional<Id> joined(Id id, Id a, Id b) {
    if (function_.insts[id].type == Type::b1 || !extends_b1(a) || !extends_b1(b)) return std::nullopt;
    const Id condition = instead(id, function_.insts[id].op, Type::b1, {operand(a, 0), operand(b, 0)});
    return instead(id, Op::sext, function_.insts[id].type, {condition});
  }

  std::optional<Id> computed(Id id) {
    const Inst& inst = function_.insts[id];
    if (inst.op == Op::fmad && modes_.fused_mad && !has(inst.flags, Flags::precise)) return std::nullopt;
    operands_.clear();
    for (const Id value : std::as_const(function_).operands_of(id)) {
      if (op_of(value) != Op::constant) return std::nullopt;
      operands_.push_back(constant_bits(function_, value));
    }
    auto bits = evaluate(inst.op, inst.type, operands_);
    if (!bits && operands_.size() == 1)
      bits = evaluate_conversion(inst.op, inst.type, result_type(function_, operand(id, 0)), operands_[0]);
    return bits ? std::optional(constants().get(result_type(function_, id), *bits)) : std::nullopt;
  }

  Function& function_;
  const Modes& modes_;
  std::optional<Constants> constants_;  // made for the first that is needed
  std::vector<Id> value_;
  std::vector<std::uint64_t> operands_;
};

}  // namespace

std::size_t fold_constants(Module& module) {
  std::size_t folded = 0;
  for (Function& function : module.functions) {
    const std::size_t some = Fold(function, module.modes).run();
    if (some != 0) compact(function);
    folded += some;
  }
  return folded;
}

}  // namespace unshade::ir::passes

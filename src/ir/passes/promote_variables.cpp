#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include <unshade/core/limits.hpp>
#include <unshade/ir/builder.hpp>
#include <unshade/ir/passes.hpp>

#include "ir/operands.hpp"
#include "ir/sizes.hpp"

namespace unshade::ir::passes {
namespace {

// A word of a variable: where accesses begin, and the type that its value has.
struct Word {
  std::uint32_t bytes = 0;
  Type type = Type::void_;
  bool one_type = true;            // of accesses of less than 4 bytes, all have the same
  std::uint32_t variable = kNone;  // of SsaVariables
};

std::uint32_t bytes_of(Type type) { return (bit_width(type) + 7) / 8; }

bool is_access(Op op) { return op == Op::load || op == Op::store; }

class Promotion {
 public:
  Promotion(Module& module, std::size_t most_phis)
      : module_(module), most_phis_(most_phis), words_(module.variables.size()), refused_(module.variables.size()) {}

  std::size_t run() {
    refuse_shared_places();
    for (const Function& function : module_.functions) note_accesses(function);
    for (std::uint32_t at = 0; at < words_.size(); ++at) refused_[at] = refused_[at] || overlaps(at);
    // what is called shares the variables of its caller; the two functions of a hull shader are run apart
    if (has_calls_) return 0;
    std::size_t gone = 0;
    for (Function& function : module_.functions) gone += promote(function);
    return gone;
  }

 private:
  void refuse_shared_places() {
    std::vector<std::uint32_t> by_offset;
    for (std::uint32_t at = 0; at < module_.variables.size(); ++at) {
      refused_[at] = module_.variables[at].space != Space::private_;
      if (!refused_[at]) by_offset.push_back(at);
    }
    std::ranges::sort(by_offset, {}, [&](std::uint32_t at) { return module_.variables[at].offset; });
    std::uint64_t end = 0;
    std::uint32_t last = kNone;  // the variable that ends there
    for (const std::uint32_t at : by_offset) {
      const Variable& variable = module_.variables[at];
      if (variable.offset < end) refused_[at] = refused_[last] = true;
      if (std::uint64_t{variable.offset} + variable.bytes > end) {
        end = std::uint64_t{variable.offset} + variable.bytes;
        last = at;
      }
    }
  }

  static std::uint32_t variable_of(const Inst& inst) {
    return inst.op == Op::atomic ? AtomicExtra(inst.extra).variable : is_access(inst.op) ? inst.extra : kNone;
  }

  void note_accesses(const Function& function) {
    for (const BlockId block : function.order) {
      for (Id id = function.blocks[block].first; id != kNone; id = function.next[id]) note_access(function, id);
    }
  }
  void note_access(const Function& function, Id id) {
    const Inst& inst = function.insts[id];
    has_calls_ = has_calls_ || inst.op == Op::call;
    const std::uint32_t variable = variable_of(inst);
    if (variable == kNone || refused_[variable]) return;
    const Id offset = function.operands_of(id)[0];
    const bool promotable = is_access(inst.op) && function.insts[offset].op == Op::constant && !has(inst.flags, Flags::volatile_);
    const auto start = promotable ? static_cast<std::uint32_t>(constant_bits(function, offset)) : 0;
    const std::uint32_t bytes = bytes_of(inst.type);
    if (!promotable || bytes > module_.variables[variable].bytes || start > module_.variables[variable].bytes - bytes) {
      refused_[variable] = true;
      return;
    }
    Word& word = words_[variable][start];
    if (word.bytes == 0) word = {bytes, inst.type, true, kNone};
    if (word.bytes != bytes) refused_[variable] = true;
    word.one_type &= word.type == inst.type;
    if (bytes < 4 && !word.one_type) refused_[variable] = true;
  }

  bool overlaps(std::uint32_t variable) const {
    std::vector<std::pair<std::uint32_t, std::uint32_t>> ranges;
    for (const auto& [start, word] : words_[variable]) ranges.emplace_back(start, word.bytes);
    std::ranges::sort(ranges);
    for (std::size_t at = 1; at < ranges.size(); ++at) {
      if (ranges[at - 1].first + ranges[at - 1].second > ranges[at].first) return true;
    }
    return false;
  }

  std::size_t promote(Function& function) {
    std::size_t count = 0;
    for (std::uint32_t at = 0; at < words_.size(); ++at)
      if (!refused_[at]) count += words_[at].size();
    const auto takes_phis = [&](BlockId block) { return function.blocks[block].predecessor_count < kMostOperands; };
    if (count == 0 || !std::ranges::all_of(function.order, takes_phis)) return 0;
    std::optional<Function> before;  // most functions need no phi where there could be one
    if (std::uint64_t{function.blocks.size()} * count > std::min(most_phis_, most_phis(function.insts.size()))) before = function;
    Builder builder(function);
    SsaVariables variables(builder, most_phis_);
    for (std::uint32_t at = 0; at < words_.size(); ++at) {
      if (refused_[at]) continue;
      for (auto& [start, word] : words_[at]) {
        word.variable = variables.declare(word.type);
        variables.write(word.variable, 0, builder.constant(word.type, initial(at, start, word.bytes)));
      }
    }
    std::vector<Id> value;
    std::vector<Id> gone;
    std::vector<std::uint32_t> missing(function.blocks.size());  // predecessors that are not done yet
    for (const BlockId block : function.order) missing[block] = function.blocks[block].predecessor_count;
    for (const BlockId block : function.order) {
      if (missing[block] == 0) variables.seal(block);
      for (Id id = function.blocks[block].first, next = kNone; id != kNone; id = next) {
        next = function.next[id];
        const std::uint32_t variable = variable_of(function.insts[id]);
        if (variable == kNone || refused_[variable]) continue;
        const auto operands = std::as_const(function).operands_of(id);
        const Word& word = words_[variable].at(static_cast<std::uint32_t>(constant_bits(function, operands[0])));
        const Type type = function.insts[id].type;
        if (function.insts[id].op == Op::load) {
          const Id read = as(function, id, type, variables.read(word.variable, block));
          value.resize(function.insts.size(), kNone);
          value[id] = read;
        } else {
          Id stored = operands[1];
          while (stored < value.size() && value[stored] != kNone) stored = value[stored];
          variables.write(word.variable, block, as(function, id, word.type, stored));
        }
        gone.push_back(id);
      }
      Id last = kNone;
      for_each_successor(function, block, [&](BlockId to) {
        if (std::exchange(last, to) != to && missing[to] != 0) --missing[to];
      });
    }
    replace_uses(function, value);
    for (const Id id : gone) remove(function, id);
    variables.finish();
    if (before && !variables.check()) {
      function = *std::move(before);
      return 0;
    }
    return gone.size();
  }

  // Before an instruction, in its place.
  static Id as(Function& function, Id place, Type type, Id value) {
    if (result_type(function, value) == type) return value;
    const Id made = append(function, Op::bitcast, type, std::span(&value, 1));
    insert_before(function, place, made);
    return made;
  }

  std::uint64_t initial(std::uint32_t variable, std::uint32_t start, std::uint32_t bytes) const {
    const auto& from = module_.variables[variable].initial;
    std::uint64_t bits = 0;
    for (std::uint32_t at = 0; at < bytes && start + at < from.size(); ++at)
      bits |= std::uint64_t{static_cast<std::uint8_t>(from[start + at])} << (8 * at);
    return bits;
  }

  Module& module_;
  std::size_t most_phis_;
  std::vector<std::unordered_map<std::uint32_t, Word>> words_;  // by variable and offset
  std::vector<bool> refused_;
  bool has_calls_ = false;
};

}  // namespace

std::size_t promote_variables(Module& module) { return promote_variables_within(module, limits::kIrPhis); }

std::size_t promote_variables_within(Module& module, std::size_t most_phis) {
  const std::size_t promoted = Promotion(module, most_phis).run();
  if (promoted != 0) canonicalize(module);
  return promoted;
}

}  // namespace unshade::ir::passes

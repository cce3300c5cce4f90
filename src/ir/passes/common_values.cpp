#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include <unshade/ir/builder.hpp>
#include <unshade/ir/passes.hpp>

#include "ir/flow.hpp"

namespace unshade::ir::passes {
namespace {

class CommonValues {
 public:
  explicit CommonValues(Function& function)
      : function_(function),
        flow_(function),
        same_(function.insts.size(), kNone),
        hash_(function.insts.size()),
        before_(function.insts.size(), kNone),
        last_(std::bit_ceil(function.insts.size() + 1), kNone) {}

  std::size_t run() {
    for (const BlockId block : function_.order) {
      for (Id id = function_.blocks[block].first; id != kNone; id = function_.next[id]) visit(block, id);
    }
    if (!any_) return 0;
    replace_uses(function_, same_);
    std::size_t removed = 0;
    for (Id id = 0; id < same_.size(); ++id) {
      if (same_[id] == kNone) continue;
      remove(function_, id);
      ++removed;
    }
    compact(function_);
    return removed;
  }

 private:
  void visit(BlockId block, Id id) {
    const Inst& inst = function_.insts[id];
    for (std::uint32_t& operand : function_.operands_of(id)) {
      if (inst.op != Op::phi && info(inst.op).effects == Effects::pure && same_[operand] != kNone) operand = same_[operand];
    }
    if (info(inst.op).effects != Effects::pure || inst.op == Op::phi || inst.op == Op::param || inst.results == 0) return;
    const std::uint64_t hash = hash_[id] = hash_of(id);
    Id& last = last_[(hash ^ hash >> 32) & (last_.size() - 1)];
    // The nearest come first. Few values have the same hash without being the same in other branches.
    unsigned looks = 16;
    for (Id other = last; other != kNone && looks != 0; other = before_[other]) {
      if (hash_[other] != hash) continue;
      --looks;
      const BlockId there = function_.block_of[other];
      if (!equal(id, other) || !flow_.dominators.dominates(there, block)) continue;
      if (!function_.irreducible && !flow_.in_range(flow_.range[there], block)) continue;
      same_[id] = other;
      any_ = true;
      return;
    }
    before_[id] = std::exchange(last, id);
  }

  std::uint64_t hash_of(Id id) const {
    const Inst& inst = function_.insts[id];
    std::uint64_t value = static_cast<std::uint64_t>(inst.op) << 32 ^ static_cast<std::uint64_t>(inst.type) << 48 ^ inst.extra;
    for (const std::uint32_t operand : std::as_const(function_).operands_of(id)) {
      value = (value ^ operand) * 0x9e37'79b9'7f4a'7c15;
      value ^= value >> 29;
    }
    return value;
  }
  bool equal(Id a, Id b) const {
    const Inst& x = function_.insts[a];
    const Inst& y = function_.insts[b];
    return x.op == y.op && x.type == y.type && x.results == y.results && x.flags == y.flags && x.extra == y.extra &&
           std::ranges::equal(std::as_const(function_).operands_of(a), std::as_const(function_).operands_of(b));
  }

  Function& function_;
  Flow flow_;
  std::vector<Id> same_;
  std::vector<std::uint64_t> hash_;  // by id
  std::vector<Id> before_;           // by id, the value before it whose hash has the same place in last_
  std::vector<Id> last_;             // by hash
  bool any_ = false;                 // of same_
};

}  // namespace

std::size_t common_values(Module& module) {
  std::size_t removed = 0;
  for (Function& function : module.functions) removed += CommonValues(function).run();
  return removed;
}

}  // namespace unshade::ir::passes

#include "vm/prepare/fuse.hpp"

#include <cstddef>
#include <unordered_map>
#include <vector>

#include "vm/kernel_list.hpp"

namespace unshade::vm {
namespace {

using ir::Op;

class Fusing {
 public:
  Fusing(const ir::Function& function, std::span<const std::uint32_t> uses, std::vector<Operation>& list)
      : f_(function), uses_(uses), list_(list), of_sums_(kernel_number(Op::fmad, ir::Type::f32, ir::Type::f32)) {}

  // Sums of products first: sums that follow each other stay in a register.
  void run() {
    if (of_sums_ == kNoKernel) return;
    fuse([](Op op) { return op == Op::fmul; }, [](Op op) { return op == Op::fadd; });
    const auto is_short = [](Op op) { return op == Op::fadd || op == Op::fsub || op == Op::fmul; };
    fuse(is_short, [&](Op op) { return is_short(op) || op == Op::fmin || op == Op::fmax; });
  }

 private:
  /// Operations between the two of a pair: the operands of the first have to live until the second.
  static constexpr std::size_t kReach = 96;

  // The kernel that does an operation together with the one that alone needs its result.
  std::uint16_t kernel_of_pair(Op first, Op second, bool on_right) const {
    if (first == Op::fmul && second == Op::fadd) return of_sums_;
    const std::size_t number = pair_number(first, second, on_right);
    return number == kKernelCount ? kNoKernel : static_cast<std::uint16_t>(number);
  }

  template <class IsFirst, class IsSecond>
  void fuse(const IsFirst& is_first, const IsSecond& is_second) {
    std::unordered_map<ir::Id, std::size_t> firsts;  // by value: where in the list
    std::vector<bool> taken(list_.size());
    for (std::size_t at = 0; at < list_.size(); ++at) {
      Operation& second = list_[at];
      const ir::Inst& inst = f_.insts[second.id];
      if (second.is_pair() || second.kernel >= kKernelRows.size() || inst.type != ir::Type::f32) continue;
      const auto operands = f_.operands_of(second.id);
      for (unsigned side = 0; side < 2 && !second.is_pair() && is_second(inst.op); ++side) {
        const auto found = firsts.find(operands[side]);
        if (found == firsts.end() || at - found->second > kReach) continue;
        const ir::Id first = list_[found->second].id;
        const std::uint16_t kernel = kernel_of_pair(f_.insts[first].op, inst.op, side == 1);
        if (kernel == kNoKernel) continue;
        second.first = first;
        second.kernel = kernel;
        taken[found->second] = true;
      }
      if (!second.is_pair() && is_first(inst.op) && uses_[second.id] == 1) firsts.emplace(second.id, at);
    }
    std::size_t kept = 0;
    for (std::size_t at = 0; at < list_.size(); ++at)
      if (!taken[at]) list_[kept++] = list_[at];
    list_.resize(kept);
  }

  const ir::Function& f_;
  const std::span<const std::uint32_t> uses_;
  std::vector<Operation>& list_;
  const std::uint16_t of_sums_;  // the kernel of fmad
};

}  // namespace

void fuse_pairs(const ir::Function& function, std::span<const std::uint32_t> uses, Operations& operations) {
  Fusing(function, uses, operations.preamble).run();
  for (std::vector<Operation>& list : operations.blocks) Fusing(function, uses, list).run();
}

}  // namespace unshade::vm

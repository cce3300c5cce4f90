#include "vm/prepare/schedule.hpp"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <map>
#include <queue>
#include <utility>

#include "vm/access.hpp"
#include "vm/kernel_list.hpp"

namespace unshade::vm {
namespace {

using ir::Id;
using ir::kNone;

class Scheduling {
 public:
  explicit Scheduling(const ScheduleRequest& request) : request_(request), f_(request.function), maker_(f_.insts.size(), kNone) {}

  void order(std::vector<Operation>& list) {
    find_dependences(list);
    std::vector<Operation> ordered;
    ordered.reserve(list.size());
    std::vector<bool> done(list.size());
    std::uint32_t first = 0;  // that is not done
    Waiting beyond;           // what could run, but is too far from `first`
    std::map<std::uint16_t, Waiting> ready;
    const auto make_ready = [&](std::uint32_t at) {
      if (at < first + kScheduleReach) {
        ready[group_[at]].push(at);
      } else {
        beyond.push(at);
      }
    };
    for (std::uint32_t at = 0; at < list.size(); ++at) {
      if (missing_[at] == 0) make_ready(at);
    }
    const auto finish = [&](std::uint32_t at) {
      done[at] = true;
      while (first < list.size() && done[first]) ++first;
      for (std::uint32_t follower = followers_begin_[at]; follower < followers_begin_[at + std::size_t{1}]; ++follower) {
        if (--missing_[followers_[follower]] == 0) make_ready(followers_[follower]);
      }
      while (!beyond.empty() && beyond.top() < first + kScheduleReach) {
        const std::uint32_t next = beyond.top();
        beyond.pop();
        ready[group_[next]].push(next);
      }
    };
    // Inputs, else an access, else the kernel of which most can run, and outputs last.
    const auto rank = [&](const auto& one) -> std::size_t {
      switch (one.first) {
        case kInputs: return ~std::size_t{0};
        case kAccess: return ~std::size_t{0} - 1;
        case kOutputs: return 0;
        default: return one.second.size();
      }
    };
    while (!ready.empty()) {
      const auto group = std::ranges::max_element(ready, {}, rank);
      for (bool again = false; !group->second.empty(); again = true) {
        const std::uint32_t at = group->second.top();
        group->second.pop();
        ordered.push_back(list[at]);
        ordered.back().begins = !again || group->first == kAccess;
        if (!ordered.back().begins) join_sum(ordered[ordered.size() - 2], ordered.back());
        finish(at);
      }
      ready.erase(group);
    }
    list = std::move(ordered);
  }

 private:
  using Waiting = std::priority_queue<std::uint32_t, std::vector<std::uint32_t>, std::greater<>>;

  /// Operations that one step may hold: those of a kernel, or these. Inputs depend on nothing.
  static constexpr std::uint16_t kInputs = kAccess - 1, kOutputs = kAccess - 2;
  static_assert(kKernelCount < kOutputs);
  std::uint16_t group_of(const Operation& operation) const {
    if (operation.kernel != kAccess) return operation.kernel;
    const ir::Inst& inst = f_.insts[operation.id];
    if (transfer_component(request_.module, inst) == kNone) return kAccess;
    return inst.op == ir::Op::input ? kInputs : kOutputs;
  }

  // What must run before what: by number in the list.
  void find_dependences(const std::vector<Operation>& list) {
    edges_.clear();
    group_.resize(list.size());
    missing_.assign(list.size(), 0);
    followers_begin_.assign(list.size() + 2, 0);
    const auto depends = [&](std::uint32_t later, std::uint32_t earlier) {
      if (earlier == kNone) return;
      edges_.emplace_back(earlier, later);
      ++missing_[later];
      ++followers_begin_[earlier + std::size_t{2}];
    };
    std::uint32_t access = kNone;
    for (std::uint32_t at = 0; at < list.size(); ++at) {
      const Operation& operation = list[at];
      for_each_operand(f_, operation, [&](std::size_t, Id operand) { depends(at, maker_[request_.selection.root[operand]]); });
      maker_[operation.id] = at;
      group_[at] = group_of(operation);
      if (group_[at] == kAccess || group_[at] == kOutputs) depends(at, std::exchange(access, at));
    }
    for (const Operation& operation : list) maker_[operation.id] = kNone;
    for (std::size_t at = 2; at < followers_begin_.size(); ++at) followers_begin_[at] += followers_begin_[at - 1];
    followers_.resize(edges_.size());
    for (const auto& [earlier, later] : edges_) followers_[followers_begin_[earlier + std::size_t{1}]++] = later;
  }

  // The last two operations of a step: if the second adds to what the first gives, that stays in a register.
  void join_sum(Operation& first, Operation& second) const {
    if (second.kernel >= kKernelRows.size() || !adds_up(kKernelRows[second.kernel].op)) return;
    Id addend = kNone;
    for_each_operand(f_, second, [&](std::size_t at, Id operand) { addend = at == 2 ? operand : addend; });
    if (request_.selection.root[addend] != first.id) return;
    second.sum |= kFromLast;
    if (addend == first.id && request_.uses[first.id] == 1) first.sum |= kDropped;
  }

  const ScheduleRequest& request_;
  const ir::Function& f_;
  std::vector<std::uint32_t> maker_;  // of a value: the number in the list of the operation that makes it
  // by number in the list
  std::vector<std::uint16_t> group_;
  std::vector<std::uint32_t> missing_;  // operations that must run before, and have not
  std::vector<std::pair<std::uint32_t, std::uint32_t>> edges_;
  std::vector<std::uint32_t> followers_begin_, followers_;
};

}  // namespace

void schedule(const ScheduleRequest& request, Operations& operations) {
  Scheduling scheduling(request);
  scheduling.order(operations.preamble);
  for (std::vector<Operation>& block : operations.blocks) scheduling.order(block);
}

}  // namespace unshade::vm

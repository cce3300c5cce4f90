// Slots of values: linear scan over the order of blocks. Intervals that cross the bounds of a loop cover the whole loop.
//
// Lanes that wait while others run a loop must find their values unchanged although all writes go to all lanes. docs/internals/programs.md,
// "Slots", says why these intervals are enough if loops are ranges of the order, have one latch, and their values leave by phis.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <queue>
#include <utility>
#include <vector>

#include <unshade/ir/module.hpp>

#include "vm/prepare/slots.hpp"

namespace unshade::vm {
namespace {

using ir::BlockId;
using ir::Id;
using ir::kNone;

struct Interval {
  std::uint32_t first, last;
};

class Scan {
 public:
  Scan(const SlotRequest& request) : request_(request), function_(request.function) {}

  std::vector<std::uint32_t> run(std::uint32_t& slots) {
    number();
    find_loops();
    find_intervals();
    widen();
    return assign(slots);
  }

 private:
  void number() {
    position_.assign(function_.blocks.size(), kNone);
    at_.assign(function_.insts.size(), 0);
    std::uint32_t at = 1;
    for (std::size_t i = 0; i < function_.order.size(); ++i) {
      const BlockId block = function_.order[i];
      position_[block] = static_cast<std::uint32_t>(i);
      const std::uint32_t first = at++;
      for (Id id = function_.blocks[block].first; id != kNone; id = function_.next[id])
        at_[id] = function_.insts[id].op == ir::Op::phi ? first : at++;
      extent_.push_back({first, at++});
    }
  }

  // For each position the innermost loop around it, and for each loop the one around that.
  void find_loops() {
    for (const BlockId block : function_.order)
      ir::for_each_successor(function_, block, [&](BlockId target) {
        if (position_[target] <= position_[block]) loops_.push_back({position_[target], position_[block]});
      });
    std::sort(loops_.begin(), loops_.end(),
              [](const Interval& a, const Interval& b) { return a.first != b.first ? a.first < b.first : a.last > b.last; });
    parent_.assign(loops_.size(), kNone);
    loop_.assign(function_.order.size(), kNone);
    std::vector<std::uint32_t> open;
    std::size_t next = 0;
    for (std::uint32_t i = 0; i < function_.order.size(); ++i) {
      while (!open.empty() && loops_[open.back()].last < i) open.pop_back();
      for (; next < loops_.size() && loops_[next].first == i; ++next) {
        parent_[next] = open.empty() ? kNone : open.back();
        open.push_back(static_cast<std::uint32_t>(next));
      }
      if (!open.empty()) loop_[i] = open.back();
    }
  }

  void touch(Id id, std::uint32_t at, std::uint32_t block) {
    const Id root = request_.root[id];
    if (request_.words[root] == 0) return;
    Interval& interval = intervals_[root];
    if (at < interval.first) interval.first = at, interval.first_block = block;
    if (at >= interval.last) interval.last = at, interval.last_block = block;
  }

  void find_intervals() {
    intervals_.assign(function_.insts.size(), {});
    for (std::uint32_t i = 0; i < function_.order.size(); ++i) {
      const BlockId block = function_.order[i];
      for (Id id = function_.blocks[block].first; id != kNone; id = function_.next[id]) {
        const ir::Inst& inst = function_.insts[id];
        const auto operands = function_.operands_of(id);
        touch(id, at_[id], i);
        if (inst.op == ir::Op::phi) {
          // Written on the edges, from what is read there.
          const auto predecessors = function_.predecessors_of(block);
          for (std::size_t p = 0; p < operands.size(); ++p) {
            const std::uint32_t from = position_[predecessors[p]];
            touch(id, extent_[from].last, from);
            touch(operands[p], extent_[from].last, from);
          }
        } else {
          const std::uint32_t at = id == function_.blocks[block].last ? extent_[i].last : at_[id];
          for (std::size_t o = 0; o < operands.size(); ++o)
            if (!ir::is_block_operand(inst.op, o)) touch(operands[o], at, i);
        }
      }
    }
  }

  bool inside(std::uint32_t loop, std::uint32_t block) const { return loops_[loop].first <= block && block <= loops_[loop].last; }

  void widen() {
    for (Id id = 0; id < intervals_.size(); ++id) {
      Interval& interval = intervals_[id];
      if (interval.first > interval.last) continue;
      const std::uint32_t defined = position_[function_.block_of[id]];
      // What is written in a loop, but belongs after it, lives in all of it; so does what comes from before it.
      for (std::uint32_t loop = loop_[interval.first_block]; loop != kNone && !inside(loop, interval.last_block); loop = parent_[loop]) {
        if (inside(loop, defined)) continue;
        interval.first = std::min(interval.first, extent_[loops_[loop].first].first);
        interval.first_block = loops_[loop].first;
      }
      for (std::uint32_t loop = loop_[interval.last_block]; loop != kNone; loop = parent_[loop]) {
        if (interval.first >= extent_[loops_[loop].first].first) continue;
        interval.last = std::max(interval.last, extent_[loops_[loop].last].last);
      }
    }
  }

  std::vector<std::uint32_t> assign(std::uint32_t& slots) {
    std::vector<Id> ids;
    for (Id id = 0; id < intervals_.size(); ++id)
      if (intervals_[id].first <= intervals_[id].last) ids.push_back(id);
    std::sort(ids.begin(), ids.end(),
              [&](Id a, Id b) { return intervals_[a].first != intervals_[b].first ? intervals_[a].first < intervals_[b].first : a < b; });
    std::vector<std::uint32_t> slot(function_.insts.size(), kNone);
    std::vector<std::deque<std::uint32_t>> free;  // by number of words; the first became free first
    using Active = std::pair<std::uint32_t, Id>;
    std::priority_queue<Active, std::vector<Active>, std::greater<>> active;
    std::uint32_t next = request_.first_free;
    for (const Id id : ids) {
      const std::uint32_t words = request_.words[id];
      if (free.size() <= words) free.resize(words + 1);
      // Functions that are not reducible share nothing.
      for (; !function_.irreducible && !active.empty() && active.top().first < intervals_[id].first; active.pop())
        free[request_.words[active.top().second]].push_back(slot[active.top().second]);
      if (free[words].size() > kResting) {
        slot[id] = free[words].front();
        free[words].pop_front();
      } else {
        slot[id] = next;
        next += words;
      }
      active.emplace(intervals_[id].last, id);
    }
    slots = next;
    return slot;
  }

  struct Interval {
    std::uint32_t first = kNone, last = 0;
    std::uint32_t first_block = 0, last_block = 0;
  };

  /// Slots that were freed last are not used again at once, so that operations around them may change places.
  static constexpr std::size_t kResting = 32;

  const SlotRequest& request_;
  const ir::Function& function_;
  std::vector<std::uint32_t> position_, at_;
  std::vector<Interval> extent_;  // of each position: first and last number
  std::vector<Interval> loops_;   // positions
  std::vector<std::uint32_t> parent_, loop_;
  std::vector<Interval> intervals_;
};

}  // namespace

std::vector<std::uint32_t> allocate_slots(const SlotRequest& request, std::uint32_t& slots) { return Scan(request).run(slots); }

}  // namespace unshade::vm

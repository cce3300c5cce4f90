// Slots of values: linear scan over the order of blocks. Intervals that cross the bounds of a loop cover the whole loop.
//
// Lanes that wait while others run a loop must find their values unchanged although all writes go to all lanes. docs/internals/programs.md,
// "Slots", says why these intervals are enough if loops are ranges of the order, have one latch, and their values leave by phis.
#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <functional>
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

/// Which slots nothing has. The lowest are taken first.
class FreeSlots {
 public:
  explicit FreeSlots(std::uint32_t first) : end_(first), lowest_(first) {}

  /// So many that follow each other. If they are several, the first is even: kernels that add up compute a row of sums for some lanes, then
  /// for the next, so that of values of 64 bits which share a slot both slots must be the same.
  std::uint32_t take(std::uint32_t count) {
    const std::uint32_t step = count == 1 ? 1 : 2;
    std::uint32_t at = next(lowest_, step);
    for (;;) {
      std::uint32_t found = 0;
      while (found < count && is_free(at + found)) ++found;
      if (found == count) break;
      at = next(at + found, step);
    }
    for (; end_ < at + count; ++end_) give(end_);
    for (std::uint32_t slot = at; slot < at + count; ++slot) free_[slot / 64] &= ~bit(slot);
    lowest_ = next(lowest_, 1);
    return at;
  }

  void give(std::uint32_t slot) {
    if (slot / 64 >= free_.size()) free_.resize(slot / 64 + std::size_t{1});
    free_[slot / 64] |= bit(slot);
    lowest_ = std::min(lowest_, slot);
  }

  /// One past the last that was ever taken.
  std::uint32_t end() const { return end_; }

 private:
  static std::uint64_t bit(std::uint32_t slot) { return std::uint64_t{1} << (slot % 64); }
  bool is_free(std::uint32_t slot) const { return slot >= end_ || (free_[slot / 64] & bit(slot)) != 0; }

  // The first from `slot` on that is free and a multiple of `step`, which is 1 or 2.
  std::uint32_t next(std::uint32_t slot, std::uint32_t step) const {
    const std::uint64_t multiples = step == 1 ? ~std::uint64_t{0} : 0x5555'5555'5555'5555U;
    std::uint64_t mask = ~std::uint64_t{0} << (slot % 64);
    for (std::size_t word = slot / 64; word < free_.size(); ++word, mask = ~std::uint64_t{0}) {
      if (const std::uint64_t found = free_[word] & mask & multiples; found != 0)
        return static_cast<std::uint32_t>(word * 64) + static_cast<std::uint32_t>(std::countr_zero(found));
    }
    const std::uint32_t after = std::max(slot, end_);
    return after + after % step;
  }

  std::vector<std::uint64_t> free_;  // bit s % 64 of word s / 64, of slots below end_
  std::uint32_t end_;
  std::uint32_t lowest_;  // none below is free
};

class Scan {
 public:
  Scan(const SlotRequest& request, Operations& operations)
      : request_(request), function_(request.function), root_(request.selection.root), operations_(operations) {}

  std::vector<std::uint32_t> run(std::uint32_t& slots) {
    number();
    find_loops();
    find_intervals();
    widen();
    if (!function_.irreducible) find_last_uses();
    return assign(slots);
  }

 private:
  // Points of the preamble are before those of all blocks, and count as those of the entry.
  void number() {
    position_.assign(function_.blocks.size(), kNone);
    auto at = static_cast<std::uint32_t>(operations_.preamble.size()) + 1;
    for (std::uint32_t i = 0; i < function_.order.size(); ++i) {
      position_[function_.order[i]] = i;
      const auto count = static_cast<std::uint32_t>(operations_.blocks[i].size());
      extent_.push_back({at, at + count + 1});
      at += count + 2;
    }
    std::uint32_t words = 0;
    word_.resize(function_.insts.size());
    for (Id id = 0; id < word_.size(); ++id) {
      word_[id] = words;
      words += request_.words[id];
    }
    last_use_.resize(words);
  }

  // Calls `visit` with each operation, its point and the position of its block.
  template <class Visit>
  void for_each_operation(const Visit& visit) {
    std::uint32_t at = 1;
    for (Operation& one : operations_.preamble) visit(one, at++, 0);
    for (std::uint32_t i = 0; i < operations_.blocks.size(); ++i) {
      at = extent_[i].first + 1;
      for (Operation& one : operations_.blocks[i]) visit(one, at++, i);
    }
  }

  // For each position the innermost loop around it, and for each loop the one around that.
  void find_loops() {
    for (const BlockId block : function_.order)
      ir::for_each_successor(function_, block, [&](BlockId target) {
        if (position_[target] <= position_[block]) loops_.push_back({position_[target], position_[block]});
      });
    std::sort(loops_.begin(), loops_.end(),
              [](const Extent& a, const Extent& b) { return a.first != b.first ? a.first < b.first : a.last > b.last; });
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

  bool has_slots(Id id) const { return request_.words[root_[id]] != 0; }
  std::uint32_t& last_use(Id id) { return last_use_[word_[root_[id]] + request_.selection.offset[id]]; }

  void touch(Id id, std::uint32_t at, std::uint32_t block) {
    if (!has_slots(id)) return;
    Interval& interval = intervals_[root_[id]];
    if (at < interval.first) interval.first = at, interval.first_block = block;
    if (at >= interval.last) interval.last = at, interval.last_block = block;
  }

  void use(Id id, std::uint32_t at, std::uint32_t block) {
    if (!has_slots(id)) return;
    touch(id, at, block);
    last_use(id) = std::max(last_use(id), at);
  }

  void find_intervals() {
    intervals_.assign(function_.insts.size(), {});
    for_each_operation([&](const Operation& one, std::uint32_t at, std::uint32_t block) {
      touch(one.id, at, block);
      for_each_operand(function_, one, [&](std::size_t, Id operand) { use(operand, at, block); });
    });
    for (std::uint32_t i = 0; i < function_.order.size(); ++i) {
      const ir::Block& block = function_.blocks[function_.order[i]];
      for (Id id = block.first; id != kNone && function_.insts[id].op == ir::Op::phi; id = function_.next[id]) {
        touch(id, extent_[i].first, i);
        // Written on the edges, from what is read there.
        const auto operands = function_.operands_of(id);
        const auto predecessors = function_.predecessors_of(function_.order[i]);
        for (std::size_t p = 0; p < operands.size(); ++p) {
          const std::uint32_t from = position_[predecessors[p]];
          use(id, extent_[from].last, from);
          use(operands[p], extent_[from].last, from);
        }
      }
      const auto operands = function_.operands_of(block.last);
      for (std::size_t o = 0; o < operands.size(); ++o)
        if (!ir::is_block_operand(function_.insts[block.last].op, o)) use(operands[o], extent_[i].last, i);
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
        interval.outlives_uses = true;
      }
    }
  }

  void find_last_uses() {
    for_each_operation([&](Operation& one, std::uint32_t point, std::uint32_t) {
      for_each_operand(function_, one, [&](std::size_t at, Id operand) {
        if (at < 32 && has_slots(operand) && !intervals_[root_[operand]].outlives_uses && last_use(operand) == point)
          one.dies |= std::uint32_t{1} << at;
      });
    });
  }

  std::vector<std::uint32_t> assign(std::uint32_t& slots) {
    std::vector<Id> ids;
    for (Id id = 0; id < intervals_.size(); ++id)
      if (intervals_[id].first <= intervals_[id].last) ids.push_back(id);
    std::sort(ids.begin(), ids.end(),
              [&](Id a, Id b) { return intervals_[a].first != intervals_[b].first ? intervals_[a].first < intervals_[b].first : a < b; });
    std::vector<std::uint32_t> slot(function_.insts.size(), kNone);
    using Active = std::pair<std::uint32_t, Id>;
    std::priority_queue<Active, std::vector<Active>, std::greater<>> active;
    FreeSlots free(request_.first_free);
    for (const Id id : ids) {
      // Functions that are not reducible share nothing.
      for (; !function_.irreducible && !active.empty() && active.top().first < intervals_[id].first; active.pop()) {
        const Id other = active.top().second;
        for (std::uint32_t word = 0; word < request_.words[other]; ++word) free.give(slot[other] + word);
      }
      slot[id] = free.take(request_.words[id]);
      active.emplace(intervals_[id].last, id);
    }
    slots = free.end();
    return slot;
  }

  struct Extent {
    std::uint32_t first = 0, last = 0;
  };
  struct Interval {
    std::uint32_t first = kNone, last = 0;
    std::uint32_t first_block = 0, last_block = 0;
    bool outlives_uses = false;
  };

  const SlotRequest& request_;
  const ir::Function& function_;
  const std::vector<Id>& root_;
  Operations& operations_;
  std::vector<std::uint32_t> position_;
  std::vector<Extent> extent_;  // of each position: first and last point
  std::vector<Extent> loops_;   // positions
  std::vector<std::uint32_t> parent_, loop_;
  std::vector<Interval> intervals_;
  std::vector<std::uint32_t> word_;      // of a root, in last_use_
  std::vector<std::uint32_t> last_use_;  // of each slot of each value
};

}  // namespace

std::vector<std::uint32_t> allocate_slots(const SlotRequest& request, Operations& operations, std::uint32_t& slots) {
  return Scan(request, operations).run(slots);
}

}  // namespace unshade::vm

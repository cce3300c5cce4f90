// An order of the instructions of a block in which the members of each row stand together.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <queue>
#include <span>
#include <utility>
#include <vector>

#include <unshade/ir/module.hpp>

namespace unshade::ir {

/// Members of a row, or values that may be one.
class List {
 public:
  static constexpr std::size_t kMost = 4;

  List() = default;
  /// Of at most kMost.
  explicit List(std::span<const Id> values) : size_(static_cast<std::uint8_t>(values.size())) {
    std::ranges::copy(values, values_.begin());
  }

  void push_back(Id value) { values_[size_++] = value; }
  void clear() { size_ = 0; }
  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  Id* begin() { return values_.data(); }
  Id* end() { return values_.data() + size_; }
  const Id* begin() const { return values_.data(); }
  const Id* end() const { return values_.data() + size_; }
  Id& operator[](std::size_t at) { return values_[at]; }
  Id operator[](std::size_t at) const { return values_[at]; }
  Id& back() { return values_[size_ - 1U]; }
  bool operator==(const List& other) const { return std::ranges::equal(*this, other); }

 private:
  std::array<Id, kMost> values_{};
  std::uint8_t size_ = 0;
};

/// The instructions of a block in an order in which members of rows follow each other. Rows that cannot be are given up.
class Ordering {
 public:
  Ordering(const Function& function, const std::vector<std::uint32_t>& row, const std::vector<List>& rows)
      : f_(function),
        row_(row),
        rows_(rows),
        row_unit_(rows.size(), kNone),
        unit_(function.insts.size(), kNone),
        place_(function.insts.size(), 0),
        first_user_(function.insts.size(), kNone),
        first_need_(function.insts.size(), kNone) {}

  /// Whether an instruction of a block is in a row: others keep their order.
  bool has_rows(BlockId block) const {
    for (Id id = f_.blocks[block].first; id != kNone; id = f_.next[id])
      if (row_[id] != kNone) return true;
    return false;
  }

  /// Appends the instructions of a block to `made`; the terminator stays the last. `given_up` gets the rows that need each other.
  void order(BlockId block, std::vector<Id>& made, std::vector<std::uint32_t>& given_up) {
    given_up_ = &given_up;
    units_.clear();
    edges_.clear();
    ready_ = {};
    number(block);
    connect(block);
    std::size_t left = units_.size();
    std::vector<std::uint32_t> stuck;  // units of rows, by their place
    for (std::uint32_t at = 0; at < units_.size(); ++at) {
      if (units_[at].row != kNone) stuck.push_back(at);
      if (units_[at].waits == 0) ready(at);
    }
    std::size_t next_stuck = 0;
    while (left != 0) {
      if (ready_.empty()) {
        while (next_stuck < stuck.size() && (units_[stuck[next_stuck]].is_done || units_[stuck[next_stuck]].row == kNone)) ++next_stuck;
        if (next_stuck == stuck.size()) break;  // not a function that verifies
        left += break_up(stuck[next_stuck]);
        continue;
      }
      const std::uint32_t at = ready_.top().second;
      ready_.pop();
      units_[at].is_done = true;
      --left;
      const Unit unit = units_[at];
      for (const Id id : members_of(unit)) {
        made.push_back(id);
        release(id);
      }
    }
    if (const Id last = f_.blocks[block].last; last != kNone) made.push_back(last);
  }

 private:
  struct Unit {
    Id id = kNone;              // the first
    std::uint32_t row = kNone;  // kNone: there are no others
    std::uint32_t place = 0;    // of the first in the block
    std::size_t waits = 0;      // for others, each time that a member needs one
    bool is_done = false;
  };
  struct Edge {
    Id user, on;
    std::uint32_t next_of_user, next_of_on;  // kNone: there are no more
  };

  std::span<const Id> members_of(const Unit& unit) const { return unit.row == kNone ? std::span(&unit.id, 1) : std::span(rows_[unit.row]); }

  void number(BlockId block) {
    std::uint32_t place = 0;
    const Id last = f_.blocks[block].last;
    for (Id id = f_.blocks[block].first; id != last; id = f_.next[id]) {
      place_[id] = place++;
      first_user_[id] = first_need_[id] = kNone;
      const std::uint32_t row = row_[id];
      if (row != kNone && row_unit_[row] < units_.size() && units_[row_unit_[row]].row == row) {
        unit_[id] = row_unit_[row];
        continue;
      }
      unit_[id] = static_cast<std::uint32_t>(units_.size());
      if (row != kNone) row_unit_[row] = unit_[id];
      units_.push_back({id, row, place_[id]});
    }
  }

  // All but the terminator, which depends on all of them.
  void connect(BlockId block) {
    const Id last = f_.blocks[block].last;
    if (last == kNone) return;
    // phis first, and a barrier before the terminator
    const Id barrier = f_.previous[last] != kNone && f_.insts[f_.previous[last]].op == Op::barrier ? f_.previous[last] : kNone;
    Id last_write = kNone, last_phi = kNone;
    reads_.clear();
    for (Id id = f_.blocks[block].first; id != last; id = f_.next[id]) {
      const Op op = f_.insts[id].op;
      if (op == Op::phi) {
        last_phi = id;
        continue;
      }
      for (const Id operand : f_.operands_of(id))
        if (f_.block_of[operand] == block) depend(id, operand);
      if (last_phi != kNone) depend(id, last_phi);
      if (barrier != kNone && id != barrier) depend(barrier, id);
      // what lanes do together depends on which of them run, which effects change
      const Effects effects = info(op).effects;
      if (has(effects, Effects::writes)) {
        if (last_write != kNone) depend(id, last_write);
        for (const Id read : reads_) depend(id, read);
        reads_.clear();
        last_write = id;
      } else if (has(effects, Effects::reads) || has(effects, Effects::wave) || has(effects, Effects::quad)) {
        if (last_write != kNone) depend(id, last_write);
        reads_.push_back(id);
      }
    }
  }

  void depend(Id user, Id on) {
    if (user == on || (unit_[user] == unit_[on] && !needs_itself(user, on))) return;
    edges_.push_back({user, on, first_need_[user], first_user_[on]});
    first_need_[user] = first_user_[on] = static_cast<std::uint32_t>(edges_.size() - 1);
    ++units_[unit_[user]].waits;
  }
  // A member that needs another of its row holds up itself, until the row is given up. Those of effects only keep their order.
  bool needs_itself(Id user, Id on) const {
    const auto operands = f_.operands_of(user);
    return f_.insts[user].op != Op::phi && std::ranges::find(operands, on) != operands.end();
  }

  void ready(std::uint32_t at) { ready_.emplace(units_[at].place, at); }

  void release(Id id) {
    for (std::uint32_t edge = first_user_[id]; edge != kNone; edge = edges_[edge].next_of_on) {
      const std::uint32_t at = unit_[edges_[edge].user];
      if (--units_[at].waits == 0 && !units_[at].is_done) ready(at);
    }
  }

  // Its members are units of their own from now on. Returns how many more there are.
  std::size_t break_up(std::uint32_t at) {
    const List& members = rows_[units_[at].row];
    given_up_->push_back(units_[at].row);
    units_[at].row = kNone;
    units_[at].waits = 0;
    for (std::size_t k = 0; k < members.size(); ++k) {
      const Id id = members[k];
      std::uint32_t own = at;
      if (k != 0) {
        own = static_cast<std::uint32_t>(units_.size());
        units_.emplace_back();
      }
      units_[own].id = id;
      units_[own].place = place_[id];
      unit_[id] = own;
    }
    for (const Id id : members) {
      std::size_t waits = 0;
      for (std::uint32_t edge = first_need_[id]; edge != kNone; edge = edges_[edge].next_of_user)
        waits += units_[unit_[edges_[edge].on]].is_done ? 0 : 1;
      units_[unit_[id]].waits = waits;
      if (waits == 0) ready(unit_[id]);
    }
    return members.size() - 1;
  }

  const Function& f_;
  const std::vector<std::uint32_t>& row_;
  const std::vector<List>& rows_;
  std::vector<std::uint32_t> row_unit_;  // of rows of the block that is ordered; of others any
  std::vector<std::uint32_t> unit_;      // by id, of that block
  std::vector<std::uint32_t> place_;
  std::vector<Unit> units_;
  std::vector<Id> reads_;                                 // since the last write, of connect()
  std::vector<Edge> edges_;                               // of the block
  std::vector<std::uint32_t> first_user_, first_need_;    // by id, the first of its edges
  using Ready = std::pair<std::uint32_t, std::uint32_t>;  // its place, the unit
  std::priority_queue<Ready, std::vector<Ready>, std::greater<>> ready_;
  std::vector<std::uint32_t>* given_up_ = nullptr;
};

}  // namespace unshade::ir

#include <unshade/ir/analysis/phi_webs.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "ir/flow.hpp"

namespace unshade::ir {
namespace {

/// Points of the order: each instruction has two, since what it reads may be in the variable that it writes.
struct Interval {
  std::uint32_t first = kNone, last = 0;
  std::uint32_t last_place = 0;  ///< in the order of blocks

  void touch(std::uint32_t point, std::uint32_t place) {
    first = std::min(first, point);
    if (point >= last) last = point, last_place = place;
  }
};

class Webs {
 public:
  Webs(const Function& function, const Writings& writings, std::span<const Declared> declared)
      : f_(function), writings_(writings), declared_(declared), flow_(function) {}

  PhiWebs run() {
    number();
    find_intervals();
    widen();
    parent_.resize(f_.insts.size());
    std::iota(parent_.begin(), parent_.end(), 0U);
    for (Id id = 0; id < f_.insts.size(); ++id)
      if (is_variable(id) && intervals_[id].first != kNone) spans_[id].emplace(intervals_[id].first, intervals_[id].last);
    work_ = 64 * f_.insts.size() + 4096;
    if (!f_.irreducible) join();
    name_webs();
    assign();
    return std::move(made_);
  }

 private:
  bool is_phi(Id id) const { return f_.insts[id].op == Op::phi; }
  // What has a variable of its own, if it is in no web.
  bool is_variable(Id id) const { return f_.block_of[id] != kNone && (is_phi(id) || writings_.of[id] == Writing::named); }
  static std::uint32_t read_at(std::uint32_t point) { return 2 * point; }
  static std::uint32_t write_at(std::uint32_t point) { return 2 * point + 1; }

  void number() {
    at_.assign(f_.insts.size(), 0);
    begin_.assign(f_.blocks.size(), 0);
    end_.assign(f_.blocks.size(), 0);
    std::uint32_t at = 1;
    for (const BlockId block : f_.order) {
      begin_[block] = at++;
      for (Id id = f_.blocks[block].first; id != kNone; id = f_.next[id]) at_[id] = is_phi(id) ? begin_[block] : at++;
      end_[block] = at++;  // where edges leave it
    }
  }

  void find_intervals() {
    intervals_.assign(f_.insts.size(), {});
    spans_.resize(f_.insts.size());
    for (const BlockId block : f_.order) {
      for (Id id = f_.blocks[block].first; id != kNone; id = f_.next[id]) visit(id);
    }
    // the operands of what is repeated are needed where that is
    for (std::size_t at = f_.order.size(); at-- > 0;) {
      for (Id id = f_.blocks[f_.order[at]].last; id != kNone; id = f_.previous[id]) {
        if (writings_.of[id] != Writing::repeated || intervals_[id].first == kNone) continue;
        for (const Id operand : f_.operands_of(id)) intervals_[operand].touch(intervals_[id].last, intervals_[id].last_place);
      }
    }
  }

  void visit(Id id) {
    const Inst& inst = f_.insts[id];
    const BlockId block = f_.block_of[id];
    if (writings_.of[id] == Writing::repeated) return;
    const auto operands = f_.operands_of(id);
    if (inst.op == Op::phi) {
      // on an edge it is written for what comes at its end: what is needed elsewhere is not there
      intervals_[id].touch(read_at(at_[id]), flow_.place[block]);
      const auto predecessors = f_.predecessors_of(block);
      for (std::size_t at = 0; at < operands.size(); ++at) {
        const BlockId origin = predecessors[at];
        intervals_[operands[at]].touch(read_at(end_[origin]), flow_.place[origin]);
      }
      return;
    }
    const Id statement = writings_.statement[id] == kNone ? id : writings_.statement[id];
    const BlockId in = f_.block_of[statement];
    // what a phi takes is computed on the edge
    const bool on_edge = writings_.of[id] == Writing::inside && statement == f_.blocks[in].last;
    const std::uint32_t point = on_edge ? end_[in] : at_[statement];
    if (inst.results != 0) intervals_[id].touch(write_at(at_[id]), flow_.place[block]);
    for (std::size_t at = 0; at < operands.size(); ++at)
      if (!is_block_operand(inst.op, at)) intervals_[operands[at]].touch(read_at(point), flow_.place[in]);
  }

  // Of a header those around it, and one further out, so that the outermost that counts is found in log steps: "Applicative random-access
  // stack", E. Myers.
  void find_jumps() {
    jump_.assign(f_.blocks.size(), kNone);
    depth_.assign(f_.blocks.size(), 0);
    for (const BlockId header : f_.order) {
      const BlockId outer = flow_.outer[header];
      if (!flow_.loops.is_header(header) || outer == kNone) continue;
      depth_[header] = depth_[outer] + 1;
      const BlockId far = jump_[outer];
      const bool is_even = far != kNone && jump_[far] != kNone && depth_[outer] - depth_[far] == depth_[far] - depth_[jump_[far]];
      jump_[header] = is_even ? jump_[far] : outer;
    }
  }

  // What comes from before a loop and is used in it is needed in all rounds: to the end of the outermost of such loops.
  void widen() {
    if (f_.irreducible) return;
    find_jumps();
    for (Id id = 0; id < intervals_.size(); ++id) {
      Interval& interval = intervals_[id];
      if (interval.first == kNone || f_.block_of[id] == kNone) continue;
      const auto counts = [&](BlockId header) { return header != kNone && interval.first < read_at(begin_[header]); };
      BlockId header = flow_.range[f_.order[interval.last_place]];
      if (!counts(header)) continue;
      while (counts(flow_.outer[header])) header = counts(jump_[header]) ? jump_[header] : flow_.outer[header];
      interval.last = std::max(interval.last, write_at(end_[f_.order[flow_.end[header]]]));
    }
  }

  Id find(Id id) {
    while (parent_[id] != id) id = parent_[id] = parent_[parent_[id]];
    return id;
  }

  // What is cast on the way to a variable that has its type again.
  Id uncast(Id id) const {
    const auto is_cast = [&] { return f_.insts[id].op == Op::bitcast && f_.block_of[id] != kNone && writings_.of[id] == Writing::inside; };
    while (is_cast()) id = f_.operands_of(id)[0];
    return id;
  }

  void join() {
    for (const BlockId block : f_.order) {
      for (Id id = f_.blocks[block].first; id != kNone && is_phi(id); id = f_.next[id]) {
        for (const Id operand : f_.operands_of(id)) try_join(id, uncast(operand));
      }
    }
  }

  void try_join(Id phi, Id operand) {
    if (!is_variable(operand) || f_.insts[operand].results != 1) return;
    // each use would cast its bits
    const bool is_real = !declared_.empty() && declared_[phi] == Declared::real;
    if (!declared_.empty() && is_real != (declared_[operand] == Declared::real)) return;
    const Type type = result_type(f_, operand), wanted = f_.insts[phi].type;
    if (type != wanted && !(is_real && bit_width(type) == bit_width(wanted))) return;
    Id into = find(phi), from = find(operand);
    if (into == from) return;
    if (spans_[into].size() < spans_[from].size()) std::swap(into, from);
    if (work_ < spans_[from].size()) return;
    work_ -= spans_[from].size();
    for (const auto& [first, last] : spans_[from]) {
      // the first that begins after it, and the one before
      const auto after = spans_[into].upper_bound(last);
      if (after != spans_[into].begin() && std::prev(after)->second >= first) return;
    }
    spans_[into].insert(spans_[from].begin(), spans_[from].end());
    spans_[from].clear();
    parent_[from] = into;
  }

  void name_webs() {
    made_.web.assign(f_.insts.size(), kNone);
    std::vector<bool> has_phi(f_.insts.size());
    for (Id id = 0; id < f_.insts.size(); ++id)
      if (is_variable(id) && is_phi(id)) has_phi[find(id)] = true;
    std::vector<std::uint32_t> number(f_.insts.size(), kNone);
    for (const BlockId block : f_.order) {
      for (Id id = f_.blocks[block].first; id != kNone; id = f_.next[id]) {
        if (!is_variable(id) || !has_phi[find(id)]) continue;
        std::uint32_t& web = number[find(id)];
        if (web == kNone) {
          web = static_cast<std::uint32_t>(made_.members.size());
          made_.members.emplace_back();
        }
        made_.web[id] = web;
        made_.members[web].push_back(id);
      }
    }
  }

  // The webs that an expression reads, each once.
  void add_reads(Id value, std::vector<std::uint32_t>& reads) {
    waiting_.assign(1, value);
    while (!waiting_.empty()) {
      const Id id = waiting_.back();
      waiting_.pop_back();
      if (f_.block_of[id] == kNone) continue;
      if (made_.web[id] != kNone) {
        reads.push_back(made_.web[id]);
        continue;
      }
      if (writings_.of[id] != Writing::inside && writings_.of[id] != Writing::repeated) continue;
      for (const Id operand : f_.operands_of(id)) waiting_.push_back(operand);
    }
    std::ranges::sort(reads);
    reads.erase(std::ranges::unique(reads).begin(), reads.end());
  }

  void assign() {
    made_.first.assign(f_.predecessors.size() + 1, 0);
    std::vector<std::pair<std::size_t, std::pair<BlockId, std::size_t>>> edges;
    for (const BlockId block : f_.order) {
      for (std::size_t at = 0; at < f_.blocks[block].predecessor_count; ++at)
        edges.push_back({f_.blocks[block].first_predecessor + at, {block, at}});
    }
    std::ranges::sort(edges);
    std::size_t next = 0;
    for (const auto& [edge, place] : edges) {
      for (; next <= edge; ++next) made_.first[next] = static_cast<std::uint32_t>(made_.assignments.size());
      assign_edge(place.first, place.second);
    }
    for (; next < made_.first.size(); ++next) made_.first[next] = static_cast<std::uint32_t>(made_.assignments.size());
  }

  void assign_edge(BlockId block, std::size_t at) {
    std::vector<ParallelMove> moves;
    std::vector<Id> values;
    for (Id id = f_.blocks[block].first; id != kNone && is_phi(id); id = f_.next[id]) {
      const Id value = f_.operands_of(id)[at];
      if (made_.web[uncast(value)] == made_.web[id]) continue;
      ParallelMove& move = moves.emplace_back();
      move.writes.push_back(made_.web[id]);
      add_reads(value, move.reads);
      values.push_back(value);
    }
    for (const MoveStep& step : order_moves(moves)) made_.assignments.push_back({moves[step.move].writes[0], values[step.move], step.kind});
  }

  const Function& f_;
  const Writings& writings_;
  const std::span<const Declared> declared_;
  const Flow flow_;
  PhiWebs made_;
  std::vector<std::uint32_t> at_, begin_, end_;  // points of instructions; of a block its phis and its edges
  std::vector<Interval> intervals_;
  std::vector<std::uint32_t> jump_, depth_;  // of headers
  std::vector<Id> parent_, waiting_;
  std::vector<std::map<std::uint32_t, std::uint32_t>> spans_;  // of a web, by its root: intervals, which do not overlap
  std::size_t work_ = 0;
};

}  // namespace

PhiWebs phi_webs_of(const Function& function, const Writings& writings, std::span<const Declared> declared) {
  return Webs(function, writings, declared).run();
}

}  // namespace unshade::ir

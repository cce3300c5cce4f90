#include "ir/structure/copies.hpp"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <utility>

#include <unshade/core/graph.hpp>
#include <unshade/ir/builder.hpp>
#include <unshade/ir/passes.hpp>

namespace unshade::ir::structure {
namespace {

/// Steps that a function may take which is made reducible, for finding what to copy and for making it: less than a second each.
constexpr std::size_t kMostSteps = std::size_t{1} << 22;

Error limit(const char* what) { return Error{ErrorCode::limit, 0, {}, what}; }

/// Builds a function anew, with a variable for each value that is used in other blocks than its own.
class Maker {
 public:
  Maker(const Function& from, const Plan& plan) : from_(from), plan_(plan), builder_(to_), variables_(builder_) {}

  Result<Function> make(std::size_t& room) {
    to_.name = from_.name;
    to_.parameters = from_.parameters;
    to_.results = from_.results;
    const std::size_t steps = declare() * plan_.original.size();
    if (steps > room) return limit("the function is too large for copies of its blocks");
    room -= steps;
    find_order();
    for (std::size_t at = 0; at < order_.size(); ++at) builder_.block();
    for (const std::uint32_t block : order_) fill(block);
    variables_.finish();
    if (auto fits = variables_.check(); !fits) return std::move(fits).error();
    Module module;
    module.functions.push_back(std::move(to_));
    canonicalize(module);
    return std::move(module.functions[0]);
  }

 private:
  struct Variables {
    std::uint32_t own = kNone;       ///< the value
    std::uint32_t incoming = kNone;  ///< of a phi, what the edges bring
  };

  // Returns how many variables there are.
  std::size_t declare() {
    variables_of_.resize(from_.insts.size());
    std::size_t count = 0;
    const auto add = [&](std::uint32_t& variable, Id id) {
      if (variable != kNone) return;
      variable = variables_.declare(result_type(from_, id));
      ++count;
    };
    for (const BlockId block : from_.order) {
      for (Id id = from_.blocks[block].first; id != kNone; id = from_.next[id]) {
        const bool is_phi = from_.insts[id].op == Op::phi;
        if (is_phi) add(variables_of_[id].incoming, id);
        const auto operands = from_.operands_of(id);
        for (std::size_t at = 0; at < operands.size(); ++at) {
          if (is_block_operand(from_.insts[id].op, at)) continue;
          const BlockId defined = from_.block_of[operands[at]];
          if (defined != kNone && (is_phi || defined != block)) add(variables_of_[operands[at]].own, operands[at]);
        }
      }
    }
    return count;
  }

  // Blocks that are reached, so that of the predecessors of each as many as can be come before it.
  void find_order() {
    Graph graph;
    graph.build(static_cast<std::uint32_t>(plan_.original.size()), [&](auto&& add) {
      for (std::uint32_t block = 0; block < plan_.original.size(); ++block)
        for (const std::uint32_t to : plan_.targets[block]) add(block, to);
    });
    Dominators dominators;
    dominators.examine(graph);
    order_ = dominators.reverse_postorder();
    number_.assign(plan_.original.size(), kNone);
    for (std::uint32_t at = 0; at < order_.size(); ++at) number_[order_[at]] = at;
    waits_.assign(plan_.original.size(), 0);
    for (const std::uint32_t block : order_) waits_[block] = static_cast<std::uint32_t>(graph.predecessors(block).size());
    for (std::uint32_t block = 0; block < plan_.original.size(); ++block) {
      if (number_[block] != kNone) continue;
      for (const std::uint32_t to : plan_.targets[block]) --waits_[to];
    }
    local_.assign(from_.insts.size(), kNone);
  }

  Id value(Id id) {
    const Inst& inst = from_.insts[id];
    if (from_.block_of[id] == kNone)
      return inst.op == Op::undef ? builder_.undef(inst.type) : builder_.constant(inst.type, constant_bits(from_, id));
    if (local_[id] != kNone) return local_[id];
    return variables_.read(variables_of_[id].own);
  }

  void define(Id id, Id made) {
    local_[id] = made;
    if (variables_of_[id].own != kNone) variables_.write(variables_of_[id].own, made);
    if (const auto name = from_.names.find(id); name != from_.names.end()) to_.names.emplace(made, name->second);
  }

  void fill(std::uint32_t number) {
    const BlockId block = plan_.original[number];
    if (waits_[number] == 0) variables_.seal(number_[number]);
    builder_.at(number_[number]);
    const Id last = from_.blocks[block].last;
    for (Id id = from_.blocks[block].first; id != kNone; id = from_.next[id]) {
      const Inst& inst = from_.insts[id];
      builder_.from(id < from_.sources.size() ? from_.sources[id] : Source());
      if (inst.op == Op::phi) {
        define(id, variables_.read(variables_of_[id].incoming));
        continue;
      }
      if (id == last) write_phis(block);
      operands_.clear();
      const auto operands = from_.operands_of(id);
      std::size_t target = 0;
      for (std::size_t at = 0; at < operands.size(); ++at)
        operands_.push_back(is_block_operand(inst.op, at) ? number_[plan_.targets[number][target++]] : value(operands[at]));
      if (id == last) {
        end(inst);
      } else {
        define(id, builder_.inst(inst.op, inst.type, operands_, {inst.extra, inst.flags, inst.results}));
      }
    }
    for (Id id = from_.blocks[block].first; id != kNone; id = from_.next[id]) local_[id] = kNone;
    for (const std::uint32_t to : plan_.targets[number])
      if (--waits_[to] == 0 && done_before(to, number)) variables_.seal(number_[to]);
  }
  // Whether a block was filled before its last predecessor; if not, it is sealed when it is.
  bool done_before(std::uint32_t block, std::uint32_t other) const { return number_[block] <= number_[other]; }

  // What phis of the successors get: all values are read before any of them is written.
  void write_phis(BlockId block) {
    writes_.clear();
    for_each_successor(from_, block, [&](BlockId to) {
      const auto origins = from_.predecessors_of(to);
      const auto at = static_cast<std::size_t>(std::ranges::find(origins, block) - origins.begin());
      for (Id id = from_.blocks[to].first; id != kNone && from_.insts[id].op == Op::phi; id = from_.next[id])
        writes_.emplace_back(variables_of_[id].incoming, value(from_.operands_of(id)[at]));
    });
    for (const auto& [variable, written] : writes_) variables_.write(variable, written);
  }

  void end(const Inst& inst) {
    switch (inst.op) {
      case Op::jump: builder_.jump(operands_[0]); return;
      case Op::branch: builder_.branch(operands_[0], operands_[1], operands_[2]); return;
      case Op::switch_: builder_.switch_on(operands_[0], operands_[1], std::span(operands_).subspan(2)); return;
      case Op::return_: builder_.return_values(operands_); return;
      default: builder_.unreachable(); return;
    }
  }

  const Function& from_;
  const Plan& plan_;
  Function to_;
  Builder builder_;
  SsaVariables variables_;
  std::vector<Variables> variables_of_;
  std::vector<std::uint32_t> order_, number_;  ///< blocks of the plan; their numbers in the function that is made
  std::vector<std::uint32_t> waits_;           ///< of a block of the plan, edges to it whose start is not filled yet
  std::vector<Id> local_;                      ///< of a value of the block that is filled, what it is now
  std::vector<std::uint32_t> operands_;
  std::vector<std::pair<std::uint32_t, Id>> writes_;
};

/// One cycle with several entries after the other becomes one with one.
class Splitter {
 public:
  Splitter(const Function& function, Plan& plan) : function_(function), plan_(plan) {
    for (const BlockId block : plan.original) total_ += size_of(function, block);
    room_ = kBase + kPerInstruction * total_;
  }

  Result<void> run() {
    // each round goes over the graph a few times, and once more for each entry that is tried
    for (std::size_t steps = 0; steps < kMostSteps; steps += kMostEntries * plan_.original.size()) {
      graph_.build(static_cast<std::uint32_t>(plan_.original.size()), [&](auto&& add) {
        for (std::uint32_t block = 0; block < plan_.original.size(); ++block)
          for (const std::uint32_t to : plan_.targets[block]) add(block, to);
      });
      dominators_.examine(graph_);
      Loops loops;
      loops.find(graph_, dominators_);
      if (!loops.irreducible()) return {};
      if (!split(loops.irreducible()->to)) break;
    }
    return limit("the control flow is irreducible, and would need too many copies of blocks");
  }

 private:
  static constexpr std::size_t kBase = 4096, kPerInstruction = 4;  ///< instructions that copies may have
  static constexpr std::size_t kMostEntries = 16;                  ///< that are tried

  // Blocks that are reached from `first`, forwards or backwards, without leaving `among`.
  template <class Next>
  std::vector<bool> reached(std::span<const std::uint32_t> first, const std::vector<bool>& among, Next next) const {
    std::vector<bool> seen(plan_.original.size(), false);
    std::vector<std::uint32_t> stack;
    const auto meet = [&](std::uint32_t block) {
      if (!among[block] || seen[block]) return;
      seen[block] = true;
      stack.push_back(block);
    };
    for (const std::uint32_t block : first) meet(block);
    while (!stack.empty()) {
      const std::uint32_t block = stack.back();
      stack.pop_back();
      for (const std::uint32_t other : next(block)) meet(other);
    }
    return seen;
  }
  std::vector<bool> reached_from(std::span<const std::uint32_t> first, const std::vector<bool>& among) const {
    return reached(first, among, [&](std::uint32_t block) { return graph_.successors(block); });
  }

  // The cycle that a block is in, below its immediate dominator, gets copies of what its other entries reach before one of them.
  bool split(std::uint32_t block) {
    const std::size_t count = plan_.original.size();
    const std::uint32_t above = dominators_.immediate_dominator(block);
    std::vector<bool> below(count);
    for (std::uint32_t other = 0; other < count; ++other)
      below[other] = dominators_.reachable(other) && other != above && dominators_.dominates(above, other);
    const std::vector<bool> after = reached_from(std::span(&block, 1), below);
    const std::vector<bool> before = reached(std::span(&block, 1), below, [&](std::uint32_t other) { return graph_.predecessors(other); });
    std::vector<bool> cycle(count);
    for (std::uint32_t other = 0; other < count; ++other) cycle[other] = after[other] && before[other];
    std::vector<std::uint32_t> entries;
    for (std::uint32_t other = 0; other < count; ++other) {
      const auto from = graph_.predecessors(other);
      if (cycle[other] && std::ranges::any_of(from, [&](std::uint32_t one) { return dominators_.reachable(one) && !cycle[one]; }))
        entries.push_back(other);
    }
    std::vector<bool> best;
    std::size_t least = room_ + 1;
    for (std::size_t at = 0; at < std::min(entries.size(), kMostEntries); ++at) {
      std::vector<bool> rest = cycle;
      rest[entries[at]] = false;
      std::vector<bool> copied = reached_from(entries, rest);
      std::size_t size = 0;
      for (std::uint32_t other = 0; other < count; ++other) size += copied[other] ? size_of(function_, plan_.original[other]) : 0;
      if (size >= least) continue;
      least = size;
      best = std::move(copied);
    }
    if (best.empty()) return false;
    room_ -= least;
    std::vector<std::uint32_t> copy(count, kNone);
    for (std::uint32_t other = 0; other < count; ++other)
      if (best[other]) copy[other] = plan_.copy(other);
    for (std::uint32_t other = 0; other < plan_.original.size(); ++other) {
      const bool is_outside = other >= count || !cycle[other];
      if (!is_outside) continue;
      for (std::uint32_t& to : plan_.targets[other])
        if (to < count && copy[to] != kNone) to = copy[to];
    }
    return true;
  }

  const Function& function_;
  Plan& plan_;
  Graph graph_;
  Dominators dominators_;
  std::size_t total_ = 0, room_ = 0;
};

}  // namespace

Plan::Plan(const Function& function) {
  std::vector<std::uint32_t> number(function.blocks.size(), kNone);
  for (const BlockId block : function.order) {
    number[block] = static_cast<std::uint32_t>(original.size());
    original.push_back(block);
  }
  for (const BlockId block : function.order) {
    auto& list = targets.emplace_back();
    for_each_successor(function, block, [&](BlockId to) { list.push_back(number[to]); });
  }
}

std::uint32_t Plan::copy(std::uint32_t block) {
  original.push_back(original[block]);
  targets.push_back(std::vector(targets[block]));
  return static_cast<std::uint32_t>(original.size() - 1);
}

std::size_t size_of(const Function& function, BlockId block) {
  std::size_t size = 0;
  for (Id id = function.blocks[block].first; id != kNone; id = function.next[id]) ++size;
  return size;
}

Result<Function> made(const Function& function, const Plan& plan, std::size_t& room) { return Maker(function, plan).make(room); }

Result<Function> reducible(const Function& function) {
  Plan plan(function);
  if (auto done = Splitter(function, plan).run(); !done) return std::move(done).error();
  std::size_t room = kMostSteps;
  return made(function, plan, room);
}

}  // namespace unshade::ir::structure

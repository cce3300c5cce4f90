// Innermost loops with a constant trip count become that many copies of their blocks, one after the other.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include <unshade/ir/builder.hpp>
#include <unshade/ir/passes.hpp>

#include "ir/flow.hpp"
#include "ir/passes/copies.hpp"
#include "ir/passes/evaluate.hpp"

namespace unshade::ir::passes {
namespace {

/// Rounds that a loop may have, instructions that the copies of all loops of a function may have together, and values that may be computed
/// to find how many rounds these have.
constexpr std::size_t kMostRounds = 256, kMostInstructions = 4096, kMostValues = std::size_t{1} << 20;

/// An innermost loop with a constant trip count: all lanes that come so far leave it by one block in the same round.
struct Known {
  BlockId header = kNone;
  BlockId test = kNone;                 ///< the block where they leave it
  BlockId stay = kNone, leave = kNone;  ///< its successors
  std::size_t rounds = 0;               ///< full ones, before that
};

/// Values of a loop in each of its rounds, as far as they depend on constants alone.
class Rounds {
 public:
  /// `values`: that may still be computed.
  Rounds(const Function& function, const Flow& flow, BlockId header, std::size_t& values)
      : function_(function), flow_(flow), header_(header), values_(values) {
    const auto origins = function.predecessors_of(header);
    latch_ = static_cast<std::size_t>(std::ranges::find(origins, function.order[flow.end[header]]) - origins.begin());
  }

  /// How many rounds it takes until a condition has another value than in a full one; nothing if that is not known, or beyond the limit.
  std::optional<std::size_t> until(Id condition, bool stays) {
    for (std::size_t round = 0; round <= kMostRounds; ++round) {
      const auto holds = value(condition, 0);
      if (!holds) return std::nullopt;
      if ((*holds != 0) != stays) return round;
      next();
    }
    return std::nullopt;
  }

 private:
  static constexpr unsigned kMostDepth = 64;

  std::optional<std::uint64_t> value(Id id, unsigned depth) {
    const Inst& inst = function_.insts[id];
    if (function_.block_of[id] == kNone) return inst.op == Op::constant ? std::optional(constant_bits(function_, id)) : std::nullopt;
    if (!flow_.in_range(header_, function_.block_of[id]) || depth > kMostDepth) return std::nullopt;
    if (const auto known = known_.find(id); known != known_.end()) return known->second;
    if (values_ == 0) return std::nullopt;
    --values_;
    return known_[id] = computed(id, inst, depth);
  }

  std::optional<std::uint64_t> computed(Id id, const Inst& inst, unsigned depth) {
    const auto operands = function_.operands_of(id);
    if (inst.op == Op::phi) {
      if (function_.block_of[id] != header_) return std::nullopt;
      phis_.push_back(id);
      return first_ ? entry_value(id, depth) : std::nullopt;
    }
    if (info(inst.op).effects != Effects::pure || inst.results != 1) return std::nullopt;
    std::vector<std::uint64_t> bits;
    for (const Id operand : operands) {
      const auto known = value(operand, depth + 1);
      if (!known) return std::nullopt;
      bits.push_back(*known);
    }
    if (bits.empty()) return std::nullopt;
    if (const auto made = evaluate(inst.op, inst.type, bits)) return made;
    return bits.size() == 1 ? evaluate_conversion(inst.op, inst.type, result_type(function_, operands[0]), bits[0]) : std::nullopt;
  }

  std::optional<std::uint64_t> entry_value(Id phi, unsigned depth) {
    const auto operands = function_.operands_of(phi);
    // the loop has one entry, or they agree
    std::optional<std::uint64_t> made;
    for (std::size_t at = 0; at < operands.size(); ++at) {
      if (at == latch_) continue;
      const auto one = function_.block_of[operands[at]] == kNone ? value(operands[at], depth + 1) : std::nullopt;
      if (!one || (made && *made != *one)) return std::nullopt;
      made = one;
    }
    return made;
  }

  // The values of the phis in the next round. Those that are needed are all found before the first one ends.
  void next() {
    std::vector<std::pair<Id, std::optional<std::uint64_t>>> made;
    for (std::size_t at = 0; at < phis_.size(); ++at) {
      const Id phi = phis_[at];  // value() may find more
      made.emplace_back(phi, value(function_.operands_of(phi)[latch_], 0));
    }
    first_ = false;
    known_.clear();
    for (const auto& [phi, bits] : made) known_[phi] = bits;
  }

  const Function& function_;
  const Flow& flow_;
  const BlockId header_;
  std::size_t& values_;
  std::size_t latch_;
  bool first_ = true;
  std::vector<Id> phis_;
  std::unordered_map<Id, std::optional<std::uint64_t>> known_;
};

class Unroll {
 public:
  explicit Unroll(const Function& function) : function_(function), flow_(function), copied_(function) {}

  /// Nothing if no loop is known.
  std::optional<Function> run() {
    if (!flow_.nested) return std::nullopt;
    find_open();
    for (const BlockId block : function_.order) {
      if (flow_.range[block] != block || is_open_[block] || !is_innermost(block)) continue;
      if (auto known = find(block)) loops_.emplace(block, *known);
    }
    if (loops_.empty()) return std::nullopt;
    copy_all();
    return std::move(copied_).finish();
  }

  std::size_t count() const { return loops_.size(); }

 private:
  /// The known loop in whose range a block is; null if it is in none.
  const Known* loop_of(BlockId block) const {
    const auto found = loops_.find(flow_.range[block]);
    return found == loops_.end() ? nullptr : &found->second;
  }

  bool is_innermost(BlockId header) const {
    for (std::uint32_t at = flow_.place[header]; at <= flow_.end[header]; ++at)
      if (flow_.range[function_.order[at]] != header) return false;
    return true;
  }

  std::size_t size_of(BlockId header) const {
    std::size_t made = 0;
    for (std::uint32_t at = flow_.place[header]; at <= flow_.end[header]; ++at)
      for (Id id = function_.blocks[function_.order[at]].first; id != kNone; id = function_.next[id]) ++made;
    return made;
  }

  // Loops of which something else than a phi of what directly follows uses a value.
  void find_open() {
    is_open_.resize(function_.blocks.size());
    for (const BlockId block : function_.order) {
      const auto origins = function_.predecessors_of(block);
      for (Id id = function_.blocks[block].first; id != kNone; id = function_.next[id]) {
        const Op op = function_.insts[id].op;
        const auto operands = function_.operands_of(id);
        for (std::size_t at = 0; at < operands.size(); ++at) {
          if (is_block_operand(op, at) || function_.block_of[operands[at]] == kNone) continue;
          const BlockId header = flow_.range[function_.block_of[operands[at]]];
          if (header != kNone && !flow_.in_range(header, op == Op::phi ? origins[at] : block)) is_open_[header] = true;
        }
      }
    }
  }

  std::optional<Known> find(BlockId header) {
    const std::size_t size = size_of(header);
    if (size > instructions_left_) return std::nullopt;
    std::optional<Known> made;
    const BlockId latch = function_.order[flow_.end[header]];
    for (std::uint32_t at = flow_.place[header]; at <= flow_.end[header]; ++at) {
      const BlockId block = function_.order[at];
      const Id last = function_.blocks[block].last;
      if (function_.insts[last].op != Op::branch || !flow_.dominators.dominates(block, latch)) continue;
      const auto operands = function_.operands_of(last);
      const bool stays = flow_.in_range(header, operands[1]);
      if (stays == flow_.in_range(header, operands[2])) continue;
      const auto rounds = Rounds(function_, flow_, header, values_left_).until(operands[0], stays);
      if (rounds && (!made || *rounds < made->rounds))
        made = {.header = header, .test = block, .stay = operands[stays ? 1 : 2], .leave = operands[stays ? 2 : 1], .rounds = *rounds};
    }
    if (!made || size * (made->rounds + 1) > instructions_left_) return std::nullopt;
    instructions_left_ -= size * (made->rounds + 1);
    return made;
  }

  std::size_t copies_of(BlockId block) const {
    const Known* const loop = loop_of(block);
    return loop == nullptr ? 1 : loop->rounds + 1;
  }

  void copy_all() {
    blocks_.resize(function_.blocks.size());
    values_.resize(function_.insts.size());
    for (std::uint32_t place = 0; place < function_.order.size();) {
      const BlockId block = function_.order[place];
      const std::uint32_t end = loop_of(block) == nullptr ? place : flow_.end[block];
      for (std::size_t round = 0; round < copies_of(block); ++round)
        for (std::uint32_t at = place; at <= end; ++at) copy_block(function_.order[at], round);
      place = end + 1;
    }
    for (const BlockId block : function_.order)
      for (std::size_t round = 0; round < copies_of(block); ++round) fill_block(block, round);
  }

  void copy_block(BlockId block, std::size_t round) {
    const BlockId to = copied_.new_block();
    blocks_[block].push_back(to);
    for (Id id = function_.blocks[block].first; id != kNone; id = function_.next[id]) {
      if (id == function_.blocks[block].last && is_decided(block)) {
        values_[id].push_back(copied_.add(to, Op::jump, Type::void_, {}, function_.sources.empty() ? Source{} : function_.sources[id]));
      } else {
        values_[id].push_back(copied_.add_like(to, function_, id, round == 0));
      }
    }
  }

  // Whether it is known for each round where lanes go.
  bool is_decided(BlockId block) const {
    const Known* const loop = loop_of(block);
    return loop != nullptr && loop->test == block;
  }
  static BlockId decided(const Known& loop, std::size_t round) { return round == loop.rounds ? loop.leave : loop.stay; }

  // What a value is for a copy of a block.
  Id value(Id id, BlockId block, std::size_t round) {
    const BlockId there = function_.block_of[id];
    if (there == kNone) return copied_.constant_like(function_, id);
    return values_[id][loop_of(there) != nullptr && flow_.range[there] == flow_.range[block] ? round : 0];
  }
  // Where a copy of a block goes. The latch of the last copy is never reached.
  BlockId target(BlockId to, BlockId block, std::size_t round) const {
    const Known* const loop = loop_of(to);
    if (loop == nullptr || flow_.range[to] != flow_.range[block]) return blocks_[to][0];
    return blocks_[to][to == loop->header ? std::min(round + 1, loop->rounds) : round];
  }

  void fill_block(BlockId block, std::size_t round) {
    Function& made = copied_.function();
    for (Id id = function_.blocks[block].first; id != kNone; id = function_.next[id]) {
      const Op op = function_.insts[id].op;
      const auto operands = function_.operands_of(id);
      if (op == Op::phi) {
        copied_.set_origins(values_[id][round], origins_of(id, block, round));
      } else if (id == function_.blocks[block].last && is_decided(block)) {
        const BlockId to = target(decided(*loop_of(block), round), block, round);
        set_operands(made, values_[id][round], std::span(&to, 1));
      } else {
        std::vector<std::uint32_t> filled;
        for (std::size_t at = 0; at < operands.size(); ++at)
          filled.push_back(is_block_operand(op, at) ? target(operands[at], block, round) : value(operands[at], block, round));
        set_operands(made, values_[id][round], filled);
      }
    }
    const Block& from = function_.blocks[block];
    Block& to = made.blocks[blocks_[block][round]];
    if (from.merge != kNone) to.merge = target(from.merge, block, round);
  }

  Origins origins_of(Id phi, BlockId block, std::size_t round) {
    Origins made;
    const auto predecessors = function_.predecessors_of(block);
    const auto operands = function_.operands_of(phi);
    const BlockId here = blocks_[block][round];
    for (std::size_t at = 0; at < operands.size(); ++at) {
      const BlockId from = predecessors[at];
      for (std::size_t other = 0; other < copies_of(from); ++other) {
        if (is_decided(from) && decided(*loop_of(from), other) != block) continue;
        if (target(block, from, other) == here) made.emplace_back(blocks_[from][other], value(operands[at], from, other));
      }
    }
    return made;
  }

  const Function& function_;
  const Flow flow_;
  CopiedFunction copied_;
  std::size_t instructions_left_ = kMostInstructions, values_left_ = kMostValues;
  std::vector<bool> is_open_;                 ///< of headers
  std::unordered_map<BlockId, Known> loops_;  ///< by their headers
  std::vector<std::vector<BlockId>> blocks_;  ///< of each block its copies, by rounds
  std::vector<std::vector<Id>> values_;       ///< of each instruction
};

}  // namespace

std::size_t unroll_loops(Module& module) {
  std::size_t count = 0;
  for (Function& function : module.functions) {
    if (function.irreducible) continue;
    Unroll unroll(function);
    if (auto made = unroll.run()) {
      count += unroll.count();
      function = *std::move(made);
    }
  }
  if (count != 0) canonicalize(module);
  return count;
}

}  // namespace unshade::ir::passes

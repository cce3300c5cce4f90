// Canonical form: docs/internals/ir.md, "Flow".
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <optional>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include <unshade/ir/builder.hpp>
#include <unshade/ir/passes.hpp>

#include "ir/flow.hpp"
#include "ir/operands.hpp"
#include "ir/passes/order.hpp"

namespace unshade::ir::passes {
namespace {

void retarget(Function& function, BlockId block, BlockId from, BlockId to) {
  const Id last = function.blocks[block].last;
  const auto operands = function.operands_of(last);
  for (std::size_t at = 0; at < operands.size(); ++at) {
    if (is_block_operand(function.insts[last].op, at) && operands[at] == from) operands[at] = to;
  }
}

Id prepend_phi(Function& function, BlockId block, Type type, std::span<const std::uint32_t> operands) {
  const Id phi = append(function, Op::phi, type, operands);
  const Id first = function.blocks[block].first;
  first == kNone ? insert_at_end(function, block, phi) : insert_before(function, first, phi);
  return phi;
}

/// Steps that exit phis may take, besides some for each instruction: a value takes one for each block between its loop and its uses.
constexpr std::size_t kMostSteps = std::size_t{1} << 18;

class Canonical {
 public:
  explicit Canonical(Function& function)
      : function_(function), position_(function.blocks.size()), steps_left_(kMostSteps + 16 * function.insts.size()) {
    std::iota(position_.begin(), position_.end(), 0U);
  }

  std::size_t run() {
    link_predecessors(function_);
    split_entry();
    const bool has_loops = join_latches();
    order_function(function_, position_);
    link_blocks(function_);
    if (!function_.irreducible) {
      place_members();
      // What would need too many is run as the interpreter runs functions without exit phis.
      if (has_loops && !add_exit_phis()) function_.irreducible = true;
    }
    compact(function_);
    return changes_;
  }

 private:
  BlockId new_block(std::uint32_t position) {
    const auto block = static_cast<BlockId>(function_.blocks.size());
    function_.blocks.emplace_back();
    function_.order.push_back(block);
    position_.push_back(position);
    return block;
  }
  void jump(BlockId block, BlockId to) { insert_at_end(function_, block, append(function_, Op::jump, Type::void_, std::span(&to, 1))); }

  // The entry has no predecessors: if it has some, what it holds moves to a new block.
  void split_entry() {
    const auto origins = std::as_const(function_).predecessors_of(0);
    if (origins.empty()) return;
    ++changes_;
    for (const BlockId origin : std::vector(origins.begin(), origins.end())) retarget(function_, origin, 0, next_block());
    const BlockId moved = new_block(0);
    Block& from = function_.blocks[0];
    Block& to = function_.blocks[moved];
    to = std::exchange(from, Block{});
    to.first_predecessor = to.predecessor_count = 0;
    std::vector<std::uint32_t> operands;
    const bool loops_to_itself = origins[0] == 0;
    for (Id id = to.first; id != kNone; id = function_.next[id]) {
      function_.block_of[id] = moved;
      if (function_.insts[id].op != Op::phi) continue;
      operands.assign(1, undef(function_.insts[id].type));
      const auto others = function_.operands_of(id);
      operands.insert(operands.end(), others.begin(), others.end());
      if (loops_to_itself) std::rotate(operands.begin() + 1, operands.begin() + 2, operands.end());
      set_operands(function_, id, operands);
    }
    move_origin(0, moved);
    jump(0, moved);
    link_blocks(function_);
  }
  Id undef(Type type) {
    if (!constants_) constants_.emplace(function_);
    return constants_->undef(type);
  }
  BlockId next_block() const { return static_cast<BlockId>(function_.blocks.size()); }

  // Phi operands of successors of `moved` stand by the number of the block that they came from.
  void move_origin(BlockId before, BlockId moved) {
    for_each_successor(function_, moved, [&](BlockId to) {
      const auto origins =
          std::span(function_.predecessors).subspan(function_.blocks[to].first_predecessor, function_.blocks[to].predecessor_count);
      const auto found = std::ranges::find(origins, before);
      if (found == origins.end()) return;
      const auto at = found - origins.begin();
      std::rotate(found, found + 1, origins.end());
      origins.back() = moved;
      for (Id id = function_.blocks[to].first; id != kNone && function_.insts[id].op == Op::phi; id = function_.next[id]) {
        const auto operands = function_.operands_of(id);
        std::rotate(operands.begin() + at, operands.begin() + at + 1, operands.end());
      }
    });
  }

  // False if the function has no loops.
  bool join_latches() {
    if (function_.order.size() == 1) return false;  // the entry has no predecessors
    const Flow flow(function_);
    if (flow.loops.irreducible()) return true;
    if (flow.loops.back_edges().empty()) return false;
    std::unordered_map<BlockId, std::vector<BlockId>> latches;  // by header
    for (const auto& [from, to] : flow.loops.back_edges()) {
      auto& list = latches[to];
      if (std::ranges::find(list, from) == list.end()) list.push_back(from);
    }
    for (const BlockId header : std::vector(function_.order)) {
      const auto found = latches.find(header);
      if (found == latches.end()) continue;
      // a latch inside of another loop could not be the last block of its own
      if (found->second.size() > 1 || flow.loops.header_of(found->second[0]) != header) join(header, found->second);
    }
    link_blocks(function_);
    return true;
  }

  void join(BlockId header, std::vector<BlockId>& latches) {
    ++changes_;
    std::ranges::sort(latches);
    std::uint32_t position = 0;
    for (const BlockId latch : latches) position = std::max(position, position_[latch]);
    const BlockId joined = new_block(position);
    for (const BlockId latch : latches) retarget(function_, latch, header, joined);
    const auto origins = std::as_const(function_).predecessors_of(header);
    std::vector<std::uint32_t> from_latches, others;
    for (Id id = function_.blocks[header].first; id != kNone && function_.insts[id].op == Op::phi; id = function_.next[id]) {
      from_latches.clear();
      others.clear();
      const auto operands = function_.operands_of(id);
      for (std::size_t at = 0; at < operands.size(); ++at) {
        (std::ranges::binary_search(latches, origins[at]) ? from_latches : others).push_back(operands[at]);
      }
      const bool same = std::ranges::all_of(from_latches, [&](Id value) { return value == from_latches[0]; });
      others.push_back(same ? from_latches[0] : insert_phi(joined, function_.insts[id].type, from_latches));
      set_operands(function_, id, others);
    }
    jump(joined, header);
    // the header's predecessors now, so that its phis stay as they are when blocks are linked
    Block& block = function_.blocks[header];
    const auto list = std::span(function_.predecessors).subspan(block.first_predecessor, block.predecessor_count);
    const auto kept = std::ranges::remove_if(list, [&](BlockId origin) { return std::ranges::binary_search(latches, origin); });
    kept.front() = joined;
    block.predecessor_count -= static_cast<std::uint32_t>(latches.size()) - 1;
  }
  Id insert_phi(BlockId block, Type type, std::span<const std::uint32_t> operands) {
    const Id phi = append(function_, Op::phi, type, operands);
    insert_at_end(function_, block, phi);
    return phi;
  }

  // Members of a tuple are extracted directly after it: a phi cannot have a tuple.
  void place_members() {
    for (const BlockId block : function_.order) {
      for (Id id = function_.blocks[block].first, next = kNone; id != kNone; id = next) {
        next = function_.next[id];
        if (function_.insts[id].op != Op::get) continue;
        const Id tuple = function_.operands_of(id)[0];
        if (function_.block_of[tuple] == block || function_.block_of[tuple] == kNone) continue;
        remove(function_, id);
        insert_before(function_, function_.next[tuple], id);
      }
    }
  }

  // A use of a value after the loop that it is of.
  struct Use {
    Id value;
    Id user;
    std::uint32_t operand;
    BlockId block;  // where the value must be there: of a phi, the predecessor
  };

  bool add_exit_phis() {
    const Flow flow(function_);
    std::vector<Use> uses;
    for (const BlockId block : function_.order) {
      for (Id id = function_.blocks[block].first; id != kNone; id = function_.next[id]) note_uses(flow, id, uses);
    }
    // Phis that are added may be values of loops around, used after those in turn.
    std::vector<Use> more;
    while (!uses.empty()) {
      std::ranges::stable_sort(uses, {}, &Use::value);
      more.clear();
      for (std::size_t first = 0; first < uses.size();) {
        std::size_t last = first;
        while (last < uses.size() && uses[last].value == uses[first].value) ++last;
        add_exit_phis(flow, std::span(uses).subspan(first, last - first), more);
        if (steps_left_ == 0) return false;
        first = last;
      }
      std::swap(uses, more);
    }
    return true;
  }
  void step(std::size_t count) { steps_left_ -= std::min(steps_left_, count); }

  void note_uses(const Flow& flow, Id user, std::vector<Use>& uses) {
    const bool in_phi = function_.insts[user].op == Op::phi;
    const BlockId block = function_.block_of[user];
    const auto operands = std::as_const(function_).operands_of(user);
    for (std::uint32_t at = 0; at < operands.size(); ++at) {
      if (is_block_operand(function_.insts[user].op, at)) continue;
      note_use(flow, {operands[at], user, at, in_phi ? std::as_const(function_).predecessors_of(block)[at] : block}, uses);
    }
  }
  void note_use(const Flow& flow, const Use& use, std::vector<Use>& uses) {
    const BlockId defined = function_.block_of[use.value];
    if (defined != kNone && !flow.in_range(flow.range[defined], use.block)) uses.push_back(use);
  }

  // All uses of one value after its loop. src: as Cytron et al. place phis, but only in blocks on the paths from the loop to a use
  void add_exit_phis(const Flow& flow, std::span<const Use> uses, std::vector<Use>& more) {
    const Id value = uses[0].value;
    const Type type = result_type(function_, value);
    const BlockId loop = flow.range[function_.block_of[value]];
    // Blocks from which a use is reached without the loop, each with the value at its start.
    std::unordered_map<BlockId, Id> known;
    std::vector<BlockId> found;
    const auto find = [&](BlockId block) {
      if (known.emplace(block, kNone).second) found.push_back(block);
    };
    for (const Use& use : uses) find(use.block);
    for (std::size_t at = 0; at < found.size(); ++at) {
      const auto origins = std::as_const(function_).predecessors_of(found[at]);
      const bool is_exit = std::ranges::any_of(origins, [&](BlockId origin) { return flow.in_range(loop, origin); });
      if (origins.empty()) known[found[at]] = undef(type);  // the use was not dominated
      if (is_exit || origins.size() > 1) known[found[at]] = prepend_phi(function_, found[at], type, {});
      for (const BlockId origin : origins) {
        if (!flow.in_range(loop, origin)) find(origin);
      }
    }
    step(found.size());
    // a block with one predecessor has its value
    const auto value_in = [&](BlockId block) {
      if (flow.in_range(loop, block)) return value;
      BlockId at = block;
      while (known.at(at) == kNone) at = std::as_const(function_).predecessors_of(at)[0];
      const Id result = known.at(at);
      for (; known.at(block) == kNone; block = std::as_const(function_).predecessors_of(block)[0]) known[block] = result;
      return result;
    };
    std::vector<Id> phis;
    std::vector<std::uint32_t> operands;
    for (const BlockId block : found) {
      const Id phi = known.at(block);
      if (phi == kNone || function_.block_of[phi] != block) continue;
      phis.push_back(phi);
      operands.clear();
      for (const BlockId origin : std::as_const(function_).predecessors_of(block)) operands.push_back(value_in(origin));
      set_operands(function_, phi, operands);
    }
    // If the same value comes from all predecessors, no phi is needed except at exits.
    std::unordered_map<Id, Id> replaced;
    const auto now = [&](Id id) {
      Id last = id;
      for (auto at = replaced.find(last); at != replaced.end(); at = replaced.find(last)) last = at->second;
      while (id != last) id = std::exchange(replaced.at(id), last);
      return last;
    };
    for (bool changed = true; steps_left_ != 0 && std::exchange(changed, false);) {
      step(phis.size());
      for (const Id phi : phis) {
        if (replaced.contains(phi)) continue;
        Id only = kNone;
        bool needed = false;
        for (const Id operand : std::as_const(function_).operands_of(phi)) {
          const Id other = now(operand);
          if (other == phi || other == only) continue;
          needed |= only != kNone || other == value;
          only = other;
        }
        if (needed) continue;
        replaced.emplace(phi, only);
        changed = true;
      }
    }
    for (const Id phi : phis) {
      if (replaced.contains(phi)) {
        remove(function_, phi);
        continue;
      }
      ++changes_;
      for (std::uint32_t& operand : function_.operands_of(phi)) operand = now(operand);
      note_uses(flow, phi, more);
    }
    for (const Use& use : uses) {
      const Id result = now(value_in(use.block));
      function_.operands_of(use.user)[use.operand] = result;
      note_use(flow, {result, use.user, use.operand, use.block}, more);
    }
  }

  Function& function_;
  std::vector<std::uint32_t> position_;
  std::optional<Constants> constants_;
  std::size_t steps_left_;
  std::size_t changes_ = 0;
};

}  // namespace

std::size_t canonical_loops(Module& module) {
  std::size_t changes = 0;
  for (Function& function : module.functions) {
    if (!function.blocks.empty()) changes += Canonical(function).run();
  }
  return changes;
}

}  // namespace unshade::ir::passes

namespace unshade::ir {

void canonicalize(Module& module) { passes::canonical_loops(module); }

}  // namespace unshade::ir

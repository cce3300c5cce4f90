#include <unshade/ir/analysis/uses.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string_view>
#include <vector>

#include "ir/flow.hpp"

namespace unshade::ir {
namespace {

/// Operations on an index that are written again with what it is of.
constexpr unsigned kMostOfIndex = 4;

constexpr std::string_view kWritingTexts[] = {"none", "named", "inside", "repeated"};

class Placing {
 public:
  Placing(const Function& function, const Uses& uses, const WritingOptions& options)
      : f_(function), uses_(uses), options_(options), flow_(function) {
    const std::size_t count = f_.insts.size();
    made_.of.assign(count, Writing::none);
    made_.statement.assign(count, kNone);
    writes_before_.assign(count, 0);
    outputs_before_.assign(count, 0);
    depth_.assign(count, 0);
    by_need_.assign(count, false);
    phis_.assign(count, {});
  }

  Writings run() {
    for (const BlockId block : f_.order) {
      std::uint32_t writes = 0, outputs = 0;
      for (Id id = f_.blocks[block].first; id != kNone; id = f_.next[id]) {
        writes_before_[id] = writes;
        outputs_before_[id] = outputs;
        if (changes(id)) ++(f_.insts[id].op == Op::output ? outputs : writes);
        note_phis(id);
      }
    }
    // from uses to definitions: what a value is written in is known before the value. In the order of blocks each definition stands before
    // its uses, but for those of phis, which are written in the statement at the end of their predecessor.
    for (std::size_t at = f_.order.size(); at-- > 0;) {
      for (Id id = f_.blocks[f_.order[at]].last; id != kNone; id = f_.previous[id]) place(id);
    }
    return std::move(made_);
  }

 private:
  // The phis that an expression reads.
  struct Phis {
    Id only = kNone;
    bool several = false;
    void add(const Phis& other) {
      several |= other.several || (other.only != kNone && only != kNone && other.only != only);
      if (only == kNone) only = other.only;
    }
  };

  Effects effects(Id id) const { return info(f_.insts[id].op).effects; }
  bool changes(Id id) const { return has(effects(id), Effects::writes); }

  // Before it is known what is inside of what: as if all were.
  void note_phis(Id id) {
    if (f_.insts[id].op == Op::phi) {
      phis_[id].only = id;
      return;
    }
    for (std::size_t at = 0; at < f_.insts[id].operand_count; ++at) {
      if (is_block_operand(f_.insts[id].op, at)) continue;
      // what is used again and again has a name, which a cast of it reads
      const Id operand = f_.operands_of(id)[at];
      const bool is_named = f_.insts[id].op == Op::bitcast && f_.insts[operand].op != Op::phi && f_.insts[operand].op != Op::get &&
                            uses_.count[operand] > 1 && !is_repeated(operand);
      if (!is_named) phis_[id].add(phis_[operand]);
    }
  }

  // What costs no more than a name: what is there, and what constants alone choose.
  bool is_repeated(Id id) const {
    switch (f_.insts[id].op) {
      // languages have no variables for resources
      case Op::handle:
      case Op::handle_from_heap:
      case Op::handle_null:
      case Op::handle_from_address: return true;
      // what it is cast from has the name: types that are declared otherwise need no cast
      case Op::bitcast: return uses_.count[id] > 1;
      case Op::input:
      case Op::builtin:
      case Op::param: return std::ranges::all_of(f_.operands_of(id), [&](Id operand) { return is_there(operand); });
      case Op::cbuffer_load:
        return std::ranges::all_of(f_.operands_of(id), [&](Id operand) { return is_there(operand) || is_index(operand, 0); });
      case Op::iadd:
      case Op::ishl:
      case Op::imul: return is_part_of_index(id);
      default: return false;
    }
  }
  bool is_there(Id id) const { return f_.block_of[id] == kNone || f_.insts[id].type == Type::handle || f_.insts[id].op == Op::handle; }
  // A name, times and plus constants.
  bool is_index(Id id, unsigned depth) const {
    const Inst& inst = f_.insts[id];
    if (f_.block_of[id] == kNone || inst.op == Op::phi || inst.op == Op::param) return true;
    if (uses_.count[id] > 1) return inst.results == 1 && inst.op != Op::bitcast;
    if (depth == kMostOfIndex || inst.type != Type::i32 || (inst.op != Op::iadd && inst.op != Op::ishl && inst.op != Op::imul))
      return false;
    const auto operands = f_.operands_of(id);
    for (const std::size_t at : {std::size_t{0}, std::size_t{1}})
      if (f_.insts[operands[at]].op == Op::constant) return is_index(operands[1 - at], depth + 1);
    return false;
  }
  bool is_part_of_index(Id id) const {
    for (unsigned depth = 0; depth < kMostOfIndex; ++depth) {
      if (uses_.count[id] != 1 || !is_index(id, 0)) return false;
      const Id user = uses_.user[id];
      if (f_.insts[user].op == Op::cbuffer_load) return uses_.place[id] == 1 && is_repeated(user);
      if (f_.insts[user].op != Op::iadd && f_.insts[user].op != Op::ishl && f_.insts[user].op != Op::imul) return false;
      id = user;
    }
    return false;
  }

  void place(Id id) {
    const Inst& inst = f_.insts[id];
    if (inst.results == 0 || uses_.count[id] == 0) {
      made_.statement[id] = id;
      if (inst.results != 0 && changes(id)) made_.of[id] = Writing::named;
      return;
    }
    if (is_repeated(id) || (inst.op == Op::get && is_repeated(f_.operands_of(id)[0]))) {
      made_.of[id] = Writing::repeated;
      made_.statement[id] = id;
      return;
    }
    // a member of a tuple with a name has one too
    if (inst.op == Op::get && !is_alone(f_.operands_of(id)[0])) {
      made_.of[id] = Writing::repeated;
      made_.statement[id] = id;
      return;
    }
    const bool is_inside = may_be_inside(id);
    if (!is_inside && inst.op == Op::bitcast) {
      made_.of[id] = Writing::repeated;
      made_.statement[id] = id;
      return;
    }
    made_.of[id] = is_inside ? Writing::inside : Writing::named;
    if (!is_inside) {
      made_.statement[id] = id;
      depth_[id] = 0;
      by_need_[id] = false;
    }
  }

  bool is_alone(Id tuple) const { return uses_.count[tuple] == 1; }

  // Sets what is known of it as a part of the statement.
  bool may_be_inside(Id id) {
    if (uses_.count[id] != 1 || changes(id)) return false;
    const Inst& inst = f_.insts[id];
    if (inst.op == Op::phi || inst.op == Op::undef || inst.op == Op::param) return false;
    const Id user = uses_.user[id];
    const std::size_t at = uses_.place[id];
    if (f_.insts[user].op == Op::phi) return may_be_taken(id, user, at);
    const bool is_expression = made_.of[user] == Writing::inside;
    const Id statement = is_expression ? made_.statement[user] : user;
    // a value that is written again and again would compute it again and again
    if (made_.of[user] == Writing::repeated) return false;
    return join(id, statement, is_expression ? depth_[user] + 1 : 1, (is_expression && by_need_[user]) || is_by_need(user, at));
  }

  // A phi takes it: it is computed at the end of the predecessor.
  bool may_be_taken(Id id, Id phi, std::size_t at) {
    const BlockId origin = f_.predecessors_of(f_.block_of[phi])[at];
    const Phis& read = phis_[id];
    const bool reads_another = read.several || (read.only != kNone && read.only != phi && f_.block_of[read.only] == f_.block_of[phi]);
    if (reads_another) return false;
    return join(id, f_.blocks[origin].last, 1, false);
  }

  bool is_by_need(Id user, std::size_t at) const {
    const Inst& inst = f_.insts[user];
    if (inst.op == Op::select) return at != 0;
    return (inst.op == Op::iand || inst.op == Op::ior) && inst.type == Type::b1 && at != 0;
  }

  bool join(Id id, Id statement, std::uint32_t depth, bool by_need) {
    const BlockId from = f_.block_of[id];
    const BlockId to = f_.block_of[statement];
    if (depth > options_.most_depth) return false;
    const bool together = has(effects(id), Effects::quad) || has(effects(id), Effects::wave);
    if (together && by_need) return false;
    if (from != to) {
      if (together || has(effects(id), Effects::reads) || f_.irreducible) return false;
      if (flow_.range[from] != flow_.range[to]) return false;
    } else if (has(effects(id), Effects::reads) && writes_before_[statement] != writes_before_[id]) {
      return false;
    } else if (f_.insts[id].op == Op::output_load && outputs_before_[statement] != outputs_before_[id]) {
      return false;
    } else if (together && writes_before_[statement] != writes_before_[id]) {
      return false;  // a lane may have become a helper lane
    }
    made_.statement[id] = statement;
    depth_[id] = depth;
    by_need_[id] = by_need;
    return true;
  }

  const Function& f_;
  const Uses& uses_;
  const WritingOptions options_;
  const Flow flow_;
  Writings made_;
  std::vector<std::uint32_t> writes_before_;  // in its block, but for outputs, which output_load alone reads
  std::vector<std::uint32_t> outputs_before_;
  std::vector<std::uint32_t> depth_;  // in its statement
  std::vector<bool> by_need_;
  std::vector<Phis> phis_;
};

}  // namespace

std::string_view text(Writing writing) {
  const auto at = static_cast<std::size_t>(writing);
  return at < std::size(kWritingTexts) ? kWritingTexts[at] : std::string_view{};
}

Uses uses_of(const Function& function) {
  Uses made;
  made.count.assign(function.insts.size(), 0);
  made.user.assign(function.insts.size(), kNone);
  made.place.assign(function.insts.size(), 0);
  for (const BlockId block : function.order) {
    for (Id id = function.blocks[block].first; id != kNone; id = function.next[id]) {
      const auto operands = function.operands_of(id);
      for (std::size_t at = 0; at < operands.size(); ++at) {
        if (is_block_operand(function.insts[id].op, at)) continue;
        ++made.count[operands[at]];
        made.user[operands[at]] = id;
        made.place[operands[at]] = static_cast<std::uint16_t>(at);
      }
    }
  }
  return made;
}

Writings writings_of(const Function& function, const Uses& uses, const WritingOptions& options) {
  return Placing(function, uses, options).run();
}

}  // namespace unshade::ir

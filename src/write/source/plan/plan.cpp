#include "write/source/plan/plan.hpp"

#include <algorithm>
#include <array>
#include <functional>

#include <unshade/ir/extra.hpp>

namespace unshade::write::source {

using ir::Op;
using ir::Writing;

namespace {

/// Expressions in each other.
constexpr std::uint32_t kMostDepth = 64;
/// Operations and operands of a statement: more do not fit on a line.
constexpr std::uint32_t kMostWeight = 22;
/// Operations of an expression that are looked at before it is moved.
constexpr std::uint32_t kMostOfDependence = 64;
/// Of what gets a name so that a statement fits.
constexpr std::uint32_t kLeastNamed = 5;

}  // namespace

bool changes_something(const ir::Function& function, Id id) {
  return ir::has(ir::info(function.insts[id].op).effects, ir::Effects::writes);
}

bool takes_lists(Op op) {
  switch (op) {
    case Op::buffer_store:
    case Op::texel_load:
    case Op::texel_store:
    case Op::sample:
    case Op::sample_implicit:
    case Op::gather:
    case Op::query_lod: return true;
    default: return false;
  }
}

Plan::Plan(const ir::Function& function, const ir::Structure& tree, const std::vector<ir::Declared>& declared, const PlanOptions& options)
    : f_(function),
      options_(options),
      tree_(tree),
      declared_(declared),
      uses_(ir::uses_of(function)),
      writings_(ir::writings_of(function, uses_, {kMostDepth})),
      vectors_(ir::vectors_of(function)) {
  writes_before_.assign(f_.insts.size(), 0);
  position_.assign(f_.insts.size(), 0);
  outputs_before_.assign(f_.insts.size(), 0);
  std::uint32_t position = 0;
  for (const BlockId block : f_.order) {
    std::uint32_t writes = 0, outputs = 0;
    for (Id id = f_.blocks[block].first; id != kNone; id = f_.next[id]) {
      writes_before_[id] = writes;
      outputs_before_[id] = outputs;
      position_[id] = position++;
      if (changes_something(f_, id)) ++(f_.insts[id].op == Op::output ? outputs : writes);
    }
  }
  is_of_vector_.assign(f_.insts.size(), false);
  for (Id id = 0; id < f_.insts.size(); ++id) is_of_vector_[id] = vectors_.row[id] != kNone;
  drop_scattered_rows();
  drop_addresses();
  repeat_signs();
  join_dots();
  index_users();
  name_rows();
  put_loads_inside();
  name_heavy();
  if (options_.is_exact) name_results();
  name_shared();
  mend_statements();
  webs_ = ir::phi_webs_of(f_, writings_, declared_);
  scopes_ = ir::scopes_of(f_, tree_, writings_);
  make_variables();
}

std::vector<Id> operands_at(const ir::Function& function, std::span<const Id> ids, std::size_t at) {
  std::vector<Id> made;
  for (const Id id : ids) made.push_back(function.operands_of(id)[at]);
  return made;
}

// What an expression depends on beside its values, with all that is written inside of it. One of very many operations depends on all.
Plan::Dependence Plan::dependence_of(Id id, std::uint32_t& left) const {
  if (left == 0) return {true, true};
  --left;
  const ir::Effects effects = ir::info(f_.insts[id].op).effects;
  Dependence made{f_.insts[id].op == Op::output_load, ir::has(effects, ir::Effects::quad) || ir::has(effects, ir::Effects::wave)};
  const auto operands = f_.operands_of(id);
  for (std::size_t at = 0; at < operands.size() && !(made.on_outputs && made.on_lanes); ++at) {
    if (ir::is_block_operand(f_.insts[id].op, at) || writings_.of[operands[at]] != Writing::inside) continue;
    const Dependence inner = dependence_of(operands[at], left);
    made = {made.on_outputs || inner.on_outputs, made.on_lanes || inner.on_lanes};
  }
  return made;
}

// Whether what a value reads is the same where its user is written, and the same lanes run.
bool Plan::may_move(Id load, Id user) const {
  std::uint32_t left = kMostOfDependence;
  const Dependence dependence = dependence_of(load, left);
  const bool together = dependence.on_lanes;
  Id at = user;
  for (Id from = load; writings_.of[at] == Writing::inside; from = at, at = uses_.user[at]) {
    const Op op = f_.insts[at].op;
    if (op == Op::phi) break;
    if (together && (op == Op::select || op == Op::iand || op == Op::ior)) return false;
    (void)from;
  }
  if (writings_.of[at] == Writing::repeated) return false;
  if (f_.insts[at].op == Op::phi || f_.block_of[at] != f_.block_of[load]) return false;
  if (together && (f_.insts[user].op == Op::select)) return false;
  if (dependence.on_outputs && outputs_before_[at] != outputs_before_[load]) return false;
  return writes_before_[at] == writes_before_[load];
}

// A load of which each component is used once, as a vector: inside of it.
void Plan::put_loads_inside() {
  for (std::size_t at = f_.order.size(); at-- > 0;) {
    for (Id id = f_.blocks[f_.order[at]].last; id != kNone; id = f_.previous[id]) {
      const ir::Inst& inst = f_.insts[id];
      if (inst.results < 2 || writings_.of[id] != Writing::named || changes_something(f_, id)) continue;
      if (inst.op == Op::unpack64 || inst.op == Op::add_carry || inst.op == Op::sub_borrow || inst.op == Op::ffrexp) continue;
      std::vector<Id> gets;
      for (Id next = f_.next[id]; next != kNone && gets.size() < uses_.count[id]; next = f_.next[next])
        if (f_.insts[next].op == Op::get && f_.operands_of(next)[0] == id) gets.push_back(next);
      if (gets.size() != uses_.count[id] || gets.size() < 2) continue;
      // through casts, which cost nothing
      std::vector<Id> values = gets;
      const auto is_cast = [&](Id get) { return uses_.count[get] == 1 && f_.insts[uses_.user[get]].op == Op::bitcast; };
      if (std::ranges::all_of(gets, is_cast))
        for (Id& one : values) one = uses_.user[one];
      if (!are_taken_together(values) || f_.insts[uses_.user[values[0]]].op == Op::phi) continue;
      const auto movable = [&](Id value) { return writings_.of[value] != Writing::named && may_move(id, uses_.user[value]); };
      if (!std::ranges::all_of(values, movable)) continue;
      writings_.of[id] = Writing::inside;
      for (const Id get : gets) writings_.of[get] = Writing::inside;
    }
  }
}

// Of log2(x) * y, written in one, x; else none.
Id Plan::base_of_power(Id product) const {
  if (f_.insts[product].op != Op::fmul) return kNone;
  for (const Id factor : f_.operands_of(product)) {
    if (f_.insts[factor].op != Op::flog2 || writings_.of[factor] != Writing::inside) continue;
    const Id base = f_.operands_of(factor)[0];
    const ir::Inst& inst = f_.insts[base];
    if (inst.results == 1 && inst.op != Op::get && inst.op != Op::bitcast) return base;
  }
  return kNone;
}

// Statements that are too long get names for their parts.
void Plan::name_heavy() {
  std::vector<std::uint32_t> weight(f_.insts.size(), 1);
  const auto is_inside = [&](Id id) { return writings_.of[id] == Writing::inside; };
  const auto of_operand = [&](Id id) { return writings_.of[id] == Writing::named ? 1 : weight[id]; };
  const auto name = [&](Id id) {
    const std::uint32_t row = vectors_.row[id];
    if (row == kNone) {
      writings_.of[id] = Writing::named;
      weight[id] = 1;
      return;
    }
    for (const Id member : vectors_.members_of(row))
      if (is_inside(member)) writings_.of[member] = Writing::named, weight[member] = 1;
  };
  for (const BlockId block : f_.order) {
    for (Id id = f_.blocks[block].first; id != kNone; id = f_.next[id]) {
      const ir::Inst& inst = f_.insts[id];
      if (inst.op == Op::phi || inst.op == Op::get || inst.op == Op::bitcast || inst.operand_count == 0) {
        if (inst.operand_count == 1) weight[id] = of_operand(f_.operands_of(id)[0]);
        continue;
      }
      if (inst.op == Op::handle || inst.op == Op::cbuffer_load) continue;
      const auto operands = f_.operands_of(id);
      const auto sum = [&] {
        std::uint32_t all = 1;
        for (std::size_t at = 0; at < operands.size(); ++at)
          if (!ir::is_block_operand(inst.op, at)) all += of_operand(operands[at]);
        return all;
      };
      const std::uint32_t dot = vectors_.dot[id];
      if (dot != kNone) {
        // of both vectors one component counts
        const ir::VectorDot& found = vectors_.dots[dot];
        std::uint32_t a = 0, b = 0;
        for (std::size_t k = 0; k < found.count; ++k) a = std::max(a, of_operand(found.a[k])), b = std::max(b, of_operand(found.b[k]));
        weight[id] = 1 + a + (found.a == found.b ? 0 : b);
        continue;
      }
      if (info(inst.op).operands.find('*') != std::string_view::npos || inst.op == Op::phi) {
        weight[id] = 4;
        continue;
      }
      weight[id] = sum();
      while (weight[id] > kMostWeight) {
        Id most = kNone;
        for (std::size_t at = 0; at < operands.size(); ++at) {
          const Id one = operands[at];
          if (ir::is_block_operand(inst.op, at) || !is_inside(one) || f_.insts[one].results != 1 || weight[one] < kLeastNamed) continue;
          if (f_.insts[one].op == Op::get || f_.insts[one].op == Op::bitcast) continue;
          if (most == kNone || weight[one] > weight[most]) most = one;
        }
        if (most == kNone) break;
        // exp2(log2(x) * y) is pow(x, y): x has the name, as may be already in another member of the row
        const Id base = options_.has_expansions && inst.op == Op::fexp2 ? base_of_power(most) : kNone;
        std::uint32_t rest = weight[most];
        if (base != kNone) {
          if (is_inside(base) && weight[base] >= kLeastNamed) name(base);
          rest = 1;
          for (const Id factor : f_.operands_of(most))
            rest += f_.insts[factor].op == Op::flog2 && f_.operands_of(factor)[0] == base ? 1 + of_operand(base) : of_operand(factor);
        }
        if (rest < weight[most]) {
          weight[most] = rest;
        } else {
          name(most);
        }
        weight[id] = sum();
      }
    }
  }
}

// Sums and products, and what is computed of them, where what they are for is no arithmetic.
void Plan::name_results() {
  const auto is_arithmetic = [&](Id id) {
    const ir::Inst& inst = f_.insts[id];
    const bool is_wide = inst.type == ir::Type::f32 || inst.type == ir::Type::f64;  // halves are parts of f32tof16()
    if (!is_wide || inst.results != 1 || takes_lists(inst.op) || inst.operand_count == 0) return false;
    return inst.op != Op::bitcast && inst.op != Op::get && inst.op != Op::load && inst.op != Op::cbuffer_load && inst.op != Op::buffer_load;
  };
  for (const BlockId block : f_.order) {
    for (Id id = f_.blocks[block].first; id != kNone; id = f_.next[id]) {
      if (writings_.of[id] != Writing::inside || !is_arithmetic(id) || f_.insts[id].op == Op::input) continue;
      const Id user = uses_.user[id];
      if (is_arithmetic(user) || f_.insts[user].op == Op::phi || f_.insts[user].op == Op::output) continue;
      const std::uint32_t row = vectors_.row[id];
      writings_.of[id] = Writing::named;
      if (row == kNone) continue;
      for (const Id member : vectors_.members_of(row))
        if (writings_.of[member] == Writing::inside) writings_.of[member] = Writing::named;
    }
  }
}

// What has got a name is its own statement, and that of what is written in it.
void Plan::mend_statements() {
  for (std::size_t at = f_.order.size(); at-- > 0;) {
    for (Id id = f_.blocks[f_.order[at]].last; id != kNone; id = f_.previous[id]) {
      if (writings_.of[id] != Writing::inside) {
        writings_.statement[id] = id;
        continue;
      }
      const Id user = uses_.user[id];
      if (f_.insts[user].op == Op::phi) continue;
      writings_.statement[id] = writings_.of[user] == Writing::inside ? writings_.statement[user] : user;
    }
  }
}

}  // namespace unshade::write::source

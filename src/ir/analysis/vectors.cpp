#include <unshade/ir/analysis/vectors.hpp>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <utility>
#include <vector>

#include <unshade/ir/analysis/uses.hpp>
#include <unshade/ir/builder.hpp>
#include <unshade/ir/texture_operands.hpp>

#include "ir/analysis/row_order.hpp"

namespace unshade::ir {
namespace {

constexpr std::size_t kMostMembers = List::kMost;

bool is_constant(const Function& f, Id id) {
  return f.block_of[id] == kNone && (f.insts[id].op == Op::constant || f.insts[id].op == Op::undef);
}

/// Whether it may be a member: what gives one value that it computes.
bool may_be_member(const Inst& inst) {
  // of more, comparing them would take long
  constexpr std::uint16_t kMostCompared = 64;
  if (inst.results != 1 || inst.type == Type::void_ || inst.type == Type::handle || inst.operand_count > kMostCompared) return false;
  switch (inst.op) {
    case Op::get:
    case Op::input:
    case Op::builtin:
    case Op::param:
    case Op::undef:
    case Op::constant:
    case Op::call: return false;
    default: return !has(info(inst.op).effects, Effects::writes);
  }
}

bool are_alike(const Function& f, Id a, Id b) {
  const Inst& x = f.insts[a];
  const Inst& y = f.insts[b];
  if (x.op != y.op || x.type != y.type || x.flags != y.flags || x.operand_count != y.operand_count || f.block_of[a] != f.block_of[b])
    return false;
  // those of a load from memory have places of their own
  if (x.extra != y.extra) return false;
  const auto of_x = f.operands_of(a);
  const auto of_y = f.operands_of(b);
  for (std::size_t at = 0; at < of_x.size(); ++at) {
    if (result_type(f, of_x[at]) != result_type(f, of_y[at])) return false;
  }
  return true;
}

/// The values that a texture's place consists of, as one list each.
struct PlaceLists {
  std::span<const std::uint32_t> operands;
  std::size_t next;
  std::vector<List> lists{};

  void values(char, std::span<const Id>, unsigned count) {
    if (count > 1 && count <= kMostMembers) lists.emplace_back(following(count));
    next += count;
  }
  void value(char, Id, bool is_there) { next += is_there ? 1 : 0; }
  void rest(char, std::span<const Id>) {
    if (operands.size() - next > 1 && operands.size() - next <= kMostMembers) lists.emplace_back(following(kMostMembers));
    next = operands.size();
  }
  std::span<const Id> following(std::size_t count) const {
    const auto left = operands.subspan(std::min(next, operands.size()));
    return left.first(std::min(count, left.size()));
  }
};

class Finder {
 public:
  explicit Finder(const Function& function) : f_(function), row_(function.insts.size(), kNone), seen_(function.insts.size(), false) {}

  Vectors run() {
    for (const BlockId block : f_.order) add_groups(block);
    const Uses uses = uses_of(f_);
    for (const BlockId block : f_.order) {
      for (Id id = f_.blocks[block].last; id != kNone; id = f_.previous[id]) add_dot(id, uses);
    }
    for (const BlockId block : f_.order) add_lists(block);
    while (!waiting_.empty()) {
      const List list = waiting_.front();
      waiting_.pop_front();
      add_row(list);
    }
    give_up_cycles();
    return made();
  }

 private:
  // Those that are like it in all but their operands may be of its row.
  bool is_like(Id a, Id b) const {
    const Inst &x = f_.insts[a], &y = f_.insts[b];
    return f_.sources[a].group == f_.sources[b].group && x.op == y.op && x.type == y.type && x.flags == y.flags && x.extra == y.extra &&
           x.operand_count == y.operand_count;
  }
  std::size_t hash_of(Id id) const {
    const Inst& inst = f_.insts[id];
    std::uint64_t mixed = (std::uint64_t{f_.sources[id].group} << 32 | inst.extra) * 0x9e37'79b9'7f4a'7c15;
    mixed ^= (static_cast<std::uint64_t>(inst.op) << 16 | static_cast<std::uint64_t>(inst.type)) * 0xc2b2'ae3d'27d4'eb4f;
    return static_cast<std::size_t>(mixed ^ mixed >> 29 ^ mixed >> 47);
  }

  std::uint8_t component(Id id) const { return id < f_.sources.size() ? f_.sources[id].component : kNoComponent; }

  // A row gets members of rising components; one that it has already begins another.
  void add_groups(BlockId block) {
    if (f_.sources.empty()) return;
    candidates_.clear();
    for (Id id = f_.blocks[block].first; id != kNone; id = f_.next[id]) {
      const Source& source = f_.sources[id];
      if (source.component < kMostMembers && source.group != kNone && may_be_member(f_.insts[id])) candidates_.push_back(id);
    }
    if (candidates_.size() < 2) return;
    lists_.clear();
    last_.assign(std::bit_ceil(2 * candidates_.size()), kNone);
    for (const Id id : candidates_) {
      std::uint32_t& slot = last_[hash_of(id) & (last_.size() - 1)];
      std::uint32_t open = slot;
      while (open != kNone && !is_like(lists_[open].values[0], id)) open = lists_[open].before;
      if (open != kNone) {
        List& list = lists_[lists_[open].newest].values;
        const bool has_it = std::ranges::any_of(list, [&](Id other) { return component(other) == f_.sources[id].component; });
        if (!has_it && are_alike(f_, list[0], id)) {
          list.push_back(id);
          continue;
        }
      }
      const auto made = static_cast<std::uint32_t>(lists_.size());
      lists_.push_back({List(std::span(&id, 1)), made, kNone});
      if (open != kNone) {
        lists_[open].newest = made;
      } else {
        lists_.back().before = std::exchange(slot, made);
      }
    }
    for (auto& [list, newest, before] : lists_) {
      if (list.size() < 2) continue;
      std::ranges::sort(list, {}, [&](Id id) { return component(id); });
      accept(list, true);
    }
  }

  static bool is_first_of_sum(Op op) { return op == Op::fmul || op == Op::fmul_zero; }
  static bool is_next_of_sum(Op op) { return op == Op::fmad || op == Op::fmad_zero; }

  // Operations whose first two operands may be exchanged.
  static bool commutes(Op op) {
    switch (op) {
      case Op::fadd:
      case Op::fmul:
      case Op::fmul_zero:
      case Op::fmad:
      case Op::fmad_zero:
      case Op::iadd:
      case Op::imul:
      case Op::iand:
      case Op::ior:
      case Op::ixor: return true;
      default: return false;
    }
  }

  // Whether values are likely to be components of one vector: of one load, element, matrix or statement.
  bool is_beside(Id a, Id b) const {
    constexpr std::uint64_t kRegister = 16;
    const Inst &x = f_.insts[a], &y = f_.insts[b];
    if (x.op != y.op || x.type != y.type || x.operand_count != y.operand_count) return false;
    const auto p = f_.operands_of(a), q = f_.operands_of(b);
    switch (x.op) {
      case Op::get: return p[0] == q[0];
      case Op::input:
      case Op::output_load:
      case Op::interpolate: {
        const ElementExtra of(x.extra), other(y.extra);
        return of.signature == other.signature && of.element == other.element && std::ranges::equal(p, q);
      }
      case Op::cbuffer_load: {
        if (f_.insts[p[0]].extra != f_.insts[q[0]].extra) return false;
        const bool is_known = f_.insts[p[1]].op == Op::constant && f_.insts[q[1]].op == Op::constant;
        if (!is_known) return p[1] == q[1];
        // of one register, or of one column of registers that follow each other
        const std::uint64_t first = constant_bits(f_, p[1]), second = constant_bits(f_, q[1]);
        return first / kRegister == second / kRegister || first == second + kRegister || second == first + kRegister;
      }
      default: return row_[a] != kNone && row_[a] == row_[b];
    }
  }

  // How much two values have in common, as components of one vector do.
  unsigned likeness(Id a, Id b, unsigned depth) const {
    constexpr unsigned kDeepest = 2, kNothing = 0, kOperation = 1, kOperands = 2, kBeside = 4;
    if (a == b || is_beside(a, b)) return kBeside;
    if (is_constant(f_, a) || is_constant(f_, b)) return is_constant(f_, a) && is_constant(f_, b) ? kOperands : kNothing;
    if (!are_alike(f_, a, b) || !may_be_member(f_.insts[a])) return kNothing;
    const auto p = f_.operands_of(a), q = f_.operands_of(b);
    if (depth == kDeepest || p.empty() || p.size() > kMostMembers) return kOperation;
    const auto agree = [&](std::size_t first, std::size_t second) {
      for (std::size_t at = 0; at < p.size(); ++at)
        if (likeness(p[at], q[at == 0 ? first : at == 1 ? second : at], depth + 1) == kNothing) return false;
      return true;
    };
    return agree(0, 1) || (commutes(f_.insts[a].op) && agree(1, 0)) ? kOperands : kOperation;
  }
  bool of_one_instruction(const List& steps) const {
    if (f_.sources.empty() || f_.sources[steps[0]].group == kNone) return false;
    return std::ranges::all_of(steps, [&](Id id) { return f_.sources[id].group == f_.sources[steps[0]].group; });
  }
  // Else the products are a sum like any other, perhaps a component of a vector.
  bool may_be_vector(const List& list) const {
    if (std::ranges::all_of(list, [&](Id id) { return is_constant(f_, id); })) return false;
    for (std::size_t k = 1; k < list.size(); ++k) {
      const Id a = list[k - 1], b = list[k];
      const bool is_computed = list.size() > 2 && !is_constant(f_, a) && may_be_member(f_.insts[a]) && are_alike(f_, a, b);
      if (a != b && !is_beside(a, b) && !is_computed && !(is_constant(f_, a) && k > 1) && !(is_constant(f_, b) && k + 1 == list.size()))
        return false;
    }
    return true;
  }

  // From its last step, which comes first where blocks are read from their ends.
  void add_dot(Id last, const Uses& uses) {
    List steps;
    Id at = last;
    while (is_next_of_sum(f_.insts[at].op) && row_[at] == kNone && !seen_[at] && steps.size() < kMostMembers) {
      steps.push_back(at);
      const Id before = f_.operands_of(at)[2];
      if (uses.count[before] != 1 || f_.block_of[before] != f_.block_of[last]) return;
      at = before;
    }
    const Op first = f_.insts[last].op == Op::fmad ? Op::fmul : Op::fmul_zero;
    if (steps.empty() || steps.size() == kMostMembers || f_.insts[at].op != first || row_[at] != kNone || seen_[at]) return;
    steps.push_back(at);
    std::ranges::reverse(steps);
    VectorDot dot{static_cast<std::uint8_t>(steps.size()), {}, {}, {}};
    List a, b;
    for (std::size_t k = 0; k < steps.size(); ++k) {
      const Inst& inst = f_.insts[steps[k]];
      if (inst.type != f_.insts[last].type || inst.flags != f_.insts[last].flags) return;
      if (k != 0 && is_next_of_sum(inst.op) != is_next_of_sum(f_.insts[last].op)) return;
      dot.steps[k] = steps[k];
      Id left = f_.operands_of(steps[k])[0], right = f_.operands_of(steps[k])[1];
      // compilers order the factors of each product by themselves
      if (k != 0 && !is_beside(left, a.back()) && (is_beside(left, b.back()) || is_beside(right, a.back()))) std::swap(left, right);
      a.push_back(dot.a[k] = left);
      b.push_back(dot.b[k] = right);
    }
    if (!of_one_instruction(steps) && a != b && !may_be_vector(a) && !may_be_vector(b)) return;
    for (const Id id : steps) seen_[id] = true;
    dots_.push_back(dot);
    add_list(a);
    add_list(b);
  }

  // What is written or looked up together.
  void add_lists(BlockId block) {
    List outputs;
    std::uint32_t element = kNone;
    const auto close = [&] {
      add_list(outputs);
      outputs.clear();
      element = kNone;
    };
    for (Id id = f_.blocks[block].first; id != kNone; id = f_.next[id]) {
      const Inst& inst = f_.insts[id];
      const auto operands = f_.operands_of(id);
      switch (inst.op) {
        case Op::output: {
          const ElementExtra extra(inst.extra);
          const std::uint32_t place = std::uint32_t{extra.element} << 8 | static_cast<std::uint32_t>(extra.signature);
          if (extra.has_row || extra.has_vertex) break;
          if (place != element || outputs.size() == kMostMembers) close();
          element = place;
          outputs.push_back(operands.back());
          break;
        }
        case Op::buffer_store: {
          const std::size_t first = BufferExtra(inst.extra).has_offset ? 3 : 2;
          if (first < operands.size()) add_list(operands.subspan(first));
          break;
        }
        case Op::texel_load:
        case Op::texel_store:
        case Op::texel_atomic:
        case Op::sample:
        case Op::sample_implicit:
        case Op::gather:
        case Op::query_lod: {
          PlaceLists places{operands, texture_handles(inst.op)};
          const TextureOperands<Id> none;
          describe(places, inst.op, TextureExtra(inst.extra), none);
          for (const List& list : places.lists) add_list(list);
          break;
        }
        default: break;
      }
    }
    close();
  }

  void add_list(std::span<const Id> list) {
    if (list.size() > 1 && list.size() <= kMostMembers) waiting_.emplace_back(list);
  }

  bool may_join(Id id) const { return !is_constant(f_, id) && row_[id] == kNone && !seen_[id] && may_be_member(f_.insts[id]); }

  // The longest part whose values follow each other and are alike; of equal ones the first.
  void add_row(const List& list) {
    std::size_t best = 0, length = 1;
    for (std::size_t first = 0; first < list.size(); ++first) {
      if (!may_join(list[first])) continue;
      std::size_t end = first + 1;
      const auto is_new = [&](std::size_t at) {
        const Id* const here = list.begin() + at;
        return std::find(list.begin() + first, here, *here) == here;
      };
      while (end < list.size() && may_join(list[end]) && is_new(end) && are_alike(f_, list[first], list[end])) ++end;
      if (end - first > length) best = first, length = end - first;
    }
    if (length < 2) return;
    accept(List(std::span(list).subspan(best, length)), false);
  }

  void accept(const List& list, bool of_group) {
    const std::size_t count = f_.insts[list[0]].operand_count;
    for (const Id id : list) row_[id] = static_cast<std::uint32_t>(rows_.size()), seen_[id] = true;
    std::vector<List>& lists = operands_;
    lists.assign(count, {});
    for (const Id id : list) {
      const auto operands = f_.operands_of(id);
      for (std::size_t at = 0; at < count; ++at) lists[at].push_back(operands[at]);
      // compilers order operands by themselves
      if (of_group || id == list[0] || !commutes(f_.insts[id].op)) continue;
      const Id left = operands[0], right = operands[1];
      const Id a = lists[0][lists[0].size() - 2], b = lists[1][lists[1].size() - 2];
      if (likeness(left, a, 0) + likeness(right, b, 0) >= likeness(right, a, 0) + likeness(left, b, 0)) continue;
      std::swap(lists[0].back(), lists[1].back());
      swapped_.push_back(id);
    }
    waiting_.insert(waiting_.end(), lists.begin(), lists.end());
    rows_.push_back(list);
    of_group_.push_back(of_group);
  }

  void give_up_cycles() {
    if (rows_.empty()) return;
    Ordering ordering(f_, row_, rows_);
    std::vector<std::uint32_t> given_up;
    for (const BlockId block : f_.order) {
      if (!ordering.has_rows(block)) continue;
      const std::size_t before = order_.size();
      ordering.order(block, order_, given_up);
      if (given_up.empty()) continue;
      // what is left has another order
      order_.resize(before);
      for (const std::uint32_t row : given_up) {
        for (const Id id : rows_[row]) row_[id] = kNone;
        rows_[row].clear();
      }
      given_up.clear();
      if (ordering.has_rows(block)) ordering.order(block, order_, given_up);
      given_up.clear();
    }
  }

  Vectors made() {
    Vectors made;
    made.row.assign(f_.insts.size(), kNone);
    made.place.assign(f_.insts.size(), 0);
    made.dot.assign(f_.insts.size(), kNone);
    for (const VectorDot& dot : dots_) {
      for (std::size_t k = 0; k < dot.count; ++k) made.dot[dot.steps[k]] = static_cast<std::uint32_t>(made.dots.size());
      made.dots.push_back(dot);
    }
    for (std::size_t at = 0; at < rows_.size(); ++at) {
      if (rows_[at].empty()) continue;
      VectorRow row{static_cast<std::uint32_t>(made.members.size()), static_cast<std::uint8_t>(rows_[at].size()), {}, of_group_[at]};
      for (std::size_t k = 0; k < rows_[at].size(); ++k) {
        const Id id = rows_[at][k];
        row.components[k] = of_group_[at] ? component(id) : static_cast<std::uint8_t>(k);
        made.row[id] = static_cast<std::uint32_t>(made.rows.size());
        made.place[id] = static_cast<std::uint8_t>(k);
        made.members.push_back(id);
      }
      made.rows.push_back(row);
    }
    made.swapped = std::move(swapped_);
    made.order = std::move(order_);
    return made;
  }

  const Function& f_;
  std::vector<std::uint32_t> row_;
  std::vector<bool> seen_;
  std::vector<List> rows_;
  std::vector<bool> of_group_;
  std::vector<VectorDot> dots_;
  std::vector<Id> swapped_;
  std::vector<Id> order_;
  std::deque<List> waiting_;
  // of add_groups(): a list and the lists that follow it once it has a component
  struct Group {
    List values;
    std::uint32_t newest;  // of those that are like it, the list that is open
    std::uint32_t before;  // the first list of those before it in its slot of last_
  };
  std::vector<Id> candidates_;
  std::vector<Group> lists_;
  std::vector<std::uint32_t> last_;
  std::vector<List> operands_;  // of accept()
};

}  // namespace

Vectors vectors_of(const Function& function) { return Finder(function).run(); }

std::size_t bring_together(Function& function, const Vectors& vectors) {
  for (const Id id : vectors.swapped) std::swap(function.operands_of(id)[0], function.operands_of(id)[1]);
  std::size_t moved = 0;
  for (std::uint32_t row = 0; row < vectors.rows.size(); ++row) {
    const auto members = vectors.members_of(row);
    for (std::size_t at = 1; at < members.size(); ++at) {
      if (function.next[members[at - 1]] == members[at]) continue;
      ++moved;
      break;
    }
  }
  for (std::size_t first = 0; first < vectors.order.size();) {
    Block& block = function.blocks[function.block_of[vectors.order[first]]];
    block.first = vectors.order[first];
    Id before = kNone;
    for (; first < vectors.order.size() && (before == kNone || before != block.last); ++first) {
      const Id id = vectors.order[first];
      function.previous[id] = before;
      if (before != kNone) function.next[before] = id;
      before = id;
    }
    function.next[before] = kNone;
  }
  return moved;
}

VectorOperand operand_of(const Function& function, const Vectors& vectors, std::span<const Id> values) {
  VectorOperand made;
  if (values.empty()) return made;
  const Id first = values[0];
  const auto all = [&](auto holds) { return std::ranges::all_of(values, holds); };
  const Op op = function.insts[first].op;
  made.of = first;
  const auto fill = [&](auto place) {
    for (std::size_t at = 0; at < values.size() && at < made.places.size(); ++at)
      made.places[at] = static_cast<std::uint8_t>(place(values[at]));
  };
  const auto is_of = [&](Op which) { return all([&](Id id) { return function.insts[id].op == which; }); };
  if (all([&](Id id) { return is_constant(function, id); })) {
    made.kind = VectorOperand::Kind::constants;
  } else if (all([&](Id id) { return id == first; })) {
    made.kind = VectorOperand::Kind::same;
  } else if (const std::uint32_t row = vectors.row[first]; row != kNone && all([&](Id id) { return vectors.row[id] == row; })) {
    made.kind = VectorOperand::Kind::swizzle;
    made.of = row;
    fill([&](Id id) { return vectors.place[id]; });
  } else if (op == Op::get && is_of(op) && all([&](Id id) { return function.operands_of(id)[0] == function.operands_of(first)[0]; })) {
    made.kind = VectorOperand::Kind::members;
    made.of = function.operands_of(first)[0];
    fill([&](Id id) { return function.insts[id].extra; });
  } else if ((op == Op::input || op == Op::output_load) && is_of(op) && all([&](Id id) {
               ElementExtra extra(function.insts[id].extra);
               extra.column = ElementExtra(function.insts[first].extra).column;
               return extra.bits() == function.insts[first].extra &&
                      std::ranges::equal(function.operands_of(id), function.operands_of(first));
             })) {
    made.kind = VectorOperand::Kind::element;
    fill([&](Id id) { return ElementExtra(function.insts[id].extra).column; });
  } else if (op == Op::builtin && is_of(op) && all([&](Id id) {
               return BuiltinExtra(function.insts[id].extra).builtin == BuiltinExtra(function.insts[first].extra).builtin;
             })) {
    made.kind = VectorOperand::Kind::element;
    fill([&](Id id) { return BuiltinExtra(function.insts[id].extra).component; });
  }
  if (made.kind == VectorOperand::Kind::mixed) made.of = kNone;
  return made;
}

}  // namespace unshade::ir

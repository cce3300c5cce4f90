// Rows: which are vectors in the text, and which of them have names.
#include <algorithm>

#include <unshade/ir/extra.hpp>

#include "write/source/plan/plan.hpp"

namespace unshade::write::source {

using ir::Op;
using ir::Writing;

// Rows whose members do not stand beside each other, as in copies of blocks.
void Plan::drop_scattered_rows() {
  for (std::uint32_t row = 0; row < vectors_.rows.size(); ++row) {
    const auto members = vectors_.members_of(row);
    bool together = true;
    for (std::size_t k = 1; k < members.size(); ++k) together = together && f_.next[members[k - 1]] == members[k];
    if (together) continue;
    for (const Id id : members) vectors_.row[id] = kNone;
    vectors_.rows[row].count = 0;
  }
}

// A negation or magnitude costs no more than a name: what it is of has the name.
void Plan::repeat_signs() {
  for (const BlockId block : f_.order) {
    for (Id id = f_.blocks[block].first; id != kNone; id = f_.next[id]) {
      const ir::Inst& inst = f_.insts[id];
      if ((inst.op != Op::fneg && inst.op != Op::fabs) || writings_.of[id] != Writing::named || uses_.user[id] == kNone) continue;
      const Id of = f_.operands_of(id)[0];
      if (f_.insts[of].op == Op::phi) continue;
      if (writings_.of[of] == Writing::inside) {
        if (vectors_.row[of] != kNone || vectors_.dot[of] != kNone || f_.insts[of].op == Op::get) continue;
        writings_.of[of] = Writing::named;
      }
      writings_.of[id] = Writing::repeated;
      writings_.statement[id] = id;
      if (const std::uint32_t row = vectors_.row[id]; row != kNone) {
        for (const Id member : vectors_.members_of(row)) vectors_.row[member] = kNone;
        vectors_.rows[row].count = 0;
      }
    }
  }
}

bool Plan::is_whole(const ir::VectorDot& dot) const {
  return std::ranges::all_of(dot.before(), [&](Id step) { return writings_.of[step] == Writing::inside; });
}

const ir::VectorDot* Plan::square_in(Id of, Op op) const {
  if (f_.insts[of].op != op) return nullptr;
  const Id square = f_.operands_of(of)[0];
  const ir::VectorDot* const dot = vectors_.dot_of(square);
  if (dot == nullptr || writings_.of[square] != Writing::inside || !is_whole(*dot)) return nullptr;
  return f_.insts[dot->steps[0]].op == Op::fmul && std::ranges::equal(dot->first(), dot->second()) ? dot : nullptr;
}

// Dot products that are a vector somewhere are one: no other statement stands between them.
void Plan::join_dots() {
  const auto is_dot = [&](Id id) { return vectors_.dot_of(id) != nullptr && vectors_.row[id] == kNone; };
  const auto join = [&](std::span<const Id> list) {
    std::size_t length = 0;
    while (length < list.size() && is_dot(list[length]) && writings_.of[list[length]] == Writing::named) ++length;
    const auto ids = list.first(length);
    if (length < 2 || length > 4) return;
    for (const Id id : ids)
      if (f_.block_of[id] != f_.block_of[ids[0]] || std::ranges::count(ids, id) != 1) return;
    const Id first = *std::ranges::min_element(ids, {}, [&](Id id) { return position_[id]; });
    const Id last = *std::ranges::max_element(ids, {}, [&](Id id) { return position_[id]; });
    for (Id id = first; id != last; id = f_.next[id]) {
      const bool is_member = std::ranges::find(ids, id) != ids.end();
      if (!is_member && (writings_.of[id] == Writing::named || f_.insts[id].results == 0)) return;
    }
    // none is computed of another
    for (const Id id : ids) {
      const ir::VectorDot& dot = vectors_.dots[vectors_.dot[id]];
      for (std::size_t k = 0; k < dot.count; ++k)
        if (std::ranges::any_of(ids, [&](Id other) { return dot.a[k] == other || dot.b[k] == other; })) return;
    }
    ir::VectorRow row{static_cast<std::uint32_t>(vectors_.members.size()), static_cast<std::uint8_t>(length), {0, 1, 2, 3}, false};
    for (std::size_t k = 0; k < length; ++k) {
      vectors_.row[ids[k]] = static_cast<std::uint32_t>(vectors_.rows.size());
      vectors_.place[ids[k]] = static_cast<std::uint8_t>(k);
      vectors_.members.push_back(ids[k]);
    }
    vectors_.rows.push_back(row);
  };
  for (const ir::VectorDot& dot : vectors_.dots) {
    join(dot.first());
    join(dot.second());
  }
  for (std::uint32_t row = 0; row < vectors_.rows.size(); ++row) {
    if (vectors_.rows[row].count == 0) continue;
    const std::vector<Id> members(vectors_.members_of(row).begin(), vectors_.members_of(row).end());
    if (is_dot_row(row)) continue;
    for (std::size_t at = 0; at < f_.insts[members[0]].operand_count; ++at) join(operands_at(members, at));
  }
}

bool Plan::is_dot_row(std::uint32_t row) const { return vectors_.dot[vectors_.members_of(row)[0]] != kNone; }

// Sums that are only the addresses of accesses are written as indexes, each by itself.
void Plan::drop_addresses() {
  std::vector<bool> is_address(f_.insts.size());
  for (std::size_t at = f_.order.size(); at-- > 0;) {
    for (Id id = f_.blocks[f_.order[at]].last; id != kNone; id = f_.previous[id]) {
      const ir::Inst& inst = f_.insts[id];
      if (uses_.count[id] != 1 || inst.type != ir::Type::i32) continue;
      if (inst.op != Op::iadd && inst.op != Op::ishl && inst.op != Op::imul) continue;
      const Id user = uses_.user[id];
      const std::uint16_t place = uses_.place[id];
      switch (f_.insts[user].op) {
        case Op::load:
        case Op::store:
        case Op::atomic: is_address[id] = place == 0; break;
        case Op::cbuffer_load: is_address[id] = place == 1; break;
        case Op::buffer_load:
        case Op::buffer_store:
        case Op::buffer_atomic: is_address[id] = place == 2; break;
        default: is_address[id] = is_address[user];
      }
    }
  }
  for (std::uint32_t row = 0; row < vectors_.rows.size(); ++row) {
    const auto members = vectors_.members_of(row);
    if (!std::ranges::all_of(members, [&](Id id) { return is_address[id]; })) continue;
    for (const Id id : members) vectors_.row[id] = kNone;
    vectors_.rows[row].count = 0;
  }
}

// Whether values, each of one use, are one vector there.
bool Plan::are_taken_together(std::span<const Id> ids) const {
  const Id user = uses_.user[ids[0]];
  const std::uint16_t place = uses_.place[ids[0]];
  if (std::ranges::any_of(ids, [&](Id id) { return uses_.count[id] != 1; })) return false;
  const ir::Inst& inst = f_.insts[user];
  const auto users = [&](const auto& test) { return std::ranges::all_of(ids, [&](Id id) { return test(uses_.user[id]); }); };
  if (users([&](Id id) { return id == user; })) return takes_lists(inst.op);
  if (std::ranges::any_of(ids, [&](Id id) { return uses_.place[id] != place; })) return false;
  if (vectors_.row[user] != kNone) return users([&](Id id) { return vectors_.row[id] == vectors_.row[user]; });
  if (vectors_.dot[user] != kNone) return users([&](Id id) { return vectors_.dot[id] == vectors_.dot[user]; });
  if (inst.op == Op::output) {
    const ir::ElementExtra extra(inst.extra);
    return users([&](Id id) {
      const ir::ElementExtra other(f_.insts[id].extra);
      return f_.insts[id].op == Op::output && other.element == extra.element && other.signature == extra.signature &&
             f_.block_of[id] == f_.block_of[user];
    });
  }
  if (inst.op == Op::phi) return users([&](Id id) { return f_.insts[id].op == Op::phi && f_.block_of[id] == f_.block_of[user]; });
  if (inst.op == Op::store) return users([&](Id id) { return f_.insts[id].op == Op::store && f_.insts[id].extra == inst.extra; });
  return false;
}

// What several members of a row take at the same place is written once, in the row.
void Plan::share_in_row(Id id) {
  const ir::Inst& inst = f_.insts[id];
  if (uses_.count[id] < 2 || writings_.of[id] != Writing::named || inst.results != 1 || inst.op == Op::phi || inst.op == Op::get) return;
  const ir::Effects effects = ir::info(inst.op).effects;
  if (changes_something(f_, id) || ir::has(effects, ir::Effects::quad) || ir::has(effects, ir::Effects::wave)) return;
  const auto users = users_of(id);
  const std::uint32_t row = vectors_.row[users[0]];
  const Op op = f_.insts[users[0]].op;
  if (row == kNone || op == Op::get || op == Op::bitcast || is_dot_row(row)) return;
  const std::uint16_t place = uses_.place[id];
  const auto takes = [&](Id user) {
    const auto operands = f_.operands_of(user);
    return vectors_.row[user] == row && operands[place] == id && std::ranges::count(operands, id) == 1;
  };
  if (!std::ranges::all_of(users, takes)) return;
  // components of several variables are several statements
  const auto members = vectors_.members_of(row);
  const auto is_of_phi = [&](Id member) {
    return std::ranges::any_of(users_of(member), [&](Id user) { return f_.insts[user].op == Op::phi; });
  };
  if (std::ranges::any_of(members, is_of_phi)) return;
  const bool is_one = std::ranges::all_of(members, [&](Id one) { return writings_.of[one] == writings_.of[users[0]]; });
  if (!is_one || writings_.of[users[0]] == Writing::repeated || !may_move(id, users[0])) return;
  uses_.count[id] = 1;
  writings_.of[id] = Writing::inside;
}

// A vector that only its length and its quotient by that are computed of: normalize() has it once.
bool Plan::share_normalized(std::uint32_t row) {
  const auto members = vectors_.members_of(row);
  if (!options_.has_expansions || f_.insts[members[0]].type != ir::Type::f32 || is_dot_row(row)) return false;
  // the products are a row, which has one factor for all
  std::vector<Id> products;
  Id scale = kNone;
  for (std::size_t k = 0; k < members.size(); ++k) {
    const auto users = users_of(members[k]);
    if (users.size() != 3 || writings_.of[members[k]] != Writing::named) return false;
    const auto product = std::ranges::find_if(users, [&](Id user) { return std::ranges::count(users, user) == 1; });
    if (product == users.end() || f_.insts[*product].op != Op::fmul || writings_.of[*product] == Writing::repeated) return false;
    const auto operands = f_.operands_of(*product);
    const Id factor = operands[0] == members[k] ? operands[1] : operands[0];
    if (scale != kNone && factor != scale) return false;
    scale = factor;
    if (k != 0 && vectors_.row[*product] != vectors_.row[products[0]]) return false;
    if (!may_move(members[k], *product)) return false;
    products.push_back(*product);
  }
  const std::uint32_t of = vectors_.row[products[0]];
  if (of == kNone || !std::ranges::equal(vectors_.members_of(of), products)) return false;
  const ir::VectorDot* const dot = square_in(scale, Op::frsqrt);
  if (dot == nullptr || writings_.of[scale] != Writing::inside || !std::ranges::equal(dot->first(), members)) return false;
  for (std::size_t k = 0; k < members.size(); ++k) {
    uses_.count[members[k]] = 1;
    uses_.user[members[k]] = products[k];
    uses_.place[members[k]] = f_.operands_of(products[k])[0] == members[k] ? 0 : 1;
    writings_.of[members[k]] = Writing::inside;
  }
  Normalized& made = normalized_.emplace_back();
  made.vector.assign(members.begin(), members.end());
  made.parts.assign(dot->steps.begin(), dot->steps.begin() + dot->count);
  made.parts.push_back(scale);
  return true;
}

// Vectors of which a part has got a name after all.
void Plan::name_shared() {
  for (const Normalized& one : normalized_) {
    if (std::ranges::all_of(one.parts, [&](Id id) { return writings_.of[id] == Writing::inside; })) continue;
    for (const Id id : one.vector) {
      writings_.of[id] = Writing::named;
      uses_.count[id] = static_cast<std::uint32_t>(users_of(id).size());
    }
  }
}

// Operations that are written in an expression, up to some number.
std::uint32_t Plan::operations_in(Id id, std::uint32_t most) const {
  std::uint32_t count = 1;
  const auto operands = f_.operands_of(id);
  for (std::size_t at = 0; at < operands.size() && count <= most; ++at)
    if (!ir::is_block_operand(f_.insts[id].op, at) && writings_.of[operands[at]] == Writing::inside)
      count += operations_in(operands[at], most - count);
  return count;
}

// Whether each operand of a row is a vector, which costs no more than a component.
bool Plan::takes_vectors(std::span<const Id> members) const {
  for (std::size_t at = 0; at < f_.insts[members[0]].operand_count; ++at) {
    const std::vector<Id> operands = operands_at(members, at);
    if (ir::operand_of(f_, vectors_, operands).kind != ir::VectorOperand::Kind::mixed) continue;
    const ir::Inst& first = f_.insts[operands[0]];
    const auto is_beside = [&](Id id) {
      const ir::Inst& inst = f_.insts[id];
      if (inst.op != first.op || f_.block_of[id] != f_.block_of[operands[0]]) return false;
      if (inst.op == Op::phi) return true;
      if (inst.op != Op::cbuffer_load) return false;
      const auto a = f_.operands_of(operands[0]), b = f_.operands_of(id);
      if (f_.insts[a[0]].extra != f_.insts[b[0]].extra) return false;
      if (f_.insts[a[1]].op != Op::constant || f_.insts[b[1]].op != Op::constant) return false;
      return ir::constant_bits(f_, a[1]) / 16 == ir::constant_bits(f_, b[1]) / 16;
    };
    if (!std::ranges::all_of(operands, is_beside)) return false;
  }
  return true;
}

// A row whose parts go to different places: compilers join what has nothing to do with each other. Each part is a row of its own if it is
// short.
bool Plan::split_row(std::uint32_t row) {
  constexpr std::uint32_t kMostOfVector = 6, kMostOfScalar = 2;
  const std::vector<Id> members(vectors_.members_of(row).begin(), vectors_.members_of(row).end());
  if (f_.insts[members[0]].op == Op::select || vectors_.dot[members[0]] != kNone) return false;
  const bool is_cheap = takes_vectors(members);
  std::vector<std::vector<Id>> parts;
  for (std::size_t first = 0; first < members.size();) {
    std::size_t end = members.size();
    while (end > first + 1 && !are_taken_together(std::span(members).subspan(first, end - first))) --end;
    parts.emplace_back(members.begin() + static_cast<std::ptrdiff_t>(first), members.begin() + static_cast<std::ptrdiff_t>(end));
    first = end;
  }
  for (const std::vector<Id>& part : parts) {
    const std::uint32_t most = part.size() > 1 ? kMostOfVector : is_cheap ? 1 : kMostOfScalar;
    if (operations_in(part[0], most) > most) return false;
  }
  // what members of several parts take has a name
  for (std::size_t at = 0; at < f_.insts[members[0]].operand_count; ++at) {
    for (std::size_t k = 0; k < parts.size(); ++k) {
      for (const Id id : parts[k]) {
        const Id operand = f_.operands_of(id)[at];
        if (writings_.of[operand] != Writing::inside || users_of(operand).size() < 2) continue;
        const auto is_elsewhere = [&](Id user) { return std::ranges::find(parts[k], user) == parts[k].end(); };
        if (std::ranges::any_of(users_of(operand), is_elsewhere)) return false;
      }
    }
  }
  const ir::VectorRow whole = vectors_.rows[row];
  vectors_.rows[row].count = 0;
  std::size_t first = 0;
  for (const std::vector<Id>& part : parts) {
    const auto number = static_cast<std::uint32_t>(vectors_.rows.size());
    for (std::size_t k = 0; k < part.size(); ++k) {
      vectors_.row[part[k]] = part.size() > 1 ? number : kNone;
      vectors_.place[part[k]] = static_cast<std::uint8_t>(k);
    }
    if (part.size() > 1) {
      ir::VectorRow made{static_cast<std::uint32_t>(whole.first + first), static_cast<std::uint8_t>(part.size()), {}, whole.of_group};
      for (std::size_t k = 0; k < part.size(); ++k) made.components[k] = whole.components[first + k];
      vectors_.rows.push_back(made);
    }
    first += part.size();
  }
  return true;
}

// From what takes values to what they are taken of.
void Plan::name_rows() {
  for (std::size_t at = f_.order.size(); at-- > 0;) {
    for (Id id = f_.blocks[f_.order[at]].last; id != kNone; id = f_.previous[id]) {
      const std::uint32_t row = vectors_.row[id];
      if (row == kNone) {
        share_in_row(id);
      } else if (vectors_.members_of(row).back() == id) {
        for (const Id member : vectors_.members_of(row)) share_in_row(member);
        if (!share_normalized(row)) name_row(row);
      }
    }
  }
}

// Of a row all members have names, or none has. One that is not taken as a vector has a name if it costs more than its name.
void Plan::name_row(std::uint32_t row) {
  const auto members = vectors_.members_of(row);
  std::size_t named = 0, inside = 0;
  for (const Id id : members) {
    named += writings_.of[id] == Writing::named ? 1 : 0;
    inside += writings_.of[id] == Writing::inside ? 1 : 0;
  }
  const ir::Inst& inst = f_.insts[members[0]];
  if (inst.op == Op::get || inst.op == Op::bitcast || inst.type == ir::Type::handle || is_dot_row(row)) return;
  bool names = named != 0 && inside != 0;
  if (named == 0 && inside == members.size()) names = !are_taken_together(members) && inst.op != Op::fneg && inst.op != Op::fabs;
  if (!names || (named == 0 && split_row(row))) return;
  for (const Id id : members)
    if (writings_.of[id] == Writing::inside) writings_.of[id] = Writing::named;
}

}  // namespace unshade::write::source

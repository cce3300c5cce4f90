#include "write/source/plan.hpp"

#include <algorithm>
#include <array>

#include <unshade/ir/extra.hpp>

namespace unshade::write::source {

using ir::Op;
using ir::Writing;

namespace {

/// Expressions in each other.
constexpr std::uint32_t kMostDepth = 24;
/// Operations and operands of a statement: more do not fit on a line.
constexpr std::uint32_t kMostWeight = 22;
/// Of what gets a name so that a statement fits.
constexpr std::uint32_t kLeastNamed = 5;
/// Operations whose operands are lists.
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

}  // namespace

bool changes_something(const ir::Function& function, Id id) {
  return ir::has(ir::info(function.insts[id].op).effects, ir::Effects::writes);
}

Plan::Plan(const ir::Function& function, const ir::Structure& tree, const std::vector<ir::Declared>& declared, bool is_exact)
    : f_(function),
      tree_(tree),
      declared_(declared),
      uses_(ir::uses_of(function)),
      writings_(ir::writings_of(function, uses_, {kMostDepth})),
      vectors_(ir::vectors_of(function)) {
  writes_before_.assign(f_.insts.size(), 0);
  position_.assign(f_.insts.size(), 0);
  std::uint32_t position = 0;
  for (const BlockId block : f_.order) {
    std::uint32_t writes = 0;
    for (Id id = f_.blocks[block].first; id != kNone; id = f_.next[id]) {
      writes_before_[id] = writes;
      position_[id] = position++;
      writes += changes_something(f_, id) ? 1 : 0;
    }
  }
  drop_scattered_rows();
  drop_addresses();
  repeat_signs();
  join_dots();
  name_rows();
  put_loads_inside();
  name_heavy();
  if (is_exact) name_results();
  mend_statements();
  webs_ = ir::phi_webs_of(f_, writings_);
  scopes_ = ir::scopes_of(f_, tree_, writings_);
  make_variables();
}

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

// Dot products that are a vector somewhere are one: no other statement stands between them.
void Plan::join_dots() {
  const auto is_dot = [&](Id id) {
    const std::uint32_t number = vectors_.dot[id];
    return number != kNone && vectors_.dots[number].steps[vectors_.dots[number].count - 1U] == id && vectors_.row[id] == kNone;
  };
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
    join(std::span(dot.a).first(dot.count));
    join(std::span(dot.b).first(dot.count));
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

std::vector<Id> Plan::operands_at(std::span<const Id> ids, std::size_t at) const {
  std::vector<Id> made;
  for (const Id id : ids) made.push_back(f_.operands_of(id)[at]);
  return made;
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

// Of a row all members have names, or none has. One that is not taken as a vector has a name if it costs more than its name.
void Plan::name_rows() {
  for (std::size_t at = vectors_.rows.size(); at-- > 0;) {
    if (vectors_.rows[at].count == 0) continue;
    const auto members = vectors_.members_of(static_cast<std::uint32_t>(at));
    std::size_t named = 0, inside = 0;
    for (const Id id : members) {
      named += writings_.of[id] == Writing::named ? 1 : 0;
      inside += writings_.of[id] == Writing::inside ? 1 : 0;
    }
    const ir::Inst& inst = f_.insts[members[0]];
    if (inst.op == Op::get || inst.op == Op::bitcast || inst.type == ir::Type::handle || is_dot_row(static_cast<std::uint32_t>(at)))
      continue;
    bool names = named != 0 && inside != 0;
    if (named == 0 && inside == members.size()) names = !are_taken_together(members) && inst.op != Op::fneg && inst.op != Op::fabs;
    for (const Id id : members)
      if (names && writings_.of[id] == Writing::inside) writings_.of[id] = Writing::named;
  }
}

// Whether what a load reads is the same where its user is written, and the same lanes run.
bool Plan::may_move(Id load, Id user) const {
  const ir::Effects effects = ir::info(f_.insts[load].op).effects;
  const bool together = ir::has(effects, ir::Effects::quad) || ir::has(effects, ir::Effects::wave);
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
        weight[id] = 1 + of_operand(found.a[0]) + of_operand(found.b[0]);
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
        name(most);
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

VariableId Plan::add_variable(std::uint8_t width) {
  variables_.emplace_back().width = width;
  return static_cast<VariableId>(variables_.size() - 1);
}

std::uint32_t Plan::common_region(std::uint32_t a, std::uint32_t b) const {
  while (a != b) {
    if (a == kNone || b == kNone) return kNone;
    (a > b ? a : b) = tree_.nodes[a > b ? a : b].parent;
  }
  return a;
}

// Webs of values that are one vector somewhere are one variable.
void Plan::group_webs(std::span<const Id> ids) {
  if (ids.size() < 2 || ids.size() > 4) return;
  std::vector<std::uint32_t> webs;
  const auto first_of = [&](std::uint32_t web) { return webs_.members[web].front(); };
  for (const Id id : ids) {
    const std::uint32_t web = webs_.web[id];
    if (web == kNone || web_places_[web].variable != kNone || std::ranges::find(webs, web) != webs.end()) return;
    webs.push_back(web);
    const Id one = first_of(web), other = first_of(webs.front());
    if (f_.insts[one].type != f_.insts[other].type || declared_[one] != declared_[other]) return;
  }
  const VariableId variable = add_variable(static_cast<std::uint8_t>(ids.size()));
  for (std::size_t k = 0; k < ids.size(); ++k) web_places_[webs[k]] = {variable, static_cast<std::uint8_t>(k)};
}

// The last place where a value is read.
std::uint32_t Plan::last_read(Id id, unsigned depth) const {
  constexpr unsigned kDeepest = 4;
  std::uint32_t last = 0;
  for (std::uint32_t at = first_user_[id]; at < first_user_[id + 1]; ++at) {
    const Id user = users_[at];
    if (f_.insts[user].op == Op::phi || depth > kDeepest) return kNone;
    if (writings_.of[user] == Writing::repeated) {
      last = std::max(last, last_read(user, depth + 1));
    } else {
      const Id statement = writings_.of[user] == Writing::inside ? writings_.statement[user] : user;
      last = std::max(last, position_[statement]);
    }
  }
  return last;
}

// x = x + y: the variable of what is changed, and not read again, goes on.
bool Plan::take_variable(std::span<const Id> ids) {
  const ir::Inst& inst = f_.insts[ids[0]];
  if (inst.results != 1 || vectors_.dot[ids[0]] != kNone) return false;
  std::vector<std::size_t> sides;
  switch (inst.op) {
    case Op::fadd:
    case Op::fmul:
    case Op::iadd: sides = {0, 1}; break;
    case Op::fsub: sides = {0}; break;
    case Op::fmad: sides = {2}; break;
    default: return false;
  }
  const auto is_mine = [&](Id id) { return std::ranges::find(ids, id) != ids.end(); };
  for (const std::size_t side : sides) {
    const std::vector<Id> before = operands_at(ids, side);
    VariableId variable = kNone;
    bool fits = true;
    for (std::size_t k = 0; k < before.size() && fits; ++k) {
      Id of = before[k];
      std::uint8_t component = 0;
      if (f_.insts[of].op == Op::get) {
        component = static_cast<std::uint8_t>(f_.insts[of].extra);
        of = f_.operands_of(of)[0];
        fits = writings_.of[of] == Writing::named && places_[of].variable != kNone;
        // of a load the type is known later
        fits = fits && f_.insts[of].type == inst.type && ir::is_float(inst.type);
      } else {
        fits = writings_.of[of] == Writing::named && places_[of].variable != kNone && declared_[of] == declared_[ids[k]] &&
               f_.insts[of].type == inst.type && f_.insts[of].op != Op::phi;
        component = places_[of].component;
      }
      if (!fits) break;
      fits = f_.block_of[of] == f_.block_of[ids[k]] && component == k && !variables_[places_[of].variable].is_web &&
             (variable == kNone || variable == places_[of].variable);
      variable = places_[of].variable;
    }
    if (!fits || variable == kNone || variables_[variable].width != ids.size()) continue;
    // nobody else reads it from here on
    const std::uint32_t start = position_[*std::ranges::min_element(ids, {}, [&](Id id) { return position_[id]; })];
    const auto reads_later = [&](Id member) {
      for (std::uint32_t at = first_user_[member]; at < first_user_[member + 1]; ++at) {
        const Id user = users_[at];
        if (is_mine(user)) continue;
        if (f_.insts[user].op == Op::phi) return true;
        const bool is_repeated = writings_.of[user] == Writing::repeated;
        if (f_.insts[user].op == Op::get && is_repeated) {
          for (std::uint32_t next = first_user_[user]; next < first_user_[user + 1]; ++next)
            if (!is_mine(users_[next]) && (writings_.of[users_[next]] == Writing::repeated || f_.insts[users_[next]].op == Op::phi ||
                                           read_position(users_[next]) >= start))
              return true;
          continue;
        }
        if ((is_repeated ? last_read(user, 0) : read_position(user)) >= start) return true;
      }
      return false;
    };
    if (std::ranges::any_of(variables_[variable].members, reads_later)) continue;
    for (std::size_t k = 0; k < ids.size(); ++k) {
      places_[ids[k]] = {variable, static_cast<std::uint8_t>(k)};
      variables_[variable].members.push_back(ids[k]);
      variables_[variable].region = common_region(variables_[variable].region, scopes_.region[ids[k]]);
    }
    return true;
  }
  return false;
}

// Where the statement is in which a value is read by another.
std::uint32_t Plan::read_position(Id user) const {
  return position_[writings_.of[user] == Writing::inside ? writings_.statement[user] : user];
}

void Plan::make_variables() {
  first_user_.assign(f_.insts.size() + 1, 0);
  const auto for_each_use = [&](const auto& visit) {
    for (const BlockId block : f_.order) {
      for (Id id = f_.blocks[block].first; id != kNone; id = f_.next[id]) {
        const auto operands = f_.operands_of(id);
        for (std::size_t at = 0; at < operands.size(); ++at)
          if (!ir::is_block_operand(f_.insts[id].op, at)) visit(operands[at], id);
      }
    }
  };
  for_each_use([&](Id of, Id) { ++first_user_[of + 1]; });
  for (std::size_t at = 1; at < first_user_.size(); ++at) first_user_[at] += first_user_[at - 1];
  users_.assign(first_user_.back(), kNone);
  std::vector<std::uint32_t> next(first_user_.begin(), first_user_.end() - 1);
  for_each_use([&](Id of, Id user) { users_[next[of]++] = user; });
  places_.assign(f_.insts.size(), {});
  web_places_.assign(webs_.members.size(), {});
  for (std::uint32_t row = 0; row < vectors_.rows.size(); ++row)
    if (vectors_.rows[row].count != 0) group_webs(vectors_.members_of(row));
  for (std::uint32_t row = 0; row < vectors_.rows.size(); ++row) {
    if (vectors_.rows[row].count == 0) continue;
    const auto members = vectors_.members_of(row);
    if (is_dot_row(row)) continue;
    for (std::size_t at = 0; at < f_.insts[members[0]].operand_count; ++at) group_webs(operands_at(members, at));
  }
  for (const ir::VectorDot& dot : vectors_.dots) {
    group_webs(std::span(dot.a).first(dot.count));
    group_webs(std::span(dot.b).first(dot.count));
  }
  // outputs of one element, one after the other
  for (const BlockId block : f_.order) {
    std::vector<Id> list;
    std::uint32_t element = kNone;
    for (Id id = f_.blocks[block].first; id != kNone; id = f_.next[id]) {
      if (f_.insts[id].op != Op::output) continue;
      const ir::ElementExtra extra(f_.insts[id].extra);
      if (extra.element != element) group_webs(list), list.clear();
      element = extra.element;
      list.push_back(f_.operands_of(id).back());
    }
    group_webs(list);
  }
  for (std::uint32_t web = 0; web < webs_.members.size(); ++web) {
    if (web_places_[web].variable == kNone) web_places_[web] = {add_variable(1), 0};
    PlannedVariable& variable = variables_[web_places_[web].variable];
    const bool is_first = !variable.is_web;
    variable.is_web = true;
    for (const Id id : webs_.members[web]) {
      places_[id] = web_places_[web];
      variable.region =
          is_first && id == webs_.members[web].front() ? scopes_.region[id] : common_region(variable.region, scopes_.region[id]);
      variable.members.push_back(id);
    }
  }
  statement_.assign(f_.insts.size(), kNone);
  for (const BlockId block : f_.order) {
    for (Id id = f_.blocks[block].first; id != kNone; id = f_.next[id]) {
      if (writings_.of[id] != Writing::named || f_.insts[id].op == Op::phi || statement_[id] != kNone) continue;
      const std::uint32_t row = vectors_.row[id];
      if (row == kNone) {
        statement_[id] = static_cast<std::uint32_t>(statements_.size());
        statements_.push_back({id});
        if (places_[id].variable == kNone && !take_variable({&id, 1})) {
          const unsigned width = std::max<unsigned>(1, f_.insts[id].results);
          places_[id] = {add_variable(static_cast<std::uint8_t>(width)), 0};
          variables_.back().members.push_back(id);
          variables_.back().region = scopes_.region[id];
        }
        continue;
      }
      // the members of a row by the variables that they are in
      std::vector<Id> fresh;
      for (const Id member : vectors_.members_of(row)) {
        if (writings_.of[member] != Writing::named) continue;
        if (places_[member].variable == kNone) fresh.push_back(member);
      }
      if (!fresh.empty() && !take_variable(fresh)) {
        const VariableId variable = add_variable(static_cast<std::uint8_t>(fresh.size()));
        for (std::size_t k = 0; k < fresh.size(); ++k) {
          places_[fresh[k]] = {variable, static_cast<std::uint8_t>(k)};
          variables_[variable].region =
              k == 0 ? scopes_.region[fresh[k]] : common_region(variables_[variable].region, scopes_.region[fresh[k]]);
          variables_[variable].members.push_back(fresh[k]);
        }
      }
      for (const Id member : vectors_.members_of(row)) {
        if (writings_.of[member] != Writing::named || statement_[member] != kNone) continue;
        std::vector<Id> list;
        for (const Id other : vectors_.members_of(row))
          if (writings_.of[other] == Writing::named && places_[other].variable == places_[member].variable) list.push_back(other);
        // one component may be written once in a statement
        std::ranges::sort(list, {}, [&](Id one) { return places_[one].component; });
        const auto same = [&](Id a, Id b) { return places_[a].component == places_[b].component; };
        if (std::ranges::adjacent_find(list, same) != list.end()) list = {member};
        for (const Id one : list) statement_[one] = static_cast<std::uint32_t>(statements_.size());
        statements_.push_back(std::move(list));
      }
    }
  }
}

std::span<const Id> Plan::statement_of(Id id) const {
  if (statement_[id] == kNone) return {};
  const std::vector<Id>& list = statements_[statement_[id]];
  // the first in the order of the function
  const Id first = *std::ranges::min_element(list, {}, [&](Id one) { return position_[one]; });
  return first == id ? std::span<const Id>(list) : std::span<const Id>();
}

}  // namespace unshade::write::source

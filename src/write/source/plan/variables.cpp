// Variables: which values share one, and which statement writes them.
#include <algorithm>
#include <ranges>

#include <unshade/ir/extra.hpp>

#include "write/source/plan/plan.hpp"

namespace unshade::write::source {

using ir::Op;
using ir::Writing;

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

// x = x + y: the variable of what is changed, and not read again, goes on.
bool Plan::take_variable(std::span<const Id> ids) {
  if (f_.insts[ids[0]].results != 1 || vectors_.dot[ids[0]] != kNone) return false;
  return find_taken(ids, ids, 0);
}

// Looks for a variable in an operation, and in those that are written in it.
bool Plan::find_taken(std::span<const Id> ids, std::span<const Id> statement, unsigned depth) {
  constexpr unsigned kDeepest = 3;
  const ir::Inst& inst = f_.insts[ids[0]];
  if (vectors_.dot[ids[0]] != kNone || inst.operand_count == 0 || inst.operand_count > 3 || inst.op == Op::get || inst.op == Op::phi)
    return false;
  const auto is_like = [&](Id id) { return f_.insts[id].op == inst.op && f_.insts[id].operand_count == inst.operand_count; };
  if (!std::ranges::all_of(ids, is_like)) return false;
  for (const bool is_deeper : {false, true}) {
    for (std::size_t at = inst.operand_count; at-- > 0;) {
      const std::vector<Id> operands = operands_at(ids, at);
      const auto is_inside = [&](Id id) {
        return f_.block_of[id] != kNone && writings_.of[id] == Writing::inside && f_.insts[id].results == 1;
      };
      if (!is_deeper) {
        if (may_take(operands, statement)) return true;
      } else if (depth < kDeepest && std::ranges::all_of(operands, is_inside)) {
        if (find_taken(operands, statement, depth + 1)) return true;
      }
    }
  }
  return false;
}

bool Plan::may_take(std::span<const Id> before, std::span<const Id> ids) {
  const ir::Type type = ir::result_type(f_, ids[0]);
  VariableId variable = kNone;
  for (std::size_t k = 0; k < before.size(); ++k) {
    Id of = before[k];
    std::uint8_t component = 0;
    if (f_.block_of[of] == kNone || ir::result_type(f_, of) != type || declared_[of] != declared_[ids[k]]) return false;
    if (f_.insts[of].op == Op::get) {
      component = static_cast<std::uint8_t>(f_.insts[of].extra);
      of = f_.operands_of(of)[0];
      // of a load the type is known later
      if (f_.insts[of].type != type || !ir::is_float(type) || declared_[ids[k]] != ir::Declared::real) return false;
    } else {
      if (f_.insts[of].op == Op::phi) return false;
      component = places_[of].component;
    }
    if (writings_.of[of] != Writing::named || places_[of].variable == kNone) return false;
    if (f_.block_of[of] != f_.block_of[ids[k]] || component != k || variables_[places_[of].variable].is_web) return false;
    if (variable != kNone && variable != places_[of].variable) return false;
    variable = places_[of].variable;
  }
  if (variable == kNone || variables_[variable].width != ids.size()) return false;
  // nobody else reads it from here on
  const std::uint32_t start = position_[*std::ranges::min_element(ids, {}, [&](Id id) { return position_[id]; })];
  const auto is_later = [&](std::uint32_t at) {
    return at >= start && std::ranges::none_of(ids, [&](Id id) { return position_[id] == at; });
  };
  unsigned steps = 0;
  const auto reads_later = [&](const auto& self, Id member, unsigned depth) -> bool {
    constexpr unsigned kDeepest = 4, kMostSteps = 256;
    for (Id user : users_of(member)) {
      // what is written inside of another is read where that is, maybe several times
      while (writings_.of[user] == Writing::inside && f_.insts[user].op != Op::phi) user = uses_.user[user];
      if (f_.insts[user].op == Op::phi || depth > kDeepest || ++steps > kMostSteps || in_address_[user]) return true;
      if (writings_.of[user] == Writing::repeated ? self(self, user, depth + 1) : is_later(position_[user])) return true;
    }
    return false;
  };
  if (std::ranges::any_of(variables_[variable].members, [&](Id member) { return reads_later(reads_later, member, 0); })) return false;
  for (std::size_t k = 0; k < ids.size(); ++k) {
    places_[ids[k]] = {variable, static_cast<std::uint8_t>(k)};
    variables_[variable].members.push_back(ids[k]);
    variables_[variable].region = common_region(variables_[variable].region, scopes_.region[ids[k]]);
  }
  return true;
}

void Plan::index_users() {
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
  // Sums that an index is written as anew, from their terms, though they have names themselves.
  in_address_.assign(f_.insts.size(), false);
  for (const BlockId block : std::views::reverse(f_.order)) {
    for (Id id = f_.blocks[block].last; id != kNone; id = f_.previous[id]) {
      const Op op = f_.insts[id].op;
      if (!in_address_[id] && op != Op::cbuffer_load && ir::info(op).effects == ir::Effects::pure) continue;
      for (const Id operand : f_.operands_of(id)) {
        if (operand >= f_.insts.size()) continue;
        const Op of = f_.insts[operand].op;
        if (of == Op::iadd || of == Op::ishl || of == Op::imul) in_address_[operand] = true;
      }
    }
  }
}

void Plan::make_variables() {
  places_.assign(f_.insts.size(), {});
  web_places_.assign(webs_.members.size(), {});
  group_webs();
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

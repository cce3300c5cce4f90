// Values that are written in several places: which of them are one vector.
#include <algorithm>
#include <map>
#include <numeric>

#include <unshade/ir/extra.hpp>

#include "write/source/module_writer.hpp"
#include "write/source/plan/plan.hpp"

namespace unshade::write::source {

using ir::Op;

namespace {

/// Lists of webs that a web is compared in.
constexpr std::size_t kMostGroups = 64;

/// Webs that are one vector in some places, in the order of its components.
struct Group {
  std::vector<std::uint32_t> webs;
  std::size_t components = 0;  ///< that it has in all these places
  std::size_t worth = 0;       ///< with those of groups that are part of it
};

}  // namespace

// Every list of values that is a vector somewhere, or would be if they were in one variable.
void Plan::for_each_list(const std::function<void(std::span<const Id>)>& visit) const {
  for (std::uint32_t row = 0; row < vectors_.rows.size(); ++row) {
    if (vectors_.rows[row].count == 0) continue;
    const auto members = vectors_.members_of(row);
    visit(members);
    if (is_dot_row(row)) continue;
    for (std::size_t at = 0; at < f_.insts[members[0]].operand_count; ++at) visit(operands_at(members, at));
  }
  for (const ir::VectorDot& dot : vectors_.dots) {
    visit(dot.first());
    visit(dot.second());
  }
  for (const BlockId block : f_.order) {
    // outputs of one element, and words of one variable, one after the other
    std::vector<Id> list;
    std::uint64_t place = ~std::uint64_t{0};
    for (Id id = f_.blocks[block].first; id != kNone; id = f_.next[id]) {
      const ir::Inst& inst = f_.insts[id];
      const auto operands = f_.operands_of(id);
      if (inst.op == Op::buffer_store) {
        const std::size_t first = ir::BufferExtra(inst.extra).has_offset ? 3 : 2;
        if (first < operands.size()) visit(operands.subspan(first));
      }
      if (inst.op != Op::output && inst.op != Op::store) continue;
      const std::uint64_t its = inst.op == Op::store ? std::uint64_t{1} << 32 | inst.extra : ir::ElementExtra(inst.extra).element;
      if (its != place || list.size() == 4) visit(list), list.clear();
      place = its;
      list.push_back(operands.back());
    }
    visit(list);
  }
}

// Webs that are one vector somewhere are one variable. Of lists that have webs in common that is which makes the most components.
void Plan::group_webs() {
  std::map<std::vector<std::uint32_t>, std::size_t> numbers;
  std::vector<Group> groups;
  std::vector<std::vector<std::size_t>> of_web(webs_.members.size());
  const auto first_of = [&](std::uint32_t web) { return webs_.members[web].front(); };
  const auto add = [&](std::vector<std::uint32_t>& webs) {
    if (webs.size() >= 2 && webs.size() <= 4) {
      const auto [place, is_new] = numbers.try_emplace(webs, groups.size());
      if (is_new) {
        for (const std::uint32_t web : webs)
          if (of_web[web].size() < kMostGroups) of_web[web].push_back(groups.size());
        groups.push_back({webs});
      }
      groups[place->second].components += webs.size();
    }
    webs.clear();
  };
  for_each_list([&](std::span<const Id> ids) {
    if (ids.size() > 4) return;
    // parts of the list that are alike
    std::vector<std::uint32_t> webs;
    for (const Id id : ids) {
      const std::uint32_t web = webs_.web[id];
      if (web == kNone || std::ranges::find(webs, web) != webs.end()) {
        add(webs);
        continue;
      }
      if (!webs.empty()) {
        const Id one = first_of(web), other = first_of(webs.front());
        const auto base = [&](Id value) { return ModuleWriter::base_of(f_.insts[value].type, declared_[value]); };
        if (base(one) != base(other)) add(webs);
      }
      webs.push_back(web);
    }
    add(webs);
  });
  for (Group& group : groups) {
    const auto is_part = [&](const Group& other) {
      return std::ranges::all_of(other.webs, [&](std::uint32_t web) { return std::ranges::find(group.webs, web) != group.webs.end(); });
    };
    for (const std::uint32_t web : group.webs) {
      for (const std::size_t number : of_web[web])
        if (groups[number].webs.front() == web && is_part(groups[number])) group.worth += groups[number].components;
    }
  }
  std::vector<std::size_t> order(groups.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) {
    return groups[a].worth != groups[b].worth ? groups[a].worth > groups[b].worth : groups[a].components > groups[b].components;
  });
  for (const std::size_t number : order) {
    const auto& webs = groups[number].webs;
    if (std::ranges::any_of(webs, [&](std::uint32_t web) { return web_places_[web].variable != kNone; })) continue;
    const VariableId variable = add_variable(static_cast<std::uint8_t>(webs.size()));
    for (std::size_t k = 0; k < webs.size(); ++k) web_places_[webs[k]] = {variable, static_cast<std::uint8_t>(k)};
  }
}

}  // namespace unshade::write::source

#include "shader/diff/things.hpp"

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <utility>

namespace unshade::shader::diff {

namespace {

constexpr std::size_t kNobody = ~std::size_t{0};

/// Pairs up those without a partner whose `key` is equal, in their order.
void pair_by(std::string Thing::* key, const std::vector<Thing>& before, const std::vector<Thing>& after, std::vector<std::size_t>& partner,
             std::vector<bool>& taken) {
  struct Waiting {
    std::vector<std::size_t> things;
    std::size_t next = 0;
  };
  std::unordered_map<std::string_view, Waiting> waiting;
  for (std::size_t i = 0; i < after.size(); ++i)
    if (!taken[i] && !(after[i].*key).empty()) waiting[after[i].*key].things.push_back(i);
  for (std::size_t i = 0; i < before.size(); ++i) {
    if (partner[i] != kNobody) continue;
    const auto found = waiting.find(before[i].*key);
    if (found == waiting.end() || found->second.next == found->second.things.size()) continue;
    partner[i] = found->second.things[found->second.next++];
    taken[partner[i]] = true;
  }
}

const ThingField* find_field(const Thing& thing, std::string_view name, std::size_t hint) {
  if (hint < thing.fields.size() && thing.fields[hint].name == name) return &thing.fields[hint];
  for (const ThingField& field : thing.fields)
    if (field.name == name) return &field;
  return nullptr;
}

/// One change of what matters, one of what does not.
void compare_fields(const Thing& before, const Thing& after, std::vector<Change>& changes) {
  for (const bool meaning : {true, false}) {
    Change change{ChangeKind::changed, meaning, std::string(before.what), before.name, {}};
    for (std::size_t i = 0; i < before.fields.size(); ++i) {
      const ThingField& field = before.fields[i];
      const ThingField* const other = find_field(after, field.name, i);
      const std::string_view value = other == nullptr ? std::string_view{} : std::string_view(other->value);
      if ((field.meaning && before.meaning) == meaning && field.value != value)
        change.fields.push_back({std::string(field.name), field.value, std::string(value)});
    }
    for (std::size_t i = 0; i < after.fields.size(); ++i) {
      const ThingField& field = after.fields[i];
      if ((field.meaning && before.meaning) == meaning && !field.value.empty() && find_field(before, field.name, i) == nullptr)
        change.fields.push_back({std::string(field.name), {}, field.value});
    }
    if (!change.fields.empty()) changes.push_back(std::move(change));
  }
}

/// A value that most things have.
bool is_usual(std::string_view value) {
  for (const std::string_view usual : {"", "0", "no", "none", "undefined", "unknown", "default"})
    if (value == usual) return true;
  return false;
}

/// Whether the name of a thing says the value already: `vertex.NORMAL0` does `NORMAL0`.
bool says(std::string_view name, std::string_view value) {
  return name.ends_with(value) && (name.size() == value.size() || name[name.size() - value.size() - 1] == '.');
}

void add_lonely(const Thing& thing, ChangeKind kind, std::vector<Change>& changes) {
  Change change{kind, thing.meaning, std::string(thing.what), thing.name, {}};
  for (const ThingField& field : thing.fields) {
    if (field.value.empty() || (!field.always && is_usual(field.value)) || says(thing.name, field.value)) continue;
    std::string value = field.value;
    kind == ChangeKind::removed ? change.fields.push_back({std::string(field.name), std::move(value), {}})
                                : change.fields.push_back({std::string(field.name), {}, std::move(value)});
  }
  changes.push_back(std::move(change));
}

}  // namespace

void compare_things(const std::vector<Thing>& before, const std::vector<Thing>& after, std::vector<Change>& changes) {
  std::vector<std::size_t> partner(before.size(), kNobody);
  std::vector<bool> taken(after.size(), false);
  pair_by(&Thing::key, before, after, partner, taken);
  pair_by(&Thing::place, before, after, partner, taken);
  for (std::size_t i = 0; i < before.size(); ++i) {
    if (partner[i] == kNobody) {
      add_lonely(before[i], ChangeKind::removed, changes);
    } else {
      compare_fields(before[i], after[partner[i]], changes);
    }
  }
  for (std::size_t i = 0; i < after.size(); ++i)
    if (!taken[i]) add_lonely(after[i], ChangeKind::added, changes);
}

}  // namespace unshade::shader::diff

#include "shader/run/inputs.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "core/characters.hpp"
#include "core/lowered.hpp"
#include "core/numbers.hpp"
#include "shader/run/bindings.hpp"
#include "shader/run/names.hpp"

namespace unshade::shader::runner {
namespace {

// All that is packed into a register.
std::vector<NamedInput> of_register(const std::vector<ir::Element>& elements, std::string_view key) {
  std::vector<NamedInput> made;
  std::size_t place = 0;
  for (std::size_t at = 0; at < elements.size(); place += elements[at++].rows)
    if (const auto row = row_in_register(elements[at], key, 'v')) made.push_back({at, *row, place + *row, elements[at].first_column});
  return made;
}

bool has_lists(const Value::List& list) {
  return std::ranges::any_of(list, [](const Value& one) { return one.as_list() != nullptr; });
}

}  // namespace

namespace {

std::vector<NamedInput> inputs_named(const std::vector<ir::Element>& elements, std::string_view key, NameKind kind) {
  std::vector<NamedInput> made;
  std::size_t place = 0;
  for (std::size_t at = 0; at < elements.size(); place += elements[at++].rows) {
    if (const auto named = row_named(elements[at], key, kind)) made.push_back({at, named->row, place + named->row, 0, named->is_whole});
  }
  return made;
}

// Names of SPIR-V are those of its debug information, and need not differ.
bool is_of_spirv(const std::vector<ir::Element>& elements, const std::vector<NamedInput>& named) {
  return std::ranges::any_of(named, [&](const NamedInput& one) { return !elements[one.element].variable.empty(); });
}

}  // namespace

std::vector<NamedInput> inputs_named(const std::vector<ir::Element>& elements, std::string_view key) {
  for (const NameKind kind : kNameKinds) {
    const std::vector<NamedInput> made = inputs_named(elements, key, kind);
    if (made.size() > 1 && kind == NameKind::alias) continue;
    if (made.size() > 1 && is_of_spirv(elements, made)) return {};
    if (!made.empty()) return {made.front()};
  }
  return of_register(elements, key);
}

std::string several_named(const std::vector<ir::Element>& elements, std::string_view key) {
  if (!inputs_named(elements, key).empty()) return {};
  for (const NameKind kind : kNameKinds) {
    const std::vector<NamedInput> made = inputs_named(elements, key, kind);
    if (made.size() < 2) continue;
    std::string names;
    for (const NamedInput& one : made) {
      const ir::Element& element = elements[one.element];
      const std::string own = semantic_key(element, one.row);
      const bool is_alone = inputs_named(elements, own).size() == 1;
      const std::string name =
          is_alone || element.first_register == ir::kNone ? own : "location" + std::to_string(element.first_register + one.row);
      names += (names.empty() ? "`" : &one == &made.back() ? " or `" : ", `") + name + '`';
    }
    return "several inputs have this name: " + names;
  }
  return {};
}

Result<std::vector<GivenRow>> rows_given(const std::vector<ir::Element>& elements, std::span<const NamedInput> named, const Value& value) {
  constexpr std::size_t kColumns = 4;
  const Value::List* const list = value.as_list();
  const bool is_nested = list != nullptr && has_lists(*list);
  const std::size_t given = list == nullptr ? 1 : list->size();
  std::vector<GivenRow> made;
  bool gives = given == 0 || named.empty();
  for (const NamedInput& one : named) {
    const ir::Element& element = elements[one.element];
    const std::size_t rows = element.rows - one.row;
    const bool is_row = !is_nested && given <= kColumns && !(one.is_whole && rows > 1);
    if (!is_row && (one.skipped != 0 || &one != &named.front()))
      return fault(value, "", std::to_string(given) + (is_nested ? " lists" : " numbers") + ", the register has 4");
    if (is_nested && given > rows) return fault(value, "", std::to_string(given) + " rows, the input has " + std::to_string(rows));
    if (!is_nested && !is_row && given > rows * element.columns)
      return fault(value, "", std::to_string(given) + " numbers, the input has " + std::to_string(rows * element.columns));
    for (std::size_t k = is_nested ? 0 : one.skipped; k < given;) {
      const std::size_t row = is_nested ? k : is_row ? 0 : k / element.columns;
      GivenRow& to = made.emplace_back(GivenRow{one.element, one.row + static_cast<std::uint32_t>(row), one.place + row});
      if (is_nested) {
        const Value& inner = (*list)[k++];
        const Value::List* const numbers = inner.as_list();
        if (numbers == nullptr || has_lists(*numbers)) return fault(inner, "", "expected a list of numbers, as the others are");
        if (numbers->size() > kColumns) return fault(inner, "", std::to_string(numbers->size()) + " numbers, a row has 4 at most");
        for (const Value& number : *numbers) to.numbers.push_back(&number);
        continue;
      }
      const std::size_t end = is_row ? given : std::min(given, k + element.columns);
      for (; k < end; ++k) to.numbers.push_back(list == nullptr ? &value : &(*list)[k]);
    }
    gives = gives || given > one.skipped;
  }
  if (!gives)
    return fault(value, "", "the shader does not read the first component of this register: give a list of its components from x on");
  return made;
}

InputKeys::InputKeys(const std::vector<ir::Element>& elements) {
  const auto key_of_register = [](std::uint32_t number) { return 'v' + std::to_string(number); };
  std::set<std::string> taken;
  std::map<std::string, unsigned> counts;  // of the names of SPIR-V
  for (const ir::Element& element : elements)
    for (std::uint32_t row = 0; row < element.rows; ++row)
      if (!element.variable.empty()) ++counts[semantic_key(element, row)];
  std::map<std::uint32_t, bool> registers;  // of rows whose semantic another has: whether the register's key names them
  for (const ir::Element& element : elements) {
    for (std::uint32_t row = 0; row < element.rows; ++row) {
      const std::size_t place = keys_.size();
      std::string& key = keys_.emplace_back().key;
      key = semantic_key(element, row);
      const auto count = counts.find(key);
      const bool is_several = count != counts.end() && count->second > 1;
      if (!is_several && taken.insert(lowered(key)).second) continue;
      key.clear();
      if (element.first_register == ir::kNone) continue;
      const auto [known, is_new] = registers.try_emplace(element.first_register + row, false);
      if (!is_new) continue;
      const auto named = inputs_named(elements, key_of_register(known->first));
      known->second = std::ranges::find(named, place, &NamedInput::place) != named.end();
    }
  }
  std::size_t place = 0;
  for (const ir::Element& element : elements) {
    for (std::uint32_t row = 0; row < element.rows; ++row, ++place) {
      if (element.first_register == ir::kNone) continue;
      const auto known = registers.find(element.first_register + row);
      if (known != registers.end() && known->second) keys_[place] = {key_of_register(known->first), element.first_column, element.columns};
    }
  }
}

void InputKeys::add(std::size_t place, std::span<const Value* const> numbers, Value& to) const {
  const Key& key = keys_[place];
  if (key.key.empty()) return;
  Value::Map& members = *to.as_map();
  auto member = std::ranges::find(members, key.key, &Value::Member::key);
  if (member == members.end()) member = members.insert(member, {key.key, Value::list(), 0});
  Value::List* const list = member->value.as_list();
  if (list == nullptr) return;
  const auto own = numbers.first(std::min(numbers.size(), key.columns));
  list->resize(std::max(list->size(), key.first + own.size()), Value::integer(0));
  std::ranges::transform(own, list->begin() + static_cast<std::ptrdiff_t>(key.first), [](const Value* number) { return *number; });
}

}  // namespace unshade::shader::runner

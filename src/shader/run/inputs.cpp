#include "shader/run/inputs.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "core/characters.hpp"
#include "core/lowered.hpp"
#include "core/numbers.hpp"
#include "shader/run/outputs.hpp"

namespace unshade::shader::runner {
namespace {

enum class InputName : std::uint8_t { by_semantic, by_first, by_register };

// The row of the element that a key names.
std::optional<std::uint32_t> row_named(const ir::Element& element, std::string_view key, InputName named) {
  if (named == InputName::by_register) {
    const auto number = key.starts_with('v') ? as_number<std::uint32_t>(key.substr(1)) : std::nullopt;
    if (!number || element.first_register == ir::kNone || *number < element.first_register) return std::nullopt;
    const std::uint32_t row = *number - element.first_register;
    return row < element.rows ? std::optional(row) : std::nullopt;
  }
  for (std::uint32_t row = 0; row < element.rows; ++row) {
    const bool is_first = named == InputName::by_first;
    if (is_first && element.semantic_index + row != 0) continue;
    if (same_letters(key, is_first ? element.semantic + '0' : semantic_key(element, row))) return row;
  }
  return std::nullopt;
}

}  // namespace

std::vector<NamedInput> inputs_named(const std::vector<ir::Element>& elements, std::string_view key) {
  std::vector<NamedInput> made;
  for (const InputName named : {InputName::by_semantic, InputName::by_first, InputName::by_register}) {
    const bool is_register = named == InputName::by_register;
    std::size_t place = 0;
    for (std::size_t at = 0; at < elements.size(); place += elements[at++].rows) {
      const auto row = row_named(elements[at], key, named);
      if (!row) continue;
      made.push_back({at, *row, place + *row, is_register ? elements[at].first_column : 0U});
      if (!is_register) return made;
    }
  }
  return made;
}

InputKeys::InputKeys(const std::vector<ir::Element>& elements) {
  const auto key_of_register = [](std::uint32_t number) { return 'v' + std::to_string(number); };
  std::set<std::string> taken;
  std::map<std::uint32_t, bool> registers;  // of rows whose semantic another has: whether the register's key names them
  for (const ir::Element& element : elements) {
    for (std::uint32_t row = 0; row < element.rows; ++row) {
      const std::size_t place = keys_.size();
      std::string& key = keys_.emplace_back().key;
      key = semantic_key(element, row);
      if (taken.insert(lowered(key)).second) continue;
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

void InputKeys::add(std::size_t place, std::span<const Value> numbers, Value& to) const {
  const Key& key = keys_[place];
  if (key.key.empty()) return;
  Value::Map& members = *to.as_map();
  auto member = std::ranges::find(members, key.key, &Value::Member::key);
  if (member == members.end()) member = members.insert(member, {key.key, Value::list(), 0});
  Value::List* const list = member->value.as_list();
  if (list == nullptr) return;
  const auto own = numbers.first(std::min(numbers.size(), key.columns));
  list->resize(std::max(list->size(), key.first + own.size()), Value::integer(0));
  std::ranges::copy(own, list->begin() + static_cast<std::ptrdiff_t>(key.first));
}

}  // namespace unshade::shader::runner

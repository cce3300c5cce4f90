// Attributes: words after types, and sets with a number.
#include <algorithm>

#include "dxil/assemble/parser.hpp"
#include "dxil/module/attribute_order.hpp"

namespace unshade::dxil::assembler {

/// One attribute, if there is one. `in_set`: numbers after `=`.
bool TextParser::attribute(std::vector<Attribute>& attributes, AttributeValues& values, bool in_set, bool& found) {
  found = false;
  Attribute made;
  const std::size_t at = token_.at;
  std::string_view key;
  std::string_view text;
  // An attribute may be there twice, as dxc 1.2 prints some, but not with two values.
  const auto add = [&] {
    const auto [place, added] = values.try_emplace({made.kind, key}, made.value, text);
    if (!added && place->second != std::pair(made.value, text))
      return fail(ErrorCode::bad_value, at, "the attribute is given twice, with two values");
    attributes.push_back(made);
    return found = true;
  };
  if (token_.kind == Kind::string) {
    made.kind = AttributeKind::text;
    key = name_of(token_);
    if (!string(made.key)) return false;
    if (take('=')) {
      text = name_of(token_);
      if (!string(made.text)) return false;
      made.has_value = made.text.count != 0;
    }
    return add();
  }
  if (token_.kind != Kind::word) return true;
  for (std::uint8_t i = 0; i < static_cast<std::uint8_t>(AttributeKind::text); ++i)
    if (dxil::text(static_cast<AttributeKind>(i)) == token_.text) made.kind = static_cast<AttributeKind>(i);
  if (made.kind == AttributeKind::unknown) {
    if (token_.text != "unknown") return true;
    return fail(ErrorCode::unsupported, token_.at, "an attribute without a name");
  }
  next();
  if (module::has_number(made.kind)) {
    const bool parentheses = !in_set && made.kind != AttributeKind::align;
    if (in_set && !expect('=')) return false;
    if (parentheses && !expect('(')) return false;
    if (!number(made.value, "a number")) return false;
    if (parentheses && !expect(')')) return false;
  }
  return add();
}

bool TextParser::attributes_here(std::vector<Attribute>& attributes) {
  AttributeValues values;
  for (bool found = true; found;)
    if (!attribute(attributes, values, false, found)) return false;
  return true;
}

void TextParser::add_slot(AttributeList& list, std::uint32_t slot, std::vector<Attribute>&& attributes) {
  if (attributes.empty()) return;
  module::put_in_order(attributes, [this](StringRange key) { return m_.text(key); });
  list.slots.emplace_back(slot, std::move(attributes));
}

/// After a function's parameters or a call's arguments: sets, and words of its own.
bool TextParser::function_attributes(AttributeList& list) {
  std::vector<Attribute> own;
  AttributeValues values;
  for (;;) {
    if (token_.kind == Kind::attribute_group) {
      list.sets.emplace_back(token_.number, token_.at);
      next();
      continue;
    }
    if (is_word("align")) break;  // the function's own alignment
    bool found = false;
    if (!attribute(own, values, false, found)) return false;
    if (!found) break;
  }
  add_slot(list, AttributeGroup::kFunction, std::move(own));
  return true;
}

bool TextParser::attribute_set() {
  const Token token = token_;
  if (token.kind != Kind::attribute_group) return expected("a number as in `#0`");
  next();
  if (!expect('=') || !expect('{')) return false;
  std::vector<Attribute> attributes;
  AttributeValues values;
  for (bool found = true; found;)
    if (!attribute(attributes, values, true, found)) return false;
  if (!expect('}')) return false;
  if (!attribute_sets_.try_emplace(token.number, std::move(attributes)).second)
    return fail(ErrorCode::bad_value, token.at, "the attribute group is defined twice");
  return true;
}

void TextParser::add_to_key(Key& key, std::span<const Attribute> attributes) const {
  key << attributes.size();
  for (const Attribute& attribute : attributes)
    key << static_cast<std::uint64_t>(attribute.kind) << attribute.value << m_.text(attribute.key) << m_.text(attribute.text);
}

/// A number that identifies the list until the sets are known; kNone for an empty one.
std::uint32_t TextParser::keep_attributes(AttributeList&& list) {
  if (list.slots.empty() && list.sets.empty()) return kNone;
  Key key;
  key << list.slots.size();
  for (const auto& [slot, attributes] : list.slots) {
    key << slot;
    add_to_key(key, attributes);
  }
  for (const auto& [set, at] : list.sets) key << set;
  bool added = false;
  const std::uint32_t number = lists_.number(key.str(), added);
  if (added) attribute_lists_.push_back(std::move(list));
  return number;
}

/// Adds the attributes to those of the same place; false if one is there with another value.
bool TextParser::add_values(AttributeValues& values, std::span<const Attribute> attributes) const {
  return std::ranges::all_of(attributes, [&](const Attribute& a) {
    const std::pair value(a.value, m_.text(a.text));
    return values.try_emplace({a.kind, m_.text(a.key)}, value).first->second == value;
  });
}

bool TextParser::resolve_attributes() {
  Interned groups, lists;
  std::vector<std::uint32_t> final_numbers;
  for (std::size_t i = 0; i < attribute_lists_.size(); ++i) {
    AttributeList& list = attribute_lists_[i];
    std::vector<Attribute> own;
    for (auto& [slot, attributes] : list.slots)
      if (slot == AttributeGroup::kFunction) own.insert(own.end(), attributes.begin(), attributes.end());
    std::erase_if(list.slots, [](const auto& slot) { return slot.first == AttributeGroup::kFunction; });
    const bool several = list.sets.size() + (own.empty() ? 0 : 1) > 1;
    AttributeValues values;
    if (several) add_values(values, own);
    for (const auto& [number, at] : list.sets) {
      const auto found = attribute_sets_.find(number);
      if (found == attribute_sets_.end()) return fail(ErrorCode::missing, at, "undefined attributes #" + std::to_string(number));
      if (several && !add_values(values, found->second))
        return fail(ErrorCode::bad_value, at, "an attribute of #" + std::to_string(number) + " is given before, with another value");
      own.insert(own.end(), found->second.begin(), found->second.end());
    }
    add_slot(list, AttributeGroup::kFunction, std::move(own));
    Key list_key;
    std::vector<std::uint32_t> numbers;
    for (const auto& [slot, attributes] : list.slots) {
      Key key;
      key << slot;
      add_to_key(key, attributes);
      bool added = false;
      const std::uint32_t group = groups.number(key.str(), added);
      if (added) {
        const Range range{static_cast<std::uint32_t>(m_.attributes.size()), static_cast<std::uint32_t>(attributes.size())};
        m_.attributes.insert(m_.attributes.end(), attributes.begin(), attributes.end());
        m_.attribute_groups.push_back({group + 1, slot, range});
      }
      numbers.push_back(group);
      list_key << group;
    }
    if (numbers.empty()) {
      final_numbers.push_back(kNone);
      continue;
    }
    bool added = false;
    final_numbers.push_back(lists.number(list_key.str(), added));
    if (!added) continue;
    m_.attribute_lists.push_back({static_cast<std::uint32_t>(m_.attribute_list_groups.size()), static_cast<std::uint32_t>(numbers.size())});
    m_.attribute_list_groups.insert(m_.attribute_list_groups.end(), numbers.begin(), numbers.end());
  }
  const auto resolve = [&](std::uint32_t& list) {
    if (list != kNone) list = final_numbers[list];
  };
  for (Function& function : m_.functions) resolve(function.attributes);
  for (Instruction& instruction : m_.instructions) resolve(instruction.attributes);
  return true;
}

}  // namespace unshade::dxil::assembler

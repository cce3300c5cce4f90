// Attributes of one place as LLVM has them: each once, in its order.
#pragma once

#include <algorithm>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include <unshade/dxil/module.hpp>

namespace unshade::dxil::module {

constexpr bool has_number(AttributeKind kind) {
  return kind == AttributeKind::align || kind == AttributeKind::alignstack || kind == AttributeKind::dereferenceable ||
         kind == AttributeKind::dereferenceable_or_null;
}

/// Sorts the attributes. Of one that is given more than once, the last counts.
/// `text_of`: the characters of a StringRange, of keys.
/// src: LLVM 3.7 Attributes.cpp, AttributeImpl::operator< (those without a number by kind, then those with one by the number, then texts by
/// key) and AttrBuilder. observed: `nounwind nounwind` of dxc 1.2
template <class TextOf>
void put_in_order(std::vector<Attribute>& attributes, TextOf&& text_of) {
  const auto identity = [&](const Attribute& a) {
    const bool is_text = a.kind == AttributeKind::text;
    return std::tuple(a.kind, is_text ? 0U : a.code, is_text ? std::string_view(text_of(a.key)) : std::string_view());
  };
  const auto before = [&](const Attribute& a, const Attribute& b) { return identity(a) < identity(b); };
  std::stable_sort(attributes.begin(), attributes.end(), before);
  std::vector<Attribute> once;
  for (const Attribute& attribute : attributes) {
    if (!once.empty() && !before(once.back(), attribute)) once.pop_back();
    once.push_back(attribute);
  }
  const auto group = [](const Attribute& a) { return a.kind >= AttributeKind::text ? 2 : has_number(a.kind) ? 1 : 0; };
  std::stable_sort(once.begin(), once.end(), [&](const Attribute& a, const Attribute& b) {
    return group(a) != group(b) ? group(a) < group(b) : group(a) == 1 && a.value < b.value;
  });
  attributes = std::move(once);
}

}  // namespace unshade::dxil::module

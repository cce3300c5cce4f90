#include <unshade/dxcontainer/vocabulary.hpp>

#include <cstddef>
#include <iterator>

#include <unshade/core/text/characters.hpp>
#include <unshade/dxcontainer/words.hpp>

namespace unshade::dxcontainer {

namespace {

/// Whether rows are in the order of their numbers.
template <class E>
consteval bool in_order() {
  for (std::size_t i = 1; i < std::size(Words<E>::kRows); ++i)
    if (Words<E>::kRows[i].number <= Words<E>::kRows[i - 1].number) return false;
  return true;
}

template <std::string_view Word::* column, class E>
std::string_view word_of(E value) {
  return kNamesOf<E, column>.find(static_cast<std::uint32_t>(value));
}
template <class E>
constexpr FieldType kFieldTypeOf{FieldKind::enumeration, Words<E>::kText, &kNamesOf<E, &Word::field>};
template <class E>
constexpr FieldType kOwnPartFieldTypeOf{FieldKind::enumeration, Words<E>::kPartText, &kNamesOf<E, &Word::part>};

/// Whether documents of DXIL's parts name something otherwise than those of DXBC's.
template <class E>
consteval bool has_own_part_words() {
  if (Words<E>::kText != Words<E>::kPartText) return true;
  for (const Word& row : Words<E>::kRows)
    if (row.part != row.field) return true;
  return false;
}
template <class E>
constexpr const FieldType& kPartFieldTypeOf = has_own_part_words<E>() ? kOwnPartFieldTypeOf<E> : kFieldTypeOf<E>;

}  // namespace

#define DX_ENUM(type, underlying, text, part_text)
#define DX_VALUE(id, number, name, part, token, fxc, dxc, llvm)
#define DX_END(type)                                                           \
  std::string_view id(type value) { return word_of<&Word::name>(value); }      \
  std::string_view fxc_text(type value) { return word_of<&Word::fxc>(value); } \
  std::string_view dxc_text(type value) { return word_of<&Word::dxc>(value); } \
  const FieldType& field_type(type) { return kFieldTypeOf<type>; }             \
  const FieldType& part_field_type(type) { return kPartFieldTypeOf<type>; }
#include <unshade/dxcontainer/vocabulary.def>

std::string_view register_letters(ResourceKind kind) {
  const std::string_view letters = word_of<&Word::token>(kind);
  // Numbers that Direct3D may add to its own are taken for unordered access views. Vulkan's kinds have no register.
  const bool is_unknown = kind < ResourceKind::combined_sampler || id(kind).empty();
  return letters.empty() && is_unknown ? "u" : letters;
}

std::optional<SystemValue> special_output(std::string_view semantic) {
  for (const NamedValue& named : kNamedValues<SystemValue, &Word::token>) {
    const auto value = static_cast<SystemValue>(named.value);
    if (value != SystemValue::primitive_id && same_letters(semantic, dxc_text(value))) return value;
  }
  return std::nullopt;
}

std::string_view special_register_text(std::string_view semantic, SystemValue value) {
  if (const auto output = special_output(semantic)) return word_of<&Word::token>(*output);
  return value == SystemValue::primitive_id ? word_of<&Word::token>(value) : "  special";
}

std::string_view hlsl_word(ResourceDimension dimension) {
  for (const Shape& shape : kShapes)
    if (shape.dimension == dimension) return shape.hlsl;
  return {};
}

}  // namespace unshade::dxcontainer

// How the numbers that are expected of a resource lie in its memory.
#include <bit>
#include <cstring>

#include <unshade/run/bindings.hpp>
#include <unshade/run/places.hpp>
#include <unshade/run/run.hpp>
#include <unshade/run/values.hpp>

#include "suite/cases/cases.hpp"

namespace unshade::suite::cases {

using run::fault;

void Layout::add(NumberType type) {
  parts.push_back(type);
  offsets.push_back(stride);
  stride += type.bytes;
}

Number Layout::load(std::span<const std::byte> bytes, std::size_t number) const {
  const std::size_t part = number % parts.size();
  const std::byte* const element = bytes.data() + number / parts.size() * stride;
  const NumberType type = parts[part];
  if (format) {
    const std::uint32_t loaded = texel::load_texel(*format, element)[type.component];
    if (format->is_integer()) return whole_number(loaded, type);
    Number made{type, static_cast<double>(std::bit_cast<float>(loaded)), 0};
    return type.kind == NumberType::Kind::real ? real_number(made.real, type) : made;
  }
  std::uint64_t bits = 0;
  std::memcpy(&bits, element + offsets[part], type.bytes);
  return number_of_bits(bits, type);
}

Result<Layout> layout_of(const Value& expected, const Value* given, bool is_feedback_map) {
  Layout made;
  const Value feedback_format = Value::text("R8_UINT");
  const auto by_name = [&](const Value& name) -> Result<void> {
    const auto type = name.as_text() == nullptr ? std::nullopt : find_number_type(*name.as_text());
    if (!type) return fault(name, "type", "expected a type, such as f32, u32, i16, f16, or a list of them");
    made.add(*type);
    return {};
  };
  if (const Value* const type = expected.find("type")) {
    if (expected.find("format") != nullptr) return fault(*type, "type", "`type` and `format` are mutually exclusive");
    constexpr std::size_t kMostParts = 4096;
    const Value::List* const list = type->as_list();
    if (list == nullptr) {
      if (auto done = by_name(*type); !done) return std::move(done).error();
      return made;
    }
    if (list->empty() || list->size() > kMostParts) return fault(*type, "type", "expected 1 to 4096 types");
    for (const Value& one : *list)
      if (auto done = by_name(one); !done) return std::move(done).error();
    return made;
  }
  const Value* format = expected.find("format");
  if (format == nullptr && given != nullptr) format = given->find("format");
  if (format == nullptr && is_feedback_map) format = &feedback_format;
  if (format != nullptr && expected.find("words") == nullptr) {
    const auto known = format->as_text() == nullptr ? std::nullopt : texel::find_format(*format->as_text());
    if (!known) return fault(*format, "format", "expected the name of a DXGI format, such as R32G32_FLOAT");
    if (known->block != texel::Block::none)
      return fault(*format, "format", "block-compressed texels cannot be compared by value: give words or hex");
    made.format = std::make_shared<const texel::Format>(*known);
    made.stride = known->bytes();
    for (unsigned k = 0; k < 4; ++k) {
      if (!known->has(k)) continue;
      const unsigned bits = known->components[k].bits;
      const bool plain = known->encoding == texel::Encoding::float_ && (bits == 16 || bits == 32);
      NumberType type;
      type.kind = known->encoding == texel::Encoding::uint   ? NumberType::Kind::uint
                  : known->encoding == texel::Encoding::sint ? NumberType::Kind::sint
                  : plain                                    ? NumberType::Kind::real
                                                             : NumberType::Kind::texel;
      type.bytes = plain ? static_cast<std::uint8_t>(bits / 8) : 4;
      type.component = static_cast<std::uint8_t>(k);
      type.format = made.format.get();
      made.parts.push_back(type);
    }
    return made;
  }
  const bool words = expected.find("words") != nullptr || expected.find("hex") != nullptr || expected.find("file") != nullptr;
  made.add({words ? NumberType::Kind::uint : NumberType::Kind::real, 4});
  return made;
}

const Value* given_resource(const Case& one, const run::Bindings* bindings, std::string_view name, std::string_view key,
                            std::string_view other_name) {
  const Value* const inputs = one.given.find("resources");
  if (inputs == nullptr) return nullptr;
  if (const Value* const given = inputs->find(key)) return given;
  // a name that is spelled as a binding is one, of what is there
  for (const std::string_view known : {name, other_name})
    if (const Value* const given = known.empty() || run::Spoken(known).key ? nullptr : inputs->find(known)) return given;
  if (inputs->as_map() == nullptr || bindings == nullptr) return nullptr;
  // spelled in another way: `u0,space0`, `maps[3]`, the name of a block
  for (const Value::Member& member : *inputs->as_map())
    if (const auto own = bindings->key_named(member); own && *own == key) return &member.value;
  return nullptr;
}

}  // namespace unshade::suite::cases

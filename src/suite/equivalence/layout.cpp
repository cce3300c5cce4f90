#include "suite/equivalence/layout.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

#include <unshade/core/bits/rounding.hpp>
#include <unshade/run/contents.hpp>
#include <unshade/run/reflected.hpp>

namespace unshade::suite::equivalence {
namespace {

using Kind = cases::NumberType::Kind;
using shader::BaseType;
using shader::Reflection;

// Of a type in a structured buffer: tight, or with the strides that SPIR-V states.
class Flattener {
 public:
  Flattener(const Reflection& reflection, Layout& out) : reflection_(reflection), out_(out) {}

  void add(std::uint32_t type, std::uint64_t offset, unsigned depth = 0) {
    if (type >= reflection_.types.size() || depth > 16) return;
    const shader::Type& of = reflection_.types[type];
    const std::uint64_t stride = of.array_stride != 0 ? of.array_stride : bytes_of(of);
    for (std::uint64_t k = 0; k < std::max<std::uint64_t>(of.elements, 1); ++k) {
      const std::uint64_t start = offset + of.element_offset(k, std::max<std::uint64_t>(stride, 1));
      if (start >= kMostElement) break;
      if (of.is_struct()) {
        for (const shader::Member& member : of.members) add(member.type, start + member.offset, depth + 1);
        continue;
      }
      const cases::NumberType number = number_type(of.base);
      const bool by_columns = of.type_class == shader::TypeClass::matrix_columns;
      const std::uint32_t vectors = std::clamp(by_columns ? of.columns : of.rows, 1U, 4U);
      const std::uint32_t components = std::clamp(by_columns ? of.rows : of.columns, 1U, 4U);
      const std::uint32_t step = of.matrix_stride != 0 ? of.matrix_stride : components * number.bytes;
      for (std::uint32_t v = 0; v < vectors; ++v)
        for (std::uint32_t c = 0; c < components; ++c) put(start + std::uint64_t{v} * step + std::uint64_t{c} * number.bytes, number);
    }
  }

 private:
  std::uint64_t bytes_of(const shader::Type& of, unsigned depth = 0) const {
    if (!of.is_struct()) return std::uint64_t{std::max(of.rows, 1U)} * std::max(of.columns, 1U) * number_type(of.base).bytes;
    std::uint64_t end = 0;
    for (const shader::Member& member : of.members) {
      if (member.type >= reflection_.types.size() || depth > 16) continue;
      const shader::Type& inner = reflection_.types[member.type];
      end = std::max(end, member.offset + bytes_of(inner, depth + 1) * std::max(inner.elements, 1U));
    }
    return end;
  }
  void put(std::uint64_t offset, cases::NumberType type) {
    if (offset + type.bytes <= out_.stride && out_.parts.size() < kMostElement)
      out_.parts.push_back({static_cast<std::uint32_t>(offset), type});
  }

  const Reflection& reflection_;
  Layout& out_;
};

}  // namespace

cases::NumberType number_type(BaseType base) {
  switch (base) {
    case BaseType::bool_: return {Kind::boolean, 4};
    case BaseType::int_: return {Kind::sint, 4};
    case BaseType::uint_: return {Kind::uint, 4};
    case BaseType::uint8: return {Kind::uint, 1};
    case BaseType::int16: return {Kind::sint, 2};
    case BaseType::uint16: return {Kind::uint, 2};
    case BaseType::min12int:
    case BaseType::min16int: return {Kind::sint, 4};
    case BaseType::min16uint: return {Kind::uint, 4};
    case BaseType::float16: return {Kind::real, 2};
    case BaseType::int64: return {Kind::sint, 8};
    case BaseType::uint64: return {Kind::uint, 8};
    case BaseType::double_: return {Kind::real, 8};
    default: return {};
  }
}

Layout layout_of(const ir::Resource& resource, const Value* given, const Reflection* reflection) {
  Layout made;
  const Value* const format = given == nullptr ? nullptr : given->find("format");
  if (format != nullptr && format->as_text() != nullptr) {
    made.format = texel::find_format(*format->as_text());
    if (made.format && made.format->block == texel::Block::none && made.format->bytes() != 0) {
      made.known = true;
      made.stride = made.format->bytes();
      for (std::uint8_t component = 0; component < 4; ++component) {
        if (!made.format->has(component)) continue;
        const std::uint8_t bits = made.format->components[component].bits;
        cases::NumberType type{Kind::texel, 4, nullptr, component};
        if (made.format->encoding == texel::Encoding::float_ && bits >= 16)
          type = {Kind::real, static_cast<std::uint8_t>(bits / 8), nullptr, component};
        if (made.format->is_integer())
          type = {made.format->encoding == texel::Encoding::sint ? Kind::sint : Kind::uint, 4, nullptr, component};
        made.parts.push_back({component, type});
      }
      return made;
    }
    made.format.reset();
  }
  const shader::Resource* const row = reflection == nullptr ? nullptr : run::row_of(resource, *reflection);
  if (resource.stride != 0 && resource.stride <= kMostElement && row != nullptr && row->buffer < reflection->buffers.size()) {
    made.stride = resource.stride;
    Flattener flattener(*reflection, made);
    for (const shader::Variable& variable : reflection->buffers[row->buffer].variables) flattener.add(variable.type, variable.offset);
    made.known = !made.parts.empty();
  }
  if (made.parts.empty()) {
    made.stride = 4;
    made.parts.push_back({0, {Kind::uint, 4}});
  }
  return made;
}

cases::Number load(const Layout& layout, std::size_t part, std::span<const std::byte> element) {
  const auto& [offset, type] = layout.parts[part];
  if (layout.format) {
    const std::uint32_t bits = texel::load_texel(*layout.format, element.data())[type.component];
    if (type.kind == Kind::sint || type.kind == Kind::uint) return cases::whole_number(bits, type);
    cases::Number made{type, static_cast<double>(std::bit_cast<float>(bits)), bits};
    made.type.format = type.kind == Kind::texel ? &*layout.format : nullptr;
    return type.kind == Kind::real ? cases::real_number(made.real, type) : made;
  }
  std::uint64_t bits = 0;
  std::memcpy(&bits, element.data() + offset, type.bytes);
  return cases::number_of_bits(bits, type);
}

}  // namespace unshade::suite::equivalence

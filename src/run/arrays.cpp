#include "run/arrays.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <optional>
#include <span>
#include <tuple>
#include <utility>

#include <unshade/run/outputs.hpp>
#include <unshade/run/type_layout.hpp>
#include <unshade/run/values.hpp>

namespace unshade::run {
namespace {

/// Items of an array.
struct Item {
  char kind = 'u';
  unsigned bytes = 4;
  bool operator==(const Item&) const = default;
};

/// Bits of a value of a signature, in the least bytes that hold it.
Item item_of(const ir::Element& element) {
  switch (element.type) {
    case ir::Type::f16: return {'f', 2};
    case ir::Type::f24:
    case ir::Type::f32: return {'f', 4};
    case ir::Type::f64: return {'f', 8};
    case ir::Type::b1: return {'u', 1};
    default: break;
  }
  const unsigned bytes = element.type == ir::Type::i64 ? 8 : element.type == ir::Type::i16 ? 2 : element.type == ir::Type::i8 ? 1 : 4;
  return {element.is_signed ? 'i' : 'u', bytes};
}

Item item_of(const ScalarType& scalar) { return {ir::is_float(scalar.type) ? 'f' : scalar.is_signed ? 'i' : 'u', scalar.bytes}; }

void set_item(const Item& item, ResultArray& to) {
  to.kind = item.kind;
  to.item_bytes = item.bytes;
}

/// Items that all components of a format are, one after the other. Nothing for packed formats and blocks.
std::optional<Item> item_of(const texel::Format& format) {
  const unsigned bits = format.components[0].bits != 0 ? format.components[0].bits : format.components[3].bits;
  if (format.block != texel::Block::none || (bits != 8 && bits != 16 && bits != 32)) return std::nullopt;
  const bool same = std::ranges::all_of(format.components, [&](const auto& one) { return one.bits == 0 || one.bits == bits; });
  const auto count = std::ranges::count_if(format.components, [](const auto& one) { return one.bits != 0; });
  if (!same || static_cast<unsigned>(count) * bits != format.bytes() * 8 || format.encoding == texel::Encoding::shared_exponent)
    return std::nullopt;
  const bool is_signed =
      format.encoding == texel::Encoding::sint || format.encoding == texel::Encoding::snorm || format.encoding == texel::Encoding::sscaled;
  return Item{format.encoding == texel::Encoding::float_ ? 'f' : is_signed ? 'i' : 'u', bits / 8};
}

/// The items that a variable's numbers are, if they fill its memory.
std::optional<Item> item_of(const TypeLayout& layout, std::uint32_t type, std::span<std::byte> memory) {
  std::optional<Item> item;
  std::uint64_t bytes = 0;
  bool same = true;
  layout.each(type, 0, memory, [&](const TypeLayout::Component& one) {
    const Item here = item_of(one.scalar);
    same = same && item.value_or(here) == here;
    item = here;
    bytes += here.bytes;
  });
  return same && bytes == memory.size() ? item : std::nullopt;
}

// Rows of `bytes` bytes as items.
void shape_rows(std::uint64_t bytes, const Item& item, ResultArray& to) {
  set_item(item, to);
  to.shape = {to.bytes.size() / bytes};
  if (bytes != item.bytes) to.shape.push_back(bytes / item.bytes);
}

/// Values of a signature's elements, by component and number.
struct Outputs {
  const std::vector<ir::Element>& elements;
  std::uint64_t count;
  std::vector<std::uint64_t> values;  ///< [component * count + number]
};

// `named`: a map with the names of those before.
void add_outputs(const Outputs& outputs, Value& named, std::vector<ResultArray>& to) {
  for (std::size_t at = 0; at < outputs.elements.size(); ++at) {
    const ir::Element& element = outputs.elements[at];
    const Item item = item_of(element);
    for (std::uint32_t row = 0; row < element.rows; ++row) {
      ResultArray& made = to.emplace_back();
      made.name = output_key(named, outputs.elements, at, row);
      named.add(made.name, Value());
      set_item(item, made);
      made.shape = {outputs.count};
      if (element.columns != 1) made.shape.push_back(element.columns);
      const std::uint64_t first = vm::component_of(outputs.elements, at) + std::uint64_t{row} * element.columns;
      for (std::uint64_t number = 0; number < outputs.count; ++number) {
        for (std::uint32_t column = 0; column < element.columns; ++column) {
          const std::uint64_t bits = outputs.values[(first + column) * outputs.count + number];
          for (unsigned byte = 0; byte < item.bytes; ++byte) made.bytes.push_back(static_cast<std::byte>(bits >> (8 * byte)));
        }
      }
    }
  }
}

// Appends those of a vertex, which become a column of a table by component.
void append(std::vector<std::vector<std::uint64_t>>& columns, std::span<const std::uint64_t> values) {
  columns.resize(values.size());
  for (std::size_t k = 0; k < values.size(); ++k) columns[k].push_back(values[k]);
}

void add_columns(const std::vector<ir::Element>& elements, const std::vector<std::vector<std::uint64_t>>& columns,
                 std::vector<ResultArray>& to) {
  Outputs outputs{elements, columns.empty() ? 0 : columns.front().size(), {}};
  for (const auto& column : columns) outputs.values.insert(outputs.values.end(), column.begin(), column.end());
  Value named = Value::map();
  add_outputs(outputs, named, to);
}

}  // namespace

void shape_texels(const texel::Descriptor& view, ResultArray& to) {
  const texel::Format& format = view.format;
  if (format.bytes() == 0) return shape_elements(0, nullptr, nullptr, to);
  const auto item = item_of(format);
  set_item(item.value_or(Item{'u', 1}), to);
  const std::uint64_t components = format.bytes() / to.item_bytes;
  if (view.is_texture() && view.levels == 1 && format.block == texel::Block::none) {
    for (const std::uint32_t size : {view.layers, view.depth}) {
      if (size > 1) to.shape.push_back(size);
    }
    to.shape.push_back(view.height);
    to.shape.push_back(view.width);
    if (view.samples > 1) to.shape.push_back(view.samples);
  } else {
    to.shape.push_back(to.bytes.size() / format.bytes());
  }
  if (components > 1) to.shape.push_back(components);
  if (!view.is_texture() || view.samples > 1) return;
  to.format = texel::format_number(format);
  to.width = view.width;
  to.height = view.height;
  to.depth = view.depth;
  to.layers = view.layers;
  to.levels = view.levels;
}

void shape_elements(std::uint32_t stride, const shader::Reflection* reflection, const shader::Resource* row, ResultArray& to) {
  const std::span<std::byte> memory(to.bytes);
  if (reflection != nullptr && row != nullptr && row->buffer < reflection->buffers.size()) {
    const std::vector<shader::Variable>& variables = reflection->buffers[row->buffer].variables;
    const TypeLayout layout(*reflection, Packing::tight);
    if (variables.size() == 1 && variables.front().offset == 0) {
      const std::uint32_t type = variables.front().type;
      std::uint64_t bytes = stride;
      if (const shader::Type* const found = layout.find(type);
          bytes == 0 && found != nullptr && found->elements == 0 && !found->dimensions.empty())
        bytes = layout.stride(type);
      if (bytes != 0 && bytes <= memory.size()) {
        if (const auto item = item_of(layout, type, memory.first(static_cast<std::size_t>(bytes)))) return shape_rows(bytes, *item, to);
      }
    }
  }
  if (stride != 0 && stride % 4 == 0) return shape_rows(stride, {'u', 4}, to);
  memory.size() % 4 == 0 ? shape_rows(4, {'u', 4}, to) : shape_rows(1, {'u', 1}, to);
}

ResultArray words_of(std::string name, const std::vector<std::uint32_t>& words, std::vector<std::uint64_t> shape) {
  ResultArray made;
  made.name = std::move(name);
  made.shape = std::move(shape);
  made.bytes.resize(words.size() * 4);
  if (!words.empty()) std::memcpy(made.bytes.data(), words.data(), made.bytes.size());
  return made;
}

void add_lanes(const ir::Module& module, const vm::Lanes& lanes, std::vector<ResultArray>& to) {
  if (module.stage != Stage::geometry) {
    Value named = Value::map();
    add_outputs({module.signatures.output, lanes.count, lanes.outputs}, named, to);
    if (module.stage == Stage::hull) add_outputs({module.signatures.patch, lanes.count, lanes.patch}, named, to);
    if (module.stage == Stage::pixel && std::ranges::find(lanes.discarded, true) != lanes.discarded.end()) {
      ResultArray& made = to.emplace_back();
      made.name = "discarded";
      set_item({'u', 1}, made);
      made.shape = {lanes.count};
      for (const bool one : lanes.discarded) made.bytes.push_back(static_cast<std::byte>(one ? 1 : 0));
    }
    return;
  }
  std::vector<std::vector<std::uint64_t>> columns;
  std::vector<std::uint32_t> strips;  // lane, stream, number of the strip
  std::uint32_t strip = 0;
  for (const vm::Lanes::Vertex& vertex : lanes.emitted) {
    strip += vertex.cut ? 1 : 0;
    if (vertex.cut) continue;
    append(columns, vertex.outputs);
    strips.insert(strips.end(), {vertex.lane, vertex.stream, strip});
  }
  add_columns(module.signatures.output, columns, to);
  const std::uint64_t count = strips.size() / 3;
  to.push_back(words_of("vertices", strips, {count, 3}));
}

void add_groups(const ir::Module& module, const vm::Groups& groups, std::vector<ResultArray>& to) {
  std::vector<std::uint32_t> dispatched, payload, indices;
  std::vector<std::vector<std::uint64_t>> vertices, primitives;
  std::uint32_t first = 0;  // vertex of the group
  for (const vm::Groups::Group& group : groups.made) {
    dispatched.insert(dispatched.end(), group.dispatched.begin(), group.dispatched.end());
    std::vector<std::uint32_t> words((group.payload.size() + 3) / 4);
    if (!words.empty()) std::memcpy(words.data(), group.payload.data(), group.payload.size());
    payload.insert(payload.end(), words.begin(), words.end());
    for (const auto& [count, values, columns, elements] :
         {std::tuple(group.vertices, &group.outputs, &vertices, &module.signatures.output),
          std::tuple(group.primitives, &group.patch, &primitives, &module.signatures.patch)}) {
      const std::uint32_t components = vm::components_of(*elements);
      for (std::uint32_t k = 0; k < count; ++k) append(*columns, std::span(*values).subspan(std::size_t{k} * components, components));
    }
    const std::uint32_t corners = ir::corners_of(module.info.mesh_topology);
    for (std::size_t k = 0; k < std::size_t{group.primitives} * corners; ++k) indices.push_back(first + group.indices[k]);
    first += group.vertices;
  }
  if (module.stage == Stage::amplification) {
    const std::uint64_t count = groups.made.size();
    to.push_back(words_of("dispatch", dispatched, {count, 3}));
    if (!payload.empty()) to.push_back(words_of("payload", payload, {count, payload.size() / count}));
    return;
  }
  add_columns(module.signatures.output, vertices, to);
  add_columns(module.signatures.patch, primitives, to);
  const std::uint64_t corners = std::max(1U, ir::corners_of(module.info.mesh_topology));
  to.push_back(words_of("indices", indices, {indices.size() / corners, corners}));
}

}  // namespace unshade::run

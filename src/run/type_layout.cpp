#include <unshade/run/type_layout.hpp>

#include <algorithm>
#include <array>
#include <utility>

#include <unshade/core/bits/rounding.hpp>
#include <unshade/core/spelling.hpp>
#include <unshade/core/text/numbers.hpp>
#include <unshade/run/reflected.hpp>
#include <unshade/run/trace.hpp>
#include <unshade/run/values.hpp>

namespace unshade::run {
namespace {

/// Structs in structs.
constexpr std::uint32_t kMostNested = 64;
/// Numbers of one element or variable.
constexpr std::uint64_t kMostComponents = 65536;

constexpr std::uint64_t kLargestType = 0xffff'ffff;

std::uint32_t at_least_one(std::uint32_t number) { return std::max(number, 1U); }

// Numbers one after the other, or lists of them, each a row.
Result<void> check_rows(const Value& value, std::size_t columns) {
  if (value.as_list() == nullptr) return {};
  const auto is_list = [](const Value& one) { return one.as_list() != nullptr; };
  if (std::ranges::none_of(*value.as_list(), is_list)) return {};
  for (const Value& row : *value.as_list()) {
    if (!is_list(row)) return fault(row, "", "expected a row: a list of " + std::to_string(columns) + " numbers, as beside it");
    if (row.as_list()->size() != columns)
      return fault(row, "", "the row has " + std::to_string(row.as_list()->size()) + " numbers, expected " + std::to_string(columns));
    for (const Value& one : *row.as_list())
      if (is_list(one)) return fault(one, "", "expected a number, found a list");
  }
  return {};
}

/// Of an array whose length the buffer decides.
bool is_open(const shader::Type& type) { return type.elements == 0 && !type.dimensions.empty(); }

}  // namespace

void flatten(const Value& value, std::vector<const Value*>& to) {
  if (const Value::List* const list = value.as_list()) {
    for (const Value& one : *list) flatten(one, to);
  } else {
    to.push_back(&value);
  }
}

ScalarType scalar_type(shader::BaseType base) {
  switch (base) {
    case shader::BaseType::bool_: return {ir::Type::i32, false, 4};
    case shader::BaseType::int_:
    case shader::BaseType::min12int:
    case shader::BaseType::min16int: return {ir::Type::i32, true, 4};
    case shader::BaseType::uint_:
    case shader::BaseType::min16uint: return {ir::Type::i32, false, 4};
    case shader::BaseType::float_:
    case shader::BaseType::min8float:
    case shader::BaseType::min10float:
    case shader::BaseType::min16float: return {ir::Type::f32, true, 4};
    case shader::BaseType::double_: return {ir::Type::f64, true, 8};
    case shader::BaseType::float16: return {ir::Type::f16, true, 2};
    case shader::BaseType::int8: return {ir::Type::i8, true, 1};
    case shader::BaseType::uint8: return {ir::Type::i8, false, 1};
    case shader::BaseType::int16: return {ir::Type::i16, true, 2};
    case shader::BaseType::uint16: return {ir::Type::i16, false, 2};
    case shader::BaseType::int64: return {ir::Type::i64, true, 8};
    case shader::BaseType::uint64:
    case shader::BaseType::pointer: return {ir::Type::i64, false, 8};
    default: return {};
  }
}

void store(const ScalarType& scalar, std::uint64_t bits, std::span<std::byte> to) {
  for (unsigned byte = 0; byte < scalar.bytes && byte < to.size(); ++byte) to[byte] = static_cast<std::byte>(bits >> (8 * byte));
}

TypeLayout::TypeLayout(const shader::Reflection& reflection, Packing packing, std::uint32_t stride)
    : reflection_(reflection), packing_(packing), sizes_(reflection.types.size()) {
  // what a type refers to precedes it
  for (std::size_t at = 0; at < sizes_.size(); ++at) {
    const shader::Type& type = reflection.types[at];
    Size size = element_size(type);
    const std::uint64_t padded = round_up(size.bytes, packing == Packing::registers ? stride : size.alignment);
    size.stride = type.array_stride != 0 ? type.array_stride : padded;
    if (type.elements > 1) {
      size.bytes = std::min(type.element_offset(type.elements - 1, size.stride) + size.bytes, kLargestType);
      size.components = std::min(size.components * type.elements, kLargestType);
    } else if (is_open(type)) {
      size.bytes = size.components = 0;
    }
    sizes_[at] = size;
  }
}

TypeLayout::Size TypeLayout::element_size(const shader::Type& type) const {
  Size size;
  if (!type.is_struct()) {
    const ScalarType scalar = scalar_type(type.base);
    const std::uint32_t rows = at_least_one(type.rows), columns = at_least_one(type.columns);
    if (scalar.bytes == 0 || rows > 4 || columns > 4) return size;
    size.alignment = scalar.bytes;
    size.components = rows * columns;
    size.bytes = offset(type, rows - 1, columns - 1) + scalar.bytes;
    return size;
  }
  for (const shader::Member& member : type.members) {
    if (member.type >= sizes_.size() || member.offset == shader::kNone) continue;
    const Size& inner = sizes_[member.type];
    size.bytes = std::max(size.bytes, std::min(member.offset + inner.bytes, kLargestType));
    size.components = std::min(size.components + inner.components, kLargestType);
    size.alignment = std::max(size.alignment, inner.alignment);
    size.depth = std::max(size.depth, inner.depth + 1);
  }
  return size;
}

std::uint64_t TypeLayout::offset(const shader::Type& type, std::uint32_t row, std::uint32_t column) const {
  const std::uint64_t size = scalar_type(type.base).bytes;
  const std::uint32_t in_vector = by_columns(type) ? at_least_one(type.rows) : at_least_one(type.columns);
  const std::uint64_t step = type.matrix_stride != 0 ? type.matrix_stride : packing_ == Packing::registers ? 16 : in_vector * size;
  return by_columns(type) ? column * step + row * size : row * step + column * size;
}

void TypeLayout::Target::write(const ScalarType& scalar, std::uint64_t bits, std::uint64_t at) {
  if (!written.empty() && written.back().end == at)
    written.back().end += scalar.bytes;
  else
    written.push_back({at, at + scalar.bytes});
  if (at < memory.size()) store(scalar, bits, memory.subspan(static_cast<std::size_t>(at)));
}

Result<std::vector<ByteRange>> TypeLayout::put(std::string_view path, const Value& value, std::uint32_t type, std::uint64_t offset,
                                               std::span<std::byte> memory) const {
  Target to{memory, {}};
  if (auto done = put_part(path, value, type, offset, to); !done) return std::move(done).error();
  return std::move(to.written);
}

Result<void> TypeLayout::put_all(const Value& value, std::uint32_t type, std::uint64_t offset, Target& to) const {
  const shader::Type* const found = find(type);
  if (found == nullptr || sizes_[type].depth > kMostNested) return fault(value, "", "the type of the variable is not known");
  const Value::List* const list = value.as_list();
  if (!(found->elements > 1 || is_open(*found) || (found->elements == 1 && list != nullptr))) return put_element(value, *found, offset, to);
  if (list == nullptr || (list->size() > found->elements && !is_open(*found)))
    return fault(value, "", is_open(*found) ? "expected a list" : "expected a list of " + std::to_string(found->elements) + " elements");
  for (std::size_t k = 0; k < list->size(); ++k) {
    if (auto done = put_element((*list)[k], *found, offset + found->element_offset(k, sizes_[type].stride), to); !done) return done;
  }
  return {};
}

namespace {

// Takes `[12]` from the start of a path.
std::optional<std::uint32_t> take_index(std::string_view& path) {
  const std::size_t end = path.find(']');
  if (!path.starts_with('[') || end == std::string_view::npos) return std::nullopt;
  const auto index = as_number<std::uint32_t>(path.substr(1, end - 1));
  if (index) path.remove_prefix(end + 1);
  return index;
}

Error no_part(std::string_view path, std::string why) {
  return Error{ErrorCode::missing, 0, "", std::move(why) + ", at `" + std::string(path) + '`'};
}

}  // namespace

Result<void> TypeLayout::put_part(std::string_view path, const Value& value, std::uint32_t type, std::uint64_t offset, Target& to) const {
  const shader::Type* found = find(type);
  bool is_element = false;  // of the array that the type is
  for (unsigned depth = 0; !path.empty(); ++depth) {
    if (found == nullptr || depth > kMostNested) return no_part(path, "the type of the variable is not known");
    const std::string_view step = path;
    const bool is_array = !is_element && (found->elements != 0 || is_open(*found));
    if (is_array) {
      // of an array of arrays an index of each dimension, counted together
      std::uint64_t element = 0;
      for (std::size_t dimension = 0; dimension < std::max<std::size_t>(found->dimensions.size(), 1); ++dimension) {
        const std::uint32_t size = found->dimensions.empty() ? found->elements : found->dimensions[dimension];
        const auto index = take_index(path);
        if (!index) return no_part(step, "expected an index of the array, such as `[0]`");
        if (size != 0 && *index >= size) return no_part(step, "the array has " + std::to_string(size) + " elements, from 0");
        element = element * size + *index;
      }
      offset += found->element_offset(element, sizes_[type].stride);
      is_element = true;
    } else if (const bool is_matrix = found->type_class == shader::TypeClass::matrix_rows || by_columns(*found);
               is_matrix && path.starts_with('[')) {
      const auto row = take_index(path);
      if (!row || *row >= at_least_one(found->rows) || !path.empty())
        return no_part(step, "the matrix has " + std::to_string(found->rows) + " rows, from 0");
      return put_row(value, *found, *row, offset, to);
    } else if (found->is_struct() && path.starts_with('.')) {
      path.remove_prefix(1);
      const std::string_view name = path.substr(0, path.find_first_of(".["));
      const auto place = members_[found].find(found->members, name, &shader::Member::name);
      if (!place) {
        Nearest nearest(name);
        for (const shader::Member& one : found->members) nearest.consider(one.name);
        return Error{ErrorCode::missing, 0, "", "the struct has no member `" + std::string(name) + '`' + nearest.question()};
      }
      path.remove_prefix(name.size());
      const shader::Member& member = found->members[*place];
      offset += member.offset;
      type = member.type;
      found = find(type);
      is_element = false;
    } else {
      return no_part(step, "the variable has no such part");
    }
  }
  return is_element ? put_element(value, *found, offset, to) : put_all(value, type, offset, to);
}

Result<void> TypeLayout::put_row(const Value& value, const shader::Type& type, std::uint32_t row, std::uint64_t offset, Target& to) const {
  const ScalarType scalar = scalar_type(type.base);
  std::vector<const Value*> numbers;
  flatten(value, numbers);
  if (numbers.size() > at_least_one(type.columns))
    return fault(value, "",
                 "found " + std::to_string(numbers.size()) + " numbers, expected at most " + std::to_string(at_least_one(type.columns)));
  for (std::uint32_t column = 0; column < numbers.size(); ++column) {
    auto bits = bits_of(*numbers[column], scalar.type, "");
    if (!bits) return std::move(bits).error();
    to.write(scalar, *bits, offset + this->offset(type, row, column));
  }
  return {};
}

Result<void> TypeLayout::put_element(const Value& value, const shader::Type& type, std::uint64_t offset, Target& to) const {
  if (type.is_struct()) {
    if (value.as_map() == nullptr) return fault(value, "", "expected a map of the members of the struct");
    NameIndex& names = members_[&type];
    for (const Value::Member& member : *value.as_map()) {
      const auto place = names.find(type.members, member.key, &shader::Member::name);
      if (!place) {
        Nearest nearest(member.key);
        for (const shader::Member& one : type.members) nearest.consider(one.name);
        return Error{ErrorCode::missing, member.key_offset, member.key, "the struct has no member of this name" + nearest.question()};
      }
      const shader::Member& found = type.members[*place];
      if (auto done = put_all(member.value, found.type, offset + found.offset, to); !done)
        return std::move(done).error().within(member.key);
    }
    return {};
  }
  const ScalarType scalar = scalar_type(type.base);
  if (scalar.bytes == 0) return fault(value, "", "the variable holds no numbers");
  const std::size_t columns = at_least_one(type.columns);
  if (auto done = check_rows(value, columns); !done) return done;
  std::vector<const Value*> numbers;
  flatten(value, numbers);
  const std::size_t most = at_least_one(type.rows) * columns;
  if (numbers.size() > most)
    return fault(value, "", "found " + std::to_string(numbers.size()) + " numbers, expected at most " + std::to_string(most));
  for (std::size_t k = 0; k < numbers.size(); ++k) {
    auto bits = bits_of(*numbers[k], scalar.type, "");
    if (!bits) return std::move(bits).error();
    to.write(scalar, *bits, offset + this->offset(type, static_cast<std::uint32_t>(k / columns), static_cast<std::uint32_t>(k % columns)));
  }
  return {};
}

std::uint64_t TypeLayout::count_with_gaps(const shader::Type& type, std::uint64_t stride, std::uint64_t bytes) {
  std::uint64_t inner = 1;  // elements in one of the outermost dimension
  std::uint64_t step = stride;
  for (std::size_t dimension = type.dimensions.size(); --dimension != 0; step = type.outer_strides[dimension - 1]) {
    const std::uint64_t count = type.dimensions[dimension];
    inner *= count;
    if (count == 0 || inner > kMostComponents || count * step > type.outer_strides[dimension - 1]) return 0;
  }
  if (is_open(type)) return bytes / step * inner;
  std::uint64_t begun = 0;
  for (std::size_t dimension = 0;; step = dimension + 1 < type.dimensions.size() ? type.outer_strides[dimension] : stride) {
    const std::uint64_t whole = std::min<std::uint64_t>(bytes / step, type.dimensions[dimension]);
    begun += whole * inner;
    if (whole == type.dimensions[dimension]) break;
    bytes -= whole * step;
    if (++dimension == type.dimensions.size()) return begun + (bytes != 0 ? 1 : 0);
    inner /= type.dimensions[dimension];
  }
  return std::min<std::uint64_t>(begun, type.elements);
}

std::uint64_t TypeLayout::count(std::uint32_t type, std::uint64_t offset, std::span<const std::byte> memory) const {
  const shader::Type& of = reflection_.types[type];
  if (of.elements == 0 && !is_open(of)) return 1;
  const std::uint64_t stride = sizes_[type].stride, components = element_size(of).components;
  if (components == 0 || components > std::min(stride, kMostComponents) || offset >= memory.size()) return 0;
  if (!of.outer_strides.empty()) return count_with_gaps(of, stride, memory.size() - offset);
  const std::uint64_t most = (memory.size() - offset + stride - 1) / stride;
  return is_open(of) ? (memory.size() - offset) / stride : std::min<std::uint64_t>(of.elements, most);
}

Value TypeLayout::get(std::uint32_t type, std::uint64_t offset, std::span<const std::byte> memory) const {
  const shader::Type* const found = find(type);
  if (found == nullptr || sizes_[type].depth > kMostNested) return {};
  if (found->elements == 0 && !is_open(*found))
    return sizes_[type].components > kMostComponents ? Value() : get_element(*found, offset, memory);
  Value list = Value::list();
  const std::uint64_t elements = count(type, offset, memory);
  for (std::uint64_t k = 0; k < elements; ++k)
    list.push(get_element(*found, offset + found->element_offset(k, sizes_[type].stride), memory));
  return list;
}

void TypeLayout::each(std::uint32_t type, std::uint64_t offset, std::span<std::byte> memory, const Visit& visit) const {
  const shader::Type* const found = find(type);
  if (found == nullptr || sizes_[type].depth > kMostNested || sizes_[type].components > kMostComponents) return;
  const ScalarType scalar = scalar_type(found->base);
  const std::uint64_t elements = count(type, offset, memory);
  for (std::uint64_t k = 0; k < elements; ++k) {
    const std::uint64_t start = offset + found->element_offset(k, sizes_[type].stride);
    for (const shader::Member& member : found->members)
      if (member.offset != shader::kNone) each(member.type, start + member.offset, memory, visit);
    if (found->is_struct() || scalar.bytes == 0) continue;
    for (std::uint32_t row = 0; row < at_least_one(found->rows) && row < 4; ++row) {
      for (std::uint32_t column = 0; column < at_least_one(found->columns) && column < 4; ++column) {
        const std::uint64_t at = start + this->offset(*found, row, column);
        if (at <= memory.size() && scalar.bytes <= memory.size() - at)
          visit({*found, scalar, row, column, memory.subspan(static_cast<std::size_t>(at), scalar.bytes)});
      }
    }
  }
}

Value TypeLayout::get_element(const shader::Type& type, std::uint64_t offset, std::span<const std::byte> memory) const {
  if (type.is_struct()) {
    Value map = Value::map();
    for (const shader::Member& member : type.members)
      if (member.offset != shader::kNone) map.add(member.name, get(member.type, offset + member.offset, memory));
    return map;
  }
  const ScalarType scalar = scalar_type(type.base);
  const auto component = [&](std::uint32_t row, std::uint32_t column) -> Value {
    const std::uint64_t at = offset + this->offset(type, row, column);
    if (scalar.bytes == 0 || at > memory.size() || scalar.bytes > memory.size() - at) return {};
    std::uint64_t bits = 0;
    for (unsigned byte = 0; byte < scalar.bytes; ++byte) bits |= std::to_integer<std::uint64_t>(memory[at + byte]) << (8 * byte);
    if (type.base == shader::BaseType::bool_) return Value::boolean(bits != 0);
    return shown(scalar.type, scalar.is_signed, bits);
  };
  const auto row_of = [&](std::uint32_t row) {
    if (type.type_class == shader::TypeClass::scalar) return component(0, 0);
    Value list = Value::list();
    for (std::uint32_t column = 0; column < at_least_one(type.columns) && column < 4; ++column) list.push(component(row, column));
    return list;
  };
  if (type.type_class != shader::TypeClass::matrix_columns && type.type_class != shader::TypeClass::matrix_rows) return row_of(0);
  Value rows = Value::list();
  for (std::uint32_t row = 0; row < at_least_one(type.rows) && row < 4; ++row) rows.push(row_of(row));
  return rows;
}

std::optional<Value> typed_values(const shader::Reflection& reflection, const shader::Resource& resource,
                                  std::span<const std::byte> memory) {
  if (resource.buffer >= reflection.buffers.size()) return std::nullopt;
  const std::vector<shader::Variable>& variables = reflection.buffers[resource.buffer].variables;
  const TypeLayout layout(reflection, Packing::tight);
  const auto is_fair = [&](const shader::Variable& variable, std::uint64_t bytes) {
    return variable.offset != shader::kNone && layout.components(variable.type) <= std::min(bytes, kMostComponents);
  };
  if (resource.stride != 0) {
    if (variables.size() != 1 || !is_fair(variables.front(), resource.stride) || layout.components(variables.front().type) == 0)
      return std::nullopt;
    Value list = Value::list();
    for (std::uint64_t at = 0; at + resource.stride <= memory.size(); at += resource.stride)
      list.push(layout.get(variables.front().type, at, memory.subspan(0, at + resource.stride)));
    return list;
  }
  if (resource.kind != dxcontainer::ResourceKind::storage_buffer) return std::nullopt;
  Value map = Value::map();
  for (const shader::Variable& variable : variables) {
    if (!is_fair(variable, memory.size())) return std::nullopt;
    map.add(variable.name, layout.get(variable.type, variable.offset, memory));
  }
  return map;
}

std::optional<Value> texel_values(const texel::Format& format, std::span<const std::byte> memory) {
  if (format.block != texel::Block::none || format.bytes() == 0) return std::nullopt;
  const auto components = std::ranges::count_if(std::array{0U, 1U, 2U, 3U}, [&](unsigned k) { return format.has(k); });
  const ir::Type type = format.is_integer() ? ir::Type::i32 : ir::Type::f32;
  Value texels = Value::list();
  for (std::size_t at = 0; at + format.bytes() <= memory.size(); at += format.bytes()) {
    const auto loaded = texel::load_texel(format, &memory[at]);
    Value texel = Value::list();
    for (unsigned k = 0; k < 4; ++k) {
      if (!format.has(k)) continue;
      Value number = shown(type, format.encoding == texel::Encoding::sint, loaded[k]);
      components == 1 ? texel = std::move(number) : texel.push(std::move(number));
    }
    texels.push(std::move(texel));
  }
  return texels;
}

}  // namespace unshade::run

#include "write/spirv/block_layout.hpp"

#include <algorithm>

#include <unshade/core/bits/rounding.hpp>

namespace unshade::write::spirv_writer {

using shader::BaseType;
using shader::TypeClass;

namespace {

/// Arrays, vectors of arrays and matrices lie in registers of so many bytes.
constexpr std::uint32_t kRegister = 16;
constexpr unsigned kDeepest = 16;
constexpr std::size_t kMostParts = 4096;

}  // namespace

// Before 1.3, which has the layout of Vulkan 1.1, vectors of two must be at multiples of 8, those of more at multiples of 16.
bool BlockLayout::may_be_at(std::uint32_t part, std::uint32_t offset) const {
  const Part& of = parts_[part];
  if (out_->version() >= 0x0001'0300 || of.kind != Kind::vector) return true;
  return offset % (of.count == 2 ? 8 : kRegister) == 0;
}

std::uint32_t BlockLayout::add(Part part) {
  parts_.push_back(std::move(part));
  return static_cast<std::uint32_t>(parts_.size() - 1);
}

std::optional<std::uint32_t> BlockLayout::scalar_of(const shader::Type& type) {
  const auto scalar = [&](Word word, ir::Type as) {
    return add({.kind = Kind::scalar, .type = word, .as = as, .bytes = ir::bit_width(as) / 8, .members = {}});
  };
  switch (type.base) {
    case BaseType::float_: return scalar(out_->float_type(32), ir::Type::f32);
    case BaseType::int_: return scalar(out_->int_type(32, true), ir::Type::i32);
    case BaseType::bool_:
    case BaseType::uint_: return scalar(out_->int_type(32), ir::Type::i32);
    default: return std::nullopt;
  }
}

// Without its array.
std::optional<std::uint32_t> BlockLayout::element_of(const shader::Type& type, unsigned depth) {
  if (parts_.size() > kMostParts || depth > kDeepest) return std::nullopt;
  if (type.is_struct()) {
    Part made{.kind = Kind::structure, .members = {}};
    std::vector<Word> words;
    for (const shader::Member& member : type.members) {
      const auto part = part_of(member.type, depth + 1);
      if (!part || member.offset < made.bytes || !may_be_at(*part, member.offset)) return std::nullopt;
      made.members.emplace_back(member.offset, *part);
      made.bytes = member.offset + parts_[*part].bytes;
      words.push_back(parts_[*part].type);
    }
    if (words.empty()) return std::nullopt;
    made.type = out_->new_struct_type(words);
    out_->name(made.type, type.name);
    for (std::uint32_t k = 0; k < type.members.size(); ++k) {
      out_->member_name(made.type, k, type.members[k].name);
      out_->decorate_member(made.type, k, Decoration::offset, {type.members[k].offset});
      decorate(made.type, k, made.members[k].second);
    }
    made.bytes = round_up(made.bytes, kRegister);
    return add(std::move(made));
  }
  const auto scalar = scalar_of(type);
  if (!scalar) return std::nullopt;
  const Word component = parts_[*scalar].type;
  if (type.type_class == TypeClass::scalar) return scalar;
  if (type.type_class == TypeClass::vector) {
    if (type.columns == 1) return scalar;
    if (type.columns == 0 || type.columns > 4) return std::nullopt;
    return add({.kind = Kind::vector,
                .type = out_->vector_type(component, type.columns),
                .bytes = 4 * type.columns,
                .stride = 4,
                .count = type.columns,
                .inner = *scalar,
                .members = {}});
  }
  const bool is_rows = type.type_class == TypeClass::matrix_rows;
  if ((!is_rows && type.type_class != TypeClass::matrix_columns) || type.base != BaseType::float_) return std::nullopt;
  if (type.rows < 2 || type.columns < 2 || type.rows > 4 || type.columns > 4) return std::nullopt;
  Part made{.kind = is_rows ? Kind::rows : Kind::columns, .members = {}};
  made.column = out_->vector_type(component, type.rows);
  made.type = out_->matrix_type(made.column, type.columns);
  made.stride = kRegister;
  made.count = is_rows ? type.rows : type.columns;
  made.bytes = kRegister * (made.count - 1) + 4 * (is_rows ? type.columns : type.rows);
  made.inner = *scalar;
  return add(std::move(made));
}

std::optional<std::uint32_t> BlockLayout::part_of(std::uint32_t type, unsigned depth) {
  if (type >= reflection_->types.size() || depth > kDeepest) return std::nullopt;
  const shader::Type& of = reflection_->types[type];
  const auto element = element_of(of, depth);
  if (!element || of.elements == 0) return element;
  Part made{.kind = Kind::array, .members = {}};
  made.stride = of.array_stride != 0 ? of.array_stride : round_up(parts_[*element].bytes, kRegister);
  if (made.stride < parts_[*element].bytes || made.stride == 0) return std::nullopt;
  made.count = of.elements;
  made.inner = *element;
  made.bytes = made.stride * made.count;  // in SPIR-V the last element is as large as the others
  made.type = out_->array_type(parts_[*element].type, made.count, made.stride);
  return add(std::move(made));
}

// What matrices need that members are.
void BlockLayout::decorate(Word structure, std::uint32_t member, std::uint32_t part) {
  Kind kind = parts_[part].kind;
  while (kind == Kind::array) kind = parts_[part = parts_[part].inner].kind;
  if (kind != Kind::columns && kind != Kind::rows) return;
  out_->decorate_member(structure, member, kind == Kind::rows ? Decoration::row_major : Decoration::col_major);
  out_->decorate_member(structure, member, Decoration::matrix_stride, {kRegister});
}

std::optional<BlockLayout> BlockLayout::of(const shader::Reflection& reflection, std::span<const Source> sources, std::string_view name,
                                           ModuleWriter& out) {
  BlockLayout made(reflection, out);
  Part root{.kind = Kind::structure, .members = {}};
  std::vector<Word> words;
  std::vector<std::string_view> names;
  for (const Source& source : sources) {
    for (const shader::Variable& one : source.buffer->variables) {
      const auto part = made.part_of(one.type, 0);
      const std::uint32_t offset = source.base + one.offset / source.packed;
      if (!part || offset < root.bytes || !made.may_be_at(*part, offset)) return std::nullopt;
      root.members.emplace_back(offset, *part);
      root.bytes = offset + made.parts_[*part].bytes;
      words.push_back(made.parts_[*part].type);
      names.push_back(one.name);
    }
  }
  if (words.empty()) return std::nullopt;
  root.type = made.block_ = out.new_struct_type(words);
  out.name(made.block_, "type." + std::string(name));
  out.decorate(made.block_, Decoration::block);
  for (std::uint32_t k = 0; k < words.size(); ++k) {
    out.member_name(made.block_, k, names[k]);
    out.decorate_member(made.block_, k, Decoration::offset, {root.members[k].first});
    made.decorate(made.block_, k, root.members[k].second);
  }
  made.root_ = made.add(std::move(root));
  return made;
}

std::optional<BlockPlace> BlockLayout::at(std::uint32_t byte) const {
  BlockPlace made;
  std::uint32_t at = root_;
  for (;;) {
    const Part& part = parts_[at];
    switch (part.kind) {
      case Kind::scalar:
        if (byte != 0) return std::nullopt;
        made.type = part.type;
        made.as = part.as;
        return made;
      case Kind::vector:
      case Kind::array: {
        const std::uint32_t index = byte / part.stride;
        if (index >= part.count) return std::nullopt;
        if (part.kind == Kind::vector) made.vector = part.type;
        made.path.push_back(index);
        byte -= index * part.stride;
        at = part.inner;
        break;
      }
      case Kind::columns:
      case Kind::rows: {
        const std::uint32_t vector = byte / part.stride, scalar = byte % part.stride / 4;
        if (vector >= part.count || byte >= part.bytes || byte % part.stride >= part.bytes - part.stride * (part.count - 1))
          return std::nullopt;
        made.vector = part.column;
        made.path.push_back(part.kind == Kind::columns ? vector : scalar);
        made.path.push_back(part.kind == Kind::columns ? scalar : vector);
        byte %= 4;
        at = part.inner;
        break;
      }
      case Kind::structure: {
        const auto after = std::ranges::upper_bound(part.members, byte, {}, [](const auto& member) { return member.first; });
        if (after == part.members.begin()) return std::nullopt;
        const auto found = after - 1;
        made.path.push_back(static_cast<std::uint32_t>(found - part.members.begin()));
        byte -= found->first;
        at = found->second;
        break;
      }
    }
  }
}

}  // namespace unshade::write::spirv_writer

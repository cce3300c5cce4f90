#include "write/source/layout/layout.hpp"

#include <algorithm>
#include <bit>
#include <ranges>

#include <unshade/core/bits/rounding.hpp>
#include <unshade/ir/extra.hpp>
#include <unshade/ir/lower_pica.hpp>
#include <unshade/ir/types.hpp>

namespace unshade::write::source {

using ir::Op;
using shader::BaseType;
using shader::TypeClass;

namespace {

constexpr unsigned kDeepest = 16;
constexpr std::size_t kMostParts = 4096;
constexpr std::size_t kMostTerms = 4;
/// Terms that are told apart; a sum of more is one term.
constexpr std::size_t kMostLeaves = 16;

/// How many of the low bits of a word are 0, as far as shifts and products by constants say.
unsigned low_zeros(const ir::Function& f, ir::Id id, unsigned depth) {
  constexpr unsigned kAll = 32;
  const ir::Inst& inst = f.insts[id];
  if (inst.op == Op::constant) return static_cast<unsigned>(std::countr_zero(static_cast<std::uint32_t>(ir::constant_bits(f, id))));
  if (depth == 0) return 0;
  const auto operands = f.operands_of(id);
  const auto of = [&](std::size_t at) { return low_zeros(f, operands[at], depth - 1); };
  switch (inst.op) {
    case Op::ishl:
      return f.insts[operands[1]].op != Op::constant
                 ? 0
                 : std::min(kAll, of(0) + static_cast<unsigned>(ir::constant_bits(f, operands[1]) % kAll));
    case Op::imul: return std::min(kAll, of(0) + of(1));
    case Op::iadd:
    case Op::ior: return std::min(of(0), of(1));
    case Op::iand: return std::max(of(0), of(1));
    default: return 0;
  }
}

void add_terms(const ir::Function& f, ir::Id id, std::uint32_t scale, Address& made, unsigned depth, const IsKept& is_kept) {
  if (made.terms.size() > kMostLeaves) return;
  const ir::Inst& inst = f.insts[id];
  const auto operands = f.operands_of(id);
  const auto constant = [&](std::size_t at) -> std::optional<std::uint32_t> {
    if (f.insts[operands[at]].op != Op::constant) return std::nullopt;
    return static_cast<std::uint32_t>(ir::constant_bits(f, operands[at]));
  };
  if (inst.op == Op::constant) {
    made.bytes += static_cast<std::int64_t>(static_cast<std::int32_t>(static_cast<std::uint32_t>(ir::constant_bits(f, id)) * scale));
    return;
  }
  if (depth < 8 && !(is_kept && is_kept(id))) {
    // bits that are added where there are none
    const auto is_disjoint = [&] {
      const auto bits = inst.op == Op::ior ? constant(1) : std::nullopt;
      const unsigned zeros = bits ? low_zeros(f, operands[0], 4) : 0;
      return bits && (zeros >= 32 || *bits >> zeros == 0);
    };
    if (inst.op == Op::iadd || is_disjoint()) {
      add_terms(f, operands[0], scale, made, depth + 1, is_kept);
      add_terms(f, operands[1], scale, made, depth + 1, is_kept);
      return;
    }
    if (inst.op == Op::ishl) {
      if (const auto by = constant(1); by && *by < 32) return add_terms(f, operands[0], scale << *by, made, depth + 1, is_kept);
    }
    if (inst.op == Op::imul) {
      for (const std::size_t at : {std::size_t{0}, std::size_t{1}})
        if (const auto by = constant(at)) return add_terms(f, operands[1 - at], scale * *by, made, depth + 1, is_kept);
    }
  }
  for (Address::Term& term : made.terms)
    if (term.value == id) return void(term.scale += scale);
  made.terms.push_back({id, scale});
}

}  // namespace

Address address_of(const ir::Function& function, ir::Id id, const IsKept& is_kept) {
  Address made;
  add_terms(function, id, 1, made, 0, is_kept);
  if (made.terms.size() > kMostLeaves) return {.terms = {{id, 1}}};
  std::erase_if(made.terms, [](const Address::Term& term) { return term.scale == 0; });
  return made;
}

Address buffer_address(const ir::Function& function, ir::Id access, const IsKept& is_kept) {
  const ir::BufferExtra extra(function.insts[access].extra);
  const auto operands = function.operands_of(access);
  Address made;
  if (extra.kind == ir::BufferKind::raw) made = address_of(function, operands[1], is_kept);
  if (!extra.has_offset) return made;
  Address more = address_of(function, operands[2], is_kept);
  made.bytes += more.bytes;
  made.terms.insert(made.terms.end(), more.terms.begin(), more.terms.end());
  return made;
}

std::uint32_t ByteLayout::add_scalar(Base base) { return add({.base = base, .bytes = bits_of(base) / 8, .name = {}, .members = {}}); }

std::uint32_t ByteLayout::add_vector(std::uint32_t scalar, std::uint32_t count) {
  const Base base = parts[scalar].base;
  const std::uint32_t size = parts[scalar].bytes;
  return add({.kind = Kind::vector,
              .base = base,
              .bytes = size * count,
              .stride = size,
              .count = count,
              .inner = scalar,
              .name = {},
              .members = {}});
}

std::uint32_t ByteLayout::add_array(std::uint32_t element, std::uint32_t stride, std::uint32_t bytes) {
  const Base base = parts[element].base;
  return add({.kind = Kind::array,
              .base = base,
              .bytes = bytes,
              .stride = stride,
              .count = std::max(1U, bytes / stride),
              .inner = element,
              .name = {},
              .members = {}});
}

std::uint32_t ByteLayout::alignment(std::uint32_t part) const {
  const Part& of = parts[part];
  if (of.kind == Kind::array) return alignment(of.inner);
  if (of.kind != Kind::structure) return bits_of(of.base) / 8;
  std::uint32_t made = 1;
  for (const Member& member : of.members) made = std::max(made, alignment(member.part));
  return made;
}

std::optional<ScalarPlace> ByteLayout::at(const Address& address) const {
  ScalarPlace made;
  std::int64_t bytes = address.bytes;
  std::vector<Address::Term> terms = address.terms;
  if (terms.size() > kMostTerms) return std::nullopt;
  std::uint32_t at = root;
  // the index of an array by what is a multiple of its stride
  const auto take = [&](std::uint32_t stride, std::uint32_t count) {
    Index index;
    std::erase_if(terms, [&](const Address::Term& term) {
      if (term.scale % stride != 0) return false;
      index.terms.push_back({term.value, term.scale / stride});
      return true;
    });
    index.number = bytes >= 0 ? bytes / stride : -((-bytes + stride - 1) / stride);
    if (count != 0 && index.terms.empty() && (index.number < 0 || index.number >= count)) index.number = -1;
    bytes -= index.number * static_cast<std::int64_t>(stride);
    return index;
  };
  const auto is_out = [](const Index& index) { return index.terms.empty() && index.number < 0; };
  for (unsigned depth = 0; depth < 2 * kDeepest; ++depth) {
    const Part& part = parts[at];
    made.base = part.base;
    made.is_bool = part.is_bool;
    switch (part.kind) {
      case Kind::scalar:
        if (bytes != 0 || !terms.empty()) return std::nullopt;
        return made;
      case Kind::vector:
        made.kind = ScalarPlace::Kind::vector;
        made.width = part.count;
        made.base = parts[part.inner].base;
        made.is_bool = parts[part.inner].is_bool;
        made.component = take(part.stride, part.count);
        if (is_out(made.component) || bytes != 0 || !terms.empty()) return std::nullopt;
        return made;
      case Kind::array: {
        made.path.push_back({"", take(part.stride, part.count)});
        if (is_out(made.path.back().index)) return std::nullopt;
        at = part.inner;
        break;
      }
      case Kind::rows:
      case Kind::columns:
        made.kind = part.kind == Kind::rows ? ScalarPlace::Kind::rows : ScalarPlace::Kind::columns;
        made.width = part.across;
        made.vectors = part.count;
        made.base = parts[part.inner].base;
        made.is_bool = parts[part.inner].is_bool;
        made.vector = take(part.stride, part.count);
        made.component = take(bits_of(made.base) / 8, part.across);
        if (is_out(made.vector) || is_out(made.component) || bytes != 0 || !terms.empty()) return std::nullopt;
        return made;
      case Kind::structure: {
        if (bytes < 0) return std::nullopt;
        const auto after = std::ranges::upper_bound(part.members, static_cast<std::uint64_t>(bytes), {},
                                                    [](const Member& one) { return std::uint64_t{one.offset}; });
        if (after == part.members.begin()) return std::nullopt;
        const Member& found = *(after - 1);
        made.path.push_back({found.name, {}});
        bytes -= found.offset;
        at = found.part;
        break;
      }
    }
  }
  return std::nullopt;
}

namespace {

std::optional<Base> base_of(BaseType type) {
  switch (type) {
    // of minimum precision, which have 32 bits in memory
    case BaseType::min8float:
    case BaseType::min10float:
    case BaseType::min16float:
    case BaseType::float_: return Base::float_;
    case BaseType::min12int:
    case BaseType::min16int:
    case BaseType::int_: return Base::int_;
    case BaseType::bool_:
    case BaseType::min16uint:
    case BaseType::uint_: return Base::uint_;
    case BaseType::double_: return Base::double_;
    case BaseType::float16: return Base::half;
    case BaseType::int16: return Base::int16;
    case BaseType::uint16: return Base::uint16;
    case BaseType::int64: return Base::int64;
    case BaseType::uint64: return Base::uint64;
    default: return std::nullopt;
  }
}

std::optional<std::uint32_t> part_of(ByteLayout& layout, const shader::Reflection& reflection, std::uint32_t type, Packing packing,
                                     unsigned depth);

// Without its array.
std::optional<std::uint32_t> element_of(ByteLayout& layout, const shader::Reflection& reflection, std::uint32_t index, Packing packing,
                                        unsigned depth) {
  const shader::Type& type = reflection.types[index];
  ByteLayout::Part made;
  made.type = index;
  if (type.is_struct()) {
    made.kind = ByteLayout::Kind::structure;
    made.name = type.name;
    for (const shader::Member& member : type.members) {
      const auto part = part_of(layout, reflection, member.type, packing, depth + 1);
      if (!part || member.offset < made.bytes) return std::nullopt;
      made.members.push_back({member.name, member.offset, *part});
      made.bytes = member.offset + layout.parts[*part].bytes;
    }
    if (made.members.empty()) return std::nullopt;
    if (packing == Packing::tight) {
      const std::uint32_t alignment = std::ranges::max(
          made.members | std::views::transform([&](const ByteLayout::Member& member) { return layout.alignment(member.part); }));
      made.bytes = round_up(made.bytes, alignment);
    }
    return layout.add(std::move(made));
  }
  const auto base = base_of(type.base);
  if (!base) return std::nullopt;
  const std::uint32_t size = bits_of(*base) / 8;
  ByteLayout::Part scalar;
  scalar.base = *base;
  scalar.is_bool = type.base == BaseType::bool_;
  scalar.bytes = size;
  scalar.type = index;
  if (type.type_class == TypeClass::scalar || (type.type_class == TypeClass::vector && type.columns == 1)) return layout.add(scalar);
  made.base = *base;
  if (type.type_class == TypeClass::vector) {
    if (type.columns == 0 || type.columns > 4) return std::nullopt;
    made.kind = ByteLayout::Kind::vector;
    made.inner = layout.add(scalar);
    made.bytes = size * type.columns;
    made.stride = size;
    made.count = type.columns;
    return layout.add(std::move(made));
  }
  const bool is_rows = type.type_class == TypeClass::matrix_rows;
  if (!is_rows && type.type_class != TypeClass::matrix_columns) return std::nullopt;
  if (type.rows == 0 || type.columns == 0 || type.rows > 4 || type.columns > 4) return std::nullopt;
  made.kind = is_rows ? ByteLayout::Kind::rows : ByteLayout::Kind::columns;
  made.inner = layout.add(scalar);
  made.count = is_rows ? type.rows : type.columns;
  made.across = is_rows ? type.columns : type.rows;
  made.stride = type.matrix_stride != 0     ? type.matrix_stride
                : packing == Packing::tight ? size * made.across
                                            : round_up(size * made.across, kRegister);
  made.bytes = made.stride * (made.count - 1) + size * made.across;
  return layout.add(std::move(made));
}

std::optional<std::uint32_t> part_of(ByteLayout& layout, const shader::Reflection& reflection, std::uint32_t type, Packing packing,
                                     unsigned depth) {
  if (type >= reflection.types.size() || depth > kDeepest || layout.parts.size() > kMostParts) return std::nullopt;
  const shader::Type& of = reflection.types[type];
  if (of.dimensions.size() > 1) return std::nullopt;
  const auto element = element_of(layout, reflection, type, packing, depth);
  const bool is_open = of.dimensions.size() == 1 && of.dimensions[0] == 0;
  if (!element || (of.elements == 0 && !is_open)) return element;
  ByteLayout::Part made;
  made.kind = ByteLayout::Kind::array;
  made.type = type;
  made.base = layout.parts[*element].base;
  const std::uint32_t bytes = layout.parts[*element].bytes;
  made.stride = of.array_stride != 0 ? of.array_stride : packing == Packing::tight ? bytes : round_up(bytes, kRegister);
  if (made.stride < layout.parts[*element].bytes || made.stride == 0) return std::nullopt;
  made.count = of.elements;
  made.inner = *element;
  made.bytes = made.stride * (std::max(1U, made.count) - 1) + layout.parts[*element].bytes;
  return layout.add(std::move(made));
}

}  // namespace

std::optional<std::uint32_t> add_type(ByteLayout& layout, const shader::Reflection& reflection, std::uint32_t type, Packing packing) {
  return part_of(layout, reflection, type, packing, 0);
}

std::optional<ByteLayout> layout_of(const shader::Reflection& reflection, const shader::Buffer& buffer) {
  ByteLayout layout;
  ByteLayout::Part root;
  root.kind = ByteLayout::Kind::structure;
  root.is_block = true;
  root.name = buffer.name;
  // declared in any order, with offsets
  std::vector<const shader::Variable*> variables;
  for (const shader::Variable& one : buffer.variables) variables.push_back(&one);
  std::ranges::stable_sort(variables, {}, &shader::Variable::offset);
  for (const shader::Variable* const one : variables) {
    const auto part = add_type(layout, reflection, one->type, Packing::registers);
    if (!part || one->offset < root.bytes) return std::nullopt;
    root.members.push_back({one->name, one->offset, *part});
    root.bytes = one->offset + layout.parts[*part].bytes;
  }
  if (root.members.empty()) return std::nullopt;
  root.is_packed = buffer.kind != shader::BufferKind::cbuffer;
  layout.root = layout.add(std::move(root));
  return layout;
}

const ByteLayout::Part* ByteLayout::open_array() const {
  if (parts[root].kind != Kind::structure || parts[root].members.empty()) return nullptr;
  const Part& last = parts[parts[root].members.back().part];
  return last.kind == Kind::array && last.count == 0 ? &last : nullptr;
}

ByteLayout pica_layout(const shader::Reflection& reflection, PicaNames names) {
  namespace uniforms = ir::pica_uniforms;
  ByteLayout layout;
  ByteLayout::Part root;
  root.kind = ByteLayout::Kind::structure;
  root.is_block = true;
  struct Kind {
    char letter;
    Base base;
    std::uint32_t first, end, stride, packed;
  };
  // a truth has 16 bytes in reflection, 4 here
  const Kind kinds[] = {{'c', Base::float_, uniforms::real(0, 0), uniforms::integer(0, 0), 16, 1},
                        {'i', Base::int_, uniforms::integer(0, 0), uniforms::boolean(0), 16, 1},
                        {'b', Base::uint_, uniforms::boolean(0), uniforms::kBytes, 4, 4}};
  for (const Kind& kind : kinds) {
    const std::uint32_t scalar = layout.add_scalar(kind.base);
    const std::uint32_t element = kind.stride == kRegister ? layout.add_vector(scalar, 4) : scalar;
    std::vector<ByteLayout::Member> named;
    std::uint32_t at = kind.first;
    // each register has one name at most
    bool is_whole = names == PicaNames::all || (names == PicaNames::of_others && kind.letter != 'c');
    for (const shader::Buffer& buffer : reflection.buffers) {
      if (!buffer.name.ends_with(kind.letter)) continue;
      for (const shader::Variable& one : buffer.variables) {
        const std::uint32_t offset = kind.first + one.offset / kind.packed, bytes = one.size / kind.packed;
        if (offset < at || offset % kind.stride != 0 || bytes == 0 || offset + bytes > kind.end) {
          is_whole = false;
          continue;
        }
        const std::uint32_t count = (bytes + kind.stride - 1) / kind.stride;
        const std::uint32_t part = count > 1 ? layout.add_array(element, kind.stride, count * kind.stride) : element;
        named.push_back({one.name, offset, part});
        at = offset + count * kind.stride;
      }
    }
    if (is_whole && !named.empty()) {
      root.members.insert(root.members.end(), named.begin(), named.end());
      root.bytes = at;
      continue;
    }
    // all of them; of truths, four in a vector
    const std::uint32_t part = layout.add_array(layout.add_vector(scalar, 4), kRegister, kind.end - kind.first);
    root.members.push_back({std::string(1, kind.letter), kind.first, part});
    root.bytes = kind.end;
  }
  layout.root = layout.add(std::move(root));
  return layout;
}

ByteLayout register_layout(Base base, std::uint32_t bytes) {
  ByteLayout layout;
  const std::uint32_t vector = layout.add_vector(layout.add_scalar(base), 4);
  layout.root = layout.add_array(vector, kRegister, std::max(kRegister, round_up(bytes, kRegister)));
  return layout;
}

}  // namespace unshade::write::source

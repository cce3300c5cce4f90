// Types as pieces and sizes, names, decorations of results.
#include <algorithm>
#include <string>

#include <unshade/core/bits/rounding.hpp>
#include <unshade/core/limits.hpp>

#include "ir/spirv/function.hpp"

namespace unshade::ir::lower_spirv {

Context::Context(const spirv::Module& from, const spirv::IdTable& table, const spirv::Interface& shown, const spirv::Code& functions,
                 const spirv::EntryPoint& point, Module& to)
    : module(from), ids(table), interface(shown), code(functions), entry(point), out(to) {
  measure_types();
  read_marks();
  for (std::uint32_t place = 0; place < interface.types.size(); ++place) has_bfloat16 |= is_bfloat16(place);
  for (const spirv::Capability one : interface.capabilities) {
    chooses_pointers |= one == spirv::Capability::variable_pointers || one == spirv::Capability::variable_pointers_storage_buffer;
  }
  for (const spirv::Variable& one : interface.variables) {
    const spirv::Type* const block = one.storage == spirv::StorageClass::workgroup ? interface.type(one.type) : nullptr;
    explicit_group_layout |= block != nullptr && block->kind == TypeKind::structure && interface.of(*block).block;
  }
}

const spirv::Type& Context::type(std::uint32_t place) const { return interface.types[place]; }

bool Context::is_bfloat16(std::uint32_t place) const {
  const spirv::Type* const t = interface.type(place);
  return t != nullptr && t->kind == TypeKind::real && t->width == 16 && t->has_encoding && t->encoding == spirv::FPEncoding::b_float16khr;
}

std::optional<Type> Context::scalar(std::uint32_t place) const {
  const spirv::Type* t = interface.type(place);
  if (t == nullptr) return std::nullopt;
  switch (t->kind) {
    case TypeKind::boolean: return Type::b1;
    case TypeKind::real:
      if (is_bfloat16(place)) return Type::i16;
      if (t->has_encoding) return std::nullopt;
      if (t->width == 16) return Type::f16;
      if (t->width == 32) return Type::f32;
      if (t->width == 64) return Type::f64;
      return std::nullopt;
    case TypeKind::integer:
      if (t->width == 8) return Type::i8;
      if (t->width == 16) return Type::i16;
      if (t->width == 32) return Type::i32;
      if (t->width == 64) return Type::i64;
      return std::nullopt;
    case TypeKind::image:
    case TypeKind::sampler: return Type::handle;
    case TypeKind::pointer:
      if (t->storage == spirv::StorageClass::physical_storage_buffer) return Type::i64;
      return std::nullopt;
    default: return std::nullopt;
  }
}

std::uint32_t Context::scalar_of(std::uint32_t place) const {
  while (interface.type(place) != nullptr && (type(place).kind == TypeKind::vector || type(place).kind == TypeKind::matrix)) {
    place = type(place).element;
  }
  // what instructions with two results give, and those with the status of a load
  if (interface.type(place) != nullptr && type(place).kind == TypeKind::structure && type(place).member_count != 0) {
    return scalar_of(part(place, 0));
  }
  return place;
}

std::uint32_t Context::vector_size(std::uint32_t place) const {
  const spirv::Type* t = interface.type(place);
  if (t != nullptr && t->kind == TypeKind::matrix) t = interface.type(t->element);
  return t != nullptr && t->kind == TypeKind::vector ? t->count : 0;
}

std::uint32_t Context::parts(std::uint32_t place) const {
  const spirv::Type* t = interface.type(place);
  if (t == nullptr) return 0;
  switch (t->kind) {
    case TypeKind::vector:
    case TypeKind::matrix:
    case TypeKind::array: return t->count;
    case TypeKind::structure: return t->member_count;
    default: return 0;
  }
}

std::uint32_t Context::part(std::uint32_t place, std::uint32_t at) const {
  const spirv::Type* t = interface.type(place);
  if (t == nullptr) return kNone;
  switch (t->kind) {
    case TypeKind::vector:
    case TypeKind::matrix:
    case TypeKind::array:
    case TypeKind::runtime_array: return t->element;
    case TypeKind::structure: return at < t->member_count ? interface.members_of(*t)[at].type : kNone;
    default: return kNone;
  }
}

// Elements and members come before the types that have them.
void Context::measure_types() {
  constexpr std::uint64_t kMostCounted = std::uint64_t{1} << 20;
  piece_counts.assign(interface.types.size(), kNone);
  sizes.assign(interface.types.size(), 0);
  too_large.assign(interface.types.size(), false);
  for (std::uint32_t place = 0; place < interface.types.size(); ++place) {
    const spirv::Type& t = interface.types[place];
    std::uint64_t pieces = 0;
    bool has_values = true;
    const auto add = [&](std::uint32_t of, std::uint64_t times) {
      // an address, which may be announced before its type
      if (interface.type(of) != nullptr && type(of).kind == TypeKind::pointer && scalar(of)) {
        pieces += times;
        sizes[place] = std::min<std::uint64_t>(sizes[place] + lane_bytes(Type::i64) * times, limits::kIrSpaceBytes * 2);
        too_large[place] = too_large[place] || pieces > kMostCounted;
        has_values = has_values && !too_large[place];
        return;
      }
      if (of >= place || piece_counts[of] == kNone) {
        too_large[place] = too_large[place] || (of < place && too_large[of]);
        has_values = false;
        return;
      }
      pieces += piece_counts[of] * times;
      sizes[place] += std::min<std::uint64_t>(sizes[of], limits::kIrSpaceBytes * 2) * times;
      sizes[place] = std::min<std::uint64_t>(sizes[place], limits::kIrSpaceBytes * 2);
      if (pieces > kMostCounted) too_large[place] = true;
      has_values = has_values && !too_large[place];
    };
    if (const auto one = scalar(place)) {
      pieces = 1;
      sizes[place] = *one == Type::handle ? 0 : lane_bytes(*one);
    } else {
      switch (t.kind) {
        case TypeKind::void_: break;
        case TypeKind::vector:
        case TypeKind::matrix:
        case TypeKind::array: add(t.element, t.count); break;
        case TypeKind::structure:
          for (const spirv::StructMember& member : interface.members_of(t)) add(member.type, 1);
          break;
        case TypeKind::sampled_image: pieces = 2; break;
        default: has_values = false; break;
      }
    }
    if (has_values) piece_counts[place] = static_cast<std::uint32_t>(pieces);
  }
}

std::uint64_t Context::explicit_size(std::uint32_t place, std::uint32_t matrix_stride) const {
  if (const auto one = scalar(place)) return bit_width(*one) / 8;
  if (interface.type(place) == nullptr || count(place) == kNone) return 0;
  const spirv::Type& t = type(place);
  switch (t.kind) {
    case TypeKind::array: {
      const std::uint64_t element = explicit_size(t.element, matrix_stride);
      return t.count == 0 ? 0 : std::uint64_t{interface.of(t).array_stride.value_or(0)} * (t.count - 1) + element;
    }
    // by columns or rows: of the larger number
    case TypeKind::matrix: return std::uint64_t{matrix_stride} * std::max(t.count, parts(t.element));
    case TypeKind::structure: {
      std::uint64_t end = 0;
      for (const spirv::StructMember& member : interface.members_of(t)) {
        const spirv::Decorations& own = interface.of(member);
        end = std::max(end, own.offset.value_or(0) + explicit_size(member.type, own.matrix_stride.value_or(0)));
      }
      return end;
    }
    default: return t.count * explicit_size(t.element);
  }
}

void Context::flatten(std::uint32_t place, std::vector<Type>& types) const {
  if (const auto one = scalar(place)) return types.push_back(*one);
  if (interface.type(place) == nullptr || count(place) == kNone) return;
  if (type(place).kind == TypeKind::sampled_image) return types.insert(types.end(), 2, Type::handle), void();
  if (count(place) == 0) return;
  for (std::uint32_t k = 0; k < parts(place); ++k) flatten(part(place, k), types);
}

void Context::read_marks() {
  constexpr std::uint32_t kContracts =
      static_cast<std::uint32_t>(spirv::FPFastMathMode::fast) | static_cast<std::uint32_t>(spirv::FPFastMathMode::allow_contract);
  for (const spirv::Instruction i : module) {
    first_words.push_back(i.first_word());
    if (i.opcode() != spirv::Opcode::decorate) continue;
    const std::uint32_t id = i.word(1);
    switch (static_cast<spirv::Decoration>(i.word(2))) {
      case spirv::Decoration::no_contraction: marks[id].flags = marks[id].flags | Flags::precise; break;
      case spirv::Decoration::relaxed_precision: marks[id].flags = marks[id].flags | Flags::relaxed; break;
      case spirv::Decoration::non_uniform: marks[id].flags = marks[id].flags | Flags::non_uniform; break;
      case spirv::Decoration::fp_fast_math_mode:
        // src: SPV_KHR_float_controls2: without this bit, as with NoContraction
        if ((i.word(3) & kContracts) == 0) marks[id].flags = marks[id].flags | Flags::precise;
        break;
      case spirv::Decoration::fp_rounding_mode: marks[id].toward_zero = i.word(3) == 1; break;
      default: break;
    }
  }
}

std::uint32_t Context::listing_index(const spirv::Instruction& instruction) const {
  return static_cast<std::uint32_t>(std::ranges::lower_bound(first_words, instruction.first_word()) - first_words.begin());
}

std::string Context::name_of(std::uint32_t id) const {
  const auto name = ids.name(id);
  return name ? spirv::literal_string(*name, 2) : std::string();
}

std::string Context::type_text(std::uint32_t place) const {
  const spirv::Type* const t = interface.type(place);
  const auto definition = t != nullptr ? ids.definition(t->id) : std::nullopt;
  if (!definition || definition->info() == nullptr) return "an unknown type";
  std::string text = "Op" + std::string(definition->info()->text);
  if (t->kind == TypeKind::real || t->kind == TypeKind::integer) text += ' ' + std::to_string(t->width);
  if (!t->has_encoding) return text;
  const auto* const row = spirv::find_enumerant(spirv::OperandKind::fp_encoding, static_cast<std::uint32_t>(t->encoding));
  return row != nullptr ? text + ' ' + std::string(row->text) : text;
}

Type Context::common_scalar(std::uint32_t place) const {
  constexpr std::size_t kMostParts = 256;
  Type found = Type::void_;
  // types of values hold no cycles, and parts are looked at once for each array
  std::vector<std::uint32_t> open{place};
  for (std::size_t steps = 0; !open.empty(); ++steps) {
    const std::uint32_t one = open.back();
    open.pop_back();
    if (const auto known = scalar(one)) {
      const Type type = *known == Type::b1 ? Type::i32 : *known;
      if (type == Type::handle || (found != Type::void_ && found != type)) return Type::void_;
      found = type;
      continue;
    }
    if (steps > kMostParts || interface.type(one) == nullptr) return Type::void_;
    const bool has_members = type(one).kind == TypeKind::structure;
    for (std::uint32_t k = 0; k < (has_members ? parts(one) : 1); ++k) open.push_back(part(one, k));
  }
  return found;
}

void Context::describe_memory(std::uint32_t variable, std::uint32_t place, bool natural) {
  Variable& made = out.variables[variable];
  made.element = common_scalar(place);
  const spirv::Type* const t = interface.type(place);
  if (t == nullptr || t->kind != TypeKind::array) return;
  const std::uint64_t stride = natural ? size(t->element) : interface.of(*t).array_stride.value_or(0);
  if (stride <= made.bytes) made.stride = static_cast<std::uint32_t>(stride);
}

std::uint32_t Context::add_variable(std::string name, Space space, std::uint64_t bytes) {
  std::uint64_t& end = space_bytes[static_cast<std::size_t>(space)];
  if (bytes > limits::kIrSpaceBytes || end + bytes > limits::kIrSpaceBytes) return kNone;
  out.variables.push_back({std::move(name), space, static_cast<std::uint32_t>(end), static_cast<std::uint32_t>(bytes), {}});
  end += round_up(bytes, 16);
  return static_cast<std::uint32_t>(out.variables.size() - 1);
}

}  // namespace unshade::ir::lower_spirv

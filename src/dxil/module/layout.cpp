#include <unshade/dxil/layout.hpp>

#include <algorithm>
#include <string_view>

#include <unshade/core/bits/rounding.hpp>
#include <unshade/core/limits.hpp>
#include <unshade/core/text/numbers.hpp>

namespace unshade::dxil {

namespace {

constexpr std::uint64_t kBitsPerByte = 8;

/// The number at the front of a text, which loses it; 0 if there is none.
std::uint32_t number_in_front(std::string_view& text) { return take_number<std::uint32_t>(text).value_or(0); }

}  // namespace

TypeLayout::TypeLayout(const Module& module) : module_(module), sizes_(module.types.size()) {
  alignments_ = {{'i', 1, 1},  {'i', 8, 1},  {'i', 16, 2}, {'i', 32, 4},  {'i', 64, 4},
                 {'f', 16, 2}, {'f', 32, 4}, {'f', 64, 8}, {'f', 128, 16}};
  parse(module.text(module.data_layout));
}

/// Words between dashes: `p:SIZE:ALIGN`, `iWIDTH:ALIGN`, `fWIDTH:ALIGN` in bits; others do not matter here.
void TypeLayout::parse(std::string_view text) {
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('-'), text.size());
    std::string_view word = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (word.empty()) continue;
    const char kind = word[0];
    word.remove_prefix(1);
    if (kind != 'p' && kind != 'i' && kind != 'f') continue;
    const std::uint32_t width = number_in_front(word);  // of a pointer: its address space
    if (word.empty() || word[0] != ':') continue;
    word.remove_prefix(1);
    std::uint32_t bits = number_in_front(word);
    if (kind == 'p') {
      if (width != 0) continue;
      pointer_bytes_ = bits / kBitsPerByte;
      if (!word.empty() && word[0] == ':') {
        word.remove_prefix(1);
        bits = number_in_front(word);
      }
      pointer_alignment_ = std::max<std::uint64_t>(1, bits / kBitsPerByte);
      continue;
    }
    const std::uint64_t bytes = std::max<std::uint64_t>(1, bits / kBitsPerByte);
    const auto known =
        std::find_if(alignments_.begin(), alignments_.end(), [&](const Alignment& a) { return a.kind == kind && a.width == width; });
    if (known != alignments_.end()) {
      known->bytes = bytes;
    } else {
      alignments_.push_back({kind, width, bytes});
    }
  }
}

/// An integer without an alignment of its own has that of the next wider one, or of the widest.
std::uint64_t TypeLayout::scalar_alignment(char kind, std::uint32_t width) const {
  const Alignment* wider = nullptr;
  const Alignment* widest = nullptr;
  for (const Alignment& a : alignments_) {
    if (a.kind != kind) continue;
    if (a.width == width) return a.bytes;
    if (a.width > width && (wider == nullptr || a.width < wider->width)) wider = &a;
    if (widest == nullptr || a.width > widest->width) widest = &a;
  }
  return wider != nullptr ? wider->bytes : widest->bytes;
}

TypeLayout::Size TypeLayout::of(std::uint32_t type) {
  if (sizes_[type].alignment == 0) {
    if (depth_ >= limits::kIrNesting) return {0, 1};
    ++depth_;
    const Size size = measure(type);
    --depth_;
    sizes_[type] = size;
  }
  return sizes_[type];
}

TypeLayout::Size TypeLayout::measure(std::uint32_t id) {
  const Type& type = module_.types[id];
  const auto scalar = [&](char kind, std::uint32_t width) {
    const std::uint64_t alignment = scalar_alignment(kind, width);
    return Size{round_up((width + kBitsPerByte - 1) / kBitsPerByte, alignment), alignment};
  };
  switch (type.kind) {
    case TypeKind::half: return scalar('f', 16);
    case TypeKind::float_: return scalar('f', 32);
    case TypeKind::double_: return scalar('f', 64);
    case TypeKind::x86_fp80: return scalar('f', 80);
    case TypeKind::fp128:
    case TypeKind::ppc_fp128: return scalar('f', 128);
    case TypeKind::integer: return scalar('i', type.number);
    case TypeKind::pointer: return {round_up(pointer_bytes_, pointer_alignment_), pointer_alignment_};
    case TypeKind::array:
    case TypeKind::vector: {
      const Size element = of(module_.element_of(id));
      return {element.bytes * type.count, element.alignment};
    }
    case TypeKind::structure: {
      Size size{0, 1};
      for (const std::uint32_t part : module_.parts_of(type)) {
        const Size member = of(part);
        const std::uint64_t alignment = type.packed ? 1 : member.alignment;
        size.bytes = round_up(size.bytes, alignment) + member.bytes;
        size.alignment = std::max(size.alignment, alignment);
      }
      size.bytes = round_up(size.bytes, size.alignment);
      return size;
    }
    default: return {0, 1};
  }
}

std::uint64_t TypeLayout::size_of(std::uint32_t type) { return of(type).bytes; }
std::uint64_t TypeLayout::alignment_of(std::uint32_t type) { return of(type).alignment; }

std::vector<std::uint64_t> TypeLayout::offsets_of(std::uint32_t structure) {
  const Type& type = module_.types[structure];
  std::vector<std::uint64_t> offsets;
  std::uint64_t end = 0;
  for (const std::uint32_t part : module_.parts_of(type)) {
    const Size member = of(part);
    offsets.push_back(round_up(end, type.packed ? 1 : member.alignment));
    end = offsets.back() + member.bytes;
  }
  return offsets;
}

Address address_of(const ModuleQuery& query, const Body& body, std::uint32_t pointer, TypeLayout& layout) {
  const Module& m = query.module;
  Address address;
  address.root = pointer;
  for (unsigned step = 0; step < limits::kIrNesting; ++step) {
    const Constant* const constant = query.constant_of(&body, address.root);
    const Instruction* const instruction = query.instruction_of(body, address.root);
    if (constant == nullptr && instruction == nullptr) return address;
    const bool is_constant_gep = constant != nullptr && constant->kind == ConstantKind::getelementptr;
    const bool is_gep = is_constant_gep || (instruction != nullptr && instruction->opcode == Opcode::getelementptr);
    const Opcode opcode = instruction != nullptr                 ? instruction->opcode
                          : constant->kind == ConstantKind::cast ? constant->opcode
                                                                 : Opcode::invalid;
    const auto operands = m.operands_of(instruction != nullptr ? instruction->operands : constant->operands);
    if (!is_gep && opcode != Opcode::bitcast && opcode != Opcode::addrspacecast) return address;
    if (operands.empty() || !query.is(query.type_of(body, operands[0]), TypeKind::pointer)) return address;
    address.root = operands[0];
    if (!is_gep) continue;
    std::uint32_t type = instruction != nullptr ? instruction->second_type : constant->second_type;
    for (std::size_t i = 1; i < operands.size(); ++i) {
      const auto index = query.integer_of(&body, operands[i]);
      if (i != 1 && query.is(type, TypeKind::structure)) {
        const auto parts = m.parts_of(query.type(type));
        if (!index || *index >= parts.size()) break;
        address.offset += layout.offsets_of(type)[static_cast<std::size_t>(*index)];
        type = parts[static_cast<std::size_t>(*index)];
        continue;
      }
      if (i != 1) type = m.element_of(type);
      const std::uint64_t stride = layout.size_of(type);
      if (const Constant* const number = index ? query.constant_of(&body, operands[i]) : nullptr) {
        address.offset += (number->kind == ConstantKind::null ? 0 : number->bits) * stride;
      } else {
        address.indexes.push_back({operands[i], stride});
      }
    }
  }
  return address;
}

namespace {

/// Writes a constant to its place.
class ConstantWriter {
 public:
  ConstantWriter(const ModuleQuery& query, const Body* body, TypeLayout& layout) : query_(query), body_(body), layout_(layout) {}

  bool write(std::uint32_t id, std::span<std::byte> to, unsigned depth = 0) {
    const Constant* const constant = query_.constant_of(body_, id);
    if (constant == nullptr || depth >= limits::kIrNesting) return false;
    if (constant->kind == ConstantKind::null || constant->kind == ConstantKind::undef) return true;
    const Type& type = query_.type(constant->type);
    if (const auto bits = query_.bits_of(body_, id)) return put(*bits, to);
    switch (constant->kind) {
      case ConstantKind::aggregate: {
        const auto parts = query_.module.operands_of(constant->operands);
        const bool is_structure = type.kind == TypeKind::structure;
        const auto offsets = is_structure ? layout_.offsets_of(constant->type) : std::vector<std::uint64_t>();
        const std::uint64_t stride = is_structure ? 0 : layout_.size_of(query_.module.element_of(constant->type));
        for (std::size_t i = 0; i < parts.size(); ++i) {
          const std::uint64_t at = is_structure ? offsets[i] : i * stride;
          const std::uint64_t size = layout_.size_of(query_.type_of(body_, parts[i]));
          if (at > to.size() || size > to.size() - at || !write(parts[i], to.subspan(at, size), depth + 1)) return false;
        }
        return true;
      }
      case ConstantKind::data:
      case ConstantKind::string:
      case ConstantKind::c_string: {
        const auto literals = query_.module.literals_of(constant->literals);
        const std::uint64_t stride = layout_.size_of(query_.module.element_of(constant->type));
        for (std::size_t i = 0; i < literals.size(); ++i)
          if ((i + 1) * stride > to.size() || !put(literals[i], to.subspan(i * stride, stride))) return false;
        return true;
      }
      default: return false;
    }
  }

 private:
  static bool put(std::uint64_t bits, std::span<std::byte> to) {
    for (std::size_t i = 0; i < to.size() && i < sizeof bits; ++i) to[i] = static_cast<std::byte>(bits >> (i * kBitsPerByte));
    return true;
  }

  const ModuleQuery& query_;
  const Body* body_;
  TypeLayout& layout_;
};

}  // namespace

std::optional<std::vector<std::byte>> bytes_of(const ModuleQuery& query, const Body* body, std::uint32_t constant, TypeLayout& layout,
                                               std::size_t most) {
  const std::uint64_t size = layout.size_of(query.type_of(body, constant));
  if (size > most) return std::nullopt;
  std::vector<std::byte> bytes(static_cast<std::size_t>(size));
  if (!ConstantWriter(query, body, layout).write(constant, bytes)) return std::nullopt;
  return bytes;
}

}  // namespace unshade::dxil

// Questions about the types and values of a module.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <unshade/dxil/module.hpp>

namespace unshade::dxil::module {

/// The address space of what a thread group shares.
inline constexpr std::uint32_t kGroupSharedSpace = 3;

/// Borrows the module. Its ids are valid, as those of every module that was parsed.
struct ModuleQuery {
  const Module& module;

  const Type& type(std::uint32_t id) const { return module.types[id]; }
  bool is(std::uint32_t id, TypeKind kind) const { return module.types[id].kind == kind; }
  bool is_integer(std::uint32_t id, std::uint32_t width) const { return is(id, TypeKind::integer) && type(id).number == width; }
  /// The element of a vector, else the type.
  std::uint32_t scalar_of(std::uint32_t id) const { return is(id, TypeKind::vector) ? module.element_of(id) : id; }
  /// The innermost element of arrays, else the type.
  std::uint32_t innermost(std::uint32_t id) const {
    while (is(id, TypeKind::array)) id = module.element_of(id);
    return id;
  }
  bool is_real(std::uint32_t id) const { return is(id, TypeKind::half) || is(id, TypeKind::float_) || is(id, TypeKind::double_); }
  std::uint32_t type_of(const Body& body, std::uint32_t operand) const { return module.value(&body, operand).type; }
  const Constant* constant_of(const Body* body, std::uint32_t operand) const {
    if ((operand & kMetadataOperand) != 0) return nullptr;
    const Value& value = module.value(body, operand);
    return value.kind == ValueKind::constant ? &module.constants[value.index] : nullptr;
  }
  bool is_undef(const Body& body, std::uint32_t operand) const {
    const Constant* const constant = constant_of(&body, operand);
    return constant != nullptr && constant->kind == ConstantKind::undef;
  }
  /// The value of a constant integer, cut to its width.
  std::optional<std::uint64_t> integer_of(const Body* body, std::uint32_t operand) const;
  /// The function that a call names; kNone if it computes what to call.
  std::uint32_t callee_of(const Body& body, const Instruction& call) const {
    const Value& value = module.value(&body, module.operands[call.operands.first]);
    return value.kind == ValueKind::function ? value.index : kNone;
  }
  /// What a pointer points into, as far as that is a matter of constant members and casts; else the operand's value.
  const Value& constant_root_of(const Body* body, std::uint32_t operand) const;
  std::string_view name_of(const Function& function) const { return module.text(module.values[function.value].name); }
  std::string_view name_of(const Type& structure) const { return module.text(structure.name); }
  /// As an LLVM listing spells it, as far as that is short: `i32`, `float*`, `[4 x float]`, `%dx.types.Handle`.
  std::string text_of(std::uint32_t type) const;
};

/// Calls `visit(number, value id)` with each operand of an instruction that is a value.
template <class Visit>
void for_each_value_operand(const Module& module, const Instruction& i, Visit&& visit) {
  const auto o = module.operands_of(i.operands);
  const auto some = [&](std::size_t first, std::size_t count, std::size_t step) {
    for (std::size_t k = first; k < o.size() && k < count; k += step)
      if ((o[k] & kMetadataOperand) == 0) visit(k, o[k]);
  };
  switch (i.opcode) {
    case Opcode::br: some(2, 3, 1); break;
    case Opcode::switch_:
      some(0, 1, 1);
      some(2, o.size(), 2);
      break;
    case Opcode::indirectbr: some(0, 1, 1); break;
    case Opcode::phi: some(0, o.size(), 2); break;
    case Opcode::extractvalue: some(0, 1, 1); break;
    case Opcode::insertvalue: some(0, 2, 1); break;
    case Opcode::landingpad: some(1, o.size(), 2); break;
    case Opcode::call:
    case Opcode::invoke: {
      const std::size_t arguments = i.opcode == Opcode::call ? 1 : 3;
      some(0, 1, 1);
      const auto parts = module.parts_of(module.types[i.second_type]);
      for (std::size_t k = arguments; k < o.size(); ++k) {
        const std::size_t parameter = k - arguments + 1;
        const bool is_block = parameter < parts.size() && module.types[parts[parameter]].kind == TypeKind::label;
        if (!is_block && (o[k] & kMetadataOperand) == 0) visit(k, o[k]);
      }
      break;
    }
    default: some(0, o.size(), 1); break;
  }
}

}  // namespace unshade::dxil::module

// Questions about the types, values and control flow of a module, and about the program that it holds.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <unshade/core/graph.hpp>
#include <unshade/dxil/enums.hpp>
#include <unshade/dxil/metadata.hpp>
#include <unshade/dxil/module.hpp>

namespace unshade::dxil {

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
  std::uint32_t type_of(const Body& body, std::uint32_t operand) const { return type_of(&body, operand); }
  std::uint32_t type_of(const Body* body, std::uint32_t operand) const { return module.value(body, operand).type; }
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
  /// The bits of a constant integer, half, float or double, zero-extended.
  std::optional<std::uint64_t> bits_of(const Body* body, std::uint32_t operand) const;
  /// The value of a constant half, float or double, exactly.
  std::optional<double> real_of(const Body* body, std::uint32_t operand) const;
  /// The instruction that computes an operand; null for parameters, constants and what belongs to the module.
  const Instruction* instruction_of(const Body& body, std::uint32_t operand) const {
    if ((operand & kMetadataOperand) != 0) return nullptr;
    const Value& value = module.value(&body, operand);
    return value.kind == ValueKind::instruction ? &module.instructions[value.index] : nullptr;
  }
  /// The bits_of() the elements of a constant array, vector or structure. None if it is no such constant, or has more than `most`.
  std::vector<std::optional<std::uint64_t>> elements_of(const Body* body, std::uint32_t operand, std::size_t most) const;
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

/// Borrows both.
struct ProgramQuery : ModuleQuery {
  const ProgramMetadata& program;

  bool is_library() const { return program.kind == ShaderKind::library; }
  /// Whether the shader model is 6.minor or one above it.
  bool has_model(std::uint32_t minor) const { return program.major > 6 || (program.major == 6 && program.minor >= minor); }
  /// Whether the validator that the module is made for is 1.minor or one above it; 0.0 is above all.
  bool has_validator(std::uint32_t minor) const {
    if (!program.has_validator_version) return minor == 0;
    return program.validator_major != 1 || program.validator_minor >= minor;
  }
};

/// The kind of stage that each function is of: an entry of its own, the patch constant function of a hull shader, or a library's.
std::vector<ShaderKind> kinds_of_functions(const ProgramQuery& query);

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

/// Calls `visit` with each block that a terminator may go to, as often as it names it. Blocks are counted from 0 in their function.
template <class Visit>
void for_each_successor(const Module& module, const Instruction& i, Visit&& visit) {
  const auto o = module.operands_of(i.operands);
  const auto from = [&](std::size_t first, std::size_t step) {
    for (std::size_t k = first; k < o.size(); k += step) visit(o[k]);
  };
  switch (i.opcode) {
    case Opcode::br:
      for (std::size_t k = 0; k < o.size() && k < 2; ++k) visit(o[k]);
      break;
    case Opcode::switch_: from(1, 2); break;
    case Opcode::indirectbr: from(1, 1); break;
    case Opcode::invoke:
      for (std::size_t k = 1; k < o.size() && k < 3; ++k) visit(o[k]);
      break;
    default: break;
  }
}

/// The terminator of a block; null if it is empty.
inline const Instruction* terminator_of(const Module& module, const Block& block) {
  return block.instructions.empty() ? nullptr : &module.instructions[block.instructions.end() - 1];
}

/// The blocks of a function and the edges between them.
void build_graph(const Module& module, const Body& body, Graph& graph);

}  // namespace unshade::dxil

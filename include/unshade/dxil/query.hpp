// Questions about the types, values and control flow of a module, and about the program that it holds.
#pragma once

#include <array>
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

/// What an operand of an instruction is. An argument is a value, metadata, or a block if its parameter is a label.
enum class OperandKind : std::uint8_t { value, block, number, argument };

/// What the operands of an instruction are, the same as in the comment of Instruction: some, then those that come as often as need be.
struct OperandLayout {
  std::uint8_t fixed = 0;
  std::uint8_t repeated = 0;
  bool first_is_last = false;  ///< LLVM keeps the first operand after the others in memory
  std::array<OperandKind, 4> kinds{};

  /// An operand that the opcode does not have counts as a value.
  OperandKind kind(std::size_t i) const {
    if (i < fixed) return kinds[i];
    return repeated == 0 ? OperandKind::value : kinds[fixed + (i - fixed) % repeated];
  }
};
const OperandLayout& operand_layout(Opcode opcode);

/// The type of the parameter that an argument of a call or invoke is for; kNone if it is one of `...`.
inline std::uint32_t parameter_type(const Module& module, const Instruction& call, std::size_t operand) {
  const auto parts = module.parts_of(module.types[call.second_type]);
  const std::size_t part = operand + 1 - operand_layout(call.opcode).fixed;
  return part < parts.size() ? parts[part] : kNone;
}

/// Whether an operand is a value or metadata.
inline bool is_used(const Module& module, const Instruction& i, std::size_t operand, const OperandLayout& layout) {
  if (layout.kind(operand) != OperandKind::argument) return layout.kind(operand) == OperandKind::value;
  const std::uint32_t parameter = parameter_type(module, i, operand);
  return parameter == kNone || module.types[parameter].kind != TypeKind::label;
}

/// Calls `visit(number, value id)` with each operand of an instruction that is a value.
template <class Visit>
void for_each_value_operand(const Module& module, const Instruction& i, Visit&& visit) {
  const auto o = module.operands_of(i.operands);
  const OperandLayout& layout = operand_layout(i.opcode);
  for (std::size_t k = 0; k < o.size(); ++k)
    if (is_used(module, i, k, layout) && (o[k] & kMetadataOperand) == 0) visit(k, o[k]);
}

/// Calls `visit` with each operand that is a value or metadata, in the order in which LLVM keeps them in memory.
template <class Visit>
void for_each_operand_in_memory(const Module& module, const Instruction& i, Visit&& visit) {
  const auto o = module.operands_of(i.operands);
  const OperandLayout& layout = operand_layout(i.opcode);
  const std::size_t first = layout.first_is_last && !o.empty() ? 1 : 0;
  for (std::size_t k = first; k < o.size(); ++k)
    if (is_used(module, i, k, layout)) visit(o[k]);
  if (first == 1) visit(o[0]);
}

/// Calls `visit` with each block that a terminator may go to, as often as it names it. Blocks are counted from 0 in their function.
template <class Visit>
void for_each_successor(const Module& module, const Instruction& i, Visit&& visit) {
  if (!is_terminator(i.opcode)) return;
  const auto o = module.operands_of(i.operands);
  const OperandLayout& layout = operand_layout(i.opcode);
  for (std::size_t k = 0; k < o.size(); ++k)
    if (layout.kind(k) == OperandKind::block) visit(o[k]);
}

/// The terminator of a block; null if it is empty.
inline const Instruction* terminator_of(const Module& module, const Block& block) {
  return block.instructions.empty() ? nullptr : &module.instructions[block.instructions.end() - 1];
}

/// The blocks of a function and the edges between them.
void build_graph(const Module& module, const Body& body, Graph& graph);

}  // namespace unshade::dxil

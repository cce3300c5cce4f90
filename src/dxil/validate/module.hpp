// Checks a module: what LLVM asks of any, then what DXIL asks of its own.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <unshade/core/view.hpp>
#include <unshade/dxil/entry_properties.hpp>
#include <unshade/dxil/metadata.hpp>
#include <unshade/dxil/module.hpp>
#include <unshade/dxil/operations.hpp>

#include "core/findings.hpp"
#include "dxil/validate/validate.hpp"

namespace unshade::dxil {

/// Where the first parameter of an operation stands among its call's operands: behind the function and the opcode.
inline constexpr std::size_t kFirstParameter = 2;

/// A module that is being checked, and where its findings go. Borrows all of it.
struct ModuleCheck {
  const Module& module;
  const ProgramMetadata& program;
  Findings& findings;
  std::string place = "module";  ///< what paths begin with: `DXIL/module`
  std::uint64_t offset = 0;      ///< of the bitcode in the file

  void add(const Rule& rule, const std::string& path, std::string message) const {
    findings.add(rule, offset, path.empty() ? place : place + '/' + path, std::move(message));
  }
  /// `instruction`: in Module::instructions.
  void add(const Rule& rule, const Body& body, std::uint32_t instruction, std::string message) const;
  void add_function(const Rule& rule, std::uint32_t function, std::string message) const;

  bool is_library() const { return program.kind == ShaderKind::library; }
  /// Whether the shader model is 6.minor or one above it.
  bool has_model(std::uint32_t minor) const { return program.major > 6 || (program.major == 6 && program.minor >= minor); }
  /// Whether the validator that the module is made for is 1.minor or one above it; 0.0 is above all.
  bool has_validator(std::uint32_t minor) const {
    if (!program.has_validator_version) return minor == 0;
    return program.validator_major != 1 || program.validator_minor >= minor;
  }

  // --- types and values ---------------------------------------------------------------------------------------------------------------
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
  /// The function that a call names; kNone where it computes what to call.
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

/// Whether a function is an operation of DXIL by its name.
bool is_operation_name(std::string_view function);

/// Which row a call of an operation chooses, or null: not a `dx.op.` function, or its opcode is no constant, or there is no such row, or
/// the call has fewer operands than the row.
const OperationInfo* operation_of(const ModuleCheck& check, const Body& body, const Instruction& call);

/// Where an operation may be used: bit i for ShaderKind i.
std::uint32_t stages_of(const OperationInfo& operation);

// Kinds of operations. src: DXC lib/DXIL/DxilOperations.cpp, IsDxilOpGradient, IsDxilOpWave, IsDxilOpFeedback
bool is_gradient(Operation operation);  ///< needs the pixels or lanes beside
bool is_wave(Operation operation);      ///< lanes work together
bool is_feedback(Operation operation);

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

/// The kind of stage that each function is of: an entry of its own, the patch constant function of a hull shader, or a library's.
std::vector<ShaderKind> kinds_of_functions(const ModuleCheck& check);

// What validate_module() is made of, a file each.
struct FunctionNeeds;
void validate_structure(const ModuleCheck& check, bool of_dxil);
void validate_operations(const ModuleCheck& check);
void validate_instructions(const ModuleCheck& check);
void validate_declarations(const ModuleCheck& check);
void validate_metadata(const ModuleCheck& check);
void validate_entries(const ModuleCheck& check);
void validate_signatures(const ModuleCheck& check);
void validate_resources(const ModuleCheck& check);
void validate_resource_uses(const ModuleCheck& check);
void validate_nodes(const ModuleCheck& check);
void validate_outputs(const ModuleCheck& check);
void validate_group_memory(const ModuleCheck& check);
void validate_features(const ModuleCheck& check, const std::vector<FunctionNeeds>& needs);
void validate_compatibility(const ModuleCheck& check, const std::vector<FunctionNeeds>& needs);

}  // namespace unshade::dxil

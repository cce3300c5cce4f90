// Questions about the program that a module holds: its shader model, its operations, the stages of its functions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include <unshade/dxil/enums.hpp>
#include <unshade/dxil/metadata.hpp>
#include <unshade/dxil/operations.hpp>

#include "dxil/module/query.hpp"

namespace unshade::dxil::program {

/// Where the first parameter of an operation stands among its call's operands: after the function and the opcode.
inline constexpr std::size_t kFirstParameter = 2;

/// Borrows both.
struct ProgramQuery : module::ModuleQuery {
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

/// Whether a function is an operation of DXIL by its name.
bool is_operation_name(std::string_view function);

/// Which row a call of an operation chooses, or null: not a `dx.op.` function, or its opcode is no constant, or there is no such row, or
/// the call has fewer operands than the row.
const OperationInfo* operation_of(const module::ModuleQuery& query, const Body& body, const Instruction& call);

/// Where an operation may be used: bit i for ShaderKind i.
std::uint32_t stages_of(const OperationInfo& operation);

// Kinds of operations. src: DXC lib/DXIL/DxilOperations.cpp, IsDxilOpGradient, IsDxilOpWave, IsDxilOpFeedback
bool is_gradient(Operation operation);  ///< needs the pixels or lanes beside
bool is_wave(Operation operation);      ///< lanes work together
bool is_feedback(Operation operation);

/// The kind of stage that each function is of: an entry of its own, the patch constant function of a hull shader, or a library's.
std::vector<ShaderKind> kinds_of_functions(const ProgramQuery& query);

}  // namespace unshade::dxil::program

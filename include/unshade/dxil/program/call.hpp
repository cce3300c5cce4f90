// Calls of DXIL's operations, decoded: the row of the table and the arguments by their names.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include <unshade/dxil/operations.hpp>
#include <unshade/dxil/query.hpp>

namespace unshade::dxil {

/// Whether a function is an operation of DXIL by its name.
bool is_operation_name(std::string_view function);

/// A call of an operation. Borrows the module; has at least the arguments that the row names.
///
///   case Operation::load_input: return input(call.constant("inputSigId"), call.argument("rowIndex"), call.constant("colIndex"));
class Call {
 public:
  Call(const Module& module, const Body& body, const Instruction& instruction, const OperationInfo& row)
      : module_(&module), body_(&body), instruction_(&instruction), row_(&row) {}

  const OperationInfo& row() const { return *row_; }
  Operation operation() const { return row_->operation(); }
  const Instruction& instruction() const { return *instruction_; }
  const Body& body() const { return *body_; }

  /// How many arguments follow the opcode: usually as many as the row has parameters.
  std::size_t size() const { return instruction_->operands.count - kFirst; }
  bool has(Parameter parameter) const { return position(parameter) < size(); }
  /// The place of an argument after the opcode; size() if there is none.
  std::size_t position(Parameter parameter) const { return row_->find(parameter).value_or(size()); }
  /// Value ids, as in Module::operands. kNone for an argument that the call lacks, which is no constant, but undefined.
  std::uint32_t argument(Parameter parameter) const { return argument_at(position(parameter)); }
  std::uint32_t argument_at(std::size_t position) const {
    return position < size() ? module_->operands[instruction_->operands.first + kFirst + position] : kNone;
  }
  /// The type of an argument.
  std::uint32_t type_of(Parameter parameter) const { return query().type_of(*body_, argument(parameter)); }
  /// The value of an argument that is a constant integer, zero-extended.
  std::optional<std::uint64_t> constant(Parameter parameter) const { return query().integer_of(body_, argument(parameter)); }
  /// The value of an argument that is a constant half, float or double.
  std::optional<double> real(Parameter parameter) const { return query().real_of(body_, argument(parameter)); }
  /// Whether it is a constant of any kind, also an undefined one.
  bool is_constant(Parameter parameter) const { return query().constant_of(body_, argument(parameter)) != nullptr; }
  bool is_undefined(Parameter parameter) const {
    const std::uint32_t id = argument(parameter);
    return id == kNone || query().is_undef(*body_, id);
  }
  /// The type for which the operation is overloaded, by its first overloaded operand; that of a result's first member for loads. kNone if
  /// it is not overloaded.
  std::uint32_t overload() const;

 private:
  static constexpr std::size_t kFirst = 2;  ///< after the function and the opcode

  ModuleQuery query() const { return {*module_}; }

  const Module* module_;
  const Body* body_;
  const Instruction* instruction_;
  const OperationInfo* row_;
};

/// The opcode that a call of a `dx.op.` function carries, whether there is such an operation or not; nothing for other instructions and if
/// it is no constant.
std::optional<std::uint32_t> opcode_of(const ModuleQuery& query, const Body& body, const Instruction& instruction);
/// The same for an instruction that is known to be such a call.
std::optional<std::uint32_t> stated_opcode(const ModuleQuery& query, const Body& body, const Instruction& call);
/// Nothing if it has no opcode_of(), if there is no such row, and if it has fewer arguments than the row.
std::optional<Call> call_of(const ModuleQuery& query, const Body& body, const Instruction& instruction);
/// The call that computes an operand.
std::optional<Call> call_of(const ModuleQuery& query, const Body& body, std::uint32_t operand);
/// The operation of a call_of().
std::optional<Operation> operation_of(const ModuleQuery& query, const Body& body, const Instruction& instruction);

}  // namespace unshade::dxil

#include <unshade/dxil/program/call.hpp>

#include <algorithm>

#include <unshade/dxil/entry_properties.hpp>

namespace unshade::dxil {

bool is_operation_name(std::string_view function) { return function.starts_with("dx.op."); }

std::uint32_t Call::overload() const {
  if (row_->overload_word == OperationInfo::kNoOverload) return kNone;
  std::string_view word = row_->types;
  for (unsigned i = 0; i < row_->overload_word; ++i) word.remove_prefix(word.find(' ') + 1);
  word = word.substr(0, word.find_first_of(" !"));
  const std::uint32_t type =
      row_->overload_word == 0 ? instruction_->type : query().type_of(*body_, argument(row_->overload_word - std::size_t{1}));
  if (word != "$r" && word != "$cb" && !word.starts_with("$vec")) return type;
  const auto parts = module_->parts_of(query().type(type));
  return parts.empty() ? kNone : parts[0];
}

std::optional<std::uint32_t> opcode_of(const ModuleQuery& query, const Body& body, const Instruction& instruction) {
  if (instruction.opcode != Opcode::call) return std::nullopt;
  const std::uint32_t callee = query.callee_of(body, instruction);
  if (callee == kNone || !is_operation_name(query.name_of(query.module.functions[callee]))) return std::nullopt;
  return stated_opcode(query, body, instruction);
}

std::optional<std::uint32_t> stated_opcode(const ModuleQuery& query, const Body& body, const Instruction& call) {
  if (call.operands.count < 2) return std::nullopt;
  const auto opcode = query.integer_of(&body, query.module.operands[call.operands.first + std::size_t{1}]);
  return opcode ? std::optional(static_cast<std::uint32_t>(*opcode)) : std::nullopt;
}

std::optional<Call> call_of(const ModuleQuery& query, const Body& body, const Instruction& instruction) {
  const auto opcode = opcode_of(query, body, instruction);
  const OperationInfo* const row = opcode ? find_operation(*opcode) : nullptr;
  // A function of another type may have fewer parameters than the operation.
  if (row == nullptr || instruction.operands.count < row->parameter_count + 2U) return std::nullopt;
  return Call(query.module, body, instruction, *row);
}

std::optional<Call> call_of(const ModuleQuery& query, const Body& body, std::uint32_t operand) {
  const Instruction* const instruction = query.instruction_of(body, operand);
  return instruction == nullptr ? std::nullopt : call_of(query, body, *instruction);
}

std::optional<Operation> operation_of(const ModuleQuery& query, const Body& body, const Instruction& instruction) {
  const auto call = call_of(query, body, instruction);
  return call ? std::optional(call->operation()) : std::nullopt;
}

std::vector<ShaderKind> kinds_of_functions(const ProgramQuery& query) {
  std::vector<ShaderKind> kinds(query.module.functions.size(), query.is_library() ? ShaderKind::library : query.program.kind);
  for (const EntryPoint& entry : query.program.entries) {
    if (entry.function == kNone) continue;
    const EntryProperties properties = read_entry_properties(query.program, entry);
    kinds[entry.function] = properties.kind;
    if (properties.patch_constant_function != kNone) kinds[properties.patch_constant_function] = ShaderKind::hull;
  }
  return kinds;
}

}  // namespace unshade::dxil

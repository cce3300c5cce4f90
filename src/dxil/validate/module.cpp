#include "dxil/validate/module.hpp"

#include <utility>

#include "dxil/program/function_requirements.hpp"

namespace unshade::dxil::validate {

void ModuleCheck::add(const Rule& rule, const Body& body, std::uint32_t instruction, std::string message) const {
  const std::uint64_t at = instruction < module.instructions.size() ? module.instructions[instruction].offset : offset;
  findings.add(
      rule, at,
      place + "/function[" + std::to_string(body.function) + "]/instruction[" + std::to_string(instruction - body.instructions.first) + ']',
      std::move(message));
}

void ModuleCheck::add_function(const Rule& rule, std::uint32_t function, std::string message) const {
  add(rule, "function[" + std::to_string(function) + ']', std::move(message));
}

void validate_module(const Module& module, const ProgramMetadata& program, std::string place, std::uint64_t offset, bool of_dxil,
                     Findings& findings) {
  const ModuleCheck check{{{module}, program}, findings, std::move(place), offset};
  validate_structure(check, of_dxil);
  if (!of_dxil) return;
  validate_metadata(check);
  validate_declarations(check);
  validate_operations(check);
  validate_instructions(check);
  validate_entries(check);
  validate_nodes(check);
  validate_signatures(check);
  validate_outputs(check);
  validate_resources(check);
  validate_resource_uses(check);
  validate_group_memory(check);
  const std::vector<program::FunctionRequirements> needs = program::requirements_of_functions(check);
  validate_features(check, needs);
  validate_compatibility(check, needs);
}

void validate_bitcode(View bitcode, Findings& findings) {
  const auto module = parse_module(bitcode);
  if (!module) return findings.add(rules::kBitcodeValid, module.error().offset, module.error().path, module.error().message);
  const ProgramMetadata program = read_program_metadata(*module);
  validate_module(*module, program, "module", bitcode.file_offset(), true, findings);
}

}  // namespace unshade::dxil::validate

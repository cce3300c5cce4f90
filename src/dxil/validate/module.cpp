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

void check_module(const Module& module, const ProgramMetadata& program, std::string place, std::uint64_t offset, bool of_dxil,
                  Findings& findings) {
  const ModuleCheck check{{{module}, program}, findings, std::move(place), offset};
  check_structure(check, of_dxil);
  if (!of_dxil) return;
  check_metadata(check);
  check_declarations(check);
  check_operations(check);
  check_instructions(check);
  check_entries(check);
  check_nodes(check);
  check_signatures(check);
  check_outputs(check);
  check_resources(check);
  check_resource_uses(check);
  check_group_memory(check);
  const std::vector<program::FunctionRequirements> needs = program::requirements_of_functions(check);
  check_features(check, needs);
  check_compatibility(check, needs);
}

void check_bitcode(View bitcode, Findings& findings, const ModuleSource& modules) {
  const auto module = modules.module(bitcode);
  if (!module) return findings.add(rules::kBitcodeValid, module.error().offset, module.error().path, module.error().message);
  const ProgramMetadata program = read_program_metadata(**module);
  check_module(**module, program, "module", bitcode.file_offset(), true, findings);
}

}  // namespace unshade::dxil::validate

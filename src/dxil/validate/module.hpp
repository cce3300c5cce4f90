// Checks a module: what LLVM asks of any, then what DXIL asks of its own.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <unshade/core/findings.hpp>
#include <unshade/core/view.hpp>
#include <unshade/dxil/entry_properties.hpp>
#include <unshade/dxil/metadata.hpp>
#include <unshade/dxil/module.hpp>
#include <unshade/dxil/program/call.hpp>

#include "dxil/program/function_requirements.hpp"
#include "dxil/validate/validate.hpp"

namespace unshade::dxil::validate {

/// A module that is being checked, and where its findings go. Borrows all of it.
struct ModuleCheck : ProgramQuery {
  Findings& findings;
  std::string place = "module";  ///< what paths begin with: `DXIL/module`
  std::uint64_t offset = 0;      ///< of the bitcode in the file

  void add(const Rule& rule, const std::string& path, std::string message) const {
    findings.add(rule, offset, path.empty() ? place : place + '/' + path, std::move(message));
  }
  /// `instruction`: in Module::instructions.
  void add(const Rule& rule, const Body& body, std::uint32_t instruction, std::string message) const;
  void add_function(const Rule& rule, std::uint32_t function, std::string message) const;
};

// What check_module() is made of, a file each.
void check_structure(const ModuleCheck& check, bool of_dxil);
void check_operations(const ModuleCheck& check);
void check_instructions(const ModuleCheck& check);
void check_declarations(const ModuleCheck& check);
void check_metadata(const ModuleCheck& check);
void check_entries(const ModuleCheck& check);
void check_signatures(const ModuleCheck& check);
void check_resources(const ModuleCheck& check);
void check_resource_uses(const ModuleCheck& check);
void check_nodes(const ModuleCheck& check);
void check_outputs(const ModuleCheck& check);
void check_group_memory(const ModuleCheck& check);
void check_features(const ModuleCheck& check, const std::vector<program::FunctionRequirements>& needs);
void check_compatibility(const ModuleCheck& check, const std::vector<program::FunctionRequirements>& needs);

}  // namespace unshade::dxil::validate

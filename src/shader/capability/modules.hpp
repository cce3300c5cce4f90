// The SPIR-V modules in files of the families.
#pragma once

#include <vector>

#include <unshade/core/result.hpp>
#include <unshade/shader/shader.hpp>
#include <unshade/shader/spirv_modules.hpp>

namespace unshade::shader::capability {

struct ModulesRow {
  Family family = Family::unknown;
  Result<std::vector<ModuleBytes>> (*modules)(const Shader& shader) = nullptr;
};

const ModulesRow& modules_row(Family family);

/// Those of a file of such a family. Errors: missing if it has none; those of the family.
Result<std::vector<ModuleBytes>> all_modules(const Shader& shader);

}  // namespace unshade::shader::capability

#include "shader/capability/modules.hpp"

#include <variant>

#include <unshade/vbc/file.hpp>

#include "shader/family/family.hpp"

namespace unshade::shader::capability {

namespace {

Result<std::vector<ModuleBytes>> spirv_modules(const Shader& shader) {
  return std::vector<ModuleBytes>{{.stage = {}, .bytes = shader.file}};
}

/// A VBC is made for Vulkan 1.2 with scalar blocks. src: docs/reference/formats/vbc.md
Result<std::vector<ModuleBytes>> vbc_modules(const Shader& shader) {
  std::vector<ModuleBytes> modules;
  const auto& file = std::get<vbc::File>(shader.content);
  for (std::size_t i = 0; i < vbc::kStages; ++i)
    if (!file.stages[i].empty())
      modules.push_back(
          {id(static_cast<vbc::Stage>(i)), shader.file.clamped(file.places.stages[i], file.stages[i].size()), "vulkan1.2", true});
  return modules;
}

constexpr ModulesRow kModules[] = {
    {Family::spirv, spirv_modules},
    {Family::vbc, vbc_modules},
};

}  // namespace

const ModulesRow& modules_row(Family family) { return family::find_row(kModules, family); }

Result<std::vector<ModuleBytes>> all_modules(const Shader& shader) {
  auto modules = modules_row(shader.family).modules(shader);
  if (modules && modules->empty()) return Error{ErrorCode::missing, shader.file.file_offset(), "stages", "the file has no code"};
  return modules;
}

}  // namespace unshade::shader::capability

#include <unshade/shader/spirv_modules.hpp>

#include <utility>

#include <unshade/ir/lower_spirv.hpp>

#include "shader/capability/modules.hpp"

namespace unshade::shader {

Result<std::vector<ModuleBytes>> modules_of(const Shader& shader) {
  const capability::ModulesRow& row = capability::modules_row(shader.family);
  if (row.modules != nullptr)
    if (auto modules = row.modules(shader); !modules || !modules->empty()) return modules;
  return Error{ErrorCode::missing, shader.file.file_offset(), "file", "the file has no SPIR-V"};
}

Result<spirv::Module> module_with_entry(const Shader& shader, std::string_view entry, Stage stage) {
  const bool has_modules = capability::modules_row(shader.family).modules != nullptr;
  const auto modules = has_modules ? capability::all_modules(shader) : modules_of(shader);
  if (!modules) return modules.error();
  std::vector<spirv::Module> parsed;
  for (const ModuleBytes& one : *modules) {
    auto module = spirv::parse(one.bytes);
    if (!module) return std::move(module).error();
    parsed.push_back(std::move(*module));
  }
  if (parsed.size() == 1) return std::move(parsed.front());
  const auto found = ir::module_of_entry(parsed, {.entry = entry, .stage = stage});
  if (!found) return found.error();
  return std::move(parsed[*found]);
}

}  // namespace unshade::shader

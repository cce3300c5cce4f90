#include <unshade/shader/spirv_modules.hpp>

#include "shader/capability/modules.hpp"

namespace unshade::shader {

Result<std::vector<ModuleBytes>> modules_of(const Shader& shader) {
  const capability::ModulesRow& row = capability::modules_row(shader.family);
  if (row.modules != nullptr)
    if (auto modules = row.modules(shader); !modules || !modules->empty()) return modules;
  return Error{ErrorCode::missing, shader.file.file_offset(), "file", "the file has no SPIR-V"};
}

}  // namespace unshade::shader

#include <unshade/shader/spirv_modules.hpp>

#include "shader/family/family.hpp"

namespace unshade::shader {

Result<std::vector<ModuleBytes>> modules_of(const Shader& shader) {
  const family::FamilyRow& row = family::row_of(shader);
  if (row.modules != nullptr)
    if (auto modules = row.modules(shader); !modules || !modules->empty()) return modules;
  return Error{ErrorCode::missing, shader.file.file_offset(), "file", "the file has no SPIR-V"};
}

}  // namespace unshade::shader

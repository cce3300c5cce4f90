#include <unshade/shader/spirv_modules.hpp>

#include <unshade/vbc/file.hpp>

namespace unshade::shader {

Result<std::vector<ModuleBytes>> modules_of(const Shader& shader) {
  std::vector<ModuleBytes> modules;
  if (shader.family == Family::spirv) {
    modules.push_back({{}, shader.file});
  } else if (shader.family == Family::vbc) {
    const auto file = vbc::parse(shader.file);
    if (!file) return file.error();
    for (std::size_t i = 0; i < vbc::kStages; ++i)
      if (!file->stages[i].empty())
        modules.push_back({id(static_cast<vbc::Stage>(i)), shader.file.clamped(file->places.stages[i], file->stages[i].size())});
  }
  if (modules.empty()) return Error{ErrorCode::missing, shader.file.file_offset(), "file", "the file holds no SPIR-V"};
  return modules;
}

}  // namespace unshade::shader

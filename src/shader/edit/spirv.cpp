// Edits of SPIR-V modules.
#include <span>
#include <variant>

#include <unshade/spirv/edit.hpp>
#include <unshade/spirv/edit_names.hpp>
#include <unshade/spirv/module.hpp>

#include "shader/edit/edits.hpp"

namespace unshade::shader::edit {

Result<Edited> strip_spirv(const Shader& shader, const Strip& options) {
  return edited(shader, spirv::strip(std::get<spirv::Module>(shader.content), options));
}

Result<Edited> rename_spirv(const Shader& shader, std::span<const Rename> renames) {
  return spirv::rename(std::get<spirv::Module>(shader.content), renames);
}

Result<Edited> rebind_spirv(const Shader& shader, std::span<const Rebind> rebinds) {
  return spirv::rebind(std::get<spirv::Module>(shader.content), rebinds);
}

}  // namespace unshade::shader::edit

#include <utility>

#include <unshade/spirv/edit_names.hpp>
#include <unshade/spirv/module.hpp>

#include "shader/edit/names.hpp"

namespace unshade::shader::edit {

namespace {

Result<Edited> finish(const Shader& shader, Result<spirv::ModuleEdit> made) {
  if (!made) return std::move(made).error();
  return edited(shader, std::move(made->bytes), std::move(made->notes));
}

}  // namespace

Result<Edited> rename_spirv(const Shader& shader, const std::span<const Rename>& renames) {
  return finish(shader, spirv::rename(std::get<spirv::Module>(shader.content), renames));
}

Result<Edited> rebind_spirv(const Shader& shader, const std::span<const Rebind>& rebinds) {
  return finish(shader, spirv::rebind(std::get<spirv::Module>(shader.content), rebinds));
}

}  // namespace unshade::shader::edit

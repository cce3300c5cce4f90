#include <utility>

#include <unshade/spirv/edit_names.hpp>
#include <unshade/spirv/module.hpp>

#include "shader/edit/names.hpp"
#include "shader/edit/names_spirv.hpp"

namespace unshade::shader::edit {

namespace {

spirv::Named named(Rename::What what) {
  switch (what) {
    case Rename::What::entry: return spirv::Named::entry;
    case Rename::What::input: return spirv::Named::input;
    case Rename::What::output: return spirv::Named::output;
    case Rename::What::patch: return spirv::Named::patch;
    case Rename::What::variable: return spirv::Named::variable;
    default: return spirv::Named::resource;
  }
}

Result<Edited> finish(const Shader& shader, Result<spirv::ModuleEdit> made) {
  if (!made) return std::move(made).error();
  return edited(shader, std::move(made->bytes), std::move(made->notes));
}

}  // namespace

Result<std::vector<spirv::Rename>> module_renames(const Shader& shader, std::span<const Rename> renames) {
  std::vector<spirv::Rename> made;
  for (const Rename& r : renames) {
    if (r.what == Rename::What::node) return no_nodes(shader);
    made.push_back({named(r.what), r.from, r.to});
  }
  return made;
}

Result<std::vector<spirv::Rebind>> module_rebinds(const Shader& shader, std::span<const Rebind> rebinds) {
  std::vector<spirv::Rebind> made;
  for (const Rebind& r : rebinds) {
    if (r.kind != 0)
      return Error{ErrorCode::bad_value, shader.file.file_offset(), "rebind", "expected a binding number and set without a letter"};
    made.push_back({r.from, r.from_space, r.to, r.to_space});
  }
  return made;
}

Result<Edited> rename_spirv(const Shader& shader, const std::span<const Rename>& renames) {
  const auto wanted = module_renames(shader, renames);
  if (!wanted) return wanted.error();
  return finish(shader, spirv::rename(std::get<spirv::Module>(shader.content), *wanted));
}

Result<Edited> rebind_spirv(const Shader& shader, const std::span<const Rebind>& rebinds) {
  const auto wanted = module_rebinds(shader, rebinds);
  if (!wanted) return wanted.error();
  return finish(shader, spirv::rebind(std::get<spirv::Module>(shader.content), *wanted));
}

}  // namespace unshade::shader::edit

#include <algorithm>
#include <utility>

#include <unshade/vbc/edit_names.hpp>

#include "shader/edit_names.hpp"
#include "shader/edit_names_spirv.hpp"

namespace unshade::shader {

Result<Edited> rename_vbc(const Shader& shader, const std::span<const Rename>& renames) {
  auto file = vbc::parse(shader.file);
  if (!file) return std::move(file).error();
  const auto wanted = module_renames(shader, renames);
  if (!wanted) return wanted.error();
  auto notes = vbc::rename(*file, *wanted);
  if (!notes) return std::move(notes).error();
  Edited edited{vbc::write(*file), false, *std::move(notes)};
  edited.changed = !std::ranges::equal(edited.bytes, shader.file.bytes());
  return edited;
}

// Which slot a resource has, only the code tells: it takes halves of push constants apart. A table that says another would not be followed.
Result<Edited> rebind_vbc(const Shader& shader, const std::span<const Rebind>&) {
  return Error{ErrorCode::unsupported, shader.file.file_offset(), "bindings",
               "the slots stand in the code of the stages too, as arithmetic on push constants: they cannot be moved"};
}

}  // namespace unshade::shader

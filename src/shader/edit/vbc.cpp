// Edits of VBC files.
#include <string>
#include <utility>
#include <vector>

#include <unshade/vbc/edit.hpp>
#include <unshade/vbc/edit_names.hpp>

#include "shader/edit/edits.hpp"

namespace unshade::shader::edit {

Result<Edited> strip_vbc(const Shader& shader, const Strip& options) {
  vbc::File file = std::get<vbc::File>(shader.content);
  if (auto done = vbc::strip(file, options); !done) return std::move(done).error();
  return edited(shader, vbc::write(file));
}

Result<Edited> rename_vbc(const Shader& shader, std::span<const Rename> renames) {
  vbc::File file = std::get<vbc::File>(shader.content);
  auto notes = vbc::rename(file, renames);
  if (!notes) return std::move(notes).error();
  return edited(shader, vbc::write(file), *std::move(notes));
}

Result<Edited> rebind_vbc(const Shader& shader, std::span<const Rebind> rebinds) {
  vbc::File file = std::get<vbc::File>(shader.content);
  if (auto done = vbc::rebind(file, rebinds); !done) return std::move(done).error();
  return edited(shader, vbc::write(file));
}

}  // namespace unshade::shader::edit

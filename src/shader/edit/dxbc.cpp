// Other names and registers in DXBC.
#include <unshade/dxbc/edit.hpp>

#include "shader/edit/container.hpp"
#include "shader/edit/edits.hpp"

namespace unshade::shader::edit {

Result<Edited> rename_dxbc(const Shader& shader, std::span<const Rename> renames) {
  return edit_parts(shader, [&](const dxcontainer::Container& container) { return dxbc::rename(container, renames); });
}

Result<Edited> rebind_dxbc(const Shader& shader, std::span<const Rebind> rebinds) {
  return edit_parts(shader, [&](const dxcontainer::Container& container) { return dxbc::rebind(container, rebinds); });
}

}  // namespace unshade::shader::edit

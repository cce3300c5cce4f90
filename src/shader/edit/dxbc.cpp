// Other names and registers in DXBC.
#include <vector>

#include <unshade/dxbc/edit.hpp>

#include "shader/edit/container.hpp"
#include "shader/edit/names.hpp"

namespace unshade::shader::edit {

Result<Edited> rename_dxbc(const Shader& shader, const std::span<const Rename>& renames) {
  std::vector<dxbc::Rename> wanted;
  for (const Rename& rename : renames) wanted.push_back({name_kind(rename.what), rename.from, rename.to});
  return edit_parts(shader, [&](const dxcontainer::Container& container) { return dxbc::rename(container, wanted); });
}

Result<Edited> rebind_dxbc(const Shader& shader, const std::span<const Rebind>& rebinds) {
  std::vector<dxbc::Rebind> wanted;
  for (const Rebind& r : rebinds) wanted.push_back({r.kind, r.from, r.from_space, r.to, r.to_space});
  return edit_parts(shader, [&](const dxcontainer::Container& container) { return dxbc::rebind(container, wanted); });
}

}  // namespace unshade::shader::edit

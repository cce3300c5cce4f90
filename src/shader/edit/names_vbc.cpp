#include <algorithm>
#include <utility>
#include <vector>

#include <unshade/vbc/edit.hpp>
#include <unshade/vbc/edit_names.hpp>

#include "shader/edit/names.hpp"
#include "shader/edit/names_spirv.hpp"

namespace unshade::shader::edit {

Result<Edited> rename_vbc(const Shader& shader, const std::span<const Rename>& renames) {
  vbc::File file = std::get<vbc::File>(shader.content);
  const auto wanted = module_renames(shader, renames);
  if (!wanted) return wanted.error();
  auto notes = vbc::rename(file, *wanted);
  if (!notes) return std::move(notes).error();
  return edited(shader, vbc::write(file), *std::move(notes));
}

Result<Edited> rebind_vbc(const Shader& shader, const std::span<const Rebind>& rebinds) {
  vbc::File file = std::get<vbc::File>(shader.content);
  std::vector<vbc::SlotChange> changes;
  constexpr std::uint32_t kMost = 0xff;
  for (const Rebind& r : rebinds) {
    if (r.kind != 0 || r.from_space != 0 || r.to_space.value_or(0) != 0)
      return Error{ErrorCode::bad_value, shader.file.file_offset(), "bindings", "expected a slot number without a letter or set"};
    changes.push_back({static_cast<std::uint8_t>(std::min(r.from, kMost)), static_cast<std::uint8_t>(std::min(r.to, kMost))});
  }
  if (auto done = vbc::rebind(file, changes); !done) return std::move(done).error();
  return edited(shader, vbc::write(file));
}

}  // namespace unshade::shader::edit

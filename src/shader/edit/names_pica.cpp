#include <algorithm>
#include <utility>

#include <unshade/pica/edit_names.hpp>

#include "shader/edit/names.hpp"

namespace unshade::shader::edit {

namespace {

Result<pica::Named> named(const Shader& shader, Rename::What what) {
  switch (what) {
    case Rename::What::entry: return pica::Named::label;
    case Rename::What::input: return pica::Named::input;
    case Rename::What::resource:
    case Rename::What::variable: return pica::Named::uniform;
    case Rename::What::node: return no_nodes(shader);
    default:
      return Error{ErrorCode::unsupported, shader.file.file_offset(), "outputs", "outputs have no names: the rasterizer uses them by type"};
  }
}

/// Has `change` at the model of a DVLB or DVOJ, and writes it.
template <class Change>
Result<Edited> edit_model(const Shader& shader, Change&& change) {
  const auto edit = [&](auto model, auto write) -> Result<Edited> {
    std::vector<std::string> notes;
    auto changed = change(model, notes);
    if (!changed) return std::move(changed).error();
    if (!*changed) return unchanged(shader);
    const bool has_gaps = !model.origin.gaps.empty();
    Edited edited{write(model), true, std::move(notes)};
    if (has_gaps && edited.bytes.size() != shader.file.size())
      edited.notes.emplace_back("bytes outside of the file's tables are removed by the new layout");
    return edited;
  };
  if (const auto* const object = std::get_if<pica::Object>(&shader.content)) return edit(*object, pica::write_object);
  return edit(std::get<pica::Shbin>(shader.content), pica::write_shbin);
}

}  // namespace

Result<Edited> rename_pica(const Shader& shader, const std::span<const Rename>& renames) {
  std::vector<pica::Rename> wanted;
  for (const Rename& rename : renames) {
    const auto what = named(shader, rename.what);
    if (!what) return what.error();
    wanted.push_back({*what, rename.from, rename.to});
  }
  return edit_model(shader, [&](auto& model, std::vector<std::string>&) { return pica::rename(model, wanted); });
}

Result<Edited> rebind_pica(const Shader& shader, const std::span<const Rebind>& rebinds) {
  std::vector<pica::Rebind> wanted;
  for (const Rebind& rebind : rebinds) {
    if (rebind.from_space != 0 || rebind.to_space.value_or(0) != 0)
      return Error{ErrorCode::bad_value, shader.file.file_offset(), "rebind", "PICA200 has no register spaces"};
    wanted.push_back({rebind.kind, rebind.from, rebind.to});
  }
  return edit_model(shader, [&](auto& model, std::vector<std::string>& notes) { return pica::rebind(model, wanted, notes); });
}

}  // namespace unshade::shader::edit

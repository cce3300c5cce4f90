// Edits of SHBIN files and objects.
#include <string>
#include <utility>
#include <vector>

#include <unshade/pica/edit.hpp>
#include <unshade/pica/edit_names.hpp>

#include "shader/edit/edits.hpp"

namespace unshade::shader::edit {

namespace {

/// `write` gives the bytes of a model that strip() has been at.
template <class Model>
Edited strip_model(const Shader& shader, Model model, std::vector<std::byte> (*write)(const Model&), const Strip& options) {
  const bool has_gaps = !model.origin.gaps.empty();
  if (!pica::strip(model, options)) return unchanged(shader);
  Edited edited{write(model), true, {}};
  if (has_gaps) edited.notes.emplace_back("bytes outside of the file's tables are removed by the new layout");
  return edited;
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
    // Structures that share bytes are parted: what is changed in one would change the other.
    if (model.origin.shared != 0) model.origin.placed = false;
    Edited edited{write(model), true, std::move(notes)};
    if (has_gaps && edited.bytes.size() != shader.file.size())
      edited.notes.emplace_back("bytes outside of the file's tables are removed by the new layout");
    return edited;
  };
  if (const auto* const object = std::get_if<pica::Object>(&shader.content)) return edit(*object, pica::write_object);
  return edit(std::get<pica::Shbin>(shader.content), pica::write_shbin);
}

}  // namespace

Result<Edited> strip_pica(const Shader& shader, const Strip& options) {
  if (const auto* const object = std::get_if<pica::Object>(&shader.content))
    return strip_model(shader, *object, pica::write_object, options);
  return strip_model(shader, std::get<pica::Shbin>(shader.content), pica::write_shbin, options);
}

Result<Edited> rename_pica(const Shader& shader, std::span<const Rename> renames) {
  return edit_model(shader, [&](auto& model, std::vector<std::string>&) { return pica::rename(model, renames); });
}

Result<Edited> rebind_pica(const Shader& shader, std::span<const Rebind> rebinds) {
  return edit_model(shader, [&](auto& model, std::vector<std::string>& notes) { return pica::rebind(model, rebinds, notes); });
}

}  // namespace unshade::shader::edit

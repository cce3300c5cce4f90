#include "shader/edit/pica.hpp"

#include <utility>

#include <unshade/pica/edit.hpp>

#include "shader/edit/names.hpp"

namespace unshade::shader::edit {

namespace {

/// `write` gives the bytes of a model that strip() has been at.
template <class Model>
Edited strip_model(const Shader& shader, Model model, std::vector<std::byte> (*write)(const Model&), const pica::StripOptions& options) {
  const bool has_gaps = !model.origin.gaps.empty();
  if (!pica::strip(model, options)) return unchanged(shader);
  Edited edited{write(model), true, {}};
  if (has_gaps) edited.notes.emplace_back("bytes outside of the file's tables are removed by the new layout");
  return edited;
}

}  // namespace

Result<Edited> strip_pica(const Shader& shader, const StripOptions& options) {
  const pica::StripOptions how{.lines = options.debug, .labels = options.debug, .uniforms = options.names};
  if (const auto* const object = std::get_if<pica::Object>(&shader.content)) return strip_model(shader, *object, pica::write_object, how);
  return strip_model(shader, std::get<pica::Shbin>(shader.content), pica::write_shbin, how);
}

}  // namespace unshade::shader::edit

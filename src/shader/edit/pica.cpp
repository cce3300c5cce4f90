#include "shader/edit/pica.hpp"

#include <utility>

#include <unshade/pica/edit.hpp>

namespace unshade::shader::edit {

namespace {

Edited unchanged(View file) { return {{file.bytes().begin(), file.bytes().end()}, false, {}}; }

/// `write` gives the bytes of a model that strip() has been at.
template <class Model>
Edited strip_model(View file, Model& model, std::vector<std::byte> (*write)(const Model&), const pica::StripOptions& options) {
  const bool has_gaps = !model.origin.gaps.empty();
  if (!pica::strip(model, options)) return unchanged(file);
  Edited edited{write(model), true, {}};
  if (has_gaps) edited.notes.emplace_back("bytes outside of the file's tables are removed by the new layout");
  return edited;
}

}  // namespace

Result<Edited> strip_pica(const Shader& shader, const StripOptions& options) {
  const pica::StripOptions how{.lines = options.debug, .labels = options.debug, .uniforms = options.names};
  if (pica::is_object(shader.file)) {
    auto object = pica::parse_object(shader.file);
    if (!object) return std::move(object).error();
    return strip_model(shader.file, *object, pica::write_object, how);
  }
  auto shbin = pica::parse_shbin(shader.file);
  if (!shbin) return std::move(shbin).error();
  return strip_model(shader.file, *shbin, pica::write_shbin, how);
}

}  // namespace unshade::shader::edit

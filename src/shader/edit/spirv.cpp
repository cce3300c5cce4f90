// Edits of SPIR-V modules.
#include "shader/edit/spirv.hpp"

#include <algorithm>
#include <utility>

#include <unshade/spirv/edit.hpp>
#include <unshade/spirv/module.hpp>

namespace unshade::shader::edit {

Result<Edited> strip_spirv(const Shader& shader, const StripOptions& options) {
  const auto module = spirv::parse(shader.file);
  if (!module) return module.error();
  Edited edited;
  edited.bytes = spirv::strip(*module, {.debug = options.debug, .reflection = options.reflection});
  edited.changed = edited.bytes.size() != shader.file.size();  // instructions go whole or not at all
  return edited;
}

}  // namespace unshade::shader::edit

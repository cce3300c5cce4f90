// Edits of SPIR-V modules.
#include "shader/edit/spirv.hpp"

#include <unshade/spirv/edit.hpp>
#include <unshade/spirv/module.hpp>

namespace unshade::shader::edit {

Result<Edited> strip_spirv(const Shader& shader, const StripOptions& options) {
  Edited edited;
  edited.bytes = spirv::strip(std::get<spirv::Module>(shader.content), {.debug = options.debug, .reflection = options.reflection});
  edited.changed = edited.bytes.size() != shader.file.size();  // instructions go whole or not at all
  return edited;
}

}  // namespace unshade::shader::edit

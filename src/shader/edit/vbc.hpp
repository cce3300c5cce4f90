// Edits of VBC files.
#pragma once

#include <unshade/shader/edit.hpp>
#include <unshade/shader/shader.hpp>

namespace unshade::shader::edit {

Result<Edited> strip_vbc(const Shader& shader, const StripOptions& options);

}  // namespace unshade::shader::edit

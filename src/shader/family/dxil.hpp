// The bitcode in files of DXIL: containers, program databases with a container inside, and bitcode alone.
#pragma once

#include <unshade/core/result.hpp>
#include <unshade/core/view.hpp>
#include <unshade/dxil/module.hpp>
#include <unshade/shader/shader.hpp>

namespace unshade::shader::family {

/// The modules of the shader, for those who read parts of its file.
dxil::ModuleSource source_of(const Shader& shader);
/// The bitcode of the program: the file's, or that of its part. `listed`: the one with debug information, if there is one.
Result<View> program_bitcode(const Shader& shader, bool listed = false);

}  // namespace unshade::shader::family

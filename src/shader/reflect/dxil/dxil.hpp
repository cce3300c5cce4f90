// Fills the reflection model from a DXIL container: from STAT, the module's metadata, PSV0 and RDAT, whichever there are.
#pragma once

#include <unshade/shader/reflection.hpp>

namespace unshade::shader::reflection {

Result<Reflection> reflect_dxil(const Shader& shader);

}  // namespace unshade::shader::reflection

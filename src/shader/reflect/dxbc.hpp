// Fills the reflection model from a DXBC container.
#pragma once

#include <unshade/shader/reflection.hpp>

namespace unshade::shader::reflection {

Result<Reflection> reflect_dxbc(const Shader& shader);

}  // namespace unshade::shader::reflection

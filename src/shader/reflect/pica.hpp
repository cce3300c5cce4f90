// Fills the reflection model from a SHBIN.
#pragma once

#include <unshade/shader/reflection.hpp>

namespace unshade::shader::reflection {

Result<Reflection> reflect_pica(const Shader& shader);

}  // namespace unshade::shader::reflection

// Fills the reflection model from the tables of a VBC file.
#pragma once

#include <unshade/shader/reflection.hpp>

namespace unshade::shader::reflection {

Result<Reflection> reflect_vbc(const Shader& shader);

}  // namespace unshade::shader::reflection

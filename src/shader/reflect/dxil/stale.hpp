// A module for reflection that lags behind its program: the program wins.
#pragma once

#include <memory>

#include <unshade/dxil/metadata.hpp>
#include <unshade/shader/shader.hpp>

namespace unshade::shader::reflection {

/// The module of a program whose metadata says otherwise than the module for reflection beside it. Null if they agree, if the program
/// cannot be read, or is for another kind of shader.
std::shared_ptr<const dxil::Module> differing_program(const Shader& shader, View bitcode, const dxil::ProgramMetadata& reflection);

/// Whether a resource has a name.
bool has_names(const dxil::ProgramMetadata& metadata);

/// Makes the resources those of the program; names and types stay where the module for reflection has them.
void take_resources(dxil::ProgramMetadata& reflection, const dxil::ProgramMetadata& program);

}  // namespace unshade::shader::reflection

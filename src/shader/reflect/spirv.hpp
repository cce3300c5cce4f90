// Fills the reflection model from SPIR-V.
#pragma once

#include <unshade/shader/reflection.hpp>
#include <unshade/spirv/interface.hpp>

namespace unshade::shader::reflection {

/// Who wrote a module, and the tool's version: `Khronos Glslang Reference Front End; 11`.
std::string generator_name(const spirv::Header& header);

/// Adds what a module declares to the model: its entry points, resources, blocks, types and specialization constants. For a file of
/// several modules, call it for each. Errors: limit, for arrays of arrays that nest deeper than limits::kNesting.
Result<void> add_module(const spirv::Module& module, Reflection& reflection);

Result<Reflection> reflect_spirv(const Shader& shader);

}  // namespace unshade::shader::reflection

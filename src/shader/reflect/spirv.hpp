// Fills the reflection model from SPIR-V.
#pragma once

#include <unshade/shader/reflection.hpp>
#include <unshade/spirv/interface.hpp>

namespace unshade::shader::reflection {

/// Who wrote a module, and the tool's version: `Khronos Glslang Reference Front End; 11`.
std::string generator_name(const spirv::Header& header);

/// Whether the rows of a source's matrices are SPIR-V's columns, and RowMajor is its column_major: as compilers of HLSL and Slang have it.
/// src: DXC docs/SPIR-V.rst, "Matrices"; Slang docs/user-guide/a1-01-matrix-layout.md
bool has_transposed_matrices(const spirv::Module& module);

/// Adds what a module declares to the model: its entry points, resources, blocks, types and specialization constants. For a file of
/// several modules, call it for each. Errors: limit, for arrays of arrays that nest deeper than limits::kNesting.
Result<void> add_module(const spirv::Module& module, Reflection& reflection);

Result<Reflection> reflect_spirv(const Shader& shader);

}  // namespace unshade::shader::reflection

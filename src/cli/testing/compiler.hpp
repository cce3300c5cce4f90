// Shaders of tests in GLSL and HLSL, by glslang's command where it is installed.
#pragma once

#include <cstddef>
#include <vector>

#include <unshade/core/result.hpp>
#include <unshade/suite/test.hpp>

namespace unshade::cli::testing {

/// A SPIR-V module of a shader; files that it includes are in its folder. From any thread. Errors: missing, if there is no
/// compiler; what glslang says of the shader, `path` the `LINE:COLUMN` in its text.
Result<std::vector<std::byte>> compile(const suite::ShaderSource& source);

}  // namespace unshade::cli::testing

// What HLSL calls the things that SPIR-V has and Direct3D has not.
#pragma once

#include <string>
#include <string_view>

#include <unshade/shader/built_in_semantics.hpp>
#include <unshade/shader/reflection.hpp>

namespace unshade::shader::hlsl {

/// The semantic of a built-in of SPIR-V as compilers of HLSL take it; empty if it has none.
std::string_view semantic_of(const SignatureElement& element, Stage stage, bool is_output);

/// The name of an image format in `[[vk::image_format("rgba8")]]`.
std::string image_format_of(std::string_view spirv_format);

}  // namespace unshade::shader::hlsl

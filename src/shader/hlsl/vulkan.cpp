#include "shader/hlsl/vulkan.hpp"

namespace unshade::shader::hlsl {

std::string_view semantic_of(const SignatureElement& element, Stage stage, bool is_output) {
  if (element.built_in == "InvocationId") return stage == Stage::geometry ? "SV_GSInstanceID" : "SV_OutputControlPointID";
  // Vertex shaders of HLSL cannot take these, nor can others give them.
  if (!is_output && stage == Stage::vertex && element.built_in == "Position") return {};
  return semantic_of_built_in(element.built_in);
}

std::string image_format_of(std::string_view spirv_format) {
  if (spirv_format == "R11fG11fB10f") return "r11g11b10f";
  std::string word(spirv_format);
  for (char& c : word)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return word;
}

}  // namespace unshade::shader::hlsl

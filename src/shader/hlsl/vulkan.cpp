#include "shader/hlsl/vulkan.hpp"

namespace unshade::shader::hlsl {

namespace {

// src: DXC docs/SPIR-V.rst, "HLSL Semantic and Vulkan BuiltIn"
constexpr BuiltInSemantic kBuiltInSemantics[] = {
    {"Position", "SV_Position"},
    {"FragCoord", "SV_Position"},
    {"ClipDistance", "SV_ClipDistance"},
    {"CullDistance", "SV_CullDistance"},
    {"VertexIndex", "SV_VertexID"},
    {"VertexId", "SV_VertexID"},
    {"InstanceIndex", "SV_InstanceID"},
    {"InstanceId", "SV_InstanceID"},
    {"FragDepth", "SV_Depth"},
    {"FragStencilRefEXT", "SV_StencilRef"},
    {"FrontFacing", "SV_IsFrontFace"},
    {"SampleId", "SV_SampleIndex"},
    {"SampleMask", "SV_Coverage"},
    {"PrimitiveId", "SV_PrimitiveID"},
    {"Layer", "SV_RenderTargetArrayIndex"},
    {"ViewportIndex", "SV_ViewportArrayIndex"},
    {"TessCoord", "SV_DomainLocation"},
    {"TessLevelOuter", "SV_TessFactor"},
    {"TessLevelInner", "SV_InsideTessFactor"},
    {"GlobalInvocationId", "SV_DispatchThreadID"},
    {"WorkgroupId", "SV_GroupID"},
    {"LocalInvocationId", "SV_GroupThreadID"},
    {"LocalInvocationIndex", "SV_GroupIndex"},
    {"ViewIndex", "SV_ViewID"},
    {"BaryCoordKHR", "SV_Barycentrics"},
};

}  // namespace

std::string_view semantic_of(const SignatureElement& element, Stage stage, bool is_output) {
  if (element.built_in == "InvocationId") return stage == Stage::geometry ? "SV_GSInstanceID" : "SV_OutputControlPointID";
  // Vertex shaders of HLSL cannot take these, nor can others give them.
  if (!is_output && stage == Stage::vertex && element.built_in == "Position") return {};
  return semantic_of_built_in(element.built_in);
}

std::span<const BuiltInSemantic> built_in_semantics() { return kBuiltInSemantics; }

std::string_view semantic_of_built_in(std::string_view built_in) {
  for (const BuiltInSemantic& row : kBuiltInSemantics)
    if (row.built_in == built_in) return row.semantic;
  return {};
}

std::string image_format_of(std::string_view spirv_format) {
  if (spirv_format == "R11fG11fB10f") return "r11g11b10f";
  std::string word(spirv_format);
  for (char& c : word)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return word;
}

}  // namespace unshade::shader::hlsl

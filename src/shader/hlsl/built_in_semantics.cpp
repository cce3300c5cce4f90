#include <unshade/shader/built_in_semantics.hpp>

namespace unshade::shader {
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

std::span<const BuiltInSemantic> built_in_semantics() { return kBuiltInSemantics; }

std::string_view semantic_of_built_in(std::string_view built_in) {
  for (const BuiltInSemantic& row : kBuiltInSemantics)
    if (row.built_in == built_in) return row.semantic;
  return {};
}

}  // namespace unshade::shader

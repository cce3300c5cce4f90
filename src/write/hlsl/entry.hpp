// What interface.cpp and entry.cpp share: inputs besides a signature, and names.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include <unshade/ir/extra.hpp>

namespace unshade::write::hlsl {

using ir::Builtin;

/// Inputs that a stage has besides its signature: a parameter, or a function.
struct BuiltinRow {
  Builtin builtin;
  std::string_view type, name, semantic;
};
inline constexpr BuiltinRow kBuiltins[] = {
    {Builtin::thread_id, "uint3", "threadId", "SV_DispatchThreadID"},
    {Builtin::group_id, "uint3", "groupId", "SV_GroupID"},
    {Builtin::local_id, "uint3", "groupThreadId", "SV_GroupThreadID"},
    {Builtin::local_index, "uint", "groupIndex", "SV_GroupIndex"},
    {Builtin::vertex_id, "uint", "vertexId", "SV_VertexID"},
    {Builtin::instance_id, "uint", "instanceId", "SV_InstanceID"},
    {Builtin::base_vertex, "int", "baseVertex", "SV_StartVertexLocation"},
    {Builtin::base_instance, "uint", "baseInstance", "SV_StartInstanceLocation"},
    {Builtin::primitive_id, "uint", "primitiveId", "SV_PrimitiveID"},
    {Builtin::control_point_id, "uint", "pointId", "SV_OutputControlPointID"},
    {Builtin::gs_instance_id, "uint", "instanceId", "SV_GSInstanceID"},
    {Builtin::coverage, "uint", "coverage", "SV_Coverage"},
    {Builtin::inner_coverage, "uint", "innerCoverage", "SV_InnerCoverage"},
    {Builtin::sample_index, "uint", "sampleIndex", "SV_SampleIndex"},
    {Builtin::front_face, "bool", "isFrontFace", "SV_IsFrontFace"},
    {Builtin::position, "float4", "position", "SV_Position"},
    {Builtin::barycentrics, "float3", "barycentrics", "SV_Barycentrics"},
    {Builtin::barycentrics_linear, "noperspective float3", "linearBarycentrics", "SV_Barycentrics1"},
    {Builtin::render_target_array_index, "uint", "layer", "SV_RenderTargetArrayIndex"},
    {Builtin::viewport_array_index, "uint", "viewport", "SV_ViewportArrayIndex"},
    {Builtin::view_id, "uint", "viewId", "SV_ViewID"},
    {Builtin::shading_rate, "uint", "shadingRate", "SV_ShadingRate"},
    {Builtin::lane, "", "WaveGetLaneIndex()", ""},
    {Builtin::wave_size, "", "WaveGetLaneCount()", ""},
    {Builtin::is_helper, "", "IsHelperLane()", ""},
};

/// Streams of a geometry shader.
inline constexpr std::uint32_t kStreams = 4;

/// Names of streams of a geometry shader, and of what belongs to them.
inline std::string numbered(std::string_view name, std::uint32_t stream) {
  return std::string(name) + (stream == 0 ? "" : std::to_string(stream));
}
inline std::string output_of(std::uint32_t stream) { return numbered("output", stream); }

}  // namespace unshade::write::hlsl

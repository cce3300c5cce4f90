// Source of mesh and amplification shaders.
#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include <unshade/write/source.hpp>

#include "unit/write/written.hpp"

namespace unshade::write {
namespace {

testing::AssertionResult has(const std::string& text, std::string_view part) {
  if (text.find(part) != std::string::npos) return testing::AssertionSuccess();
  return testing::AssertionFailure() << '`' << part << "` is missing in\n" << text;
}

std::string glsl_of(std::string_view text, const GlslOptions& glsl = {}, Setting setting = Setting::readable) {
  SourceOptions options;
  options.language = ShadingLanguage::glsl;
  options.setting = setting;
  options.glsl = glsl;
  return written(text, options);
}

constexpr std::string_view kMesh = R"(stage mesh
info group_size 32 1 1 max_vertices 64 max_primitives 126 mesh_topology triangle
output "SV_Position" system_value position type f32 register 0
output "SV_ClipDistance" system_value clip_distance type f32 register 1 columns 2
output "COLOR" type f32 register 2 columns 3
patch "SV_CullPrimitive" system_value cull_primitive type i32 register 0 columns 1 per_primitive
patch "SV_RenderTargetArrayIndex" system_value render_target_array_index type i32 register 1 columns 1 per_primitive
patch "ID" type i32 register 2 columns 1 per_primitive
variable @0 "payload" payload bytes 8
function @main {
^0:
  %i = builtin i32 local_index
  %p = load i32 @0 4
  set_mesh_counts 64 126
  output f32 out0.x vertex %i 1.0
  output f32 out0.y vertex %i 2.0
  output f32 out0.z vertex %i 3.0
  output f32 out0.w vertex %i 4.0
  output f32 out1.x vertex %i 5.0
  output f32 out2.x vertex %i 6.0
  mesh_index %i 0 %p
  mesh_index %i 1 1
  mesh_index %i 2 2
  output i32 patch0.x vertex %i 1
  output i32 patch1.x vertex %i 3
  output i32 patch2.x vertex %i %p
  return
}
)";

TEST(SourceOfMeshes, HasTheListsOfGlsl) {
  const std::string text = glsl_of(kMesh);
  EXPECT_TRUE(has(text, "#extension GL_EXT_mesh_shader : require\n"));
  EXPECT_TRUE(has(text, "layout(local_size_x = 32, local_size_y = 1, local_size_z = 1) in;\n"));
  EXPECT_TRUE(has(text, "layout(triangles, max_vertices = 64, max_primitives = 126) out;\n"));
  EXPECT_TRUE(has(text, "taskPayloadSharedEXT uint payload[2];\n"));
  EXPECT_TRUE(has(text, "layout(location = 2) out vec3 out_color[];\n"));
  // behind those of vertices, as in SPIR-V
  EXPECT_TRUE(has(text, "layout(location = 5) perprimitiveEXT out uint out_id[];\n"));
  EXPECT_TRUE(has(text, "out gl_MeshPerVertexEXT {\n  vec4 gl_Position;\n  float gl_ClipDistance[2];\n} gl_MeshVerticesEXT[];\n"));
  EXPECT_TRUE(has(text, "uint p = payload[1];\n"));
  EXPECT_TRUE(has(text, "SetMeshOutputsEXT(64u, 126u);\n"));
  EXPECT_TRUE(has(text, "gl_MeshVerticesEXT[gl_LocalInvocationIndex].gl_Position = vec4(1.0, 2.0, 3.0, 4.0);\n"));
  EXPECT_TRUE(has(text, "gl_MeshVerticesEXT[gl_LocalInvocationIndex].gl_ClipDistance[0] = 5.0;\n"));
  EXPECT_TRUE(has(text, "gl_PrimitiveTriangleIndicesEXT[gl_LocalInvocationIndex] = uvec3(p, 1u, 2u);\n"));
  EXPECT_TRUE(has(text, "gl_MeshPrimitivesEXT[gl_LocalInvocationIndex].gl_CullPrimitiveEXT = "));
  EXPECT_TRUE(has(text, "gl_MeshPrimitivesEXT[gl_LocalInvocationIndex].gl_Layer = 3;\n"));
  EXPECT_TRUE(has(text, "out_id[gl_LocalInvocationIndex] = p;\n"));
}

TEST(SourceOfMeshes, ChangesPositionsWhereTheyAreAssigned) {
  const std::string text = glsl_of(kMesh, {.binding = {}, .flip_y = true, .depth_from_minus_w = true});
  EXPECT_TRUE(has(text,
                  "vec4 placed(vec4 position) {\n"
                  "  return vec4(position.x, -position.y, 2.0 * position.z - position.w, position.w);\n}\n"));
  EXPECT_TRUE(has(text, ".gl_Position = placed(vec4(1.0, 2.0, 3.0, 4.0));\n"));
}

TEST(SourceOfMeshes, DeclaresPrecisePositions) {
  EXPECT_TRUE(has(glsl_of(kMesh, {}, Setting::exact), "out gl_MeshPerVertexEXT {\n  precise vec4 gl_Position;\n"));
}

TEST(SourceOfMeshes, AreOfVulkanAlone) {
  constexpr GlslOptions kOpenGl{.environment = GlslEnvironment::opengl, .version = 460, .binding = {}};
  EXPECT_TRUE(has(glsl_of(kMesh, kOpenGl), "mesh shaders, which GLSL does not have"));
}

TEST(SourceOfMeshes, EmitsTasksWithTheirPayload) {
  const std::string text = glsl_of(R"(stage amplification
info group_size 32 1 1
variable @0 "payload" payload bytes 128
function @main {
^0:
  %i = builtin i32 local_index
  %a = ishl i32 %i 2
  store i32 @0 %a %i
  dispatch_mesh 4 2 1
  return
}
)");
  EXPECT_TRUE(has(text, "taskPayloadSharedEXT uint payload[32];\n"));
  EXPECT_TRUE(has(text, "  payload[gl_LocalInvocationIndex] = gl_LocalInvocationIndex;\n  EmitMeshTasksEXT(4u, 2u, 1u);\n}\n"));
}

}  // namespace
}  // namespace unshade::write

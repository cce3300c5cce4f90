// Draws by mesh and amplification shaders. src: DirectX-Specs, d3d/MeshShader.md
#include "draw_support.hpp"

namespace unshade::draw {
namespace {

using test::program_of;
using test::Scene;
using test::Texture;

/// Each group makes two triangles of a column of the target: the lower left one, and the upper right one if its group is odd.
constexpr std::string_view kColumns = R"(stage mesh
info group_size 4 1 1 max_vertices 4 max_primitives 2 mesh_topology triangle
output "SV_Position" system_value position type f32 register 0
patch "TINT" type f32 register 0 per_primitive
patch "SV_CullPrimitive" system_value cull_primitive type i32 register 1 columns 1 per_primitive

function @main {
^0:
  %i = builtin i32 local_index
  %g = builtin i32 group_id.x
  set_mesh_counts 4 2
  %right = iand i32 %i 1
  %upper = iand i32 %i 2
  %column = iadd i32 %g %right
  %cf = u_to_f f32 %column
  %x2 = fmul f32 %cf 0.5
  %x = fadd f32 %x2 -1.0
  %uf = u_to_f f32 %upper
  %y = fadd f32 %uf -1.0
  output f32 out0.x vertex %i %x
  output f32 out0.y vertex %i %y
  output f32 out0.z vertex %i 0.0
  output f32 out0.w vertex %i 1.0
  %first = ieq i32 %i 0
  branch %first ^1 ^2
^1:
  mesh_index 0 0 0
  mesh_index 0 1 2
  mesh_index 0 2 1
  mesh_index 1 0 1
  mesh_index 1 1 2
  mesh_index 1 2 3
  %gf = u_to_f f32 %g
  %tint = fadd f32 %gf 1.0
  output f32 patch0.x vertex 0 %tint
  output f32 patch0.x vertex 1 9.0
  %odd = iand i32 %g 1
  %even = ixor i32 %odd 1
  output i32 patch1.x vertex 0 0
  output i32 patch1.x vertex 1 %even
  jump ^2
^2:
  return
}
)";

constexpr std::string_view kTint = R"(stage pixel
input "TINT" type f32 interpolation linear register 0
output "SV_Target" system_value target type f32 register 0

function @main {
^0:
  %0 = input f32 in0.x
  output f32 out0.x %0
  return
}
)";

TEST(Mesh, GroupsDrawPrimitivesWithTheirOwnValues) {
  Scene scene(kTint);
  const vm::Program mesh = program_of(kColumns);
  scene.pipeline.vertex = nullptr;
  scene.pipeline.mesh = &mesh;
  Texture target("R32G32B32A32_FLOAT", 8, 8);
  scene.target(target);
  scene.call.groups = {4, 1, 1};
  const auto report = run(scene.pipeline, scene.bindings, scene.call);
  ASSERT_TRUE(report) << to_string(report.error());
  // the second triangles of even groups are culled
  EXPECT_EQ(target.picture(), "00990099\n00990099\n10293049\n10293049\n10293049\n10293049\n11223344\n11223344\n");
  EXPECT_EQ(report->statistics.mesh_runs, 16U);
  EXPECT_EQ(report->statistics.mesh_primitives, 8U);
  EXPECT_EQ(report->statistics.clipper_in, 6U);
}

/// Dispatches the columns that its payload says, of each of its groups.
constexpr std::string_view kAmplifying = R"(stage amplification

function @main {
^0:
  %g = builtin i32 group_id.x
  %n = iadd i32 %g 1
  dispatch_mesh %n 1 1
  return
}
)";

TEST(Mesh, AmplificationShadersDispatchGroups) {
  Scene scene(kTint);
  const vm::Program mesh = program_of(kColumns), amplification = program_of(kAmplifying);
  scene.pipeline.vertex = nullptr;
  scene.pipeline.mesh = &mesh;
  scene.pipeline.amplification = &amplification;
  Texture target("R32G32B32A32_FLOAT", 8, 8);
  scene.target(target);
  scene.call.groups = {3, 1, 1};
  const auto report = run(scene.pipeline, scene.bindings, scene.call);
  ASSERT_TRUE(report) << to_string(report.error());
  EXPECT_EQ(report->statistics.amplification_runs, 3U);
  EXPECT_EQ(report->statistics.mesh_runs, (1U + 2 + 3) * 4);
  EXPECT_EQ(target.picture(), "00990000\n00990000\n10293000\n10293000\n10293000\n10293000\n11223300\n11223300\n");
}

TEST(Mesh, TakesThePlaceOfOtherStages) {
  Scene scene(kTint);
  const vm::Program mesh = program_of(kColumns);
  scene.pipeline.mesh = &mesh;
  Texture target("R32G32B32A32_FLOAT", 8, 8);
  scene.target(target);
  EXPECT_EQ(run(scene.pipeline, scene.bindings, scene.call).error().path, "mesh");
}

}  // namespace
}  // namespace unshade::draw

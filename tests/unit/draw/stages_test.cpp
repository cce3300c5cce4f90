// Draws through the hull, domain and geometry shader.
#include "draw_support.hpp"

namespace unshade::draw {
namespace {

using test::program_of;
using test::Scene;
using test::Texture;
using test::Vertex;

constexpr std::string_view kControlPoints = R"(stage hull
info input_points 4 output_points 4 domain quad partitioning integer tessellator_output triangle_clockwise
input "SV_Position" system_value position type f32 register 0
input "COLOR" type f32 register 1
output "PLACE" type f32 register 0
patch "SV_TessFactor" system_value final_quad_edge_tessfactor type f32 register 0 columns 1 rows 4
patch "SV_InsideTessFactor" system_value final_quad_inside_tessfactor type f32 register 4 columns 1 rows 2
patch "SUM" type f32 register 6 columns 1

function @control_point {
^0:
  %0 = builtin i32 control_point_id
  %1 = input f32 in0.x vertex %0
  %2 = input f32 in0.y vertex %0
  output f32 out0.x %1
  output f32 out0.y %2
  return
}

function @patch_constant {
^0:
  output f32 patch0.x row 0 4.0
  output f32 patch0.x row 1 4.0
  output f32 patch0.x row 2 4.0
  output f32 patch0.x row 3 4.0
  output f32 patch1.x row 0 4.0
  output f32 patch1.x row 1 4.0
  %0 = output_load f32 out0.x vertex 1
  %1 = output_load f32 out0.x vertex 3
  %2 = fsub f32 %0 %1
  %3 = input f32 in1.x vertex 2
  %4 = fadd f32 %2 %3
  output f32 patch2.x %4
  return
}
)";

// Bilinear between the control points 0 1 2 3: lower left, lower right, upper left, upper right.
constexpr std::string_view kDomain = R"(stage domain
info input_points 4 domain quad
input "PLACE" type f32 register 0
patch "SV_TessFactor" system_value final_quad_edge_tessfactor type f32 register 0 columns 1 rows 4
patch "SV_InsideTessFactor" system_value final_quad_inside_tessfactor type f32 register 4 columns 1 rows 2
patch "SUM" type f32 register 6 columns 1
output "SV_Position" system_value position type f32 register 0
output "COLOR" type f32 register 1

function @main {
^0:
  %u = builtin f32 domain_location.x
  %v = builtin f32 domain_location.y
  %0 = input f32 in0.x vertex 0
  %1 = input f32 in0.x vertex 1
  %2 = fsub f32 %1 %0
  %x = fmad f32 %2 %u %0
  %3 = input f32 in0.y vertex 0
  %4 = input f32 in0.y vertex 2
  %5 = fsub f32 %4 %3
  %y = fmad f32 %5 %v %3
  output f32 out0.x %x
  output f32 out0.y %y
  output f32 out0.z 0.0
  output f32 out0.w 1.0
  %sum = input f32 patch2.x
  output f32 out1.x %sum
  return
}
)";

constexpr std::string_view kColor = R"(stage pixel
input "SV_Position" system_value position type f32 interpolation linear_noperspective register 0
input "COLOR" type f32 interpolation linear register 1
output "SV_Target" system_value target type f32 register 0

function @main {
^0:
  %0 = input f32 in1.x
  output f32 out0.x %0
  return
}
)";

TEST(Stages, TessellatesPatches) {
  Scene scene(kColor);
  const vm::Program hull = program_of(kControlPoints);
  const vm::Program constants = program_of(kControlPoints, {.function = 1});
  const vm::Program domain = program_of(kDomain);
  scene.pipeline.hull = &hull;
  scene.pipeline.patch_constants = &constants;
  scene.pipeline.domain = &domain;
  scene.pipeline.topology = Topology::patch_list;
  scene.pipeline.patch_points = 4;
  Texture target("R32G32B32A32_FLOAT", 6, 4);
  scene.target(target);
  const auto patch = [](float left, float right, float color) {
    return std::vector<Vertex>{
        {{left, -1, 0, 1}, {}}, {{right, -1, 0, 1}, {}}, {{left, 1, 0, 1}, {color, 0, 0, 0}}, {{right, 1, 0, 1}, {}}};
  };
  std::vector<Vertex> vertices = patch(-1, 0, 5);
  for (const Vertex& one : patch(0, 1, 7)) vertices.push_back(one);
  const Report report = scene.draw(vertices);
  EXPECT_EQ(report.statistics.hull_runs, 2U);
  EXPECT_EQ(report.statistics.domain_runs, 50U);
  EXPECT_EQ(report.statistics.clipper_in, 64U);
  // control point 1 less 3 is 0
  EXPECT_EQ(target.picture(), "555777\n555777\n555777\n555777\n");
  EXPECT_EQ(report.statistics.samples_passed, 24U);
}

TEST(Stages, TessellationMustHaveBothShaders) {
  Scene scene(kColor);
  const vm::Program domain = program_of(kDomain);
  scene.pipeline.domain = &domain;
  Texture target("R32G32B32A32_FLOAT", 6, 4);
  scene.target(target);
  EXPECT_EQ(run(scene.pipeline, scene.bindings, scene.call).error().path, "hull");
}

/// Two squares in strips from each point, in its color: to the right of it, and above that; vertices after the eighth are dropped.
constexpr std::string_view kGeometry = R"(stage geometry
info input_primitive point streams 1 triangle_strip max_vertices 8 instances 2
input "SV_Position" system_value position type f32 register 0
input "COLOR" type f32 register 1
output "SV_Position" system_value position type f32 register 0
output "COLOR" type f32 register 1
output "SV_RenderTargetArrayIndex" system_value render_target_array_index type i32 register 2 columns 1

function @main {
^0:
  %instance = builtin i32 gs_instance_id
  %x = input f32 in0.x vertex 0
  %y = input f32 in0.y vertex 0
  %color = input f32 in1.x vertex 0
  %right = fadd f32 %x 0.5
  %top = fadd f32 %y 0.5
  %higher = fadd f32 %y 1.0
  output f32 out0.z 0.0
  output f32 out0.w 1.0
  output f32 out1.x %color
  output i32 out2.x %instance
  output f32 out0.x %x
  output f32 out0.y %y
  emit 0
  output f32 out0.y %top
  emit 0
  output f32 out0.x %right
  output f32 out0.y %y
  emit 0
  output f32 out0.y %top
  emit 0
  cut 0
  emit 0
  output f32 out0.y %higher
  emit 0
  output f32 out0.x 1.0
  output f32 out0.y %top
  emit 0
  output f32 out0.y %higher
  emit 0
  cut 0
  output f32 out0.x -1.0
  output f32 out0.y -1.0
  emit 0
  output f32 out0.x 3.0
  emit 0
  output f32 out0.y 3.0
  emit 0
  return
}
)";

TEST(Stages, GeometryShadersMakeStripsInLayers) {
  Scene scene(kColor);
  const vm::Program geometry = program_of(kGeometry);
  scene.pipeline.geometry = &geometry;
  scene.pipeline.topology = Topology::point_list;
  Texture target("R32G32B32A32_FLOAT", 4, 4, 1, 2);
  scene.target(target);
  const Report report = scene.draw({{{0, -1, 0, 1}, {1, 0, 0, 0}}, {{-1, 0, 0, 1}, {2, 0, 0, 0}}});
  EXPECT_EQ(report.statistics.geometry_runs, 4U);
  EXPECT_EQ(report.statistics.geometry_primitives, 16U);
  // the second point's upper square reaches from -0.5 to 1
  EXPECT_EQ(target.picture(), "0222\n2000\n0001\n0010\n");
  EXPECT_EQ(target.at(3, 2, 0, 1)[0], 1);
}

TEST(Stages, GeometryShadersMustTakeThePrimitives) {
  Scene scene(kColor);
  const vm::Program geometry = program_of(kGeometry);
  scene.pipeline.geometry = &geometry;
  Texture target("R32G32B32A32_FLOAT", 4, 4);
  scene.target(target);
  scene.call.count = 3;
  EXPECT_EQ(run(scene.pipeline, scene.bindings, scene.call).error().path, "geometry");
}

}  // namespace
}  // namespace unshade::draw

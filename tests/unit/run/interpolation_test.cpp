// Inputs that a pixel shader evaluates at another place of its pixel, in runs that have no triangle: on the plane through the quad.
#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "unit/run/run_support.hpp"

namespace unshade::run {
namespace {

using run_test::list_of;
using run_test::made_by_text;
using run_test::map_of;
using run_test::text_of;

constexpr std::string_view kDxbc = R"(ps_5_0
dcl_globalFlags refactoringAllowed
dcl_input_ps linear v0.xy
dcl_input_ps constant v1.x
dcl_output o0.xyzw
dcl_output o1.xyzw
dcl_temps 1
eval_snapped r0.xy, v0.xyxx, l(4, -8, 0, 0)
mov o0.xy, r0.xyxx
eval_sample_index r0.xy, v0.xyxx, l(1)
mov o0.zw, r0.xxxy
eval_centroid r0.xy, v0.xyxx
mov o1.xy, r0.xyxx
eval_snapped r0.x, v1.x, l(4, -8, 0, 0)
mov o1.zw, r0.xxxx
ret
)";

constexpr std::string_view kSpirv = R"(; SPIR-V
; Version: 1.0
OpCapability Shader
OpCapability InterpolationFunction
%glsl = OpExtInstImport "GLSL.std.450"
OpMemoryModel Logical GLSL450
OpEntryPoint Fragment %main "main" %uv %color
OpExecutionMode %main OriginUpperLeft
OpName %uv "uv"
OpName %color "color"
OpDecorate %uv Location 0
OpDecorate %color Location 0
%void = OpTypeVoid
%entry = OpTypeFunction %void
%float = OpTypeFloat 32
%v2 = OpTypeVector %float 2
%in_v2 = OpTypePointer Input %v2
%out_v2 = OpTypePointer Output %v2
%uv = OpVariable %in_v2 Input
%color = OpVariable %out_v2 Output
%quarter = OpConstant %float 0.25
%half = OpConstant %float 0.5
%place = OpConstantComposite %v2 %quarter %half
%main = OpFunction %void None %entry
%first = OpLabel
%there = OpExtInst %v2 %glsl InterpolateAtOffset %uv %place
OpStore %color %there
OpReturn
OpFunctionEnd
)";

Value lane_of(std::string_view name, double x, double y) {
  return map_of({{name, list_of({Value::real(x), Value::real(y)})}, {"v1", list_of({Value::real(x)})}});
}

TEST(RunInterpolation, IsOnThePlaneThroughTheQuad) {
  const Value lanes = list_of({lane_of("v0", 0, 0), lane_of("v0", 1, 0), lane_of("v0", 0, 10), lane_of("v0", 1, 10)});
  // samples of two are at (4, 4) and (-4, -4) sixteenths
  const Value made = made_by_text(kDxbc, map_of({{"samples", Value::integer(2)}, {"lanes", lanes}}));
  EXPECT_EQ("0.25 -5 -0.25 -2.5", text_of(made, "lanes", 0, "SV_Target"));
  EXPECT_EQ("1.25 -5 0.75 -2.5", text_of(made, "lanes", 1, "SV_Target"));
  EXPECT_EQ("1.25 5 0.75 7.5", text_of(made, "lanes", 3, "SV_Target"));
  EXPECT_EQ("1 10 1 1", text_of(made, "lanes", 3, "SV_Target1"));
}

TEST(RunInterpolation, OfOneSampleIsAtTheCentre) {
  const Value lanes = list_of({lane_of("v0", 0, 0), lane_of("v0", 1, 0), lane_of("v0", 0, 10), lane_of("v0", 1, 10)});
  const Value made = made_by_text(kDxbc, map_of({{"lanes", lanes}}));
  EXPECT_EQ("1.25 5 1 10", text_of(made, "lanes", 3, "SV_Target"));
}

TEST(RunInterpolation, KeepsWhatHasNoNeighbour) {
  const Value made = made_by_text(kDxbc, map_of({{"lanes", list_of({lane_of("v0", 3, 7)})}}));
  EXPECT_EQ("3 7 3 7", text_of(made, "lanes", 0, "SV_Target"));
}

TEST(RunInterpolation, OfSpirvIsTheSame) {
  const auto lane = [](double x, double y) { return map_of({{"uv", list_of({Value::real(x), Value::real(y)})}}); };
  const Value made = made_by_text(kSpirv, map_of({{"lanes", list_of({lane(0, 0), lane(1, 0), lane(0, 10), lane(1, 10)})}}));
  EXPECT_EQ("0.25 5", text_of(made, "lanes", 0, "color"));
  EXPECT_EQ("1.25 15", text_of(made, "lanes", 3, "color"));
}

}  // namespace
}  // namespace unshade::run

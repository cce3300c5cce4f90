// Stages alone with inputs that the cases give: what the specification says they give.
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <unshade/ir/text.hpp>
#include <unshade/run/run.hpp>

#include "unit/run/run_support.hpp"

namespace unshade::run {
namespace {

using namespace run_test;

Value lanes_of(std::initializer_list<Value> lanes) { return map_of({{"lanes", list_of(lanes)}}); }
Value vertices_of(std::string_view name, std::initializer_list<std::uint32_t> values) {
  Value list = Value::list();
  for (const std::uint32_t one : values) list.push(map_of({{name, list_of_numbers({one, one + 1})}}));
  return list;
}

// src: Direct3D 11.3 functional specification 22.5.2 to 22.5.5: coarse ones are the same in a quad
TEST(Stages, PixelsHaveDerivativesOfTheirQuad) {
  constexpr std::string_view kText = R"(ps_5_0
dcl_globalFlags refactoringAllowed
dcl_input_ps linear v0.x
dcl_output o0.xyzw
deriv_rtx_coarse o0.x, v0.x
deriv_rty_coarse o0.y, v0.x
deriv_rtx_fine o0.z, v0.x
deriv_rty_fine o0.w, v0.x
ret
)";
  const auto lane = [](std::uint32_t value) { return map_of({{"v", Value::integer(value)}}); };
  const Value result = made_by_text(kText, lanes_of({lane(1), lane(3), lane(8), lane(20)}));
  EXPECT_EQ(text_of(result, "lanes", 0, "SV_Target"), "2 7 2 7");
  EXPECT_EQ(text_of(result, "lanes", 1, "SV_Target"), "2 7 2 17");
  EXPECT_EQ(text_of(result, "lanes", 2, "SV_Target"), "2 7 12 7");
  EXPECT_EQ(text_of(result, "lanes", 3, "SV_Target"), "2 7 12 17");
}

// Elements with equal semantics, as a hull shader's two signatures and damaged files have them, are told apart.
TEST(Stages, OutputsWithEqualSemanticsHaveTheirRegister) {
  constexpr std::string_view kText = R"(stage pixel
output "T" type f32 register 0 columns 1
output "T" type f32 register 3 columns 1
output "T" type f32 register 3 columns 1
output "discarded" type f32 register 5 columns 1

function @main {
^0:
  output f32 out0.x 1.0
  output f32 out1.x 2.0
  output f32 out2.x 3.0
  output f32 out3.x 4.0
  return
}
)";
  auto module = ir::parse(kText);
  ASSERT_TRUE(module) << to_string(module.error());
  const auto result = execute(std::move(*module), lanes_of({Value::map()}));
  ASSERT_TRUE(result) << to_string(result.error());
  EXPECT_EQ(text_of(*result, "lanes", 0, "T"), "1");
  EXPECT_EQ(text_of(*result, "lanes", 0, "T@3"), "2");
  EXPECT_EQ(text_of(*result, "lanes", 0, "T@3@"), "3");
  EXPECT_EQ(text_of(*result, "lanes", 0, "discarded@5"), "4");
}

TEST(Stages, VerticesHaveTheOutputsOfTheirStream) {
  auto module = ir::parse(R"(stage geometry
info input_primitive point streams 2 point_list point_list max_vertices 3
output "SUM" type f32 register 0 columns 1
output "OWN" type f32 register 1 columns 1
output "SUM" type f32 register 0 columns 1 stream 1

function @main {
^0:
  output f32 out0.x 1.0
  output f32 out1.x 2.0
  output f32 out2.x 3.0
  emit 0
  output f32 out2.x 4.0
  emit 1
  cut 1
  return
}
)");
  ASSERT_TRUE(module) << to_string(module.error());
  const auto result = execute(std::move(*module), lanes_of({Value::map()}));
  ASSERT_TRUE(result) << to_string(result.error());
  const Value::List& vertices = *result->find("vertices")->as_list();
  ASSERT_EQ(vertices.size(), 3U);
  EXPECT_EQ(vertices[0].as_map()->size(), 3U);
  EXPECT_EQ(text_of(*result, "vertices", 0, "SUM"), "1");
  EXPECT_EQ(text_of(*result, "vertices", 0, "OWN"), "2");
  EXPECT_EQ(vertices[1].as_map()->size(), 3U);
  EXPECT_EQ(text_of(*result, "vertices", 1, "SUM"), "4");
  EXPECT_EQ(vertices[2].as_map()->size(), 3U);
}

// The two signatures that a domain shader reads may have equal semantics and registers.
TEST(Stages, DomainsAreGivenPatchConstantsByThemselves) {
  constexpr std::string_view kText = R"(stage domain
info input_points 2 domain isoline
input "COLOR" type f32 register 0 columns 1
patch "COLOR" type f32 register 0 columns 1
patch "SHADE" type f32 register 1 columns 1
output "ALL" type f32 register 0

function @main {
^0:
  %0 = input f32 in0.x vertex 0
  %1 = input f32 in0.x vertex 1
  %2 = input f32 patch0.x
  %3 = input f32 patch1.x
  output f32 out0.x %0
  output f32 out0.y %1
  output f32 out0.z %2
  output f32 out0.w %3
  return
}
)";
  const auto of = [&](const Value& lane) {
    auto module = ir::parse(kText);
    EXPECT_TRUE(module) << to_string(module.error());
    const auto result = execute(std::move(*module), lanes_of({lane}));
    return result ? text_of(*result, "lanes", 0, "ALL") : result.error().path;
  };
  const auto number = [](std::uint32_t value) { return Value::integer(value); };
  const Value vertices = list_of({map_of({{"COLOR", number(1)}}), map_of({{"COLOR", number(2)}})});
  EXPECT_EQ(of(map_of({{"vertices", vertices}, {"patch_constants", map_of({{"COLOR", number(3)}, {"SHADE", number(4)}})}})), "1 2 3 4");
  EXPECT_EQ(of(map_of({{"COLOR", number(5)}, {"patch_constants", map_of({{"v0", number(6)}})}, {"SHADE", number(7)}})), "5 5 6 7");
  EXPECT_EQ(of(map_of({{"SHADE", number(1)}, {"patch_constants", map_of({{"SHADE", number(2)}})}})), "lanes[0]/patch_constants/SHADE");
  EXPECT_EQ(of(map_of({{"patch_constants", number(1)}})), "lanes[0]/patch_constants");
}

// A pixel that is discarded goes on for its quad, but writes nothing any more; nor do helpers. src: 16.8.2, 22.7
TEST(Stages, DiscardedPixelsAndHelpersWriteNothing) {
  constexpr std::string_view kText = R"(ps_5_0
dcl_globalFlags refactoringAllowed
dcl_uav_raw u1
dcl_input_ps linear v0.x
dcl_output o0.xyzw
dcl_temps 1
atomic_iadd u1, l(0), l(1)
eq r0.x, v0.x, l(3.000000)
discard_nz r0.x
atomic_iadd u1, l(4), l(1)
deriv_rtx_fine o0.xyzw, v0.xxxx
ret
)";
  const auto lane = [](std::uint32_t value, bool helper) {
    return map_of({{"v", Value::integer(value)}, {"helper", Value::boolean(helper)}});
  };
  Value given = lanes_of({lane(1, false), lane(3, false), lane(8, true), lane(20, false)});
  given.add("resources", map_of({{"u1", words_of_case({0, 0})}}));
  const Value result = made_by_text(kText, given);
  EXPECT_EQ(text_of(result, "lanes", 0, "SV_Target"), "2 2 2 2");
  EXPECT_EQ(text_of(result, "lanes", 3, "SV_Target"), "12 12 12 12");
  const Value::List& lanes = *result.find("lanes")->as_list();
  EXPECT_EQ(lanes[0].find("discarded"), nullptr);
  EXPECT_NE(lanes[1].find("discarded"), nullptr);
  EXPECT_EQ(*result.find("resources")->find("u1")->find("hex")->as_text(), "0300000002000000");
}

TEST(Stages, PixelsGiveDepthAndCoverage) {
  constexpr std::string_view kText = R"(ps_5_0
dcl_globalFlags refactoringAllowed
dcl_input_ps linear v0.x
dcl_input vCoverage
dcl_output o0.x
dcl_output oDepth
dcl_output oMask
mov o0.x, v0.x
mul oDepth, v0.x, l(0.250000)
and oMask, vCoverage.x, l(5)
ret
)";
  const Value result = made_by_text(kText, lanes_of({map_of({{"v", Value::integer(3)}, {"coverage", Value::integer(0xc)}})}));
  EXPECT_EQ(text_of(result, "lanes", 0, "SV_Depth"), "0.75");
  EXPECT_EQ(text_of(result, "lanes", 0, "SV_Coverage"), "4");
}

constexpr std::string_view kHull = R"(hs_5_0
hs_decls
dcl_input_control_point_count 3
dcl_output_control_point_count 3
dcl_tessellator_domain domain_tri
dcl_tessellator_partitioning partitioning_integer
dcl_tessellator_output_primitive output_triangle_cw
dcl_globalFlags refactoringAllowed
hs_control_point_phase
dcl_input vOutputControlPointID
dcl_input vPrim
dcl_input v[3][0].xy
dcl_output o0.xy
dcl_temps 1
mov r0.x, vOutputControlPointID
add o0.x, v[r0.x + 0][0].x, v[0][0].y
utof o0.y, vPrim
ret
hs_fork_phase
dcl_hs_fork_phase_instance_count 3
dcl_input vForkInstanceID
dcl_input vocp[3][0].xy
dcl_output_siv o0.x, finalTriUeq0EdgeTessFactor
dcl_output_siv o1.x, finalTriVeq0EdgeTessFactor
dcl_output_siv o2.x, finalTriWeq0EdgeTessFactor
dcl_temps 1
dcl_indexrange o0.x 3
mov r0.x, vForkInstanceID.x
mov o[r0.x + 0].x, vocp[r0.x + 0][0].y
ret
hs_join_phase
dcl_input vpc0.x
dcl_input vpc2.x
dcl_input vicp[3][0].xy
dcl_output_siv o3.x, finalTriInsideTessFactor
dcl_temps 1
add r0.x, vpc0.x, vpc2.x
add o3.x, r0.x, vicp[2][0].x
ret
)";

// Both phases of a hull shader: forks have instances, and the join reads what they gave. src: 10.3 to 10.7
TEST(Stages, HullShadersHaveTwoPhases) {
  const auto point = [](std::uint32_t number) {
    return map_of(
        {{"control_point_id", Value::integer(number)}, {"primitive_id", Value::integer(9)}, {"vertices", vertices_of("v", {10, 20, 30})}});
  };
  const Value points = made_by_text(kHull, lanes_of({point(0), point(1), point(2)}));
  EXPECT_EQ(text_of(points, "lanes", 0, "o"), "21 9");
  EXPECT_EQ(text_of(points, "lanes", 1, "o"), "31 9");
  EXPECT_EQ(text_of(points, "lanes", 2, "o"), "41 9");
  Value given = lanes_of({map_of({{"vertices", vertices_of("v", {10, 20, 30})}, {"control_points", vertices_of("o", {1, 2, 3})}})});
  given.add("function", Value::integer(1));
  const Value constants = made_by_text(kHull, given);
  EXPECT_EQ(text_of(constants, "lanes", 0, "SV_TessFactor"), "2");
  EXPECT_EQ(text_of(constants, "lanes", 0, "SV_TessFactor1"), "3");
  EXPECT_EQ(text_of(constants, "lanes", 0, "SV_TessFactor2"), "4");
  EXPECT_EQ(text_of(constants, "lanes", 0, "SV_InsideTessFactor3"), "36");
}

// src: 12.1 to 12.4
TEST(Stages, DomainShadersReadControlPointsAndPatchConstants) {
  constexpr std::string_view kText = R"(ds_5_0
dcl_input_control_point_count 3
dcl_tessellator_domain domain_tri
dcl_globalFlags refactoringAllowed
dcl_input vDomain.xyz
dcl_input_siv vpc0.x, finalTriInsideTessFactor
dcl_input vicp[3][0].xy
dcl_output_siv o0.xyzw, position
dcl_temps 1
mul r0.xy, vDomain.xxxx, vicp[0][0].xyxx
mad r0.xy, vDomain.yyyy, vicp[1][0].xyxx, r0.xyxx
mad o0.xy, vDomain.zzzz, vicp[2][0].xyxx, r0.xyxx
mov o0.z, vpc0.x
mov o0.w, l(1.000000)
ret
)";
  const Value result = made_by_text(kText, lanes_of({map_of({{"domain_location", list_of_numbers({2, 1, 4})},
                                                             {"vertices", vertices_of("v", {10, 20, 30})},
                                                             {"SV_InsideTessFactor", Value::integer(7)}})}));
  EXPECT_EQ(text_of(result, "lanes", 0, "SV_Position"), "160 167 7 1");
}

// Streams have points of their own, and instances run one after the other. src: 13.3 to 13.5
TEST(Stages, GeometryShadersHaveStreamsAndInstances) {
  constexpr std::string_view kText = R"(gs_5_0
dcl_globalFlags refactoringAllowed
dcl_input v[2][0].xy
dcl_input vPrim
dcl_input vGSInstanceID
dcl_temps 1
dcl_inputprimitive line
dcl_stream m0
dcl_outputtopology pointlist
dcl_output o0.xy
dcl_stream m1
dcl_outputtopology pointlist
dcl_output o0.x
dcl_maxout 4
dcl_gsinstances 2
mov o0.xy, v[1][0].xyxx
emit_stream m0
mov o0.x, vPrim
if_nz vGSInstanceID.x
emit_then_cut_stream m1
endif
ret
)";
  const auto lane = [](std::uint32_t instance) {
    return map_of(
        {{"gs_instance_id", Value::integer(instance)}, {"primitive_id", Value::integer(5)}, {"vertices", vertices_of("v", {10, 20})}});
  };
  const Value result = made_by_text(kText, lanes_of({lane(0), lane(1)}));
  ASSERT_EQ(count_of(result, "vertices"), 4U);
  const Value::List& vertices = *result.find("vertices")->as_list();
  EXPECT_EQ(text_of(result, "vertices", 0, "o"), "20 21");
  EXPECT_EQ(vertices[1].find("lane")->as_integer()->magnitude, 1U);
  EXPECT_EQ(vertices[2].find("stream")->as_integer()->magnitude, 1U);
  EXPECT_NE(vertices[3].find("cut"), nullptr);
}

// --- PICA200 geometry shaders ------------------------------------------------------------------------------------------------------------

Value of_pica(std::string_view name, Value given) { return made_by_file("pica/" + std::string(name), given); }

// Uniforms by register.
Value uniforms_of(std::initializer_list<std::pair<std::size_t, std::array<float, 4>>> rows) {
  std::vector<std::uint32_t> words(96 * 4);
  for (const auto& [at, row] : rows) {
    for (std::size_t k = 0; k < 4; ++k) words[at * 4 + k] = std::bit_cast<std::uint32_t>(row[k]);
  }
  Value given = lanes_of({Value::map()});
  given.add("resources", map_of({{"uniforms", words_of_case(words)}}));
  return given;
}

// A quad around each point: two triangles of the vertices in three slots, of which the second is turned.
TEST(Stages, PicaGeometryOfPoints) {
  Value given = lanes_of({map_of({{"v0", list_of_numbers({10, 20, 0, 1})}, {"v1", list_of_numbers({1, 2, 3, 4})}})});
  Value rows = Value::list();
  for (const auto& row :
       {list_of_numbers({1, 0, 0, 0}), list_of_numbers({0, 1, 0, 0}), list_of_numbers({0, 0, 1, 0}), list_of_numbers({0, 0, 0, 1})})
    rows.push(row);
  given.add("constants", map_of({{"projection", rows}}));
  const Value result = of_pica("quad.g.shbin", given);
  const std::string expected[] = {"9 19 0 1", "11 19 0 1", "9 21 0 1", "11 19 0 1", "11 21 0 1", "9 21 0 1"};
  std::size_t vertex = 0;
  for (std::size_t at = 0; at < count_of(result, "vertices"); ++at) {
    if ((*result.find("vertices")->as_list())[at].find("cut") != nullptr) continue;
    ASSERT_LT(vertex, std::size(expected));
    EXPECT_EQ(text_of(result, "vertices", at, "position"), expected[vertex++]);
    EXPECT_EQ(text_of(result, "vertices", at, "color"), "1 2 3 4");
  }
  EXPECT_EQ(vertex, std::size(expected));
}

// By names, by registers that have names, by registers that have none, and a class from its first register on.
TEST(Stages, PicaConstantsHaveTheNamesOfTheirRegisters) {
  constexpr std::string_view kText =
      ".fvec first[2]\n.ivec count\n.bool flag\n.out - position o0\n.out - color o1\n.out - dummy o2\n.proc main\n"
      "mova a0.x, v0\nmov o0, first[1]\nmov o1, c7[a0.x]\nmov r0, v0.y\nmov r1, v0.z\nfor i3\nadd r0, r0, r1\nnop\n.end\n"
      "ifu b15\nadd r0, r0, r1\nadd r0, r0, r1\nnop\n.end\nifu flag\nadd r0, r0, r0\nnop\n.end\nmov o2, r0\nend\n.end\n";
  const auto outputs = [&](std::initializer_list<std::pair<std::string_view, Value>> constants) {
    Value given = lanes_of({map_of({{"v0", list_of_numbers({90 - 7, 0, 1, 0})}})});
    given.add("constants", map_of(constants));
    const Value result = made_by_text(kText, given);
    return text_of(result, "lanes", 0, "position") + ", " + text_of(result, "lanes", 0, "color") + ", " +
           text_of(result, "lanes", 0, "dummy");
  };
  EXPECT_EQ(outputs({{"first", list_of({list_of_numbers({1, 2}), list_of_numbers({3, 4, 5, 6})})}}), "3 4 5 6, 0 0 0 0, 1 1 1 1");
  EXPECT_EQ(
      outputs({{"c1", list_of_numbers({3, 4, 5, 6})}, {"c90", list_of_numbers({7, 8, 9, 10})}, {"i3", list_of_numbers({4, 0, 1, 0})}}),
      "3 4 5 6, 7 8 9 10, 5 5 5 5");
  EXPECT_EQ(outputs({{"b15", Value::boolean(true)}, {"flag", Value::boolean(true)}}), "0 0 0 0, 0 0 0 0, 6 6 6 6");
  EXPECT_EQ(outputs({{"b0", Value::boolean(true)}}), "0 0 0 0, 0 0 0 0, 2 2 2 2");
  const Value zero = list_of_numbers({0, 0, 0, 0});
  EXPECT_EQ(
      outputs({{"c", list_of({zero, list_of_numbers({9, 8, 7, 6})})}, {"i", list_of({zero, zero, zero, list_of_numbers({1, 0, 0, 0})})}}),
      "9 8 7 6, 0 0 0 0, 2 2 2 2");
  EXPECT_EQ(outputs({{"b", list_of({Value::boolean(true)})}}), "0 0 0 0, 0 0 0 0, 2 2 2 2");
}

TEST(Stages, PicaRegistersBeyondTheLastAreNoConstants) {
  const Assembly made = shader::assemble(shader::Family::pica, ".out - position o0\n.proc main\nmov o0, v0\nend\n.end\n");
  ASSERT_TRUE(made.ok);
  const auto runnable = prepare(*shader::open(View(made.file)));
  ASSERT_TRUE(runnable);
  for (const std::string_view name : {"c96", "i4", "b16", "c01", "d0", "c-1"}) {
    const auto done = execute(*runnable, map_of({{"constants", map_of({{name, list_of_numbers({0, 0, 0, 0})}})}}));
    ASSERT_FALSE(done) << name;
    EXPECT_EQ(done.error().code, ErrorCode::missing) << name;
  }
  const auto large = execute(*runnable, map_of({{"constants", map_of({{"i0", list_of_numbers({256, 0, 0, 0})}})}}));
  EXPECT_EQ(large.error().code, ErrorCode::bad_value);
}

// A number between two of 24 bits.
TEST(Stages, PicaNumbersAreRoundedAsTheCaseSays) {
  constexpr std::string_view kText = ".out - position o0\n.proc main\nmov o0, v0\nend\n.end\n";
  constexpr float kBetween = 1.0F + 0x3p-18F;
  const auto position = [&](std::string_view how) {
    Value input = Value::list();
    for (unsigned k = 0; k < 4; ++k) input.push(Value::real(kBetween));
    Value given = lanes_of({map_of({{"v0", input}})});
    if (!how.empty()) given.add("float24", Value::text(std::string(how)));
    return made_by_text(kText, given).find("lanes")->as_list()->front().find("position")->as_list()->front().as_real()->narrow;
  };
  EXPECT_EQ(position(""), 1.0F);
  EXPECT_EQ(position("truncate"), 1.0F);
  EXPECT_EQ(position("nearest"), 1.0F + 0x1p-16F);
  EXPECT_EQ(position("f32"), kBetween);
}

TEST(Stages, RoundingIsOfThePicaAlone) {
  const Assembly made = shader::assemble(shader::Family::dxbc, "vs_5_0\ndcl_globalFlags refactoringAllowed\nret\n");
  ASSERT_TRUE(made.ok);
  const auto runnable = prepare(*shader::open(View(made.file)));
  ASSERT_TRUE(runnable);
  EXPECT_EQ(execute(*runnable, map_of({{"float24", Value::text("f32")}})).error().path, "float24");
  EXPECT_EQ(f24_of("f24"), std::nullopt);
}

// The four vertices of a primitive are c0 to c3; constants are at the end.
TEST(Stages, PicaGeometryOfFixedPrimitives) {
  const Value result = of_pica("particle.g.shbin", uniforms_of({{0, {1, 2, 3, 4}},
                                                                {1, {5, 6, 7, 8}},
                                                                {2, {9, 10, 11, 12}},
                                                                {92, {0, 1, 2, 0}},
                                                                {93, {1, 0.5F, 0.25F, 1}},
                                                                {94, {0, 0.125F, 8, -2}}}));
  EXPECT_EQ(text_of(result, "vertices", 0, "position"), "1 2.125 11 2");
  EXPECT_EQ(text_of(result, "vertices", 0, "color"), "0 0 0 0");
  EXPECT_EQ(text_of(result, "vertices", 1, "position"), "5 6 7 8");
  EXPECT_EQ(text_of(result, "vertices", 1, "color"), "1 0.5 0.25 1");
  EXPECT_EQ(text_of(result, "vertices", 2, "position"), "-9 -10 -11 -12");
  EXPECT_EQ(text_of(result, "vertices", 2, "color"), "1 1 1 1");
}

// c0.x counts the vertices from c1 on.
TEST(Stages, PicaGeometryOfPrimitivesOfAnySize) {
  const Value result = of_pica(
      "variable.g.shbin",
      uniforms_of({{0, {3, 0, 0, 0}}, {1, {1, 1, 1, 1}}, {2, {2, 2, 2, 2}}, {3, {3, 3, 3, 3}}, {4, {4, 4, 4, 4}}, {5, {5, 5, 5, 5}}}));
  const std::string expected[] = {"1 1 1 1", "2 2 2 2", "3 3 3 3", "4 4 4 4", "4 4 4 4", "5 5 5 5"};
  for (std::size_t at = 0; at < 3; ++at) {
    EXPECT_EQ(text_of(result, "vertices", at, "position"), expected[2 * at]);
    EXPECT_EQ(text_of(result, "vertices", at, "dummy"), expected[2 * at + 1]);
  }
}

}  // namespace
}  // namespace unshade::run

#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include <unshade/ir/passes.hpp>
#include <unshade/ir/verify.hpp>

#include "unit/ir/dxbc/lowered.hpp"

namespace unshade::ir {
namespace {

using test::expect_error;
using test::expect_ir;
using test::lowered;

TEST(LowerDxbc, KeepsIndexedRegistersInVariablesAndInlinesCalls) {
  expect_ir(R"(vs_5_0
dcl_globalFlags refactoringAllowed
dcl_immediateConstantBuffer { { 1.0, 0, 0, 0}, { 2.0, 0, 0, 0} }
dcl_constantbuffer CB2[8], dynamicIndexed
dcl_input v0.xyzw
dcl_input v1.xyzw
dcl_indexrange v0.xyzw 2
dcl_output_siv o0.xyzw, position
dcl_temps 1
dcl_indexableTemp x0[2], 4
mov x0[0].xy, v0.xyxx
mov r0.x, x0[0].x
mov r0.y, icb[r0.x + 1].x
add r0.y, r0.y, icb[1].x
mov o0.xy, cb2[r0.x + 3].yzyy
mov x0[r0.x + 1].z, v[r0.x + 0].w
mov o0.zw, x0[r0.x].zzzz
call l0
ret
label l0
callc_nz r0.x, l1
ret
label l1
mov o0.x, l(1)
retc_z r0.y
mov o0.y, l(2)
ret
)",
            R"(
stage vertex
modes denorm32 flush
input "v" type f32 register 0
input "v" index 1 type f32 register 1
output "SV_Position" system_value position type f32 register 0
resource @cb2 cbuffer register 2 bytes 128
variable @icb constant bytes 32 stride 16 initial 0x0000803f00000000000000000000000000000040000000000000000000000000
variable @x0 private bytes 32 stride 16
variable @v0_indexed private offset 32 bytes 32 stride 16

function @main {
^0: merge ^4
  %0 = input f32 in0.x
  %1 = input f32 in0.y
  %2 = input f32 in0.z
  %3 = input f32 in0.w
  %4 = input f32 in1.x
  %5 = input f32 in1.y
  %6 = input f32 in1.z
  %7 = input f32 in1.w
  %8 = handle @cb2 0
  store f32 @v0_indexed 0 %0
  store f32 @v0_indexed 4 %1
  store f32 @v0_indexed 8 %2
  store f32 @v0_indexed 12 %3
  store f32 @v0_indexed 16 %4
  store f32 @v0_indexed 20 %5
  store f32 @v0_indexed 24 %6
  store f32 @v0_indexed 28 %7
  store f32 @x0 0 %0 !9.10.x
  store f32 @x0 4 %1 !9.10.y
  %9 = load i32 @x0 0 !10.11.x
  %10 = iadd i32 %9 1 !11.12.x
  %11 = ishl i32 %10 4 !11.12.x
  %12 = load i32 @icb %11 !11.12.x
  %13 = bitcast f32 %12 !11.12.x
  %14 = fadd f32 %13 2.0 !12.13.y
  %15 = bitcast i32 %14 !12.13.y
  %16 = iadd i32 %9 3 !13.14
  %17 = ishl i32 %16 4 !13.14
  %18 = iadd i32 %17 4 !13.14
  %19 = cbuffer_load i32 x2 %8 %18 !13.14
  %20 = get i32 0 %19 !13.14.y
  %21 = bitcast f32 %20 !13.14.y
  %22 = get i32 1 %19 !13.14.z
  %23 = bitcast f32 %22 !13.14.z
  output f32 out0.x %21 !13.14.x
  output f32 out0.y %23 !13.14.y
  %24 = ishl i32 %9 4 !14.15.w
  %25 = iadd i32 %24 12 !14.15.w
  %26 = load i32 @v0_indexed %25 !14.15.w
  %27 = iadd i32 %9 1 !14.15.z
  %28 = ishl i32 %27 4 !14.15.z
  %29 = iadd i32 %28 8 !14.15.z
  store i32 @x0 %29 %26 !14.15.z
  %30 = ishl i32 %9 4 !15.16.z
  %31 = iadd i32 %30 8 !15.16.z
  %32 = load i32 @x0 %31 !15.16.z
  %33 = bitcast f32 %32 !15.16.z
  output f32 out0.z %33 !15.16.z
  output f32 out0.w %33 !15.16.w
  %34 = ine i32 %9 0 !19.18
  branch %34 ^1 ^4 !19.18
^1:
  output f32 out0.x 1e-45 !22.19.x
  %35 = ine i32 %15 0 !23.20
  branch %35 ^2 ^3 !23.20
^2:
  output f32 out0.y 3e-45 !24.21.y
  jump ^3 !25.22
^3:
  jump ^4 !25.22
^4:
  return
}
)");
}

TEST(LowerDxbc, JoinsPhasesOfAHullShader) {
  expect_ir(R"(hs_5_0
hs_decls
dcl_input_control_point_count 3
dcl_output_control_point_count 3
dcl_tessellator_domain domain_tri
dcl_tessellator_partitioning partitioning_integer
dcl_tessellator_output_primitive output_triangle_cw
dcl_globalFlags refactoringAllowed
hs_control_point_phase
dcl_input vOutputControlPointID
dcl_input v[3][0].xy
dcl_output o0.xy
dcl_temps 1
mov r0.x, vOutputControlPointID
mov o0.xy, v[r0.x + 0][0].xyxx
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
dcl_input vicp[3][0].xy
dcl_output_siv o3.x, finalTriInsideTessFactor
add o3.x, vpc0.x, vicp[2][0].x
ret
)",
            R"(
stage hull
info input_points 3 output_points 3 domain triangle partitioning integer tessellator_output triangle_clockwise
modes denorm32 flush
input "v" type f32 register 0 columns 2
output "o" type f32 register 0 columns 2
patch "SV_TessFactor" system_value final_tri_edge_tessfactor type f32 register 0 columns 1
patch "SV_TessFactor" index 1 system_value final_tri_edge_tessfactor type f32 register 1 columns 1
patch "SV_TessFactor" index 2 system_value final_tri_edge_tessfactor type f32 register 2 columns 1
patch "SV_InsideTessFactor" index 3 system_value final_tri_inside_tessfactor type f32 register 3 columns 1
variable @o0_indexed private bytes 48 stride 16

function @control_point {
^0:
  %0 = builtin i32 control_point_id
  %1 = input f32 in0.x vertex %0 !13.6.x
  %2 = input f32 in0.y vertex %0 !13.6.y
  output f32 out0.x %1 !13.6.x
  output f32 out0.y %2 !13.6.y
  return
}

function @patch_constant {
^0:
  %0 = input f32 in0.x vertex 2
  jump ^1
^1: merge ^3 continue ^2
  %1 = phi i32 ^0 0 ^2 %5
  %2 = ult i32 %1 3
  branch %2 ^2 ^3
^2:
  %3 = output_load f32 out0.y vertex %1 !25.17.y
  %4 = ishl i32 %1 4 !25.17.x
  store f32 @o0_indexed %4 %3 !25.17.x
  %5 = iadd i32 %1 1
  jump ^1
^3:
  %6 = load i32 @o0_indexed 0
  %7 = bitcast f32 %6
  output f32 patch0.x %7
  %8 = load i32 @o0_indexed 16
  %9 = bitcast f32 %8
  output f32 patch1.x %9
  %10 = load i32 @o0_indexed 32
  %11 = bitcast f32 %10
  output f32 patch2.x %11
  %12 = output_load f32 patch0.x !31.22.x
  %13 = fadd f32 %12 %0 !31.22.x
  output f32 patch3.x %13 !31.22.x
  return
}
)");
}

TEST(LowerDxbc, EmitsVerticesToStreams) {
  expect_ir(R"(gs_5_0
dcl_globalFlags refactoringAllowed
dcl_input_siv v[2][0].xyzw, position
dcl_input vPrim
dcl_input vGSInstanceID
dcl_temps 1
dcl_inputprimitive line
dcl_stream m0
dcl_outputtopology pointlist
dcl_output_siv o0.xyzw, position
dcl_stream m1
dcl_outputtopology pointlist
dcl_output o0.x
dcl_output o1.x
dcl_maxout 4
dcl_gsinstances 2
mov o0.xy, v[1][0].xyxx
emit_stream m0
mov o1.x, vPrim
emit_then_cut_stream m1
if_nz vGSInstanceID.x
cut_stream m0
endif
ret
)",
            R"(
stage geometry
info input_primitive line streams 2 point_list point_list max_vertices 4 instances 2
modes denorm32 flush
input "SV_Position" system_value position type f32 register 0
output "SV_Position" system_value position type f32 register 0
output "o" index 1 type f32 register 1 columns 1 stream 1

function @main {
^0: merge ^2
  %0 = input f32 in0.x vertex 1
  %1 = input f32 in0.y vertex 1
  %2 = builtin i32 primitive_id
  %3 = builtin i32 gs_instance_id
  %4 = bitcast f32 %2
  output f32 out0.x %0 !15.16.x
  output f32 out0.y %1 !15.16.y
  emit 0 !16.17
  output f32 out1.x %4 !17.18.x
  emit 1 !18.19
  cut 1 !18.19
  %5 = ine i32 %3 0 !19.20
  branch %5 ^1 ^2 !19.20
^1:
  cut 0 !20.21
  jump ^2 !21.22
^2:
  return
}
)");
}

TEST(LowerDxbc, ChoosesAmongClassesOfAnInterface) {
  expect_ir(R"(ps_5_0
dcl_globalFlags refactoringAllowed
dcl_constantbuffer CB0[2], immediateIndexed
dcl_function_body fb0
dcl_function_body fb1
dcl_function_table ft0 = {fb0}
dcl_function_table ft1 = {fb1}
dcl_interface fp0[2][1] = {ft0, ft1}
dcl_output o0.xyzw
dcl_temps 2
fcall fp0[1][0]
mov o0.xyzw, r0.xxxx
ret
label fb0
mov r0.x, l(1)
ret
label fb1
mov r1.xy, this[1].yxyy
mov r0.x, cb[r1.y + 0][r1.x + 1].z
ret
)",
            R"(
stage pixel
modes denorm32 flush
output "SV_Target" system_value target type f32 register 0
resource @cb0 cbuffer register 0 bytes 32
resource @cb0_any cbuffer register 0 count 15
resource @2 "$ThisPointer" cbuffer space 4294967280 register 0

function @main {
^0: merge ^3
  %0 = handle @2 0
  %1 = interface_slot 1 !9.10
  switch i32 %1 ^3 0 ^1 1 ^2 !9.10
^1:
  jump ^3 !14.12
^2:
  %2 = cbuffer_load i32 %0 16 !16.13.x
  %3 = cbuffer_load i32 %0 20 !16.13.y
  %4 = handle @cb0_any %2 !17.14
  %5 = iadd i32 %3 1 !17.14
  %6 = ishl i32 %5 4 !17.14
  %7 = iadd i32 %6 8 !17.14
  %8 = cbuffer_load i32 %4 %7 !17.14
  jump ^3 !18.15
^3:
  %9 = phi i32 ^0 undef ^1 1 ^2 %8
  %10 = bitcast f32 %9
  output f32 out0.x %10 !10.16.x
  output f32 out0.y %10 !10.16.y
  output f32 out0.z %10 !10.16.z
  output f32 out0.w %10 !10.16.w
  return
}
)");
}

TEST(LowerDxbc, MarksPreciseAndRelaxedArithmetic) {
  const auto module = lowered("ps_5_0\ndcl_input_ps linear v0.xy\ndcl_output o0.x\nadd o0.x, v0.x, v0.y\nret\n");
  ASSERT_TRUE(module);
  EXPECT_NE(print(*module).find("fadd f32 %0 %1 {precise}"), std::string::npos) << print(*module);
}

TEST(LowerDxbc, LocatesErrors) {
  expect_error("ps_5_0\nendif\nret\n", ErrorCode::bad_value, "instructions[0]");
  expect_error("ps_5_0\ndcl_temps 1\nif_nz r0.x\nret\n", ErrorCode::bad_value, "instructions[0]");
  expect_error("ps_5_0\ndcl_temps 1\nmov r4096.x, l(0)\nret\n", ErrorCode::out_of_range, "instructions[1]");
  expect_error("ps_5_0\ndcl_temps 1\nld_raw r0.x, r0.x, t3.x\nret\n", ErrorCode::missing, "instructions[1]");
  for (const std::string_view memory : {"dcl_uav_structured u0, 8\natomic_and u0", "dcl_tgsm_structured g0, 8, 4\natomic_and g0"})
    expect_error("cs_5_0\n" + std::string(memory) + ", l(1), l(0)\nret\n", ErrorCode::bad_value, "instructions[1]");
  expect_error("ps_5_0\ncall l3\nret\n", ErrorCode::missing, "instructions[0]");
  expect_error("ps_5_0\ncall l0\nret\nlabel l0\ncall l0\nret\n", ErrorCode::cycle, "instructions[3]");
  expect_error("ps_5_0\ndcl_temps 1\nswitch r0.x\ncase l(1)\ncase l(1)\nbreak\nendswitch\nret\n", ErrorCode::bad_value, "instructions[3]");
}

// A function has the registers that it uses, and gives back those that it writes.
TEST(LowerDxbc, KeepsCalls) {
  constexpr std::string_view kText = R"(vs_5_0
dcl_input v0.xyzw
dcl_output_siv o0.xyzw, position
dcl_temps 2
mov r0.xy, v0.xyxx
call l0
call l0
callc_nz r0.x, l1
mov o0.xyzw, r1.xyxy
ret
label l0
add r1.xy, r0.xyxx, r1.yxyy
call l1
ret
label l1
retc_z r0.y
mov r1.x, l(2)
ret
)";
  auto kept = lowered(kText, {.keep_calls = true});
  ASSERT_TRUE(kept) << to_string(kept.error());
  ASSERT_EQ(kept->functions.size(), 3U) << print(*kept);
  EXPECT_TRUE(findings_of(*kept).empty());
  EXPECT_EQ(kept->functions[1].parameters.size(), 4U);  // r0.xy, r1.xy
  EXPECT_EQ(kept->functions[1].results.size(), 2U);     // r1.xy
  EXPECT_EQ(kept->functions[2].parameters.size(), 2U);  // r0.y, r1.x
  EXPECT_EQ(kept->functions[2].results.size(), 1U);     // r1.x
  EXPECT_NE(print(*kept).find("call i32 x2 @label_"), std::string::npos) << print(*kept);
  const auto calls = passes::inline_calls(*kept);
  ASSERT_TRUE(calls) << to_string(calls.error());
  EXPECT_EQ(*calls, 5U);
  ASSERT_EQ(kept->functions.size(), 1U);
  EXPECT_TRUE(findings_of(*kept).empty());
  for (const char* bad : {"ps_5_0\ncall l3\nret\n", "ps_5_0\ncall l0\nret\nlabel l0\ncall l0\nret\n"})
    EXPECT_FALSE(lowered(bad, {.keep_calls = true}));
}

// Thirty-two levels of functions that call the next twice would be 2^32 copies.
TEST(LowerDxbc, BoundsInlining) {
  std::string text = "ps_5_0\ncall l0\nret\n";
  for (int level = 0; level < 30; ++level) {
    const auto next = std::to_string(level + 1);
    text += "label l" + std::to_string(level) + "\ncall l" + next + "\ncall l" + next + "\nret\n";
  }
  const auto module = lowered(text + "label l30\nret\n");
  ASSERT_FALSE(module);
  EXPECT_EQ(module.error().code, ErrorCode::limit);
}

// A call of an element that is known only when the program runs copies the bodies of every class for each element.
TEST(LowerDxbc, BoundsCallsOfElementsOfAnInterface) {
  const auto called = [](unsigned elements, const std::string& more = {}) {
    return lowered("ps_5_0\ndcl_function_body fb0\ndcl_function_table ft0 = {fb0}\ndcl_interface fp0[" + std::to_string(elements) +
                   "][1] = {ft0}\ndcl_output o0.xyzw\ndcl_temps 2\n" + more +
                   "fcall fp0[r0.x + 0][0]\nmov o0.xyzw, r0.xxxx\nret\nlabel fb0\nmov r0.x, l(1)\nret\n");
  };
  EXPECT_TRUE(called(253));  // D3D11_SHADER_MAX_INTERFACES
  const auto refused = called(8195);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::limit);
  EXPECT_EQ(refused.error().message, "too many instructions once functions are inlined");
  std::string more;
  for (int at = 0; at < 1000; ++at) more += "mov r1.x, l(1)\n";
  const auto too_many = called(40'000, more);
  ASSERT_FALSE(too_many);
  EXPECT_EQ(too_many.error().message, "the interface call has too many targets");
}

// Each register that is read needs a phi in each loop before it, which comes to nothing unless the loop writes it.
TEST(LowerDxbc, BoundsPhis) {
  const auto loops = [](unsigned count) {
    std::string text = "ps_5_0\ndcl_temps 4096\n";
    for (unsigned at = 0; at < count; ++at) {
      const auto reg = [&](unsigned step) { return 'r' + std::to_string(at * step % 4096); };
      text += "loop\nbreakc_nz " + reg(1) + ".x\nmov " + reg(7) + ".xyzw, " + reg(13) + ".yxzw\nendloop\n";
    }
    return lowered(text + "ret\n");
  };
  EXPECT_TRUE(loops(200));
  const auto refused = loops(2000);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::limit);
}

}  // namespace
}  // namespace unshade::ir

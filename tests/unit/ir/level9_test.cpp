#include <unshade/ir/lower_dxbc.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <string_view>

#include <unshade/ir/text.hpp>

#include "dxbc/level9/sm2_assemble.hpp"

namespace unshade::ir {
namespace {

dxcontainer::SignatureElement element(std::string_view semantic, dxcontainer::SystemValue value, std::uint32_t register_index,
                                      std::uint8_t mask) {
  dxcontainer::SignatureElement made;
  made.semantic.text = semantic;
  made.system_value = value;
  made.component_type = dxcontainer::ComponentType::float32;
  made.register_index = register_index;
  made.mask = mask;
  return made;
}

// c1 to c4 are four registers of cb1, s0 is t2 through s1, c0 is computed by the runtime.
void expect_ir(std::string_view text, std::string_view expected) {
  const auto bytes = dxbc::sm2::assemble_program(text);
  ASSERT_TRUE(bytes) << to_string(bytes.error());
  dxbc::Level9 level9;
  level9.program = View(*bytes);
  level9.version.token = level9.program.u32(0).value_or(0);
  level9.constant_buffers.items.push_back({.buffer = 1, .first_register = 4, .register_count = 4, .target = 1, .conversion = {}});
  level9.samplers.items.push_back({.resource = 2, .sampler = 1, .target = 0, .reserved = 0});
  level9.runtime_constants.items.push_back({});
  dxcontainer::Signature input;
  const std::uint32_t first = level9.version.is_pixel() ? 1 : 0;
  if (first != 0) input.elements.items.push_back(element("SV_Position", dxcontainer::SystemValue::position, 0, 0xf));
  input.elements.items.push_back(element("TEXCOORD", dxcontainer::SystemValue::undefined, first, 3));
  input.elements.items.push_back(element("COLOR", dxcontainer::SystemValue::undefined, first + 1, 0xf));
  DxbcInterface interface;
  interface.input = &input;
  const auto module = lower(level9, interface);
  ASSERT_TRUE(module) << to_string(module.error());
  EXPECT_EQ(print(*module), expected.substr(1));
}

TEST(LowerLevel9, ReadsConstantsFromTheBuffersTheyAreMappedTo) {
  expect_ir(R"(vs_2_x
def c7, 0, 1, 0.5, 0
defi i0, 3, 0, 1, 0
dcl_texcoord v0
dcl_texcoord1 v1
mova a0.x, v1.x
nrm r0.xyz, v1
mov r0.w, c7.y
rep i0
add r0.xyz, r0, c2[a0.x]
if_lt r0.x, c7.z
break
else
mul r0.x, r0, c7.z
endif
endrep
m4x3 oPos.xyz, r0, c2
mov oPos.w, -c1.y
mad_sat oT0.xy, r0_abs, c0, c7.x
)",
            R"(
stage vertex
modes denorm32 flush
input "TEXCOORD" type f32 register 0 columns 2
input "COLOR" type f32 register 1
output "SV_Position" system_value position type f32
output "o" type f32 register 0 columns 1
output "o" type f32 register 0 column 1 columns 1
resource @cb1 cbuffer register 1
resource @1 "$Runtime" cbuffer space 4294967280 register 1

function @main {
^0:
  %0 = input f32 in1.x !4.5
  %1 = fround_even f32 %0 !4.5
  %2 = f_to_s i32 %1 !4.5
  %3 = input f32 in1.x !5.6
  %4 = input f32 in1.y !5.6
  %5 = input f32 in1.z !5.6
  %6 = input f32 in1.w !5.6
  %7 = fmul f32 %3 %3 !5.6
  %8 = fmad f32 %4 %4 %7 !5.6
  %9 = fmad f32 %5 %5 %8 !5.6
  %10 = feq f32 %9 0.0 !5.6
  %11 = frsqrt f32 %9 !5.6
  %12 = select f32 %10 3.4028235e+38 %11 !5.6
  %13 = fmul f32 %3 %12 !5.6
  %14 = fmul f32 %4 %12 !5.6
  %15 = fmul f32 %5 %12 !5.6
  jump ^1 !7.8
^1: merge ^6 continue ^5
  %16 = phi f32 ^0 %15 ^5 %39
  %17 = phi f32 ^0 %14 ^5 %38
  %18 = phi f32 ^0 %13 ^5 %41
  %19 = phi i32 ^0 0 ^5 %42
  %20 = ilt i32 %19 3 !7.8
  branch %20 ^2 ^6 !7.8
^2: merge ^5
  %21 = handle @cb1 0 !8.9
  %22 = ishl i32 %2 4 !8.9
  %23 = iadd i32 %22 80 !8.9
  %24 = cbuffer_load f32 %21 %23 !8.9
  %25 = handle @cb1 0 !8.9
  %26 = ishl i32 %2 4 !8.9
  %27 = iadd i32 %26 84 !8.9
  %28 = cbuffer_load f32 %25 %27 !8.9
  %29 = handle @cb1 0 !8.9
  %30 = ishl i32 %2 4 !8.9
  %31 = iadd i32 %30 88 !8.9
  %32 = cbuffer_load f32 %29 %31 !8.9
  %33 = handle @cb1 0 !8.9
  %34 = ishl i32 %2 4 !8.9
  %35 = iadd i32 %34 92 !8.9
  %36 = cbuffer_load f32 %33 %35 !8.9
  %37 = fadd f32 %18 %24 !8.9
  %38 = fadd f32 %17 %28 !8.9
  %39 = fadd f32 %16 %32 !8.9
  %40 = flt f32 %37 0.5 !9.10
  branch %40 ^3 ^4 !9.10
^3:
  jump ^6 !10.11
^4:
  %41 = fmul f32 %37 0.5 !12.13
  jump ^5 !13.14
^5:
  %42 = iadd i32 %19 1 !14.15
  jump ^1 !14.15
^6:
  %43 = phi f32 ^1 %16 ^3 %39
  %44 = phi f32 ^1 %17 ^3 %38
  %45 = phi f32 ^1 %18 ^3 %37
  %46 = handle @cb1 0 !15.16
  %47 = cbuffer_load f32 %46 80 !15.16
  %48 = handle @cb1 0 !15.16
  %49 = cbuffer_load f32 %48 84 !15.16
  %50 = handle @cb1 0 !15.16
  %51 = cbuffer_load f32 %50 88 !15.16
  %52 = handle @cb1 0 !15.16
  %53 = cbuffer_load f32 %52 92 !15.16
  %54 = fmul f32 %45 %47 !15.16
  %55 = fmad f32 %44 %49 %54 !15.16
  %56 = fmad f32 %43 %51 %55 !15.16
  %57 = fmad f32 1.0 %53 %56 !15.16
  %58 = handle @cb1 0 !15.16
  %59 = cbuffer_load f32 %58 96 !15.16
  %60 = handle @cb1 0 !15.16
  %61 = cbuffer_load f32 %60 100 !15.16
  %62 = handle @cb1 0 !15.16
  %63 = cbuffer_load f32 %62 104 !15.16
  %64 = handle @cb1 0 !15.16
  %65 = cbuffer_load f32 %64 108 !15.16
  %66 = fmul f32 %45 %59 !15.16
  %67 = fmad f32 %44 %61 %66 !15.16
  %68 = fmad f32 %43 %63 %67 !15.16
  %69 = fmad f32 1.0 %65 %68 !15.16
  %70 = handle @cb1 0 !15.16
  %71 = cbuffer_load f32 %70 112 !15.16
  %72 = handle @cb1 0 !15.16
  %73 = cbuffer_load f32 %72 116 !15.16
  %74 = handle @cb1 0 !15.16
  %75 = cbuffer_load f32 %74 120 !15.16
  %76 = handle @cb1 0 !15.16
  %77 = cbuffer_load f32 %76 124 !15.16
  %78 = fmul f32 %45 %71 !15.16
  %79 = fmad f32 %44 %73 %78 !15.16
  %80 = fmad f32 %43 %75 %79 !15.16
  %81 = fmad f32 1.0 %77 %80 !15.16
  %82 = handle @cb1 0 !16.17
  %83 = cbuffer_load f32 %82 68 !16.17
  %84 = fneg f32 %83 !16.17
  %85 = fabs f32 %45 !17.18
  %86 = fabs f32 %44 !17.18
  %87 = fabs f32 %43 !17.18
  %88 = fabs f32 1.0 !17.18
  %89 = handle @1 0 !17.18
  %90 = cbuffer_load f32 %89 0 !17.18
  %91 = handle @1 0 !17.18
  %92 = cbuffer_load f32 %91 4 !17.18
  %93 = handle @1 0 !17.18
  %94 = cbuffer_load f32 %93 8 !17.18
  %95 = handle @1 0 !17.18
  %96 = cbuffer_load f32 %95 12 !17.18
  %97 = fmad f32 %85 %90 0.0 !17.18
  %98 = fmad f32 %86 %92 0.0 !17.18
  %99 = fsat f32 %97 !17.18
  %100 = fsat f32 %98 !17.18
  output f32 out0.x %57
  output f32 out0.y %69
  output f32 out0.z %81
  output f32 out0.w %84
  output f32 out1.x %99
  output f32 out2.x %100
  return
}
)");
}

TEST(LowerLevel9, CountsTexturesByTheRegistersOfTheSignature) {
  expect_ir(R"(ps_2_x
dcl t0.xy
dcl t1
dcl_cube s0
texldb r0, t1, s0
cmp r1.xyz, -r0, t1, r0
texkill r1
lrp oC0, r0.w, r0, t0.x
)",
            R"(
stage pixel
modes denorm32 flush
input "SV_Position" system_value position type f32 register 0
input "TEXCOORD" type f32 register 1 columns 2
input "COLOR" type f32 register 2
output "o" type f32 register 0 columns 1
output "o" type f32 register 0 column 1 columns 1
output "o" type f32 register 0 column 2 columns 1
output "o" type f32 register 0 column 3 columns 1
resource @t2 texture dimension texture_cube returns float register 2
resource @s1 sampler register 1

function @main {
^0:
  %0 = input f32 in2.x !3.4
  %1 = input f32 in2.y !3.4
  %2 = input f32 in2.z !3.4
  %3 = input f32 in2.w !3.4
  %4 = handle @t2 0 !3.4
  %5 = handle @s1 0 !3.4
  %6 = sample_implicit f32 x4 texture_cube bias %4 %5 %0 %1 %2 %3 !3.4
  %7 = get f32 0 %6 !3.4
  %8 = get f32 1 %6 !3.4
  %9 = get f32 2 %6 !3.4
  %10 = get f32 3 %6 !3.4
  %11 = fneg f32 %7 !4.5
  %12 = fneg f32 %8 !4.5
  %13 = fneg f32 %9 !4.5
  %14 = fneg f32 %10 !4.5
  %15 = input f32 in2.x !4.5
  %16 = input f32 in2.y !4.5
  %17 = input f32 in2.z !4.5
  %18 = input f32 in2.w !4.5
  %19 = fle f32 0.0 %11 !4.5
  %20 = select f32 %19 %15 %7 !4.5
  %21 = fle f32 0.0 %12 !4.5
  %22 = select f32 %21 %16 %8 !4.5
  %23 = fle f32 0.0 %13 !4.5
  %24 = select f32 %23 %17 %9 !4.5
  %25 = flt f32 %20 0.0 !5.6
  %26 = ior b1 false %25 !5.6
  %27 = flt f32 %22 0.0 !5.6
  %28 = ior b1 %26 %27 !5.6
  %29 = flt f32 %24 0.0 !5.6
  %30 = ior b1 %28 %29 !5.6
  demote %30 !5.6
  %31 = input f32 in1.x !6.7
  %32 = fsub f32 %7 %31 !6.7
  %33 = fmad f32 %10 %32 %31 !6.7
  %34 = fsub f32 %8 %31 !6.7
  %35 = fmad f32 %10 %34 %31 !6.7
  %36 = fsub f32 %9 %31 !6.7
  %37 = fmad f32 %10 %36 %31 !6.7
  %38 = fsub f32 %10 %31 !6.7
  %39 = fmad f32 %10 %38 %31 !6.7
  output f32 out0.x %33
  output f32 out1.x %35
  output f32 out2.x %37
  output f32 out3.x %39
  return
}
)");
}

TEST(LowerLevel9, RefusesASamplerAsAValue) {
  const auto bytes = dxbc::sm2::assemble_program("vs_2_0\nmov oPos, s5\n");
  ASSERT_TRUE(bytes) << to_string(bytes.error());
  dxbc::Level9 level9;
  level9.program = View(*bytes);
  level9.version.token = level9.program.u32(0).value_or(0);
  const auto module = lower(level9);
  ASSERT_FALSE(module);
  EXPECT_EQ(module.error().code, ErrorCode::bad_value);
  EXPECT_EQ(module.error().path, "instructions[0]");
}

}  // namespace
}  // namespace unshade::ir

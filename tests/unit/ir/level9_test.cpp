#include <unshade/ir/lower_dxbc.hpp>

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include <unshade/dxbc/level9/sm2_assemble.hpp>
#include <unshade/ir/text.hpp>

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

// src: "nrm - ps" on learn.microsoft.com: the fourth component is multiplied too, and the length is that of three
TEST(LowerLevel9, NormalizesTheFourthComponentByTheLengthOfThree) {
  expect_ir(R"(vs_2_x
dcl_texcoord v0
dcl_texcoord1 v1
nrm oPos.zw, v1
mov oPos.xy, v0
)",
            R"(
stage vertex
modes denorm32 flush
input "TEXCOORD" type f32 register 0 columns 2
input "COLOR" type f32 register 1
output "SV_Position" system_value position type f32

function @main {
^0:
  %0 = input f32 in1.x !2.3.x
  %1 = input f32 in1.y !2.3.y
  %2 = input f32 in1.z !2.3.z
  %3 = input f32 in1.w !2.3.w
  %4 = fmul f32 %0 %0 !2.3
  %5 = fmad f32 %1 %1 %4 !2.3
  %6 = fmad f32 %2 %2 %5 !2.3
  %7 = feq f32 %6 0.0 !2.3
  %8 = frsqrt f32 %6 !2.3
  %9 = select f32 %7 3.4028235e+38 %8 !2.3
  %10 = fmul f32 %2 %9 !2.3.z
  %11 = fmul f32 %3 %9 !2.3.w
  %12 = input f32 in0.x !3.4.x
  %13 = input f32 in0.y !3.4.y
  output f32 out0.z %10
  output f32 out0.w %11
  output f32 out0.x %12
  output f32 out0.y %13
  return
}
)");
}

// Of two sources the second is lowered first, whatever the order in which a compiler evaluates arguments.
TEST(LowerLevel9, LowersSourcesInOneOrder) {
  expect_ir(R"(vs_2_x
def c7, 0, 1, 0.5, 0
defi i0, 3, 0, 1, 0
dcl_texcoord v0
dcl_texcoord1 v1
dp3 r0.x, -v1, c2
slt r0.y, v1, c2
sgn r0.z, v1.z, r1, r2
rep i0
break_lt -v0.x, c3_abs.y
if_gt v0_abs.y, -c3.x
mov r0.w, c0.x
endif
endrep
mov oPos, r0
)",
            R"(
stage vertex
modes denorm32 flush
input "TEXCOORD" type f32 register 0 columns 2
input "COLOR" type f32 register 1
output "SV_Position" system_value position type f32
resource @cb1 cbuffer register 1
resource @1 "$Runtime" cbuffer space 4294967280 register 1

function @main {
^0:
  %0 = handle @cb1 0 !4.5.x
  %1 = cbuffer_load f32 %0 80 !4.5.x
  %2 = handle @cb1 0 !4.5.y
  %3 = cbuffer_load f32 %2 84 !4.5.y
  %4 = handle @cb1 0 !4.5.z
  %5 = cbuffer_load f32 %4 88 !4.5.z
  %6 = input f32 in1.x !4.5.x
  %7 = fneg f32 %6 !4.5.x
  %8 = input f32 in1.y !4.5.y
  %9 = fneg f32 %8 !4.5.y
  %10 = input f32 in1.z !4.5.z
  %11 = fneg f32 %10 !4.5.z
  %12 = fmul f32 %7 %1 !4.5
  %13 = fmad f32 %9 %3 %12 !4.5
  %14 = fmad f32 %11 %5 %13 !4.5
  %15 = input f32 in1.y !5.6.y
  %16 = handle @cb1 0 !5.6.y
  %17 = cbuffer_load f32 %16 84 !5.6.y
  %18 = flt f32 %15 %17 !5.6.y
  %19 = select f32 %18 1.0 0.0 !5.6.y
  %20 = input f32 in1.z !6.7.z
  %21 = flt f32 0.0 %20 !6.7.z
  %22 = select f32 %21 1.0 0.0 !6.7.z
  %23 = flt f32 %20 0.0 !6.7.z
  %24 = select f32 %23 -1.0 %22 !6.7.z
  jump ^1 !7.8
^1: merge ^6 continue ^5
  %25 = phi f32 ^0 undef ^5 %42
  %26 = phi i32 ^0 0 ^5 %43
  %27 = ilt i32 %26 3 !7.8
  branch %27 ^2 ^6 !7.8
^2:
  %28 = handle @cb1 0 !8.9.y
  %29 = cbuffer_load f32 %28 100 !8.9.y
  %30 = fabs f32 %29 !8.9.y
  %31 = input f32 in0.x !8.9.x
  %32 = fneg f32 %31 !8.9.x
  %33 = flt f32 %32 %30 !8.9
  branch %33 ^6 ^3 !8.9
^3: merge ^5
  %34 = handle @cb1 0 !9.10.x
  %35 = cbuffer_load f32 %34 96 !9.10.x
  %36 = fneg f32 %35 !9.10.x
  %37 = input f32 in0.y !9.10.y
  %38 = fabs f32 %37 !9.10.y
  %39 = flt f32 %36 %38 !9.10
  branch %39 ^4 ^5 !9.10
^4:
  %40 = handle @1 0 !10.11.x
  %41 = cbuffer_load f32 %40 0 !10.11.x
  jump ^5 !11.12
^5:
  %42 = phi f32 ^3 %25 ^4 %41
  %43 = iadd i32 %26 1 !12.13
  jump ^1 !12.13
^6:
  %44 = phi f32 ^1 %25 ^2 %25
  output f32 out0.x %14
  output f32 out0.y %19
  output f32 out0.z %24
  output f32 out0.w %44
  return
}
)");
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
  %0 = input f32 in1.x !4.5.x
  %1 = fround_even f32 %0 !4.5.x
  %2 = f_to_s i32 %1 !4.5.x
  %3 = input f32 in1.x !5.6.x
  %4 = input f32 in1.y !5.6.y
  %5 = input f32 in1.z !5.6.z
  %6 = fmul f32 %3 %3 !5.6
  %7 = fmad f32 %4 %4 %6 !5.6
  %8 = fmad f32 %5 %5 %7 !5.6
  %9 = feq f32 %8 0.0 !5.6
  %10 = frsqrt f32 %8 !5.6
  %11 = select f32 %9 3.4028235e+38 %10 !5.6
  %12 = fmul f32 %3 %11 !5.6.x
  %13 = fmul f32 %4 %11 !5.6.y
  %14 = fmul f32 %5 %11 !5.6.z
  jump ^1 !7.8
^1: merge ^6 continue ^5
  %15 = phi f32 ^0 %14 ^5 %34
  %16 = phi f32 ^0 %13 ^5 %33
  %17 = phi f32 ^0 %12 ^5 %36
  %18 = phi i32 ^0 0 ^5 %37
  %19 = ilt i32 %18 3 !7.8
  branch %19 ^2 ^6 !7.8
^2: merge ^5
  %20 = handle @cb1 0 !8.9.x
  %21 = ishl i32 %2 4 !8.9.x
  %22 = iadd i32 %21 80 !8.9.x
  %23 = cbuffer_load f32 %20 %22 !8.9.x
  %24 = handle @cb1 0 !8.9.y
  %25 = ishl i32 %2 4 !8.9.y
  %26 = iadd i32 %25 84 !8.9.y
  %27 = cbuffer_load f32 %24 %26 !8.9.y
  %28 = handle @cb1 0 !8.9.z
  %29 = ishl i32 %2 4 !8.9.z
  %30 = iadd i32 %29 88 !8.9.z
  %31 = cbuffer_load f32 %28 %30 !8.9.z
  %32 = fadd f32 %17 %23 !8.9.x
  %33 = fadd f32 %16 %27 !8.9.y
  %34 = fadd f32 %15 %31 !8.9.z
  %35 = flt f32 %32 0.5 !9.10
  branch %35 ^3 ^4 !9.10
^3:
  jump ^6 !10.11
^4:
  %36 = fmul f32 %32 0.5 !12.13.x
  jump ^5 !13.14
^5:
  %37 = iadd i32 %18 1 !14.15
  jump ^1 !14.15
^6:
  %38 = phi f32 ^1 %15 ^3 %34
  %39 = phi f32 ^1 %16 ^3 %33
  %40 = phi f32 ^1 %17 ^3 %32
  %41 = handle @cb1 0 !15.16.x
  %42 = cbuffer_load f32 %41 80 !15.16.x
  %43 = handle @cb1 0 !15.16.y
  %44 = cbuffer_load f32 %43 84 !15.16.y
  %45 = handle @cb1 0 !15.16.z
  %46 = cbuffer_load f32 %45 88 !15.16.z
  %47 = handle @cb1 0 !15.16.w
  %48 = cbuffer_load f32 %47 92 !15.16.w
  %49 = fmul f32 %40 %42 !15.16
  %50 = fmad f32 %39 %44 %49 !15.16
  %51 = fmad f32 %38 %46 %50 !15.16
  %52 = fmad f32 1.0 %48 %51 !15.16
  %53 = handle @cb1 0 !15.16.x
  %54 = cbuffer_load f32 %53 96 !15.16.x
  %55 = handle @cb1 0 !15.16.y
  %56 = cbuffer_load f32 %55 100 !15.16.y
  %57 = handle @cb1 0 !15.16.z
  %58 = cbuffer_load f32 %57 104 !15.16.z
  %59 = handle @cb1 0 !15.16.w
  %60 = cbuffer_load f32 %59 108 !15.16.w
  %61 = fmul f32 %40 %54 !15.16
  %62 = fmad f32 %39 %56 %61 !15.16
  %63 = fmad f32 %38 %58 %62 !15.16
  %64 = fmad f32 1.0 %60 %63 !15.16
  %65 = handle @cb1 0 !15.16.x
  %66 = cbuffer_load f32 %65 112 !15.16.x
  %67 = handle @cb1 0 !15.16.y
  %68 = cbuffer_load f32 %67 116 !15.16.y
  %69 = handle @cb1 0 !15.16.z
  %70 = cbuffer_load f32 %69 120 !15.16.z
  %71 = handle @cb1 0 !15.16.w
  %72 = cbuffer_load f32 %71 124 !15.16.w
  %73 = fmul f32 %40 %66 !15.16
  %74 = fmad f32 %39 %68 %73 !15.16
  %75 = fmad f32 %38 %70 %74 !15.16
  %76 = fmad f32 1.0 %72 %75 !15.16
  %77 = handle @cb1 0 !16.17.y
  %78 = cbuffer_load f32 %77 68 !16.17.y
  %79 = fneg f32 %78 !16.17.y
  %80 = fabs f32 %40 !17.18.x
  %81 = fabs f32 %39 !17.18.y
  %82 = handle @1 0 !17.18.x
  %83 = cbuffer_load f32 %82 0 !17.18.x
  %84 = handle @1 0 !17.18.y
  %85 = cbuffer_load f32 %84 4 !17.18.y
  %86 = fmad f32 %80 %83 0.0 !17.18.x
  %87 = fmad f32 %81 %85 0.0 !17.18.y
  %88 = fsat f32 %86 !17.18.x
  %89 = fsat f32 %87 !17.18.y
  output f32 out0.x %52
  output f32 out0.y %64
  output f32 out0.z %76
  output f32 out0.w %79
  output f32 out1.x %88
  output f32 out2.x %89
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
  %0 = input f32 in2.x !3.4.x
  %1 = input f32 in2.y !3.4.y
  %2 = input f32 in2.z !3.4.z
  %3 = input f32 in2.w !3.4.w
  %4 = handle @t2 0 !3.4
  %5 = handle @s1 0 !3.4
  %6 = sample_implicit f32 x4 texture_cube bias %4 %5 %0 %1 %2 %3 !3.4
  %7 = get f32 0 %6 !3.4.x
  %8 = get f32 1 %6 !3.4.y
  %9 = get f32 2 %6 !3.4.z
  %10 = get f32 3 %6 !3.4.w
  %11 = fneg f32 %7 !4.5.x
  %12 = fneg f32 %8 !4.5.y
  %13 = fneg f32 %9 !4.5.z
  %14 = input f32 in2.x !4.5.x
  %15 = input f32 in2.y !4.5.y
  %16 = input f32 in2.z !4.5.z
  %17 = fle f32 0.0 %11 !4.5.x
  %18 = select f32 %17 %14 %7 !4.5.x
  %19 = fle f32 0.0 %12 !4.5.y
  %20 = select f32 %19 %15 %8 !4.5.y
  %21 = fle f32 0.0 %13 !4.5.z
  %22 = select f32 %21 %16 %9 !4.5.z
  %23 = flt f32 %18 0.0 !5.6
  %24 = ior b1 false %23 !5.6
  %25 = flt f32 %20 0.0 !5.6
  %26 = ior b1 %24 %25 !5.6
  %27 = flt f32 %22 0.0 !5.6
  %28 = ior b1 %26 %27 !5.6
  demote %28 !5.6
  %29 = input f32 in1.x !6.7.x
  %30 = fsub f32 %7 %29 !6.7.x
  %31 = fmad f32 %10 %30 %29 !6.7.x
  %32 = fsub f32 %8 %29 !6.7.y
  %33 = fmad f32 %10 %32 %29 !6.7.y
  %34 = fsub f32 %9 %29 !6.7.z
  %35 = fmad f32 %10 %34 %29 !6.7.z
  %36 = fsub f32 %10 %29 !6.7.w
  %37 = fmad f32 %10 %36 %29 !6.7.w
  output f32 out0.x %31
  output f32 out1.x %33
  output f32 out2.x %35
  output f32 out3.x %37
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

// Each of four functions calls the next sixteen times.
TEST(LowerLevel9, BoundsInlining) {
  std::string text = "vs_2_0\n";
  for (int level = 0; level < 4; ++level) {
    for (int call = 0; call < 16; ++call) text += "call l" + std::to_string(level) + '\n';
    text += "ret\nlabel l" + std::to_string(level) + '\n';
  }
  const auto bytes = dxbc::sm2::assemble_program(text + "mov oPos, c0\nret\n");
  ASSERT_TRUE(bytes) << to_string(bytes.error());
  dxbc::Level9 level9;
  level9.program = View(*bytes);
  level9.version.token = level9.program.u32(0).value_or(0);
  const auto module = lower(level9);
  ASSERT_FALSE(module);
  EXPECT_EQ(module.error().code, ErrorCode::limit);
  EXPECT_EQ(module.error().message, "too many instructions once functions are inlined");
}

// TEXCOORD has two components: a texture of two dimensions reads no more, nor does a product of two.
TEST(LowerLevel9, ReadsTheComponentsThatInstructionsTake) {
  expect_ir(R"(ps_2_0
dcl t0.xy
dcl_2d s0
texld r0, t0, s0
dp2add r0.x, t0, r0, r0.w
rcp r0.x, r0.x
mov oC0, r0.x
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
resource @t2 texture dimension texture2d returns float register 2
resource @s1 sampler register 1

function @main {
^0:
  %0 = input f32 in1.x !2.3.x
  %1 = input f32 in1.y !2.3.y
  %2 = handle @t2 0 !2.3
  %3 = handle @s1 0 !2.3
  %4 = sample_implicit f32 x4 texture2d %2 %3 %0 %1 !2.3
  %5 = get f32 0 %4 !2.3.x
  %6 = get f32 1 %4 !2.3.y
  %7 = get f32 2 %4 !2.3.z
  %8 = get f32 3 %4 !2.3.w
  %9 = input f32 in1.x !3.4.x
  %10 = input f32 in1.y !3.4.y
  %11 = fmul f32 %9 %5 !3.4
  %12 = fmad f32 %10 %6 %11 !3.4
  %13 = fadd f32 %12 %8 !3.4
  %14 = frcp f32 %13 !4.5.x
  output f32 out0.x %14
  output f32 out1.x %14
  output f32 out2.x %14
  output f32 out3.x %14
  return
}
)");
}

TEST(LowerLevel9, RefusesAProgramThatIsNotWhatItsPartStates) {
  const auto refused = [](std::uint32_t stated, std::uint32_t program) {
    const std::uint32_t tokens[] = {program, 0x0000'ffff};
    dxbc::Level9 level9;
    level9.program = View(std::as_bytes(std::span(tokens)));
    level9.version.token = stated;
    const auto module = lower(level9, {});
    return module ? std::string("lowered") : to_string(module.error());
  };
  EXPECT_EQ(refused(0xfffe'0200, 0xfffe'0201), "lowered");  // the part's model can be lower
  EXPECT_EQ(refused(0xfffe'0200, 0), "error[bad-value]: version: found unknown(0x0000)_0_0, expected a vertex shader of model 1 to 3");
  EXPECT_EQ(refused(0xffff'0200, 0xfffe'0200), "error[bad-value]: version: found vs_2_0, expected a pixel shader of model 1 to 3");
  EXPECT_EQ(refused(0xffff'0200, 0xffff'0700), "error[bad-value]: version: found ps_7_0, expected a pixel shader of model 1 to 3");
}

}  // namespace
}  // namespace unshade::ir

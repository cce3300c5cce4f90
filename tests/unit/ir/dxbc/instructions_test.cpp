#include <algorithm>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "unit/ir/dxbc/lowered.hpp"

namespace unshade::ir {
namespace {

using test::expect_ir;

// Its loads of constants took 2^32 steps.
TEST(LowerDxbc, ReadsNothingForADestinationWithoutComponents) {
  auto assembly = dxbc::assemble_program(R"(cs_5_0
dcl_globalFlags refactoringAllowed
dcl_constantbuffer CB0[1], immediateIndexed
dcl_temps 1
dcl_thread_group 1, 1, 1
firstbit_hi r0.x, cb0[0].y
ret
)");
  std::ranges::replace(assembly.tokens, 0x0010'0012U, 0x0010'0002U);  // the write mask of r0
  const dxcontainer::Part part{dxcontainer::fourcc("SHEX"), 0, View(std::as_bytes(std::span(assembly.tokens)))};
  const auto program = dxbc::parse_program(part);
  ASSERT_TRUE(program) << to_string(program.error());
  const auto module = lower(*program);
  ASSERT_TRUE(module) << to_string(module.error());
  EXPECT_EQ(print(*module).find("cbuffer_load"), std::string::npos) << print(*module);
}

TEST(LowerDxbc, ReadsOperandsBySwizzleModifierAndType) {
  expect_ir(R"(ps_5_0
dcl_globalFlags refactoringAllowed
dcl_constantbuffer CB0[4], immediateIndexed
dcl_input_ps linear v0.xy
dcl_input_ps linear centroid v1.z
dcl_output o0.xyzw
dcl_temps 2
mov r0.xy, v0.yxyy
mad_sat r0.zw, -|v0.xxxy|, cb0[1].wwyx, l(0, 0, 1.5, 2)
mov r0.xy, r0.yxyy
dp3 r1.y, r0.xyzx, v1.zzzz
ge r1.x, r1.y, r0.x
and r1.x, r1.x, l(1.0)
movc o0.xyz, r1.xyxx, r0.xyzx, -r1.xyxx
mov o0.w, r1.x
ret
)",
            R"(
stage pixel
modes denorm32 flush
input "v" type f32 interpolation linear register 0 columns 2
input "v" index 1 type f32 interpolation linear_centroid register 1 column 2 columns 1
output "SV_Target" system_value target type f32 register 0
resource @cb0 cbuffer register 0 bytes 64

function @main {
^0:
  %0 = input f32 in0.x
  %1 = input f32 in0.y
  %2 = handle @cb0 0
  %3 = input f32 in1.x
  %4 = fabs f32 %0 !7.8.x
  %5 = fneg f32 %4 !7.8.x
  %6 = fabs f32 %1 !7.8.y
  %7 = fneg f32 %6 !7.8.y
  %8 = cbuffer_load f32 x2 %2 16 !7.8
  %9 = get f32 0 %8 !7.8.x
  %10 = get f32 1 %8 !7.8.y
  %11 = fmad f32 %5 %10 1.5 !7.8.z
  %12 = fmad f32 %7 %9 2.0 !7.8.w
  %13 = fsat f32 %11 !7.8.z
  %14 = fsat f32 %12 !7.8.w
  %15 = fmul f32 %0 %3 !9.10
  %16 = fmad f32 %1 %3 %15 !9.10
  %17 = fmad f32 %13 %3 %16 !9.10
  %18 = bitcast i32 %17 !9.10
  %19 = fle f32 %0 %17 !10.11.x
  %20 = sext i32 %19 !10.11.x
  %21 = iand i32 %20 0x3f800000 !11.12.x
  %22 = bitcast f32 %21 !11.12.x
  %23 = fneg f32 %22 !12.13.x
  %24 = fneg f32 %17 !12.13.y
  %25 = ine i32 %21 0 !12.13.x
  %26 = select f32 %25 %0 %23 !12.13.x
  %27 = ine i32 %18 0 !12.13.y
  %28 = select f32 %27 %1 %24 !12.13.y
  %29 = ine i32 %21 0 !12.13.z
  %30 = select f32 %29 %13 %23 !12.13.z
  output f32 out0.x %26 !12.13.x
  output f32 out0.y %28 !12.13.y
  output f32 out0.z %30 !12.13.z
  output f32 out0.w %22 !13.14.w
  return
}
)");
}

TEST(LowerDxbc, ExpandsInstructionsOfIntegers) {
  expect_ir(R"(cs_5_0
dcl_globalFlags refactoringAllowed
dcl_input vThreadID.xy
dcl_uav_raw u0
dcl_temps 3
dcl_thread_group 4, 1, 1
imul r0.x, null, vThreadID.x, vThreadID.y
umul null, r0.y, vThreadID.x, l(3)
udiv r0.z, r0.w, vThreadID.x, vThreadID.y
uaddc r1.x, r1.y, r0.x, r0.y
bfi r1.z, l(4), l(8), r0.x, r0.y
ubfe r1.w, l(4), l(8), r0.x
firstbit_hi r2.x, r0.x
f32tof16 r2.y, r0.x
f16tof32 r2.z, r2.y
swapc r0.x, r0.y, r2.x, r0.z, r0.w
imad r0.x, r0.x, r0.y, -r0.z
store_raw u0.xy, vThreadID.x, r0.xyxx
store_raw u0.xy, l(16), r1.xzxx
ret
)",
            R"(
stage compute
info group_size 4 1 1
modes denorm32 flush
resource @u0 uav_byte_address dimension buffer register 0

function @main {
^0:
  %0 = builtin i32 thread_id.x
  %1 = builtin i32 thread_id.y
  %2 = handle @u0 0
  %3 = imul_high i32 %0 %1 !5.6.x
  %4 = bitcast f32 %3 !5.6.x
  %5 = imul i32 %0 3 !6.7.y
  %6 = udiv i32 %0 %1 !7.8.z
  %7 = urem i32 %0 %1 !7.8.w
  %8 = add_carry i32 %3 %5 !8.9.x
  %9 = get i32 0 %8 !8.9.x
  %10 = add_carry i32 %3 %5 !8.9.y
  %11 = get i32 1 %10 !8.9.y
  %12 = bfi i32 %3 %5 8 4 !9.10.z
  %13 = ubfe i32 %3 8 4 !10.11.w
  %14 = first_high i32 %3 !11.12.x
  %15 = ieq i32 %14 -1 !11.12.x
  %16 = isub i32 31 %14 !11.12.x
  %17 = select i32 %15 %14 %16 !11.12.x
  %18 = f_to_f f16 toward_zero %4 !12.13.y
  %19 = bitcast i16 %18 !12.13.y
  %20 = zext i32 %19 !12.13.y
  %21 = trunc i16 %20 !13.14.z
  %22 = bitcast f16 %21 !13.14.z
  %23 = f_to_f f32 nearest_even %22 !13.14.z
  %24 = ine i32 %17 0 !14.15.x
  %25 = select i32 %24 %7 %6 !14.15.x
  %26 = select i32 %24 %6 %7 !14.15.x
  %27 = ine i32 %17 0 !14.15.y
  %28 = select i32 %27 %7 %6 !14.15.y
  %29 = select i32 %27 %6 %7 !14.15.y
  %30 = ineg i32 %6 !15.16.z
  %31 = imul i32 %25 %29 !15.16.x
  %32 = iadd i32 %31 %30 !15.16.x
  buffer_store i32 raw %2 %0 %32 %29 !16.17
  buffer_store i32 raw %2 16 %9 %12 !17.18
  return
}
)");
}

TEST(LowerDxbc, TurnsBlocksToEdgesWithOneLatchForEachLoop) {
  expect_ir(R"(ps_5_0
dcl_globalFlags refactoringAllowed
dcl_input_ps constant v0.xy
dcl_output o0.x
dcl_temps 1
mov r0.x, l(0)
mov r0.y, l(0)
loop
  uge r0.z, r0.y, v0.x
  breakc_nz r0.z
  switch r0.y
    case l(0)
      iadd r0.x, r0.x, l(1)
    case l(2)
    case l(3)
      iadd r0.x, r0.x, l(2)
      break
    default
      continuec_z v0.y
      break
  endswitch
  if_z r0.x
    retc_nz v0.y
  else
    iadd r0.y, r0.y, l(2)
  endif
  iadd r0.y, r0.y, l(1)
endloop
mov o0.x, r0.x
ret
)",
            R"(
stage pixel
modes denorm32 flush
input "v" type f32 interpolation constant register 0 columns 2
output "SV_Target" system_value target type f32 register 0 columns 1

function @main {
^0:
  %0 = input f32 in0.x
  %1 = input f32 in0.y
  %2 = bitcast i32 %1
  %3 = bitcast i32 %0
  jump ^1 !6.7
^1: merge ^13 continue ^12
  %4 = phi i32 ^0 0 ^12 %20
  %5 = phi i32 ^0 0 ^12 %19
  %6 = bitcast f32 %4
  %7 = ule i32 %3 %5 !7.8.z
  %8 = sext i32 %7 !7.8.z
  branch %7 ^13 ^2 !8.9
^2: merge ^7
  switch i32 %5 ^5 0 ^3 2 ^4 3 ^4 !9.10
^3:
  %9 = iadd i32 %4 1 !11.12.x
  jump ^4 !12.13
^4:
  %10 = phi i32 ^2 %4 ^3 %9
  %11 = iadd i32 %10 2 !14.15.x
  jump ^7 !15.16
^5:
  %12 = ine i32 %2 0 !17.18
  branch %12 ^6 ^12 !17.18
^6:
  jump ^7 !18.19
^7: merge ^11
  %13 = phi i32 ^4 %11 ^6 %4
  %14 = ine i32 %13 0 !20.21
  branch %14 ^10 ^8 !20.21
^8:
  %15 = ine i32 %2 0 !21.22
  branch %15 ^14 ^9 !21.22
^9:
  jump ^11 !22.23
^10:
  %16 = iadd i32 %5 2 !23.24.y
  jump ^11 !24.25
^11:
  %17 = phi i32 ^9 %5 ^10 %16
  %18 = iadd i32 %17 1 !25.26.y
  jump ^12 !26.27
^12:
  %19 = phi i32 ^5 %5 ^11 %18
  %20 = phi i32 ^5 %4 ^11 %13
  jump ^1 !26.27
^13:
  %21 = phi f32 ^1 %6
  output f32 out0.x %21 !27.28.x
  jump ^14 !28.29
^14:
  return
}
)");
}

TEST(LowerDxbc, AddressesResourcesAndGroupMemory) {
  expect_ir(R"(cs_5_0
dcl_globalFlags refactoringAllowed
dcl_resource_texture2darray (float,float,float,float) t0
dcl_resource_structured t1, 16
dcl_sampler s0, mode_default
dcl_uav_typed_texture2d (uint,uint,uint,uint) u0
dcl_uav_structured u1, 8
dcl_tgsm_structured g0, 8, 4
dcl_input vThreadID.xyz
dcl_input vThreadIDInGroupFlattened
dcl_temps 3
dcl_thread_group 4, 1, 1
ld r0.xw, vThreadID.xyzz, t0.yxzw
sample_l(1, -2, 0) r1.xyz, r0.xwxx, t0.zyxw, s0, l(2.0)
ld_structured r2.yz, vThreadID.x, l(4), t1.xxyx
store_structured g0.x, vThreadIDInGroupFlattened, l(4), r2.y
sync_g_t
imm_atomic_cmp_exch r0.x, g0, vThreadID.xyxx, r2.y, r2.z
atomic_umax u1, vThreadID.xyxx, r0.x
imm_atomic_iadd r0.y, u0, vThreadID.xyxx, l(1)
store_uav_typed u0.xyzw, vThreadID.xyxx, r0.xyxx
resinfo_uint r0.xyzw, l(1), t0.zwxy
store_structured u1.xy, r0.x, l(0), r0.zwzz
ret
)",
            R"(
stage compute
info group_size 4 1 1
modes denorm32 flush
resource @t0 texture dimension texture2d_array returns float register 0
resource @t1 structured dimension buffer register 1 stride 16
resource @s0 sampler register 0
resource @u0 uav_typed dimension texture2d returns uint register 0
resource @u1 uav_structured dimension buffer register 1 stride 8
variable @g0 group bytes 32 stride 8

function @main {
^0:
  %0 = handle @t0 0
  %1 = builtin i32 thread_id.x
  %2 = builtin i32 thread_id.y
  %3 = builtin i32 thread_id.z
  %4 = handle @s0 0
  %5 = handle @t1 0
  %6 = builtin i32 local_index
  %7 = handle @u1 0
  %8 = handle @u0 0
  %9 = texel_load f32 x4 texture2d_array lod %0 %1 %2 %3 %3 !11.12
  %10 = get f32 1 %9 !11.12.x
  %11 = get f32 3 %9 !11.12.w
  %12 = sample f32 x4 texture2d_array lod offset %0 %4 %10 %11 %10 2.0 1 -2 !12.13
  %13 = get f32 2 %12 !12.13.x
  %14 = get f32 1 %12 !12.13.y
  %15 = get f32 0 %12 !12.13.z
  %16 = buffer_load i32 x2 structured offset %5 %1 4 !13.14
  %17 = get i32 0 %16 !13.14.x
  %18 = get i32 1 %16 !13.14.y
  %19 = imul i32 %6 8 !14.15
  %20 = iadd i32 %19 4 !14.15
  store i32 @g0 %20 %17 !14.15.x
  barrier sync_group|group_memory !15.16
  jump ^1 !15.16
^1:
  %21 = imul i32 %1 8 !16.17
  %22 = iadd i32 %21 %2 !16.17
  %23 = atomic i32 @g0 compare_exchange %22 %18 %17 !16.17
  %24 = buffer_atomic i32 structured offset umax %7 %1 %2 %23 !17.18
  %25 = texel_atomic i32 texture2d add %8 %1 %2 1 !18.19
  texel_store i32 texture2d %8 %1 %2 %23 %25 %23 %23 !19.20
  %26 = query_size x3 texture2d_array lod %0 1 !20.21
  %27 = get i32 0 %26 !20.21.x
  %28 = get i32 1 %26 !20.21.y
  %29 = get i32 2 %26 !20.21.z
  %30 = query_levels texture2d_array %0 !20.21
  buffer_store i32 structured offset %7 %29 0 %27 %28 !21.22
  return
}
)");
}

// The lowering refuses by the columns that the validator reads.
TEST(LowerDxbc, RefusesWhatRowsDoNotAllow) {
  constexpr std::string_view kRefused[] = {
      "sample_l r0.xyzw, l(0,0,0,0), t2.xyzw, s0, l(0)",
      "ld r0.xyzw, l(0,0,0,0), t1.xyzw",
      "ldms r0.xyzw, l(0,0,0,0), t0.xyzw, l(0)",
      "ld_indexable(texture3d)(float,float,float,float) r0.xyzw, l(0,0,0,0), t0.xyzw",
      "ld_structured r0.x, l(0), l(0), g0.xxxx",
      "bufinfo r0.x, t0.xyzw",
      "store_uav_typed u1.x, l(0,0,0,0), l(1,1,1,1)",
      "store_raw u0.xz, l(0), l(1,1,1,1)",
      "store_raw u0.x, l(0,4,0,0), l(1)",
      "imm_atomic_iadd r0.xy, u0, l(0), l(1)",
      "gather4_po(1,0,0) r0.xyzw, l(0,0,0,0), l(1,2,0,0), t0.xyzw, s0.x",
  };
  for (const std::string_view instruction : kRefused) {
    SCOPED_TRACE(instruction);
    test::expect_error(R"(cs_5_0
dcl_globalFlags refactoringAllowed
dcl_resource_texture2d (float,float,float,float) t0
dcl_resource_texture2dms(4) (float,float,float,float) t1
dcl_resource_buffer (float,float,float,float) t2
dcl_sampler s0, mode_default
dcl_uav_raw u0
dcl_uav_typed_texture2d (float,float,float,float) u1
dcl_tgsm_raw g0, 64
dcl_temps 1
dcl_thread_group 1, 1, 1
)" + std::string(instruction) +
                           "\nret\n",
                       ErrorCode::bad_value, "instructions[10]");
  }
}

TEST(LowerDxbc, PairsComponentsOfDoubles) {
  expect_ir(R"(ps_5_0
dcl_globalFlags refactoringAllowed | enableDoublePrecisionFloatOps
dcl_constantbuffer CB0[2], immediateIndexed
dcl_output o0.xyzw
dcl_temps 2
dadd_sat r0.zw, cb0[0].xyxy, -|cb0[0].zwzw|
dmul r0.xyzw, r0.zwzw, cb0[1].xyzw
dlt r1.x, r0.xyxy, d(1.0l, 1.0l)
dmovc r1.zw, r1.x, r0.xyxy, r0.zwzw
dtof o0.xy, r0.xyzw
dtoi o0.z, r1.zwzw
mov o0.w, r1.x
ret
)",
            R"(
stage pixel
modes denorm32 flush
output "SV_Target" system_value target type f32 register 0
resource @cb0 cbuffer register 0 bytes 32

function @main {
^0:
  %0 = handle @cb0 0
  %1 = cbuffer_load i32 x2 %0 0 !4.5
  %2 = get i32 0 %1 !4.5.x
  %3 = get i32 1 %1 !4.5.y
  %4 = pack64 f64 %2 %3 !4.5.x
  %5 = cbuffer_load i32 x2 %0 8 !4.5
  %6 = get i32 0 %5 !4.5.z
  %7 = get i32 1 %5 !4.5.w
  %8 = pack64 f64 %6 %7 !4.5.z
  %9 = fabs f64 %8 !4.5.z
  %10 = fneg f64 %9 !4.5.z
  %11 = fadd f64 %4 %10 !4.5.z
  %12 = fsat f64 %11 !4.5.z
  %13 = unpack64 f64 %12 !4.5.z
  %14 = get i32 0 %13 !4.5.z
  %15 = get i32 1 %13 !4.5.w
  %16 = cbuffer_load i32 x2 %0 16 !5.6
  %17 = get i32 0 %16 !5.6.x
  %18 = get i32 1 %16 !5.6.y
  %19 = pack64 f64 %17 %18 !5.6.x
  %20 = cbuffer_load i32 x2 %0 24 !5.6
  %21 = get i32 0 %20 !5.6.z
  %22 = get i32 1 %20 !5.6.w
  %23 = pack64 f64 %21 %22 !5.6.z
  %24 = fmul f64 %12 %19 !5.6.x
  %25 = fmul f64 %12 %23 !5.6.z
  %26 = unpack64 f64 %24 !5.6.x
  %27 = get i32 0 %26 !5.6.x
  %28 = get i32 1 %26 !5.6.y
  %29 = unpack64 f64 %25 !5.6.z
  %30 = get i32 0 %29 !5.6.z
  %31 = get i32 1 %29 !5.6.w
  %32 = flt f64 %24 1.0 !6.7.x
  %33 = sext i32 %32 !6.7.x
  %34 = bitcast f32 %33 !6.7.x
  %35 = select f64 %32 %24 %25 !7.8.z
  %36 = unpack64 f64 %35 !7.8.z
  %37 = get i32 0 %36 !7.8.z
  %38 = get i32 1 %36 !7.8.w
  %39 = f_to_f f32 nearest_even %24 !8.9.x
  %40 = f_to_f f32 nearest_even %25 !8.9.y
  output f32 out0.x %39 !8.9.x
  output f32 out0.y %40 !8.9.y
  %41 = f_to_s i32 %35 !9.10.z
  %42 = bitcast f32 %41 !9.10.z
  output f32 out0.z %42 !9.10.z
  output f32 out0.w %34 !10.11.w
  return
}
)");
}

}  // namespace
}  // namespace unshade::ir

#include <unshade/vm/text.hpp>

#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "unit/vm/prepare/listed.hpp"

namespace unshade::vm::test {
namespace {

constexpr std::string_view kFlow = R"(stage compute
info group_size 8 1 1
modes denorm32 flush
resource @numbers cbuffer register 0 bytes 32
resource @keys uav_byte_address register 1
variable @shared group bytes 256

function @main {
^0:
  %tid = builtin i32 thread_id.x !0.0
  %keys = handle @keys 0
  %key = buffer_load i32 x2 raw %keys %tid !1.1
  %low = get i32 0 %key
  %wide = sext i64 %low !2.2
  store i32 @shared %tid %low !3.3
  barrier sync_group|group_memory !4
  jump ^1
^1:
  %i = phi i32 ^0 0 ^2 %next
  %sum = phi i64 ^0 %wide ^2 %more
  %less = ilt i32 %i %low !5.5
  branch %less ^2 ^3 !5.5
^2:
  %more = iadd i64 %sum 5000000000 !6.6
  %next = iadd i32 %i 1 !7.7
  jump ^1
^3:
  %last = phi i64 ^1 %sum
  switch i64 %last ^6 1 ^4 -2 ^5
^4:
  buffer_store i64 raw %keys 0 %last
  return
^5:
  unreachable
^6:
  return
}
)";

constexpr std::string_view kOperations = R"(stage pixel
modes denorm32 preserve
input "A" type f32 register 0
output "B" type f32 register 0
resource @numbers cbuffer register 0 bytes 32

function @main {
^0:
  %x = input f32 in0.x
  %y = input f32 in0.y
  %z = input f32 in0.z
  %numbers = handle @numbers 0
  %n = cbuffer_load f32 %numbers 4
  %m = fmul f32 %n 2.0
  %product = fmul f32 %x %y
  %difference = fsub f32 %z %product
  %half = f_to_f f16 toward_zero %x
  %class = fclass f16 nan %half
  %choice = select f32 %class undef %m
  %s1 = fmad f32 %x %y %difference
  %s2 = fmad f32 %y %z %s1
  %s3 = fmad f32 %x %x %s2
  output f32 out0.x %s3
  output f32 out0.y %choice
  return
}
)";

TEST(VmText, Slots) {
  EXPECT_EQ(listed(kFlow, Listing::slots), R"(
program @main wave 32 slots 25 group 256 flush waits {
constants:
  s1 = i32 0
  s2 = i64 5000000000
  s4 = i32 1
  s5 = i64 1
  s7 = i64 -2
^0:
  s9 = builtin i32 thread_id.x ; %tid !0.0
  s0 = handle @keys s1 once ; %keys
  s10 = buffer_load i32 x2 raw s0 s9 uniform ; %key !1.1
  s12 = sext.i64.i32 s10 ; %wide !2.2
  store i32 @shared s9 s10 ; !3.3
  barrier sync_group|group_memory ; !4
  jump ^1(s15 = s12 wide, s14 = s1) waits
^1:
  s19 = ilt.i32 s14 s10 ; %less !5.5
  branch s19 ^2 ^3(s17 = s15 wide)
^2:
  s20 = iadd.i64 s15 s2 ; %more !6.6
  s22 = iadd.i32 s14 s4 ; %next !7.7
  jump ^1(s15 = s20 wide, s14 = s22)
^3:
  switch i64 s17 ^6 1 ^4 -2 ^5
^4:
  buffer_store i64 raw s0 s1 s17 uniform
  stop
^5:
  unreachable
^6:
  stop
}
)");
}
TEST(VmText, Scheduled) {
  EXPECT_EQ(listed(kOperations, Listing::scheduled), R"(
program @main wave 32 slots 20 {
constants:
  s1 = i32 0
  s2 = i32 4
  s3 = f32 2.0
  s4 = f32 undef
preamble:
  - s8 = handle @numbers s1 once
  - s9 = cbuffer_load f32 s8 s2 once
  - s0 = fmul.f32 s9 s3
^0:
  - s5 = input f32 in0.x
    s6 = input f32 in0.y
    s7 = input f32 in0.z
  - s12 = f_to_f.f16.f32.toward_zero s5
  - s13 = fclass.f16 nan s12
  - s14 = select.f32 s13 s4 s0
  - s11 = fsub.f32 s7 (fmul.f32 s5 s6)
  - last = fmad.f32 s5 s6 s11
    last = fmad.f32 s6 s7 last
    s17 = fmad.f32 s5 s5 last
  - output f32 out0.x s17
    output f32 out0.y s14
  stop
}
)");
}

TEST(VmText, IsTheSameForEachInstructionSet) {
  const std::string best = listed(kOperations, Listing::scheduled);
  for (const Isa isa : available_isas()) EXPECT_EQ(listed(kOperations, Listing::scheduled, {.isa = isa}), best) << id(isa);
}

}  // namespace
}  // namespace unshade::vm::test

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
program @main wave 32 slots 21 group 256 flush waits {
constants:
  s0 = i32 0
  s1 = i64 5000000000
  s3 = i32 1
  s4 = i64 1
  s6 = i64 -2
^0:
  s8 = builtin i32 thread_id.x ; %tid !0.0
  s9 = handle @keys s0 once ; %keys
  s10 = buffer_load i32 x2 raw s9 s8 uniform ; %key !1.1
  s12 = sext.i64.i32 s10 ; %wide !2.2
  store i32 @shared s8' s10 ; !3.3
  barrier sync_group|group_memory ; !4
  jump ^1(s14 = s12 wide, s8 = s0) waits
^1:
  s16 = ilt.i32 s8 s10 ; %less !5.5
  branch s16 ^2 ^3(s12 = s14 wide)
^2:
  s16 = iadd.i64 s14 s1 ; %more !6.6
  s18 = iadd.i32 s8 s3 ; %next !7.7
  jump ^1(s14 = s16 wide, s8 = s18)
^3:
  switch i64 s12 ^6 1 ^4 -2 ^5
^4:
  buffer_store i64 raw s9' s0 s12' uniform
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
program @main wave 32 slots 12 {
constants:
  s1 = i32 0
  s2 = i32 4
  s3 = f32 2.0
  s4 = f32 undef
preamble:
  - s5 = handle @numbers s1 once
  - s6 = cbuffer_load f32 s5' s2 once
  - s0 = fmul.f32 s6' s3
^0:
  - s5 = input f32 in0.x
    s6 = input f32 in0.y
    s7 = input f32 in0.z
  - s8 = f_to_f.f16.f32.toward_zero s5
  - s9 = fclass.f16 nan s8'
  - s8 = select.f32 s9' s4 s0
  - s9 = fsub.f32 s7 (fmul.f32 s5 s6)
  - last = fmad.f32 s5 s6 s9'
    last = fmad.f32 s6' s7' last
    s6 = fmad.f32 s5' s5' last
  - output f32 out0.x s6'
    output f32 out0.y s8'
  stop
}
)");
}

constexpr std::string_view kUses = R"(stage pixel
modes denorm32 preserve
input "A" type f32 register 0
output "B" type f32 register 0
resource @keys uav_byte_address register 0

function @main {
^0:
  %x = input f32 in0.x
  %y = input f32 in0.y
  %keys = handle @keys 0
  %pair = buffer_load f32 x2 raw %keys 0
  %low = get f32 0 %pair
  %high = get f32 1 %pair
  %square = fmul f32 %low %low
  %bits = bitcast i32 %y
  %next = iadd i32 %bits 1
  %same = iadd i32 %bits 2
  %less = flt f32 %high %square
  branch %less ^1 ^3
^1:
  %i = phi i32 ^0 0 ^2 %more
  %step = f_to_s i32 %x
  %sum = iadd i32 %i %step
  jump ^2
^2:
  %more = iadd i32 %sum 1
  %again = ilt i32 %more 9
  branch %again ^1 ^3
^3:
  %last = phi i32 ^0 %next ^2 %same
  %value = u_to_f f32 %last
  output f32 out0.x %value
  return
}
)";

// Of the tuple one member and then the other; of y by its other name; x lives in all of the loop, and the phi until its latch.
TEST(VmText, LastUses) {
  const std::string text = listed(kUses, Listing::slots);
  EXPECT_EQ(text.substr(text.find("^0:")), R"(^0:
  s4 = input f32 in0.x ; %x
  s5 = input f32 in0.y ; %y
  s6 = handle @keys s0 once ; %keys
  s8 = buffer_load f32 x2 raw s6' s0 once ; %pair
  s6 = fmul.f32 s8' s8' ; %square
  s7 = iadd.i32 s5 s1 ; %next
  s10 = iadd.i32 s5' s2 ; %same
  s5 = flt.f32 s9' s6' ; %less
  branch s5 ^1(s6 = s0) ^3(s8 = s7)
^1:
  s5 = f_to_s.i32.f32 s4 ; %step
  s7 = iadd.i32 s6 s5' ; %sum
  jump ^2
^2:
  s5 = iadd.i32 s7' s1 ; %more
  s7 = ilt.i32 s5 s3 ; %again
  branch s7 ^1(s6 = s5) ^3(s8 = s10)
^3:
  s4 = u_to_f.f32.i32 s8' ; %value
  output f32 out0.x s4'
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

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "unit/vm/prepare/listed.hpp"
#include "vm/prepare/schedule.hpp"

namespace unshade::vm::test {
namespace {

// The lines of a program after its constants.
std::string scheduled(std::string_view blocks) {
  const std::string text = listed(
      "stage pixel\nmodes denorm32 preserve\ninput \"A\" type f32 register 0\noutput \"B\" type f32 register 0\n"
      "resource @numbers cbuffer register 0 bytes 64\nresource @keys uav_byte_address register 0\n"
      "variable @p private bytes 64\n\nfunction @main {\n" +
          std::string(blocks) + "}\n",
      Listing::scheduled);
  for (const std::string_view begin : {"preamble:", "^0:"}) {
    if (const auto found = text.find(begin); found != text.npos) return '\n' + text.substr(found);
  }
  return text;
}

TEST(ScheduleText, OperationsOfOneKernelAreOneStep) {
  EXPECT_EQ(scheduled(R"(^0:
  %x = input f32 in0.x
  %a = fadd f32 %x 1.0
  %r = frcp f32 %a
  %b = fadd f32 %x 2.0
  %s = frcp f32 %b
  %y = input f32 in0.y
  %c = fmin f32 %r %y
  %d = fmin f32 %s %c
  output f32 out0.x %d
  return
)"),
            R"(
^0:
  - s2 = input f32 in0.x
    s3 = input f32 in0.y
  - s4 = fadd.f32 s2 s0
    s5 = fadd.f32 s2' s1
  - s2 = frcp.f32 s4'
    s4 = frcp.f32 s5'
  - s5 = fmin.f32 s2' s3'
    s2 = fmin.f32 s4' s5'
  - output f32 out0.x s2'
  stop
}
)");
}

TEST(ScheduleText, AccessesKeepTheirOrder) {
  EXPECT_EQ(scheduled(R"(^0:
  %x = input f32 in0.x
  store f32 @p 0 %x
  %a = load f32 @p 0
  %b = fadd f32 %a %a
  store f32 @p 0 %b
  %c = load f32 @p 0
  %d = fadd f32 %x %x
  %e = fmul f32 %c %d
  output f32 out0.x %b
  output f32 out0.y %e
  return
)"),
            R"(
^0:
  - s1 = input f32 in0.x
  - store f32 @p s0 s1 uniform
  - s2 = load f32 @p s0 uniform
  - s3 = fadd.f32 s2' s2'
  - store f32 @p s0 s3 uniform
  - s2 = load f32 @p s0 uniform
  - s4 = fmul.f32 (fadd.f32 s1' s1') s2'
  - output f32 out0.x s3'
    output f32 out0.y s4'
  stop
}
)");
}

TEST(ScheduleText, WhatConstantBuffersGiveIsInThePreamble) {
  EXPECT_EQ(scheduled(R"(^0:
  %x = input f32 in0.x
  %numbers = handle @numbers 0
  %n = cbuffer_load f32 %numbers 4
  %m = cbuffer_load f32 %numbers 8
  %q = frcp f32 %m
  %i = bitcast i32 %x
  %w = cbuffer_load f32 %numbers %i
  %p = fmax f32 %n %q
  %a = fmax f32 %p %w
  output f32 out0.x %a
  return
)"),
            R"(
preamble:
  - s0 = handle @numbers s2 once
  - s5 = cbuffer_load f32 s0 s3 once
  - s6 = cbuffer_load f32 s0 s4 once
  - s7 = frcp.f32 s6'
  - s1 = fmax.f32 s5' s7'
^0:
  - s5 = input f32 in0.x
  - s6 = cbuffer_load f32 s0 s5' uniform
  - s5 = fmax.f32 s1 s6'
  - output f32 out0.x s5'
  stop
}
)");
}

// Two operations of f32 are one if nothing else needs the first.
TEST(ScheduleText, Pairs) {
  EXPECT_EQ(scheduled(R"(^0:
  %x = input f32 in0.x
  %y = input f32 in0.y
  %a = fmul f32 %x %y
  %b = fadd f32 %x %a
  %c = fadd f32 %b %y
  %d = fmin f32 %c %x
  %e = fsub f32 %x %y
  %f = fsub f32 %d %e
  %g = fmul f32 %f %f
  %h = fmul f32 %g %f
  output f32 out0.x %h
  return
)"),
            R"(
^0:
  - s0 = input f32 in0.x
    s1 = input f32 in0.y
  - s2 = fmad.f32 s0 s1 s0
  - s3 = fmin.f32 (fadd.f32 s2' s1) s0
  - s2 = fsub.f32 s3' (fsub.f32 s0' s1')
  - s0 = fmul.f32 (fmul.f32 s2' s2') s2'
  - output f32 out0.x s0'
  stop
}
)");
}

// The second of three stays there alone; the first is an operand of the third too.
TEST(ScheduleText, SumsThatFollowEachOtherStayInARegister) {
  EXPECT_EQ(scheduled(R"(^0:
  %x = input f32 in0.x
  %y = input f32 in0.y
  %a = fmul f32 %x %x
  %b = fmad f32 %x %y %a
  %c = fmad f32 %y %y %b
  %d = fmad f32 %b %y %c
  output f32 out0.x %d
  return
)"),
            R"(
^0:
  - s0 = input f32 in0.x
    s1 = input f32 in0.y
  - s2 = fmul.f32 s0 s0
  - s3 = fmad.f32 s0' s1 s2'
    last = fmad.f32 s1 s1 last
    s0 = fmad.f32 s3' s1' last
  - output f32 out0.x s0'
  stop
}
)");
}

// What is far behind the first operation that is not done must wait, although its kernel is that of most.
TEST(ScheduleText, OperationsAreTakenFromNotTooFarAway) {
  std::string lines = "^0:\n  %x = input f32 in0.x\n  %n = fneg f32 %x\n";
  for (unsigned at = 0; at < 3 * kScheduleReach; ++at) lines += "  %a" + std::to_string(at) + " = fabs f32 %x\n";
  const std::string text = scheduled(lines + "  output f32 out0.x %n\n  return\n");
  std::vector<std::size_t> lengths;  // of steps
  for (std::size_t at = text.find("\n  "); at != text.npos; at = text.find("\n  ", at + 1)) {
    if (text[at + 3] == '-') lengths.push_back(0);
    if (!lengths.empty()) ++lengths.back();
  }
  EXPECT_EQ(text.find("fneg"), text.find("fneg.f32 s0"));
  ASSERT_EQ(lengths.size(), 5U) << text;
  EXPECT_EQ(lengths[1], kScheduleReach - 1) << "those before the reach of the fneg";
  EXPECT_EQ(lengths[2], 1U) << "the fneg";
  EXPECT_EQ(lengths[3], 2 * kScheduleReach + 1);
}

TEST(ScheduleText, EachBlockHasItsOwnSteps) {
  EXPECT_EQ(scheduled(R"(^0:
  %x = input f32 in0.x
  %less = flt f32 %x 0.0
  branch %less ^1 ^2
^1:
  %a = fneg f32 %x
  jump ^2
^2:
  %b = phi f32 ^0 %x ^1 %a
  output f32 out0.x %b
  return
)"),
            R"(
^0:
  - s1 = input f32 in0.x
  - s2 = flt.f32 s1 s0
  branch s2 ^1 ^2(s3 = s1)
^1:
  - s2 = fneg.f32 s1'
  jump ^2(s3 = s2)
^2:
  - output f32 out0.x s3'
  stop
}
)");
}

}  // namespace
}  // namespace unshade::vm::test

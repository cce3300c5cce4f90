#include <unshade/ir/analysis/facts.hpp>

#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include <unshade/ir/text.hpp>
#include <unshade/ir/verify.hpp>

namespace unshade::ir {
namespace {

std::string facts_of(std::string_view text) {
  auto module = parse(text);
  if (!module) return to_string(module.error());
  auto valid = verified(*std::move(module));
  if (!valid) return to_string(valid.error());
  const auto made = structured(*std::move(valid));
  return made ? print(Facts(*made)) : to_string(made.error());
}

constexpr std::string_view kHead = R"(stage pixel
input "A" type f32 register 0
output "O" type f32 register 0
resource @b uav_byte_address register 0
variable @p private bytes 32 stride 16
function @f {
)";
std::string in_function(std::string_view blocks) { return facts_of(std::string(kHead) + std::string(blocks) + "}\n"); }

TEST(IrFacts, WritesValuesInsideOfTheirUse) {
  EXPECT_EQ(in_function(R"(^0:
  %x = input f32 in0.x
  %y = input f32 in0.y
  %sum = fadd f32 %x %y
  %twice = fmul f32 %sum 2.0
  %square = fmul f32 %twice %twice
  %h = handle @b 0
  %before = buffer_load i32 raw %h 0
  %after = buffer_load i32 raw %h 4
  buffer_store i32 raw %h 0 %after
  buffer_store i32 raw %h 8 %before
  %slope = ddx f32 %square
  %less = flt f32 %slope 1.0
  branch %less ^1 ^2
^1:
  %grad = ddx f32 %x
  demote true
  %one = fadd f32 %grad 1.0
  jump ^2
^2:
  %r = phi f32 ^0 %y ^1 %one
  %s = select f32 %less %r %y
  output f32 out0.x %s
  return
)"),
            R"(function @f {
^0:
  %x input repeated uses 2 real
  %y input repeated uses 3 real
  %sum fadd inside in %twice uses 1 real
  %twice fmul named uses 2 real
  %square fmul inside in %less uses 1 real
  %h handle repeated uses 4
  %before buffer_load named uses 1 unsigned
  %after buffer_load inside in buffer_store uses 1 unsigned
  %slope ddx inside in %less uses 1 real
  %less flt named uses 2
^1:
  %grad ddx named uses 1 real
  %one fadd inside in jump uses 1 real
^2:
  %r phi named uses 1 real web 0 declared before ^0
  %s select inside in output uses 1 real
  edge ^0 ^2: web 0 = %y
  edge ^1 ^2: web 0 = %one
}
)");
}

TEST(IrFacts, DeclaresWhatPhisTakeAhead) {
  EXPECT_EQ(in_function(R"(^0:
  %x = input f32 in0.x
  %h = handle @b 0
  %n = buffer_load i32 raw %h 0
  %c = ilt i32 %n 3
  %d = flt f32 %x 1.0
  branch %c ^1 ^2
^1:
  %a = fmul f32 %x %x
  %again = buffer_load i32 raw %h 4
  buffer_store i32 raw %h 4 %n
  buffer_store i32 raw %h 8 %again
  jump ^3
^2:
  jump ^3
^3:
  %p = phi f32 ^1 %a ^2 2.0
  %q = phi f32 ^1 %x ^2 %x
  branch %d ^4 ^5
^4:
  output f32 out0.y %p
  jump ^5
^5:
  output f32 out0.x %q
  output f32 out0.z %q
  return
)"),
            R"(function @f {
^0:
  %x input repeated uses 5 real
  %h handle repeated uses 4
  %n buffer_load named uses 2 signed
  %c ilt inside in branch uses 1
  %d flt inside in branch uses 1
^1:
  %a fmul inside in jump uses 1 real
  %again buffer_load named uses 1 unsigned
^2:
^3:
  %p phi named uses 1 real web 0 declared before if ^0
  %q phi named uses 2 real web 1 declared before if ^0
^4:
^5:
  edge ^1 ^3: web 1 = %x, web 0 = %a
  edge ^2 ^3: web 1 = %x, web 0 = const
}
)");
}

TEST(IrFacts, KeepsAValueOfACycle) {
  EXPECT_EQ(in_function(R"(^0:
  %h = handle @b 0
  jump ^1
^1:
  %i = phi i32 ^0 0 ^2 %next
  %a = phi i32 ^0 1 ^2 %b
  %b = phi i32 ^0 2 ^2 %a
  %next = iadd i32 %i 1
  %go = ilt i32 %next 9
  branch %go ^2 ^3
^2:
  jump ^1
^3:
  %last = phi i32 ^1 %a
  %end = phi i32 ^1 %next
  buffer_store i32 raw %h 0 %last %end
  return
)"),
            R"(function @f {
^0:
  %h handle repeated uses 1
^1:
  %i phi named uses 1 signed web 0 declared before ^0
  %a phi named uses 2 unsigned web 1 declared before ^0
  %b phi named uses 1 unsigned web 2 declared before ^0
  %next iadd named uses 3 signed web 0
  %go ilt inside in branch uses 1
^2:
^3:
  %last phi named uses 1 unsigned web 1 row 0.x declared before loop ^1
  %end phi named uses 1 signed web 0 row 0.y declared before loop ^1
  row 0 phi i32 %last %end, mixed
  edge ^0 ^1: web 2 = const, web 1 = const, web 0 = const
  edge ^2 ^1: spare of web 1 = %b, web 2 = %a, web 1 = spare
}
)");
}

TEST(IrFacts, KeepsWhatLanesDoTogetherInItsPlace) {
  EXPECT_EQ(in_function(R"(^0:
  %x = input f32 in0.x
  %y = input f32 in0.y
  %c = flt f32 %x %y
  %slope = ddx f32 %x
  %cheap = fmul f32 %x %y
  %s = select f32 %c %slope %cheap
  %t = ddy f32 %s
  %n = fneg f32 %t
  output f32 out0.x %n
  demote %c
  %late = ddx f32 %y
  demote true
  output f32 out0.y %late
  return
)"),
            R"(function @f {
^0:
  %x input repeated uses 3 real
  %y input repeated uses 3 real
  %c flt named uses 2
  %slope ddx named uses 1 real
  %cheap fmul inside in output uses 1 real
  %s select inside in output uses 1 real
  %t ddy inside in output uses 1 real
  %n fneg inside in output uses 1 real
  %late ddx named uses 1 real
}
)");
}

TEST(IrFacts, SharesVariablesOfLoops) {
  EXPECT_EQ(in_function(R"(^0:
  %h = handle @b 0
  %n = buffer_load i32 raw %h 0
  %k = iadd i32 %n 7
  %neg = isub i32 0 %n
  jump ^1
^1:
  %i = phi i32 ^0 0 ^2 %next
  %a = phi f32 ^0 0.0 ^2 %b
  %b = phi f32 ^0 1.0 ^2 %c
  %less = ilt i32 %i %k
  branch %less ^2 ^3
^2:
  %next = iadd i32 %i 1
  %even = ieq i32 %next %neg
  demote %even
  %c = fadd f32 %a %b
  jump ^1
^3:
  %last = phi f32 ^1 %a
  output f32 out0.x %last
  return
)"),
            R"(function @f {
^0:
  %h handle repeated uses 1
  %n buffer_load named uses 2 signed
  %k iadd named uses 1 signed
  %neg isub named uses 1 signed
^1:
  %i phi named uses 2 signed web 0 declared before ^0
  %a phi named uses 2 real web 1 declared before ^0
  %b phi named uses 2 real web 2 declared before ^0
  %less ilt inside in branch uses 1
^2:
  %next iadd named uses 2 signed web 0
  %even ieq inside in demote uses 1
  %c fadd named uses 1 real
^3:
  %last phi named uses 1 real web 1 declared before loop ^1
  edge ^0 ^1: web 2 = const, web 1 = const, web 0 = const
  edge ^2 ^1: web 1 = %b, web 2 = %c
}
)");
}

TEST(IrFacts, ChoosesTypesByTheFewestCasts) {
  EXPECT_EQ(in_function(R"(^0:
  %h = handle @b 0
  %four = buffer_load i32 x4 raw %h 0
  %w0 = get i32 0 %four
  %w1 = get i32 1 %four
  %w2 = get i32 2 %four
  %w3 = get i32 3 %four
  %f0 = bitcast f32 %w0
  %f1 = bitcast f32 %w1
  %s = fadd f32 %f0 %f1
  %si = bitcast i32 %s
  store i32 @p 0 %si
  store i32 @p 4 %w2
  store i32 @p 16 %w0
  %l0 = load i32 @p 16
  %l1 = load i32 @p 20
  %lf = bitcast f32 %l0
  output f32 out0.x %lf
  %neg = ilt i32 %l1 %w2
  %pick = select i32 %neg %w1 %l0
  %pf = bitcast f32 %pick
  output f32 out0.y %pf
  %u = udiv i32 %w3 3
  %v = iadd i32 %u 1
  buffer_store i32 raw %h 4 %v
  return
)"),
            R"(word @p 0 real
word @p 4 signed
function @f {
^0:
  %h handle repeated uses 2
  %four buffer_load named uses 4 unsigned
  %w0 get repeated uses 2 real
  %w1 get repeated uses 2 real
  %w2 get repeated uses 2 signed
  %w3 get repeated uses 1 unsigned
  %f0 bitcast inside in store uses 1 real
  %f1 bitcast inside in store uses 1 real
  %s fadd inside in store uses 1 real
  %si bitcast inside in store uses 1 unsigned
  %l0 load named uses 2 real
  %l1 load inside in output uses 1 signed
  %lf bitcast inside in output uses 1 real row 0.x
  %neg ilt inside in output uses 1
  %pick select inside in output uses 1 real
  %pf bitcast inside in output uses 1 real row 0.y
  %u udiv inside in buffer_store uses 1 unsigned
  %v iadd inside in buffer_store uses 1 unsigned
  row 0 bitcast f32 %lf %pf, mixed
}
)");
}

TEST(IrFacts, FindsRowsAndDotProducts) {
  EXPECT_EQ(in_function(R"(^0:
  %x = input f32 in0.x
  %y = input f32 in0.y
  %z = input f32 in0.z
  %r0 = fmul f32 %x 2.0
  %r1 = fadd f32 %r0 %x
  %g0 = fmul f32 %y 2.0
  %g1 = fadd f32 %g0 %x
  %b0 = fmul f32 %z 3.0
  %b1 = fadd f32 %b0 %x
  %d0 = fmul f32 %x %r0
  %d1 = fmad f32 %y %g0 %d0
  %d2 = fmad f32 %z %b0 %d1
  output f32 out0.x %r1
  output f32 out0.y %g1
  output f32 out0.z %b1
  output f32 out0.w %d2
  return
)"),
            R"(function @f {
^0:
  %x input repeated uses 5 real
  %y input repeated uses 2 real
  %z input repeated uses 2 real
  %r0 fmul named uses 2 real row 0.x
  %r1 fadd inside in output uses 1 real row 1.x
  %g0 fmul named uses 2 real row 0.y
  %g1 fadd inside in output uses 1 real row 1.y
  %b0 fmul named uses 2 real row 0.z
  %b1 fadd inside in output uses 1 real row 1.z
  %d0 fmul inside in output uses 1 real
  %d1 fmad inside in output uses 1 real
  %d2 fmad inside in output uses 1 real
  row 0 fmul f32 %r0 %g0 %b0, input.xyz, constants
  row 1 fadd f32 %r1 %g1 %b1, row 0.xyz, same %x
  dot %d2, input.xyz, row 0.xyz
}
)");
}

}  // namespace
}  // namespace unshade::ir

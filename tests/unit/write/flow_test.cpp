// Control flow: functions that were translated and lowered again do what they did.
#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include <unshade/ir/lower_spirv.hpp>
#include <unshade/ir/text.hpp>
#include <unshade/spirv/module.hpp>

#include "unit/ir/random_module.hpp"
#include "unit/write/translated.hpp"

namespace unshade::write {
namespace {

TEST(TranslatedFlow, RandomFunctionsStoreWhatTheyStored) {
  constexpr std::size_t kSteps = 3000;
  std::size_t same = 0, refused = 0;
  for (std::uint32_t seed = 0; seed < 1500; ++seed) {
    ir::Module module = ir::test::random_module(seed, 3 + seed % 24);
    ir::canonicalize(module);
    const auto before = ir::test::run(module.functions[0], kSteps);
    const auto bytes = test::translated(std::move(module));
    if (!bytes) {
      ASSERT_EQ(bytes.error().code, ErrorCode::unsupported) << seed << ' ' << to_string(bytes.error());
      ++refused;
      continue;
    }
    if (seed % 16 == 0) {
      ASSERT_EQ(test::invalid(View(*bytes)), "") << seed;
    }
    const auto parsed = spirv::parse(View(*bytes));
    ASSERT_TRUE(parsed) << seed;
    const auto lowered = ir::lower(*parsed, ir::SpirvOptions{});
    ASSERT_TRUE(lowered) << seed << ' ' << to_string(lowered.error());
    ASSERT_TRUE(ir::test::agree(before, ir::test::run(lowered->functions[0], kSteps))) << seed;
    ++same;
  }
  EXPECT_GT(same, 1400U);
  EXPECT_LT(refused, 50U);
}

constexpr std::string_view kHead = R"(stage vertex
input "COUNT" type i32 register 0 columns 4
output "SUM" type i32 register 0 columns 1
function @main {
)";

std::string of(std::string_view body) {
  const auto module = ir::parse(std::string(kHead) + std::string(body) + "}\n");
  if (!module) return to_string(module.error());
  return test::difference(*module);
}

TEST(TranslatedFlow, OfALoopThatIsLeftAtItsEnd) {
  EXPECT_EQ(of(R"(^0:
  %n = input i32 in0.x
  %most = iand i32 %n 63
  jump ^1
^1:
  %i = phi i32 ^0 0 ^1 %next
  %sum = phi i32 ^0 1 ^1 %more
  %more = imul i32 %sum 3
  %next = iadd i32 %i 1
  %again = ult i32 %next %most
  branch %again ^1 ^2
^2:
  %all = phi i32 ^1 %more
  output i32 out0.x %all
  return
)"),
            "");
}

TEST(TranslatedFlow, OfASwitchWithLabelsThatShareACase) {
  EXPECT_EQ(of(R"(^0:
  %n = input i32 in0.x
  %k = iand i32 %n 7
  switch i32 %k ^4 1 ^1 2 ^1 5 ^2
^1:
  %a = iadd i32 %n 10
  jump ^5
^2:
  %y = input i32 in0.y
  %b = ilt i32 %y 0
  branch %b ^3 ^5
^3:
  jump ^5
^4:
  jump ^5
^5:
  %r = phi i32 ^1 %a ^2 7 ^3 8 ^4 9
  output i32 out0.x %r
  return
)"),
            "");
}

TEST(TranslatedFlow, ValuesThatChangePlacesInALoop) {
  EXPECT_EQ(of(R"(^0:
  %n = input i32 in0.x
  %m = input i32 in0.y
  %most = iand i32 %n 15
  jump ^1
^1:
  %i = phi i32 ^0 0 ^2 %next
  %a = phi i32 ^0 %n ^2 %b
  %b = phi i32 ^0 %m ^2 %a
  %less = ult i32 %i %most
  branch %less ^2 ^3
^2:
  %next = iadd i32 %i 1
  jump ^1
^3:
  %r = phi i32 ^1 %a
  output i32 out0.x %r
  return
)"),
            "");
}

TEST(TranslatedFlow, AnArmThatReturns) {
  EXPECT_EQ(of(R"(^0:
  %n = input i32 in0.x
  output i32 out0.x %n
  %is = ilt i32 %n 5
  branch %is ^1 ^2
^1:
  return
^2:
  %m = imul i32 %n %n
  output i32 out0.x %m
  return
)"),
            "");
}

}  // namespace
}  // namespace unshade::write

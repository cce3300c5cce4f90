#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include <unshade/ir/builder.hpp>
#include <unshade/ir/passes.hpp>
#include <unshade/ir/text.hpp>
#include <unshade/ir/verify.hpp>

#include "unit/ir/random_module.hpp"

namespace unshade::ir {
namespace {

std::string function_text(const Module& module) {
  const auto text = print(module);
  return text.substr(text.find("^0:"));
}

std::string canonical(std::string_view blocks) {
  auto module = parse("stage compute\nfunction @f {\n" + std::string(blocks) + "}\n");
  if (!module) return to_string(module.error());
  canonicalize(*module);
  for (const auto& finding : findings_of(*module)) return to_string(finding) + "\n" + print(*module);
  return function_text(*module);
}

// Blocks that leave a loop run in their round if they stood in the loop in the file.
TEST(IrCanonical, KeepsBlocksThatBreakInTheLoop) {
  constexpr std::string_view kText = R"(^0:
  jump ^1
^1:
  %i = phi i32 ^0 0 ^3 %next
  %next = iadd i32 %i 1
  %less = ilt i32 %next 10
  branch %less ^3 ^2
^2:
  %any = wave_any %less
  jump ^4
^3:
  jump ^1
^4:
  return
}
)";
  EXPECT_EQ(canonical(kText.substr(0, kText.size() - 2)), kText);
}

TEST(IrCanonical, FinishesALoopBeforeWhatIsBehindIt) {
  EXPECT_EQ(canonical(R"(^0:
  jump ^4
^1:
  jump ^2
^2:
  return
^3:
  jump ^4
^4:
  branch true ^1 ^3
)"),
            R"(^0:
  jump ^1
^1:
  branch true ^3 ^2
^2:
  jump ^1
^3:
  jump ^4
^4:
  return
}
)");
}

TEST(IrCanonical, GivesTheEntryNoPredecessors) {
  EXPECT_EQ(canonical(R"(^0:
  %i = phi i32 ^0 %next
  %next = iadd i32 %i 1
  %less = ilt i32 %next 10
  branch %less ^0 ^1
^1:
  return
)"),
            R"(^0:
  jump ^1
^1:
  %i = phi i32 ^0 undef ^1 %next
  %next = iadd i32 %i 1
  %less = ilt i32 %next 10
  branch %less ^1 ^2
^2:
  return
}
)");
}

TEST(IrCanonical, TakesMembersOfTuplesOutOfLoops) {
  EXPECT_EQ(canonical(R"(^0:
  jump ^1
^1:
  %pair = add_carry i32 1 2
  %less = ilt i32 1 2
  branch %less ^1 ^2
^2:
  %sum = get i32 0 %pair
  %twice = iadd i32 %sum %sum
  return
)"),
            R"(^0:
  jump ^1
^1:
  %pair = add_carry i32 1 2
  %sum = get i32 0 %pair
  %less = ilt i32 1 2
  branch %less ^1 ^2
^2:
  %3 = phi i32 ^1 %sum
  %twice = iadd i32 %3 %3
  return
}
)");
}

TEST(IrCanonical, MarksIrreducibleFunctions) {
  auto module =
      parse("stage compute\nfunction @f {\n^0:\n  branch true ^1 ^2\n^1:\n  jump ^2\n^2:\n  branch true ^1 ^3\n^3:\n  return\n}\n");
  ASSERT_TRUE(module);
  EXPECT_FALSE(findings_of(*module).empty());
  canonicalize(*module);
  EXPECT_TRUE(module->functions[0].irreducible);
  EXPECT_TRUE(findings_of(*module).empty());
}

// Values of a loop that are all used at the end of a chain of branches behind it.
Module used_far_behind(unsigned values, unsigned branches) {
  Module module;
  module.stage = Stage::compute;
  module.functions.emplace_back().name = "main";
  Builder b(module.functions[0]);
  const BlockId entry = b.block(), loop = b.block();
  b.at(entry);
  const Id lane = b.inst(Op::builtin, Type::i32, {}, {.extra = BuiltinExtra(Builtin::local_index, 0).bits()});
  b.jump(loop);
  b.at(loop);
  std::vector<Id> made;
  for (unsigned k = 0; k < values; ++k) made.push_back(b.inst(Op::iadd, Type::i32, {lane, b.i32(k)}));
  const Id odd = b.inst(Op::ine, Type::i32, {lane, b.i32(0)});
  BlockId next = b.block();
  b.branch(odd, loop, next);
  for (unsigned k = 0; k < branches; ++k) {
    const BlockId side = b.block(), after = b.block();
    b.at(next);
    b.branch(odd, side, after);
    b.at(side);
    b.jump(after);
    next = after;
  }
  b.at(next);
  Id sum = b.i32(0);
  for (const Id value : made) sum = b.inst(Op::iadd, Type::i32, {sum, value});
  b.return_values();
  link_predecessors(module.functions[0]);
  return module;
}

TEST(IrCanonical, AddsExitPhisWithinABound) {
  Module small = used_far_behind(50, 50);
  canonicalize(small);
  EXPECT_FALSE(small.functions[0].irreducible);
  EXPECT_TRUE(findings_of(small).empty());
  // values times blocks: run without exit phis instead
  Module large = used_far_behind(1000, 1000);
  canonicalize(large);
  EXPECT_TRUE(large.functions[0].irreducible);
  EXPECT_TRUE(findings_of(large).empty());
}

TEST(IrCanonical, KeepsWhatRandomFunctionsDo) {
  unsigned reducible = 0;
  unsigned returned = 0;
  for (std::uint32_t seed = 0; seed < 500; ++seed) {
    const Module before = test::random_module(seed, 4 + seed % 20);
    Module after = before;
    canonicalize(after);
    for (const auto& finding : findings_of(after)) FAIL() << seed << ": " << to_string(finding) << '\n' << print(before) << print(after);
    reducible += after.functions[0].irreducible ? 0 : 1;
    const auto expected = test::run(before.functions[0], 400);
    const auto found = test::run(after.functions[0], 800);
    returned += found.returned ? 1 : 0;
    ASSERT_TRUE(test::agree(expected, found)) << seed << '\n' << print(before) << print(after);
    // canonical form stays as it is
    const auto text = print(after);
    canonicalize(after);
    ASSERT_EQ(print(after), text) << seed;
    const auto parsed = parse(text);
    ASSERT_TRUE(parsed) << to_string(parsed.error());
    ASSERT_EQ(print(*parsed), text) << seed;
  }
  EXPECT_GT(reducible, 150U);
  EXPECT_GT(returned, 100U);
}

}  // namespace
}  // namespace unshade::ir

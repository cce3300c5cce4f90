// Loops with a constant trip count become copies: what they do stays the same.
#include <unshade/ir/passes.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include <gtest/gtest.h>

#include <unshade/ir/text.hpp>
#include <unshade/ir/verify.hpp>

#include "unit/ir/random_module.hpp"

namespace unshade::ir {
namespace {

Module parsed(const std::string& blocks) {
  auto module = parse("stage compute\nvariable @g group bytes 64\nfunction @f {\n" + blocks + "}\n");
  if (!module) return ADD_FAILURE() << to_string(module.error()), Module();
  for (const auto& finding : findings_of(*module)) ADD_FAILURE() << to_string(finding);
  return *std::move(module);
}

// The text of a module after level 2.
std::string optimized(const std::string& blocks) {
  auto valid = verified(parsed(blocks));
  if (!valid) return ADD_FAILURE() << to_string(valid.error()), "";
  return print(*optimize(*std::move(valid), 2));
}

std::size_t count_of(std::string_view text, std::string_view word) {
  std::size_t count = 0;
  for (std::size_t at = text.find(word); at != std::string_view::npos; at = text.find(word, at + 1)) ++count;
  return count;
}

std::size_t unrolled(const std::string& blocks) {
  Module module = parsed(blocks);
  const std::size_t count = passes::unroll_loops(module);
  for (const auto& finding : findings_of(module)) ADD_FAILURE() << to_string(finding) << '\n' << print(module);
  return count;
}

// The sum of the numbers below `end`, `step` apart.
std::string sum_loop(const std::string& end, const std::string& step = "1") {
  return "^0:\n  jump ^1\n^1:\n  %i = phi i32 ^0 0 ^2 %next\n  %s = phi i32 ^0 0 ^2 %sum\n  %in = ult i32 %i " + end +
         "\n  branch %in ^2 ^3\n^2:\n  %sum = iadd i32 %s %i\n  %next = iadd i32 %i " + step +
         "\n  jump ^1\n^3:\n  %out = phi i32 ^1 %s\n  store i32 @g 0 %out\n  return\n";
}

TEST(UnrollLoops, ComputesWhatIsKnown) {
  const std::string made = optimized(sum_loop("10"));
  EXPECT_NE(made.find("store i32 @g 0 45"), std::string::npos) << made;
  EXPECT_EQ(made.find("branch"), std::string::npos) << made;
  // no round at all
  EXPECT_NE(optimized(sum_loop("0")).find("store i32 @g 0 0"), std::string::npos);
}

TEST(UnrollLoops, HaveATestAtTheEnd) {
  const std::string made = optimized(
      "^0:\n  jump ^1\n^1:\n  %i = phi i32 ^0 1 ^1 %next\n  %s = phi i32 ^0 0 ^1 %sum\n  %sum = iadd i32 %s %i\n  %next = imul i32 %i 2\n"
      "  %more = ult i32 %next 100\n  branch %more ^1 ^2\n^2:\n  %out = phi i32 ^1 %sum\n  store i32 @g 0 %out\n  return\n");
  EXPECT_NE(made.find("store i32 @g 0 127"), std::string::npos) << made;
}

// The inner loop runs as often as the round of the outer one says, which is known once that is unrolled too.
TEST(UnrollLoops, InLoops) {
  const std::string made = optimized(
      "^0:\n  jump ^1\n^1:\n  %i = phi i32 ^0 0 ^4 %i2\n  %s = phi i32 ^0 0 ^4 %s3\n  %in = ult i32 %i 4\n  branch %in ^2 ^5\n"
      "^2:\n  %j = phi i32 ^1 0 ^3 %j2\n  %t = phi i32 ^1 %s ^3 %t2\n  %k = ult i32 %j 3\n  branch %k ^3 ^4\n"
      "^3:\n  %t2 = iadd i32 %t %i\n  %j2 = iadd i32 %j 1\n  jump ^2\n"
      "^4:\n  %s3 = phi i32 ^2 %t\n  %i2 = iadd i32 %i 1\n  jump ^1\n"
      "^5:\n  %out = phi i32 ^1 %s\n  store i32 @g 0 %out\n  return\n");
  EXPECT_NE(made.find("store i32 @g 0 18"), std::string::npos) << made;
  EXPECT_EQ(made.find("branch"), std::string::npos) << made;
}

// A lane may leave earlier, in each round.
TEST(UnrollLoops, KeepOtherExits) {
  const std::string made = optimized(
      "^0:\n  %limit = load i32 @g 4\n  jump ^1\n^1:\n  %i = phi i32 ^0 0 ^3 %next\n  %s = phi i32 ^0 0 ^3 %sum\n  %in = ult i32 %i 5\n"
      "  branch %in ^2 ^4\n^2:\n  %sum = iadd i32 %s %limit\n  %large = ult i32 %limit %sum\n  branch %large ^4 ^3\n"
      "^3:\n  %next = iadd i32 %i 1\n  jump ^1\n^4:\n  %out = phi i32 ^1 %s ^2 %i\n  store i32 @g 0 %out\n  return\n");
  EXPECT_EQ(count_of(made, "branch"), 5U) << made;
  EXPECT_EQ(made.find("ult i32 %i"), std::string::npos) << made;
}

TEST(UnrollLoops, LeaveWhatIsNotKnown) {
  const std::string unknown = sum_loop("%end");
  EXPECT_EQ(unrolled("^0:\n  %end = load i32 @g 4\n  jump ^1\n" + unknown.substr(unknown.find("^1:"))), 0U);
  EXPECT_EQ(unrolled(sum_loop("256")), 1U);
  EXPECT_EQ(unrolled(sum_loop("257")), 0U);
  // one that never ends
  EXPECT_EQ(unrolled(sum_loop("10", "0")), 0U);
}

// Copies are larger than they may be together.
TEST(UnrollLoops, LeaveWhatIsLarge) {
  std::string body;
  for (unsigned k = 0; k < 40; ++k) body += "  store i32 @g 8 %s\n";
  for (const auto& [rounds, expected] : {std::pair("80", 1U), std::pair("120", 0U)}) {
    std::string blocks = sum_loop(rounds);
    blocks.insert(blocks.find("  %sum = "), body);
    EXPECT_EQ(unrolled(blocks), expected) << rounds;
  }
}

TEST(UnrollLoops, KeepWhatRandomFunctionsDo) {
  std::size_t count = 0;
  for (std::uint32_t seed = 0; seed < 600; ++seed) {
    Module module = test::random_module(seed, 4 + seed % 20, seed % 2 == 0);
    const auto expected = test::run(module.functions[0], 400);
    canonicalize(module);
    const std::string before = print(module);
    count += passes::unroll_loops(module);
    for (const auto& finding : findings_of(module)) FAIL() << seed << ": " << to_string(finding) << '\n' << before << print(module);
    ASSERT_TRUE(test::agree(expected, test::run(module.functions[0], 800))) << seed << '\n' << before << print(module);
  }
  EXPECT_GT(count, 20U);
}

}  // namespace
}  // namespace unshade::ir

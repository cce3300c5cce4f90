#include "vm/prepare/slots.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <numeric>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include <unshade/ir/text.hpp>
#include <unshade/ir/verify.hpp>

namespace unshade::vm::test {
namespace {

constexpr std::uint32_t kFirstFree = 7;

struct Slots {
  std::map<std::string, std::uint32_t> of;  // by name
  std::uint32_t end = 0;                    // one past the last
};

// The slots of a function's values, each of which needs one, or two if it has 64 bits.
Slots slots_of(std::string_view blocks) {
  const auto module = ir::parse("stage compute\nvariable @g group bytes 64\nfunction @f {\n" + std::string(blocks) + "}\n");
  EXPECT_TRUE(module) << to_string(module.error());
  for (const auto& finding : ir::findings_of(*module)) ADD_FAILURE() << to_string(finding);
  const ir::Function& function = module->functions[0];
  std::vector<std::uint32_t> words(function.insts.size());
  std::vector<ir::Id> root(function.insts.size());
  std::iota(root.begin(), root.end(), ir::Id{0});
  for (ir::Id id = 0; id < words.size(); ++id) {
    if (function.block_of[id] == ir::kNone || function.insts[id].results == 0) continue;
    words[id] = ir::lane_bytes(ir::result_type(function, id)) == 8 ? 2 : 1;
  }
  Slots made;
  const auto given = allocate_slots({function, words, root, kFirstFree}, made.end);
  const ir::ValueNames names(function);
  for (ir::Id id = 0; id < given.size(); ++id) {
    EXPECT_EQ(given[id] == ir::kNone, words[id] == 0);
    if (words[id] == 0) continue;
    EXPECT_GE(given[id], kFirstFree);
    EXPECT_LE(given[id] + words[id], made.end);
    made.of.emplace(names.of(id), given[id]);
  }
  return made;
}

// Values that each live until the next line: `t0` and so on, more than twice as many as slots that rest after they became free.
constexpr unsigned kMany = 80;
std::string many_values() {
  std::string lines;
  for (unsigned at = 0; at < kMany; ++at) {
    const std::string name = "%t" + std::to_string(at);
    lines += "  " + name + " = load i32 @g 0\n  store i32 @g 4 " + name + "\n";
  }
  return lines;
}

// How many of the many values have a slot that a value has.
unsigned shared_with(const Slots& slots, const std::string& name) {
  unsigned count = 0;
  for (unsigned at = 0; at < kMany; ++at) count += slots.of.at("t" + std::to_string(at)) == slots.of.at(name) ? 1U : 0U;
  return count;
}

TEST(Slots, AreUsedAgainWhenThirtyTwoOthersAreFree) {
  const Slots slots = slots_of("^0:\n" + many_values() + "  return\n");
  EXPECT_EQ(slots.end, kFirstFree + 33);
  EXPECT_EQ(slots.of.at("t0"), kFirstFree);
  EXPECT_EQ(slots.of.at("t32"), kFirstFree + 32);
  EXPECT_EQ(slots.of.at("t33"), kFirstFree) << "the one that became free first";
}

TEST(Slots, AValueSharesNoneWithOperandsOfItsOwnInstruction) {
  std::string lines = "^0:\n  %v0 = load i32 @g 0\n";
  for (unsigned at = 1; at < kMany; ++at) lines += "  %v" + std::to_string(at) + " = iadd i32 %v" + std::to_string(at - 1) + " 1\n";
  const Slots slots = slots_of(lines + "  store i32 @g 0 %v" + std::to_string(kMany - 1) + "\n  return\n");
  for (unsigned at = 1; at < kMany; ++at) EXPECT_NE(slots.of.at("v" + std::to_string(at)), slots.of.at("v" + std::to_string(at - 1))) << at;
}

TEST(Slots, ValuesOf64BitsUseThoseOfOthersOf64Bits) {
  std::string lines = "^0:\n";
  for (unsigned at = 0; at < kMany; ++at) {
    const std::string number = std::to_string(at);
    lines += "  %n" + number + " = load i32 @g 0\n  %w" + number + " = sext i64 %n" + number + "\n  store i64 @g 8 %w" + number + "\n";
  }
  const Slots slots = slots_of(lines + "  return\n");
  EXPECT_EQ(slots.end, kFirstFree + 3 * 33);
  std::map<std::uint32_t, unsigned> words;
  for (const auto& [name, slot] : slots.of) {
    const unsigned width = name[0] == 'w' ? 2 : 1;
    EXPECT_EQ(words.emplace(slot, width).first->second, width) << name;
    EXPECT_FALSE(width == 2 && words.contains(slot + 1)) << name;
  }
}

// Lanes that are in the loop no more must not find what lanes in it compute.
TEST(Slots, WhatComesFromBeforeALoopKeepsItsSlotToTheLatch) {
  const Slots slots =
      slots_of("^0:\n  %before = load i32 @g 0\n  jump ^1\n^1:\n  %i = phi i32 ^0 0 ^1 %next\n  %sum = iadd i32 %i %before\n" +
               many_values() + "  %next = iadd i32 %i 1\n  %less = ilt i32 %next 8\n  branch %less ^1 ^2\n^2:\n  return\n");
  EXPECT_EQ(shared_with(slots, "before"), 0U);
  EXPECT_EQ(shared_with(slots, "i"), 0U) << "the phi is written at the latch";
  EXPECT_GT(shared_with(slots, "sum"), 0U);
}

// A lane that leaves in the first round waits while others run the loop.
TEST(Slots, AnExitPhiHasItsSlotInTheWholeLoop) {
  const Slots slots = slots_of("^0:\n  jump ^1\n^1:\n  %i = phi i32 ^0 0 ^2 %next\n" + many_values() +
                               "  %out = ilt i32 %t79 %i\n  branch %out ^3 ^2\n^2:\n  %next = iadd i32 %i 1\n  jump ^1\n^3:\n"
                               "  %left = phi i32 ^1 %i\n  store i32 @g 0 %left\n  return\n");
  EXPECT_EQ(shared_with(slots, "left"), 0U);
}

TEST(Slots, AnExitPhiOfNestedLoopsHasItsSlotInAllThatItLeaves) {
  // five more values at once, so that enough slots are free where the phi is written
  std::string more;
  for (const char name : std::string_view("abcde")) more += std::string("  %") + name + " = load i32 @g 0\n";
  for (const char name : std::string_view("abcde")) more += std::string("  store i32 @g 0 %") + name + "\n";
  const Slots slots = slots_of("^0:\n  jump ^1\n^1:\n  %i = phi i32 ^0 0 ^4 %more\n" + many_values() + more +
                               "  jump ^2\n^2:\n  %k = phi i32 ^1 0 ^3 %next\n  %out = ilt i32 %k 7\n  branch %out ^5 ^3\n^3:\n"
                               "  %next = iadd i32 %k 1\n  %again = ilt i32 %next 5\n  branch %again ^2 ^4\n^4:\n  %more = iadd i32 %i 1\n"
                               "  jump ^1\n^5:\n  %left = phi i32 ^2 %k\n  store i32 @g 0 %left\n  return\n");
  EXPECT_EQ(shared_with(slots, "left"), 0U) << "the values of the outer loop";
  EXPECT_GT(shared_with(slots, "k"), 0U);
}

TEST(Slots, WithoutALoopABranchIsNoReasonToKeepThem) {
  const Slots slots = slots_of("^0:\n  %before = load i32 @g 0\n  %out = ilt i32 %before 8\n  branch %out ^1 ^2\n^1:\n" + many_values() +
                               "  jump ^2\n^2:\n  return\n");
  EXPECT_GT(shared_with(slots, "before"), 0U);
}

TEST(Slots, FunctionsOfIrreducibleFlowShareNone) {
  auto module = ir::parse("stage compute\nvariable @g group bytes 64\nfunction @f irreducible {\n^0:\n" + many_values() + "  return\n}\n");
  ASSERT_TRUE(module) << to_string(module.error());
  const ir::Function& function = module->functions[0];
  std::vector<std::uint32_t> words(function.insts.size());
  std::vector<ir::Id> root(function.insts.size());
  std::iota(root.begin(), root.end(), ir::Id{0});
  for (ir::Id id = 0; id < words.size(); ++id) words[id] = function.block_of[id] != ir::kNone && function.insts[id].results != 0 ? 1 : 0;
  std::uint32_t end = 0;
  allocate_slots({function, words, root, kFirstFree}, end);
  EXPECT_EQ(end, kFirstFree + kMany);
}

}  // namespace
}  // namespace unshade::vm::test

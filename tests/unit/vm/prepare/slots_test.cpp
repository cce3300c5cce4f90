#include "vm/prepare/slots.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include <unshade/ir/text.hpp>
#include <unshade/ir/verify.hpp>

#include "vm/prepare/select.hpp"

namespace unshade::vm::test {
namespace {

constexpr std::uint32_t kFirstFree = 7;

struct Slots {
  std::map<std::string, std::uint32_t> of;  // by name
  std::uint32_t end = 0;                    // one past the last
};

Slots slots_of(const ir::Function& function, const Selection& selection) {
  Operations operations = list_operations(function, selection);
  std::vector<std::uint32_t> words(function.insts.size());
  for (ir::Id id = 0; id < words.size(); ++id) {
    if (function.block_of[id] != ir::kNone && selection.root[id] == id) words[id] = words_of(function, id);
  }
  Slots made;
  const auto given = allocate_slots({function, selection, words, kFirstFree}, operations, made.end);
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

// The slots of a function's values whose operations run in the order of the IR.
Slots slots_of(std::string_view blocks, std::string_view flags = "") {
  const auto module =
      ir::parse("stage compute\nvariable @g group bytes 64\nfunction @f " + std::string(flags) + "{\n" + std::string(blocks) + "}\n");
  EXPECT_TRUE(module) << to_string(module.error());
  for (const auto& finding : ir::findings_of(*module)) ADD_FAILURE() << to_string(finding);
  const auto selection = select_kernels(*module, module->functions[0], 0);
  EXPECT_TRUE(selection) << to_string(selection.error());
  return slots_of(module->functions[0], *selection);
}

// Values that each live until the next line: `t0` and so on.
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

TEST(Slots, AreUsedAgainAtOnce) {
  const Slots slots = slots_of("^0:\n" + many_values() + "  return\n");
  EXPECT_EQ(slots.end, kFirstFree + 1);
}

TEST(Slots, TheLowestIsTaken) {
  const Slots slots = slots_of(R"(^0:
  %a = load i32 @g 0
  %b = load i32 @g 0
  %c = load i32 @g 0
  store i32 @g 0 %b
  store i32 @g 0 %a
  %d = load i32 @g 0
  %e = load i32 @g 0
  %f = load i32 @g 0
  store i32 @g 0 %c
  store i32 @g 0 %d
  store i32 @g 0 %e
  store i32 @g 0 %f
  return
)");
  EXPECT_EQ(slots.of, (std::map<std::string, std::uint32_t>{{"a", 7}, {"b", 8}, {"c", 9}, {"d", 7}, {"e", 8}, {"f", 10}}));
}

TEST(Slots, AValueSharesNoneWithOperandsOfItsOwnInstruction) {
  std::string lines = "^0:\n  %v0 = load i32 @g 0\n";
  for (unsigned at = 1; at < kMany; ++at) lines += "  %v" + std::to_string(at) + " = iadd i32 %v" + std::to_string(at - 1) + " 1\n";
  const Slots slots = slots_of(lines + "  store i32 @g 0 %v" + std::to_string(kMany - 1) + "\n  return\n");
  for (unsigned at = 1; at < kMany; ++at) EXPECT_NE(slots.of.at("v" + std::to_string(at)), slots.of.at("v" + std::to_string(at - 1))) << at;
}

// Two values of 64 bits share both slots or none, and those of 32 bits go into what is left.
TEST(Slots, SeveralBeginAtAnEvenOne) {
  const Slots slots = slots_of(R"(^0:
  %n = load i32 @g 0
  %w = sext i64 %n
  %m = load i32 @g 0
  %v = sext i64 %m
  store i64 @g 8 %w
  store i32 @g 0 %n
  %u = sext i64 %m
  %k = load i32 @g 0
  store i64 @g 8 %v
  store i64 @g 8 %u
  store i32 @g 0 %k
  return
)");
  EXPECT_EQ(slots.of, (std::map<std::string, std::uint32_t>{{"n", 7}, {"w", 8}, {"m", 10}, {"v", 12}, {"u", 8}, {"k", 7}}));
  EXPECT_EQ(slots.end, 14U);
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
  EXPECT_EQ(slots_of("^0:\n" + many_values() + "  return\n", "irreducible ").end, kFirstFree + kMany);
}

}  // namespace
}  // namespace unshade::vm::test

#include "vm/prepare/parallel_copies.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <random>
#include <vector>

namespace unshade::test {

namespace {

using vm::Copy;

constexpr std::uint32_t kSpare = 32;

/// Slots that each hold their own number.
std::vector<std::uint32_t> fresh_slots() {
  std::vector<std::uint32_t> slots(std::size_t{2} * kSpare);
  std::iota(slots.begin(), slots.end(), 0U);
  return slots;
}

void copy_slot(const Copy& copy, const std::vector<std::uint32_t>& from, std::vector<std::uint32_t>& to) {
  const std::uint32_t first = from[copy.from];
  const std::uint32_t second = from[copy.from + 1U];
  to[copy.to] = first;
  if (copy.wide) to[copy.to + 1U] = second;
}

/// The slots below kSpare after all copies at once.
std::vector<std::uint32_t> all_at_once(const std::vector<Copy>& copies) {
  const std::vector<std::uint32_t> before = fresh_slots();
  std::vector<std::uint32_t> after = before;
  for (const Copy& copy : copies) copy_slot(copy, before, after);
  after.resize(kSpare);
  return after;
}

/// The same after one copy after the other.
std::vector<std::uint32_t> in_order(const std::vector<Copy>& copies) {
  std::vector<std::uint32_t> slots = fresh_slots();
  for (const Copy& copy : copies) copy_slot(copy, slots, slots);
  slots.resize(kSpare);
  return slots;
}

struct Ordered {
  std::vector<Copy> copies;
  std::uint32_t end = 0;
};
Ordered ordered(const std::vector<Copy>& copies) {
  Ordered made;
  made.end = append_in_order(copies, kSpare, made.copies);
  return made;
}

}  // namespace

TEST(ParallelCopies, ATargetIsWrittenAfterItsReaders) {
  // 1 <- 0, 2 <- 1, 3 <- 2
  const std::vector<Copy> chain{{0, 1, false}, {1, 2, false}, {2, 3, false}};
  const Ordered made = ordered(chain);
  EXPECT_EQ(made.end, kSpare);
  ASSERT_EQ(made.copies.size(), 3U);
  EXPECT_EQ(made.copies[0].to, 3);
  EXPECT_EQ(made.copies[1].to, 2);
  EXPECT_EQ(made.copies[2].to, 1);
}

TEST(ParallelCopies, ACycleTakesOneSpareSlot) {
  const std::vector<Copy> swap{{0, 1, false}, {1, 0, false}};
  const Ordered made = ordered(swap);
  EXPECT_EQ(made.end, kSpare + 1);
  EXPECT_EQ(made.copies.size(), 3U);
  EXPECT_EQ(in_order(made.copies), all_at_once(swap));
}

TEST(ParallelCopies, EachCycleTakesSparesOfItsOwn) {
  const std::vector<Copy> swaps{{0, 2, true}, {2, 0, true}, {8, 9, false}, {9, 8, false}};
  const Ordered made = ordered(swaps);
  EXPECT_EQ(made.end, kSpare + 3);  // two of 64 bits, one of 32
  EXPECT_EQ(in_order(made.copies), all_at_once(swaps));
}

TEST(ParallelCopies, AWideCopyWaitsForReadersOfEitherHalf) {
  const std::vector<Copy> copies{{4, 0, true}, {1, 8, false}, {0, 9, false}};
  const Ordered made = ordered(copies);
  EXPECT_EQ(made.end, kSpare);
  ASSERT_EQ(made.copies.size(), 3U);
  EXPECT_TRUE(made.copies[2].wide);
}

TEST(ParallelCopies, ACopyMayWaitForACycleThatItIsNoPartOf) {
  // the wide copy and the one into the half that it reads are a cycle; what is written into the other half waits for both
  const std::vector<Copy> copies{{9, 0, false}, {0, 2, true}, {2, 1, false}};
  const Ordered made = ordered(copies);
  EXPECT_EQ(made.copies.size(), 4U);
  EXPECT_EQ(in_order(made.copies), all_at_once(copies));
}

TEST(ParallelCopies, ASourceMayGoToManyTargets) {
  const std::vector<Copy> fan{{0, 1, false}, {0, 2, false}, {0, 3, false}};
  EXPECT_EQ(ordered(fan).end, kSpare);
  EXPECT_EQ(in_order(ordered(fan).copies), all_at_once(fan));
}

TEST(ParallelCopies, ACycleWhoseValuesGoElsewhereToo) {
  const std::vector<Copy> copies{{0, 1, false}, {1, 2, false}, {2, 0, false}, {0, 4, false}};
  const Ordered made = ordered(copies);
  EXPECT_EQ(in_order(made.copies), all_at_once(copies));
  EXPECT_LE(made.end, kSpare + 1);
  EXPECT_LE(made.copies.size(), 5U);
}

TEST(ParallelCopies, ALongCycleTakesOneSpareSlot) {
  std::vector<Copy> cycle;
  for (std::uint16_t slot = 0; slot < kSpare; ++slot) cycle.push_back({slot, static_cast<std::uint16_t>((slot + 1) % kSpare), false});
  const Ordered made = ordered(cycle);
  EXPECT_EQ(made.end, kSpare + 1);
  EXPECT_EQ(made.copies.size(), kSpare + 1);
  EXPECT_EQ(in_order(made.copies), all_at_once(cycle));
}

TEST(ParallelCopies, OfNothingNothingComes) {
  const Ordered made = ordered({});
  EXPECT_EQ(made.end, kSpare);
  EXPECT_TRUE(made.copies.empty());
}

TEST(ParallelCopies, RandomOnesDoWhatTheyDoAtOnce) {
  std::mt19937 random(17);
  for (int round = 0; round < 2000; ++round) {
    std::vector<Copy> copies;
    // pairs of slots: each is written as a whole, by halves, or not
    for (std::uint32_t pair = 0; pair < kSpare / 2; ++pair) {
      const auto source = [&] { return static_cast<std::uint16_t>(random() % (kSpare - 2)); };
      const auto to = static_cast<std::uint16_t>(pair * 2);
      switch (random() % 4) {
        case 0: copies.push_back({static_cast<std::uint16_t>(source() & ~1U), to, true}); break;
        case 1:
          copies.push_back({source(), to, false});
          copies.push_back({source(), static_cast<std::uint16_t>(to + 1), false});
          break;
        case 2: copies.push_back({source(), to, false}); break;
        default: break;
      }
    }
    std::erase_if(copies, [](const Copy& copy) { return copy.from == copy.to; });
    std::ranges::shuffle(copies, random);
    const Ordered made = ordered(copies);
    ASSERT_LE(made.end, 2 * kSpare - 1) << "round " << round;
    ASSERT_EQ(in_order(made.copies), all_at_once(copies)) << "round " << round;
  }
}

}  // namespace unshade::test

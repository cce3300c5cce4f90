// What a slice sees of memory that others write, and what it leaves.
#include "vm/memory/pages.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <random>
#include <vector>

namespace unshade::vm {
namespace {

constexpr std::size_t kMost = std::size_t{1} << 20;
constexpr std::size_t kBytes = 3 * kPageBytes + 6;

std::vector<std::byte> numbered() {
  std::vector<std::byte> made(kBytes);
  for (std::size_t k = 0; k < made.size(); ++k) made[k] = static_cast<std::byte>(k * 7);
  return made;
}

struct Fixture {
  std::vector<std::byte> memory = numbered();
  SharedMemory shared{memory};
  WrittenWords written{shared};

  void write(SlicePages& slice, std::size_t at, std::size_t count, std::byte value) {
    const std::vector<std::byte> bytes(count, value);
    slice.write(memory.data() + at, bytes.data(), count);
  }
  void read(SlicePages& slice, std::size_t at, std::size_t count) {
    std::vector<std::byte> bytes(count);
    slice.read(memory.data() + at, count, bytes.data());
  }
};

TEST(SlicePages, ReadsGiveWhatTheSliceWroteAndWhatWasThere) {
  Fixture of;
  SlicePages slice(of.shared, kMost);
  std::vector<std::byte> expected = of.memory;
  const std::vector<std::byte> before = of.memory;
  std::mt19937 random(7);
  for (int k = 0; k < 2000; ++k) {
    const std::size_t count = 1 + random() % 200, at = random() % (kBytes - count + 1);
    if (random() % 2 == 0) {
      const auto value = static_cast<std::byte>(random());
      of.write(slice, at, count, value);
      std::fill_n(expected.begin() + static_cast<std::ptrdiff_t>(at), count, value);
    } else {
      std::vector<std::byte> found(count);
      slice.read(of.memory.data() + at, count, found.data());
      ASSERT_TRUE(std::equal(found.begin(), found.end(), expected.begin() + static_cast<std::ptrdiff_t>(at)));
    }
  }
  EXPECT_EQ(of.memory, before);
  slice.commit(of.written);
  EXPECT_EQ(of.memory, expected);
}

TEST(SlicePages, DependOnWordsThatAnotherWrote) {
  Fixture of;
  SlicePages first(of.shared, kMost), same(of.shared, kMost), beside(of.shared, kMost), own(of.shared, kMost);
  of.write(first, 64, 8, std::byte{1});
  first.commit(of.written);
  of.read(same, 68, 4);
  of.read(beside, 72, 4);
  of.write(own, 64, 8, std::byte{2});
  of.read(own, 64, 8);
  EXPECT_TRUE(same.depends_on(of.written));
  EXPECT_FALSE(beside.depends_on(of.written));
  EXPECT_FALSE(own.depends_on(of.written));
  of.written.clear();
  EXPECT_FALSE(same.depends_on(of.written));
}

// Of a word, two slices write a half each: the second has to see the first.
TEST(SlicePages, PartsOfAWordDependOnTheRest) {
  for (const std::size_t at : {std::size_t{64}, kPageBytes - 2, kBytes - 4}) {
    Fixture of;
    SlicePages first(of.shared, kMost), second(of.shared, kMost);
    of.write(first, at, 2, std::byte{1});
    of.write(second, at + 2, 2, std::byte{2});
    first.commit(of.written);
    // the words of the third place are another, and the last of a page is the first of the next
    EXPECT_EQ(second.depends_on(of.written), at == 64) << at;
    if (second.depends_on(of.written)) continue;
    second.commit(of.written);
    EXPECT_EQ(of.memory[at + 1], std::byte{1});
    EXPECT_EQ(of.memory[at + 2], std::byte{2});
  }
}

TEST(SlicePages, AreFullAtABound) {
  std::vector<std::byte> memory(2 * kMost);
  const SharedMemory shared{memory};
  SlicePages slice(shared, kMost);
  const std::byte one{1};
  for (std::size_t at = 0; at < memory.size() / 4; at += kPageBytes) slice.write(memory.data() + at, &one, 1);
  EXPECT_FALSE(slice.is_full());
  for (std::size_t at = 0; at < memory.size(); at += kPageBytes) slice.write(memory.data() + at, &one, 1);
  EXPECT_TRUE(slice.is_full());
}

}  // namespace
}  // namespace unshade::vm

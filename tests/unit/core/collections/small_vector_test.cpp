#include <unshade/core/collections/small_vector.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace unshade {
namespace {

using Numbers = SmallVector<std::uint32_t, 2>;

std::vector<std::uint32_t> items(std::span<const std::uint32_t> numbers) { return {numbers.begin(), numbers.end()}; }

TEST(SmallVector, HoldsAnyNumberOfItems) {
  Numbers numbers;
  std::vector<std::uint32_t> expected;
  for (std::uint32_t k = 0; k < 40; ++k) {
    numbers.push_back(k);
    expected.push_back(k);
    EXPECT_EQ(items(numbers), expected);
    EXPECT_EQ(numbers.back(), k);
  }
  numbers.pop_back();
  EXPECT_EQ(numbers.size(), 39U);
  numbers.clear();
  EXPECT_TRUE(numbers.empty());
}

TEST(SmallVector, AppendsAndResizes) {
  Numbers numbers{1};
  numbers.append(std::vector<std::uint32_t>{2, 3, 4});
  EXPECT_EQ(items(numbers), (std::vector<std::uint32_t>{1, 2, 3, 4}));
  numbers.resize(6, 9);
  EXPECT_EQ(items(numbers), (std::vector<std::uint32_t>{1, 2, 3, 4, 9, 9}));
  numbers.resize(2);
  EXPECT_EQ(items(numbers), (std::vector<std::uint32_t>{1, 2}));
  EXPECT_EQ(items(Numbers(std::size_t{3}, 7)), (std::vector<std::uint32_t>{7, 7, 7}));
}

TEST(SmallVector, CopiesAndMoves) {
  for (const std::uint32_t count : {1U, 2U, 3U, 9U}) {
    const Numbers from(std::size_t{count}, 5);
    Numbers copy = from;
    EXPECT_EQ(copy, from);
    copy.push_back(6);
    EXPECT_EQ(from.size(), count);
    Numbers moved = std::move(copy);
    EXPECT_EQ(moved.size(), count + 1);
    EXPECT_EQ(moved.back(), 6U);
    Numbers other{1, 2, 3};
    other = std::move(moved);
    EXPECT_EQ(other.size(), count + 1);
    moved = from;
    EXPECT_EQ(moved, from);
    other = Numbers{8};
    EXPECT_EQ(items(other), std::vector<std::uint32_t>{8});
  }
}

}  // namespace
}  // namespace unshade

#include <unshade/core/collections/number_map.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <map>

namespace unshade {
namespace {

TEST(NumberMap, HoldsWhatWasAdded) {
  NumberMap<std::uint32_t> numbers;
  EXPECT_EQ(numbers.find(0), nullptr);
  std::map<std::uint64_t, std::uint32_t> expected;
  // keys that differ in few bits, low and high ones
  for (std::uint64_t k = 0; k < 3000; ++k) {
    const std::uint64_t key = k % 3 << 62 | k / 3 << (k % 2 * 32);
    const auto [value, is_new] = numbers.add(key, static_cast<std::uint32_t>(k));
    EXPECT_EQ(is_new, expected.emplace(key, static_cast<std::uint32_t>(k)).second);
    EXPECT_EQ(value, expected.at(key));
  }
  EXPECT_EQ(numbers.size(), expected.size());
  for (const auto& [key, value] : expected) {
    ASSERT_NE(numbers.find(key), nullptr);
    EXPECT_EQ(*numbers.find(key), value);
  }
  EXPECT_EQ(numbers.find(123'456'789'123), nullptr);
}

TEST(NumberMap, ValuesCanBeReplaced) {
  NumberMap<std::uint32_t> numbers;
  EXPECT_EQ(numbers[7], 0U);
  numbers[7] = 5;
  EXPECT_EQ(numbers[7], 5U);
  EXPECT_FALSE(numbers.add(7, 6).second);
  EXPECT_EQ(*numbers.find(7), 5U);
  EXPECT_EQ(numbers.size(), 1U);
}

}  // namespace
}  // namespace unshade

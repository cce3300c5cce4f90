#include <unshade/core/text.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <string>
#include <utility>

namespace unshade {

namespace {

TEST(Text, NumbersOfEveryLengthAreDecimal) {
  const auto expect = [](std::uint64_t number) {
    Text text;
    text.dec(number);
    EXPECT_EQ(text.view(), std::to_string(number));
  };
  for (std::uint64_t number = 0; number < 12'000; ++number) expect(number);
  for (std::uint64_t power = 1; power < std::numeric_limits<std::uint64_t>::max() / 10; power *= 10)
    for (const std::uint64_t number : {power - 1, power, power + 1}) expect(number);
  expect(std::numeric_limits<std::uint64_t>::max());
  for (const std::int64_t number : {std::int64_t{-1}, std::int64_t{-100}, std::int64_t{7}, std::numeric_limits<std::int64_t>::min()}) {
    Text text;
    text.dec_signed(number);
    EXPECT_EQ(text.view(), std::to_string(number));
  }
}

TEST(Text, KeptTextsAreCopiedWholeWithWhatStandsAroundThem) {
  TextPool pool;
  Text text;
  std::string expected;
  for (std::size_t length = 0; length < 5000; length = length * 3 / 2 + 1) {
    std::string kept(length, 'a');
    for (std::size_t i = 0; i < length; ++i) kept[i] = static_cast<char>('a' + i % 26);
    text.copy("(", pool.keep(kept), length, "), ");
    expected += '(' + kept + "), ";
  }
  EXPECT_EQ(text.view(), expected);
}

TEST(Text, ItCanBeMovedCutAndUsedAgain) {
  Text first(3);
  first << "some text";
  Text second(std::move(first));
  EXPECT_EQ(second.view(), "some text");
  EXPECT_EQ(first.size(), 0U);  // NOLINT(bugprone-use-after-move): a moved text is an empty one
  first << 'x';
  EXPECT_EQ(first.view(), "x");
  second.truncate(4);
  second.reserve(100);
  second << '!';
  EXPECT_EQ(second.view(), "some!");
  first = std::move(second);
  EXPECT_EQ(first.view(), "some!");
  first.clear();
  EXPECT_TRUE(first.empty());
  EXPECT_EQ(first.repeat('-', 3).view(), "---");
}

}  // namespace

}  // namespace unshade

#include <unshade/core/parallel.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <stdexcept>
#include <vector>

namespace unshade {
namespace {

TEST(InOrder, ResultsComeInOrderAndEndWhereTold) {
  for (const std::size_t threads : {std::size_t{1}, std::size_t{4}}) {
    std::vector<std::size_t> taken;
    in_order(
        1000, threads, [](std::size_t i) { return i * i; },
        [&](std::size_t i, std::size_t square) {
          EXPECT_EQ(square, i * i);
          taken.push_back(i);
          return i != 499;
        });
    ASSERT_EQ(taken.size(), 500U);
    EXPECT_TRUE(std::is_sorted(taken.begin(), taken.end()));
  }
  in_order(0, 4, [](std::size_t i) { return i; }, [](std::size_t, std::size_t) { return true; });
}

TEST(InOrder, DoesNotRunAheadOfWhatIsTaken) {
  std::atomic<std::size_t> taken{0};
  std::atomic<bool> ahead{false};
  in_order(
      200, 4,
      [&](std::size_t i) {
        // one more may have been taken by now
        if (i > taken + 3) ahead = true;
        return i;
      },
      [&](std::size_t i, std::size_t) {
        taken = i + 1;
        return true;
      },
      3);
  EXPECT_FALSE(ahead);
  EXPECT_EQ(taken, 200U);
}

TEST(InOrder, ThrowsWhatWorkThrows) {
  for (const std::size_t threads : {std::size_t{1}, std::size_t{3}}) {
    const auto work = [](std::size_t i) -> std::size_t {
      if (i == 7) throw std::runtime_error("seven");
      return i;
    };
    EXPECT_THROW(in_order(50, threads, work, [](std::size_t, std::size_t) { return true; }), std::runtime_error);
  }
}

}  // namespace
}  // namespace unshade

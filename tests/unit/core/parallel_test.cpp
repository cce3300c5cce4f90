#include <unshade/core/parallel.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <memory>
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

TEST(InOrder, EachThreadHasItsOwn) {
  struct Own {
    std::atomic<int> users{0};
    std::size_t calls = 0;
  };
  for (const std::size_t threads : {std::size_t{1}, std::size_t{4}}) {
    std::atomic<std::size_t> made{0};
    std::atomic<bool> shared{false};
    std::size_t calls = 0;
    in_order_with(
        500, threads,
        [&] {
          ++made;
          return std::make_unique<Own>();
        },
        [&](std::size_t, const std::unique_ptr<Own>& own) {
          if (own->users.fetch_add(1) != 0) shared = true;
          ++own->calls;
          own->users.fetch_sub(1);
          return std::size_t{1};
        },
        [&](std::size_t, std::size_t one) {
          calls += one;
          return true;
        });
    EXPECT_GE(made, 1U);
    EXPECT_LE(made, threads);
    EXPECT_FALSE(shared);
    EXPECT_EQ(calls, 500U);
  }
  const auto fails = []() -> int { throw std::runtime_error("nothing to own"); };
  EXPECT_THROW(
      in_order_with(5, 2, fails, [](std::size_t i, int) { return i; }, [](std::size_t, std::size_t) { return true; }), std::runtime_error);
}

}  // namespace
}  // namespace unshade

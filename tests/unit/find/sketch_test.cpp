#include <unshade/find/sketch.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>
#include <vector>

namespace unshade::test {

namespace {

/// How many of the runs of either sequence both have: what a sketch estimates.
double exact_similarity(const std::vector<std::uint32_t>& a, const std::vector<std::uint32_t>& b) {
  const auto runs = [](const std::vector<std::uint32_t>& sequence) {
    std::set<std::vector<std::uint32_t>> set;
    for (std::size_t i = 0; i + find::kGram <= sequence.size(); ++i)
      set.insert(std::vector<std::uint32_t>(sequence.begin() + static_cast<std::ptrdiff_t>(i),
                                            sequence.begin() + static_cast<std::ptrdiff_t>(i + find::kGram)));
    return set;
  };
  const auto left = runs(a);
  const auto right = runs(b);
  const auto both = std::count_if(left.begin(), left.end(), [&](const auto& run) { return right.contains(run); });
  return static_cast<double>(both) / static_cast<double>(left.size() + right.size() - static_cast<std::size_t>(both));
}

TEST(Sketch, OfTheSameOpcodesIsTheSame) {
  const std::vector<std::uint32_t> opcodes = {1, 2, 3, 4, 5, 6, 7, 8};
  EXPECT_EQ(find::similarity(find::sketch_of(opcodes), find::sketch_of(opcodes)), 1.0);
  const std::vector<std::uint32_t> others = {11, 12, 13, 14, 15, 16, 17, 18};
  EXPECT_EQ(find::similarity(find::sketch_of(opcodes), find::sketch_of(others)), 0.0);
}

TEST(Sketch, TellsShortSequencesApart) {
  EXPECT_NE(find::sketch_of(std::vector<std::uint32_t>{1}), find::sketch_of(std::vector<std::uint32_t>{2}));
  EXPECT_NE(find::sketch_of(std::vector<std::uint32_t>{1}), find::sketch_of(std::vector<std::uint32_t>{1, 1}));
  EXPECT_EQ(find::sketch_of(std::vector<std::uint32_t>{1, 2}), find::sketch_of(std::vector<std::uint32_t>{1, 2}));
}

// The mean error over many pairs is near 0, and each is within four standard deviations.
TEST(Sketch, EstimatesTheRunsInCommon) {
  std::mt19937 random(7);
  double sum = 0;
  constexpr int kPairs = 100;
  for (int pair = 0; pair < kPairs; ++pair) {
    std::vector<std::uint32_t> a(200);
    for (std::uint32_t& opcode : a) opcode = static_cast<std::uint32_t>(random() % 40);
    std::vector<std::uint32_t> b = a;
    for (int change = 0; change < pair / 4; ++change) b[random() % b.size()] = static_cast<std::uint32_t>(random() % 40);
    const double error = find::similarity(find::sketch_of(a), find::sketch_of(b)) - exact_similarity(a, b);
    EXPECT_LT(error, 0.36) << pair;
    EXPECT_GT(error, -0.36) << pair;
    sum += error;
  }
  EXPECT_LT(sum / kPairs, 0.04);
  EXPECT_GT(sum / kPairs, -0.04);
}

}  // namespace

}  // namespace unshade::test

// Which elements of two sequences stand for each other.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace unshade::shader::diff {

/// Elements that are equal on both sides.
struct Match {
  std::uint32_t before = 0;
  std::uint32_t after = 0;
};

/// How much work alignments may do together, in elements looked at. Without any left, what differs is one block replaced by another.
struct AlignBudget {
  std::uint64_t steps;
};

/// Matches in ascending order of both sides, each element in one at most, found thus: equal ends, then elements that occur once on each
/// side as fixed points (patience), and the shortest edit between them (Myers 1986, "An O(ND) difference algorithm and its variations").
/// Time O((N + M) * D) and memory O(N + M + D^2), both bounded: D by limits::kDiffEdits, time by the budget.
std::vector<Match> align(std::span<const std::uint32_t> before, std::span<const std::uint32_t> after, AlignBudget& budget);

}  // namespace unshade::shader::diff

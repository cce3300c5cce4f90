#include "shader/diff/align.hpp"

#include <algorithm>
#include <unordered_map>

#include <unshade/core/limits.hpp>

namespace unshade::shader::diff {

namespace {

using Sequence = std::span<const std::uint32_t>;

/// A stretch of each side: from first on, up to end.
struct Box {
  std::uint32_t first_before, end_before, first_after, end_after;

  bool empty() const { return first_before == end_before || first_after == end_after; }
};

class Aligner {
 public:
  Aligner(Sequence before, Sequence after, AlignBudget& budget) : before_(before), after_(after), budget_(budget) {}

  std::vector<Match> run() {
    Box box{0, static_cast<std::uint32_t>(before_.size()), 0, static_cast<std::uint32_t>(after_.size())};
    const std::uint32_t tail = trim(box);
    Box from = box;
    for (const Match anchor : anchors(box)) {
      edit({from.first_before, anchor.before, from.first_after, anchor.after});
      matches_.push_back(anchor);
      from.first_before = anchor.before + 1;
      from.first_after = anchor.after + 1;
    }
    edit(from);
    for (std::uint32_t i = 0; i < tail; ++i) matches_.push_back({box.end_before + i, box.end_after + i});
    return std::move(matches_);
  }

 private:
  bool same(std::uint32_t before, std::uint32_t after) const { return before_[before] == after_[after]; }

  /// Takes equal elements off both ends: those in front become matches, those after are counted.
  std::uint32_t trim(Box& box) {
    while (!box.empty() && same(box.first_before, box.first_after)) matches_.push_back({box.first_before++, box.first_after++});
    std::uint32_t tail = 0;
    while (!box.empty() && same(box.end_before - 1, box.end_after - 1)) --box.end_before, --box.end_after, ++tail;
    return tail;
  }

  /// Elements that occur once on each side: the longest run of them that ascends on both.
  std::vector<Match> anchors(const Box& box) const {
    struct Seen {
      std::uint32_t count_before = 0, count_after = 0, at_after = 0;
    };
    if (box.empty()) return {};
    std::unordered_map<std::uint32_t, Seen> seen;
    for (std::uint32_t i = box.first_before; i < box.end_before; ++i) ++seen[before_[i]].count_before;
    for (std::uint32_t i = box.first_after; i < box.end_after; ++i) {
      if (const auto found = seen.find(after_[i]); found != seen.end()) {
        ++found->second.count_after;
        found->second.at_after = i;
      }
    }
    std::vector<Match> unique;
    for (std::uint32_t i = box.first_before; i < box.end_before; ++i)
      if (const Seen& s = seen.find(before_[i])->second; s.count_before == 1 && s.count_after == 1) unique.push_back({i, s.at_after});
    // Longest ascending run: piles[n] ends the run of n + 1 elements that ends lowest.
    std::vector<std::uint32_t> piles;
    std::vector<std::uint32_t> previous(unique.size());
    for (std::uint32_t i = 0; i < unique.size(); ++i) {
      const auto pile = std::lower_bound(piles.begin(), piles.end(), unique[i].after,
                                         [&](std::uint32_t at, std::uint32_t value) { return unique[at].after < value; });
      previous[i] = pile == piles.begin() ? i : *(pile - 1);
      pile == piles.end() ? piles.push_back(i) : static_cast<void>(*pile = i);
    }
    std::vector<Match> run(piles.size());
    std::uint32_t at = piles.empty() ? 0 : piles.back();
    for (std::size_t i = run.size(); i-- > 0; at = previous[at]) run[i] = unique[at];
    return run;
  }

  /// The shortest edit of a box, or none of its elements if that is too much work.
  void edit(Box box) {
    const std::uint32_t tail = trim(box);
    if (!box.empty()) search(box);
    for (std::uint32_t i = 0; i < tail; ++i) matches_.push_back({box.end_before + i, box.end_after + i});
  }

  /// What each step of the search reached: of step d, x for the diagonals k = -d, -d + 2, to d.
  class Trace {
   public:
    void add(std::int64_t x) { values_.push_back(static_cast<std::int32_t>(x)); }
    std::int64_t reached(std::int64_t d, std::int64_t k) const { return values_[static_cast<std::size_t>(d * (d + 1) / 2 + (k + d) / 2)]; }
    /// Whether step d comes to diagonal k by a step down (an insertion), not to the right.
    bool comes_down(std::int64_t d, std::int64_t k) const { return k == -d || (k != d && reached(d - 1, k - 1) < reached(d - 1, k + 1)); }
    /// Where step d enters diagonal k, which equal elements then follow.
    std::int64_t enters(std::int64_t d, std::int64_t k) const {
      if (d == 0) return 0;
      return comes_down(d, k) ? reached(d - 1, k + 1) : reached(d - 1, k - 1) + 1;
    }

   private:
    std::vector<std::int32_t> values_;
  };

  bool same_in(const Box& box, std::int64_t x, std::int64_t y) const {
    return same(box.first_before + static_cast<std::uint32_t>(x), box.first_after + static_cast<std::uint32_t>(y));
  }

  /// Myers' greedy search: x counts elements of `before`, y of `after`, and k = x - y.
  void search(const Box& box) {
    const std::int64_t n = box.end_before - box.first_before;
    const std::int64_t m = box.end_after - box.first_after;
    const std::int64_t most = std::min<std::int64_t>(n + m, limits::kDiffEdits);
    Trace trace;
    for (std::int64_t d = 0; d <= most; ++d) {
      for (std::int64_t k = -d; k <= d; k += 2) {
        const std::int64_t start = trace.enters(d, k);
        std::int64_t x = start;
        while (x < n && x - k < m && same_in(box, x, x - k)) ++x;
        const auto steps = static_cast<std::uint64_t>(x - start) + 1;
        if (budget_.steps < steps) return;
        budget_.steps -= steps;
        trace.add(x);
        if (k == n - m && x >= n) return walk_back(box, trace, d, k);
      }
    }
  }

  void walk_back(const Box& box, const Trace& trace, std::int64_t d, std::int64_t k) {
    const std::size_t first = matches_.size();
    for (; d >= 0; --d) {
      const std::int64_t start = trace.enters(d, k);
      for (std::int64_t x = trace.reached(d, k); x > start; --x)
        matches_.push_back({box.first_before + static_cast<std::uint32_t>(x - 1), box.first_after + static_cast<std::uint32_t>(x - 1 - k)});
      if (d != 0) k += trace.comes_down(d, k) ? 1 : -1;
    }
    std::reverse(matches_.begin() + static_cast<std::ptrdiff_t>(first), matches_.end());
  }

  Sequence before_;
  Sequence after_;
  AlignBudget& budget_;
  std::vector<Match> matches_;
};

}  // namespace

std::vector<Match> align(std::span<const std::uint32_t> before, std::span<const std::uint32_t> after, AlignBudget& budget) {
  return Aligner(before, after, budget).run();
}

}  // namespace unshade::shader::diff

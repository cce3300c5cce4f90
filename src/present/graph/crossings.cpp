#include "present/graph/crossings.hpp"

#include <algorithm>
#include <tuple>

namespace unshade::present::graph {

namespace {

/// Counts by place, and sums of those before a place: a Fenwick tree.
class Counts {
 public:
  explicit Counts(std::size_t places) : sums_(places + 1, 0) {}
  void add(std::size_t place, std::int32_t count) {
    for (++place; place < sums_.size(); place += place & (~place + 1)) sums_[place] += count;
  }
  std::int64_t before(std::size_t place) const {
    std::int64_t sum = 0;
    for (; place > 0; place -= place & (~place + 1)) sum += sums_[place];
    return sum;
  }

 private:
  std::vector<std::int64_t> sums_;
};

}  // namespace

std::uint32_t crossings_of(const std::vector<Segment>& segments) {
  // From left to right: horizontal lines end, vertical ones ask, horizontal ones begin, so that ends do not count.
  enum class Step : std::uint8_t { end, ask, begin };
  std::vector<std::tuple<std::int32_t, Step, std::size_t>> steps;
  std::vector<std::int32_t> heights;
  for (std::size_t k = 0; k < segments.size(); ++k) {
    const auto& [from, to] = segments[k];
    if (from.y == to.y && from.x != to.x) {
      steps.emplace_back(std::min(from.x, to.x), Step::begin, k);
      steps.emplace_back(std::max(from.x, to.x), Step::end, k);
      heights.push_back(from.y);
    } else if (from.x == to.x && from.y != to.y) {
      steps.emplace_back(from.x, Step::ask, k);
    }
  }
  std::sort(steps.begin(), steps.end());
  std::sort(heights.begin(), heights.end());
  heights.erase(std::unique(heights.begin(), heights.end()), heights.end());
  const auto place = [&](std::int32_t y) {
    return static_cast<std::size_t>(std::lower_bound(heights.begin(), heights.end(), y) - heights.begin());
  };
  Counts counts(heights.size());
  std::int64_t crossings = 0;
  for (const auto& [x, step, k] : steps) {
    const auto& [from, to] = segments[k];
    switch (step) {
      case Step::begin: counts.add(place(from.y), 1); break;
      case Step::end: counts.add(place(from.y), -1); break;
      case Step::ask: crossings += counts.before(place(std::max(from.y, to.y))) - counts.before(place(std::min(from.y, to.y) + 1)); break;
    }
  }
  return static_cast<std::uint32_t>(std::min<std::int64_t>(crossings, 0xffff'ffff));
}

}  // namespace unshade::present::graph

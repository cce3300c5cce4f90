#include <unshade/core/findings.hpp>

#include <algorithm>
#include <utility>

namespace unshade {

void Findings::add(const Rule& rule, std::uint64_t offset, std::string path, std::string message) {
  auto count = std::find_if(counts_.begin(), counts_.end(), [&](const Count& c) { return c.rule == &rule; });
  if (count == counts_.end()) count = counts_.insert(counts_.end(), Count{&rule, 0});
  // The first of every rule is always listed: there are few rules.
  if (count->seen++ >= kPerRule || (count->seen > 1 && list_.size() >= room_)) return;
  list_.push_back({&rule, begin_ + offset, std::move(path), std::move(message)});
}

std::size_t Findings::errors() const {
  std::size_t sum = 0;
  for (const Count& count : counts_) sum += count.rule->severity == Severity::error ? count.seen : 0;
  return sum;
}

std::vector<Diagnostic> Findings::take() {
  std::vector<std::uint32_t> order(list_.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<std::uint32_t>(i);
  std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    return list_[a].offset != list_[b].offset ? list_[a].offset < list_[b].offset : a < b;
  });
  std::vector<Diagnostic> sorted;
  sorted.reserve(list_.size());
  for (const std::uint32_t i : order) sorted.push_back(std::move(list_[i]));
  list_ = std::move(sorted);
  for (const Count& count : counts_) {
    const auto listed =
        static_cast<std::size_t>(std::count_if(list_.begin(), list_.end(), [&](const Diagnostic& d) { return d.rule == count.rule; }));
    if (listed == count.seen) continue;
    const std::uint64_t offset = list_.empty() ? 0 : list_.back().offset;
    list_.push_back({&kFindingsMore, offset, {}, std::to_string(count.seen - listed) + " more of " + std::string(count.rule->id)});
  }
  counts_.clear();
  return std::exchange(list_, {});
}

}  // namespace unshade

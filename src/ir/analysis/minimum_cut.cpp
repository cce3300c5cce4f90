#include "ir/analysis/minimum_cut.hpp"

#include <algorithm>

namespace unshade::ir {

void MinimumCut::add(std::uint32_t from, std::uint32_t to, std::uint32_t forward, std::uint32_t backward) {
  arcs_.push_back({to, first_[from], forward});
  first_[from] = static_cast<std::uint32_t>(arcs_.size() - 1);
  arcs_.push_back({from, first_[to], backward});
  first_[to] = static_cast<std::uint32_t>(arcs_.size() - 1);
}

// Distances from the source over arcs that have room. False if the sink is not reached.
bool MinimumCut::find_levels(std::size_t& work) {
  level_.assign(first_.size(), kNoArc);
  queue_.assign(1, kSource);
  level_[kSource] = 0;
  for (std::size_t at = 0; at < queue_.size(); ++at) {
    for (std::uint32_t arc = first_[queue_[at]]; arc != kNoArc; arc = arcs_[arc].next) {
      if (work != 0) --work;
      if (arcs_[arc].capacity == 0 || level_[arcs_[arc].to] != kNoArc) continue;
      level_[arcs_[arc].to] = level_[queue_[at]] + 1;
      queue_.push_back(arcs_[arc].to);
    }
  }
  return level_[kSink] != kNoArc;
}

// A flow along shortest paths that leaves none of that length.
void MinimumCut::push_flow(std::size_t& work) {
  current_ = first_;
  path_.clear();
  std::uint32_t node = kSource;
  while (work != 0) {
    --work;
    if (node == kSink) {
      std::uint32_t flow = kNoArc;
      for (const std::uint32_t arc : path_) flow = std::min(flow, arcs_[arc].capacity);
      std::size_t full = path_.size();
      for (std::size_t at = path_.size(); at-- > 0;) {
        arcs_[path_[at]].capacity -= flow;
        arcs_[path_[at] ^ 1U].capacity += flow;
        if (arcs_[path_[at]].capacity == 0) full = at;
      }
      work -= std::min(work, path_.size());
      node = arcs_[path_[full] ^ 1U].to;
      path_.resize(full);
      continue;
    }
    const std::uint32_t arc = current_[node];
    if (arc == kNoArc) {
      if (node == kSource) return;
      // nothing leads on from here
      level_[node] = kNoArc;
      node = arcs_[path_.back() ^ 1U].to;
      path_.pop_back();
    } else if (arcs_[arc].capacity != 0 && level_[arcs_[arc].to] == level_[node] + 1 && level_[node] != kNoArc) {
      path_.push_back(arc);
      node = arcs_[arc].to;
    } else {
      current_[node] = arcs_[arc].next;
    }
  }
}

std::vector<bool> MinimumCut::solve(std::size_t work) {
  while (find_levels(work) && work != 0) push_flow(work);
  std::vector<bool> made(first_.size() - kTerminals);
  for (std::size_t node = 0; node < made.size(); ++node) made[node] = level_[node + kTerminals] != kNoArc;
  return made;
}

}  // namespace unshade::ir

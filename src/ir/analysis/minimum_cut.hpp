// The smallest set of arcs whose removal parts two sides of a graph.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace unshade::ir {

class MinimumCut {
 public:
  MinimumCut() : first_{kNoArc, kNoArc} {}

  std::uint32_t add_node() {
    first_.push_back(kNoArc);
    return static_cast<std::uint32_t>(first_.size() - 1 - kTerminals);
  }
  /// That two nodes are on different sides costs one.
  void join(std::uint32_t a, std::uint32_t b) {
    if (a != b) add(a + kTerminals, b + kTerminals, 1, 1);
  }
  /// That a node is not on the first side, or not on the second, costs `weight`.
  void pull(std::uint32_t node, bool to_first, std::uint32_t weight = 1) {
    if (to_first) {
      add(kSource, node + kTerminals, weight, 0);
    } else {
      add(node + kTerminals, kSink, weight, 0);
    }
  }
  /// Whether each node is on the first side, in as few as can be. `work`: arcs that may be looked at; beyond that the cut need not be the
  /// smallest.
  std::vector<bool> solve(std::size_t work);

 private:
  static constexpr std::uint32_t kNoArc = 0xffff'ffff;
  static constexpr std::uint32_t kSource = 0, kSink = 1, kTerminals = 2;
  struct Arc {
    std::uint32_t to, next, capacity;
  };

  void add(std::uint32_t from, std::uint32_t to, std::uint32_t forward, std::uint32_t backward);
  bool find_levels(std::size_t& work);
  void push_flow(std::size_t& work);

  std::vector<std::uint32_t> first_;  // of each node; arcs are pairs, each the other's reverse
  std::vector<Arc> arcs_;
  std::vector<std::uint32_t> level_, current_, queue_, path_;
};

}  // namespace unshade::ir

// How a control-flow graph nests: which blocks belong to the branches of another, which follow after they have met, which are in a loop and
// which come after it. Found from dominators and loops alone, so that any graph has a nesting; linear but for searching dominators.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <unshade/core/graph.hpp>

namespace unshade {

class Nesting {
 public:
  static constexpr std::uint32_t kNone = Graph::kNone;

  /// Where a node stands below its parent, which dominates it.
  enum class Place : std::uint8_t {
    root,        ///< the entry, and the first node of what it cannot reach
    arm,         ///< only its parent leads to it
    after,       ///< after the arms of its parent, which lead to it on several ways
    after_loop,  ///< after the loop of which its parent is the header
  };
  /// What an edge is to the nesting.
  enum class Way : std::uint8_t {
    arm,        ///< to an arm
    forward,    ///< to what comes after something that the start is in
    back,       ///< to the header of a loop that the start is in
    irregular,  ///< into the middle of something: of irreducible graphs, and from code that cannot be reached
  };
  /// A loop, or the arms of a branch.
  struct Region {
    bool is_loop = false;
    std::uint32_t head = kNone;    ///< the header, or the node that branches and is not itself inside
    std::uint32_t parent = kNone;  ///< the region around it
  };

  void examine(const Graph& graph);

  /// All nodes, each after its parent; edges that are not back or irregular go forward.
  std::span<const std::uint32_t> order() const { return order_; }
  std::uint32_t number(std::uint32_t node) const { return number_[node]; }  ///< in order()
  Place place(std::uint32_t node) const { return places_[node]; }
  std::uint32_t parent(std::uint32_t node) const { return parents_[node]; }
  bool is_header(std::uint32_t node) const { return is_header_[node]; }
  Way way(std::uint32_t from, std::uint32_t to) const;
  bool reachable(std::uint32_t node) const { return island_[node] == 0; }
  /// Whether there are no irregular edges.
  bool regular() const { return regular_; }

  /// Outer regions before those in them.
  std::span<const Region> regions() const { return regions_; }
  /// The innermost region of a node; kNone: none.
  std::uint32_t region(std::uint32_t node) const { return region_[node]; }

 private:
  void find_islands(const Graph& graph);
  void place_nodes(const Graph& graph);
  void find_regions(const Graph& graph);

  std::vector<std::uint32_t> order_, number_, parents_, region_;
  std::vector<std::uint32_t> island_;         ///< of a node: 0: what the entry reaches; edges between islands are irregular
  std::vector<std::uint32_t> enter_, leave_;  ///< places in the dominator tree
  std::vector<Place> places_;
  std::vector<bool> is_header_;
  std::vector<Region> regions_;
  bool regular_ = true;
};

}  // namespace unshade

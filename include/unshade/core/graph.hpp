// Control-flow graphs: edges, dominators, loops. Nodes are counted from 0, and 0 is the entry. Nothing here recurses, and every graph takes
// time in proportion to its size (dominators: edges * log nodes), so that hostile files may have any.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace unshade {

/// Edges in both directions, as often as they were added.
class Graph {
 public:
  static constexpr std::uint32_t kNone = 0xffff'ffff;

  struct Edge {
    std::uint32_t from = 0, to = 0;
    bool operator==(const Edge&) const = default;
  };

  /// Replaces the graph. `each_edge` is called twice, with a function to call with both ends of each edge, in the same order both times:
  /// `graph.build(count, [&](auto&& add) { add(from, to); ... })`.
  template <class EachEdge>
  void build(std::uint32_t nodes, EachEdge&& each_edge) {
    successors_.start(nodes);
    predecessors_.start(nodes);
    each_edge([&](std::uint32_t from, std::uint32_t to) { successors_.count(from), predecessors_.count(to); });
    successors_.allocate();
    predecessors_.allocate();
    each_edge([&](std::uint32_t from, std::uint32_t to) { successors_.put(from, to), predecessors_.put(to, from); });
  }

  std::uint32_t nodes() const { return successors_.first.empty() ? 0 : static_cast<std::uint32_t>(successors_.first.size() - 2); }
  std::span<const std::uint32_t> successors(std::uint32_t node) const { return successors_.of(node); }
  std::span<const std::uint32_t> predecessors(std::uint32_t node) const { return predecessors_.of(node); }

 private:
  /// The other ends of the edges of all nodes; those of a node lie from `first[node]` to `first[node + 1]`.
  struct Ends {
    std::vector<std::uint32_t> first, ends;

    // While it is built, counts are two places further on and become places one further on, which `put` moves to where the next begin.
    void start(std::uint32_t nodes) { first.assign(nodes + std::size_t{2}, 0); }
    void count(std::uint32_t node) { ++first[node + std::size_t{2}]; }
    void allocate();
    void put(std::uint32_t node, std::uint32_t end) { ends[first[node + std::size_t{1}]++] = end; }
    std::span<const std::uint32_t> of(std::uint32_t node) const {
      return std::span(ends).subspan(first[node], first[node + std::size_t{1}] - first[node]);
    }
  };

  Ends successors_, predecessors_;
};

/// A depth-first search from the entry, and the dominator tree.
class Dominators {
 public:
  static constexpr std::uint32_t kNone = Graph::kNone;

  /// Replaces what was known of another graph; memory is kept.
  void examine(const Graph& graph);

  bool reachable(std::uint32_t node) const { return nodes_[node].number != kNone; }
  /// The reachable nodes in the order of the search, in which the last successor comes first.
  std::span<const std::uint32_t> search_order() const { return order_; }
  /// The reachable nodes so that each edge goes forward, but those back to a node the search came by; first successors come first.
  std::vector<std::uint32_t> reverse_postorder() const;
  /// Whether the search came to `node` by way of `other`, or they are the same. Both are reachable.
  bool is_above(std::uint32_t other, std::uint32_t node) const {
    const std::uint32_t first = nodes_[other].number, number = nodes_[node].number;
    return number >= first && number - first < vertices_[first].below;
  }
  /// kNone for the entry and for unreachable nodes.
  std::uint32_t immediate_dominator(std::uint32_t node) const { return nodes_[node].dominator; }
  /// Every node dominates itself and unreachable nodes.
  bool dominates(std::uint32_t other, std::uint32_t node) const {
    if (!reachable(node)) return true;
    return reachable(other) && nodes_[other].enter <= nodes_[node].enter && nodes_[node].leave <= nodes_[other].leave;
  }

 private:
  void search(const Graph& graph);
  void find_dominators(const Graph& graph);
  void number_tree();
  std::uint32_t evaluate(std::uint32_t vertex);

  struct Node {
    std::uint32_t number = kNone;  ///< in the order of the search; kNone: unreachable
    std::uint32_t dominator = kNone;
    std::uint32_t enter = 0, leave = 0;
  };
  /// A node by its number.
  struct Vertex {
    std::uint32_t parent = kNone;
    std::uint32_t below = 1;  ///< how many nodes the search found below it, itself included
    std::uint32_t semi = kNone, label = kNone, ancestor = kNone, bucket = kNone, next_in_bucket = kNone, idom = kNone;
    std::uint32_t size = 1;  ///< of its subtree in the dominator tree
  };
  std::vector<Node> nodes_;
  std::vector<Vertex> vertices_;
  std::vector<std::uint32_t> order_, stack_;
};

/// The natural loops of a graph: what can reach an edge back to a header without passing the header, which dominates all of it.
class Loops {
 public:
  static constexpr std::uint32_t kNone = Graph::kNone;

  void find(const Graph& graph, const Dominators& dominators);

  /// The first edge, in the order of the search for its end, that goes back to a node which does not dominate its start. Graphs without
  /// one are reducible; in others some cycles are in no loop.
  const std::optional<Graph::Edge>& irreducible() const { return irreducible_; }
  /// Edges to the headers, outer headers first.
  std::span<const Graph::Edge> back_edges() const { return back_edges_; }
  /// Header of the innermost loop that a node is in, which may be itself; kNone outside of loops.
  std::uint32_t header_of(std::uint32_t node) const { return is_header_[node] ? node : enclosing_[node]; }
  bool is_header(std::uint32_t node) const { return is_header_[node]; }
  /// Header of the innermost loop around a node's own: for a header that of the next loop, for other nodes that of theirs.
  std::uint32_t enclosing(std::uint32_t node) const { return enclosing_[node]; }
  bool contains(std::uint32_t header, std::uint32_t node) const {
    for (std::uint32_t at = header_of(node); at != kNone; at = enclosing_[at])
      if (at == header) return true;
    return false;
  }

 private:
  std::optional<Graph::Edge> irreducible_;
  std::vector<Graph::Edge> back_edges_;
  std::vector<std::uint32_t> enclosing_;
  std::vector<bool> is_header_;
};

}  // namespace unshade

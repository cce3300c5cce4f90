#include <unshade/core/graph.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

namespace unshade {
namespace {

using Edges = std::vector<Graph::Edge>;
using Nodes = std::vector<std::uint32_t>;

struct Flow {
  Graph graph;
  Dominators dominators;
  Loops loops;

  Flow(std::uint32_t nodes, const Edges& edges) {
    graph.build(nodes, [&](auto&& add) {
      for (const Graph::Edge& e : edges) add(e.from, e.to);
    });
    dominators.examine(graph);
    loops.find(graph, dominators);
  }
};

Nodes list(std::span<const std::uint32_t> nodes) { return {nodes.begin(), nodes.end()}; }

/// Nodes that the entry reaches without passing `without`.
std::vector<bool> reached(const Graph& graph, std::uint32_t without) {
  std::vector<bool> seen(graph.nodes(), false);
  Nodes work{0};
  while (!work.empty()) {
    const std::uint32_t node = work.back();
    work.pop_back();
    if (node == without || seen[node]) continue;
    seen[node] = true;
    for (const std::uint32_t to : graph.successors(node)) work.push_back(to);
  }
  return seen;
}

TEST(Graph, ListsEdgesInTheirOrder) {
  const Flow flow(4, {{0, 2}, {2, 1}, {0, 1}, {0, 2}});
  EXPECT_EQ(flow.graph.nodes(), 4U);
  EXPECT_EQ(list(flow.graph.successors(0)), (Nodes{2, 1, 2}));
  EXPECT_EQ(list(flow.graph.predecessors(1)), (Nodes{2, 0}));
  EXPECT_EQ(list(flow.graph.predecessors(2)), (Nodes{0, 0}));
  EXPECT_TRUE(flow.graph.successors(3).empty());
  EXPECT_FALSE(flow.dominators.reachable(3));
  EXPECT_EQ(Graph().nodes(), 0U);
  EXPECT_TRUE(Flow(0, {}).dominators.search_order().empty());
}

TEST(Graph, OrdersABranchBeforeItsMerge) {
  const Flow flow(4, {{0, 1}, {0, 2}, {1, 3}, {2, 3}});
  EXPECT_EQ(flow.dominators.reverse_postorder(), (Nodes{0, 1, 2, 3}));
  EXPECT_EQ(flow.dominators.immediate_dominator(3), 0U);
  EXPECT_EQ(flow.dominators.immediate_dominator(0), Graph::kNone);
}

TEST(Graph, NestsLoops) {
  // 1 to 5 with 2 to 3 inside, and 4 a loop of itself.
  const Flow flow(7, {{0, 1}, {1, 2}, {2, 3}, {3, 2}, {3, 4}, {4, 4}, {4, 5}, {5, 1}, {5, 6}, {3, 1}});
  EXPECT_FALSE(flow.loops.irreducible());
  EXPECT_EQ(flow.loops.header_of(0), Graph::kNone);
  EXPECT_EQ(flow.loops.header_of(1), 1U);
  EXPECT_EQ(flow.loops.enclosing(1), Graph::kNone);
  EXPECT_EQ(flow.loops.header_of(2), 2U);
  EXPECT_EQ(flow.loops.enclosing(2), 1U);
  EXPECT_EQ(flow.loops.header_of(3), 2U);
  EXPECT_EQ(flow.loops.header_of(4), 4U);
  EXPECT_EQ(flow.loops.header_of(5), 1U);
  EXPECT_EQ(flow.loops.header_of(6), Graph::kNone);
  EXPECT_TRUE(flow.loops.contains(1, 3));
  EXPECT_FALSE(flow.loops.contains(2, 4));
  EXPECT_EQ(flow.loops.back_edges().size(), 4U);
}

TEST(Graph, FindsIrreducibleEdges) {
  const Flow flow(3, {{0, 1}, {0, 2}, {1, 2}, {2, 1}});
  ASSERT_TRUE(flow.loops.irreducible());
  EXPECT_EQ(flow.loops.irreducible()->from + flow.loops.irreducible()->to, 3U);
  EXPECT_TRUE(flow.loops.back_edges().empty());
}

TEST(Graph, AgreesWithDefinitionsOnRandomGraphs) {
  std::mt19937 engine(7);
  const auto random = [&] { return static_cast<std::uint32_t>(engine()); };
  for (int round = 0; round < 400; ++round) {
    const std::uint32_t nodes = 1 + random() % 12;
    Edges edges;
    for (std::uint32_t n = random() % (2 * nodes + 1); n > 0; --n) edges.push_back({random() % nodes, random() % nodes});
    const Flow flow(nodes, edges);
    const auto reachable = reached(flow.graph, Graph::kNone);
    for (std::uint32_t a = 0; a < nodes; ++a) {
      EXPECT_EQ(flow.dominators.reachable(a), reachable[a]);
      const auto without = reached(flow.graph, a);
      for (std::uint32_t b = 0; b < nodes; ++b) EXPECT_EQ(flow.dominators.dominates(a, b), !reachable[b] || !without[b]) << a << ' ' << b;
    }
    // All edges but those back to a node above go forward.
    const Nodes order = flow.dominators.reverse_postorder();
    EXPECT_EQ(order.size(), flow.dominators.search_order().size());
    Nodes place(nodes, 0);
    for (std::uint32_t k = 0; k < order.size(); ++k) place[order[k]] = k;
    for (const auto& [from, to] : edges) {
      if (reachable[from] && !flow.dominators.is_above(to, from)) {
        EXPECT_LT(place[from], place[to]);
      }
    }
    if (flow.loops.irreducible()) continue;
    // A loop holds what leads to an edge back to its header without passing that.
    for (std::uint32_t header = 0; header < nodes; ++header) {
      std::vector<bool> inside(nodes, false);
      Nodes work;
      for (const auto& [from, to] : flow.loops.back_edges())
        if (to == header) inside[header] = true, work.push_back(from);
      EXPECT_EQ(flow.loops.is_header(header), inside[header]);
      while (!work.empty()) {
        const std::uint32_t node = work.back();
        work.pop_back();
        if (inside[node]) continue;
        inside[node] = true;
        for (const std::uint32_t from : flow.graph.predecessors(node))
          if (reachable[from]) work.push_back(from);
      }
      for (std::uint32_t node = 0; node < nodes; ++node) EXPECT_EQ(flow.loops.contains(header, node), inside[node]);
    }
  }
}

TEST(Graph, TakesLongChainsWithoutRecursion) {
  constexpr std::uint32_t kNodes = 200'000;
  Edges edges;
  for (std::uint32_t n = 0; n + 1 < kNodes; ++n) edges.push_back({n, n + 1}), edges.push_back({n + 1, n});
  const Flow flow(kNodes, edges);
  EXPECT_EQ(flow.dominators.immediate_dominator(kNodes - 1), kNodes - 2);
  EXPECT_EQ(flow.loops.enclosing(kNodes - 1), kNodes - 2);
}

}  // namespace
}  // namespace unshade

#include <unshade/core/nesting.hpp>

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

namespace unshade {
namespace {

using Place = Nesting::Place;
using Way = Nesting::Way;
using Edges = std::vector<Graph::Edge>;

Nesting nested(std::uint32_t nodes, const Edges& edges) {
  Graph graph;
  graph.build(nodes, [&](auto&& add) {
    for (const Graph::Edge& e : edges) add(e.from, e.to);
  });
  Nesting nesting;
  nesting.examine(graph);
  return nesting;
}

TEST(Nesting, ArmsOfABranchAndWhatComesAfter) {
  const Nesting nesting = nested(4, {{0, 1}, {0, 2}, {1, 3}, {2, 3}});
  EXPECT_EQ(nesting.place(0), Place::root);
  EXPECT_EQ(nesting.place(1), Place::arm);
  EXPECT_EQ(nesting.place(2), Place::arm);
  EXPECT_EQ(nesting.place(3), Place::after);
  EXPECT_EQ(nesting.parent(3), 0U);
  EXPECT_EQ(nesting.way(0, 1), Way::arm);
  EXPECT_EQ(nesting.way(1, 3), Way::forward);
  ASSERT_EQ(nesting.regions().size(), 1U);
  EXPECT_FALSE(nesting.regions()[0].is_loop);
  EXPECT_EQ(nesting.regions()[0].head, 0U);
  EXPECT_EQ(nesting.region(1), 0U);
  EXPECT_EQ(nesting.region(2), 0U);
  EXPECT_EQ(nesting.region(0), Nesting::kNone);
  EXPECT_EQ(nesting.region(3), Nesting::kNone);
  EXPECT_TRUE(nesting.regular());
}

TEST(Nesting, WhatALoopLeavesForIsAfterIt) {
  // 1 is the header; 2 breaks to 4; 3 goes back
  const Nesting nesting = nested(5, {{0, 1}, {1, 2}, {2, 3}, {2, 4}, {3, 1}});
  EXPECT_TRUE(nesting.is_header(1));
  EXPECT_EQ(nesting.place(4), Place::after_loop);
  EXPECT_EQ(nesting.parent(4), 1U);
  EXPECT_EQ(nesting.way(3, 1), Way::back);
  EXPECT_EQ(nesting.way(2, 4), Way::forward);
  EXPECT_EQ(nesting.region(4), nesting.region(0));
  const std::uint32_t loop = nesting.region(1);
  ASSERT_NE(loop, Nesting::kNone);
  EXPECT_TRUE(nesting.regions()[loop].is_loop);
  EXPECT_EQ(nesting.region(2), loop);
}

TEST(Nesting, TheOutermostLoopThatIsLeftCounts) {
  // loops 1 and 2 around 3, which leaves both for 5
  const Nesting nesting = nested(6, {{0, 1}, {1, 2}, {2, 3}, {3, 2}, {3, 5}, {2, 4}, {4, 1}});
  EXPECT_EQ(nesting.place(5), Place::after_loop);
  EXPECT_EQ(nesting.parent(5), 1U);
  EXPECT_EQ(nesting.place(4), Place::after_loop);
  EXPECT_EQ(nesting.parent(4), 2U);
}

TEST(Nesting, UnreachableNodesAreRootsOfTheirOwn) {
  const Nesting nesting = nested(4, {{0, 1}, {2, 3}, {3, 1}});
  EXPECT_TRUE(nesting.reachable(1));
  EXPECT_FALSE(nesting.reachable(2));
  EXPECT_EQ(nesting.place(2), Place::root);
  EXPECT_EQ(nesting.place(3), Place::arm);
  EXPECT_EQ(nesting.way(3, 1), Way::irregular);
  EXPECT_FALSE(nesting.regular());
}

TEST(Nesting, EdgesIntoTheMiddleOfALoopAreIrregular) {
  const Nesting nesting = nested(3, {{0, 1}, {0, 2}, {1, 2}, {2, 1}});
  EXPECT_FALSE(nesting.regular());
  EXPECT_NE(nesting.way(1, 2) == Way::irregular, nesting.way(2, 1) == Way::irregular);
}

TEST(Nesting, HoldsForAnyGraph) {
  std::mt19937 random(7);
  for (unsigned round = 0; round < 3000; ++round) {
    const auto nodes = static_cast<std::uint32_t>(1 + random() % 14);
    Edges edges;
    for (auto k = static_cast<std::uint32_t>(random() % (2 * nodes)); k > 0; --k)
      edges.push_back({static_cast<std::uint32_t>(random() % nodes), static_cast<std::uint32_t>(random() % nodes)});
    const Nesting nesting = nested(nodes, edges);
    ASSERT_EQ(nesting.order().size(), nodes);
    bool regular = true;
    for (std::uint32_t node = 0; node < nodes; ++node) {
      const std::uint32_t parent = nesting.parent(node);
      EXPECT_EQ(parent == Nesting::kNone, nesting.place(node) == Place::root);
      if (parent != Nesting::kNone) {
        EXPECT_LT(nesting.number(parent), nesting.number(node));
      }
      if (nesting.place(node) == Place::after_loop) {
        EXPECT_TRUE(nesting.is_header(parent));
      }
    }
    for (const Graph::Edge& e : edges) {
      const Way way = nesting.way(e.from, e.to);
      regular = regular && way != Way::irregular;
      if (way == Way::back) {
        EXPECT_TRUE(nesting.is_header(e.to));
      }
      if (way == Way::arm || way == Way::forward) {
        EXPECT_LT(nesting.number(e.from), nesting.number(e.to));
      }
      // Forward, an edge leads to a later neighbour of something that its start is in.
      if (way != Way::forward) continue;
      std::uint32_t around = e.from;
      while (around != Nesting::kNone && around != nesting.parent(e.to)) around = nesting.parent(around);
      EXPECT_EQ(around, nesting.parent(e.to));
    }
    EXPECT_EQ(regular, nesting.regular());
  }
}

}  // namespace
}  // namespace unshade

#include <unshade/present/graph/layout.hpp>

#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "present/graph/crossings.hpp"
#include "support/drawing.hpp"

namespace unshade::present {
namespace {

std::uint32_t pick(std::mt19937& random, std::uint32_t below) { return static_cast<std::uint32_t>(random() % below); }

struct Drawn {
  std::vector<LayoutEdge> edges;
  Nesting nesting;
  Result<Layout> layout = Layout();

  Drawn(std::uint32_t nodes, std::vector<LayoutEdge> given, std::int32_t width = 60) : edges(std::move(given)) {
    Graph graph;
    graph.build(nodes, [&](auto&& add) {
      for (const LayoutEdge& e : edges) add(e.from, e.to);
    });
    nesting.examine(graph);
    std::vector<LayoutBox> sizes;
    for (std::uint32_t n = 0; n < nodes; ++n)
      sizes.push_back({0, 0, width + static_cast<std::int32_t>(n % 5) * 30, 20 + static_cast<std::int32_t>(n % 3) * 16});
    layout = lay_out(sizes, edges, nesting);
  }
  void expect_sound() const {
    ASSERT_TRUE(layout);
    EXPECT_EQ(test::drawing_fault(*layout, edges), "");
  }
};

/// A program of if, else, loops, switches, breaks and returns at random. Only one arm of a branch leaves what is around it.
class Program {
 public:
  explicit Program(std::mt19937& random, unsigned depth) : random_(random) {
    const std::uint32_t entry = add_node();
    sequence(entry, depth, kNone);
  }
  std::uint32_t nodes = 0;
  std::vector<LayoutEdge> edges;

 private:
  static constexpr std::uint32_t kNone = Nesting::kNone;

  std::uint32_t add_node() { return nodes++; }
  void link(std::uint32_t from, std::uint32_t to) { edges.push_back({from, to, random_() % 2 == 0 ? 0 : 34}); }

  /// Code that begins in a block that is there; the block in which it ends.
  std::uint32_t sequence(std::uint32_t at, unsigned depth, std::uint32_t loop_exit) {
    for (unsigned left = depth == 0 ? 0 : 1 + pick(random_, 3); left > 0; --left) at = statement(at, depth - 1, loop_exit);
    return at;
  }
  std::uint32_t statement(std::uint32_t at, unsigned depth, std::uint32_t loop_exit) {
    switch (random_() % 6) {
      case 0: {  // if
        const std::uint32_t then = add_node(), after = add_node();
        link(at, then);
        link(at, after);
        link(sequence(then, depth, kNone), after);
        return after;
      }
      case 1: {  // if and else
        const std::uint32_t yes = add_node(), no = add_node(), after = add_node();
        link(at, yes);
        link(at, no);
        link(sequence(yes, depth, kNone), after);
        link(sequence(no, depth, kNone), after);
        return after;
      }
      case 2: {  // switch
        const std::uint32_t after = add_node();
        for (unsigned k = 2 + pick(random_, 4); k > 0; --k) {
          const std::uint32_t label = add_node();
          link(at, label);
          link(sequence(label, depth, kNone), after);
        }
        return after;
      }
      case 3: {  // loop
        const std::uint32_t header = add_node(), body = add_node(), exit = add_node();
        link(at, header);
        link(header, body);
        link(header, exit);
        link(sequence(body, depth, exit), header);
        return exit;
      }
      case 4: {  // return, or break
        const std::uint32_t next = add_node();
        const std::uint32_t out = loop_exit == kNone ? add_node() : loop_exit;
        link(at, out);
        link(at, next);
        return next;
      }
      default: {
        const std::uint32_t next = add_node();
        link(at, next);
        return next;
      }
    }
  }

  std::mt19937& random_;
};

TEST(Layout, OneNode) {
  const Drawn drawn(1, {});
  drawn.expect_sound();
  EXPECT_TRUE(drawn.layout->edges.empty());
  EXPECT_GT(drawn.layout->width, drawn.layout->nodes[0].width);
}

TEST(Layout, NothingAtAll) {
  const Drawn drawn(0, {});
  ASSERT_TRUE(drawn.layout);
  EXPECT_TRUE(drawn.layout->nodes.empty());
}

TEST(Layout, ArmsAreSideBySideBelowTheirBranch) {
  const Drawn drawn(4, {{0, 1, 34}, {0, 2, 41}, {1, 3}, {2, 3}});
  drawn.expect_sound();
  const auto& nodes = drawn.layout->nodes;
  EXPECT_EQ(nodes[1].y, nodes[2].y);
  EXPECT_LT(nodes[1].x + nodes[1].width, nodes[2].x);
  EXPECT_GT(nodes[1].y, nodes[0].y + nodes[0].height);
  EXPECT_GT(nodes[3].y, nodes[2].y + nodes[2].height);
  EXPECT_EQ(drawn.layout->crossings, 0U);
}

TEST(Layout, LoopsHaveAFrameAndGoBackOnTheLeft) {
  const Drawn drawn(4, {{0, 1}, {1, 2}, {2, 1}, {1, 3}});
  drawn.expect_sound();
  ASSERT_EQ(drawn.layout->loops.size(), 1U);
  const LayoutBox& frame = drawn.layout->loops[0].box;
  EXPECT_EQ(drawn.layout->loops[0].header, 1U);
  for (const std::uint32_t inside : {1U, 2U}) {
    const LayoutBox& node = drawn.layout->nodes[inside];
    EXPECT_GE(node.x, frame.x);
    EXPECT_LE(node.x + node.width, frame.x + frame.width);
    EXPECT_GE(node.y, frame.y);
    EXPECT_LE(node.y + node.height, frame.y + frame.height);
  }
  EXPECT_GE(drawn.layout->nodes[3].y, frame.y + frame.height);
  const auto& back = drawn.layout->edges[2].points;
  EXPECT_TRUE(std::any_of(back.begin(), back.end(),
                          [&](LayoutPoint p) { return p.x < drawn.layout->nodes[1].x && p.x < drawn.layout->nodes[2].x; }));
  EXPECT_EQ(drawn.layout->crossings, 0U);
}

TEST(Layout, EdgesToOneNodeShareAWay) {
  const Drawn drawn(2, {{0, 1}, {0, 1}});
  drawn.expect_sound();
  EXPECT_EQ(drawn.layout->edges[0].points, drawn.layout->edges[1].points);
}

TEST(Layout, StructuredProgramsHaveNoCrossings) {
  std::mt19937 random(11);
  for (unsigned round = 0; round < 400; ++round) {
    const Program program(random, 1 + pick(random, 4));
    const Drawn drawn(program.nodes, program.edges);
    drawn.expect_sound();
    EXPECT_TRUE(drawn.nesting.regular());
    EXPECT_EQ(drawn.layout->crossings, 0U) << "round " << round;
  }
}

TEST(Layout, AnyGraphIsDrawn) {
  std::mt19937 random(5);
  for (unsigned round = 0; round < 2000; ++round) {
    const std::uint32_t nodes = 1 + pick(random, 12);
    std::vector<LayoutEdge> edges;
    for (std::uint32_t k = pick(random, 2 * nodes + 1); k > 0; --k) edges.push_back({pick(random, nodes), pick(random, nodes), 0});
    const Drawn drawn(nodes, edges);
    drawn.expect_sound();
    for (std::size_t e = 0; e < edges.size(); ++e)
      EXPECT_EQ(drawn.layout->edges[e].regular, drawn.nesting.way(edges[e].from, edges[e].to) != Nesting::Way::irregular);
  }
}

TEST(Layout, GraphsWhoseLinesAreOutOfProportionAreRefused) {
  // A chain, each node of which also leads to a node of its own behind all of them: a million lanes side by side.
  constexpr std::uint32_t kNodes = 4000;
  std::vector<LayoutEdge> edges;
  for (std::uint32_t n = 0; n < kNodes; ++n) {
    edges.push_back({n, n + 1, 0});
    edges.push_back({n, kNodes + 1 + n, 0});
  }
  for (std::uint32_t n = kNodes; n + 1 < 2 * kNodes + 1; ++n) edges.push_back({n, n + 1, 0});
  const Drawn drawn(2 * kNodes + 1, edges);
  ASSERT_FALSE(drawn.layout);
  EXPECT_EQ(drawn.layout.error().code, ErrorCode::limit);
}

TEST(Layout, DeepNestingNeedsNoStack) {
  // if in if in if ...: the arms of each node are the next one and the way past it
  constexpr std::uint32_t kDepth = 20000;
  std::vector<LayoutEdge> edges;
  for (std::uint32_t n = 0; n < kDepth; ++n) edges.push_back({n, n + 1, 0});
  const Drawn drawn(kDepth + 1, edges);
  ASSERT_TRUE(drawn.layout);
  EXPECT_EQ(drawn.layout->crossings, 0U);
}

TEST(Crossings, AreCountedWhereLinesGoThroughEachOther) {
  const std::vector<graph::Segment> cross = {{{0, 5}, {10, 5}}, {{5, 0}, {5, 10}}};
  EXPECT_EQ(graph::crossings_of(cross), 1U);
  const std::vector<graph::Segment> touch = {{{0, 5}, {10, 5}}, {{5, 5}, {5, 10}}, {{10, 0}, {10, 10}}, {{0, 0}, {0, 9}}};
  EXPECT_EQ(graph::crossings_of(touch), 0U);
  // against all pairs
  std::mt19937 random(3);
  for (unsigned round = 0; round < 300; ++round) {
    std::vector<graph::Segment> lines;
    for (unsigned k = 0; k < 12; ++k) {
      const auto at = [&] { return static_cast<std::int32_t>(random() % 10); };
      LayoutPoint from{at(), at()}, to = from;
      (k % 2 == 0 ? to.x : to.y) = at();
      lines.push_back({from, to});
    }
    std::uint32_t expected = 0;
    for (const graph::Segment& across : lines)
      for (const graph::Segment& down : lines) {
        if (across.from.y != across.to.y || down.from.x != down.to.x) continue;
        const auto [left, right] = std::minmax(across.from.x, across.to.x);
        const auto [top, bottom] = std::minmax(down.from.y, down.to.y);
        if (left < down.from.x && down.from.x < right && top < across.from.y && across.from.y < bottom) ++expected;
      }
    EXPECT_EQ(graph::crossings_of(lines), expected);
  }
}

}  // namespace
}  // namespace unshade::present

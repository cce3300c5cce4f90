// How often lines cross.
#pragma once

#include <cstdint>
#include <vector>

#include <unshade/present/graph/layout.hpp>

namespace unshade::present::graph {

/// A horizontal or vertical line.
struct Segment {
  LayoutPoint from, to;
};

/// Pairs of a horizontal and a vertical line that go through each other; where one ends at the other they only touch. In n log n.
std::uint32_t crossings_of(const std::vector<Segment>& segments);

}  // namespace unshade::present::graph

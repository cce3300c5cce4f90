// What has to hold for every drawing of a graph.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include <unshade/present/graph/layout.hpp>

namespace unshade::test {

/// What is wrong with a layout, or an empty text: boxes lie apart and inside, each way leads from the lower side of its box to the upper
/// side of the other, in horizontal and vertical lines that go through no box, and lines that lie on each other have an end in common.
inline std::string drawing_fault(const present::Layout& layout, std::span<const present::LayoutEdge> edges) {
  using present::LayoutBox;
  using present::LayoutPoint;
  const auto at = [](std::size_t number, const char* what) { return std::string(what) + " " + std::to_string(number); };
  for (std::size_t b = 0; b < layout.nodes.size(); ++b) {
    const LayoutBox& box = layout.nodes[b];
    if (box.x < 0 || box.y < 0 || box.x + box.width > layout.width || box.y + box.height > layout.height)
      return at(b, "outside of the drawing: box");
    for (std::size_t other = 0; other < b; ++other) {
      const LayoutBox& o = layout.nodes[other];
      if (box.x < o.x + o.width && o.x < box.x + box.width && box.y < o.y + o.height && o.y < box.y + box.height)
        return at(b, "on another: box");
    }
  }
  struct Line {
    std::int32_t first, last;
    std::uint32_t from, to;
  };
  std::map<std::int32_t, std::vector<Line>> across, down;
  for (std::size_t e = 0; e < edges.size(); ++e) {
    const auto& points = layout.edges[e].points;
    if (!layout.edges[e].regular) continue;
    if (points.size() < 2) return at(e, "without points: edge");
    const LayoutBox& from = layout.nodes[edges[e].from];
    const LayoutBox& to = layout.nodes[edges[e].to];
    if (points.front().y != from.y + from.height || points.front().x < from.x || points.front().x > from.x + from.width)
      return at(e, "does not begin at its box: edge");
    if (points.back().y != to.y || points.back().x < to.x || points.back().x > to.x + to.width)
      return at(e, "does not end at its box: edge");
    for (std::size_t k = 0; k + 1 < points.size(); ++k) {
      const LayoutPoint a = points[k], b = points[k + 1];
      if ((a.x == b.x) == (a.y == b.y)) return at(e, "neither horizontal nor vertical: edge");
      const auto [left, right] = std::minmax(a.x, b.x);
      const auto [top, bottom] = std::minmax(a.y, b.y);
      if (left < 0 || right > layout.width || top < 0 || bottom > layout.height) return at(e, "outside of the drawing: edge");
      for (const LayoutBox& box : layout.nodes)
        if (left < box.x + box.width && right > box.x && top < box.y + box.height && bottom > box.y) return at(e, "through a box: edge");
      (a.y == b.y ? across[a.y] : down[a.x]).push_back({a.y == b.y ? left : top, a.y == b.y ? right : bottom, edges[e].from, edges[e].to});
    }
  }
  for (auto* lines : {&across, &down}) {
    for (auto& [place, on] : *lines) {
      std::sort(on.begin(), on.end(), [](const Line& a, const Line& b) { return a.first < b.first; });
      for (std::size_t k = 0; k < on.size(); ++k)
        for (std::size_t other = k + 1; other < on.size() && on[other].first < on[k].last; ++other)
          if (on[k].from != on[other].from && on[k].to != on[other].to) return at(on[k].from, "on another: a line from node");
    }
  }
  return {};
}

}  // namespace unshade::test

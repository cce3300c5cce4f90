// Where the boxes and lines of a control-flow graph go: branches side by side, loops in frames with the way back on their left, what leaves
// something early in lanes on its right. In time linear to what is drawn.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <unshade/core/nesting.hpp>
#include <unshade/core/result.hpp>

namespace unshade::present {

// All in one unit, such as pixels, from the upper left corner.
struct LayoutPoint {
  std::int32_t x = 0, y = 0;
  bool operator==(const LayoutPoint&) const = default;
};
struct LayoutBox {
  std::int32_t x = 0, y = 0, width = 0, height = 0;
};
struct LayoutEdge {
  std::uint32_t from = 0, to = 0;
  std::int32_t label_width = 0;  ///< room for a text at its beginning
};

struct Layout {
  std::int32_t width = 0, height = 0;
  std::vector<LayoutBox> nodes;
  struct Way {
    std::vector<LayoutPoint> points;  ///< from the lower side of a box to the upper side of another
    LayoutPoint label;                ///< where a text begins, its baseline
    bool regular = true;              ///< else a straight line, which may pass behind boxes
  };
  std::vector<Way> edges;
  struct Frame {
    std::uint32_t header = 0;
    LayoutBox box;
  };
  std::vector<Frame> loops;  ///< outer ones first
  /// How often lines of regular edges cross that have neither end in common. None in code whose loops are each left from one arm of a
  /// branch at most; branches of which several arms each leave and go on cannot always be drawn without.
  std::uint32_t crossings = 0;
};

/// Lays out nodes of given sizes. `nesting`: of their graph. Errors: limit, for graphs whose lines would be out of proportion.
Result<Layout> lay_out(std::span<const LayoutBox> sizes, std::span<const LayoutEdge> edges, const Nesting& nesting);

}  // namespace unshade::present

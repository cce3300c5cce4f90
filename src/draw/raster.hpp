// Which samples of which pixels a triangle, line or point covers.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <span>

#include <unshade/vm/samples.hpp>

#include "draw/primitive.hpp"

namespace unshade::draw {

/// The samples of four pixels: bit 16 * pixel + sample. Pixels: upper left, upper right, lower left, lower right.
using Coverage = std::uint64_t;
inline constexpr unsigned kMostSamples = 16;

/// Where pixels are drawn: scissor, viewport and targets, right and bottom exclusive.
struct Bounds {
  std::int64_t left = 0, top = 0, right = 0, bottom = 0;      ///< pixels
  std::int64_t low_x = 0, low_y = 0, high_x = 0, high_y = 0;  ///< the viewport, in parts of a pixel
  bool is_fractional = false;                                 ///< the viewport ends within pixels
};

/// Parts of a pixel from its upper left corner to a sample.
constexpr std::int64_t sample_offset(std::int8_t sixteenths) { return kSubpixels / 2 + sixteenths * (kSubpixels / 16); }

/// Goes through blocks of pixels, of which it leaves out those that an edge excludes, in a fixed order.
class Rasterizer {
 public:
  /// A convex polygon of 3 or 4 corners, in parts of a pixel, clockwise. Places on its top and left edges belong to it. src: 3.4.2.1
  Rasterizer(std::span<const std::array<std::int64_t, 2>> corners, std::span<const vm::SamplePlace> pattern, const Bounds& bounds);

  /// Calls `visit(x, y, coverage)` for each quad of which a sample is covered, x and y even; ends if it returns false.
  template <class Visit>
  bool each_quad(Visit visit) const {
    constexpr std::int64_t kTile = 64, kBlock = 8;
    for (std::int64_t ty = top_ & ~(kTile - 1); ty < bottom_; ty += kTile) {
      for (std::int64_t tx = left_ & ~(kTile - 1); tx < right_; tx += kTile) {
        if (excluded(tx, ty, kTile)) continue;
        for (std::int64_t by = std::max(ty, top_ & ~(kBlock - 1)); by < std::min(ty + kTile, bottom_); by += kBlock) {
          for (std::int64_t bx = std::max(tx, left_ & ~(kBlock - 1)); bx < std::min(tx + kTile, right_); bx += kBlock) {
            if (excluded(bx, by, kBlock)) continue;
            for (std::int64_t y = std::max(by, top_ & ~std::int64_t{1}); y < std::min(by + kBlock, bottom_); y += 2) {
              for (std::int64_t x = std::max(bx, left_ & ~std::int64_t{1}); x < std::min(bx + kBlock, right_); x += 2) {
                const Coverage covered = quad(x, y);
                if (covered != 0 && !visit(static_cast<std::uint32_t>(x), static_cast<std::uint32_t>(y), covered)) return false;
              }
            }
          }
        }
      }
    }
    return true;
  }

 private:
  bool excluded(std::int64_t x, std::int64_t y, std::int64_t pixels) const;
  Coverage quad(std::int64_t x, std::int64_t y) const;

  /// Of edges: a place is inside if x * a + y * b + c is not negative for all.
  struct Edge {
    std::int64_t a, b, c;
  };
  std::array<Edge, 4> edges_{};
  std::size_t edge_count_;
  std::span<const vm::SamplePlace> pattern_;
  const Bounds& bounds_;
  std::int64_t left_, top_, right_, bottom_;
};

/// Calls `visit(x, y, coverage)` for the quads of an aliased line, which covers all samples of a pixel whose diamond it leaves. src: 3.4.3
void each_quad_of_line(const Triangle& line, unsigned samples, const Bounds& bounds,
                       const std::function<bool(std::uint32_t, std::uint32_t, Coverage)>& visit);

/// The same for what is a triangle, a line or a point. A point is a square of a pixel. With `wide_lines` lines are rectangles of 1.4
/// pixels. src: 3.4.5, 3.4.6
bool each_quad_of(const Triangle& triangle, bool wide_lines, std::span<const vm::SamplePlace> pattern, const Bounds& bounds,
                  const std::function<bool(std::uint32_t, std::uint32_t, Coverage)>& visit);

/// The place in a pixel, in parts of it, at which centroid inputs are evaluated: the centre if all or no samples are covered, else the
/// first covered one. src: 3.5.4.1
std::array<std::int64_t, 2> centroid(std::uint32_t covered, std::span<const vm::SamplePlace> pattern);

}  // namespace unshade::draw

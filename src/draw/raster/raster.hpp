// Which samples of which pixels a triangle, line or point covers.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <type_traits>

#include <unshade/texel/samples.hpp>

#include "draw/raster/primitive.hpp"
#include "draw/wide/wide.hpp"

namespace unshade::draw {

/// The samples of four pixels: bit 16 * pixel + sample. Pixels: upper left, upper right, lower left, lower right.
using Coverage = std::uint64_t;
inline constexpr unsigned kMostSamples = 16;
/// All samples of the upper left pixel.
constexpr Coverage all_samples(std::size_t samples) { return (Coverage{1} << samples) - 1; }
/// All samples of pixels of which one is covered.
constexpr Coverage whole_pixels(Coverage covered, std::size_t samples) {
  Coverage made = 0;
  for (unsigned pixel = 0; pixel < 4; ++pixel)
    if ((covered >> (16 * pixel) & 0xffff) != 0) made |= all_samples(samples) << (16 * pixel);
  return made;
}

/// Where pixels are drawn: scissor, viewport and targets, right and bottom exclusive.
struct Bounds {
  std::int64_t left = 0, top = 0, right = 0, bottom = 0;      ///< pixels
  std::int64_t low_x = 0, low_y = 0, high_x = 0, high_y = 0;  ///< the viewport, in parts of a pixel
  bool is_fractional = false;                                 ///< the viewport ends within pixels
};

/// Parts of a pixel from its upper left corner to a sample.
constexpr std::int64_t sample_offset(std::int8_t sixteenths) { return kSubpixels / 2 + sixteenths * (kSubpixels / 16); }

/// Squares of pixels that a part of the screen has, of several parts.
struct Tiles {
  static constexpr unsigned kLog2 = 6;
  unsigned part = 0, parts = 1;

  static unsigned part_of(std::int64_t tile_x, std::int64_t tile_y, unsigned parts) {
    return static_cast<unsigned>(tile_x + 3 * tile_y) % parts;
  }
  bool has(std::int64_t x, std::int64_t y) const { return parts == 1 || part_of(x >> kLog2, y >> kLog2, parts) == part; }
};

/// Called with the coverage of a quad, x and y even: false ends.
class QuadVisitor {
 public:
  /// Refers to what it is made of.
  template <class Visit>
    requires(!std::is_same_v<std::remove_cvref_t<Visit>, QuadVisitor>)
  QuadVisitor(const Visit& visit)
      : self_(&visit), call_([](const void* self, std::uint32_t x, std::uint32_t y, Coverage covered) {
          return (*static_cast<const Visit*>(self))(x, y, covered);
        }) {}
  bool operator()(std::uint32_t x, std::uint32_t y, Coverage covered) const { return call_(self_, x, y, covered); }

 private:
  const void* self_;
  bool (*call_)(const void*, std::uint32_t, std::uint32_t, Coverage);
};

/// Goes through blocks of pixels, of which it leaves out those that an edge excludes, in a fixed order.
class Rasterizer {
 public:
  /// `samples`: those inside the polygon, and on its top and left edges. src: 3.4.2.1
  /// `pixels`: all of each pixel of which a part is less than 1/512 of a pixel away from the polygon. src: Conservative Rasterization
  enum class Covers : std::uint8_t { samples, pixels };
  /// A convex polygon of 3 or 4 corners, in parts of a pixel, clockwise. For `pixels` it may have no area.
  Rasterizer(std::span<const std::array<std::int64_t, 2>> corners, std::span<const texel::SamplePlace> pattern, const Bounds& bounds,
             Covers covers = Covers::samples);

  /// Calls `visit(x, y, coverage)` for each quad of which a sample is covered, x and y even; ends if it returns false.
  template <class Visit>
  bool each_quad(const Tiles& tiles, Visit visit) const {
    constexpr std::int64_t kTile = 1 << Tiles::kLog2, kBlock = 8;
    for (std::int64_t ty = top_ & ~(kTile - 1); ty < bottom_; ty += kTile) {
      for (std::int64_t tx = left_ & ~(kTile - 1); tx < right_; tx += kTile) {
        if (!tiles.has(tx, ty) || excluded(tx, ty, kTile)) continue;
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

  Coverage quad(std::int64_t x, std::int64_t y) const;

 private:
  bool excluded(std::int64_t x, std::int64_t y, std::int64_t pixels) const;

  void add_edge(std::int64_t a, std::int64_t b, std::int64_t c);

  /// Of edges: a place is inside if x * a + y * b + c is not negative for all.
  struct Edge {
    std::int64_t a, b, c;
  };
  std::array<Edge, wide::Edges::kMost> edges_;
  std::size_t edge_count_ = 0;
  wide::Edges wide_;  ///< the same; samples that decide
  const wide::Functions& functions_ = wide::functions();
  std::span<const texel::SamplePlace> pattern_;
  Covers covers_;
  Bounds bounds_;
  std::int64_t left_, top_, right_, bottom_;
};

/// Calls `visit(x, y, coverage)` for the quads of an aliased line, which covers all samples of a pixel whose diamond it leaves. src: 3.4.3
void each_quad_of_line(const Triangle& line, unsigned samples, const Bounds& bounds, const QuadVisitor& visit);

/// The same for what is a triangle, a line or a point, which is a square of a pixel: of the quads that a part of the screen has.
/// src: 3.4.4 to 3.4.6, 15.14
bool each_quad_of(const Triangle& triangle, const RasterizerState& state, std::span<const texel::SamplePlace> pattern, const Bounds& bounds,
                  const Tiles& tiles, const QuadVisitor& visit);

/// Bits of the parts of the screen whose tiles a triangle, line or point may touch.
std::uint32_t parts_reached(const Triangle& triangle, const Bounds& bounds, unsigned parts);

/// What a triangle covers of a quad.
Coverage quad_of(const Triangle& triangle, const RasterizerState& state, std::span<const texel::SamplePlace> pattern, const Bounds& bounds,
                 std::uint32_t x, std::uint32_t y);

/// The share of a pixel that a rectangle around a line covers, in steps of 2^-16: what antialiasing multiplies alpha by. src: 3.4.4
double share_of_line(const Triangle& line, std::uint32_t x, std::uint32_t y);

/// Whether all of a pixel, and 1/512 of a pixel around it, is inside a triangle. src: Conservative Rasterization, InnerCoverage
bool is_inner(const Triangle& triangle, std::uint32_t x, std::uint32_t y);

/// The place in a pixel, in parts of it, at which centroid inputs are evaluated: the centre if all samples are covered, else the first
/// covered one, or the first of the mask. `covered` has no others than the mask. src: 3.5.5
std::array<std::int64_t, 2> centroid(std::uint32_t covered, std::uint32_t mask, std::span<const texel::SamplePlace> pattern);

}  // namespace unshade::draw

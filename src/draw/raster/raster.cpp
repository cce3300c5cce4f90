#include "draw/raster/raster.hpp"

#include <bit>
#include <cmath>
#include <cstdlib>
#include <utility>
#include <vector>

namespace unshade::draw {

namespace {

constexpr std::int64_t pixel_of(std::int64_t parts) { return parts >> 8; }
static_assert(kSubpixels == 1 << 8);

// The quotient, rounded down. The divisor is above 0.
constexpr std::int64_t floor_quotient(std::int64_t value, std::int64_t by) { return value / by - (value % by < 0 ? 1 : 0); }

using ScreenPlace = std::array<std::int64_t, 2>;

// An edge between two corners of a clockwise polygon: places at its right are inside.
struct PolygonEdge {
  PolygonEdge(const ScreenPlace& from, const ScreenPlace& to)
      : a(from[1] - to[1]), b(to[0] - from[0]), c(-a * from[0] - b * from[1]), is_top_or_left(a > 0 || (a == 0 && b > 0)) {}
  std::int64_t a, b, c;
  bool is_top_or_left;

  bool is_empty() const { return a == 0 && b == 0; }
};

/// Twice the reach of a pixel with 1/512 of a pixel around it, from its centre to its sides.
constexpr std::int64_t kTwiceReach = kSubpixels + 1;
std::int64_t twice_reach_along(const PolygonEdge& side) { return kTwiceReach * (std::abs(side.a) + std::abs(side.b)); }

/// Widths of lines that are rectangles, in pixels.
constexpr double kWide = 1.4, kNarrow = 1;

// Half the width of a line in parts of a pixel, across it.
std::array<double, 2> half_across(const Triangle& line, double width) {
  const auto dx = static_cast<double>(line.x[1] - line.x[0]), dy = static_cast<double>(line.y[1] - line.y[0]);
  const double length = std::sqrt(dx * dx + dy * dy);
  if (length == 0) return {};
  const double half = width / 2 * static_cast<double>(kSubpixels) / length;
  return {dy * half, -dx * half};
}

template <class Number>
std::array<std::array<Number, 2>, 4> rectangle(const Triangle& line, Number nx, Number ny) {
  const auto x = [&](unsigned end) { return static_cast<Number>(line.x[end]); };
  const auto y = [&](unsigned end) { return static_cast<Number>(line.y[end]); };
  return {{{x(0) + nx, y(0) + ny}, {x(1) + nx, y(1) + ny}, {x(1) - nx, y(1) - ny}, {x(0) - nx, y(0) - ny}}};
}

Rasterizer of_triangle(const Triangle& triangle, const RasterizerState& state, std::span<const texel::SamplePlace> pattern,
                       const Bounds& bounds) {
  const std::array<ScreenPlace, 3> corners{
      {{triangle.x[0], triangle.y[0]}, {triangle.x[1], triangle.y[1]}, {triangle.x[2], triangle.y[2]}}};
  return {corners, pattern, bounds, state.conservative ? Rasterizer::Covers::pixels : Rasterizer::Covers::samples};
}

}  // namespace

Rasterizer::Rasterizer(std::span<const ScreenPlace> corners, std::span<const texel::SamplePlace> pattern, const Bounds& bounds,
                       Covers covers)
    : pattern_(pattern), covers_(covers), bounds_(bounds) {
  ScreenPlace low = corners[0];
  ScreenPlace high = corners[0];
  for (const ScreenPlace& one : corners) {
    low = {std::min(low[0], one[0]), std::min(low[1], one[1])};
    high = {std::max(high[0], one[0]), std::max(high[1], one[1])};
  }
  const bool by_pixel = covers == Covers::pixels;
  wide_.samples = static_cast<unsigned>(by_pixel ? 1 : pattern.size());
  for (std::size_t k = 0; k < corners.size(); ++k) {
    const ScreenPlace &from = corners[k], &to = corners[(k + 1) % corners.size()];
    const PolygonEdge side(from, to);
    const std::int64_t outside = side.is_top_or_left ? 0 : 1;
    if (!by_pixel) {
      add_edge(side.a, side.b, side.c - outside);
    } else if (!side.is_empty()) {
      add_edge(2 * side.a, 2 * side.b, 2 * side.c + twice_reach_along(side) - outside);
    }
  }
  if (by_pixel) {
    // the sides of the box around it, on which no centre is, as the reach is odd
    add_edge(2, 0, -2 * low[0] + kTwiceReach);
    add_edge(-2, 0, 2 * high[0] + kTwiceReach);
    add_edge(0, 2, -2 * low[1] + kTwiceReach);
    add_edge(0, -2, 2 * high[1] + kTwiceReach);
    low = {low[0] - 1, low[1] - 1};
    high = {high[0] + 1, high[1] + 1};
  }
  wide_.count = static_cast<unsigned>(edge_count_);
  left_ = std::max(bounds.left, pixel_of(low[0]));
  top_ = std::max(bounds.top, pixel_of(low[1]));
  right_ = std::min(bounds.right, pixel_of(high[0]) + 1);
  bottom_ = std::min(bounds.bottom, pixel_of(high[1]) + 1);
}

void Rasterizer::add_edge(std::int64_t a, std::int64_t b, std::int64_t c) {
  edges_[edge_count_] = {a, b, c};
  wide_.a[edge_count_] = static_cast<double>(a);
  wide_.b[edge_count_] = static_cast<double>(b);
  wide_.c[edge_count_] = static_cast<double>(c);
  for (unsigned sample = 0; sample < wide_.samples; ++sample) {
    const texel::SamplePlace place = covers_ == Covers::pixels ? texel::SamplePlace{} : pattern_[sample];
    wide_.to_sample[edge_count_][sample] = static_cast<double>(a * sample_offset(place[0]) + b * sample_offset(place[1]));
  }
  ++edge_count_;
}

bool Rasterizer::excluded(std::int64_t x, std::int64_t y, std::int64_t pixels) const {
  const std::int64_t size = pixels * kSubpixels;
  for (const Edge& edge : std::span(edges_).first(edge_count_)) {
    const std::int64_t most = edge.a * (x * kSubpixels + (edge.a > 0 ? size : 0)) + edge.b * (y * kSubpixels + (edge.b > 0 ? size : 0));
    if (most + edge.c < 0) return true;
  }
  return false;
}

Coverage Rasterizer::quad(std::int64_t x, std::int64_t y) const {
  const bool whole = covers_ == Covers::pixels;
  const auto samples = static_cast<unsigned>(whole ? 1 : pattern_.size());
  const Coverage all = all_samples(samples);
  Coverage covered = functions_.coverage(wide_, static_cast<double>(x * kSubpixels), static_cast<double>(y * kSubpixels));
  if (covered == 0) return 0;
  if (x < left_ || y < top_ || x + 2 > right_ || y + 2 > bottom_) {
    for (unsigned pixel = 0; pixel < 4; ++pixel) {
      const std::int64_t column = x + pixel % 2, row = y + pixel / 2;
      if (column < left_ || column >= right_ || row < top_ || row >= bottom_) covered &= ~(all << (16 * pixel));
    }
  }
  if (covered == 0) return 0;
  if (whole) return whole_pixels(covered, pattern_.size());
  for (Coverage left = bounds_.is_fractional ? covered : 0; left != 0; left &= left - 1) {
    const auto bit = static_cast<unsigned>(std::countr_zero(left));
    const texel::SamplePlace& place = pattern_[bit % 16];
    const std::int64_t px = (x + bit / 16 % 2) * kSubpixels + sample_offset(place[0]);
    const std::int64_t py = (y + bit / 32) * kSubpixels + sample_offset(place[1]);
    if (px < bounds_.low_x || px >= bounds_.high_x || py < bounds_.low_y || py >= bounds_.high_y) covered &= ~(Coverage{1} << bit);
  }
  return covered;
}

void each_quad_of_line(const Triangle& line, unsigned samples, const Bounds& bounds, const QuadVisitor& visit) {
  const std::array<std::array<std::int64_t, 2>, 2> ends{{{line.x[0], line.y[0]}, {line.x[1], line.y[1]}}};
  const bool x_major = std::abs(line.x[1] - line.x[0]) >= std::abs(line.y[1] - line.y[0]);
  const unsigned major = x_major ? 0 : 1;
  const std::int64_t direction = ends[1][major] < ends[0][major] ? -1 : 1;
  const std::int64_t length = (ends[1][major] - ends[0][major]) * direction;
  if (length == 0) return;
  // in the diamond around a centre: its lower edges and corner belong to it, and of lines that are rather vertical the right corner
  const auto is_inside = [&](const std::array<std::int64_t, 2>& end, const std::array<std::int64_t, 2>& centre) {
    const std::int64_t dx = end[0] - centre[0], dy = end[1] - centre[1];
    const std::int64_t distance = std::abs(dx) + std::abs(dy);
    if (distance != kSubpixels / 2) return distance < kSubpixels / 2;
    return dy > 0 || (dy == 0 && dx > 0 && !x_major);
  };
  const Coverage all = all_samples(samples);
  std::array<std::int64_t, 2> quad{};
  Coverage covered = 0;
  const auto flush = [&] {
    return covered == 0 || visit(static_cast<std::uint32_t>(quad[0]), static_cast<std::uint32_t>(quad[1]), covered);
  };
  const std::int64_t last = pixel_of(ends[1][major]);
  for (std::int64_t step = pixel_of(ends[0][major]); step != last + direction; step += direction) {
    std::array<std::int64_t, 2> centre{};
    centre[major] = step * kSubpixels + kSubpixels / 2;
    const std::int64_t along = (centre[major] - ends[0][major]) * direction;
    const std::int64_t minor_times_length = ends[0][1 - major] * length + along * (ends[1][1 - major] - ends[0][1 - major]);
    const std::int64_t other = floor_quotient(minor_times_length - 1, length * kSubpixels);
    centre[1 - major] = other * kSubpixels + kSubpixels / 2;
    const bool enters = along > 0 || is_inside(ends[0], centre);
    const bool leaves = along < length && !is_inside(ends[1], centre);
    if (!enters || !leaves) continue;
    const std::int64_t x = x_major ? step : other;
    const std::int64_t y = x_major ? other : step;
    if (x < bounds.left || x >= bounds.right || y < bounds.top || y >= bounds.bottom) continue;
    const std::array<std::int64_t, 2> own{x & ~std::int64_t{1}, y & ~std::int64_t{1}};
    if (own != quad || covered == 0) {
      if (!flush()) return;
      covered = 0;
      quad = own;
    }
    covered |= all << (16 * ((x & 1) + 2 * (y & 1)));
  }
  flush();
}

Coverage quad_of(const Triangle& triangle, const RasterizerState& state, std::span<const texel::SamplePlace> pattern, const Bounds& bounds,
                 std::uint32_t x, std::uint32_t y) {
  return of_triangle(triangle, state, pattern, bounds).quad(x, y);
}

bool each_quad_of(const Triangle& triangle, const RasterizerState& state, std::span<const texel::SamplePlace> pattern, const Bounds& bounds,
                  const Tiles& tiles, const QuadVisitor& visit) {
  const auto& [x, y] = std::pair(triangle.x, triangle.y);
  if (triangle.corners == 3) return of_triangle(triangle, state, pattern, bounds).each_quad(tiles, visit);
  if (triangle.corners == 1) {
    const std::int64_t reach = triangle.reach[0];
    const std::array<ScreenPlace, 4> corners{
        {{x[0] - reach, y[0] - reach}, {x[0] + reach, y[0] - reach}, {x[0] + reach, y[0] + reach}, {x[0] - reach, y[0] + reach}}};
    return Rasterizer(corners, pattern, bounds).each_quad(tiles, visit);
  }
  if (state.lines == LineMode::aliased) {
    const auto own = [&](std::uint32_t qx, std::uint32_t qy, Coverage covered) { return !tiles.has(qx, qy) || visit(qx, qy, covered); };
    each_quad_of_line(triangle, static_cast<unsigned>(pattern.size()), bounds, own);
    return true;
  }
  if (x[0] == x[1] && y[0] == y[1]) return true;
  const auto [nx, ny] = half_across(triangle, state.lines == LineMode::quadrilateral_wide ? kWide : kNarrow);
  const auto rounded = [](double parts) { return static_cast<std::int64_t>(std::nearbyint(parts)); };
  const auto corners = rectangle<std::int64_t>(triangle, rounded(nx), rounded(ny));
  if (state.lines != LineMode::alpha_antialiased) return Rasterizer(corners, pattern, bounds).each_quad(tiles, visit);
  return Rasterizer(corners, pattern, bounds, Rasterizer::Covers::pixels)
      .each_quad(tiles, [&](std::uint32_t qx, std::uint32_t qy, Coverage covered) {
        for (unsigned pixel = 0; pixel < 4; ++pixel) {
          const Coverage samples = all_samples(pattern.size()) << (16 * pixel);
          if ((covered & samples) != 0 && share_of_line(triangle, qx + pixel % 2, qy + pixel / 2) == 0) covered &= ~samples;
        }
        return covered == 0 || visit(qx, qy, covered);
      });
}

std::uint32_t parts_reached(const Triangle& triangle, const Bounds& bounds, unsigned parts) {
  // two pixels more than a line is wide, or a pixel that is touched, or than a point reaches
  const std::int64_t reach = 2 * kSubpixels + (triangle.corners == 1 ? triangle.reach[0] : 0);
  std::array<std::int64_t, 2> low{triangle.x[0], triangle.y[0]}, high = low;
  for (unsigned k = 1; k < triangle.corners; ++k) {
    low = {std::min(low[0], triangle.x[k]), std::min(low[1], triangle.y[k])};
    high = {std::max(high[0], triangle.x[k]), std::max(high[1], triangle.y[k])};
  }
  const auto tile = [](std::int64_t pixel) { return pixel >> Tiles::kLog2; };
  const std::int64_t left = tile(std::max(bounds.left, pixel_of(low[0] - reach)));
  const std::int64_t right = tile(std::min(bounds.right - 1, pixel_of(high[0] + reach)));
  const std::int64_t top = tile(std::max(bounds.top, pixel_of(low[1] - reach)));
  const std::int64_t bottom = tile(std::min(bounds.bottom - 1, pixel_of(high[1] + reach)));
  const std::uint32_t all = (1U << parts) - 1;
  std::uint32_t made = 0;
  for (std::int64_t y = top; y <= bottom && made != all; ++y)
    for (std::int64_t x = left; x <= right && made != all; ++x) made |= 1U << Tiles::part_of(x, y, parts);
  return made;
}

double share_of_line(const Triangle& line, std::uint32_t x, std::uint32_t y) {
  using Point = std::array<double, 2>;
  constexpr auto kSide = static_cast<double>(kSubpixels);
  const auto [nx, ny] = half_across(line, kNarrow);
  const auto corners = rectangle<double>(line, nx, ny);
  std::vector<Point> polygon(corners.begin(), corners.end());
  const Point least{static_cast<double>(x) * kSide, static_cast<double>(y) * kSide};
  for (unsigned side = 0; side < 4 && !polygon.empty(); ++side) {
    const unsigned axis = side / 2;
    const double bound = least[axis] + (side % 2 == 0 ? 0 : kSide);
    const auto inside = [&](const Point& one) { return side % 2 == 0 ? one[axis] - bound : bound - one[axis]; };
    std::vector<Point> left;
    for (std::size_t k = 0; k < polygon.size(); ++k) {
      const Point &from = polygon[k], &to = polygon[(k + 1) % polygon.size()];
      const double at_from = inside(from), at_to = inside(to);
      if (at_from >= 0) left.push_back(from);
      if ((at_from >= 0) == (at_to >= 0)) continue;
      const double t = at_from / (at_from - at_to);
      Point cut{from[0] + (to[0] - from[0]) * t, from[1] + (to[1] - from[1]) * t};
      cut[axis] = bound;
      left.push_back(cut);
    }
    polygon = std::move(left);
  }
  double twice = 0;
  for (std::size_t k = 0; k < polygon.size(); ++k) {
    const Point &from = polygon[k], &to = polygon[(k + 1) % polygon.size()];
    twice += (from[0] - least[0]) * (to[1] - least[1]) - (to[0] - least[0]) * (from[1] - least[1]);
  }
  return std::nearbyint(std::abs(twice) / 2) / (kSide * kSide);
}

bool is_inner(const Triangle& triangle, std::uint32_t x, std::uint32_t y) {
  if (triangle.corners != 3) return false;
  const ScreenPlace centre{std::int64_t{x} * kSubpixels + kSubpixels / 2, std::int64_t{y} * kSubpixels + kSubpixels / 2};
  for (unsigned k = 0; k < 3; ++k) {
    const unsigned next = (k + 1) % 3;
    const PolygonEdge side({triangle.x[k], triangle.y[k]}, {triangle.x[next], triangle.y[next]});
    if (2 * (side.a * centre[0] + side.b * centre[1] + side.c) - twice_reach_along(side) < (side.is_top_or_left ? 0 : 1)) return false;
  }
  return true;
}

std::array<std::int64_t, 2> centroid(std::uint32_t covered, std::uint32_t mask, std::span<const texel::SamplePlace> pattern) {
  const auto all = static_cast<std::uint32_t>(all_samples(pattern.size()));
  const std::uint32_t among = (covered & all) != 0 ? covered & all : mask & all;
  if (among == all || among == 0) return {kSubpixels / 2, kSubpixels / 2};
  const texel::SamplePlace& place = pattern[static_cast<std::size_t>(std::countr_zero(among))];
  return {sample_offset(place[0]), sample_offset(place[1])};
}

}  // namespace unshade::draw

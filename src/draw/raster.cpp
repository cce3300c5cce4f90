#include "draw/raster.hpp"

#include <bit>
#include <cmath>
#include <cstdlib>
#include <utility>

namespace unshade::draw {

namespace {

constexpr std::int64_t pixel_of(std::int64_t parts) { return parts >> 8; }
static_assert(kSubpixels == 1 << 8);

// The quotient, rounded down. The divisor is above 0.
constexpr std::int64_t floor_quotient(std::int64_t value, std::int64_t by) { return value / by - (value % by < 0 ? 1 : 0); }

}  // namespace

Rasterizer::Rasterizer(std::span<const std::array<std::int64_t, 2>> corners, std::span<const vm::SamplePlace> pattern, const Bounds& bounds)
    : edge_count_(corners.size()), pattern_(pattern), bounds_(bounds) {
  auto low = corners[0];
  auto high = corners[0];
  for (std::size_t k = 0; k < corners.size(); ++k) {
    const auto& [ax, ay] = corners[k];
    const auto& [bx, by] = corners[(k + 1) % corners.size()];
    const std::int64_t dx = bx - ax, dy = by - ay;
    const bool is_top_or_left = dy < 0 || (dy == 0 && dx > 0);
    edges_[k] = {-dy, dx, dy * ax - dx * ay - (is_top_or_left ? 0 : 1)};
    low = {std::min(low[0], ax), std::min(low[1], ay)};
    high = {std::max(high[0], ax), std::max(high[1], ay)};
  }
  left_ = std::max(bounds.left, pixel_of(low[0]));
  top_ = std::max(bounds.top, pixel_of(low[1]));
  right_ = std::min(bounds.right, pixel_of(high[0]) + 1);
  bottom_ = std::min(bounds.bottom, pixel_of(high[1]) + 1);
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
  Coverage covered = 0;
  for (unsigned pixel = 0; pixel < 4; ++pixel) {
    const std::int64_t column = x + pixel % 2;
    const std::int64_t row = y + pixel / 2;
    if (column < left_ || column >= right_ || row < top_ || row >= bottom_) continue;
    for (unsigned sample = 0; sample < pattern_.size(); ++sample) {
      const std::int64_t px = column * kSubpixels + sample_offset(pattern_[sample][0]);
      const std::int64_t py = row * kSubpixels + sample_offset(pattern_[sample][1]);
      if (bounds_.is_fractional && (px < bounds_.low_x || px >= bounds_.high_x || py < bounds_.low_y || py >= bounds_.high_y)) continue;
      bool inside = true;
      for (const Edge& edge : std::span(edges_).first(edge_count_)) inside = inside && edge.a * px + edge.b * py + edge.c >= 0;
      if (inside) covered |= Coverage{1} << (16 * pixel + sample);
    }
  }
  return covered;
}

void each_quad_of_line(const Triangle& line, unsigned samples, const Bounds& bounds,
                       const std::function<bool(std::uint32_t, std::uint32_t, Coverage)>& visit) {
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
  const Coverage all = (Coverage{1} << samples) - 1;
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

bool each_quad_of(const Triangle& triangle, bool wide_lines, std::span<const vm::SamplePlace> pattern, const Bounds& bounds,
                  const std::function<bool(std::uint32_t, std::uint32_t, Coverage)>& visit) {
  const auto& [x, y] = std::pair(triangle.x, triangle.y);
  if (triangle.corners == 3) {
    const std::array<std::array<std::int64_t, 2>, 3> corners{{{x[0], y[0]}, {x[1], y[1]}, {x[2], y[2]}}};
    return Rasterizer(corners, pattern, bounds).each_quad(visit);
  }
  if (triangle.corners == 1) {
    constexpr std::int64_t kReach = kSubpixels / 2;
    const std::array<std::array<std::int64_t, 2>, 4> corners{
        {{x[0] - kReach, y[0] - kReach}, {x[0] + kReach, y[0] - kReach}, {x[0] + kReach, y[0] + kReach}, {x[0] - kReach, y[0] + kReach}}};
    return Rasterizer(corners, pattern, bounds).each_quad(visit);
  }
  if (!wide_lines) {
    each_quad_of_line(triangle, static_cast<unsigned>(pattern.size()), bounds, visit);
    return true;
  }
  const auto dx = static_cast<double>(x[1] - x[0]), dy = static_cast<double>(y[1] - y[0]);
  const double length = std::sqrt(dx * dx + dy * dy);
  if (length == 0) return true;
  const double half = 0.7 * static_cast<double>(kSubpixels) / length;
  const auto nx = static_cast<std::int64_t>(std::nearbyint(dy * half)), ny = static_cast<std::int64_t>(std::nearbyint(-dx * half));
  const std::array<std::array<std::int64_t, 2>, 4> corners{
      {{x[0] + nx, y[0] + ny}, {x[1] + nx, y[1] + ny}, {x[1] - nx, y[1] - ny}, {x[0] - nx, y[0] - ny}}};
  return Rasterizer(corners, pattern, bounds).each_quad(visit);
}

std::array<std::int64_t, 2> centroid(std::uint32_t covered, std::span<const vm::SamplePlace> pattern) {
  const std::uint32_t all = (1U << pattern.size()) - 1;
  if ((covered & all) == all || (covered & all) == 0) return {kSubpixels / 2, kSubpixels / 2};
  const vm::SamplePlace& place = pattern[static_cast<std::size_t>(std::countr_zero(covered))];
  return {sample_offset(place[0]), sample_offset(place[1])};
}

}  // namespace unshade::draw

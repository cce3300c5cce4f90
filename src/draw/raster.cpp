#include "draw/raster.hpp"

#include <bit>

namespace unshade::draw {

Rasterizer::Rasterizer(const Triangle& triangle, std::span<const vm::SamplePlace> pattern, const Bounds& bounds)
    : pattern_(pattern), bounds_(bounds) {
  for (unsigned k = 0; k < 3; ++k) {
    const unsigned a = (k + 1) % 3;
    const unsigned b = (k + 2) % 3;
    Edge& edge = edges_[k];
    edge.a = triangle.y[a] - triangle.y[b];
    edge.b = triangle.x[b] - triangle.x[a];
    edge.c = -(edge.a * triangle.x[a] + edge.b * triangle.y[a]) - (triangle.owns_edge(k) ? 0 : 1);
  }
  const auto [low_x, high_x] = std::ranges::minmax(triangle.x);
  const auto [low_y, high_y] = std::ranges::minmax(triangle.y);
  const auto pixel = [](std::int64_t parts) { return parts >> 8; };
  static_assert(kSubpixels == 1 << 8);
  left_ = std::max(bounds.left, pixel(low_x));
  top_ = std::max(bounds.top, pixel(low_y));
  right_ = std::min(bounds.right, pixel(high_x) + 1);
  bottom_ = std::min(bounds.bottom, pixel(high_y) + 1);
}

bool Rasterizer::excluded(std::int64_t x, std::int64_t y, std::int64_t pixels) const {
  const std::int64_t size = pixels * kSubpixels;
  for (const Edge& edge : edges_) {
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
      for (const Edge& edge : edges_) inside = inside && edge.a * px + edge.b * py + edge.c >= 0;
      if (inside) covered |= Coverage{1} << (16 * pixel + sample);
    }
  }
  return covered;
}

std::array<std::int64_t, 2> centroid(std::uint32_t covered, std::span<const vm::SamplePlace> pattern) {
  const std::uint32_t all = (1U << pattern.size()) - 1;
  if ((covered & all) == all || (covered & all) == 0) return {kSubpixels / 2, kSubpixels / 2};
  const vm::SamplePlace& place = pattern[static_cast<std::size_t>(std::countr_zero(covered))];
  return {sample_offset(place[0]), sample_offset(place[1])};
}

}  // namespace unshade::draw

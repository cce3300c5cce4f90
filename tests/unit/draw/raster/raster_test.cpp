#include "draw/raster/raster.hpp"

#include <array>
#include <map>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace unshade::draw {
namespace {

struct Point {
  std::int64_t x, y;
};

// A triangle of points in parts of a pixel, turned so that it is clockwise; nothing if it has no area.
std::optional<Triangle> triangle_of(Point a, Point b, Point c) {
  Triangle made;
  made.x = {a.x, b.x, c.x};
  made.y = {a.y, b.y, c.y};
  const std::int64_t area = made.edge(0, a.x, a.y);
  if (area == 0) return std::nullopt;
  if (area < 0) {
    std::swap(made.x[1], made.x[2]);
    std::swap(made.y[1], made.y[2]);
  }
  made.area = static_cast<double>(std::abs(area));
  return made;
}

// How often each sample is covered.
class Counts {
 public:
  Counts(std::int64_t size, unsigned samples) : size_(size), pattern_(texel::sample_pattern(samples)) {
    bounds_.right = bounds_.bottom = size;
    counts_.resize(static_cast<std::size_t>(size * size) * samples);
  }
  void add(const std::optional<Triangle>& triangle) {
    if (!triangle) return;
    each_quad_of(*triangle, {}, pattern_, bounds_, {}, [&](std::uint32_t x, std::uint32_t y, Coverage covered) {
      for (unsigned bit = 0; bit < 64; ++bit)
        if ((covered >> bit & 1) != 0) ++at(x + bit / 16 % 2, y + bit / 32, bit % 16);
      return true;
    });
  }
  int& at(std::uint32_t x, std::uint32_t y, unsigned sample) {
    return counts_[(std::size_t{y} * static_cast<std::size_t>(size_) + x) * pattern_.size() + sample];
  }
  bool all(int count) const {
    return std::ranges::all_of(counts_, [&](int one) { return one == count; });
  }

 private:
  std::int64_t size_;
  std::span<const texel::SamplePlace> pattern_;
  Bounds bounds_;
  std::vector<int> counts_;
};

// Around a vertex at each place within a pixel, triangles to the corners of a square cover each sample of it once: one that
// no edge owned would be missing, one that two own would be drawn twice. src: Direct3D 11.3 functional specification 3.4.2.1
TEST(Raster, FansCoverEachSampleOnceWhereverTheirVertexLies) {
  constexpr std::int64_t kSize = 2 * kSubpixels;
  constexpr Point kAround[] = {{0, 0}, {kSize, 0}, {kSize, kSize}, {0, kSize}};
  unsigned wrong = 0;
  for (std::int64_t y = 128; y < 128 + kSubpixels; ++y) {
    for (std::int64_t x = 128; x < 128 + kSubpixels; ++x) {
      Counts counts(2, 1);
      for (unsigned k = 0; k < 4; ++k) counts.add(triangle_of({x, y}, kAround[k], kAround[(k + 1) % 4]));
      if (!counts.all(1)) ++wrong;
    }
  }
  EXPECT_EQ(wrong, 0U);
}

TEST(Raster, StripsCoverEachSampleOnceWhereverTheirVerticesLie) {
  constexpr std::int64_t kSize = 2 * kSubpixels;
  unsigned wrong = 0;
  for (std::int64_t y = 0; y < kSubpixels; ++y) {
    for (std::int64_t x = 0; x < kSubpixels; ++x) {
      // the upper and the lower side have a vertex each in between
      const std::vector<Point> strip{{0, 0}, {0, kSize}, {128 + x, 0}, {128 + y, kSize}, {kSize, 0}, {kSize, kSize}};
      Counts counts(2, 1);
      for (std::size_t k = 0; k + 2 < strip.size(); ++k) counts.add(triangle_of(strip[k], strip[k + 1], strip[k + 2]));
      if (!counts.all(1)) ++wrong;
    }
  }
  EXPECT_EQ(wrong, 0U);
}

TEST(Raster, SamplesOfEveryPatternAreCoveredOnce) {
  constexpr std::int64_t kSize = 4 * kSubpixels;
  constexpr Point kAround[] = {{0, 0}, {300, 0}, {kSize, 0}, {kSize, 400}, {kSize, kSize}, {512, kSize}, {0, kSize}, {0, 128}};
  for (const unsigned samples : {1U, 2U, 4U, 8U, 16U}) {
    for (std::int64_t y = 256; y < 768; y += 16) {
      for (std::int64_t x = 256; x < 768; x += 16) {
        Counts counts(4, samples);
        for (unsigned k = 0; k < 8; ++k) counts.add(triangle_of({x, y}, kAround[k], kAround[(k + 1) % 8]));
        ASSERT_TRUE(counts.all(1)) << samples << " samples, " << x << ' ' << y;
      }
    }
  }
}

// A triangle has the samples on its top and its left edges: of a square of pixel centres, the upper left corner alone of four.
TEST(Raster, TopAndLeftEdgesBelongToATriangle) {
  Counts counts(2, 1);
  counts.add(triangle_of({128, 128}, {384, 128}, {128, 384}));
  EXPECT_EQ(counts.at(0, 0, 0), 1);  // on the top and the left edge
  EXPECT_EQ(counts.at(1, 0, 0), 0);  // on the top edge and the one at the right
  EXPECT_EQ(counts.at(0, 1, 0), 0);
  EXPECT_EQ(counts.at(1, 1, 0), 0);
}

TEST(Raster, StandardPatternsHaveTheirSamplesWhereTheSpecificationSays) {
  EXPECT_EQ(texel::sample_pattern(4)[0], (texel::SamplePlace{-2, -6}));
  EXPECT_EQ(texel::sample_pattern(8)[7], (texel::SamplePlace{7, -7}));
  EXPECT_EQ(texel::sample_pattern(16)[15], (texel::SamplePlace{-7, -8}));
  EXPECT_EQ(sample_offset(-8), 0);
  EXPECT_EQ(sample_offset(7), 240);
}

TEST(Raster, CentroidIsTheCentreOrTheFirstCoveredSample) {
  const auto pattern = texel::sample_pattern(4);
  EXPECT_EQ(centroid(0xf, 0xf, pattern), (std::array<std::int64_t, 2>{128, 128}));
  EXPECT_EQ(centroid(0, ~0U, pattern), (std::array<std::int64_t, 2>{128, 128}));
  EXPECT_EQ(centroid(0b1100, 0xf, pattern), (std::array<std::int64_t, 2>{32, 160}));
  // samples that the mask leaves out count as if they were not covered, and helper lanes have the mask's first one
  EXPECT_EQ(centroid(0b1100, 0b1100, pattern), (std::array<std::int64_t, 2>{32, 160}));
  EXPECT_EQ(centroid(0, 0b1000, pattern), (std::array<std::int64_t, 2>{160, 224}));
}

// The pixels of a line from one place to another, in parts of a pixel: `x,y` in its order.
std::string line(Point from, Point to) {
  Triangle made;
  made.corners = 2;
  made.x = {from.x, to.x, 0};
  made.y = {from.y, to.y, 0};
  Bounds bounds;
  bounds.right = bounds.bottom = 8;
  std::array<std::array<int, 8>, 8> counts{};
  each_quad_of(made, {}, texel::sample_pattern(1), bounds, {}, [&](std::uint32_t x, std::uint32_t y, Coverage covered) {
    for (unsigned pixel = 0; pixel < 4; ++pixel)
      if ((covered >> (16 * pixel) & 1) != 0) ++counts[y + pixel / 2][x + pixel % 2];
    return true;
  });
  std::string text;
  for (int y = 0; y < 8; ++y)
    for (int x = 0; x < 8; ++x)
      for (int k = 0; k < counts[static_cast<std::size_t>(y)][static_cast<std::size_t>(x)]; ++k)
        text += (text.empty() ? "" : " ") + std::to_string(x) + "," + std::to_string(y);
  return text;
}

// src: Direct3D 11.3 functional specification 3.4.3: a line covers the pixels whose diamond it leaves
TEST(Raster, AliasedLinesCoverPixelsWhoseDiamondTheyLeave) {
  EXPECT_EQ(line({128, 128}, {3 * 256 + 128, 128}), "0,0 1,0 2,0");  // not the one that it ends in
  EXPECT_EQ(line({3 * 256 + 128, 128}, {128, 128}), "1,0 2,0 3,0");
  EXPECT_EQ(line({128, 128}, {128, 3 * 256 + 128}), "0,0 0,1 0,2");
  EXPECT_EQ(line({128, 128}, {128 + 512, 128 + 512}), "0,0 1,1");
  EXPECT_EQ(line({128, 128}, {200, 128}), "");       // within a diamond
  EXPECT_EQ(line({128, 128}, {257, 128}), "0,0");    // through its right corner
  EXPECT_EQ(line({250, 250}, {262, 250}), "");       // between diamonds
  EXPECT_EQ(line({0, 256}, {512, 256}), "0,0 1,0");  // along bottom corners, which belong to the pixels above
  EXPECT_EQ(line({256, 0}, {256, 512}), "0,0 0,1");  // along right corners
  EXPECT_EQ(line({128, 128}, {128, 128}), "");
}

// Segments of a line strip share no pixel and leave none out.
TEST(Raster, LineStripsDrawEachPixelOnce) {
  for (std::int64_t middle = 0; middle <= 5 * 256; ++middle) {
    const Point a{100, 120}, b{middle, 120 + middle / 5}, c{5 * 256, 120 + 256};
    if (b.x < a.x) continue;
    const std::string both = line(a, b) + (line(a, b).empty() || line(b, c).empty() ? "" : " ") + line(b, c);
    std::map<std::string, int> pixels;
    for (std::size_t at = 0; at < both.size(); at += 4) ++pixels[both.substr(at, 3)];
    for (const auto& [pixel, count] : pixels) ASSERT_EQ(count, 1) << pixel << " at " << middle;
    ASSERT_EQ(pixels.size(), 5U) << both << " at " << middle;
  }
}

TEST(Raster, PointsAreSquaresOfAPixelAndWideLinesRectangles) {
  const auto covered = [](Triangle made, LineMode lines) {
    Bounds bounds;
    bounds.right = bounds.bottom = 8;
    unsigned count = 0;
    each_quad_of(made, {.lines = lines}, texel::sample_pattern(16), bounds, {}, [&](std::uint32_t, std::uint32_t, Coverage quad) {
      count += static_cast<unsigned>(std::popcount(quad));
      return true;
    });
    return count;
  };
  Triangle point;
  point.corners = 1;
  for (std::int64_t at = 300; at < 300 + 256; at += 5) {
    point.x[0] = at;
    point.y[0] = 2 * at - 100;
    EXPECT_NEAR(covered(point, LineMode::aliased), 16, 1);
  }
  Triangle of_line;
  of_line.corners = 2;
  of_line.x = {256, 6 * 256, 0};
  of_line.y = {1000, 1000, 0};
  EXPECT_NEAR(covered(of_line, LineMode::quadrilateral_wide), 5 * 16 * 1.4, 8);
  EXPECT_NEAR(covered(of_line, LineMode::quadrilateral_narrow), 5 * 16, 8);
  EXPECT_EQ(covered(of_line, LineMode::aliased), 5U * 16);
}

TEST(Raster, AThinTriangleOverAllOfALargeTargetTakesNoLongTime) {
  Bounds bounds;
  bounds.right = bounds.bottom = kMostPixels;
  const std::int64_t size = kMostPixels * kSubpixels;
  std::uint64_t covered = 0;
  each_quad_of(*triangle_of({0, 7}, {size, 2592300}, {size, 2592000}), {}, texel::sample_pattern(1), bounds, {},
               [&](std::uint32_t, std::uint32_t, Coverage quad) {
                 covered += static_cast<unsigned>(std::popcount(quad));
                 return true;
               });
  EXPECT_NEAR(static_cast<double>(covered), 16384.0 * 300 / 256 / 2, 200);
}

}  // namespace
}  // namespace unshade::draw

#include "draw/tessellator/tessellator.hpp"

#include <cmath>
#include <limits>
#include <map>
#include <string>

#include <gtest/gtest.h>

namespace unshade::draw::tessellator {
namespace {

using dxcontainer::TessellatorDomain;
using dxcontainer::TessellatorOutput;
using dxcontainer::TessellatorPartitioning;

std::string numbers(const std::vector<std::uint32_t>& indices) {
  std::string made;
  for (const std::uint32_t one : indices) made += (made.empty() ? "" : " ") + std::to_string(one);
  return made;
}

// Places in parts of 65536: `u,v`.
std::string places(const Tessellated& of) {
  std::string made;
  for (const auto& [u, v] : of.points)
    made += (made.empty() ? "" : " ") + std::to_string(static_cast<int>(u * 65536)) + "," + std::to_string(static_cast<int>(v * 65536));
  return made;
}

Tessellated triangle(TessellatorPartitioning how, float a, float b, float c, float inside) {
  return tessellate({TessellatorDomain::triangle, how}, {{a, b, c}, {inside}});
}
Tessellated quad(TessellatorPartitioning how, std::array<float, 4> edges, std::array<float, 2> inside) {
  return tessellate({TessellatorDomain::quad, how}, {edges, inside});
}

// src: Direct3D 11.3 functional specification 11.7.10: points go clockwise from the corner V = 1 of a triangle, U = 0, V = 0 of a least
// quad
TEST(Tessellator, FactorsOfOneLeaveAPatchWhole) {
  for (const auto how :
       {TessellatorPartitioning::integer, TessellatorPartitioning::fractional_odd, TessellatorPartitioning::power_of_two}) {
    const Tessellated tri = triangle(how, 1, 0.5F, 1, 1);
    EXPECT_EQ(places(tri), "0,65536 0,0 65536,0");
    EXPECT_EQ(numbers(tri.indices), "0 1 2");
    const Tessellated square = quad(how, {1, 1, 1, 1}, {1, 1});
    EXPECT_EQ(places(square), "0,0 65536,0 65536,65536 0,65536");
    EXPECT_EQ(numbers(square.indices), "0 1 3 1 2 3");
  }
}

TEST(Tessellator, PlacesAreFixedPoint) {
  EXPECT_EQ(places(triangle(TessellatorPartitioning::integer, 2, 1, 1, 1)), "0,65536 0,32768 0,0 65536,0 21845,21845");
  // thirds of the edges; the ring inside lies two thirds of a third from its side
  EXPECT_EQ(places(triangle(TessellatorPartitioning::integer, 3, 3, 3, 3)),
            "0,65536 0,43691 0,21845 0,0 21845,0 43691,0 65536,0 43691,21845 21845,43691 14563,36409 14563,14563 36409,14564");
  EXPECT_EQ(places(quad(TessellatorPartitioning::integer, {2, 1, 1, 1}, {2, 2})), "0,65536 0,32768 0,0 65536,0 65536,65536 32768,32768");
  // 2.5 is between two and four segments: the two that grow are a quarter of the way to a quarter
  const Tessellated even =
      tessellate({TessellatorDomain::isoline, TessellatorPartitioning::fractional_even, TessellatorOutput::line}, {{1, 2.5F}, {}});
  EXPECT_EQ(places(even), "0,0 28672,0 32768,0 36864,0 65536,0");
  const Tessellated odd =
      tessellate({TessellatorDomain::isoline, TessellatorPartitioning::fractional_odd, TessellatorOutput::line}, {{1, 2}, {}});
  EXPECT_EQ(places(odd), "0,0 10923,0 54613,0 65536,0");
}

// src: Direct3D 11.3 functional specification 11.7
TEST(Tessellator, PowersOfTwoAreIntegers) {
  constexpr auto kPowers = TessellatorPartitioning::power_of_two, kIntegers = TessellatorPartitioning::integer;
  for (const float factor : {1.0F, 2.0F, 4.0F, 64.0F}) {
    EXPECT_EQ(places(triangle(kPowers, factor, 2, 1, factor)), places(triangle(kIntegers, factor, 2, 1, factor)));
    EXPECT_EQ(places(quad(kPowers, {factor, 2, 4, 1}, {factor, 2})), places(quad(kIntegers, {factor, 2, 4, 1}, {factor, 2})));
    const auto lines = [&](TessellatorPartitioning how) {
      return places(tessellate({TessellatorDomain::isoline, how, TessellatorOutput::line}, {{2, factor}, {}}));
    };
    EXPECT_EQ(lines(kPowers), lines(kIntegers));
  }
}

TEST(Tessellator, LinesAreAsManyAsTheirDensity) {
  const Tessellated lines =
      tessellate({TessellatorDomain::isoline, TessellatorPartitioning::integer, TessellatorOutput::line}, {{2, 3}, {}});
  EXPECT_EQ(places(lines), "0,0 21845,0 43691,0 65536,0 0,32768 21845,32768 43691,32768 65536,32768");
  EXPECT_EQ(numbers(lines.indices), "0 1 1 2 2 3 4 5 5 6 6 7");
  EXPECT_EQ(lines.corners, 2U);
  const Tessellated points =
      tessellate({TessellatorDomain::isoline, TessellatorPartitioning::integer, TessellatorOutput::point}, {{1, 2}, {}});
  EXPECT_EQ(numbers(points.indices), "0 1 2");
  EXPECT_EQ(points.corners, 1U);
}

TEST(Tessellator, AFactorThatIsNotAboveZeroCullsThePatch) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  for (const float bad : {0.0F, -1.0F, nan}) {
    EXPECT_TRUE(triangle(TessellatorPartitioning::integer, 4, bad, 4, 4).indices.empty());
    EXPECT_TRUE(quad(TessellatorPartitioning::integer, {4, 4, 4, bad}, {4, 4}).indices.empty());
  }
  // of the inside it is the least factor
  EXPECT_FALSE(triangle(TessellatorPartitioning::integer, 4, 4, 4, nan).indices.empty());
}

TEST(Tessellator, FactorsAreBounded) {
  const float huge = std::numeric_limits<float>::infinity();
  EXPECT_EQ(quad(TessellatorPartitioning::integer, {huge, 99, 64, 64}, {huge, 64}).points.size(), 65U * 65);
  EXPECT_EQ(quad(TessellatorPartitioning::fractional_odd, {huge, 99, 64, 64}, {huge, 64}).points.size(), 64U * 64);
  EXPECT_EQ(
      tessellate({TessellatorDomain::quad, TessellatorPartitioning::integer, TessellatorOutput::point, 8}, {{64, 64, 64, 64}, {64, 64}})
          .points.size(),
      9U * 9);
}

// Triangles turn the way that is asked for, cover all of the domain, and each inner edge has two of them.
void check(const Tessellated& of, double area) {
  double sum = 0;
  std::map<std::pair<std::uint32_t, std::uint32_t>, int> edges;
  for (std::size_t at = 0; at < of.indices.size(); at += 3) {
    std::array<std::array<double, 2>, 3> corner{};
    for (unsigned k = 0; k < 3; ++k) {
      ASSERT_LT(of.indices[at + k], of.points.size());
      corner[k] = {static_cast<double>(of.points[of.indices[at + k]][0]), static_cast<double>(of.points[of.indices[at + k]][1])};
      ++edges[{of.indices[at + k], of.indices[at + (k + 1) % 3]}];
    }
    const double own =
        (corner[1][0] - corner[0][0]) * (corner[2][1] - corner[0][1]) - (corner[1][1] - corner[0][1]) * (corner[2][0] - corner[0][0]);
    ASSERT_GE(own, -1e-4);
    sum += own / 2;
  }
  EXPECT_NEAR(sum, area, 1e-4);
  for (const auto& [edge, count] : edges) {
    ASSERT_EQ(count, 1);
    if (edges.contains({edge.second, edge.first})) continue;
    const auto& [a, b] = std::pair(of.points[edge.first], of.points[edge.second]);
    const bool on_side = (a[0] == 0 && b[0] == 0) || (a[1] == 0 && b[1] == 0) || (a[0] == 1 && b[0] == 1) || (a[1] == 1 && b[1] == 1) ||
                         (a[0] + a[1] == 1 && b[0] + b[1] == 1);
    ASSERT_TRUE(on_side);
  }
}

TEST(Tessellator, TrianglesCoverTheDomainWithoutCracks) {
  std::uint32_t seed = 7;
  const auto random = [&] {
    seed = seed * 1664525 + 1013904223;
    const float value = static_cast<float>(seed >> 8) / static_cast<float>(1 << 24);
    return (seed >> 7 & 1) != 0 ? value * 6 + 0.5F : value * 66;
  };
  for (const auto how :
       {TessellatorPartitioning::integer, TessellatorPartitioning::fractional_odd, TessellatorPartitioning::fractional_even}) {
    for (int round = 0; round < 60; ++round) {
      std::array<float, 6> f{};
      for (float& one : f) one = random();
      SCOPED_TRACE(::testing::PrintToString(f) + " " + std::string(dxcontainer::id(how)));
      const Tessellated tri = triangle(how, f[0] + 0.1F, f[1] + 0.1F, f[2] + 0.1F, f[3]);
      check(tri, 0.5);
      const Tessellated square = quad(how, {f[0] + 0.1F, f[1] + 0.1F, f[2] + 0.1F, f[3] + 0.1F}, {f[4], f[5]});
      check(square, 1);
      if (::testing::Test::HasFatalFailure()) return;
    }
  }
}

TEST(Tessellator, CounterClockwiseTrianglesAreTheOthersTurned) {
  Tessellation how{TessellatorDomain::quad, TessellatorPartitioning::integer};
  const TessellationFactors factors{{2, 3, 4, 5}, {3, 4}};
  const Tessellated one = tessellate(how, factors);
  how.output = TessellatorOutput::triangle_counter_clockwise;
  const Tessellated other = tessellate(how, factors);
  ASSERT_EQ(one.indices.size(), other.indices.size());
  for (std::size_t at = 0; at < one.indices.size(); at += 3) {
    EXPECT_EQ(one.indices[at], other.indices[at]);
    EXPECT_EQ(one.indices[at + 1], other.indices[at + 2]);
  }
}

}  // namespace
}  // namespace unshade::draw::tessellator

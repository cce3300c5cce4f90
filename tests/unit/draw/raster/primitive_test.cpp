#include "draw/raster/primitive.hpp"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

namespace unshade::draw {
namespace {

constexpr Viewport kViewport{0, 0, 640, 480};

std::vector<Triangle> triangles_of(std::array<Position, 3> positions, const RasterizerState& state = {.cull = Cull::none},
                                   unsigned depth_bits = 24, const Viewport& viewport = kViewport, const Conventions& conventions = {}) {
  std::vector<Triangle> made;
  const Triangle like{.vertices = {0, 1, 2}};
  set_up(clip(viewport, conventions, state.depth_clip, positions, 3), viewport, conventions, state, depth_bits, like, made);
  return made;
}

// A triangle of depths, of 64 pixels to the right and 48 downwards.
std::array<Position, 3> sloped(float a, float b, float c) { return {{{-1, 1, a, 1}, {-0.8F, 1, b, 1}, {-1, 0.8F, c, 1}}}; }

TEST(Primitive, PositionsAreRoundedToTwoHundredFiftySixthsBeforeAllElse) {
  // (x + 1) * 320 is 100.001, which is nearest to 100
  const auto made = triangles_of({{{100.001F / 320 - 1, 1, 0, 1}, {1, 1, 0, 1}, {-1, -1, 0, 1}}});
  ASSERT_EQ(made.size(), 1U);
  EXPECT_EQ(made[0].x[0], 100 * kSubpixels);
  // a triangle that is thinner than that has no area
  EXPECT_TRUE(triangles_of({{{0, 0, 0, 1}, {0.5F, 0, 0, 1}, {0.25F, 0.000001F, 0, 1}}}).empty());
}

TEST(Primitive, FacesAreClockwiseUnlessTheStateSaysOtherwise) {
  const std::array<Position, 3> clockwise{{{-1, 1, 0, 1}, {1, 1, 0, 1}, {-1, -1, 0, 1}}};
  EXPECT_TRUE(triangles_of(clockwise)[0].is_front);
  EXPECT_FALSE(triangles_of(clockwise, {.cull = Cull::none, .front_counter_clockwise = true})[0].is_front);
  EXPECT_TRUE(triangles_of(clockwise, {.cull = Cull::front}).empty());
  EXPECT_EQ(triangles_of(clockwise, {.cull = Cull::back}).size(), 1U);
  EXPECT_FALSE(triangles_of(clockwise, {.cull = Cull::none}, 24, kViewport, Conventions::vulkan())[0].is_front);
}

TEST(Primitive, ViewportsMapYAndDepthByTheConventions) {
  const Viewport viewport{10, 20, 100, 50, 0.25F, 0.75F};
  const std::array<Position, 3> corner{{{-1, 1, 1, 1}, {1, 1, 1, 1}, {-1, -1, 1, 1}}};
  const Triangle d3d = triangles_of(corner, {.cull = Cull::none}, 24, viewport)[0];
  EXPECT_EQ(d3d.x[0], 10 * kSubpixels);
  EXPECT_EQ(d3d.y[0], 20 * kSubpixels);
  EXPECT_EQ(d3d.depth[0], 0.75);
  EXPECT_EQ(triangles_of(corner, {.cull = Cull::none}, 24, viewport, Conventions::vulkan())[0].y[0], 70 * kSubpixels);
  const std::array<Position, 3> deep{{{-1, 1, -1, 1}, {1, 1, -1, 1}, {-1, -1, 0, 1}}};
  EXPECT_EQ(triangles_of(deep, {.cull = Cull::none}, 24, {0, 0, 100, 50, 0, -1}, Conventions::pica())[0].depth[0], 1);
}

// src: Direct3D 11.3 functional specification 15.10: depth bias is in steps of a UNORM buffer, or of the largest depth's exponent
TEST(Primitive, DepthBiasIsInStepsOfTheBuffer) {
  const auto biased = [&](const RasterizerState& state, unsigned bits, std::array<Position, 3> positions) {
    return triangles_of(positions, state, bits)[0].depth[0] - triangles_of(positions)[0].depth[0];
  };
  const auto flat = sloped(0.5F, 0.5F, 0.5F);
  EXPECT_NEAR(biased({.cull = Cull::none, .depth_bias = 1000}, 16, flat), 1000 / 65535.0, 1e-12);
  EXPECT_NEAR(biased({.cull = Cull::none, .depth_bias = -1000}, 24, flat), -1000 / 16777215.0, 1e-12);
  EXPECT_NEAR(biased({.cull = Cull::none, .depth_bias = 1000}, 32, flat), 1000 * std::ldexp(1, -1 - 23), 1e-12);
  EXPECT_NEAR(biased({.cull = Cull::none, .depth_bias = 1000}, 32, sloped(0.25F, 0.25F, 0.25F)), 1000 * std::ldexp(1, -2 - 23), 1e-12);
  EXPECT_NEAR(biased({.cull = Cull::none, .depth_bias = 1000}, 32, sloped(0.25F, 0.75F, 0.25F)), 1000 * std::ldexp(1, -1 - 23), 1e-12);
  EXPECT_NEAR(biased({.cull = Cull::none, .depth_bias = 100000, .depth_bias_clamp = 0.0001F}, 16, flat), 0.0001F, 1e-12);
  EXPECT_NEAR(biased({.cull = Cull::none, .depth_bias = -100000, .depth_bias_clamp = -0.0001F}, 16, flat), -0.0001F, 1e-12);
  EXPECT_EQ(biased({.cull = Cull::none, .depth_bias = 5}, 0, flat), biased({.cull = Cull::none, .depth_bias = 5}, 32, flat));
}

TEST(Primitive, SlopeScaledBiasTakesTheLargerOfTheTwoSlopes) {
  const auto bias = [&](std::array<Position, 3> positions) {
    return triangles_of(positions, {.cull = Cull::none, .slope_scaled_depth_bias = 2})[0].depth[0] - triangles_of(positions)[0].depth[0];
  };
  EXPECT_NEAR(bias(sloped(0.25F, 0.75F, 0.25F)), 2 * 0.5 / 64, 1e-6);
  EXPECT_NEAR(bias(sloped(0.25F, 0.25F, 0.75F)), 2 * 0.5 / 48, 1e-6);
  EXPECT_NEAR(bias(sloped(0.25F, 0.75F, 0.75F)), 2 * 0.5 / 48, 1e-6);
  EXPECT_EQ(bias(sloped(0.25F, 0.25F, 0.25F)), 0);
}

TEST(Primitive, WhatReachesBehindTheEyeIsClippedAtTheNearPlane) {
  const auto made = triangles_of({{{0, 0.5F, 0.99F, 1}, {0.5F, -0.5F, 0.99F, 1}, {0.3F, -0.7F, -1.21F, -1}}});
  ASSERT_EQ(made.size(), 2U);
  for (const Triangle& one : made) {
    EXPECT_TRUE(one.divided);
    for (unsigned k = 0; k < 3; ++k) {
      EXPECT_GE(one.depth[k], -1e-12);
      EXPECT_GT(one.inverse[k], 0);
      EXPECT_NEAR(one.shares[k][0] + one.shares[k][1] + one.shares[k][2], 1, 1e-12);
      EXPECT_NEAR(one.flat[k][0] + one.flat[k][1] + one.flat[k][2], 1, 1e-9);
    }
  }
  EXPECT_TRUE(triangles_of({{{0, 0, -0.5F, 1}, {1, 0, -0.5F, 1}, {0, 1, -0.5F, 1}}}).empty());
  EXPECT_EQ(triangles_of({{{0, 0, -0.5F, 1}, {1, 0, -0.5F, 1}, {0, 1, -0.5F, 1}}}, {.cull = Cull::none, .depth_clip = false}).size(), 1U);
}

// A divided primitive has at each place what the whole would have.
TEST(Primitive, SharesOfPartsAreThoseOfTheWhole) {
  const std::array<Position, 3> positions{{{-8, 8, 2, 8}, {2, 2, 1, 2}, {-3, -3, 1.5F, 3}}};
  const Triangle whole = triangles_of(positions)[0];
  EXPECT_FALSE(whole.divided);
  auto beyond = positions;
  beyond[1] = {200000, 200000, 100000, 200000};  // the same place on the screen
  beyond[1][0] = 2e6F;                           // and one far to the right
  for (const Triangle& part : triangles_of(beyond)) {
    const Shares shares = shares_at(part, part.x[0], part.y[0]);
    EXPECT_NEAR(shares.space[0] + shares.space[1] + shares.space[2], 1, 1e-9);
    EXPECT_NEAR(shares.flat[0] + shares.flat[1] + shares.flat[2], 1, 1e-9);
    // perspective shares in proportion to what they are on the screen over w
    EXPECT_NEAR(shares.space[0] * 8 * shares.inverse, shares.flat[0], 1e-9);
  }
}

TEST(Primitive, WhatIsNotFiniteOrFarAwayNeverLeavesTheRange) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const float huge = std::numeric_limits<float>::max();
  const float tiny = std::numeric_limits<float>::denorm_min();
  EXPECT_TRUE(triangles_of({{{nan, 0, 0, 1}, {1, 0, 0, 1}, {0, 1, 0, 1}}}).empty());
  EXPECT_TRUE(triangles_of({{{0, 0, 0, 1}, {1, 0, 0, std::numeric_limits<float>::infinity()}, {0, 1, 0, 1}}}).empty());
  const float numbers[] = {0, 1, -1, huge, -huge, tiny, -tiny, 1e-20F, 1e20F};
  for (const float x : numbers) {
    for (const float w : numbers) {
      for (const Viewport& viewport : {kViewport, Viewport{}, Viewport{-32768, -32768, 32767, 1}}) {
        for (const Triangle& one : triangles_of({{{x, w, 0, w}, {w, x, w / 2, 1}, {1, -x, w, w}}}, {.cull = Cull::none}, 32, viewport)) {
          for (unsigned k = 0; k < 3; ++k) {
            EXPECT_LE(std::abs(one.x[k]), 32768 * kSubpixels);
            EXPECT_LE(std::abs(one.y[k]), 32768 * kSubpixels);
          }
          EXPECT_GT(one.area, 0);
        }
      }
    }
  }
}

}  // namespace
}  // namespace unshade::draw

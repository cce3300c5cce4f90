// Functions of angles and what is made with them: bits that were known before, by glibc 2.36 and by arithmetic of 200 bits.
#include "scene/angles.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string_view>

#include "scene/parts.hpp"

namespace unshade::scene {
namespace {

testing::AssertionResult same(double found, double expected) {
  if (std::bit_cast<std::uint64_t>(found) == std::bit_cast<std::uint64_t>(expected)) return testing::AssertionSuccess();
  return testing::AssertionFailure() << std::hexfloat << found << ", expected " << expected;
}

TEST(SceneAngles, AreTheNearestNumbers) {
  struct {
    double angle, sine, cosine, tangent;
  } const rows[] = {
      {0x1p-1, 0x1.eaee8744b05fp-2, 0x1.c1528065b7d5p-1, 0x1.17b4f5bf3474ap-1},
      {0x1p+0, 0x1.aed548f090ceep-1, 0x1.14a280fb5068cp-1, 0x1.8eb245cbee3a6p+0},
      {-0x1p+1, -0x1.d18f6ead1b446p-1, -0x1.aa22657537205p-2, 0x1.17af62e0950f8p+1},
      {0x1.921fb54442d18p+0, 0x1p+0, 0x1.1a62633145c07p-54, 0x1.d02967c31cdb5p+53},
      {0x1.921fb54442d18p+1, 0x1.1a62633145c07p-53, -0x1p+0, -0x1.1a62633145c07p-53},
      {-0x1.921fb54442d18p-1, -0x1.6a09e667f3bccp-1, 0x1.6a09e667f3bcdp-1, -0x1.fffffffffffffp-1},
      {0x1.0c152382d7366p-1, 0x1p-1, 0x1.bb67ae8584caap-1, 0x1.279a74590331dp-1},
      {0x1.9p+6, -0x1.03425b78c4db8p-1, 0x1.b981dbf665fdfp-1, -0x1.2ca74d62b5d38p-1},
      {0x1.e240c9fbe76c9p+16, -0x1.ff50e60ab53f9p-1, 0x1.a74d27c41b22ap-5, -0x1.353a85fe8d6d5p+4},
      {0x1.e848p+19, -0x1.6664b2568d867p-2, 0x1.df9df9906d32cp-1, -0x1.7e9768ab734cp-2},
      {0x1p-30, 0x1p-30, 1, 0x1p-30},
      {0x1p-1074, 0x1p-1074, 1, 0x1p-1074},
      {0.0, 0.0, 1, 0.0},
      {-0.0, -0.0, 1, -0.0},
      // not the nearest any more, but the same everywhere
      {0x1p+20, 0x1.526ccb2fc8655p-2, 0x1.e33ada92fe2aep-1, 0x1.6692e5779206fp-2},
      {1e300, -0x1.a2c16b010e386p-1, -0x1.2699022adc4cp-1, 0x1.6be411f37ac78p+0},
  };
  for (const auto& row : rows) {
    EXPECT_TRUE(same(sine(row.angle), row.sine)) << "sine of " << row.angle;
    EXPECT_TRUE(same(cosine(row.angle), row.cosine)) << "cosine of " << row.angle;
    EXPECT_TRUE(same(tangent(row.angle), row.tangent)) << "tangent of " << row.angle;
  }
  for (const double none : {std::numeric_limits<double>::infinity(), std::numeric_limits<double>::quiet_NaN()}) {
    EXPECT_TRUE(std::isnan(sine(none)));
    EXPECT_TRUE(std::isnan(cosine(none)));
    EXPECT_TRUE(std::isnan(tangent(none)));
  }
}

// By FNV-1a of the bits of all numbers.
TEST(BuiltInMeshes, HaveTheSameBitsEverywhere) {
  struct {
    std::string_view name;
    std::uint64_t digest;
  } const rows[] = {
      {"triangle", 0x7920'd3a2'd03c'2305}, {"quad", 0xb64a'd88b'f28a'f5a5},   {"plane", 0x4242'e185'bc8a'f5a5},
      {"cube", 0xb0c5'1572'b9a1'd225},     {"sphere", 0xeab3'e6b0'f39e'8891}, {"torus", 0xd81b'02f9'25a8'042a},
  };
  ASSERT_EQ(std::size(rows), built_in_meshes().size());
  for (const auto& row : rows) {
    const auto mesh = built_in_mesh(row.name);
    ASSERT_TRUE(mesh) << row.name;
    std::uint64_t digest = 14695981039346656037U;
    for (const float number : mesh->rows) digest = (digest ^ std::bit_cast<std::uint32_t>(number)) * 1099511628211U;
    EXPECT_EQ(digest, row.digest) << row.name;
  }
}

}  // namespace
}  // namespace unshade::scene

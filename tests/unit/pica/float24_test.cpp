#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>

#include <unshade/pica/float24.hpp>

namespace unshade::pica {

namespace {

TEST(Float24, EveryValueComesBack) {
  for (std::uint32_t bits = 0; bits <= kFloat24Bits; ++bits) {
    const float value = from_float24(bits);
    ASSERT_EQ(to_float24_nearest(value), bits) << std::hex << bits;
    ASSERT_EQ(to_float24(float24_source(bits)), bits) << std::hex << bits;
    // Denormals and NaN go through picasso's conversion as other patterns; all else is exact there too.
    const std::uint32_t exponent = bits >> 16 & 0x7f;
    if ((exponent != 0 && exponent != 0x7f) || (bits & 0xffff) == 0) {
      ASSERT_EQ(to_float24(value), bits) << std::hex << bits;
    }
  }
}

TEST(Float24, FloatsAreCutAsPicassoCutsThem) {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  const struct {
    float value;
    std::uint32_t bits;
  } rows[] = {{0.0F, 0x000000},
              {-0.0F, 0x800000},
              {1.0F, 0x3f0000},
              {-1.0F, 0xbf0000},
              {0.5F, 0x3e0000},
              {3.0F, 0x408000},
              {255.0F, 0x46fe00},
              {3.14159265F, 0x40921f},
              {1.0F / 255.0F, 0x370101},
              {127.9961F, 0x45fffc},
              {-2.0F, 0xc00000},
              {0.1F, 0x3b9999},
              {std::ldexp(1.0F, -62), 0x010000},
              {std::ldexp(1.0F, -63), 0x000000},
              {std::ldexp(1.5F, -63), 0x008000},
              {std::ldexp(1.0F, -64), 0x000000},
              {std::ldexp(2.0F - std::ldexp(1.0F, -16), 63), 0x7effff},
              {std::ldexp(1.0F, 64), 0x7f0000},
              {std::ldexp(1.5F, 64), 0x7f8000},
              {kInfinity, 0x7f0000},
              {-kInfinity, 0xff0000},
              {std::numeric_limits<float>::quiet_NaN(), 0x7f0000}};
  for (const auto& row : rows) EXPECT_EQ(to_float24(row.value), row.bits) << row.value;
}

TEST(Float24, ValuesAreExact) {
  const struct {
    std::uint32_t bits;
    std::uint32_t value;
  } rows[] = {{0x000001, 0x18800000}, {0x00ffff, 0x207fff00}, {0x010000, 0x20800000},
              {0x7effff, 0x5f7fff80}, {0x7f0000, 0x7f800000}, {0xff0000, 0xff800000}};
  for (const auto& row : rows) EXPECT_EQ(std::bit_cast<std::uint32_t>(from_float24(row.bits)), row.value) << std::hex << row.bits;
}

TEST(Float24, NearestRoundsHalfToEven) {
  EXPECT_EQ(to_float24_nearest(1.0F + std::ldexp(1.0F, -17)), 0x3f0000U);
  EXPECT_EQ(to_float24_nearest(1.0F + std::ldexp(3.0F, -17)), 0x3f0002U);
  EXPECT_EQ(to_float24_nearest(1.0F + std::ldexp(1.0F, -17) + std::ldexp(1.0F, -22)), 0x3f0001U);
  EXPECT_EQ(to_float24_nearest(std::ldexp(2.0F - std::ldexp(1.0F, -20), 63)), 0x7f0000U);
  EXPECT_EQ(to_float24_nearest(std::ldexp(1.0F, 100)), 0x7f0000U);
  EXPECT_EQ(to_float24_nearest(std::ldexp(1.0F, -79)), 0U);
  EXPECT_EQ(to_float24_nearest(std::ldexp(1.5F, -79)), 1U);
}

}  // namespace

}  // namespace unshade::pica

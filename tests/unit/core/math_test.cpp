// The functions of <cmath> that the product calls, bit by bit. Their results are defined by IEEE 754, so that every C library gives the
// same; those of others, such as sin or pow, are not: scripts/check_names.py refuses what is not named here.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

#include <unshade/core/bits/nearest.hpp>
#include <unshade/core/text.hpp>
#include <unshade/core/text/numbers.hpp>

namespace unshade {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

/// Known to the optimizer at run time only, which would fold calls by a library of its own.
template <class T>
T given(T value) {
  volatile T kept = value;
  return kept;
}
testing::AssertionResult same(double found, double expected) {
  if (std::bit_cast<std::uint64_t>(found) == std::bit_cast<std::uint64_t>(expected)) return testing::AssertionSuccess();
  return testing::AssertionFailure() << std::hexfloat << found << ", expected " << expected;
}
testing::AssertionResult same(float found, float expected) { return same(static_cast<double>(found), static_cast<double>(expected)); }

TEST(Math, SquareRoots) {
  EXPECT_TRUE(same(std::sqrt(given(2.0)), 0x1.6a09e667f3bcdp+0));
  EXPECT_TRUE(same(std::sqrt(given(0x1p-1074)), 0x1p-537));
  EXPECT_TRUE(same(std::sqrt(given(0x1.fffffffffffffp+1023)), 0x1.fffffffffffffp+511));
  EXPECT_TRUE(same(std::sqrt(given(-0.0)), -0.0));
  EXPECT_TRUE(same(std::sqrt(given(3.0F)), 0x1.bb67aep+0F));
  EXPECT_TRUE(same(std::sqrt(given(0x1.fffffep-1F)), 0x1.fffffep-1F));
}

TEST(Math, IntegralValues) {
  struct {
    double value, floor, ceil, trunc, nearest, nearbyint;
  } const rows[] = {
      {0.5, 0, 1, 0, 1, 0},
      {1.5, 1, 2, 1, 2, 2},
      {2.5, 2, 3, 2, 3, 2},
      {-0.5, -1, -0.0, -0.0, -1, -0.0},
      {-0.25, -1, -0.0, -0.0, -0.0, -0.0},
      {-2.5, -3, -2, -2, -3, -2},
      {0x1.fffffffffffffp-2, 0, 1, 0, 0, 0},
      {0x1.0000000000001p+52, 0x1.0000000000001p+52, 0x1.0000000000001p+52, 0x1.0000000000001p+52, 0x1.0000000000001p+52,
       0x1.0000000000001p+52},
      {0x1.fffffffffffffp+51, 0x1.ffffffffffffep+51, 0x1p+52, 0x1.ffffffffffffep+51, 0x1p+52, 0x1p+52},
      {0x1p-1074, 0, 1, 0, 0, 0},
      {-kInfinity, -kInfinity, -kInfinity, -kInfinity, -kInfinity, -kInfinity},
  };
  for (const auto& row : rows) {
    EXPECT_TRUE(same(std::floor(given(row.value)), row.floor)) << row.value;
    EXPECT_TRUE(same(std::ceil(given(row.value)), row.ceil)) << row.value;
    EXPECT_TRUE(same(std::trunc(given(row.value)), row.trunc)) << row.value;
    EXPECT_TRUE(same(nearest_integral(given(row.value)), row.nearest)) << row.value;
    EXPECT_TRUE(same(std::nearbyint(given(row.value)), row.nearbyint)) << row.value;
  }
  struct {
    float value, floor, ceil, trunc, nearest, nearbyint;
  } const narrow[] = {
      {0x1.fffffep-2F, 0, 1, 0, 0, 0},
      {8388607.5F, 8388607, 8388608, 8388607, 8388608, 8388608},
      {-1.5F, -2, -1, -1, -2, -2},
      {-0.5F, -1, -0.0F, -0.0F, -1, -0.0F},
  };
  for (const auto& row : narrow) {
    EXPECT_TRUE(same(std::floor(given(row.value)), row.floor)) << row.value;
    EXPECT_TRUE(same(std::ceil(given(row.value)), row.ceil)) << row.value;
    EXPECT_TRUE(same(std::trunc(given(row.value)), row.trunc)) << row.value;
    EXPECT_TRUE(same(nearest_integral(given(row.value)), row.nearest)) << row.value;
    EXPECT_TRUE(same(std::nearbyint(given(row.value)), row.nearbyint)) << row.value;
  }
  EXPECT_TRUE(std::isnan(nearest_integral(given(kNaN))));
}

TEST(Math, Exponents) {
  int exponent = 0;
  EXPECT_TRUE(same(std::frexp(given(0x1p-1074), &exponent), 0.5));
  EXPECT_EQ(exponent, -1073);
  EXPECT_TRUE(same(std::frexp(given(-0x1.8p+100), &exponent), -0.75));
  EXPECT_EQ(exponent, 101);
  EXPECT_TRUE(same(std::frexp(given(0x1p-149F), &exponent), 0.5F));
  EXPECT_EQ(exponent, -148);
  EXPECT_TRUE(same(std::frexp(given(0.0), &exponent), 0.0));
  EXPECT_EQ(exponent, 0);
  EXPECT_TRUE(same(std::ldexp(given(1.5), -1075), 0x1p-1074));  // once, to nearest even
  EXPECT_TRUE(same(std::ldexp(given(1.0), -1075), 0.0));
  EXPECT_TRUE(same(std::ldexp(given(0x1.0000000000001p+0), -1075), 0x1p-1074));
  EXPECT_TRUE(same(std::ldexp(given(0x1.fffffffffffffp+0), -1023), 0x1p-1022));
  EXPECT_TRUE(same(std::ldexp(given(0x1.8000000000001p+0), -1073), 0x1.8p-1073));
  EXPECT_TRUE(same(std::ldexp(given(0x1p-1074), 2097), 0x1p+1023));
  EXPECT_TRUE(same(std::ldexp(given(-1.0), 1024), -kInfinity));
  EXPECT_TRUE(same(std::ldexp(given(-1.0), std::numeric_limits<int>::min()), -0.0));
  EXPECT_TRUE(same(std::ldexp(given(1.0), std::numeric_limits<int>::max()), kInfinity));
}

// `frem` of the IR.
TEST(Math, Remainders) {
  EXPECT_TRUE(same(__builtin_fmod(given(-5.3), given(2.0)), -0x1.4ccccccccccccp+0));
  EXPECT_TRUE(same(__builtin_fmod(given(7.25), given(-2.5)), 2.25));
  EXPECT_TRUE(same(__builtin_fmod(given(1e22), given(0.1)), 0x1.672aed0bb7b38p-4));
  EXPECT_TRUE(same(__builtin_fmod(given(0x1.fffffffffffffp+1023), given(0x1.8p-1073)), 0x1p-1073));
  EXPECT_TRUE(same(__builtin_fmod(given(-4.0), given(2.0)), -0.0));
  EXPECT_TRUE(same(__builtin_fmod(given(3.0), given(kInfinity)), 3.0));
  EXPECT_TRUE(std::isnan(__builtin_fmod(given(3.0), given(0.0))));
}

TEST(Math, ClassesAndSigns) {
  EXPECT_TRUE(same(std::fabs(given(-0.0)), 0.0));
  EXPECT_TRUE(same(std::abs(given(-1.5F)), 1.5F));
  EXPECT_TRUE(same(std::fabs(given(-kInfinity)), kInfinity));
  for (const double sign : {1.0, -1.0}) {
    EXPECT_EQ(std::signbit(given(sign * 0.0)), sign < 0);
    EXPECT_TRUE(std::isinf(given(sign * kInfinity)));
    EXPECT_FALSE(std::isfinite(given(sign * kInfinity)));
    EXPECT_TRUE(std::isfinite(given(sign * 0x1p-1074)));
    EXPECT_FALSE(std::isnormal(given(sign * 0x1p-1074)));
    EXPECT_TRUE(std::isnormal(given(sign * 0x1p-1022)));
  }
  EXPECT_TRUE(std::isnan(given(kNaN)));
  EXPECT_FALSE(std::isnan(given(kInfinity)));
  EXPECT_EQ(std::fpclassify(given(0x1p-149F)), FP_SUBNORMAL);
  EXPECT_EQ(std::fpclassify(given(-0.0)), FP_ZERO);
  EXPECT_EQ(std::fpclassify(given(kNaN)), FP_NAN);
  EXPECT_EQ(std::fpclassify(given(-kInfinity)), FP_INFINITE);
  EXPECT_EQ(std::fpclassify(given(1.0)), FP_NORMAL);
}

// Numbers in texts, read by std::from_chars or std::strtod, and printed by std::to_chars.
TEST(Math, TextsOfReals) {
  const auto read = [](std::string_view text) { return as_number<double>(text).value_or(kNaN); };
  EXPECT_TRUE(same(read("9007199254740993"), 0x1p+53));  // halfway, to even
  EXPECT_TRUE(same(read("9007199254740993.00000000000000000001"), 0x1.0000000000001p+53));
  EXPECT_TRUE(same(read("2.2250738585072011e-308"), 0x0.fffffffffffffp-1022));
  EXPECT_TRUE(same(read("4.9406564584124654e-324"), 0x1p-1074));
  EXPECT_TRUE(same(read("1.7976931348623158e308"), 0x1.fffffffffffffp+1023));
  EXPECT_TRUE(same(as_number<float>("1.00000005960464477539062500000000001").value_or(0), 0x1.000002p+0F));  // not by way of double
  Text out;
  out.shortest(0x1p-1074);
  EXPECT_EQ(out.str(), "5e-324");
}

}  // namespace
}  // namespace unshade

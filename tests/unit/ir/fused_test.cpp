// ffma of f64: by two ways of our own, the processor's if this file is compiled for it, and the C library's where that is known to be
// right.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <limits>
#include <random>

#include <unshade/ir/numeric/rules.hpp>

namespace unshade::ir::numeric {
namespace {

std::uint64_t bits_of(double value) { return value != value ? 0x7ff8'0000'0000'0000 : std::bit_cast<std::uint64_t>(value); }
double by_exact_sums(double a, double b, double c) { return inner::fused_without_instruction(F64<1>(a), F64<1>(b), F64<1>(c)).lane(0); }
double by_rule(double a, double b, double c) { return ffma<Type::f64>(F64<1>(a), F64<1>(b), F64<1>(c)).lane(0); }

TEST(FusedMultiplyAdd, KnownAnswers) {
  constexpr double kInf = std::numeric_limits<double>::infinity();
  constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
  constexpr double kMost = 0x1.fffffffffffffp+1023;
  constexpr double kLeast = 0x1p-1074;
  constexpr double kOneUp = 1 + 0x1p-52;
  struct {
    double a, b, c, result;
  } const rows[] = {
      {kOneUp, kOneUp, -(1 + 0x1p-51), 0x1p-104},
      {kOneUp, 1 - 0x1p-53, -1, 0x1.ffffffffffffep-54},
      {3, 1.0 / 3, -1, -0x1p-54},
      {kMost, 2, -kMost, kMost},
      {kMost, 2, -kInf, -kInf},
      {kMost, 1, 0x1p+970, kInf},  // halfway beyond the greatest number
      {kMost, 1, 0x1.fffffffffffffp+969, kMost},
      {kLeast, 0.5, 0, 0},  // halfway, to even
      {kLeast, 0.5, kLeast, 0x1p-1073},
      {0x1.8p-1074, 0.5, 0, kLeast},
      {kLeast, kLeast, 0x1p-1022, 0x1p-1022},
      {kLeast, -kLeast, 0x1p-1022, 0x1p-1022},
      {kLeast, -kLeast, 0, -0.0},
      {-kLeast, kLeast, 1, 1},
      {0x1p-537, 0x1p-538, 0x0.fffffffffffffp-1022, 0x1p-1022},  // half of the last place, to even
      {0x1.fffffffffffffp-512, 0x1.fffffffffffffp-512, 0, 0x1.ffffffffffffep-1023},
      {0x1p+600, 0x1p+600, -0x1p+1023, kInf},
      {0x1p+600, -0x1p+423, 0x1p+1023, 0},
      {0x1p+100, 0x1p-100, 0x1p-53, 1},
      {0x1p+100, 0x1p-100, 0x1.0000000000001p-53, kOneUp},
      {1, 1, -1, 0},
      {-1, 1, 1, 0},
      {0, -1, 0, 0},
      {0, -1, -0.0, -0.0},
      {-0.0, 5, 7, 7},
      {kInf, 0, 1, kNaN},
      {kInf, 1, -kInf, kNaN},
      {kInf, -1, 5, -kInf},
      {2, 3, kInf, kInf},
      {kNaN, 0, 0, kNaN},
      {0, 0, kNaN, kNaN},
  };
  for (const auto& row : rows) {
    const auto expect = [&](double found, const char* way) {
      EXPECT_EQ(bits_of(found), bits_of(row.result))
          << way << std::hexfloat << ' ' << row.a << " * " << row.b << " + " << row.c << " = " << found;
    };
    expect(inner::fused_by_integers(row.a, row.b, row.c), "by integers");
    expect(by_exact_sums(row.a, row.b, row.c), "by exact sums");
    expect(by_rule(row.a, row.b, row.c), "by the rule");
  }
}

/// Operands of all sizes, near each other's, halfway between two numbers, and with products that cancel.
struct Operands {
  std::mt19937_64 random{20};

  double any() {
    static constexpr std::uint64_t kSpecial[] = {0,
                                                 1,
                                                 0x000f'ffff'ffff'ffff,
                                                 0x0010'0000'0000'0000,
                                                 0x3ff0'0000'0000'0000,
                                                 0x3fef'ffff'ffff'ffff,
                                                 0x3ca0'0000'0000'0000,
                                                 0x1ff0'0000'0000'0000,
                                                 0x58f0'0000'0000'0000,
                                                 0x7fef'ffff'ffff'ffff,
                                                 0x7ff0'0000'0000'0000,
                                                 0x7ff8'0000'0000'0000};
    const std::uint64_t word = random();
    const std::uint64_t sign = word & (std::uint64_t{1} << 63);
    const std::uint64_t mantissa = word & 0xf'ffff'ffff'ffff;
    switch (random() % 5) {
      case 0: return std::bit_cast<double>(word);
      case 1: return std::bit_cast<double>(sign | kSpecial[random() % std::size(kSpecial)]);
      case 2: return std::bit_cast<double>(sign | (random() % 2047) << 52 | (mantissa & 7));
      case 3: return std::bit_cast<double>(sign | (500 + random() % 50) << 52 | mantissa);
      default: return std::bit_cast<double>(sign | (993 + random() % 60) << 52 | mantissa);
    }
  }
  double near(double product) {
    switch (random() % 4) {
      case 0: return -product;
      case 1: return std::bit_cast<double>(std::bit_cast<std::uint64_t>(-product) + random() % 5 - 2);
      case 2: return std::ldexp(product, static_cast<int>(random() % 220) - 110);
      default: return any();
    }
  }
};

TEST(FusedMultiplyAdd, TheSameByEachWay) {
  Operands operands;
  std::uint64_t digest = 14695981039346656037U;
  for (int i = 0; i < 300'000; ++i) {
    const double a = operands.any();
    const double b = operands.any();
    const double c = operands.near(a * b);
    const std::uint64_t expected = bits_of(inner::fused_by_integers(a, b, c));
    ASSERT_EQ(bits_of(by_exact_sums(a, b, c)), expected) << std::hexfloat << a << ' ' << b << ' ' << c;
    ASSERT_EQ(bits_of(by_rule(a, b, c)), expected) << std::hexfloat << a << ' ' << b << ' ' << c;
#if defined(__GLIBC__) || defined(__FMA__) || defined(__ARM_FEATURE_FMA)
    ASSERT_EQ(bits_of(__builtin_fma(a, b, c)), expected) << std::hexfloat << a << ' ' << b << ' ' << c;
#endif
    digest = (digest ^ expected) * 1099511628211U;
  }
  EXPECT_EQ(digest, 14182299337211228940U);  // as the processor gives it
}

}  // namespace
}  // namespace unshade::ir::numeric

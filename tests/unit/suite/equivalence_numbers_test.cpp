#include "suite/equivalence/numbers.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cstdint>

namespace unshade::suite::equivalence {
namespace {

// Reports name a set by its seed and number, so that it must be the same by every compiler, whatever it evaluates first.
TEST(EquivalenceNumbers, AreTheSameByEveryCompiler) {
  struct {
    unsigned set, bytes;
    double first, second, third;
  } const rows[] = {
      {0, 2, 0x1.f6p-3, 0x1.96p-2, 0x1.0c8p-1},
      {1, 2, 0x1.ep+3, 0x1p+3, 0x1.8p+3},
      {2, 2, -0x1.f78p-5, -0x1.68cp-2, -0x1.304p-7},
      {3, 2, -0x1.28p+11, 0x1.878p+9, -0x1.e88p-12},
      {0, 4, 0x1.f72bcp-3, 0x1.95fbbp-2, 0x1.0c434p-1},
      {1, 4, 0x1.ep+3, 0x1p+3, 0x1.8p+3},
      {2, 4, -0x1.7bd0eap-13, -0x1.347948p-3, -0x1.182adfp-17},
      {3, 4, -0x1.141854p+29, 0x1.43caa08p+22, -0x1.7449e88p-29},
  };
  for (const auto& row : rows) {
    Numbers numbers(7, row.set);
    const cases::NumberType type{cases::NumberType::Kind::real, static_cast<std::uint8_t>(row.bytes)};
    for (const double expected : {row.first, row.second, row.third})
      EXPECT_EQ(numbers.real(type), expected) << std::hexfloat << "set " << row.set << ", " << row.bytes << " bytes";
  }
}

}  // namespace
}  // namespace unshade::suite::equivalence

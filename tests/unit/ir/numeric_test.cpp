// The numeric rules, each with its source. FS: Direct3D 11.3 functional specification.
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

#include <gtest/gtest.h>

#include <unshade/ir/extra.hpp>
#include <unshade/ir/numeric/rules.hpp>

namespace unshade::ir::numeric {
namespace {

constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();

std::uint32_t word(float value) { return std::bit_cast<std::uint32_t>(value); }

// One lane of an operation.
template <Op O, auto... P, class... A>
auto one(A... a) {
  const auto result = Rule<O>::template apply<P...>(Vec<A, 1>(a)...);
  return result.lane(0);
}
template <Op O>
std::uint32_t one32(std::uint32_t a, std::uint32_t b) {
  return one<O, Type::i32>(a, b);
}

static_assert(!HasRule<Op::phi, Type::i32>::of<U32<1>, U32<1>>);
static_assert(!HasRule<Op::load, Type::i32>::of<U32<1>>);
static_assert(HasRule<Op::fadd, Type::f24, Rounding::nearest_even>::of<F32<16>, F32<16>>);
static_assert(HasRule<Op::sext, Type::i64, Type::i8>::of<U32<16>>);

// FS 22.12.9: quotient and remainder of 0 are all ones. The smallest by -1: own choice.
TEST(IrNumeric, DividesIntegersByAll) {
  EXPECT_EQ(one32<Op::udiv>(7, 0), 0xffff'ffffU);
  EXPECT_EQ(one32<Op::urem>(7, 0), 0xffff'ffffU);
  EXPECT_EQ(one32<Op::idiv>(7, 0), 0xffff'ffffU);
  EXPECT_EQ(one32<Op::irem>(7, 0), 0xffff'ffffU);
  EXPECT_EQ(one32<Op::idiv>(0x8000'0000, 0xffff'ffff), 0x8000'0000U);
  EXPECT_EQ(one32<Op::irem>(0x8000'0000, 0xffff'ffff), 0U);
  EXPECT_EQ(one32<Op::udiv>(0xffff'ffff, 1), 0xffff'ffffU);
  EXPECT_EQ(one32<Op::udiv>(0xffff'ffff, 0xffff'fffe), 1U);
  EXPECT_EQ(one32<Op::irem>(static_cast<std::uint32_t>(-7), 3), static_cast<std::uint32_t>(-1));
  EXPECT_EQ((one<Op::idiv, Type::i8>(static_cast<std::uint32_t>(-128), ~0U)), static_cast<std::uint32_t>(-128));
  EXPECT_EQ((one<Op::idiv, Type::i64>(std::uint64_t{1} << 63, ~std::uint64_t{0})), std::uint64_t{1} << 63);
}

// FS 22.10.10-11.
TEST(IrNumeric, TakesTheNumberOfNumberAndNaN) {
  EXPECT_EQ((one<Op::fmin, Type::f32>(1.0F, kNaN)), 1.0F);
  EXPECT_EQ((one<Op::fmin, Type::f32>(kNaN, 1.0F)), 1.0F);
  EXPECT_EQ((one<Op::fmax, Type::f32>(1.0F, kNaN)), 1.0F);
  EXPECT_EQ((one<Op::fmax, Type::f32>(kNaN, 1.0F)), 1.0F);
  EXPECT_EQ(word(one<Op::fmin, Type::f32>(-0.0F, 0.0F)), word(0.0F));
  EXPECT_EQ(word(one<Op::fmax, Type::f32>(-0.0F, 0.0F)), word(-0.0F));
}

}  // namespace
}  // namespace unshade::ir::numeric

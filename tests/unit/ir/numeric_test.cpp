// The numeric rules, each with its source. FS: Direct3D 11.3 functional specification. The table is in docs/internals/numeric.md.
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

#include <gtest/gtest.h>

#include <unshade/ir/extra.hpp>
#include <unshade/ir/numeric/rules.hpp>

#include "unit/ir/flushing.hpp"

namespace unshade::ir::numeric {
namespace {

constexpr float kInf = std::numeric_limits<float>::infinity();
constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();
constexpr float kDenormal = 0x1p-127F;

// One lane of an operation.
template <Op O, auto... P, class... A>
auto one(A... a) {
  return Rule<O>::template apply<P...>(Vec<A, 1>(a)...).lane(0);
}
template <Op O, class... A>
float f32(A... a) {
  return one<O, Type::f32>(a...);
}
template <Op O, class... A>
float f24(A... a) {
  return one<O, Type::f24>(a...);
}
template <Op O, class... A>
std::uint32_t i32(A... a) {
  return one<O, Type::i32>(static_cast<std::uint32_t>(a)...);
}
constexpr std::uint32_t operator""_u(unsigned long long value) { return static_cast<std::uint32_t>(value); }

// Equal, zeros with their signs, and any NaN with any other.
testing::AssertionResult same(double expected, double actual) {
  if (std::isnan(expected) ? std::isnan(actual) : expected == actual && std::signbit(expected) == std::signbit(actual))
    return testing::AssertionSuccess();
  return testing::AssertionFailure() << std::hexfloat << actual << ", expected " << expected;
}
#define EXPECT_SAME(expected, ...) EXPECT_TRUE(same(expected, __VA_ARGS__)) << #__VA_ARGS__

static_assert(!HasRule<Op::phi, Type::i32>::of<U32<1>, U32<1>>);
static_assert(!HasRule<Op::load, Type::i32>::of<U32<1>>);
static_assert(HasRule<Op::fadd, Type::f24, Rounding::nearest_even>::of<F32<16>, F32<16>>);
static_assert(HasRule<Op::sext, Type::i64, Type::i8>::of<U32<16>>);
static_assert(!HasRule<Op::sext, Type::i8, Type::i64>::of<U64<16>>);

// --- floats ---

// FS 3.1.3; of f16 and f64: DXIL.rst.
/// Upper 64 bits of a product, from products of halves.
std::uint64_t upper_half(std::uint64_t a, std::uint64_t b) {
  const std::uint64_t a_low = a & 0xffff'ffff, a_high = a >> 32, b_low = b & 0xffff'ffff, b_high = b >> 32;
  const std::uint64_t middle = a_high * b_low + (a_low * b_low >> 32);
  const std::uint64_t carried = a_low * b_high + (middle & 0xffff'ffff);
  return a_high * b_high + (middle >> 32) + (carried >> 32);
}

TEST(IrNumeric, PreservesDenormalsUnlessTheProcessorFlushesThem) {
  EXPECT_SAME(0x1p-126, f32<Op::fadd>(kDenormal, kDenormal));
  EXPECT_SAME(0x1p-128, f32<Op::fmul>(0x1p-64F, 0x1p-64F));
  EXPECT_SAME(kDenormal, f32<Op::fmax>(kDenormal, 0.0F));
  EXPECT_SAME(0x1p-24, (one<Op::fmul, Type::f16>(0x1p-12F, 0x1p-12F)));
}
#if defined(UNSHADE_TEST_FLUSHING)
TEST(IrNumeric, FlushesDenormalsKeepingTheirSign) {
  float sum = 0, product = 0, largest = 0, smallest = 0, moved = 0, half = 0, root = 0, logarithm = 0, floor = 0, remainder = 0,
        mantissa = 0;
  std::uint32_t less = 0, exponent = 0;
  {
    const Flushing flushing;
    sum = f32<Op::fadd>(kDenormal, kDenormal);
    product = f32<Op::fmul>(-0x1p-64F, 0x1p-64F);
    largest = f32<Op::fmax>(kDenormal, -1.0F);
    smallest = f32<Op::fmin>(-kDenormal, 1.0F);
    moved = Rule<Op::select>::apply<Type::f32>(U32<1>(~0U), F32<1>::load(&kDenormal), F32<1>(0.0F)).lane(0);
    half = one<Op::fmul, Type::f16>(0x1p-12F, 0x1p-12F);
    root = f32<Op::fsqrt>(-kDenormal);
    logarithm = f32<Op::flog2>(kDenormal);
    floor = f32<Op::ffloor>(-kDenormal);
    remainder = f32<Op::frem>(kDenormal, 1.0F);
    const auto parts = Rule<Op::ffrexp>::apply<Type::f32>(F32<1>(-kDenormal));
    mantissa = parts.first.lane(0);
    exponent = parts.second.lane(0);
    less = f32<Op::fneg>(0.0F) < 0 ? 1 : one<Op::flt, Type::f32>(0.0F, kDenormal);
  }
  EXPECT_SAME(0, sum);
  EXPECT_SAME(-0.0, product);
  EXPECT_SAME(0, largest);
  EXPECT_SAME(-0.0, smallest);
  EXPECT_SAME(kDenormal, moved);
  EXPECT_SAME(0x1p-24, half);
  EXPECT_SAME(-0.0, root);
  EXPECT_SAME(-0.0, mantissa);
  EXPECT_EQ(exponent, 0U);
  EXPECT_SAME(-kInf, logarithm);
  EXPECT_SAME(-0.0, floor);
  EXPECT_SAME(0, remainder);
  EXPECT_EQ(less, 0U);
}
#endif

// FS 22.10.10-11. Which of -0 and +0 is free: it falls out of a < b ? a : b and a >= b ? a : b.
TEST(IrNumeric, TakesTheNumberOfNumberAndNaN) {
  EXPECT_SAME(1, f32<Op::fmin>(1.0F, kNaN));
  EXPECT_SAME(1, f32<Op::fmin>(kNaN, 1.0F));
  EXPECT_SAME(1, f32<Op::fmax>(1.0F, kNaN));
  EXPECT_SAME(1, f32<Op::fmax>(kNaN, 1.0F));
  EXPECT_SAME(kNaN, f32<Op::fmax>(kNaN, kNaN));
  EXPECT_SAME(0.0, f32<Op::fmin>(-0.0F, 0.0F));
  EXPECT_SAME(-0.0, f32<Op::fmin>(0.0F, -0.0F));
  EXPECT_SAME(-0.0, f32<Op::fmax>(-0.0F, 0.0F));
}

// FS 22.18; vkd3d-proton tests/d3d12_shaders.c.
TEST(IrNumeric, SaturatesNaNToZero) {
  EXPECT_SAME(0, f32<Op::fsat>(kNaN));
  EXPECT_SAME(0, f32<Op::fsat>(-0.0F));
  EXPECT_SAME(0, f32<Op::fsat>(-kInf));
  EXPECT_SAME(1, f32<Op::fsat>(kInf));
  EXPECT_SAME(0.25, f32<Op::fsat>(0.25F));
}

// FS 22.10.9; DXIL.rst FMad. Contraction would make the first 2^-24.
TEST(IrNumeric, RoundsMadTwiceAndFmaOnce) {
  constexpr float kFactor = 1 + 0x1p-12F;
  constexpr float kSummand = -(1 + 0x1p-11F);
  EXPECT_SAME(0, f32<Op::fmad>(kFactor, kFactor, kSummand));
  EXPECT_SAME(0x1p-24, f32<Op::ffma>(kFactor, kFactor, kSummand));
  EXPECT_SAME(0, f32<Op::fmad_zero>(kFactor, kFactor, kSummand));
  volatile float factor = kFactor;  // not folded
  EXPECT_SAME(0, f32<Op::fmad>(factor, factor, kSummand));
  // 1 + 2^-23 + 2^-24 - 2^-70: the f64 nearest to it is in the middle of two f32.
  EXPECT_SAME(1 + 0x1p-23, f32<Op::ffma>(0x1p-12F + 0x1p-35F, 0x1p-12F - 0x1p-35F, 1 + 0x1p-23F));
  EXPECT_SAME(0x1p-104, (one<Op::ffma, Type::f64>(1 + 0x1p-52, 1 + 0x1p-52, -(1 + 0x1p-51))));
}
// Each sum, product and fused product of f16 against one rounding of the exact value, which f64 holds for these.
TEST(IrNumeric, RoundsF16Once) {
  for (std::uint32_t i = 0; i < 1U << 12; ++i) {
    const std::uint32_t a = i * 2654435761U >> 16;
    const std::uint32_t b = i * 40503U & 0xffff;
    const float x = from_memory_bits<Type::f16>(U32<1>(a)).lane(0);
    const float y = from_memory_bits<Type::f16>(U32<1>(b)).lane(0);
    const auto rounded = [](double value) { return one<Op::f_to_f, Type::f16, Type::f64>(value); };
    EXPECT_SAME(rounded(double{x} + double{y}), (one<Op::fadd, Type::f16>(x, y)));
    EXPECT_SAME(rounded(double{x} * double{y}), (one<Op::fmul, Type::f16>(x, y)));
    EXPECT_SAME(rounded(double{x} / double{y}), (one<Op::fdiv, Type::f16>(x, y)));
    EXPECT_SAME(rounded(std::fma(double{x}, double{y}, 0.25)), (one<Op::ffma, Type::f16>(x, y, 0.25F)));
  }
}

// FS 22.10.2, 22.10.18-19, 22.10.21.
TEST(IrNumeric, DividesByZero) {
  EXPECT_SAME(kInf, f32<Op::fdiv>(1.0F, 0.0F));
  EXPECT_SAME(kNaN, f32<Op::fdiv>(0.0F, 0.0F));
  EXPECT_SAME(kInf, f32<Op::frcp>(0.0F));
  EXPECT_SAME(-kInf, f32<Op::frcp>(-0.0F));
  EXPECT_SAME(-0.0, f32<Op::frcp>(-kInf));
  EXPECT_SAME(kInf, f32<Op::frsqrt>(0.0F));
  EXPECT_SAME(-kInf, f32<Op::frsqrt>(-0.0F));
  EXPECT_SAME(kNaN, f32<Op::frsqrt>(-1.0F));
  EXPECT_SAME(0, f32<Op::frsqrt>(kInf));
  EXPECT_SAME(-0.0, f32<Op::fsqrt>(-0.0F));
  EXPECT_SAME(kNaN, f32<Op::fsqrt>(-1.0F));
}

// FS 22.10.6, 22.10.8.
TEST(IrNumeric, HasExactPowersAndLogarithmsOfTwo) {
  EXPECT_SAME(0, f32<Op::fexp2>(-kInf));
  EXPECT_SAME(kInf, f32<Op::fexp2>(kInf));
  EXPECT_SAME(kNaN, f32<Op::fexp2>(kNaN));
  EXPECT_SAME(kInf, f32<Op::fexp2>(128.0F));
  EXPECT_SAME(0x1p-149, f32<Op::fexp2>(-149.0F));
  EXPECT_SAME(-kInf, f32<Op::flog2>(0.0F));
  EXPECT_SAME(-kInf, f32<Op::flog2>(-0.0F));
  EXPECT_SAME(kNaN, f32<Op::flog2>(-1.0F));
  EXPECT_SAME(kInf, f32<Op::flog2>(kInf));
  EXPECT_SAME(0, f32<Op::flog2>(1.0F));
  for (int i = -126; i < 128; ++i) {
    const auto power = static_cast<float>(std::exp2(i));
    EXPECT_EQ(f32<Op::fexp2>(static_cast<float>(i)), power);
    EXPECT_EQ(f32<Op::flog2>(power), static_cast<float>(i));
    EXPECT_EQ((one<Op::fexp2, Type::f64>(static_cast<double>(i))), std::exp2(i));
  }
  EXPECT_EQ((one<Op::fexp2, Type::f64>(-1074.0)), 0x1p-1074);
  EXPECT_EQ((one<Op::flog2, Type::f64>(0x1p-1074)), -1074);
}
// SPIR-V GLSL.std.450 Pow, HLSL pow: of exp2(y * log2(x)).
TEST(IrNumeric, MakesPowersByLogarithms) {
  EXPECT_SAME(8, f32<Op::fpow>(2.0F, 3.0F));
  EXPECT_SAME(0, f32<Op::fpow>(0.0F, 2.0F));
  EXPECT_SAME(kInf, f32<Op::fpow>(0.0F, -2.0F));
  EXPECT_SAME(kNaN, f32<Op::fpow>(0.0F, 0.0F));
  EXPECT_SAME(kNaN, f32<Op::fpow>(-2.0F, 2.0F));
  EXPECT_SAME(std::pow(1.1F, 700.0F), f32<Op::fpow>(1.1F, 700.0F));
}

// FS 22.10.20.
TEST(IrNumeric, ReducesAnglesExactly) {
  EXPECT_SAME(-0.0, f32<Op::fsin>(-0.0F));
  EXPECT_SAME(1, f32<Op::fcos>(-0.0F));
  EXPECT_SAME(kNaN, f32<Op::fsin>(kInf));
  EXPECT_SAME(kNaN, f32<Op::fcos>(-kInf));
  EXPECT_SAME(kNaN, f32<Op::ftan>(kInf));
  struct Known {
    float angle, sine, cosine, tangent;
    double sine_of_more;  // of the angle times 2^200
  };
  constexpr Known kKnown[] = {
      // correctly rounded; mingw-w64's C library has other sines of large angles
      {0x1.921fb6p0F, 0x1p+0F, -0x1.777a5cp-25F, -0x1.5d1494p+24F, 0x1.2609394be3209p-3},
      {0x1.fffffep19F, 0x1.156658p-2F, 0x1.ecdaf4p-1F, 0x1.202cdcp-2F, -0x1.f1493fefb8c1p-1},
      {0x1p20F, 0x1.526cccp-2F, 0x1.e33adap-1F, 0x1.6692e6p-2F, -0x1.d67cfe80f7d31p-1},
      {0x1.2345p30F, 0x1.ccd3a8p-2F, -0x1.c9395p-1F, -0x1.02046cp-1F, -0x1.f689b36528cbfp-1},
      {-0x1.6ac5b2p+99F, 0x1.aecb1p-1F, -0x1.14b26cp-1F, -0x1.8e91e2p+0F, -0x1.b8fbd6e60fac2p-3},
      {0x1.fffffep127F, -0x1.0b3366p-1F, 0x1.b4bf2cp-1F, -0x1.393d94p-1F, 0x1.53e1abbac07ffp-1},
      {0x1.f9cbe2p7F, 0x1p+0F, -0x1.1fa3bcp-28F, -0x1.c7ae6ep+27F, -0x1.d5c2a07c3f12ep-1},
  };
  for (const Known& known : kKnown) {
    EXPECT_SAME(known.sine, f32<Op::fsin>(known.angle));
    EXPECT_SAME(known.cosine, f32<Op::fcos>(known.angle));
    EXPECT_SAME(known.tangent, f32<Op::ftan>(known.angle));
    EXPECT_NEAR((one<Op::fsin, Type::f64>(double{known.angle} * 0x1p200)), known.sine_of_more, 1e-15);
  }
}

TEST(IrNumeric, HasInverseAndHyperbolicFunctions) {
  EXPECT_SAME(kNaN, f32<Op::fasin>(1.5F));
  EXPECT_SAME(kNaN, f32<Op::facos>(-1.5F));
  EXPECT_SAME(0, f32<Op::facos>(1.0F));
  EXPECT_SAME(static_cast<float>(std::acos(-1.0)), f32<Op::facos>(-1.0F));
  EXPECT_SAME(-0.0, f32<Op::fasin>(-0.0F));
  EXPECT_SAME(static_cast<float>(std::acos(-1.0) / 2), f32<Op::fatan>(kInf));
  EXPECT_SAME(-0.0, f32<Op::fatan>(-0.0F));
  EXPECT_SAME(-kInf, f32<Op::fsinh>(-kInf));
  EXPECT_SAME(kInf, f32<Op::fcosh>(-kInf));
  EXPECT_SAME(-1, f32<Op::ftanh>(-kInf));
  EXPECT_SAME(-0.0, f32<Op::ftanh>(-0.0F));
  for (const float y : {0.0F, -0.0F, 1.0F, -1.0F, kInf, -kInf, kNaN, kDenormal, 0x1p127F})
    for (const float x : {0.0F, -0.0F, 1.0F, -1.0F, kInf, -kInf, kNaN, kDenormal, -0x1p127F, 3.0F})
      EXPECT_SAME(static_cast<float>(std::atan2(double{y}, double{x})), f32<Op::fatan2>(y, x));
}

// FS 22.10.7, 22.10.14-17; vkd3d-proton: round_ne(-0.5) = -0.
TEST(IrNumeric, RoundsToIntegersKeepingTheSignOfZeros) {
  EXPECT_SAME(-0.0, f32<Op::fround_even>(-0.5F));
  EXPECT_SAME(2, f32<Op::fround_even>(2.5F));
  EXPECT_SAME(-0.0, f32<Op::fceil>(-0.5F));
  EXPECT_SAME(-0.0, f32<Op::ffloor>(-0.0F));
  EXPECT_SAME(-1, f32<Op::ffloor>(-0.5F));
  EXPECT_SAME(-0.0, f32<Op::ftrunc>(-0.5F));
  EXPECT_SAME(8388609, f32<Op::ffloor>(8388609.0F));
  EXPECT_SAME(-kInf, f32<Op::fceil>(-kInf));
  EXPECT_SAME(kNaN, f32<Op::ftrunc>(kNaN));
  EXPECT_SAME(0, f32<Op::ffract>(-0.0F));
  EXPECT_SAME(kNaN, f32<Op::ffract>(kInf));
  EXPECT_SAME(0.75, f32<Op::ffract>(-1.25F));
  EXPECT_SAME(0x1.fffffep-1, f32<Op::ffract>(-0x1p-30F));
  EXPECT_SAME(1 - 0x1p-11, (one<Op::ffract, Type::f16>(-0x1p-20F)));
}

TEST(IrNumeric, ScalesOnceAndTakesApart) {
  EXPECT_SAME(0x1p-149, f32<Op::fldexp>(0x1.8p-149F, static_cast<std::uint32_t>(-1)));  // 1.5 / 2 = 0.75: nearest is 1
  EXPECT_SAME(kInf, f32<Op::fldexp>(1.0F, 1000U));
  EXPECT_SAME(0, f32<Op::fldexp>(1.0F, 0x8000'0000U));
  const auto parts = Rule<Op::ffrexp>::apply<Type::f32>(F32<1>(-0x1.8p-140F));
  EXPECT_SAME(-0.75, parts.first.lane(0));
  EXPECT_EQ(parts.second.lane(0), static_cast<std::uint32_t>(-139));
  EXPECT_SAME(-1.5, f32<Op::frem>(-5.5F, 2.0F));
  EXPECT_SAME(kNaN, f32<Op::frem>(1.0F, 0.0F));
  EXPECT_SAME(1, f32<Op::frem>(1.0F, kInf));
}

// FS 22.x: ordered, but ne; zeros are equal.
TEST(IrNumeric, ComparesNaNAsUnordered) {
  EXPECT_EQ(f32<Op::fneg>(0.0F), 0.0F);
  EXPECT_EQ((one<Op::feq, Type::f32>(0.0F, -0.0F)), ~0U);
  EXPECT_EQ((one<Op::feq, Type::f32>(kNaN, kNaN)), 0U);
  EXPECT_EQ((one<Op::fne, Type::f32>(kNaN, kNaN)), ~0U);
  EXPECT_EQ((one<Op::fle, Type::f32>(kNaN, 1.0F)), 0U);
  EXPECT_EQ((one<Op::funord, Type::f64>(1.0, std::numeric_limits<double>::quiet_NaN())), ~0U);
  EXPECT_EQ(fclass<Type::f32>(F32<1>::load(&kDenormal), kSubnormal).lane(0), ~0U);
  EXPECT_EQ(fclass<Type::f16>(F32<1>(0x1p-20F), kSubnormal).lane(0), ~0U);
  EXPECT_EQ(fclass<Type::f32>(F32<1>(0x1p-20F), kNormal | kZero).lane(0), ~0U);
  EXPECT_EQ(fclass<Type::f32>(F32<1>(-kInf), kNan | kZero).lane(0), 0U);
}

// --- conversions ---

// FS 7.8.5, 22.13.3-4.
TEST(IrNumeric, ConvertsToIntegersTowardZeroAndSaturates) {
  const auto to_s = [](float v) { return one<Op::f_to_s, Type::i32, Type::f32>(v); };
  const auto to_u = [](float v) { return one<Op::f_to_u, Type::i32, Type::f32>(v); };
  EXPECT_EQ(to_s(-1.9F), static_cast<std::uint32_t>(-1));
  EXPECT_EQ(to_s(kNaN), 0U);
  EXPECT_EQ(to_s(0x1p31F), 0x7fff'ffffU);
  EXPECT_EQ(to_s(-kInf), 0x8000'0000U);
  EXPECT_EQ(to_u(-1.0F), 0U);
  EXPECT_EQ(to_u(kNaN), 0U);
  EXPECT_EQ(to_u(0x1.8p31F), 0xc000'0000U);
  EXPECT_EQ(to_u(0x1p32F), 0xffff'ffffU);
  EXPECT_EQ((one<Op::f_to_u, Type::i32, Type::f64>(4294967295.5)), 0xffff'ffffU);
  EXPECT_EQ((one<Op::f_to_u, Type::i64, Type::f64>(0x1p64)), ~std::uint64_t{0});
  EXPECT_EQ((one<Op::f_to_s, Type::i64, Type::f32>(-kInf)), std::uint64_t{1} << 63);
  EXPECT_EQ((one<Op::f_to_s, Type::i8, Type::f32>(300.0F)), 127U);
  EXPECT_EQ((one<Op::f_to_u, Type::i8, Type::f32>(200.0F)), static_cast<std::uint32_t>(-56));
}
// FS 22.13.5-6, 22.17.1.
TEST(IrNumeric, ConvertsFromIntegersToNearest) {
  EXPECT_SAME(16777216, (one<Op::s_to_f, Type::f32, Type::i32>(16777217U)));
  EXPECT_SAME(-1, (one<Op::s_to_f, Type::f32, Type::i32>(~0U)));
  EXPECT_SAME(4294967296.0, (one<Op::u_to_f, Type::f32, Type::i32>(~0U)));
  EXPECT_SAME(4294967295.0, (one<Op::u_to_f, Type::f64, Type::i32>(~0U)));
  EXPECT_SAME(0x1p64, (one<Op::u_to_f, Type::f32, Type::i64>(~std::uint64_t{0})));
  EXPECT_SAME(255, (one<Op::u_to_f, Type::f16, Type::i8>(~0U)));
  EXPECT_SAME(kInf, (one<Op::s_to_f, Type::f16, Type::i32>(65520U)));
  EXPECT_SAME(65504, (one<Op::s_to_f, Type::f16, Type::i32>(65519U)));
}
// FS 3.2.2; vkd3d-proton tests. DXIL fptrunc: nearest even.
TEST(IrNumeric, NarrowsToF16ByEitherRounding) {
  const auto zero = [](float v) { return one<Op::f_to_f, Type::f16, Type::f32, Rounding::toward_zero>(v); };
  const auto even = [](float v) { return one<Op::f_to_f, Type::f16, Type::f32>(v); };
  EXPECT_SAME(65504, zero(65520.0F));
  EXPECT_SAME(65504, zero(0x1p100F));
  EXPECT_SAME(kInf, zero(kInf));
  EXPECT_SAME(-0.0, zero(-0x1.8p-25F));
  EXPECT_SAME(0x1p-24, zero(0x1.8p-24F));
  EXPECT_SAME(kInf, even(65520.0F));
  EXPECT_SAME(65504, even(65519.0F));
  EXPECT_SAME(0x1p-23, even(0x1.8p-24F));
  EXPECT_SAME(kNaN, even(kNaN));
  for (std::uint32_t half = 0; half < 0x10000; ++half) {
    const auto value = from_memory_bits<Type::f16>(U32<1>(half));
    EXPECT_SAME(value.lane(0), even(value.lane(0)));
    EXPECT_EQ(memory_bits<Type::f16>(value).lane(0), half);
  }
}
// A payload of which the format has no bit would be infinity.
TEST(IrNumeric, KeepsNansInMemory) {
  const auto half = [](std::uint32_t word) { return memory_bits<Type::f16>(as_float(U32<1>(word))).lane(0); };
  const auto f24_bits = [](std::uint32_t word) { return memory_bits<Type::f24>(as_float(U32<1>(word))).lane(0); };
  EXPECT_EQ(half(kCanonicalNan<float>), 0x7e00U);
  EXPECT_EQ(half(0xff80'2000), 0xfc01U);
  EXPECT_EQ(half(0x7f80'0001), 0x7e00U);
  EXPECT_EQ(f24_bits(kCanonicalNan<float>), 0x7f'8000U);
  EXPECT_EQ(f24_bits(0xff80'0080), 0xff'0001U);
  EXPECT_EQ(f24_bits(0x7f80'0001), 0x7f'8000U);
}
TEST(IrNumeric, ChangesWidthsAndBits) {
  EXPECT_EQ((one<Op::sext, Type::i64, Type::b1>(~0U)), ~std::uint64_t{0});
  EXPECT_EQ((one<Op::zext, Type::i32, Type::b1>(~0U)), 1U);
  EXPECT_EQ((one<Op::zext, Type::i32, Type::i8>(~0U)), 255U);
  EXPECT_EQ((one<Op::trunc, Type::i16, Type::i32>(0x1'8000U)), 0xffff'8000U);
  EXPECT_EQ((one<Op::trunc, Type::b1, Type::i32>(2U)), 0U);
  EXPECT_EQ((one<Op::bitcast, Type::i16, Type::f16>(-2.0F)), 0xffff'c000U);
  EXPECT_SAME(-2, (one<Op::bitcast, Type::f16, Type::i16>(0xffff'c000U)));
  EXPECT_EQ((one<Op::pack64, Type::i64>(1_u, 2_u)), 0x2'0000'0001U);
}

// --- integers ---

// FS 22.12.9: quotient and remainder of 0 are all ones. The smallest by -1: own choice.
TEST(IrNumeric, DividesIntegersByAll) {
  EXPECT_EQ(i32<Op::udiv>(7, 0), ~0U);
  EXPECT_EQ(i32<Op::urem>(7, 0), ~0U);
  EXPECT_EQ(i32<Op::idiv>(7, 0), ~0U);
  EXPECT_EQ(i32<Op::irem>(7, 0), ~0U);
  EXPECT_EQ(i32<Op::idiv>(0x8000'0000, -1), 0x8000'0000U);
  EXPECT_EQ(i32<Op::irem>(0x8000'0000, -1), 0U);
  EXPECT_EQ(i32<Op::udiv>(~0U, 1), ~0U);
  EXPECT_EQ(i32<Op::udiv>(~0U, ~0U - 1), 1U);
  EXPECT_EQ(i32<Op::irem>(-7, 3), static_cast<std::uint32_t>(-1));
  EXPECT_EQ((one<Op::idiv, Type::i8>(static_cast<std::uint32_t>(-128), ~0U)), static_cast<std::uint32_t>(-128));
  EXPECT_EQ((one<Op::idiv, Type::i64>(std::uint64_t{1} << 63, ~std::uint64_t{0})), std::uint64_t{1} << 63);
  std::uint32_t a = 1;
  for (int i = 0; i < 2000; ++i) {
    a = a * 1664525 + 1013904223;
    const std::uint32_t b = std::rotl(a, 7) >> (i % 31) | 1;
    EXPECT_EQ(i32<Op::udiv>(a, b), a / b);
    EXPECT_EQ(i32<Op::urem>(a, b), a % b);
    if (b != ~0U) {
      EXPECT_EQ(i32<Op::idiv>(a, b), static_cast<std::uint32_t>(static_cast<std::int32_t>(a) / static_cast<std::int32_t>(b)));
    }
    const std::uint64_t wide = std::uint64_t{a} << 32 | b;
    EXPECT_EQ((one<Op::umul_high, Type::i64>(wide, ~wide)), upper_half(wide, ~wide));
    EXPECT_EQ((one<Op::imul_high, Type::i32>(a, b)),
              static_cast<std::uint32_t>(static_cast<std::int64_t>(static_cast<std::int32_t>(a)) * static_cast<std::int32_t>(b) >> 32));
  }
}

// FS 22.11.
TEST(IrNumeric, TakesCountsModuloTheWidth) {
  EXPECT_EQ(i32<Op::ishl>(1, 33), 2U);
  EXPECT_EQ(i32<Op::ishr>(-8, 34), static_cast<std::uint32_t>(-2));
  EXPECT_EQ(i32<Op::ushr>(-1, 31), 1U);
  EXPECT_EQ((one<Op::ishl, Type::i64>(std::uint64_t{1}, std::uint64_t{65})), 2U);
  EXPECT_EQ((one<Op::ushr, Type::i16>(~0U, 4U)), 0xfffU);
  EXPECT_EQ(i32<Op::ubfe>(0xf0, 4, 4), 0xfU);
  EXPECT_EQ(i32<Op::ubfe>(0xf0, 4, 0), 0U);
  EXPECT_EQ(i32<Op::ubfe>(0xf0, 4, 32), 0U);
  EXPECT_EQ(i32<Op::ibfe>(0xf0, 4, 4), ~0U);
  EXPECT_EQ(i32<Op::ibfe>(0x8000'0000, 28, 8), static_cast<std::uint32_t>(-8));
  EXPECT_EQ(i32<Op::ubfe>(0x8000'0000, 28, 8), 8U);
  EXPECT_EQ(i32<Op::bfi>(0xff, 0, 8, 4), 0xf00U);
  EXPECT_EQ(i32<Op::bfi>(0xff, 5, 8, 0), 5U);
  EXPECT_EQ(i32<Op::bfi>(0xff, 0, 28, 8), 0xf000'0000U);
}
// FS 22.11.5.
TEST(IrNumeric, FindsNoBitAsAllOnes) {
  EXPECT_EQ(i32<Op::first_low>(0), ~0U);
  EXPECT_EQ(i32<Op::first_high>(0), ~0U);
  EXPECT_EQ(i32<Op::first_high_signed>(0), ~0U);
  EXPECT_EQ(i32<Op::first_high_signed>(-1), ~0U);
  EXPECT_EQ(i32<Op::first_low>(0x50), 4U);
  EXPECT_EQ(i32<Op::first_high>(0x50), 6U);
  EXPECT_EQ(i32<Op::first_high_signed>(-5), 2U);
  EXPECT_EQ(i32<Op::bit_reverse>(1), 0x8000'0000U);
  EXPECT_EQ((one<Op::bit_reverse, Type::i16>(1U)), 0xffff'8000U);
  EXPECT_EQ((one<Op::bit_count, Type::i8>(~0U)), 8U);
  EXPECT_EQ((one<Op::first_high, Type::i64>(std::uint64_t{1} << 40)), 40U);
}
// FS 22.12.15, DXIL.rst.
TEST(IrNumeric, AddsPackedBytes) {
  EXPECT_EQ(i32<Op::msad>(0x0010'2030, 0x0511'2020, 100), 117U);
  EXPECT_EQ(i32<Op::msad>(1, 255, ~0U - 3), ~0U);
  EXPECT_EQ(i32<Op::dot4_add_i8>(10, 0xff01'0203, 0x0202'0202), 20U);
  EXPECT_EQ(i32<Op::dot4_add_u8>(10, 0xff01'0203, 0x0202'0202), 532U);
  EXPECT_EQ(pack_i8<Type::i32>(U32<1>(300), U32<1>(~0U), U32<1>(1), U32<1>(128), Pack::clamp_unsigned).lane(0), 0x8001'00ffU);
  EXPECT_EQ(unpack_i8<Type::i32>(U32<1>(0x80U), Unpack::sign_extend).values[0].lane(0), 0xffff'ff80U);
  EXPECT_EQ(Rule<Op::add_carry>::apply<Type::i32>(U32<1>(~0U), U32<1>(2)).second.lane(0), 1U);
  EXPECT_EQ(Rule<Op::sub_borrow>::apply<Type::i32>(U32<1>(1), U32<1>(2)).second.lane(0), 1U);
}

// --- PICA200 ---

// aroulin/3ds-gpu-tests fp-tests/source/main.cpp: what the hardware gives.
TEST(IrNumeric, ComputesAsThePica200) {
  EXPECT_SAME(kInf, f24<Op::frcp>(0.0F));
  EXPECT_SAME(0, f24<Op::frcp>(kInf));
  EXPECT_SAME(kNaN, f24<Op::frcp>(kNaN));
  EXPECT_SAME(kInf, f24<Op::frsqrt>(0.0F));
  EXPECT_SAME(1, f24<Op::frsqrt>(1.0F));
  EXPECT_SAME(kNaN, f24<Op::frsqrt>(-1.0F));
  EXPECT_SAME(0, f24<Op::frsqrt>(kInf));
  EXPECT_SAME(kNaN, f24<Op::frsqrt>(-kInf));
  EXPECT_SAME(kNaN, f24<Op::frsqrt>(kNaN));
  EXPECT_SAME(kInf, f24<Op::fmax>(0.0F, kInf));
  EXPECT_SAME(0, f24<Op::fmax>(0.0F, -kInf));
  EXPECT_SAME(kNaN, f24<Op::fmax>(0.0F, kNaN));
  EXPECT_SAME(0, f24<Op::fmax>(kNaN, 0.0F));
  EXPECT_SAME(kInf, f24<Op::fmax>(-kInf, kInf));
  EXPECT_SAME(0, f24<Op::fmin>(0.0F, kInf));
  EXPECT_SAME(-kInf, f24<Op::fmin>(0.0F, -kInf));
  EXPECT_SAME(kNaN, f24<Op::fmin>(0.0F, kNaN));
  EXPECT_SAME(0, f24<Op::fmin>(kNaN, 0.0F));
  EXPECT_SAME(-kInf, f24<Op::fmin>(-kInf, kInf));
  EXPECT_SAME(kNaN, f24<Op::fsub>(kInf, kInf));
  EXPECT_SAME(0, f24<Op::fmul_zero>(kInf, 0.0F));
  EXPECT_SAME(0, f24<Op::fmul_zero>(0.0F, kInf));
  EXPECT_SAME(kNaN, f24<Op::fmul_zero>(kNaN, 0.0F));
  EXPECT_SAME(kNaN, f24<Op::fmul_zero>(0.0F, kNaN));
  EXPECT_SAME(3, f24<Op::fmad_zero>(kInf, 0.0F, 3.0F));
  EXPECT_SAME(kNaN, f24<Op::fmad_zero>(kNaN, 0.0F, 3.0F));
  EXPECT_SAME(kInf, f24<Op::fmad_zero>(2.0F, 4.0F, kInf));
  EXPECT_SAME(1, f24<Op::fmul>(-1.0F, f24<Op::ffloor>(-0x1.999p-4F)));
  EXPECT_SAME(kInf, f24<Op::frsqrt>(f24<Op::frcp>(-kInf)));
}
// 3dbrew "GPU/Shader Instruction Set": arithmetic flushes to +0. The rounding is a guess, see docs/internals/numeric.md.
TEST(IrNumeric, RoundsF24) {
  EXPECT_SAME(0, f24<Op::fmul>(0x1p-40F, 0x1p-40F));
  EXPECT_SAME(0, f24<Op::fmul>(-1.0F, 0.0F));
  EXPECT_SAME(0, f24<Op::fadd>(0x1p-63F, 0x1p-63F));
  EXPECT_SAME(0x1p-63, f24<Op::fmax>(0x1p-63F, 0.0F));
  EXPECT_SAME(kInf, f24<Op::fmul>(0x1p40F, 0x1p40F));
  EXPECT_SAME(1 - 0x1p-17, f24<Op::fadd>(1.0F, -0x1p-60F));
  EXPECT_SAME(1, (one<Op::fadd, Type::f24, Rounding::nearest_even>(1.0F, -0x1p-60F)));
  EXPECT_SAME(1 + 0x1p-16, (one<Op::fadd, Type::f24, Rounding::nearest_even>(1.0F, 0x1.8p-17F)));
  EXPECT_SAME(1, f24<Op::fadd>(1.0F, 0x1.8p-17F));
  EXPECT_SAME(8, f24<Op::fexp2>(3.0F));
  EXPECT_SAME(-3, f24<Op::flog2>(0.125F));
  // Azahar's vectors of f24 as f32.
  EXPECT_EQ(std::bit_cast<std::uint32_t>(from_memory_bits<Type::f24>(U32<1>(0x00'0001)).lane(0)), 0x1880'0000U);
  EXPECT_EQ(std::bit_cast<std::uint32_t>(from_memory_bits<Type::f24>(U32<1>(0x00'ffff)).lane(0)), 0x207f'ff00U);
  EXPECT_EQ(std::bit_cast<std::uint32_t>(from_memory_bits<Type::f24>(U32<1>(0x01'0000)).lane(0)), 0x2080'0000U);
  EXPECT_EQ(std::bit_cast<std::uint32_t>(from_memory_bits<Type::f24>(U32<1>(0x7e'ffff)).lane(0)), 0x5f7f'ff80U);
  EXPECT_EQ(std::bit_cast<std::uint32_t>(from_memory_bits<Type::f24>(U32<1>(0xff'0000)).lane(0)), 0xff80'0000U);
  for (std::uint32_t word = 0; word < 0x100'0000; word += 251) {
    const auto value = from_memory_bits<Type::f24>(U32<1>(word));
    EXPECT_EQ(memory_bits<Type::f24>(value).lane(0), word);
  }
}

}  // namespace
}  // namespace unshade::ir::numeric

#include "draw/merger/blend.hpp"

#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

#include <gtest/gtest.h>

namespace unshade::draw {
namespace {

using Real = std::array<float, 4>;

constexpr Real kSrc{0.5F, 0.25F, 0.75F, 0.625F};
constexpr Real kSrc1{0.125F, 0.5F, 0.25F, 0.375F};
constexpr Real kDest{0.25F, 1, 0.5F, 0.75F};
constexpr Real kFactor{0.5F, 0.125F, 0.25F, 0.875F};

Real blended(TargetBlend state, std::string_view format = "R32G32B32A32_FLOAT", const Real& src = kSrc, const Real& dest = kDest) {
  state.blend = true;
  const texel::Format of = *texel::find_format(format);
  std::array<std::byte, 16> texel{};
  texel::store_texel(of, std::bit_cast<Color>(dest), texel.data());
  write_color(state, kFactor, of, std::bit_cast<Color>(src), std::bit_cast<Color>(kSrc1), texel.data());
  return std::bit_cast<Real>(texel::load_texel(of, texel.data()));
}

// A sum that is NaN is the canonical one; the least and the most are one of the two.
TEST(Blend, GivesTheCanonicalNan) {
  const float negative = std::bit_cast<float>(0xffc1'2345U), inf = std::numeric_limits<float>::infinity();
  const auto bits = [](const Real& made, unsigned k) { return std::bit_cast<std::uint32_t>(made[k]); };
  for (const BlendOp op : {BlendOp::add, BlendOp::subtract, BlendOp::rev_subtract}) {
    const TargetBlend state{.src = BlendFactor::one, .dest = BlendFactor::one, .op = op, .op_alpha = op};
    const Real made = blended(state, "R32G32B32A32_FLOAT", {negative, 1, inf, negative}, {1, negative, op == BlendOp::add ? -inf : inf, 1});
    for (unsigned k = 0; k < 4; ++k) EXPECT_EQ(bits(made, k), 0x7fc0'0000U) << k;
  }
  const TargetBlend least{.op = BlendOp::min, .op_alpha = BlendOp::min};
  EXPECT_EQ(bits(blended(least, "R32G32B32A32_FLOAT", {negative, 0, 0, 0}, {1, 0, 0, 0}), 0), 0xffc1'2345U);
}

// src: Direct3D 11.3 functional specification 17.6: red by a color's red, alpha by its alpha
TEST(Blend, EveryFactorMultipliesWhatItNames) {
  struct Row {
    BlendFactor factor;
    float red, alpha;
  };
  constexpr Row kRows[] = {{BlendFactor::zero, 0, 0},
                           {BlendFactor::one, 1, 1},
                           {BlendFactor::src_color, kSrc[0], kSrc[3]},
                           {BlendFactor::inv_src_color, 1 - kSrc[0], 1 - kSrc[3]},
                           {BlendFactor::src_alpha, kSrc[3], kSrc[3]},
                           {BlendFactor::inv_src_alpha, 1 - kSrc[3], 1 - kSrc[3]},
                           {BlendFactor::dest_alpha, kDest[3], kDest[3]},
                           {BlendFactor::inv_dest_alpha, 1 - kDest[3], 1 - kDest[3]},
                           {BlendFactor::dest_color, kDest[0], kDest[3]},
                           {BlendFactor::inv_dest_color, 1 - kDest[0], 1 - kDest[3]},
                           {BlendFactor::src_alpha_sat, 1 - kDest[3], 1},
                           {BlendFactor::blend_factor, kFactor[0], kFactor[3]},
                           {BlendFactor::inv_blend_factor, 1 - kFactor[0], 1 - kFactor[3]},
                           {BlendFactor::src1_color, kSrc1[0], kSrc1[3]},
                           {BlendFactor::inv_src1_color, 1 - kSrc1[0], 1 - kSrc1[3]},
                           {BlendFactor::src1_alpha, kSrc1[3], kSrc1[3]},
                           {BlendFactor::inv_src1_alpha, 1 - kSrc1[3], 1 - kSrc1[3]},
                           {BlendFactor::alpha_factor, kFactor[3], kFactor[3]},
                           {BlendFactor::inv_alpha_factor, 1 - kFactor[3], 1 - kFactor[3]}};
  for (const Row& row : kRows) {
    const Real of_src = blended({.src = row.factor, .dest = BlendFactor::zero, .src_alpha = row.factor, .dest_alpha = BlendFactor::zero});
    EXPECT_EQ(of_src[0], kSrc[0] * row.red) << static_cast<int>(row.factor);
    EXPECT_EQ(of_src[3], kSrc[3] * row.alpha) << static_cast<int>(row.factor);
    const Real of_dest = blended({.src = BlendFactor::zero, .dest = row.factor, .src_alpha = BlendFactor::zero, .dest_alpha = row.factor});
    EXPECT_EQ(of_dest[0], kDest[0] * row.red) << static_cast<int>(row.factor);
    EXPECT_EQ(of_dest[3], kDest[3] * row.alpha) << static_cast<int>(row.factor);
  }
}

TEST(Blend, EveryOperationCombines) {
  const auto red = [](BlendOp op) { return blended({.src = BlendFactor::one, .dest = BlendFactor::one, .op = op})[0]; };
  EXPECT_EQ(red(BlendOp::add), kSrc[0] + kDest[0]);
  EXPECT_EQ(red(BlendOp::subtract), kSrc[0] - kDest[0]);
  EXPECT_EQ(red(BlendOp::rev_subtract), kDest[0] - kSrc[0]);
  EXPECT_EQ(red(BlendOp::min), kDest[0]);
  EXPECT_EQ(red(BlendOp::max), kSrc[0]);
}

TEST(Blend, NormalizedTargetsClampBeforeAndAfter) {
  const TargetBlend add{.src = BlendFactor::one, .dest = BlendFactor::one};
  EXPECT_EQ(blended(add, "R8G8B8A8_UNORM", {8, -8, 0.5F, 1}, {0.2F, 0.2F, 0.2F, 0})[0], 1);
  EXPECT_NEAR(blended(add, "R8G8B8A8_UNORM", {8, -8, 0.5F, 1}, {0.2F, 0.2F, 0.2F, 0})[1], 0.2F, 0.001);
  EXPECT_NEAR(blended(add, "R8G8B8A8_SNORM", {-8, 0, 0, 0}, {0.5F, 0, 0, 0})[0], -0.5F, 0.01);
  EXPECT_EQ(blended(add, "R32G32B32A32_FLOAT", {8, -8, 0.5F, 1}, {1, 1, 1, 0})[0], 9);
}

// What a factor of zero multiplies has no effect, even if it is not a number.
TEST(Blend, ZeroDropsWhatIsNotANumber) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  EXPECT_EQ(blended({.src = BlendFactor::one, .dest = BlendFactor::zero}, "R32G32B32A32_FLOAT", kSrc, {nan, nan, nan, nan})[0], kSrc[0]);
}

TEST(Blend, TargetsWithTheirOwnCurveBlendInLinearSpace) {
  const Real made =
      blended({.src = BlendFactor::src_alpha, .dest = BlendFactor::inv_src_alpha}, "R8G8B8A8_UNORM_SRGB", {1, 1, 1, 0.5F}, {0, 0, 0, 1});
  EXPECT_NEAR(made[0], 0.5F, 0.005);
}

TEST(Blend, MaskedComponentsKeepTheirBits) {
  const texel::Format format = *texel::find_format("B5G6R5_UNORM");
  std::array<std::byte, 2> texel{std::byte{0x12}, std::byte{0x34}};
  write_color({.write_mask = 0b0010}, {}, format, std::bit_cast<Color>(Real{1, 1, 1, 1}), {}, texel.data());
  std::uint16_t bits = 0;
  std::memcpy(&bits, texel.data(), 2);
  EXPECT_EQ(bits, 0x3412 | 0x07e0);
  write_color({.write_mask = 0}, {}, format, {}, {}, texel.data());
  std::memcpy(&bits, texel.data(), 2);
  EXPECT_EQ(bits, 0x3412 | 0x07e0);
}

// src: 17.8: D3D11_LOGIC_OP
TEST(Blend, EveryLogicOperationCombinesBits) {
  constexpr std::uint32_t kS = 0b1100, kD = 0b1010;
  constexpr std::pair<LogicOp, std::uint32_t> kRows[] = {
      {LogicOp::clear, 0},           {LogicOp::set, 0xff},          {LogicOp::copy, kS},         {LogicOp::copy_inverted, 0xf3},
      {LogicOp::noop, kD},           {LogicOp::invert, 0xf5},       {LogicOp::and_, 0b1000},     {LogicOp::nand, 0xf7},
      {LogicOp::or_, 0b1110},        {LogicOp::nor, 0xf1},          {LogicOp::xor_, 0b0110},     {LogicOp::equiv, 0xf9},
      {LogicOp::and_reverse, 0b100}, {LogicOp::and_inverted, 0b10}, {LogicOp::or_reverse, 0xfd}, {LogicOp::or_inverted, 0xfb}};
  const texel::Format format = *texel::find_format("R8G8B8A8_UINT");
  for (const auto& [op, expected] : kRows) {
    std::array<std::byte, 4> texel{std::byte{kD}};
    write_color({.logic = true, .logic_op = op}, {}, format, {kS, 0, 0, 0}, {}, texel.data());
    EXPECT_EQ(std::to_integer<std::uint32_t>(texel[0]), expected) << static_cast<int>(op);
  }
}

TEST(Blend, AlphaCoversItsShareOfTheSamples) {
  EXPECT_EQ(alpha_coverage(0, 4), 0U);
  EXPECT_EQ(alpha_coverage(0.5F, 4), 0b0011U);
  EXPECT_EQ(alpha_coverage(1, 16), 0xffffU);
  EXPECT_EQ(alpha_coverage(7, 8), 0xffU);
  EXPECT_EQ(alpha_coverage(std::numeric_limits<float>::quiet_NaN(), 8), 0U);
}

}  // namespace
}  // namespace unshade::draw

#include "draw/merger/depth_stencil.hpp"

#include <array>
#include <bit>
#include <cstring>
#include <limits>

#include <gtest/gtest.h>

namespace unshade::draw {
namespace {

using texel::Comparison;

class Buffer {
 public:
  explicit Buffer(std::string_view format) : target(*find_depth_stencil_format(format)) {
    target.texture.bytes = bytes;
    target.texture.width = 1;
  }
  DepthResult test(const DepthStencilState& state, float depth, bool front = true, std::uint8_t reference = 0) {
    return DepthStencil(state, target).test(bytes.data(), depth, front, reference);
  }
  std::uint32_t stored() const {
    std::uint32_t made = 0;
    std::memcpy(&made, bytes.data(), 4);
    return made;
  }

  std::array<std::byte, 8> bytes{};
  DepthStencilTarget target;
};

// src: Direct3D 11.3 functional specification 3.2.3.5: round(c * (2^n - 1))
TEST(DepthStencil, EveryFormatHoldsDepthInItsOwnSteps) {
  const DepthStencilState always{.comparison = Comparison::always};
  Buffer d16("D16_UNORM");
  d16.test(always, 0.5F);
  EXPECT_EQ(d16.stored(), 32768U);
  Buffer d24("DXGI_FORMAT_D24_UNORM_S8_UINT");
  d24.bytes[3] = std::byte{0x7f};
  d24.test(always, 0.5F);
  EXPECT_EQ(d24.stored(), 0x7f80'0000U);
  Buffer d32("D32_FLOAT");
  d32.test(always, 0.3F);
  EXPECT_EQ(d32.stored(), std::bit_cast<std::uint32_t>(0.3F));
  Buffer both("D32_FLOAT_S8X24_UINT");
  both.test({.comparison = Comparison::always, .stencil = true, .front = {.pass = StencilOp::replace}}, 1, true, 9);
  EXPECT_EQ(both.bytes[4], std::byte{9});
  EXPECT_FALSE(find_depth_stencil_format("R32_FLOAT"));
}

TEST(DepthStencil, ComparesByTheStepsOfTheBuffer) {
  Buffer d16("D16_UNORM");
  d16.test({.comparison = Comparison::always}, 0.5F);
  const DepthStencilState equal{.depth_write = false, .comparison = Comparison::equal};
  EXPECT_EQ(d16.test(equal, 0.500001F), DepthResult::passed);
  EXPECT_EQ(d16.test(equal, 0.5001F), DepthResult::depth_failed);
}

TEST(DepthStencil, ComparisonsAreOfTheNewDepthWithTheOld) {
  struct Row {
    Comparison how;
    bool less, equal, greater;
  };
  for (const Row& row : {Row{Comparison::never, false, false, false}, Row{Comparison::less, true, false, false},
                         Row{Comparison::equal, false, true, false}, Row{Comparison::less_equal, true, true, false},
                         Row{Comparison::greater, false, false, true}, Row{Comparison::not_equal, true, false, true},
                         Row{Comparison::greater_equal, false, true, true}, Row{Comparison::always, true, true, true}}) {
    for (const std::string_view format : {"D16_UNORM", "D32_FLOAT"}) {
      const auto passes = [&](float depth) {
        Buffer buffer(format);
        buffer.test({.comparison = Comparison::always}, 0.5F);
        return buffer.test({.comparison = row.how}, depth) == DepthResult::passed;
      };
      EXPECT_EQ(passes(0.25F), row.less);
      EXPECT_EQ(passes(0.5F), row.equal);
      EXPECT_EQ(passes(0.75F), row.greater);
    }
  }
}

TEST(DepthStencil, StencilOperationsWrapOrSaturate) {
  const auto after = [](StencilOp op, unsigned before, std::uint8_t mask = 0xff) {
    Buffer buffer("D24_UNORM_S8_UINT");
    buffer.bytes[3] = static_cast<std::byte>(before);
    buffer.test({.depth = false, .stencil = true, .front = {.pass = op, .write_mask = mask}}, 0, true, 0x5a);
    return std::to_integer<unsigned>(buffer.bytes[3]);
  };
  EXPECT_EQ(after(StencilOp::keep, 7), 7U);
  EXPECT_EQ(after(StencilOp::zero, 7), 0U);
  EXPECT_EQ(after(StencilOp::replace, 7), 0x5aU);
  EXPECT_EQ(after(StencilOp::increment_saturate, 0xff), 0xffU);
  EXPECT_EQ(after(StencilOp::increment, 0xff), 0U);
  EXPECT_EQ(after(StencilOp::decrement_saturate, 0), 0U);
  EXPECT_EQ(after(StencilOp::decrement, 0), 0xffU);
  EXPECT_EQ(after(StencilOp::invert, 0x0f), 0xf0U);
  EXPECT_EQ(after(StencilOp::zero, 0xff, 0x0f), 0xf0U);
}

// Depth bounds are of what the target holds, in all formats, and come before the operations of stencil.
TEST(DepthStencil, BoundsAreOfWhatTheTargetHolds) {
  for (const std::string_view name : {"D16_UNORM", "D24_UNORM_S8_UINT", "D32_FLOAT", "D32_FLOAT_S8X24_UINT"}) {
    auto target = *find_depth_stencil_format(name);
    std::array<std::byte, 8> memory{};
    target.texture.bytes = memory;
    target.texture.width = target.texture.height = 1;
    texel::store_texel(target.texture.format, {std::bit_cast<std::uint32_t>(0.5F)}, memory.data());
    const DepthStencilState state{
        .comparison = texel::Comparison::always, .depth_bounds = true, .stencil = true, .front = {.pass = StencilOp::increment}};
    const auto result = [&](float least, float most) {
      return DepthStencil(state, target, {least, most}).test(memory.data(), 0.5F, true, 0);
    };
    const auto before = memory;
    EXPECT_EQ(result(0.51F, 1), DepthResult::bounds_failed) << name;
    EXPECT_EQ(result(0, 0.49F), DepthResult::bounds_failed) << name;
    EXPECT_EQ(result(std::numeric_limits<float>::quiet_NaN(), 1), DepthResult::bounds_failed) << name;
    EXPECT_EQ(memory, before);
    EXPECT_EQ(result(0.499F, 0.501F), DepthResult::passed) << name;
    EXPECT_EQ(memory != before, target.stencil_byte.has_value()) << name;
  }
}

TEST(DepthStencil, EachResultHasItsOperationOfTheFace) {
  const DepthStencilState state{.comparison = Comparison::less,
                                .stencil = true,
                                .front = {StencilOp::invert, StencilOp::increment, StencilOp::replace, Comparison::equal, 0x0f},
                                .back = {StencilOp::keep, StencilOp::keep, StencilOp::zero, Comparison::equal, 0xf0, 0x3c}};
  Buffer buffer("D24_UNORM_S8_UINT");
  buffer.test({.comparison = Comparison::always}, 0.5F);
  buffer.bytes[3] = std::byte{0x31};
  EXPECT_EQ(buffer.test(state, 0.25F, true, 2), DepthResult::stencil_failed);
  EXPECT_EQ(buffer.bytes[3], std::byte{0xce});
  EXPECT_EQ(buffer.test(state, 0.75F, true, 0xfe), DepthResult::depth_failed);
  EXPECT_EQ(buffer.bytes[3], std::byte{0xcf});
  EXPECT_EQ(buffer.test(state, 0.25F, true, 0x1f), DepthResult::passed);
  EXPECT_EQ(buffer.bytes[3], std::byte{0x1f});
  // masks of the back's own: 0x1f & 0xf0 is not that of 0x20, but of 0x17; 0x1f & ~0x3c is left
  EXPECT_EQ(buffer.test(state, 0.125F, false, 0x20), DepthResult::stencil_failed);
  EXPECT_EQ(buffer.bytes[3], std::byte{0x1f});
  EXPECT_EQ(buffer.test(state, 0.125F, false, 0x17), DepthResult::passed);
  EXPECT_EQ(buffer.bytes[3], std::byte{0x03});
}

}  // namespace
}  // namespace unshade::draw

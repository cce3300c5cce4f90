// Heat maps as pictures: colors of the least, the most and nothing; numbers as they are.
#include <unshade/present/heat.hpp>

#include <gtest/gtest.h>

#include <bit>
#include <vector>

#include <unshade/picture/picture.hpp>

namespace unshade::present {
namespace {

using Pixels = std::vector<std::uint32_t>;

/// Pixels as 0xRRGGBB, or their 32 bits.
Pixels pixels_of(const picture::Picture& picture, bool is_color) {
  Pixels made;
  for (std::size_t at = 0; at < picture.bytes.size(); at += 4) {
    std::uint32_t one = 0;
    for (std::size_t k = 0; k < 4; ++k) one |= std::to_integer<std::uint32_t>(picture.bytes[at + (is_color ? 3 - k : k)]) << (8 * k);
    made.push_back(is_color ? one >> 8 : one);
  }
  return made;
}

TEST(HeatPicture, GoesFromVioletToYellow) {
  const draw::Heat heat{.kind = draw::HeatKind::runs, .width = 5, .height = 1, .layer = 0, .counts = {0, 10, 30, 50, 20}};
  EXPECT_EQ(pixels_of(heat_colors(heat), true), (Pixels{0, 0x440154, 0x21918c, 0xfde725, 0x3b528b}));
  EXPECT_EQ(pixels_of(heat_numbers(heat), false), (Pixels{0, 10, 30, 50, 20}));
  const draw::Heat same{.kind = draw::HeatKind::runs, .width = 2, .height = 1, .layer = 0, .counts = {0, 7}};
  EXPECT_EQ(pixels_of(heat_colors(same), true), (Pixels{0, 0xfde725}));
}

TEST(HeatPicture, HasLevelsAsReals) {
  const draw::Heat heat{.kind = draw::HeatKind::level, .width = 3, .height = 1, .layer = 0, .counts = {0, 1, 641}};
  EXPECT_EQ(pixels_of(heat_colors(heat), true), (Pixels{0, 0x440154, 0xfde725}));
  EXPECT_EQ(pixels_of(heat_numbers(heat), false), (Pixels{std::bit_cast<std::uint32_t>(-1.0F), 0, std::bit_cast<std::uint32_t>(2.5F)}));
}

}  // namespace
}  // namespace unshade::present

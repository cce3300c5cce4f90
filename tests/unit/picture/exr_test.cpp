#include <unshade/picture/exr.hpp>

#include <gtest/gtest.h>

#include <bit>

#include <unshade/picture/picture.hpp>
#include <unshade/texel/formats.hpp>

namespace unshade::picture {
namespace {

TEST(Exr, HoldsFloatsInLines) {
  picture::Picture picture;
  picture.format = texel::format_number("R32G32_FLOAT");
  picture.width = 2;
  picture.height = 1;
  for (const float number : {1.0F, 2.0F, 3.0F, 4.0F})
    for (unsigned k = 0; k < 4; ++k) picture.bytes.push_back(static_cast<std::byte>(std::bit_cast<std::uint32_t>(number) >> (8 * k)));
  const auto file = write_exr(picture);
  ASSERT_TRUE(file);
  EXPECT_EQ((*file)[0], std::byte{0x76});
  // the line ends the file: its number, its size, green, red
  const auto word = [&](std::size_t from_end) {
    std::uint32_t made = 0;
    for (std::size_t k = 0; k < 4; ++k) made |= std::to_integer<std::uint32_t>((*file)[file->size() - from_end * 4 + k]) << (8 * k);
    return made;
  };
  EXPECT_EQ(word(5), 16U);
  EXPECT_EQ(std::bit_cast<float>(word(4)), 2.0F);
  EXPECT_EQ(std::bit_cast<float>(word(2)), 1.0F);
}

}  // namespace
}  // namespace unshade::picture

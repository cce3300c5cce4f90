#include <unshade/picture/sixel.hpp>

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <string>

#include <unshade/core/text.hpp>
#include <unshade/picture/picture.hpp>

namespace unshade::picture {
namespace {

Picture picture_of(std::uint32_t width, std::uint32_t height) {
  Picture made;
  made.format = 28;
  made.width = width;
  made.height = height;
  made.bytes.resize(std::size_t{width} * height * 4, std::byte{0xff});
  return made;
}
std::string sixel_of(const Picture& picture, std::uint32_t pixels = 1024) {
  Text out;
  write_sixel(picture, pixels, out);
  return out.str();
}

// eight rows of five pixels: white, but for a red pixel in the second row and one in the last
TEST(Sixel, HasARowOfBitsForEachColor) {
  Picture picture = picture_of(5, 8);
  for (const std::size_t pixel : {5U + 4U, 35U + 0U}) picture.bytes[pixel * 4 + 1] = picture.bytes[pixel * 4 + 2] = std::byte{0};
  EXPECT_EQ(sixel_of(picture), "\x1bP0;0q\"1;1;5;8#0;2;100;100;100#1;2;100;0;0\n#0!4~|$#1!4?A$-\n#0@!4B$#1A$-\n\x1b\\\n");
}

TEST(Sixel, MakesColorsOfFewer) {
  Picture picture = picture_of(64, 64);
  for (std::size_t pixel = 0; pixel < 64U * 64U; ++pixel) {
    picture.bytes[pixel * 4] = static_cast<std::byte>(pixel / 64 * 4);
    picture.bytes[pixel * 4 + 1] = static_cast<std::byte>(pixel % 64 * 4);
    picture.bytes[pixel * 4 + 2] = std::byte{0x33};  // a step of its own
  }
  const std::string made = sixel_of(picture);
  EXPECT_NE(made.find("#215;2;100;100;100"), std::string::npos);
  EXPECT_EQ(made.find("#216;"), std::string::npos);
  EXPECT_EQ(sixel_of(picture), made);
  // a picture that is wider than the terminal
  EXPECT_EQ(sixel_of(picture_of(64, 64), 32).substr(0, 14), "\x1bP0;0q\"1;1;32;");
}

}  // namespace
}  // namespace unshade::picture

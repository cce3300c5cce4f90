#include "cli/io/png.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstring>

namespace unshade::cli {
namespace {

shader::Picture gradient(std::uint32_t width, std::uint32_t height) {
  shader::Picture made;
  made.format = 28;
  made.width = width;
  made.height = height;
  made.bytes.resize(std::size_t{width} * height * 4);
  for (std::size_t k = 0; k < made.bytes.size(); ++k) made.bytes[k] = static_cast<std::byte>(k * 13);
  return made;
}

TEST(Png, ComesBackAsItWasWritten) {
  const shader::Picture picture = gradient(7, 5);
  const auto file = write_png(picture);
  ASSERT_TRUE(file) << to_string(file.error());
  const auto back = read_png(*file);
  ASSERT_TRUE(back) << to_string(back.error());
  EXPECT_EQ(back->width, 7U);
  EXPECT_EQ(back->height, 5U);
  EXPECT_EQ(back->bytes, picture.bytes);
}

TEST(Png, HoldsOtherFormatsAs8Bits) {
  shader::Picture picture = gradient(1, 1);
  picture.format = 2;  // four floats
  const std::array<float, 4> color{0, 1, 0.5F, 2};
  picture.bytes.resize(16);
  std::memcpy(picture.bytes.data(), color.data(), 16);
  const auto file = write_png(picture);
  ASSERT_TRUE(file);
  const std::vector<std::byte> expected{std::byte{0}, std::byte{255}, std::byte{128}, std::byte{255}};
  EXPECT_EQ(read_png(*file)->bytes, expected);
  picture.format = 3;  // integers
  EXPECT_FALSE(write_png(picture));
  picture.format = 2;
  picture.bytes.resize(8);
  EXPECT_EQ(write_png(picture).error().code, ErrorCode::truncated);
}

TEST(Png, IsBounded) {
  auto file = *write_png(gradient(3, 3));
  for (std::size_t size = 0; size + 12 < file.size(); ++size) EXPECT_FALSE(read_png(std::span(file).first(size))) << size;
  EXPECT_EQ(read_png({}).error().code, ErrorCode::bad_magic);
  // a header that claims 65,536 by 65,536 pixels, with the checksum that belongs to it
  constexpr std::array<unsigned, 8> kSize{0, 1, 0, 0, 0, 1, 0, 0};
  for (unsigned k = 0; k < 8; ++k) file[16 + k] = static_cast<std::byte>(kSize[k]);
  std::uint32_t sum = 0xffff'ffff;
  for (unsigned k = 12; k < 29; ++k) {
    sum ^= std::to_integer<std::uint32_t>(file[k]);
    for (unsigned bit = 0; bit < 8; ++bit) sum = (sum & 1) != 0 ? sum >> 1 ^ 0xedb8'8320 : sum >> 1;
  }
  for (unsigned k = 0; k < 4; ++k) file[29 + k] = static_cast<std::byte>(~sum >> (24 - 8 * k));
  EXPECT_EQ(read_png(file).error().code, ErrorCode::limit);
}

}  // namespace
}  // namespace unshade::cli

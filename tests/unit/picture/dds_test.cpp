#include <unshade/picture/picture.hpp>

#include <gtest/gtest.h>

#include <cstring>

#include <unshade/texel/formats.hpp>

namespace unshade::picture {
namespace {

Picture picture_of(std::uint32_t format, std::uint32_t width, std::uint32_t height, std::uint32_t layers, std::uint32_t levels) {
  Picture made;
  made.format = format;
  made.width = width;
  made.height = height;
  made.layers = layers;
  made.levels = levels;
  made.bytes.resize(picture_bytes(made));
  for (std::size_t k = 0; k < made.bytes.size(); ++k) made.bytes[k] = static_cast<std::byte>(k * 31);
  return made;
}

void set(std::vector<std::byte>& file, unsigned word, std::uint32_t value) { std::memcpy(file.data() + std::size_t{word} * 4, &value, 4); }

TEST(Dds, ComesBackAsItWasWritten) {
  for (std::uint32_t number = 1; number < 200; ++number) {
    if (texel::format_name(number).empty()) continue;
    Picture picture = picture_of(number, 12, 8, 6, 3);
    picture.is_cube = true;
    const auto back = read_dds(write_dds(picture));
    ASSERT_TRUE(back) << number << ' ' << to_string(back.error());
    EXPECT_EQ(back->format, number);
    EXPECT_EQ(back->layers, 6U);
    EXPECT_EQ(back->levels, 3U);
    EXPECT_TRUE(back->is_cube);
    EXPECT_EQ(back->bytes, picture.bytes);
  }
  Picture volume;
  volume.format = 28;
  volume.width = volume.height = volume.depth = 4;
  volume.levels = 3;
  volume.bytes.resize((64 + 8 + 1) * 4);
  const auto back = read_dds(write_dds(volume));
  ASSERT_TRUE(back);
  EXPECT_EQ(back->depth, 4U);
}

// BC1: blocks of 8 bytes, those of small levels whole
TEST(Dds, CountsBlocksOfEveryLevel) {
  EXPECT_EQ(picture_of(71, 8, 8, 1, 4).bytes.size(), (4U + 1 + 1 + 1) * 8);
  EXPECT_EQ(picture_of(98, 10, 6, 1, 1).bytes.size(), 3U * 2 * 16);
}

TEST(Dds, ReadsTheHeaderBeforeDx10) {
  const Picture picture = picture_of(87, 2, 2, 1, 1);
  std::vector<std::byte> file = write_dds(picture);
  file.erase(file.begin() + 128, file.begin() + 148);
  set(file, 20, 0x41);
  set(file, 21, 0);
  set(file, 22, 32);
  set(file, 23, 0xff'0000);
  set(file, 24, 0xff00);
  set(file, 25, 0xff);
  set(file, 26, 0xff00'0000);
  const auto made = read_dds(file);
  ASSERT_TRUE(made) << to_string(made.error());
  EXPECT_EQ(made->format, 87U);
  EXPECT_EQ(made->bytes, picture.bytes);
  set(file, 22, 24);
  EXPECT_EQ(read_dds(file).error().code, ErrorCode::unsupported);
  set(file, 20, 4);
  std::memcpy(file.data() + 84, "DXT5", 4);
  const auto blocks = read_dds(file);
  ASSERT_TRUE(blocks);
  EXPECT_EQ(blocks->format, 77U);
}

TEST(Dds, IsBounded) {
  std::vector<std::byte> file = write_dds(picture_of(2, 4, 4, 1, 1));
  for (std::size_t size = 0; size < file.size(); ++size) EXPECT_FALSE(read_dds(std::span(file).first(size))) << size;
  auto large = file;
  set(large, 3, 0xffff'ffff);
  EXPECT_EQ(read_dds(large).error().code, ErrorCode::limit);
  large = file;
  set(large, 35, 0xffff'ffff);
  EXPECT_EQ(read_dds(large).error().code, ErrorCode::limit);
  large = file;
  set(large, 3, 65536);
  set(large, 4, 65536);
  EXPECT_EQ(read_dds(large).error().code, ErrorCode::limit);
  large = file;
  set(large, 32, 100);
  EXPECT_EQ(read_dds(large).error().code, ErrorCode::unsupported);
}

}  // namespace
}  // namespace unshade::picture

#include <unshade/png/png.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <span>
#include <string_view>
#include <vector>

#include <unshade/picture/picture.hpp>

namespace unshade::png {
namespace {

picture::Picture gradient(std::uint32_t width, std::uint32_t height) {
  picture::Picture made;
  made.format = 28;
  made.width = width;
  made.height = height;
  made.bytes.resize(std::size_t{width} * height * 4);
  for (std::size_t k = 0; k < made.bytes.size(); ++k) made.bytes[k] = static_cast<std::byte>(k * 13);
  return made;
}

TEST(Png, ComesBackAsItWasWritten) {
  const picture::Picture picture = gradient(7, 5);
  const auto file = write_png(picture);
  ASSERT_TRUE(file) << to_string(file.error());
  const auto back = read_png(*file);
  ASSERT_TRUE(back) << to_string(back.error());
  EXPECT_EQ(back->width, 7U);
  EXPECT_EQ(back->height, 5U);
  EXPECT_EQ(back->bytes, picture.bytes);
}

TEST(Png, HoldsOtherFormatsAs8Bits) {
  picture::Picture picture = gradient(1, 1);
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

std::uint32_t checksum(std::span<const std::byte> bytes) {
  std::uint32_t sum = 0xffff'ffff;
  for (const std::byte byte : bytes) {
    sum ^= std::to_integer<std::uint32_t>(byte);
    for (unsigned bit = 0; bit < 8; ++bit) sum = (sum & 1) != 0 ? sum >> 1 ^ 0xedb8'8320 : sum >> 1;
  }
  return ~sum;
}

void put(std::vector<std::byte>& to, std::uint32_t value) {
  for (const unsigned shift : {24U, 16U, 8U, 0U}) to.push_back(static_cast<std::byte>(value >> shift & 0xff));
}

void chunk(std::vector<std::byte>& to, std::string_view type, const std::vector<unsigned>& content) {
  put(to, static_cast<std::uint32_t>(content.size()));
  const std::size_t first = to.size();
  for (const char letter : type) to.push_back(static_cast<std::byte>(letter));
  for (const unsigned byte : content) to.push_back(static_cast<std::byte>(byte));
  put(to, checksum(std::span(to).subspan(first)));
}

// One pixel of gray, whose filter and bytes are `row`.
std::vector<std::byte> gray(unsigned bits, const std::vector<unsigned>& row, bool linear) {
  std::vector<std::byte> made;
  for (const unsigned byte : {0x89U, 0x50U, 0x4eU, 0x47U, 0x0dU, 0x0aU, 0x1aU, 0x0aU}) made.push_back(static_cast<std::byte>(byte));
  chunk(made, "IHDR", {0, 0, 0, 1, 0, 0, 0, 1, bits, 0, 0, 0, 0});
  if (linear) chunk(made, "gAMA", {0, 1, 0x86, 0xa0});
  const auto size = static_cast<unsigned>(row.size());
  std::vector<unsigned> data{0x78, 0x01, 0x01, size, 0, 0xff - size, 0xff};
  data.insert(data.end(), row.begin(), row.end());
  unsigned a = 1, b = 0;
  for (const unsigned byte : row) b += a += byte;
  for (const unsigned sum : {b, a}) data.insert(data.end(), {sum >> 8, sum & 0xff});
  chunk(made, "IDAT", data);
  chunk(made, "IEND", {});
  return made;
}

TEST(Png, ValuesAreThoseOfTheFile) {
  for (const bool linear : {false, true}) {
    for (const auto& file : {gray(8, {0, 0x80}, linear), gray(16, {0, 0x80, 0x80}, linear)}) {
      const auto picture = read_png(file);
      ASSERT_TRUE(picture) << to_string(picture.error());
      EXPECT_EQ(picture->bytes, (std::vector<std::byte>{std::byte{0x80}, std::byte{0x80}, std::byte{0x80}, std::byte{0xff}}));
    }
  }
}

TEST(Png, IsBounded) {
  auto file = *write_png(gradient(3, 3));
  for (std::size_t size = 0; size + 12 < file.size(); ++size) EXPECT_FALSE(read_png(std::span(file).first(size))) << size;
  EXPECT_EQ(read_png({}).error().code, ErrorCode::bad_magic);
  // a header that claims 65,536 by 65,536 pixels, with the checksum that belongs to it
  constexpr std::array<unsigned, 8> kSize{0, 1, 0, 0, 0, 1, 0, 0};
  for (unsigned k = 0; k < 8; ++k) file[16 + k] = static_cast<std::byte>(kSize[k]);
  const std::uint32_t sum = checksum(std::span(file).subspan(12, 17));
  for (unsigned k = 0; k < 4; ++k) file[29 + k] = static_cast<std::byte>(sum >> (24 - 8 * k));
  EXPECT_EQ(read_png(file).error().code, ErrorCode::limit);
}

}  // namespace
}  // namespace unshade::png

// Animated PNG: what is written is decoded again, by libpng, frame by frame.
#include <unshade/png/apng.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <unshade/picture/picture.hpp>
#include <unshade/png/png.hpp>

namespace unshade::png {
namespace {

picture::Picture picture_of(std::uint32_t width, std::uint32_t height, unsigned shade) {
  picture::Picture made;
  made.format = 28;
  made.width = width;
  made.height = height;
  made.bytes.resize(std::size_t{width} * height * 4, static_cast<std::byte>(shade));
  return made;
}

std::uint32_t number_of(std::span<const std::byte> bytes, std::size_t at, unsigned size = 4) {
  std::uint32_t made = 0;
  for (std::size_t k = 0; k < size; ++k) made = made << 8 | std::to_integer<std::uint32_t>(bytes[at + k]);
  return made;
}

std::uint32_t checksum(std::span<const std::byte> bytes) {
  std::uint32_t sum = 0xffff'ffff;
  for (const std::byte byte : bytes) {
    sum ^= std::to_integer<std::uint32_t>(byte);
    for (unsigned bit = 0; bit < 8; ++bit) sum = (sum & 1) != 0 ? sum >> 1 ^ 0xedb8'8320 : sum >> 1;
  }
  return ~sum;
}

struct Chunk {
  std::string type;
  std::span<const std::byte> content;
};
std::vector<Chunk> chunks_of(std::span<const std::byte> file) {
  std::vector<Chunk> made;
  for (std::size_t at = 8; at < file.size();) {
    const std::size_t size = number_of(file, at);
    made.push_back({std::string(reinterpret_cast<const char*>(file.data()) + at + 4, 4), file.subspan(at + 8, size)});
    EXPECT_EQ(number_of(file, at + 8 + size), checksum(file.subspan(at + 4, size + 4))) << made.back().type;
    at += size + 12;
  }
  return made;
}

/// The frames of a file, each decoded as a PNG of its own and put over the one before.
struct Decoded {
  std::uint32_t plays = 0, delay = 0, per_second = 0;
  std::vector<std::array<std::uint32_t, 4>> parts;  ///< left, top, width, height
  std::vector<std::vector<std::byte>> frames;
};
Decoded decoded(std::span<const std::byte> file) {
  Decoded made;
  const auto chunks = chunks_of(file);
  const std::uint32_t width = number_of(chunks.front().content, 0), height = number_of(chunks.front().content, 4);
  std::vector<std::byte> shown(std::size_t{width} * height * 4);
  std::uint32_t sequence = 0;
  for (const Chunk& chunk : chunks) {
    if (chunk.type == "acTL") made.plays = number_of(chunk.content, 4);
    if (chunk.type == "fcTL") {
      EXPECT_EQ(number_of(chunk.content, 0), sequence++);
      made.parts.push_back(
          {number_of(chunk.content, 12), number_of(chunk.content, 16), number_of(chunk.content, 4), number_of(chunk.content, 8)});
      made.delay = number_of(chunk.content, 20, 2);
      made.per_second = number_of(chunk.content, 22, 2);
    }
    if (chunk.type != "IDAT" && chunk.type != "fdAT") continue;
    if (chunk.type == "fdAT") {
      EXPECT_EQ(number_of(chunk.content, 0), sequence++);
    }
    const auto [left, top, part_width, part_height] = made.parts.back();
    // a file of the frame alone: one of its size, with this data
    const auto png = *write_png(picture_of(part_width, part_height, 0));
    const auto own = chunks_of(png);
    const auto data = std::ranges::find(own, "IDAT", &Chunk::type);
    std::vector<std::byte> whole(png.begin(), png.begin() + (data->content.data() - 8 - png.data()));
    const auto content = chunk.type == "fdAT" ? chunk.content.subspan(4) : chunk.content;
    const auto put = [&](std::uint32_t value) {
      for (unsigned k = 4; k-- != 0;) whole.push_back(static_cast<std::byte>(value >> (8 * k) & 0xff));
    };
    const auto put_chunk = [&](std::string_view type, std::span<const std::byte> bytes) {
      put(static_cast<std::uint32_t>(bytes.size()));
      const std::size_t first = whole.size();
      for (const char c : type) whole.push_back(static_cast<std::byte>(c));
      whole.insert(whole.end(), bytes.begin(), bytes.end());
      put(checksum(std::span(whole).subspan(first)));
    };
    put_chunk("IDAT", content);
    put_chunk("IEND", {});
    const auto picture = read_png(whole);
    EXPECT_TRUE(picture) << to_string(picture.error());
    for (std::uint32_t y = 0; picture && y < part_height; ++y)
      std::memcpy(shown.data() + (std::size_t{top + y} * width + left) * 4, picture->bytes.data() + std::size_t{y} * part_width * 4,
                  part_width * 4);
    made.frames.push_back(shown);
  }
  return made;
}

TEST(Apng, ComesBackAsItWasWritten) {
  ApngWriter file(12, 3);
  std::vector<picture::Picture> pictures{picture_of(7, 5, 10), picture_of(7, 5, 10), picture_of(7, 5, 10), picture_of(7, 5, 99)};
  // the second differs in a part of 2x3 pixels, the third not at all
  for (std::uint32_t y = 1; y < 4; ++y)
    for (std::uint32_t x = 4; x < 6; ++x) pictures[1].bytes[(y * 7 + x) * 4 + 2] = std::byte{200};
  pictures[2] = pictures[1];
  for (const picture::Picture& one : pictures) ASSERT_TRUE(file.add(one));
  const auto bytes = file.finish();
  const Decoded back = decoded(bytes);
  EXPECT_EQ(back.plays, 3U);
  EXPECT_EQ(back.delay, 1U);
  EXPECT_EQ(back.per_second, 12U);
  ASSERT_EQ(back.frames.size(), pictures.size());
  for (std::size_t k = 0; k < pictures.size(); ++k) EXPECT_EQ(back.frames[k], pictures[k].bytes) << k;
  using Part = std::array<std::uint32_t, 4>;
  EXPECT_EQ(back.parts, (std::vector<Part>{{0, 0, 7, 5}, {4, 1, 2, 3}, {0, 0, 1, 1}, {0, 0, 7, 5}}));
  EXPECT_EQ(file.finish(), bytes);
  // who knows no animations sees the first picture
  const auto first = read_png(bytes);
  ASSERT_TRUE(first);
  EXPECT_EQ(first->bytes, pictures[0].bytes);
}

TEST(Apng, RefusesOtherSizes) {
  ApngWriter file(1, 0);
  ASSERT_TRUE(file.add(picture_of(2, 2, 1)));
  const auto wrong = file.add(picture_of(2, 3, 1));
  ASSERT_FALSE(wrong);
  EXPECT_EQ(wrong.error().path, "size");
}

}  // namespace
}  // namespace unshade::png

// Pictures in EXR that are read: as they were written, packed as other programs pack them, and broken.
#include <gtest/gtest.h>

#include <bit>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include <unshade/picture/exr.hpp>
#include <unshade/picture/picture.hpp>
#include <unshade/texel/formats.hpp>

#include <unshade/unpack/zlib.hpp>

namespace unshade::picture {
namespace {

using Bytes = std::vector<std::byte>;

picture::Picture picture_of(std::string_view format, std::uint32_t width, std::uint32_t height) {
  picture::Picture made;
  made.format = texel::format_number(format);
  made.width = width;
  made.height = height;
  const std::size_t numbers = std::size_t{width} * height * texel::find_format(format)->bytes() / 4;
  for (std::uint32_t k = 0; k < numbers; ++k) {
    const std::uint32_t bits = texel::find_format(format)->is_integer()
                                   ? k / 24 % 7 * 0x0101'0101U
                                   : std::bit_cast<std::uint32_t>(static_cast<float>(k / 24 % 7) - 2.5F);
    for (unsigned byte = 0; byte < 4; ++byte) made.bytes.push_back(static_cast<std::byte>(bits >> (8 * byte)));
  }
  return made;
}

void put(Bytes& to, std::uint64_t value, unsigned bytes) {
  for (unsigned k = 0; k < bytes; ++k) to.push_back(static_cast<std::byte>(value >> (8 * k)));
}

/// Where the value of an attribute begins.
std::size_t value_of(const Bytes& file, std::string_view name, std::string_view type) {
  const std::string words = std::string(name) + '\0' + std::string(type) + '\0';
  const std::string_view text(reinterpret_cast<const char*>(file.data()), file.size());
  return text.find(words) + words.size() + 4;
}

// Every other byte, then the others; then differences.
Bytes taken_apart(std::span<const std::byte> lines) {
  Bytes made;
  for (const std::size_t first : {0U, 1U})
    for (std::size_t k = first; k < lines.size(); k += 2) made.push_back(lines[k]);
  for (std::size_t k = made.size(); k-- > 1;)
    made[k] = static_cast<std::byte>(std::to_integer<unsigned>(made[k]) - std::to_integer<unsigned>(made[k - 1]) + 128);
  return made;
}

Bytes in_runs(const Bytes& from) {
  Bytes made;
  for (std::size_t at = 0; at < from.size();) {
    std::size_t same = 1;
    while (at + same < from.size() && same < 128 && from[at + same] == from[at]) ++same;
    if (same > 1) {
      put(made, same - 1, 1);
      made.push_back(from[at]);
      at += same;
    } else {
      put(made, 0xff, 1);  // one as it is
      made.push_back(from[at++]);
    }
  }
  return made;
}

/// A file with lines as they are, packed: `each` lines at a time.
Bytes packed(const Bytes& file, std::uint32_t height, unsigned compression, std::uint32_t each) {
  const std::size_t end = value_of(file, "screenWindowWidth", "float") + 5;
  const std::size_t line = (file.size() - end - height * 8) / height;
  Bytes made(file.begin(), file.begin() + static_cast<std::ptrdiff_t>(end));
  made[value_of(file, "compression", "compression")] = static_cast<std::byte>(compression);
  std::vector<Bytes> blocks;
  for (std::uint32_t y = 0; y < height; y += each) {
    Bytes lines;
    for (std::uint32_t k = y; k < std::min(y + each, height); ++k) {
      const auto* const from = file.data() + end + height * 8 + k * line + 8;
      lines.insert(lines.end(), from, from + line - 8);
    }
    Bytes small = taken_apart(lines);
    if (compression == 1) {
      small = in_runs(small);
    } else {
      Bytes deflated;
      const auto deflate = unpack::zlib_deflate();
      EXPECT_TRUE(deflate.run(small, deflated, deflate.user));
      small = std::move(deflated);
    }
    if (small.size() >= lines.size()) small = lines;
    Bytes& block = blocks.emplace_back();
    put(block, y, 4);
    put(block, small.size(), 4);
    block.insert(block.end(), small.begin(), small.end());
  }
  std::uint64_t offset = made.size() + blocks.size() * 8;
  for (const Bytes& block : blocks) {
    put(made, offset, 8);
    offset += block.size();
  }
  for (const Bytes& block : blocks) made.insert(made.end(), block.begin(), block.end());
  return made;
}

TEST(ExrRead, GivesBackWhatWasWritten) {
  for (const char* const format : {"R32_FLOAT", "R32G32_FLOAT", "R32G32B32A32_FLOAT", "R32_UINT", "R32G32B32A32_UINT"}) {
    const picture::Picture picture = picture_of(format, 5, 3);
    const auto file = write_exr(picture);
    ASSERT_TRUE(file);
    EXPECT_TRUE(is_exr(*file));
    const auto read = read_exr(*file);
    ASSERT_TRUE(read) << to_string(read.error());
    EXPECT_EQ(read->format, picture.format);
    EXPECT_EQ(read->width, 5U);
    EXPECT_EQ(read->height, 3U);
    EXPECT_EQ(read->bytes, picture.bytes);
  }
}

TEST(ExrRead, UnpacksRunsAndStreamsOfZlib) {
  constexpr std::uint32_t kHeight = 35;
  const picture::Picture picture = picture_of("R32G32B32A32_UINT", 9, kHeight);  // whose bytes have runs
  const auto file = write_exr(picture);
  ASSERT_TRUE(file);
  for (const auto& [compression, each] : {std::pair(1U, 1U), {2U, 1U}, {3U, 16U}}) {
    const Bytes small = packed(*file, kHeight, compression, each);
    EXPECT_LT(small.size(), file->size()) << compression;
    const auto read = read_exr(small);
    ASSERT_TRUE(read) << compression << ' ' << to_string(read.error());
    EXPECT_EQ(read->bytes, picture.bytes) << compression;
    // no part of it is read as a whole, nor with other bytes in it
    for (std::size_t size = 0; size < small.size(); size += 1 + size / 64) {
      const auto cut = read_exr(std::span(small).first(size));
      EXPECT_FALSE(cut) << size;
      EXPECT_LE(cut.error().offset, size);
    }
    for (std::size_t at = 8; at < small.size(); at += 1 + at / 64) {
      Bytes broken = small;
      broken[at] ^= std::byte{0x41};
      const auto other = read_exr(broken);
      EXPECT_TRUE(other || other.error().offset <= broken.size()) << at;
    }
  }
}

TEST(ExrRead, WithoutAlphaIsOpaque) {
  const picture::Picture picture = picture_of("R32G32B32_FLOAT", 2, 1);
  const auto file = write_exr(picture);
  ASSERT_TRUE(file);
  const auto read = read_exr(*file);
  ASSERT_TRUE(read) << to_string(read.error());
  EXPECT_EQ(read->format, texel::format_number("R32G32B32A32_FLOAT"));
  ASSERT_EQ(read->bytes.size(), 32U);
  EXPECT_EQ(std::memcmp(read->bytes.data(), picture.bytes.data(), 12), 0);
  float alpha = 0;
  std::memcpy(&alpha, read->bytes.data() + 28, 4);
  EXPECT_EQ(alpha, 1.0F);
}

TEST(ExrRead, NamesWhatItDoesNotRead) {
  const auto file = write_exr(picture_of("R32_FLOAT", 2, 2));
  ASSERT_TRUE(file);
  const auto fault_with = [&](std::size_t at, std::uint32_t value, unsigned bytes) {
    Bytes changed = *file;
    for (unsigned k = 0; k < bytes; ++k) changed[at + k] = static_cast<std::byte>(value >> (8 * k));
    const auto read = read_exr(changed);
    return read ? std::string() : std::string(id(read.error().code)) + ' ' + read.error().path + ": " + read.error().message;
  };
  EXPECT_EQ(fault_with(value_of(*file, "compression", "compression"), 4, 1), "bad-value compression: the compression PIZ");
  EXPECT_EQ(fault_with(4, 0x202, 4), "bad-value version: tiled pictures are not supported");
  EXPECT_EQ(fault_with(4, 0x1002, 4), "bad-value version: multi-part and deep files are not supported");
  EXPECT_EQ(fault_with(0, 0, 4), "bad-magic magic: not an OpenEXR file");
  const std::size_t window = value_of(*file, "dataWindow", "box2i");
  EXPECT_EQ(fault_with(window + 8, 0x8000'0000, 4), "bad-value dataWindow: the picture has no pixels");
  EXPECT_EQ(fault_with(window + 8, 0x7fff'ffff, 4), "limit dataWindow: the picture is larger than 65536 pixels");
  EXPECT_EQ(fault_with(window + 8, 0xffff, 4), "truncated dataWindow: the file is too short for 131072 pixels");
  EXPECT_EQ(fault_with(window + 8, 2, 4), "bad-value lines: line 0 has 8 bytes, expected 12");
  EXPECT_EQ(fault_with(value_of(*file, "channels", "chlist") + 2, 3, 1), "bad-value channels/R: expected pixel type 0 to 2, found 3");
}

}  // namespace
}  // namespace unshade::picture

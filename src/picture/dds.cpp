#include <algorithm>
#include <array>
#include <cstring>
#include <string>

#include <unshade/picture/picture.hpp>
#include <unshade/texel/texture.hpp>

namespace unshade::picture {
namespace {

constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 30;
constexpr std::size_t kHeaderBytes = 128, kDx10HeaderBytes = 20;

constexpr std::uint32_t four_cc(const char (&text)[5]) {
  std::uint32_t code = 0;
  for (unsigned k = 0; k < 4; ++k) code |= static_cast<std::uint32_t>(static_cast<unsigned char>(text[k])) << (8 * k);
  return code;
}

// Words of the header, as they stand in the file.
enum HeaderWord : unsigned {
  kDdsMagic,
  kSize,
  kFlags,
  kHeight,
  kWidth,
  kPitch,
  kDepth,
  kLevels,
  kFormatSize = 19,
  kFormatFlags,
  kFourCc,
  kBits,
  kRed,
  kGreen,
  kBlue,
  kAlpha,
  kCaps,
  kCaps2,
  kDx10Format = 32,
  kDimension,
  kMisc,
  kLayers,
};
constexpr std::uint32_t kHasFourCc = 4, kHasRgb = 0x40, kHasAlphaAlone = 2, kHasLuminance = 0x20000;
constexpr std::uint32_t kIsCube = 0x200, kIsVolume = 0x20'0000;

struct Named {
  std::uint32_t code;
  std::uint32_t format;
};
constexpr Named kFourCcs[] = {{four_cc("DXT1"), 71},
                              {four_cc("DXT2"), 74},
                              {four_cc("DXT3"), 74},
                              {four_cc("DXT4"), 77},
                              {four_cc("DXT5"), 77},
                              {four_cc("ATI1"), 80},
                              {four_cc("BC4U"), 80},
                              {four_cc("BC4S"), 81},
                              {four_cc("ATI2"), 83},
                              {four_cc("BC5U"), 83},
                              {four_cc("BC5S"), 84},
                              {four_cc("RGBG"), 68},
                              {four_cc("GRGB"), 69},
                              {36, 11},
                              {110, 13},
                              {111, 54},
                              {112, 34},
                              {113, 10},
                              {114, 41},
                              {115, 16},
                              {116, 2}};

struct Masked {
  std::uint32_t flags, bits;
  std::array<std::uint32_t, 4> masks;
  std::uint32_t format;
};
constexpr Masked kMasks[] = {{kHasRgb, 32, {0xff, 0xff00, 0xff'0000, 0xff00'0000}, 28},
                             {kHasRgb, 32, {0xff'0000, 0xff00, 0xff, 0xff00'0000}, 87},
                             {kHasRgb, 32, {0xff'0000, 0xff00, 0xff, 0}, 88},
                             {kHasRgb, 32, {0x3ff, 0xf'fc00, 0x3ff0'0000, 0xc000'0000}, 24},
                             {kHasRgb, 32, {0xffff, 0xffff'0000, 0, 0}, 35},
                             {kHasRgb, 32, {0xffff'ffff, 0, 0, 0}, 41},
                             {kHasRgb, 16, {0xf800, 0x7e0, 0x1f, 0}, 85},
                             {kHasRgb, 16, {0x7c00, 0x3e0, 0x1f, 0x8000}, 86},
                             {kHasRgb, 16, {0xf00, 0xf0, 0xf, 0xf000}, 115},
                             {kHasLuminance, 8, {0xff, 0, 0, 0}, 61},
                             {kHasLuminance, 16, {0xffff, 0, 0, 0}, 56},
                             {kHasLuminance, 16, {0xff, 0, 0, 0xff00}, 49},
                             {kHasAlphaAlone, 8, {0, 0, 0, 0xff}, 65}};

std::uint32_t word(std::span<const std::byte> file, unsigned number) {
  std::uint32_t value = 0;
  std::memcpy(&value, file.data() + std::size_t{number} * 4, 4);
  return value;
}

std::uint32_t format_of(std::span<const std::byte> file) {
  const std::uint32_t flags = word(file, kFormatFlags);
  if ((flags & kHasFourCc) != 0) {
    const auto* const found = std::ranges::find(kFourCcs, word(file, kFourCc), &Named::code);
    return found == std::end(kFourCcs) ? 0 : found->format;
  }
  for (const Masked& one : kMasks) {
    const std::array masks{word(file, kRed), word(file, kGreen), word(file, kBlue), word(file, kAlpha)};
    if ((flags & one.flags) != 0 && word(file, kBits) == one.bits && masks == one.masks) return one.format;
  }
  return 0;
}

}  // namespace

std::uint64_t picture_bytes(const Picture& picture) {
  const auto format = texel::find_format(texel::format_name(picture.format));
  if (!format) return 0;
  texel::Descriptor texture;
  texture.format = *format;
  texture.width = picture.width;
  texture.height = picture.height;
  texture.depth = picture.depth;
  texture.layers = picture.layers;
  texture.levels = picture.levels;
  return texel::texture_bytes(texture);
}

Result<Picture> read_dds(std::span<const std::byte> file) {
  if (file.size() < 4 || word(file, kDdsMagic) != four_cc("DDS "))
    return Error{ErrorCode::bad_magic, 0, "", "a DDS file begins with `DDS `"};
  if (file.size() < kHeaderBytes) return Error{ErrorCode::truncated, file.size(), "", "the header ends early"};
  if (word(file, kSize) != 124 || word(file, kFormatSize) != 32)
    return Error{ErrorCode::bad_value, 4, "",
                 "expected a header of 124 bytes with a pixel format of 32, found " + std::to_string(word(file, kSize)) + " with " +
                     std::to_string(word(file, kFormatSize))};
  Picture made;
  made.width = word(file, kWidth);
  made.height = std::max(1U, word(file, kHeight));
  made.levels = std::max(1U, word(file, kLevels));
  std::size_t data = kHeaderBytes;
  if ((word(file, kFormatFlags) & kHasFourCc) != 0 && word(file, kFourCc) == four_cc("DX10")) {
    data += kDx10HeaderBytes;
    if (file.size() < data) return Error{ErrorCode::truncated, file.size(), "", "the second header ends early"};
    made.format = word(file, kDx10Format);
    if (word(file, kDimension) == 4) made.depth = std::max(1U, word(file, kDepth));
    made.is_cube = (word(file, kMisc) & 4) != 0;
    made.layers = std::max(1U, word(file, kLayers));
    if (made.layers > 0x1'0000) return Error{ErrorCode::limit, kLayers * 4, "layers", "more layers than a texture has"};
  } else {
    made.format = format_of(file);
    if ((word(file, kCaps2) & kIsVolume) != 0) made.depth = std::max(1U, word(file, kDepth));
    made.is_cube = (word(file, kCaps2) & kIsCube) != 0;
  }
  if (made.is_cube) made.layers *= 6;
  if (texel::format_name(made.format).empty())
    return Error{ErrorCode::unsupported, kFormatFlags * 4, "format", "the picture has a format that textures cannot have"};
  constexpr std::uint32_t kMostTexels = 1U << 17;
  if (made.width == 0 || made.levels > 17 || std::max({made.width, made.height, made.depth}) > kMostTexels)
    return Error{ErrorCode::limit, kHeight * 4, "size", "the picture is larger than a texture can be"};
  const std::uint64_t bytes = picture_bytes(made);
  if (bytes > kMostBytes) return Error{ErrorCode::limit, kHeight * 4, "size", "the picture takes more than 1 GiB"};
  if (bytes > file.size() - data) {
    return Error{ErrorCode::truncated, file.size(), "data",
                 "the picture takes " + std::to_string(bytes) + " bytes, and " + std::to_string(file.size() - data) + " follow the header"};
  }
  made.bytes.assign(file.begin() + static_cast<std::ptrdiff_t>(data), file.begin() + static_cast<std::ptrdiff_t>(data + bytes));
  return made;
}

std::vector<std::byte> write_dds(const Picture& picture) {
  std::array<std::uint32_t, (kHeaderBytes + kDx10HeaderBytes) / 4> words{};
  constexpr std::uint32_t kRequired = 0x1007, kHasLevels = 0x2'0000, kHasDepth = 0x80'0000;
  const bool is_volume = picture.depth > 1;
  words[kDdsMagic] = four_cc("DDS ");
  words[kSize] = 124;
  words[kFlags] = kRequired | (picture.levels > 1 ? kHasLevels : 0) | (is_volume ? kHasDepth : 0);
  words[kHeight] = picture.height;
  words[kWidth] = picture.width;
  words[kDepth] = picture.depth;
  words[kLevels] = picture.levels;
  words[kFormatSize] = 32;
  words[kFormatFlags] = kHasFourCc;
  words[kFourCc] = four_cc("DX10");
  words[kCaps] = 0x1000 | (picture.levels > 1 ? 0x40'0008U : 0);
  words[kCaps2] = (picture.is_cube ? 0xfe00U : 0) | (is_volume ? kIsVolume : 0);
  words[kDx10Format] = picture.format;
  words[kDimension] = is_volume ? 4 : 3;
  words[kMisc] = picture.is_cube ? 4 : 0;
  words[kLayers] = picture.is_cube ? picture.layers / 6 : picture.layers;
  std::vector<std::byte> made(sizeof words + picture.bytes.size());
  std::memcpy(made.data(), words.data(), sizeof words);
  std::copy(picture.bytes.begin(), picture.bytes.end(), made.data() + sizeof words);
  return made;
}

Result<Picture> as_rgba8(const Picture& picture) {
  const auto format = texel::find_format(texel::format_name(picture.format));
  if (!format || format->is_integer()) return Error{ErrorCode::bad_value, 0, "format", "expected a format of real numbers"};
  texel::Descriptor texture;
  texture.format = *format;
  texture.width = picture.width;
  texture.height = picture.height;
  texture.levels = picture.levels;
  std::vector<std::byte> bytes = picture.bytes;
  texture.bytes = bytes;
  // sRGB stays as it is stored
  texel::Format plain = *format;
  plain.srgb = false;
  const texel::Format target = *texel::find_format("R8G8B8A8_UNORM");
  Picture made;
  made.format = texel::format_number("R8G8B8A8_UNORM");
  made.width = picture.width;
  made.height = picture.height;
  made.bytes.resize(std::size_t{picture.width} * picture.height * 4);
  for (std::uint32_t y = 0; y < picture.height; ++y) {
    for (std::uint32_t x = 0; x < picture.width; ++x) {
      const std::byte* const texel = texel::texel_at(texture, {x, y, 0, 0, 0, 0});
      if (texel == nullptr) return Error{ErrorCode::truncated, 0, "bytes", "the picture ends early"};
      texel::store_texel(target, texel::load_texel(plain, texel, x % plain.block_width(), y % plain.block_height()),
                         made.bytes.data() + (std::size_t{y} * picture.width + x) * 4);
    }
  }
  return made;
}

}  // namespace unshade::picture

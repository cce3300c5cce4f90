#include <unshade/texel/formats.hpp>

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include <unshade/core/bits/half.hpp>

namespace unshade::texel {
namespace {

std::array<float, 4> load(std::string_view name, std::vector<std::uint8_t> bytes, unsigned x = 0, unsigned y = 0) {
  const auto format = find_format(name);
  EXPECT_TRUE(format) << name;
  bytes.resize(16);
  const auto bits = load_texel(*format, reinterpret_cast<const std::byte*>(bytes.data()), x, y);
  std::array<float, 4> made{};
  for (unsigned k = 0; k < 4; ++k) made[k] = std::bit_cast<float>(bits[k]);
  return made;
}

std::vector<std::uint8_t> store(std::string_view name, std::array<float, 4> value) {
  const auto format = find_format(name);
  std::vector<std::uint8_t> bytes(16);
  std::array<std::uint32_t, 4> bits{};
  for (unsigned k = 0; k < 4; ++k) bits[k] = std::bit_cast<std::uint32_t>(value[k]);
  store_texel(*format, bits, reinterpret_cast<std::byte*>(bytes.data()));
  bytes.resize(format->bytes());
  return bytes;
}

using Four = std::array<float, 4>;

TEST(Formats, AreKnownByNameAndNumber) {
  unsigned count = 0;
  for (std::uint32_t number = 0; number < 256; ++number) {
    const std::string_view name = format_name(number);
    if (name.empty()) continue;
    ++count;
    EXPECT_EQ(format_number(name), number);
    const auto format = find_format(name);
    ASSERT_TRUE(format) << name;
    EXPECT_GT(format->bytes(), 0U) << name;
  }
  EXPECT_EQ(count, 100U);
  EXPECT_EQ(format_number("dxgi_format_r8_unorm"), 61U);
  for (const char* name : {"R64_UINT", "R7_UNORM", "R8G8R8_UNORM", "R32_SRGB", "BC6H_UNORM", "BC4_UNORM_SRGB", "R9G9B9E5_UNORM", "R8_FLOAT",
                           "R8_UNORM_G8", "_UNORM", "", "NV12", "R1_UNORM", "R8_UNORM_X8_TYPELESS_X8_TYPELESS"}) {
    EXPECT_FALSE(find_format(name)) << name;
  }
}

// src: Vulkan 1.3, 3.1.1, numeric formats
TEST(Formats, ScaledNumbersAreWhole) {
  EXPECT_EQ(load("R8G8B8A8_USCALED", {255, 0, 51, 102}), (Four{255, 0, 51, 102}));
  EXPECT_EQ(load("R8G8_SSCALED", {0x80, 127}), (Four{-128, 127, 0, 1}));
  EXPECT_EQ(load("R10G10B10A2_SSCALED", {0x00, 0x02, 0x00, 0xc0}), (Four{-512, 0, 0, -1}));
  EXPECT_EQ(store("R8G8B8A8_USCALED", {-1, 2.5F, 254.4F, 1e9F}), (std::vector<std::uint8_t>{0, 3, 254, 255}));
  EXPECT_EQ(store("R8G8B8A8_SSCALED", {-1000, -2.5F, NAN, 1e9F}), (std::vector<std::uint8_t>{0x80, 0xfd, 0, 0x7f}));
  EXPECT_EQ(store("R32_USCALED", {4294967040.0F, 0, 0, 0}), (std::vector<std::uint8_t>{0x00, 0xff, 0xff, 0xff}));
}

TEST(Formats, LoadComponentsWhereTheyStand) {
  EXPECT_EQ(load("B8G8R8A8_UNORM", {255, 0, 51, 102}), (Four{0.2F, 0, 1, 0.4F}));
  EXPECT_EQ(load("B8G8R8X8_UNORM", {255, 0, 51, 102}), (Four{0.2F, 0, 1, 1}));
  EXPECT_EQ(load("A8_UNORM", {51}), (Four{0, 0, 0, 0.2F}));
  EXPECT_EQ(load("B5G6R5_UNORM", {0x1f, 0xf8}), (Four{1, 0, 1, 1}));
  EXPECT_EQ(load("B5G5R5A1_UNORM", {0xe0, 0x83}), (Four{0, 1, 0, 1}));
  EXPECT_EQ(load("B4G4R4A4_UNORM", {0x0f, 0x3c}), (Four{12 / 15.0F, 0, 1, 0.2F}));
  EXPECT_EQ(load("R10G10B10A2_UNORM", {0xff, 0x03, 0x00, 0x40}), (Four{1, 0, 0, 1 / 3.0F}));
  EXPECT_EQ(load("R24_UNORM_X8_TYPELESS", {0xff, 0xff, 0xff, 7}), (Four{1, 0, 0, 1}));
  EXPECT_EQ(load("D24_UNORM_S8_UINT", {0xff, 0xff, 0xff, 7}), (Four{1, 0, 0, 1}));
  EXPECT_EQ(load("R8_SNORM", {0x80}), (Four{-1, 0, 0, 1}));
  EXPECT_EQ(load("R8_SNORM", {0x81}), (Four{-1, 0, 0, 1}));
  EXPECT_EQ(load("R16_FLOAT", {0x00, 0xc0}), (Four{-2, 0, 0, 1}));
  // src: Direct3D 11.3 functional specification 19.3.2.1
  EXPECT_EQ(load("R9G9B9E5_SHAREDEXP", {0xc8, 0x20, 0x93, 0x99}), (Four{6.25F, 12.5F, 3.125F, 1}));
  // 1.0 of 11 and 10 bits: exponent 15
  EXPECT_EQ(load("R11G11B10_FLOAT", {0xc0, 0x03, 0x1e, 0x78}), (Four{1, 1, 1, 1}));
  // 0x180 is 0, 510 steps are 1
  EXPECT_EQ(load("R10G10B10_XR_BIAS_A2_UNORM", {0x80, 0xe1, 0xfb, 0xff}), (Four{0, 376 / 510.0F, 639 / 510.0F, 1}));
  const auto stencil = find_format("X24_TYPELESS_G8_UINT");
  const std::array<std::byte, 4> bytes{std::byte{1}, std::byte{2}, std::byte{3}, std::byte{4}};
  EXPECT_EQ(load_texel(*stencil, bytes.data()), (std::array<std::uint32_t, 4>{0, 4, 0, 1}));
}

TEST(Formats, StoreRoundsAndClamps) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  EXPECT_EQ(store("R8G8B8A8_UNORM", {nan, 2, -1, 0.5F}), (std::vector<std::uint8_t>{0, 255, 0, 128}));
  EXPECT_EQ(store("R8G8_SNORM", {-2, 0.5F, 0, 0}), (std::vector<std::uint8_t>{0x81, 64}));
  EXPECT_EQ(store("B5G6R5_UNORM", {1, 0, 1, 0}), (std::vector<std::uint8_t>{0x1f, 0xf8}));
  EXPECT_EQ(store("R9G9B9E5_SHAREDEXP", {6.25F, 12.5F, 3.125F, 0}), (std::vector<std::uint8_t>{0xc8, 0x20, 0x93, 0x99}));
  EXPECT_EQ(store("R9G9B9E5_SHAREDEXP", {1e9F, -1, nan, 0}), (std::vector<std::uint8_t>{0xff, 0x01, 0x00, 0xf8}));
  // a fraction that rounds up to the next power of 2 takes the next exponent: 0.9999 is 256 / 512 * 2
  EXPECT_EQ(load("R9G9B9E5_SHAREDEXP", store("R9G9B9E5_SHAREDEXP", {0.9999F, 0, 0, 0})), (Four{1, 0, 0, 1}));
  EXPECT_EQ(store("R10G10B10_XR_BIAS_A2_UNORM", {0, 0, 0, 1}), (std::vector<std::uint8_t>{0x80, 0x01, 0x06, 0xd8}));
}

// src: 3.2.2: toward zero, so that finite numbers stay finite
TEST(Formats, SixteenBitsHoldTheNearestNumberTowardZero) {
  const float nan = std::numeric_limits<float>::quiet_NaN(), infinity = std::numeric_limits<float>::infinity();
  const auto stored = [](float value) { return load("R16_FLOAT", store("R16_FLOAT", {value, 0, 0, 0}))[0]; };
  for (const float large : {65504.0F, 65519.0F, 65520.0F, 65536.0F, 70000.0F, 131072.0F, 1e6F, 1e30F}) {
    EXPECT_EQ(stored(large), 65504.0F) << large;
    EXPECT_EQ(stored(-large), -65504.0F) << large;
  }
  EXPECT_EQ(stored(infinity), infinity);
  EXPECT_EQ(stored(-infinity), -infinity);
  EXPECT_TRUE(std::isnan(stored(nan)));
  EXPECT_EQ(stored(1.9999F), 2 - 0x1p-10F);
  EXPECT_EQ(stored(0x1.8p-24F), 0x1p-24F);
  EXPECT_EQ(stored(1e-10F), 0.0F);
  EXPECT_EQ(store("R11G11B10_FLOAT", {1e30F, 70000.0F, 1e30F, 0}), (std::vector<std::uint8_t>{0xbf, 0xff, 0xfd, 0xf7}));
}

TEST(Formats, NumbersOfSixteenBitsAreNearest) {
  EXPECT_EQ(nearest_f16(0.3), 0x34cdU);
  EXPECT_EQ(nearest_f16(-2), 0xc000U);
  EXPECT_EQ(nearest_f16(65519.99), 0x7bffU);
  EXPECT_EQ(nearest_f16(65520), 0x7c00U);
  EXPECT_EQ(nearest_f16(1e300), 0x7c00U);
  EXPECT_EQ(nearest_f16(0x1p-25), 0U);
  EXPECT_EQ(nearest_f16(0x1.0000001p-25), 1U);
  // half way to the next number, and so little more that f32 would lose it
  EXPECT_EQ(nearest_f16(1 + 0x1p-11), 0x3c00U);
  EXPECT_EQ(nearest_f16(1 + 0x1p-11 + 0x1p-40), 0x3c01U);
  for (std::uint32_t bits = 0; bits < 0x7c00; ++bits)
    EXPECT_EQ(nearest_f16(static_cast<double>(std::bit_cast<float>(single_bits_of_half(bits)))), bits);
}

/// src: 3.2.3.7, in the precision of the C library
TEST(Formats, ConvertSrgbWithinHalfAnUlpAndBack) {
  for (unsigned k = 0; k < 256; ++k) {
    const long double c = k / 255.0L;
    const long double ideal = c <= 0.04045L ? c / 12.92L : std::pow((c + 0.055L) / 1.055L, 2.4L);
    const Four loaded = load("R8G8B8A8_UNORM_SRGB", {static_cast<std::uint8_t>(k), 0, 0, static_cast<std::uint8_t>(k)});
    EXPECT_EQ(loaded[0], static_cast<float>(ideal)) << k;
    EXPECT_EQ(loaded[3], static_cast<float>(k / 255.0)) << k;
    EXPECT_EQ(store("R8G8B8A8_UNORM_SRGB", loaded),
              (std::vector<std::uint8_t>{static_cast<std::uint8_t>(k), 0, 0, static_cast<std::uint8_t>(k)}));
  }
  // between: 3.2.3.8, with the rounding at its end
  for (int k = 0; k <= 10000; ++k) {
    const float value = static_cast<float>(k) / 10000;
    const double c = static_cast<double>(value);
    const double ideal = (c <= 0.0031308 ? 12.92 * c : 1.055 * std::pow(c, 1 / 2.4) - 0.055) * 255 + 0.5;
    if (std::abs(ideal - std::round(ideal)) < 1e-6) continue;
    EXPECT_EQ(store("R8G8B8A8_UNORM_SRGB", {value, 0, 0, 0})[0], static_cast<std::uint8_t>(ideal)) << value;
  }
}

TEST(Formats, OfAllWidthsComeBackAsTheyWereStored) {
  for (std::uint32_t number = 1; number < 256; ++number) {
    if (format_name(number).empty()) continue;
    const auto format = find_format(format_name(number));
    if (format->block != Block::none || format->encoding == Encoding::shared_exponent) continue;
    std::uint32_t state = number;
    for (int round = 0; round < 200; ++round) {
      std::array<std::byte, 16> bytes{}, again{};
      for (unsigned k = 0; k < format->bytes(); ++k) {
        state = state * 1664525 + 1013904223;
        bytes[k] = static_cast<std::byte>(state >> 24);
      }
      const auto value = load_texel(*format, bytes.data());
      store_texel(*format, value, again.data());
      const auto back = load_texel(*format, again.data());
      for (unsigned k = 0; k < 4; ++k) EXPECT_EQ(back[k], value[k]) << format_name(number) << ' ' << k;
    }
  }
}

// Signalling NaNs too. What has no bit of its payload in the format becomes quiet.
TEST(Formats, OfFloatsKeepNansThatAreCopied) {
  for (const char* const name : {"R16_FLOAT", "R11G11B10_FLOAT"}) {
    const Format format = *find_format(name);
    const unsigned width = format.components[0].bits;
    for (std::uint32_t bits = 0; bits < 1U << width; ++bits) {
      std::array<std::byte, 16> bytes{}, again{};
      std::memcpy(bytes.data(), &bits, sizeof bits);
      store_texel(format, load_texel(format, bytes.data()), again.data());
      EXPECT_EQ(again, bytes) << name << ' ' << bits;
    }
  }
  const auto stored = [](const char* name, std::uint32_t bits) {
    std::uint32_t made = 0;
    store_texel(*find_format(name), {bits, 0, 0, 0}, reinterpret_cast<std::byte*>(&made));
    return made;
  };
  EXPECT_EQ(stored("R16_FLOAT", 0x7fc0'0000), 0x7e00U);
  EXPECT_EQ(stored("R16_FLOAT", 0xffc0'0000), 0xfe00U);
  EXPECT_EQ(stored("R16_FLOAT", 0x7f80'0001), 0x7e00U);
  EXPECT_EQ(stored("R11G11B10_FLOAT", 0xffc0'0000), 0x7e0U);
  EXPECT_EQ(stored("R11G11B10_FLOAT", 0x7f80'0001), 0x7e0U);
}

// --- blocks ------------------------------------------------------------------------------------------------------------------------------

// Bits of a block, written as the specification's tables have them: from the lowest on.
class BlockWriter {
 public:
  BlockWriter& put(unsigned value, unsigned bits) {
    for (unsigned k = 0; k < bits; ++k, ++at_) bytes_[at_ / 8] |= static_cast<std::uint8_t>((value >> k & 1) << (at_ % 8));
    return *this;
  }
  BlockWriter& at(unsigned bit) {
    at_ = bit;
    return *this;
  }
  std::vector<std::uint8_t> bytes() const {
    EXPECT_LE(at_, 128U);
    return bytes_;
  }

 private:
  std::vector<std::uint8_t> bytes_ = std::vector<std::uint8_t>(16);
  unsigned at_ = 0;
};

Four bytes_as_unorm(std::array<unsigned, 4> bytes) {
  Four made{};
  for (unsigned k = 0; k < 4; ++k) made[k] = static_cast<float>(bytes[k] / 255.0);
  return made;
}

TEST(Blocks, OfBc1HaveFourColorsOrThree) {
  // red over blue: 31 << 11 is above 31
  const std::vector<std::uint8_t> four{0x00, 0xf8, 0x1f, 0x00, 0b11100100, 0, 0, 0};
  EXPECT_EQ(load("BC1_UNORM", four, 0), bytes_as_unorm({255, 0, 0, 255}));
  EXPECT_EQ(load("BC1_UNORM", four, 1), bytes_as_unorm({0, 0, 255, 255}));
  EXPECT_EQ(load("BC1_UNORM", four, 2), bytes_as_unorm({170, 0, 85, 255}));
  EXPECT_EQ(load("BC1_UNORM", four, 3), bytes_as_unorm({85, 0, 170, 255}));
  EXPECT_EQ(load("BC1_UNORM", four, 3, 3), bytes_as_unorm({255, 0, 0, 255}));
  const std::vector<std::uint8_t> three{0x1f, 0x00, 0x00, 0xf8, 0b11100100, 0, 0, 0};
  EXPECT_EQ(load("BC1_UNORM", three, 2), bytes_as_unorm({128, 0, 128, 255}));
  EXPECT_EQ(load("BC1_UNORM", three, 3), (Four{0, 0, 0, 0}));
  const Four linear = load("BC1_UNORM_SRGB", four, 2);
  EXPECT_EQ(linear[0], load("R8G8B8A8_UNORM_SRGB", {170})[0]);
}

TEST(Blocks, OfBc2AndBc3HaveAlphaApart) {
  std::vector<std::uint8_t> explicit_alpha{0x70, 0, 0, 0, 0, 0, 0, 0x80, 0x1f, 0x00, 0x00, 0xf8, 0b11100100, 0, 0, 0};
  EXPECT_EQ(load("BC2_UNORM", explicit_alpha, 0)[3], 0);
  EXPECT_EQ(load("BC2_UNORM", explicit_alpha, 1)[3], 7 / 15.0F);
  EXPECT_EQ(load("BC2_UNORM", explicit_alpha, 3, 3)[3], 8 / 15.0F);
  // the colors are four, in whatever order their ends are
  EXPECT_EQ(load("BC2_UNORM", explicit_alpha, 3)[0], static_cast<float>(170 / 255.0));
  const std::vector<std::uint8_t> interpolated{200, 60, 0b10001000, 0b11000110, 0b11111010, 0, 0, 0, 0x1f, 0x00, 0x00, 0xf8, 0, 0, 0, 0};
  const std::array<unsigned, 8> expected{200 * 7,          60 * 7,           6 * 200 + 60,     5 * 200 + 2 * 60,
                                         4 * 200 + 3 * 60, 3 * 200 + 4 * 60, 2 * 200 + 5 * 60, 200 + 6 * 60};
  for (unsigned k = 0; k < 8; ++k)
    EXPECT_EQ(load("BC3_UNORM", interpolated, k % 4, k / 4)[3], static_cast<float>(expected[k] / 1785.0)) << k;
}

TEST(Blocks, OfBc4AndBc5AreInterpolatedWithoutRounding) {
  const std::vector<std::uint8_t> six{60, 200, 0b10001000, 0b11000110, 0b11111010, 0, 0, 0};
  const std::array<float, 8> expected{static_cast<float>(60 / 255.0),
                                      static_cast<float>(200 / 255.0),
                                      static_cast<float>(440 / 1275.0),
                                      static_cast<float>(580 / 1275.0),
                                      static_cast<float>(720 / 1275.0),
                                      static_cast<float>(860 / 1275.0),
                                      0,
                                      1};
  for (unsigned k = 0; k < 8; ++k) EXPECT_EQ(load("BC4_UNORM", six, k % 4, k / 4), (Four{expected[k], 0, 0, 1})) << k;
  const std::vector<std::uint8_t> signed_six{0x80, 0x7f, 0b10001000, 0b11000110, 0b11111010, 0, 0, 0};
  const std::array<float, 8> signed_expected{-1,
                                             1,
                                             static_cast<float>(-381 / 635.0),
                                             static_cast<float>(-127 / 635.0),
                                             static_cast<float>(127 / 635.0),
                                             static_cast<float>(381 / 635.0),
                                             -1,
                                             1};
  for (unsigned k = 0; k < 8; ++k) EXPECT_EQ(load("BC4_SNORM", signed_six, k % 4, k / 4)[0], signed_expected[k]) << k;
  std::vector<std::uint8_t> two = six;
  two.insert(two.end(), {255, 0, 0, 0, 0, 0, 0, 0});
  EXPECT_EQ(load("BC5_UNORM", two, 1), (Four{expected[1], 1, 0, 1}));
}

// A mode of BC6H that is not transformed: endpoints as they are. 10 bits, one region, 4 bits of index.
TEST(Blocks, OfBc6InterpolateHalves) {
  BlockWriter block;
  block.put(3, 5);
  for (const unsigned component : {0x3ffU, 0U, 0x200U}) block.put(component, 10);
  for (const unsigned component : {0U, 0x3ffU, 0x200U}) block.put(component, 10);
  block.put(0, 3).put(15, 4).put(5, 4);
  const auto half = [](unsigned bits) { return std::bit_cast<float>(((bits >> 10) + 112) << 23 | (bits & 1023) << 13); };
  // unsigned: the largest is 0xffff * 31 >> 6 = 0x7bff
  EXPECT_EQ(load("BC6H_UF16", block.bytes(), 0)[0], 65504.0F);
  EXPECT_EQ(load("BC6H_UF16", block.bytes(), 1)[0], 0.0F);
  EXPECT_EQ(load("BC6H_UF16", block.bytes(), 1)[1], 65504.0F);
  EXPECT_EQ(load("BC6H_UF16", block.bytes(), 2)[0], half((((64 - 21) * 0xffffU + 32) >> 6) * 31 >> 6));
  EXPECT_EQ(load("BC6H_UF16", block.bytes(), 0)[2], half(0x8020U * 31 >> 6));
  EXPECT_EQ(load("BC6H_UF16", block.bytes(), 0)[3], 1.0F);
  // signed: 0x3ff is -1, 0x200 the most negative
  EXPECT_EQ(load("BC6H_SF16", block.bytes(), 0)[2], -half(0x7fffU * 31 >> 5));
  // reserved modes are black
  EXPECT_EQ(load("BC6H_UF16", BlockWriter().put(0b10011, 5).put(0xffff, 16).bytes()), (Four{0, 0, 0, 1}));
}

// Two regions and differences: mode 0 of 10 bits and 5 of difference.
TEST(Blocks, OfBc6AddDifferences) {
  // m[1:0] gy4 by4 bz4 rw gw bw rx gz4 gy gx bz0 gz bx bz1 by ry bz2 rz bz3 d
  BlockWriter block;
  block.put(0, 2).put(0, 3).put(0x100, 10).put(0, 10).put(0, 10);
  block.put(31, 5).put(0, 1).put(0, 4).put(0, 5).put(0, 1).put(0, 4).put(0, 5).put(0, 1).put(0, 4);
  block.put(1, 5).put(0, 1).put(16, 5).put(0, 1).put(13, 5);  // partition 13: the lower half is the second region
  block.put(0, 2).put(7, 3).at(128);
  const auto value = [](unsigned ten) { return (((ten << 16) + 0x8000) >> 10) * 31 >> 6; };
  const auto half = [](unsigned bits) { return std::bit_cast<float>(((bits >> 10) + 112) << 23 | (bits & 1023) << 13); };
  EXPECT_EQ(load("BC6H_UF16", block.bytes(), 0, 0)[0], half(value(0x100)));
  EXPECT_EQ(load("BC6H_UF16", block.bytes(), 1, 0)[0], half(value(0x0ff)));
  EXPECT_EQ(load("BC6H_UF16", block.bytes(), 0, 2)[0], half(value(0x101)));
  EXPECT_EQ(load("BC6H_UF16", block.bytes(), 1, 0)[1], 0.0F);
}

// Each mode of BC7, with all endpoints 0 but one component of one endpoint, which the last texel takes.
TEST(Blocks, OfBc7HaveEightModes) {
  struct Mode {
    unsigned subsets, partition, rotation, selection, color, alpha, own, shared, index, second;
  };
  // src: Direct3D 11.3 functional specification 19.5.14.4
  constexpr Mode kModes[] = {{3, 4, 0, 0, 4, 0, 1, 0, 3, 0}, {2, 6, 0, 0, 6, 0, 0, 1, 3, 0}, {3, 6, 0, 0, 5, 0, 0, 0, 2, 0},
                             {2, 6, 0, 0, 7, 0, 1, 0, 2, 0}, {1, 0, 2, 1, 5, 6, 0, 0, 2, 3}, {1, 0, 2, 0, 7, 8, 0, 0, 2, 2},
                             {1, 0, 0, 0, 7, 7, 1, 0, 4, 0}, {2, 6, 0, 0, 5, 5, 1, 0, 2, 0}};
  for (unsigned number = 0; number < 8; ++number) {
    const Mode& mode = kModes[number];
    BlockWriter block;
    block.put(1U << number, number + 1).put(0, mode.partition).put(0, mode.rotation).put(0, mode.selection);
    const unsigned ends = 2 * mode.subsets;
    // green of every second endpoint is the largest; alpha, where there is one, too
    for (unsigned k = 0; k < 4; ++k) {
      const unsigned bits = k < 3 ? mode.color : mode.alpha;
      for (unsigned end = 0; end < ends; ++end) block.put((k == 1 || k == 3) && end % 2 == 1 ? (1U << bits) - 1 : 0, bits);
    }
    if (mode.own != 0) {
      for (unsigned end = 0; end < ends; ++end) block.put(end % 2, 1);
    }
    if (mode.shared != 0) block.put(0, mode.subsets);
    // all indices are as large as they can be
    const unsigned indices = 16 * mode.index - mode.subsets + (mode.second != 0 ? 16 * mode.second - 1 : 0);
    block.at(128 - indices);
    for (unsigned bit = 0; bit < indices; ++bit) block.put(1, 1);
    const Four texel = load("BC7_UNORM", block.bytes(), 2, 1);
    // the last bit that the endpoints of mode 1 share is 0: 1111110 becomes 11111101
    EXPECT_EQ(texel[1], static_cast<float>((mode.shared != 0 ? 253 : 255) / 255.0)) << number;
    // of the others, own last bits are all that is not 0: it stands above those that repeat it
    const unsigned low = mode.own != 0 ? 1U << (7 - mode.color) | (mode.color < 7 ? 1U << (7 - mode.color) >> (mode.color + 1) : 0) : 0;
    EXPECT_EQ(texel[0], static_cast<float>(low / 255.0)) << number;
    EXPECT_EQ(texel[3], 1.0F) << number;
  }
  EXPECT_EQ(load("BC7_UNORM", std::vector<std::uint8_t>(16)), (Four{0, 0, 0, 0}));
}

}  // namespace
}  // namespace unshade::texel

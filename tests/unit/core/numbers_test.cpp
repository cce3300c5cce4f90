#include <unshade/core/text/numbers.hpp>

#include <gtest/gtest.h>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <string_view>

namespace unshade {
namespace {

#if defined(__cpp_lib_to_chars)
// What stands in for a standard library without std::from_chars of reals, beside one that has it.
template <class T, class Bits>
void expect_the_same(std::string_view text, std::chars_format format) {
  T expected = 1;
  T found = 1;
  const char* const end = text.data() + text.size();
  const auto want = std::from_chars(text.data(), end, expected, format);
  const auto got = inner::read_real_portably(text.data(), end, found, format);
  EXPECT_EQ(got.ec, want.ec) << text;
  EXPECT_EQ(got.ptr - text.data(), want.ptr - text.data()) << text;
  if (expected != expected) {
    EXPECT_NE(found, found) << text;
  } else {
    EXPECT_EQ(std::bit_cast<Bits>(found), std::bit_cast<Bits>(expected)) << text;
  }
}

void expect_the_same(std::string_view text, std::chars_format format = std::chars_format::general) {
  expect_the_same<float, std::uint32_t>(text, format);
  expect_the_same<double, std::uint64_t>(text, format);
}

TEST(ReadReal, PortablyAsTheStandardLibrary) {
  for (const std::string_view text : {"0",
                                      "-0",
                                      "1",
                                      "1.5",
                                      "-1.5e3",
                                      "1.",
                                      ".5",
                                      "1e",
                                      "1e+",
                                      "1e+5x",
                                      "1.5.2",
                                      ".",
                                      "",
                                      "-",
                                      "+1",
                                      " 1",
                                      "0x10",
                                      "e5",
                                      "inf",
                                      "-Infinity",
                                      "infinit",
                                      "nan",
                                      "NaN(1_a)",
                                      "nan(",
                                      "na",
                                      "1e400",
                                      "-1e400",
                                      "1e-400",
                                      "1e39",
                                      "1e-46",
                                      "0e999",
                                      "0.1",
                                      "16777217",
                                      "1.17549435e-38",
                                      "1.1754942e-38",
                                      "1e-45",
                                      "3.4028235e38",
                                      "3.4028236e38",
                                      "3.5e38",
                                      "0.000000000000000000000000000000000000000000000000000001",
                                      "1.00000005960464477539062500000000000000000000000000000000000001",
                                      "9007199254740993",
                                      "1e23",
                                      "4.9e-324",
                                      "2e-324"})
    expect_the_same(text);
  for (const std::string_view text : {"1", "1.8", "ff", "FFp-3", "1p", "1p+", ".8p4", "0", "-1.8p1", "g", "p1", "inf", "1.fffffep127"})
    expect_the_same(text, std::chars_format::hex);
}

TEST(ReadReal, PortablyAsTheStandardLibraryForAnyBits) {
  std::mt19937_64 random(7);
  for (int i = 0; i < 20000; ++i) {
    const auto value = std::bit_cast<double>(random());
    if (value != value) continue;
    char text[400];
    const auto whole = std::to_chars(text, text + sizeof text, value);
    expect_the_same<double, std::uint64_t>({text, whole.ptr}, std::chars_format::general);
    const auto narrow = std::bit_cast<float>(static_cast<std::uint32_t>(random()));
    if (narrow != narrow) continue;
    const auto digits = std::to_chars(text, text + sizeof text, narrow, std::chars_format::scientific, static_cast<int>(random() % 12));
    expect_the_same<float, std::uint32_t>({text, digits.ptr}, std::chars_format::general);
  }
}
#endif

TEST(ReadRounded, WhatIsTooSmallIsZeroAndWhatIsTooLargeHasNoValue) {
  for (const std::string_view text :
       {"1e-400", "0.1e-400", "0.001e-330", "10000000000e-400", ".5E-9223372036854775808", "1e-99999999999999999999"}) {
    double value = 1;
    const auto read = read_rounded(text.data(), text.data() + text.size(), value);
    EXPECT_TRUE(read.ec == std::errc{} && read.ptr == text.data() + text.size() && value == 0) << text;
  }
  const std::string small = "0." + std::string(400, '0') + "1";
  const std::string large = "1" + std::string(400, '0') + ".5e-3";
  double value = 1;
  EXPECT_TRUE(read_rounded(small.data(), small.data() + small.size(), value).ec == std::errc{} && value == 0);
  for (const std::string& text : {std::string("1e400"), std::string("0.1e999"), std::string("1e99999999999999999999"), large})
    EXPECT_EQ(read_rounded(text.data(), text.data() + text.size(), value).ec, std::errc::result_out_of_range) << text;
}

TEST(AsReal, RoundsEachWidthOnce) {
  const auto is = [](std::string_view digits, double wide, float narrow) {
    const auto read = as_real(digits);
    return read && read->wide == wide && read->narrow == narrow;
  };
  EXPECT_TRUE(is("1.00000005960464477539062500000000000000000000000000000000000001", 1.0 + 0x1p-24, 1.0F + 0x1p-23F));
  EXPECT_TRUE(is("1e-400", 0, 0) && is("1e-300", 1e-300, 0) && is(".5", 0.5, 0.5F));
  EXPECT_TRUE(is("1e300", 1e300, std::numeric_limits<float>::infinity()));
  for (const std::string_view none : {"", "-1", "+1", "inf", "nan", "1e400", "1.5 ", "e5", "."}) EXPECT_FALSE(as_real(none)) << none;
}

TEST(AsNumber, IsAllOfAText) {
  EXPECT_EQ(as_number<float>("1.5"), 1.5F);
  EXPECT_EQ(as_number<double>("1.5 "), std::nullopt);
  EXPECT_EQ(as_number<int>("-7"), -7);
  EXPECT_EQ(as_number<std::uint8_t>("256"), std::nullopt);
  EXPECT_EQ(as_number<unsigned>("ff", 16), 255U);
}

}  // namespace
}  // namespace unshade

#include <unshade/present/listing.hpp>

#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace unshade::present {
namespace {

std::string painted(shader::Family family, std::string_view listing) {
  Text out;
  paint_listing(family, listing, out);
  return out.str();
}

std::string without_colors(std::string text) {
  for (std::size_t at = 0; (at = text.find('\x1b', at)) != std::string::npos;) text.erase(at, text.find('m', at) + 1 - at);
  return text;
}

TEST(ListingColors, InstructionsNumbersAndComments) {
  EXPECT_EQ(painted(shader::Family::dxbc, "mov r0.x, l(-1.5) // as it is\n"),
            "\x1b[36mmov\x1b[0m r0.x, l(\x1b[31m-1.5\x1b[0m) \x1b[32m// as it is\x1b[0m\n");
  EXPECT_EQ(painted(shader::Family::dxil, "  %1 = fadd float %0, 2.0 ; line:3\n"),
            "  \x1b[33m%1\x1b[0m = \x1b[36mfadd\x1b[0m float \x1b[33m%0\x1b[0m, \x1b[31m2.0\x1b[0m \x1b[32m; line:3\x1b[0m\n");
  EXPECT_EQ(painted(shader::Family::pica, "main:\n\tadd r0, v1, c3\n"), "main:\n\t\x1b[36madd\x1b[0m r0, v1, c3\n");
  EXPECT_EQ(painted(shader::Family::dxil, "@\"a b\" = \"x;\\22y\""), "\x1b[33m@\"a b\"\x1b[0m = \x1b[35m\"x;\\22y\"\x1b[0m");
}

TEST(ListingColors, TheTextStaysTheSame) {
  for (const std::string_view text : {std::string_view("\"open\n;x\n%\n@@\n-\n--1\n.x:\n"), std::string_view(""), std::string_view("\n\n"),
                                      std::string_view("r0.x-1 a\"b\\"), std::string_view("%\"unended")})
    for (const auto family : {shader::Family::dxbc, shader::Family::dxil, shader::Family::pica, shader::Family::vbc})
      EXPECT_EQ(without_colors(painted(family, text)), text);
}

}  // namespace
}  // namespace unshade::present

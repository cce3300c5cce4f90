// Direct3D 9 programs as text: tokens by hand, and text that comes back.
#include <unshade/dxbc/level9/sm2_assemble.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

namespace unshade::test {

namespace {

using namespace dxbc::sm2;

std::vector<std::uint32_t> tokens_of(std::string_view text) {
  const auto bytes = assemble_program(text);
  EXPECT_TRUE(bytes) << to_string(bytes.error());
  std::vector<std::uint32_t> tokens;
  if (bytes)
    for (std::size_t at = 0; at < bytes->size(); at += 4) tokens.push_back(View(*bytes).u32(at).value_or(0));
  return tokens;
}

TEST(Sm2Assemble, TokensAreThoseOfTheSpecification) {
  // src: d3d9types.h
  const std::vector<std::uint32_t> wanted{0xfffe0200, 0x0200001f, 0x80010005, 0x900f0001, 0x02000001, 0x800f0000, 0xa1e40003, 0x0000ffff};
  EXPECT_EQ(tokens_of("vs_2_0\ndcl_texcoord1 v1\nmov r0, -c3\n"), wanted);
}

TEST(Sm2Assemble, TextComesBack) {
  const std::string text =
      "ps_2_x\n"
      "comment 4355544200000000\n"
      "def c0, 0.100000001, -1, 2.5, 0\n"
      "defi i0, 4, 0, 1, 0\n"
      "dcl t0.xy\n"
      "dcl_2d s0\n"
      "texldp_pp r0, t0, s0\n"
      "mad_sat_pp r0.xyz, r0_abs.wzyx, -c0.x, r1\n"
      "if_lt r0.x, c0.y\n"
      "mov oC0, r0\n"
      "endif\n"
      "tokens 0x02000001 0x870f0000 0xa0e40000\n";
  const auto bytes = assemble_program(text);
  ASSERT_TRUE(bytes) << to_string(bytes.error());
  Text printed;
  ASSERT_TRUE(print_program(printed, View(*bytes)));
  EXPECT_EQ(printed.view(), text);
}

TEST(Sm2Assemble, FaultsNameTheirLine) {
  const auto line = [](std::string_view text) {
    const auto bytes = assemble_program(text);
    return bytes ? std::string() : bytes.error().path;
  };
  EXPECT_EQ(line(""), "1");
  EXPECT_EQ(line("gs_2_0\n"), "1");
  EXPECT_EQ(line("vs_2_0\nmov r0\nadd r0, r1, r2\n"), "2");
  EXPECT_EQ(line("vs_3_0\nsincos r0.xy, r1.x\nsincos r0.xy\n"), "3");  // two operands may be left out, not three
  EXPECT_EQ(line("vs_2_0\nfly r0\n"), "2");
  EXPECT_EQ(line("vs_2_0\nmov r0, q1\n"), "2");
  EXPECT_EQ(line("vs_2_0\nmov r0, c9999999999\n"), "2");
  EXPECT_EQ(line("vs_2_0\nmov r0, c0[c1[a0.x]]\n"), "2");
  EXPECT_EQ(line("vs_2_0\n\ncomment 123\n"), "3");
  EXPECT_EQ(line("vs_2_0\ntokens 12\n"), "2");
}

TEST(Sm2Assemble, AProgramWithoutAnEndHasNoText) {
  const auto bytes = assemble_program("vs_2_0\nmov r0, c0\n");
  ASSERT_TRUE(bytes);
  for (std::size_t size = 0; size < bytes->size(); ++size) {
    Text text;
    EXPECT_FALSE(print_program(text, View(*bytes).clamped(0, size))) << size;
  }
}

TEST(Sm2Assemble, CommentsAreCountedAsHex) {
  EXPECT_EQ(hex_bytes("ps_2_x\ncomment 4355544200000000\nmov r0, c0\ncomment 01020304"), 12U);
  EXPECT_EQ(hex_bytes("ps_2_x\nmov r0, c0\n"), 0U);
  EXPECT_EQ(hex_bytes("comment"), 0U);
}

}  // namespace

}  // namespace unshade::test

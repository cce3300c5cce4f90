#include <unshade/dxbc/instruction_lines.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include <unshade/core/bits/little_endian.hpp>
#include <unshade/core/text/lines.hpp>
#include <unshade/dxbc/assembler.hpp>
#include <unshade/dxbc/level9/sm2_assemble.hpp>
#include <unshade/dxbc/program.hpp>

namespace unshade::dxbc {
namespace {

using Lines = std::vector<std::string>;

bool has(const Lines& lines, const std::string& wanted) { return std::ranges::find(lines, wanted) != lines.end(); }

TEST(InstructionLines, ALineIsAnInstructionAndNoRowOfATable) {
  const ProgramAssembly made = assemble_program(
      "ps_5_0\n"
      "dcl_immediateConstantBuffer { { 0, 0, 0, 0 },\n"
      "                              { 1, 0, 0, 0 } }\n"
      "dcl_output o0.xyzw\n"
      "if_nz l(1)\n"
      "  mov o0.xyzw, l(0,0,0,0)\n"
      "endif \n"
      "ret \n");
  ASSERT_TRUE(made.ok) << to_string(made.messages.front());
  std::vector<std::byte> bytes;
  append_all_little_endian<std::uint32_t>(bytes, made.tokens);
  const auto program = parse_program({dxcontainer::fourcc("SHEX"), 0, View(bytes)});
  ASSERT_TRUE(program);
  const auto lines = instruction_lines(*program);
  ASSERT_TRUE(lines) << to_string(lines.error());
  ASSERT_EQ(lines->size(), 6U);
  EXPECT_TRUE(lines->front().starts_with("dcl_immediateConstantBuffer")) << lines->front();
  EXPECT_EQ((*lines)[3].substr((*lines)[3].find('m')), "mov o0.xyzw, l(0,0,0,0)");
}

TEST(InstructionLines, ATruncatedProgramIsAnError) {
  std::vector<std::byte> bytes;
  append_all_little_endian<std::uint32_t>(bytes, std::vector<std::uint32_t>{0x50, 3, 0x05000036});  // mov of five tokens
  const auto program = parse_program({dxcontainer::fourcc("SHEX"), 0, View(bytes)});
  ASSERT_TRUE(program);
  EXPECT_FALSE(instruction_lines(*program));
}

TEST(InstructionLines, DirectX9HasNoLinesForVersionAndComments) {
  const auto bytes = sm2::assemble_program("ps_2_0\ncomment 4355544200000000\ndcl t0.xy\nmov r0, t0\nmov oC0, r0\n");
  ASSERT_TRUE(bytes) << to_string(bytes.error());
  const auto lines = sm2::instruction_lines(View(*bytes));
  ASSERT_TRUE(lines) << to_string(lines.error());
  EXPECT_EQ(*lines, (Lines{"dcl t0.xy", "mov r0, t0", "mov oC0, r0"}));
}

TEST(InstructionLines, DirectX9RefusesOtherVersions) {
  std::vector<std::byte> bytes;
  append_all_little_endian<std::uint32_t>(bytes, std::vector<std::uint32_t>{0xffff0400, 0x0000ffff});
  const auto lines = sm2::instruction_lines(View(bytes));
  ASSERT_FALSE(lines);
  EXPECT_EQ(lines.error().code, ErrorCode::bad_value);
  EXPECT_EQ(lines.error().path, "version");
}

TEST(Mnemonics, OfDirectX9HaveWhatIsInTheToken) {
  constexpr std::uint32_t kMov = 1, kTexld = 66, kIfc = 41;
  const Lines mov = sm2::mnemonics_of(*sm2::find_opcode(kMov));
  EXPECT_TRUE(has(mov, "mov"));
  EXPECT_TRUE(has(mov, "mov_sat_pp"));
  EXPECT_FALSE(has(mov, "mov_lt"));
  EXPECT_TRUE(has(sm2::mnemonics_of(*sm2::find_opcode(kTexld)), "texldp"));
  const Lines compare = sm2::mnemonics_of(*sm2::find_opcode(kIfc));
  EXPECT_TRUE(std::ranges::any_of(compare, [](const std::string& one) { return one.ends_with("_lt"); }));
}

TEST(ForEachLine, TakesEndsAway) {
  Lines lines;
  for_each_line("a\n\nb\nc", [&](std::string_view line) { lines.emplace_back(line); });
  EXPECT_EQ(lines, (Lines{"a", "", "b", "c"}));
  lines.clear();
  for_each_line("a\n", [&](std::string_view line) { lines.emplace_back(line); });
  EXPECT_EQ(lines, (Lines{"a"}));
}

}  // namespace
}  // namespace unshade::dxbc

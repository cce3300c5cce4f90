// What other disassemblers write, and what listings have before and behind statements.
#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include <unshade/dxbc/assembler.hpp>
#include <unshade/dxbc/listing.hpp>
#include <unshade/dxbc/program.hpp>
#include <unshade/dxcontainer/container.hpp>

#include "support/files.hpp"

namespace unshade::dxbc {

namespace {

using Tokens = std::vector<std::uint32_t>;

struct Made {
  Tokens tokens;
  std::string fault;
  std::vector<Message> messages;
};
Made made(std::string_view text) {
  auto assembly = assemble_program(text);
  Made result{std::move(assembly.tokens), {}, std::move(assembly.messages)};
  if (!assembly.ok) result.fault = result.messages.empty() ? "no message" : to_string(result.messages.front());
  return result;
}

/// That a text is the same program as one in fxc's words.
void same(std::string_view text, std::string_view of_fxc) {
  const Made one = made(text), other = made(of_fxc);
  EXPECT_EQ(one.fault, "") << text;
  EXPECT_EQ(other.fault, "") << of_fxc;
  EXPECT_EQ(one.tokens, other.tokens) << text;
}
void same_statement(std::string_view text, std::string_view of_fxc, std::string_view profile = "ps_5_0") {
  same(std::string(profile) + '\n' + std::string(text) + '\n', std::string(profile) + '\n' + std::string(of_fxc) + '\n');
}

/// The listing of a program, without its profile.
std::string listed(std::string_view text, ProgramListingOptions options = {}) {
  const Made program = made(text);
  EXPECT_EQ(program.fault, "");
  std::vector<std::byte> bytes(4 * program.tokens.size());
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<std::byte>(program.tokens[i / 4] >> 8 * (i % 4));
  const auto parsed = parse_program({dxcontainer::fourcc("SHEX"), 0, test::view_of(bytes)});
  Text out;
  EXPECT_TRUE(parsed && list_program(*parsed, "SHEX", out, options));
  return std::string(out.view().substr(out.view().find('\n') + 1));
}

constexpr std::string_view kPlain =
    "ps_5_0\n"
    "dcl_globalFlags refactoringAllowed | enableDoublePrecisionFloatOps\n"
    "dcl_constantbuffer cb0[4], immediateIndexed\n"
    "dcl_sampler s0, mode_default\n"
    "dcl_resource_texture2d (float,float,float,float) t1\n"
    "dcl_input_ps constant v1.xy\n"
    "dcl_output o0.xyzw\n"
    "dcl_temps 1\n"
    "sample_indexable(texture2d)(float,float,float,float) r0.xyzw, v1.xyxx, t1.xyzw, s0\n"
    "if_nz r0.x\n"
    "  mul o0.xyzw, -|r0.xyzw|, cb0[3].xyzw\n"
    "endif\n"
    "ret\n";

TEST(Dialects, RenderDocsListingIsRead) {
  same(
      "Shader hash 01234567-89abcdef-01234567-89abcdef\n\n"
      "ps_5_0\n"
      "      dcl_globalFlags refactoringAllowed, doublePrecisionFloats\n"
      "      dcl_constantbuffer cb0[4] (Globals), immediateIndexed\n"
      "      dcl_sampler linearSampler (s0), mode_default\n"
      "      dcl_resource_texture2d (float,float,float,float) diffuse (t1)\n"
      "      dcl_input_ps nointerpolation v1.xy\n"
      "      dcl_output o0.xyzw\n"
      "      dcl_temps 1\n"
      "   0: sample_indexable(texture2d)(float,float,float,float) r0.xyzw, v1.xyxx, diffuse.xyzw, linearSampler\n"
      "   1: if_nz r0.x\n"
      "   2:   mul o0.xyzw, -abs(r0.xyzw), cb0[3].xyzw\n"
      "   3: endif\n"
      "   4: ret\n",
      kPlain);
  // the longest name counts, and a name with an index is one
  same(
      "ps_5_0\ndcl_resource_texture2d (float,float,float,float) tex (t3)\ndcl_resource_texture2d (float,float,float,float) tex[1] (t4)\n"
      "dcl_temps 1\nld(texture2d)(float,float,float,float) r0.xyzw, l(0,0,0,0), tex[1].xyzw\n"
      "ld_indexable(texture2d)(float,float,float,float) r0.xyzw, l(0,0,0,0), tex.xyzw\n",
      "ps_5_0\ndcl_resource_texture2d (float,float,float,float) t3\ndcl_resource_texture2d (float,float,float,float) t4\n"
      "dcl_temps 1\nld_indexable(texture2d)(float,float,float,float) r0.xyzw, l(0,0,0,0), t4.xyzw\n"
      "ld_indexable(texture2d)(float,float,float,float) r0.xyzw, l(0,0,0,0), t3.xyzw\n");
  const Made named = made("ps_5_0\ndcl_constantbuffer cb0[4] (Globals), immediateIndexed\ndcl_temps 1\nmov r0.x, tint[2].x\n");
  EXPECT_TRUE(named.fault.starts_with("4:11: error[as.invalid-operand]")) << named.fault;
  EXPECT_NE(named.fault.find("named constants"), std::string::npos) << named.fault;
  EXPECT_TRUE(made("ps_5_0\ndcl_sampler s1 (s0), mode_default\n").fault.starts_with("2:13: error[as.syntax]"));
  EXPECT_TRUE(made("ps_5_0\ndcl_sampler a (cb0), mode_default\n").fault.starts_with("2:16: error[as.invalid-operand]"));
}

TEST(Dialects, RenderDocsRangesAreRead) {
  same(
      "ps_5_1\n"
      "      dcl_constantbuffer CB0[4], immediateIndexed space=1,reg=2\n"
      "      dcl_sampler S0, mode_default space=0,reg=3\n"
      "      dcl_resource_texture2d (float,float,float,float) T0[5:7] space=0,regs=5:7\n"
      "      dcl_resource_texture2d (float,float,float,float) T1[8:unbound] space=2,regs=8:unbounded\n"
      "      dcl_temps 1\n"
      "   0: sample_indexable(texture2d)(float,float,float,float) r0.xyzw, r0.xyxx, T0[6].xyzw, S0\n"
      "   1: mul r0.xyzw, r0.xyzw, CB0[1].xyzw\n",
      "ps_5_1\n"
      "dcl_constantbuffer CB0[2:2][4], immediateIndexed, space=1\n"
      "dcl_sampler S0[3:3], mode_default, space=0\n"
      "dcl_resource_texture2d (float,float,float,float) T0[5:7], space=0\n"
      "dcl_resource_texture2d (float,float,float,float) T1[8:*], space=2\n"
      "dcl_temps 1\n"
      "sample_indexable(texture2d)(float,float,float,float) r0.xyzw, r0.xyxx, T0[6].xyzw, S0[3]\n"
      "mul r0.xyzw, r0.xyzw, CB0[2][1].xyzw\n");
  EXPECT_TRUE(made("ps_5_1\ndcl_resource_texture2d (float,float,float,float) T0[5:7] space=0,regs=5:8\n")
                  .fault.starts_with("2:65: error[as.syntax]"));
}

TEST(Dialects, OtherSpellingsAreRead) {
  same_statement("sample_l(texture2d)(float,float,float,float) r0.xyzw, r0.xyxx, t0.xyzw, s0, l(0)",
                 "sample_l_indexable(texture2d)(float,float,float,float) r0.xyzw, r0.xyxx, t0.xyzw, s0, l(0)");
  same_statement("sample_indexable(1,0,-1)(texture2d)(float,float,float,float) r0.xyzw, r0.xyxx, t0.xyzw, s0",
                 "sample_aoffimmi_indexable(1,0,-1)(texture2d)(float,float,float,float) r0.xyzw, r0.xyxx, t0.xyzw, s0");
  same_statement("sample_indexable r0.xyzw, r0.xyxx, t0.xyzw, s0", "sample r0.xyzw, r0.xyxx, t0.xyzw, s0", "ps_4_0");
  same_statement("sample_indexable(1,0,0) r0.xyzw, r0.xyxx, t0.xyzw, s0", "sample_aoffimmi(1,0,0) r0.xyzw, r0.xyxx, t0.xyzw, s0", "ps_4_0");
  same_statement("ld_raw(rawbuffer)(mixed,mixed,mixed,mixed) r0.x, l(0), t0.xxxx",
                 "ld_raw_indexable(raw_buffer)(mixed,mixed,mixed,mixed) r0.x, l(0), t0.xxxx");
  same_statement("ld_ms(texture2dms)(float,float,float,float) r0.xyzw, r0.xyzw, t0.xyzw, l(0)",
                 "ldms_indexable(texture2dms)(float,float,float,float) r0.xyzw, r0.xyzw, t0.xyzw, l(0)");
  same_statement("resinfo_indexable(texture2d)(float,float,float,float)_float r0.xyzw, l(0), t0.xyzw",
                 "resinfo_indexable(texture2d)(float,float,float,float) r0.xyzw, l(0), t0.xyzw");
  same_statement("resinfo_indexable(texture2d)(float,float,float,float)_rcpFloat r0.xyzw, l(0), t0.xyzw",
                 "resinfo_indexable(texture2d)(float,float,float,float)_rcpfloat r0.xyzw, l(0), t0.xyzw");
  same_statement("resinfo_rcpFloat r0.xyzw, l(0), t0.xyzw", "resinfo_rcpfloat r0.xyzw, l(0), t0.xyzw", "ps_4_0");
  same_statement("dcl_uav_structured counters (u0), 8, hasOrderPreservingCounter, globallyCoherant", "dcl_uav_structured_glc_opc u0, 8");
  same_statement("dcl_uav_typed_texture2d (float,float,float,float) target (u1), rasterizerOrderedAccess",
                 "dcl_uav_typed_texture2d_rov (float,float,float,float) u1");
  same_statement("dcl_input_ps_siv linear noperspective v0.xy, position", "dcl_input_ps_siv linear noperspective v0.xy, position");
  same_statement("dcl_input_sgv v0.x, vertexid", "dcl_input_sgv v0.x, vertex_id", "vs_5_0");
  same_statement("dcl_output oDepthLessEqual", "dcl_output oDepthLE");
  same_statement("dcl_inputprimitive line_adj", "dcl_inputprimitive lineadj", "gs_5_0");
  same_statement("dcl_inputprimitive control_point_patch_3", "dcl_inputprimitive patch3", "gs_5_0");
  same_statement("dcl_outputtopology point", "dcl_outputtopology pointlist", "gs_5_0");
  same_statement("mov r0.x {min10f}, r1.x {min10f}", "mov r0.x {min2_8f}, r1.x {min2_8f}");
  same_statement("mad_sat [precise(xyz)]  r0.xyz, r0.xyzx, r0.xyzx, r0.xyzx", "mad_sat [precise(xyz)] r0.xyz, r0.xyzx, r0.xyzx, r0.xyzx");
  EXPECT_TRUE(made("ps_5_0\nsample_info r0.x, t0.x\n").fault.starts_with("2:1: error[as.unknown-instruction]"));
}

TEST(Dialects, NumbersBeforeStatementsAreSteppedOver) {
  std::string numbered, offsets, both;
  std::size_t line = 0;
  for (std::size_t at = 0; at < kPlain.size(); ++line) {
    const std::size_t end = kPlain.find('\n', at);
    const std::string text(kPlain.substr(at, end + 1 - at));
    at = end + 1;
    const std::string number = std::to_string(line);
    numbered += line == 0 ? text : "  " + number + ": " + text;
    offsets += line == 0 ? text : "0x0000" + number + "  " + text;
    both += line == 0 ? text : number + "  0x000000a" + number + ":  0100003e 0123abcd ... " + text;
  }
  same(numbered, kPlain);
  same(offsets, kPlain);
  same(both, kPlain);
  // what `dis` prints comes back
  for (const bool tokens : {false, true}) {
    ProgramListingOptions options;
    options.offsets = true;
    options.bytes = tokens;
    same("ps_5_0\n" + listed(kPlain, options), kPlain);
  }
  EXPECT_TRUE(made("ps_5_0\n  3:\n").fault.starts_with("2:5: error[as.unknown-instruction]"));
}

TEST(Dialects, DoublesEndInL) {
  const std::string_view text = "cs_5_0\ndadd r0.xyzw, r0.xyzw, d(1.500000l, -2.000000l)\n";
  EXPECT_EQ(listed(text), "dadd r0.xyzw, r0.xyzw, d(1.500000l, -2.000000l)\n");
  ProgramListingOptions exact;
  exact.exact_floats = true;
  exact.checks = &listing_checks();
  EXPECT_EQ(listed(text, exact), "dadd r0.xyzw, r0.xyzw, d(1.5l, -2.0l)\n");
  same(text, "cs_5_0\ndadd r0.xyzw, r0.xyzw, d(1.5, -2)\n");
  same(text, "cs_5_0\ndadd r0.xyzw, r0.xyzw, d(0x00000000, 0x3ff80000, 0x00000000, 0xc0000000)\n");
  same("cs_5_0\n" + listed("cs_5_0\ndmov r0.xyzw, d(0x7ff0000000000000, 0xfff8000000000000)\n"),
       "cs_5_0\ndmov r0.xyzw, d(infl, -nan(ind)l)\n");
  EXPECT_EQ(made("cs_5_0\ndmov r0.xyzw, d(0, 0, 0x100000000, 0)\n").fault.substr(0, 31), "2:23: error[as.number-range]: e");
}

TEST(Dialects, SyncSaysItsBitsAsInstructionsDo) {
  constexpr std::uint32_t kSync = 0x010000be;
  const auto token = [](std::string_view text) { return made("cs_5_0\n" + std::string(text) + '\n').tokens.at(2); };
  EXPECT_EQ(token("sync_sat_ugroup_g_t"), kSync | 7U << 11);
  EXPECT_EQ(token("sync_ugroup_g_t"), kSync | 7U << 11);
  EXPECT_EQ(token("sync_uglobal"), kSync | 8U << 11);
  EXPECT_EQ(token("sync_sat_uglobal_t"), kSync | 13U << 11);
  EXPECT_EQ(token("sync_uglobal_ugroup_t"), kSync | 13U << 11);
  EXPECT_EQ(listed("cs_5_0\nsync_ugroup_t\nsync_uglobal_t\nsync_uglobal_ugroup\n"),
            "sync_sat_ugroup_t\nsync_uglobal_t\nsync_sat_uglobal\n");
  EXPECT_TRUE(made("cs_5_0\nsync_sat_g_t\n").fault.starts_with("2:5: error[as.invalid-suffix]"));
}

TEST(Dialects, FormatsOfMessagesAreEscaped) {
  const std::string text = "cs_5_0\nprintf \"a\\nb\\\\c\\t\\r\\b\\\"d\", r0.x\n";
  EXPECT_TRUE(made(text).fault.starts_with("2:22: error[as.syntax]")) << made(text).fault;  // quotes are not escaped
  const std::string good = "cs_5_0\nprintf \"a\\nb\\\\c\\t\\r\\b\"d\", r0.x\n";
  EXPECT_EQ(listed(good), good.substr(good.find('\n') + 1));
  const Tokens tokens = made(good).tokens;
  ASSERT_EQ(tokens.size(), 2U + 7 + 2 + 3);
  EXPECT_EQ(tokens[6], 10U);           // characters
  EXPECT_EQ(tokens[11], 0x5c620a61U);  // a, line feed, b, backslash
  EXPECT_TRUE(made("cs_5_0\nerrorf \"a\\q\"\n").fault.starts_with("2:10: error[as.syntax]"));
  EXPECT_TRUE(made("cs_5_0\nerrorf \"a\\\"\n").fault.starts_with("2:10: error[as.syntax]"));
}

TEST(Dialects, CustomDataIsAnInstructionWithoutItsData) {
  const std::string_view data = "cs_5_0\n.tokens 0x00001035, 0x00000004, 0x12345678, 0x9abcdef0\nret\n";
  EXPECT_EQ(listed(data), "undecipherable custom data\nret \n");
  const Made lost = made("cs_5_0\nundecipherable custom data\nret\n");
  EXPECT_EQ(lost.fault, "");
  ASSERT_EQ(lost.messages.size(), 1U);
  EXPECT_EQ(lost.messages[0].id, "as.custom-data-left-out");
  EXPECT_EQ(lost.tokens, made("cs_5_0\nret\n").tokens);
  // with its tokens, which 3Dmigoto puts behind it
  same("cs_5_0\nundecipherable custom data 0x00001035 0x00000004 0x12345678 0x9abcdef0\nret\n", data);
  EXPECT_TRUE(made("cs_5_0\nundecipherable custom data 0x00001035\n").fault.starts_with("2:1: error[as.instruction-length]"));
}

TEST(Dialects, WhatHasNoTextIsTokensInPlainListingsToo) {
  const std::string_view unknown = "cs_5_0\n.tokens 0x020007ff, 0x12345678\n";
  EXPECT_EQ(listed(unknown), ".tokens 0x020007ff, 0x12345678  // unknown opcode 2047\n");
  same("cs_5_0\n" + listed(unknown), unknown);
  // a message of an unknown kind
  const std::string_view message =
      "cs_5_0\n.tokens 0x00002035, 0x00000008, 0x00000007, 0x00000001, 0x00000001, 0x00000000, 0x00000000, 0x00000061\n";
  EXPECT_NE(listed(message).find("  // message \"a\"\n"), std::string::npos) << listed(message);
  same("cs_5_0\n" + listed(message), message);
}

TEST(Dialects, CommentsWithBracesAreComments) {
  constexpr std::string_view kTable =
      "// Output signature:\n//\n// Name                 Index   Mask Register SysValue  Format   Used\n"
      "// SV_Target                0   xyzw        0   TARGET   float   xyzw\n//\nps_4_0\ndcl_output o0.xyzw\n";
  constexpr std::string_view kSource = "// float4 main() {\n// {\n//   return 0;\n// }\n// } // main\n//\n";
  const auto plain = assemble(std::string(kTable) + "mov o0.xyzw, l(0,0,0,0)\nret\n");
  ASSERT_TRUE(plain.ok);
  const auto above = assemble(std::string(kSource) + std::string(kTable) + "mov o0.xyzw, l(0,0,0,0)\nret\n");
  ASSERT_TRUE(above.ok) << to_string(above.messages[0]);
  EXPECT_EQ(above.file, plain.file);
  const auto below = assemble(std::string(kTable) + std::string(kSource) + "mov o0.xyzw, l(0,0,0,0)\nret\n" + std::string(kSource));
  ASSERT_TRUE(below.ok) << to_string(below.messages[0]);
  EXPECT_EQ(below.file, plain.file);
  // a variable whose title is misspelt is none
  EXPECT_FALSE(
      assemble("// Buffer Definition:\n//\n// cbuffer b\n// {\n//   float4 a;  // Offset:    0 Size:    16\n// }\nps_4_0\nret\n").ok);
}

TEST(Dialects, CodeForLevel9IsToldOfEdits) {
  constexpr std::string_view kProgram = "ps_4_0\nmov o0.xyzw, l(0,0,0,0)\nret\n.part Aon9 { 00 }\n";
  const auto first = assemble(std::string(kProgram) + ".part SHDR\n");
  ASSERT_TRUE(first.ok) << to_string(first.messages[0]);
  ASSERT_EQ(first.messages.size(), 1U);
  EXPECT_EQ(first.messages[0].id, "as.level9-kept");
}

}  // namespace

}  // namespace unshade::dxbc

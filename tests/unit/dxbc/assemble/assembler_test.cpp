#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include <unshade/dxbc/assembler.hpp>
#include <unshade/dxbc/container/listing.hpp>
#include <unshade/dxbc/listing.hpp>
#include <unshade/dxbc/listing/header.hpp>
#include <unshade/dxbc/program.hpp>
#include <unshade/dxbc/rdef.hpp>
#include <unshade/dxbc/statistics.hpp>
#include <unshade/dxcontainer/container.hpp>
#include <unshade/dxcontainer/digest.hpp>
#include <unshade/dxcontainer/signature.hpp>

#include "dxbc/listing/number_text.hpp"
#include "support/files.hpp"

namespace unshade::dxbc {

namespace {

using dxcontainer::fourcc;
using test::sample;
using test::view_of;
using Tokens = std::vector<std::uint32_t>;

// The tokens of one statement in a program of shader model 5.0, or 5.1.
Tokens tokens_of(std::string_view statement, std::string_view profile = "ps_5_0") {
  const auto assembly = assemble_program(std::string(profile) + '\n' + std::string(statement) + '\n');
  EXPECT_TRUE(assembly.ok) << statement << ": " << (assembly.messages.empty() ? "" : to_string(assembly.messages[0]));
  return assembly.tokens.size() < 2 ? Tokens{} : Tokens(assembly.tokens.begin() + 2, assembly.tokens.end());
}

struct Fault {
  MessageKind message;
  std::uint32_t line;
  std::uint32_t column;
  friend bool operator==(const Fault&, const Fault&) = default;
};
std::ostream& operator<<(std::ostream& out, const Fault& fault) {
  return out << rule(fault.message).id << " at " << fault.line << ':' << fault.column;
}
Fault first_fault(const std::vector<Message>& messages) {
  if (messages.empty()) return {MessageKind::syntax, 0, 0};
  const auto rules = assembler_rules();
  const auto row = std::ranges::find(rules, messages[0].id, &Rule::id);
  return {static_cast<MessageKind>(row - rules.begin()), messages[0].line, messages[0].column};
}
// Of a statement on the second line.
Fault fault_of(std::string_view statement, std::string_view profile = "ps_5_0") {
  const auto assembly = assemble_program(std::string(profile) + '\n' + std::string(statement));
  EXPECT_FALSE(assembly.ok) << statement;
  return first_fault(assembly.messages);
}

// A literal of one component in an operand for floats.
std::uint32_t float_bits(std::string_view text) {
  const auto tokens = tokens_of("add r0.x, r0.x, l(" + std::string(text) + ")");
  return tokens.empty() ? 0 : tokens.back();
}

std::string exact_listing(const dxcontainer::Container& container) {
  Text out;
  container::ContainerListingOptions options;
  options.exact = true;
  options.checks = &listing_checks();
  EXPECT_TRUE(container::list_container(container, out, options).has_value());
  return out.str();
}

TEST(Assembler, Instructions) {
  EXPECT_EQ(tokens_of("ret"), (Tokens{0x0100003e}));
  EXPECT_EQ(tokens_of("add_sat r0.xy, -r1.xyxx, |r2.z|"),
            (Tokens{0x09002000, 0x00100032, 0, 0x80100046, 0x00000041, 1, 0x8010002a, 0x00000081, 2}));
  EXPECT_EQ(tokens_of("mov o0.xyzw, l(1.0, 2, -1, 0x7f800000)"),
            (Tokens{0x08000036, 0x001020f2, 0, 0x00004002, 0x3f800000, 2, 0xffffffff, 0x7f800000}));
  EXPECT_EQ(tokens_of("if_nz r0.x"), (Tokens{0x0304001f, 0x0010000a, 0}));
  EXPECT_EQ(tokens_of("if_z r0.x"), (Tokens{0x0300001f, 0x0010000a, 0}));
  EXPECT_EQ(tokens_of("discard r0.x"), (Tokens{0x0304000d, 0x0010000a, 0}));  // as older listings print it
  EXPECT_EQ(tokens_of("sync_g_t", "cs_5_0"), (Tokens{0x010018be}));
  EXPECT_EQ(tokens_of("mul [precise(xz)] r0.x, r1.x, r2.x"), (Tokens{0x07280038, 0x00100012, 0, 0x0010000a, 1, 0x0010000a, 2}));
  EXPECT_EQ(tokens_of("imul null, r0.x, r1.x, r2.x"), (Tokens{0x08000026, 0x0000d000, 0x00100012, 0, 0x0010000a, 1, 0x0010000a, 2}));
}

TEST(Assembler, ExtendedTokens) {
  const auto tokens = tokens_of("sample_aoffimmi_indexable(-1,0,0)(texture2d)(float,float,float,float) r0.xyzw, v0.xyxx, t0.xyzw, s0");
  ASSERT_EQ(tokens.size(), 12U);
  EXPECT_EQ(tokens[1], 0x80000000U | 15U << 9 | 1U);
  EXPECT_EQ(tokens[2], 0x800000c2U);
  EXPECT_EQ(tokens[3], 0x00155543U);
  EXPECT_EQ(tokens[0] >> 24, 0x80U | 12U);
  // the DirectX SDK's spelling
  EXPECT_EQ(tokens_of("sample(-1,0,0) r0.xyzw, v0.xyxx, t0.xyzw, s0", "ps_4_0")[1], 15U << 9 | 1U);
  EXPECT_EQ(tokens_of("ld_structured_indexable(structured_buffer, stride=16)(mixed,mixed,mixed,mixed) r0.x, r1.x, l(0), t0.xxxx")[1],
            0x80000000U | 16U << 11 | 12U << 6 | 2U);
  EXPECT_EQ(tokens_of("resinfo_indexable(texture2d)(float,float,float,float)_uint r0.xy, l(0), t0.xyzw")[0] >> 11 & 3, 2U);
  EXPECT_EQ(tokens_of("sampleinfo_uint r0.x, t0.x")[0] >> 11 & 3, 1U);
}

TEST(Assembler, Indexes) {
  EXPECT_EQ(tokens_of("mov r0.x, cb0[3].y"), (Tokens{0x06000036, 0x00100012, 0, 0x0020801a, 0, 3}));
  EXPECT_EQ(tokens_of("mov r0.x, cb0[r1.x + 0].y"), (Tokens{0x07000036, 0x00100012, 0, 0x0420801a, 0, 0x0010000a, 1}));
  EXPECT_EQ(tokens_of("mov r0.x, cb0[r1.x + 3].y"), (Tokens{0x08000036, 0x00100012, 0, 0x0620801a, 0, 3, 0x0010000a, 1}));
  EXPECT_EQ(tokens_of("mov r0.x, cb0[r1.x].y"), tokens_of("mov r0.x, cb0[r1.x + 0].y"));
  EXPECT_EQ(tokens_of("mov r0.x, cb0[3 + r1.x].y"), tokens_of("mov r0.x, cb0[r1.x + 3].y"));
  EXPECT_EQ(fault_of("mov r0.x, cb0[r1.x + 3"), (Fault{MessageKind::invalid_index, 2, 23}));
  EXPECT_EQ(fault_of("mov r0.x, cb0[x0[x1[x2[x3[x4[r0.x]]]]]]").message, MessageKind::index_depth);
}

TEST(Assembler, Annotations) {
  EXPECT_EQ(tokens_of("mov r0.x {min16f}, r1.x {min16f}"), (Tokens{0x07000036, 0x80100012, 0x00004001, 0, 0x8010000a, 0x00004001, 1}));
  EXPECT_EQ(tokens_of("mov r0.x, r1.x {min16f as def32}"), (Tokens{0x06000036, 0x00100012, 0, 0x8010000a, 0x00004001, 1}));
  EXPECT_EQ(tokens_of("mov r0.x {min16f}, r1.x {def32 as min16f}"), (Tokens{0x06000036, 0x80100012, 0x00004001, 0, 0x0010000a, 1}));
  EXPECT_EQ(fault_of("mov r0.x, r1.x {def32 as min16f}"), (Fault{MessageKind::unknown_word, 2, 26}));
  EXPECT_EQ(fault_of("ftoi r0.x, r1.x {min16f as def32}"), (Fault{MessageKind::unknown_word, 2, 28}));
  EXPECT_EQ(fault_of("movc r0.x, r2.x {min16u as def32}, r1.x, r1.x"), (Fault{MessageKind::unknown_word, 2, 28}));
  EXPECT_EQ(tokens_of("movc r0.x, r2.x, r1.x {min16f as def32}, r1.x").size(), 10U);
  EXPECT_EQ(tokens_of("ld r0.x, r1.xxxx, T0[r1.x + 0].xyzw {nonuniform}", "ps_5_1")[5] >> 31, 1U);
}

TEST(Assembler, Declarations) {
  EXPECT_EQ(tokens_of("dcl_globalFlags refactoringAllowed | enableRawAndStructuredBuffers"), (Tokens{0x0100486a}));
  EXPECT_EQ(tokens_of("dcl_globalFlags unknown(4096)"), (Tokens{0x0180006a}));
  EXPECT_EQ(tokens_of("dcl_constantbuffer CB1[4], dynamicIndexed"), (Tokens{0x04000859, 0x00208e46, 1, 4}));
  EXPECT_EQ(tokens_of("dcl_constantbuffer CB0[1:2][4], immediateIndexed, space=3", "ps_5_1"),
            (Tokens{0x07000059, 0x00308e46, 0, 1, 2, 4, 3}));
  EXPECT_EQ(tokens_of("dcl_resource_texture2d (float,float,float,float) T0[2:*], space=0", "ps_5_1"),
            (Tokens{0x07001858, 0x00307e46, 0, 2, 0xffffffff, 0x5555, 0}));
  EXPECT_EQ(tokens_of("dcl_resource_texture2dms(4) (float,float,float,float) t0"), (Tokens{0x04042058, 0x00107000, 0, 0x5555}));
  EXPECT_EQ(tokens_of("dcl_uav_structured_glc_opc u0, 16"), (Tokens{0x0481009e, 0x0011e000, 0, 16}));
  EXPECT_EQ(tokens_of("dcl_input_ps linear noperspective v1.xy"), (Tokens{0x03002062, 0x00101032, 1}));
  EXPECT_EQ(tokens_of("dcl_input_ps_siv linear noperspective v0.xy, position"), (Tokens{0x04002064, 0x00101032, 0, 1}));
  EXPECT_EQ(tokens_of("dcl_input_ps_sgv v0.x, is_front_face"), (Tokens{0x04000863, 0x00101012, 0, 9}));  // constant, as all are
  EXPECT_EQ(tokens_of("dcl_output oDepth"), (Tokens{0x02000065, 0x0000c001}));
  EXPECT_EQ(tokens_of("dcl_output oMask"), (Tokens{0x02000065, 0x0000f000}));
  EXPECT_EQ(tokens_of("dcl_indexableTemp x1[8], 4"), (Tokens{0x04000069, 1, 8, 4}));
  EXPECT_EQ(tokens_of("dcl_thread_group 8, 4, 1", "cs_5_0"), (Tokens{0x0400009b, 8, 4, 1}));
  EXPECT_EQ(tokens_of("dcl_hs_max_tessfactor l(64.0)", "hs_5_0"), (Tokens{0x02000098, 0x42800000}));
  EXPECT_EQ(tokens_of("dcl_inputprimitive patch3", "gs_5_0"), (Tokens{0x0100505d}));
  EXPECT_EQ(tokens_of("dcl_function_table ft1 = {fb0, fb2}"), (Tokens{0x05000091, 1, 2, 0, 2}));
  EXPECT_EQ(tokens_of("dcl_interface_dynamicindexed fp0[2][1] = {ft0}"), (Tokens{0x05000892, 0, 1, 0x00020001, 0}));
}

TEST(Assembler, CustomData) {
  EXPECT_EQ(tokens_of("dcl_immediateConstantBuffer { { 1.0, 2, 0, 0},\n   // a comment\n   { 3, 4, 5, 6} }"),
            (Tokens{0x00001835, 10, 0x3f800000, 2, 0, 0, 3, 4, 5, 6}));
  EXPECT_EQ(tokens_of("printf \"%0 \\\\is\", r0.x"),
            (Tokens{0x00002035, 11, 0x00200102, 1, 6, 1, 2, 0x0010000a, 0, 0x5c203025, 0x00007369}));
  EXPECT_EQ(tokens_of(".tokens 0x0200003e, 7"), (Tokens{0x0200003e, 7}));
  EXPECT_EQ(tokens_of(".tokens 0x00000035, 3, 9"), (Tokens{0x00000035, 3, 9}));
  EXPECT_EQ(tokens_of("fcall fp0[r0.x + 1][2]"), (Tokens{0x07000078, 2, 0x06213000, 0, 1, 0x0010000a, 0}));
}

// What follows would be read as part of it, or it as part of what follows.
TEST(Assembler, RawTokensAreOneInstruction) {
  for (const char* statement :
       {".tokens 0x0100003e, 7", ".tokens 0x0300003e, 7", ".tokens 0x00000035, 7", ".tokens 0x0100003e, 0x0100003e"})
    EXPECT_EQ(fault_of(statement), (Fault{MessageKind::instruction_length, 2, 1})) << statement;
}

// Quotes are not escaped: the last one of the line ends the format.
TEST(Assembler, CommentsAfterMessagesHaveNoQuotes) {
  EXPECT_EQ(fault_of("printf \"v %0\", r0.x // in \"quotes\""), (Fault{MessageKind::syntax, 2, 21}));
  EXPECT_EQ(fault_of("printf \"v\" // \"w\""), (Fault{MessageKind::syntax, 2, 12}));
  EXPECT_EQ(tokens_of("printf \"v %0\", r0.x // no quotes").size(), 11U);
  EXPECT_EQ(tokens_of("printf \"a \"b\" %0\", r0.x").size(), 12U);
}

// Documents have a program alone: what is not of it would be lost.
TEST(Assembler, AProgramAloneHasNoStatementsAboutParts) {
  for (const char* statement : {".packed", ".part SHEX", ".statistic mov_instruction_count 3", ".compile_flags 3", ".digest { }",
                                ".after { 00 }", ".trailing { 00 }"})
    EXPECT_EQ(fault_of(std::string(statement) + "\nret"), (Fault{MessageKind::unknown_instruction, 2, 1})) << statement;
  const auto with_level9 = assemble_program("ps_2_0\nmov oC0, c0\nps_5_0\nret");
  EXPECT_TRUE(with_level9.ok);
  EXPECT_EQ(first_fault(with_level9.messages), (Fault{MessageKind::level9_left_out, 1, 1}));
}

TEST(Assembler, Numbers) {
  EXPECT_EQ(float_bits("1"), 0x3f800000U);
  EXPECT_EQ(float_bits("-.5"), 0xbf000000U);
  EXPECT_EQ(float_bits("1e-3"), 0x3a83126fU);
  EXPECT_EQ(float_bits("0x12345678"), 0x12345678U);
  EXPECT_EQ(float_bits("1.0f"), 0x3f800000U);
  EXPECT_EQ(float_bits("-1.#INF00"), 0xff800000U);
  EXPECT_EQ(float_bits("inf"), 0x7f800000U);
  EXPECT_EQ(float_bits("-nan(ind)"), 0xffc00000U);
  EXPECT_EQ(float_bits("16777217.000000"), 0x4b800000U);
  EXPECT_EQ(tokens_of("iadd r0.x, r0.x, l(-2147483648)").back(), 0x80000000U);
  EXPECT_EQ(tokens_of("dmov r0.xyzw, d(1.0, -2.0)", "ps_5_0"),
            (Tokens{0x080000c7, 0x001000f2, 0, 0x00005002, 0, 0x3ff00000, 0, 0xc0000000}));
  EXPECT_EQ(fault_of("add r0.x, r0.x, l(1e99)"), (Fault{MessageKind::number_range, 2, 19}));
  EXPECT_EQ(fault_of("iadd r0.x, r0.x, l(4294967296)"), (Fault{MessageKind::number_range, 2, 20}));
  EXPECT_EQ(fault_of("add r0.x, r0.x, l(one)"), (Fault{MessageKind::invalid_number, 2, 19}));
  EXPECT_EQ(fault_of("add r0.xyz, r0.xyzx, l(1.0, 2.0)"), (Fault{MessageKind::literal_count, 2, 22}));
}

TEST(Assembler, RoundedFloatsAreGuessed) {
  EXPECT_EQ(float_bits("0.333333"), 0x3eaaaaabU);  // 1/3
  EXPECT_EQ(float_bits("0.003922"), 0x3b808081U);  // 1/255
  EXPECT_EQ(float_bits("-0.003922"), 0xbb808081U);
  EXPECT_EQ(float_bits("0.3333330"), 0x3eaaaa9fU);  // a decimal more: just this
  EXPECT_EQ(float_bits("0.100000"), 0x3dcccccdU);
  EXPECT_EQ(float_bits("0.123457"), 0x3dfcd6eaU);  // no simple fraction
  AssemblerOptions nearest;
  nearest.guess_rounded = false;
  EXPECT_EQ(assemble_program("ps_5_0\nadd r0.x, r0.x, l(0.333333)", nearest).tokens.back(), 0x3eaaaa9fU);
}

TEST(Assembler, ExactFloatsAreNeverTakenForRounded) {
  for (const std::uint32_t bits :
       {0x3eaaaa9fU, 0x3eaaaaabU, 0x3b808081U, 0x00000001U, 0x7f7fffffU, 0x80000000U, 0x7fc00001U, 0x3dcccccdU, 0x4b800001U, 0x358637bdU}) {
    char text[listing::kNumberRoom];
    const std::string_view written(text, static_cast<std::size_t>(listing::write_exact_float(text, bits) - text));
    EXPECT_EQ(float_bits(written), bits) << written;
  }
}

TEST(Assembler, FaultsHaveAPlace) {
  EXPECT_EQ(fault_of("  frobnicate r0.x"), (Fault{MessageKind::unknown_instruction, 2, 3}));
  EXPECT_EQ(fault_of("mov_sad r0.x, r1.x"), (Fault{MessageKind::invalid_suffix, 2, 4}));
  EXPECT_EQ(fault_of("mov r0.x r1.x"), (Fault{MessageKind::syntax, 2, 10}));
  EXPECT_EQ(fault_of("mov r0.x, r1.x, r2.x"), (Fault{MessageKind::syntax, 2, 15}));
  EXPECT_EQ(fault_of("mov r0.x, q1.x"), (Fault{MessageKind::invalid_operand, 2, 11}));
  EXPECT_EQ(fault_of("mov r0.yx, r1.x"), (Fault{MessageKind::invalid_components, 2, 8}));
  EXPECT_EQ(fault_of("mov r0.x, r1.xq"), (Fault{MessageKind::invalid_components, 2, 14}));
  EXPECT_EQ(fault_of("dcl_sampler s0, mode_new"), (Fault{MessageKind::unknown_word, 2, 17}));
  EXPECT_EQ(fault_of("mov r99999999999.x, r0.x"), (Fault{MessageKind::number_range, 2, 6}));
  EXPECT_EQ(fault_of("sample_aoffimmi(9,0,0) r0.x, r0.x, t0.x, s0"), (Fault{MessageKind::number_range, 2, 17}));
  EXPECT_EQ(first_fault(assemble_program("// only a comment\n").messages), (Fault{MessageKind::no_profile, 2, 1}));
  EXPECT_EQ(first_fault(assemble_program("ps_6_0x\n").messages), (Fault{MessageKind::no_profile, 1, 1}));
}

TEST(Assembler, GoesOnBehindAFault) {
  const auto assembly = assemble_program("ps_5_0\nmov r0.q, r1\nret\nbogus\n");
  ASSERT_EQ(assembly.messages.size(), 2U);
  EXPECT_EQ(assembly.messages[1].line, 4U);
  std::string many = "ps_5_0\n";
  for (int i = 0; i < 1000; ++i) many += "bogus\n";
  const auto faults = assemble_program(many).messages;
  EXPECT_EQ(faults.size(), 100U);
  EXPECT_EQ(faults.back().id, rule(MessageKind::too_many_messages).id);
}

TEST(Assembler, HandWrittenText) {
  const auto plain = assemble_program("ps_5_0\nmov o0.xyzw, r0.xyzw\nret\n");
  EXPECT_EQ(assemble_program("// a comment\r\n\r\n\tps_5_0   \r\n  mov   o0 ,  r0   // all four\r\n\r\nret").tokens, plain.tokens);
  EXPECT_TRUE(assemble_program("#line 1 \"a.hlsl\"\nps_5_0\n#line 2\nret").ok);
}

TEST(Assembler, ContainerOfTables) {
  constexpr std::string_view kText =
      "// Input signature:\n"
      "//\n"
      "// Name                 Index   Mask Register SysValue  Format   Used\n"
      "// -------------------- ----- ------ -------- -------- ------- ------\n"
      "// SV_Position              0   xyzw        0      POS   float       \n"
      "// TEXCOORD                 2   x z         1     NONE    uint   x   \n"
      "//\n"
      "// Output signature:\n"
      "//\n"
      "// SV_Target                0   xyzw        0   TARGET   float   xyz \n"
      "// SV_Depth                 0    N/A   oDepth    DEPTH   float    YES\n"
      "//\n"
      "ps_5_0\n"
      "ret\n"
      "// Approximately 1 instruction slots used\n";
  const auto assembly = assemble(kText);
  ASSERT_TRUE(assembly.ok) << to_string(assembly.messages[0]);
  const auto container = dxcontainer::parse_container(view_of(assembly.file));
  ASSERT_TRUE(container.has_value());
  EXPECT_EQ(dxcontainer::check_digest(*container), dxcontainer::DigestState::valid);
  std::string parts;
  for (const auto& part : container->parts) parts += std::string(part.name()) + ' ';
  EXPECT_EQ(parts, "ISGN OSGN SHEX STAT ");
  const auto input = dxcontainer::parse_signature(container->parts[0]);
  ASSERT_TRUE(input.has_value());
  ASSERT_EQ(input->elements.size(), 2U);
  EXPECT_EQ(input->elements[1].semantic.text, "TEXCOORD");
  EXPECT_EQ(input->elements[1].semantic_index, 2U);
  EXPECT_EQ(input->elements[1].mask, 5U);
  EXPECT_EQ(input->elements[1].used_mask, 1U);
  const auto output = dxcontainer::parse_signature(container->parts[1]);
  ASSERT_TRUE(output.has_value());
  ASSERT_EQ(output->elements.size(), 2U);
  EXPECT_EQ(output->elements[0].system_value, dxcontainer::SystemValue::undefined);
  EXPECT_EQ(output->elements[0].used_mask, 8U);  // never written
  EXPECT_EQ(output->elements[1].register_index, dxcontainer::kNoRegister);
  EXPECT_EQ(output->elements[1].used_mask, 14U);
  const auto statistics = parse_statistics(container->parts[3]);
  ASSERT_TRUE(statistics.has_value());
  EXPECT_EQ(statistics->instruction_count, 1U);
}

TEST(Assembler, FaultsOfTables) {
  const auto fault = [](std::string_view row) {
    return first_fault(assemble("// Input signature:\n//\n" + std::string(row) + "\n//\nps_5_0\nret\n").messages);
  };
  EXPECT_EQ(fault("// TEXCOORD  0 xy 1 NOPE float xy"), (Fault{MessageKind::table_row, 3, 21}));
  EXPECT_EQ(fault("// TEXCOORD  0 xy 1 NONE floot xy"), (Fault{MessageKind::table_row, 3, 26}));
  EXPECT_EQ(fault("// TEXCOORD  zero"), (Fault{MessageKind::table_row, 3, 14}));
  EXPECT_EQ(first_fault(assemble("ps_5_0\nret\n.part SPDB\n").messages), (Fault{MessageKind::part, 3, 7}));
  EXPECT_EQ(first_fault(assemble("ps_5_0\nret\n.part SPDB { 0 }\n").messages), (Fault{MessageKind::invalid_number, 3, 14}));
  EXPECT_EQ(first_fault(assemble("ps_5_0\nret\n.packed 0\n").messages), (Fault{MessageKind::number_range, 3, 9}));
}

TEST(Assembler, DirectivesOfAPreprocessorAreRefused) {
  EXPECT_TRUE(assemble("ps_5_0\n#line 3 \"a.hlsl\"\nret\n").ok);
  EXPECT_EQ(first_fault(assemble("ps_5_0\n#include \"a.hlsl\"\nret\n").messages), (Fault{MessageKind::unknown_instruction, 2, 1}));
  EXPECT_FALSE(assemble("#define A 1\nps_5_0\nret\n").ok);
}

TEST(Assembler, RowsOfBindings) {
  const auto assembly = assemble(
      "// Resource Bindings:\n//\n"
      "// Name                                 Type  Format         Dim      HLSL Bind  Count\n"
      "// lights                            texture  struct         r/o             t1      1 \n"
      "// shadow                          sampler_c      NA          NA             s0      1 \n"
      "// ms                                texture  float4       2dMS4             t0      2 \n"
      "//\nps_5_0\ndcl_resource_structured t1, 48\nret\n.compile_flags 0x105\n.packed 1\n");
  ASSERT_TRUE(assembly.ok) << to_string(assembly.messages[0]);
  const auto container = dxcontainer::parse_container(view_of(assembly.file));
  ASSERT_TRUE(container.has_value());
  const auto* part = container->find(fourcc("RDEF"));
  ASSERT_NE(part, nullptr);
  const auto rdef = parse_rdef(*part);
  ASSERT_TRUE(rdef.has_value());
  EXPECT_EQ(rdef->flags, 0x105U);
  ASSERT_EQ(rdef->bindings.size(), 3U);
  EXPECT_EQ(rdef->bindings[0].kind, ResourceKind::structured);
  EXPECT_EQ(rdef->bindings[0].sample_count, 48U);  // the stride that the program declares
  EXPECT_EQ(rdef->bindings[0].flags, 0U);
  EXPECT_EQ(rdef->bindings[1].flags, kBindingComparisonSampler | kBindingUserPacked);
  EXPECT_EQ(rdef->bindings[2].dimension, ResourceDimension::texture2d_ms);
  EXPECT_EQ(rdef->bindings[2].sample_count, 4U);
  EXPECT_EQ(rdef->bindings[2].components(), 4U);
  EXPECT_EQ(
      first_fault(assemble("// Resource Bindings:\n//\n// a texture float4 " + std::string(500'000, '2') + " 0 1\n//\nps_5_0\n").messages),
      (Fault{MessageKind::table_row, 3, 21}));
}

TEST(Assembler, StructsAreBounded) {
  std::string text = "// Buffer Definitions: \n//\n// cbuffer b\n// {\n";
  for (int i = 0; i < 100000; ++i) text += "// struct\n// {\n";
  EXPECT_FALSE(assemble(text + "ps_5_0\nret\n").ok);
}

TEST(Assembler, SamplesComeBackToTheByte) {
  unsigned count = 0;
  for (const auto& path : test::files_below(test::source_dir() / "tests/data/dxbc", ".dxbc")) {
    const auto bytes = test::read_bytes(path);
    const auto container = dxcontainer::parse_container(view_of(bytes));
    if (!container || container->find(dxcontainer::PartRole::tokens) == nullptr) continue;
    const std::string text = exact_listing(*container);
    const auto assembly = assemble(text);
    ASSERT_TRUE(assembly.ok) << path << ' ' << to_string(assembly.messages[0]);
    EXPECT_TRUE(assembly.file == bytes) << path;
    ++count;
  }
  EXPECT_GT(count, 3U);
}

// A name is no way out of a comment, and the text is assembled all the same.
TEST(Assembler, NamesWithLineEndsStayOnTheirLine) {
  auto bytes = sample("textured_ps_5_0.dxbc");
  for (const std::string_view name : {"albedo", "tint", "WORLD", "Material", "alphaCutoff"}) {
    std::string text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    for (std::size_t at = text.find(name); at != std::string::npos; at = text.find(name, at)) text[at + 1] = '\n';
    std::memcpy(bytes.data(), text.data(), bytes.size());
  }
  const auto container = dxcontainer::parse_container(view_of(bytes));
  ASSERT_TRUE(container.has_value());
  const std::string text = exact_listing(*container);
  EXPECT_NE(text.find("// a\\nbedo "), std::string::npos) << text.substr(0, 2000);
  EXPECT_NE(text.find("// W\\nRLD "), std::string::npos);
  const auto assembly = assemble(text);
  ASSERT_TRUE(assembly.ok) << to_string(assembly.messages[0]);
  EXPECT_TRUE(assembly.file == bytes);
}

TEST(Assembler, WhatTextDoesNotSayStandsAsTokens) {
  // a mov whose literal has components beyond those a listing shows, and an opcode of no table
  Tokens tokens{0x00000050, 0, 0x05000036, 0x00100012, 0, 0x0010006a, 1, 0x020007ff, 0x12345678};
  tokens[1] = static_cast<std::uint32_t>(tokens.size());
  std::vector<std::byte> bytes(4 * tokens.size());
  std::memcpy(bytes.data(), tokens.data(), bytes.size());
  const dxcontainer::Part part{fourcc("SHEX"), 0, view_of(bytes)};
  const auto program = parse_program(part);
  ASSERT_TRUE(program.has_value());
  Text out;
  ProgramListingOptions options;
  options.exact_floats = true;
  options.checks = &listing_checks();
  ASSERT_TRUE(list_program(*program, "SHEX", out, options).has_value());
  EXPECT_NE(out.view().find(".tokens"), std::string_view::npos);
  EXPECT_EQ(assemble_program(out.view()).tokens, tokens);
}

}  // namespace

}  // namespace unshade::dxbc

#include <unshade/dxbc/listing.hpp>

#include <gtest/gtest.h>

#include <bit>
#include <cstdio>
#include <string>
#include <vector>

#include <unshade/dxbc/program.hpp>
#include <unshade/shader/shader.hpp>

#include "dxbc/listing/fxc_style.hpp"
#include "dxbc/listing/number_text.hpp"
#include "support/files.hpp"

namespace unshade::dxbc {
namespace {

using Tokens = std::vector<std::uint32_t>;

// A program of these instructions, head tokens set.
struct Built {
  std::vector<std::byte> bytes;
  Program program;

  Built(std::uint32_t version, const Tokens& instructions) {
    Tokens all{version, static_cast<std::uint32_t>(instructions.size() + 2)};
    all.insert(all.end(), instructions.begin(), instructions.end());
    for (const auto token : all)
      for (unsigned i = 0; i < 4; ++i) bytes.push_back(static_cast<std::byte>(token >> (8 * i)));
    program = *parse_program({dxcontainer::fourcc("SHEX"), 0, View(bytes)});
  }
};

constexpr std::uint32_t kPs50 = 0x0000'0050;
constexpr std::uint32_t kPs51 = 0x0000'0051;
constexpr std::uint32_t kCs50 = 0x0005'0050;

std::uint32_t op(Opcode opcode, std::uint32_t length, std::uint32_t controls = 0) {
  return static_cast<std::uint32_t>(opcode) | length << 24 | controls;
}
// operands: mask, swizzle, select; of a type with one index
constexpr std::uint32_t mask(std::uint32_t type, std::uint32_t lanes) { return 0x0010'0002U | type << 12 | lanes << 4; }
constexpr std::uint32_t swizzle(std::uint32_t type, std::uint32_t lanes = 0xe4) { return 0x0010'0006U | type << 12 | lanes << 4; }
constexpr std::uint32_t select(std::uint32_t type, std::uint32_t lane) { return 0x0010'000aU | type << 12 | lane << 4; }
constexpr std::uint32_t kScalar = 0x0000'4001;
constexpr std::uint32_t kVector = 0x0000'4002;
constexpr std::uint32_t kTwoIndexes = 0x0010'0000 ^ 0x0020'0000;  // turns one index into two

// The instruction lines of a listing, without the profile.
std::string listed(std::uint32_t version, const Tokens& instructions, ProgramListingOptions options = {}) {
  const Built built(version, instructions);
  Text text;
  const auto result = list_program(built.program, "SHEX", text, options);
  std::string lines = text.str();
  if (!result) lines += to_string(result.error());
  return lines.substr(lines.find('\n') + 1);
}

TEST(Listing, InstructionsOfEveryOperandForm) {
  EXPECT_EQ(listed(kPs50, {op(Opcode::mov, 5), mask(0, 7), 1, swizzle(1), 2}), "mov r1.xyz, v2.xyzw\n");
  EXPECT_EQ(listed(kPs50, {op(Opcode::mov, 5, 1U << 13), mask(0, 15), 1000, select(1, 3), 0}), "mov_sat r1000.xyzw, v0.w\n");
  EXPECT_EQ(listed(kPs50, {op(Opcode::mov, 6), mask(0, 1), 0, swizzle(8) ^ kTwoIndexes, 3, 70}), "mov r0.x, cb3[70].xyzw\n");
  EXPECT_EQ(listed(kPs50, {op(Opcode::add, 7), mask(0, 1), 0, kScalar, std::bit_cast<std::uint32_t>(0.5F), kScalar, 0x8000'0000U}),
            "add r0.x, l(0.500000), l(-0.000000)\n");
  EXPECT_EQ(listed(kPs50, {op(Opcode::iadd, 7), mask(0, 1), 0, kScalar, 10000, kScalar, 0xffff'fffeU}), "iadd r0.x, l(10000), l(-2)\n");
  EXPECT_EQ(listed(kPs50, {op(Opcode::iadd, 7), mask(0, 1), 0, kScalar, 10001, kScalar, 0x8000'0000U}),
            "iadd r0.x, l(0x00002711), l(0x80000000)\n");
  EXPECT_EQ(listed(kPs50, {op(Opcode::mov, 8), mask(0, 15), 0, kVector, 0x3f80'0000, 1, 0xffff'8001U, 0xffff'ffffU}),
            "mov r0.xyzw, l(1.000000,1,0xffff8001,-1)\n");
}

TEST(Listing, ModifiersAndRelativeIndexes) {
  // -r1.x, |r1.x|, -|r1.x|
  for (const auto& [modifier, text] : {std::pair{1U, "-r1.x"}, {2U, "|r1.x|"}, {3U, "-|r1.x|"}})
    EXPECT_EQ(listed(kPs50, {op(Opcode::mov, 6), mask(0, 1), 0, select(0, 0) | 1U << 31, 1U | modifier << 6, 1}),
              std::string("mov r0.x, ") + text + "\n");
  // cb0[r2.y + 4]: second index immediate plus relative
  EXPECT_EQ(listed(kPs50, {op(Opcode::mov, 8), mask(0, 1), 0, (swizzle(8) ^ kTwoIndexes) | 3U << 25, 0, 4, select(0, 1), 2}),
            "mov r0.x, cb0[r2.y + 4].xyzw\n");
  // o[r0.x]: relative only
  EXPECT_EQ(listed(kPs50, {op(Opcode::mov, 6), mask(2, 1) | 2U << 22, select(0, 0), 0, kScalar, 0}), "mov o[r0.x + 0].x, l(0)\n");
}

TEST(Listing, ShaderModel5_1PrintsRanges) {
  EXPECT_EQ(listed(kPs51, {op(Opcode::dcl_constantbuffer, 7), 0x0030'8e46, 0, 2, 5, 3, 9}),
            "dcl_constantbuffer CB0[2:5][3], immediateIndexed, space=9\n");
  EXPECT_EQ(listed(kPs51, {op(Opcode::dcl_sampler, 6), 0x0030'6e46, 1, 0, 0xffff'ffffU, 0}),
            "dcl_sampler S1[0:*], mode_default, space=0\n");
  EXPECT_EQ(listed(kPs51, {op(Opcode::mov, 7), mask(0, 1), 0, 0x0030'8e46, 0, 2, 1}), "mov r0.x, CB0[2][1].xyzw\n");
}

TEST(Listing, VersionsOfFxcDiffer) {
  const Tokens declaration{op(Opcode::dcl_constantbuffer, 4), 0x0020'8e46, 0, 3};
  ProgramListingOptions old;
  old.fxc = {{9, 30, 9200, 16384}};
  EXPECT_EQ(listed(kPs50, declaration), "dcl_constantbuffer CB0[3], immediateIndexed\n");
  EXPECT_EQ(listed(kPs50, declaration, old), "dcl_constantbuffer cb0[3], immediateIndexed\n");
  const Tokens discard{op(Opcode::discard, 3, 1U << 18), kScalar, 0xffff'ffffU};
  EXPECT_EQ(listed(kPs50, discard, old), "discard_nz l(-1)\n");
  old.fxc = {{9, 29, 952, 3111}};
  EXPECT_EQ(listed(kPs50, discard, old), "discard l(-1)\n");
  const Tokens offsets{op(Opcode::ld, 8) | 1U << 31, 0x0000'0001U | 1U << 9 | 15U << 13, mask(0, 15), 0, swizzle(1), 0, swizzle(7), 0};
  EXPECT_EQ(listed(kPs50, offsets, old), "ld(1,-1,0) r0.xyzw, v0.xyzw, t0.xyzw\n");
  EXPECT_EQ(listed(kPs50, offsets), "ld_aoffimmi(1,-1,0) r0.xyzw, v0.xyzw, t0.xyzw\n");
}

TEST(Listing, FlowControlIsIndented) {
  const Tokens program{op(Opcode::if_, 3, 1U << 18),
                       select(0, 0),
                       0,
                       op(Opcode::loop, 1),
                       op(Opcode::breakc, 3),
                       select(0, 1),
                       0,
                       op(Opcode::endloop, 1),
                       op(Opcode::else_, 1),
                       op(Opcode::endif, 1),
                       op(Opcode::ret, 1)};
  EXPECT_EQ(listed(kPs50, program), "if_nz r0.x\n  loop \n    breakc_z r0.y\n  endloop \nelse \nendif \nret \n");
}

TEST(Listing, ClosingWithoutOpeningDoesNotUnderflow) {
  EXPECT_EQ(listed(kPs50, {op(Opcode::endif, 1), op(Opcode::ret, 1)}), "endif \nret \n");
}

TEST(Listing, SyncFlagsInReverseOrderOfTheirBits) {
  EXPECT_EQ(listed(kCs50, {op(Opcode::sync, 1, 1U << 11 | 1U << 12)}), "sync_g_t\n");
  EXPECT_EQ(listed(kCs50, {op(Opcode::sync, 1, 15U << 11)}), "sync_sat_uglobal_g_t\n");
}

TEST(Listing, ImmediateConstantBuffer) {
  const Tokens data{static_cast<std::uint32_t>(Opcode::customdata) | 3U << 11, 10, 1, 0x3f80'0000, 0, 0, 0x8888, 0, 0, 0};
  EXPECT_EQ(listed(kPs50, data),
            "dcl_immediateConstantBuffer { { 1, 1.000000, 0, 0},\n"
            "                              { 0x00008888, 0, 0, 0} }\n");
}

TEST(Listing, UnknownOpcodesAreKeptAndSteppedOver) {
  EXPECT_EQ(listed(kPs50, {2000U | 3U << 24, 7, 8, op(Opcode::ret, 1)}),
            ".tokens 0x030007d0, 0x00000007, 0x00000008  // unknown opcode 2000\nret \n");
}

TEST(Listing, DamageIsLocated) {
  const auto error = [](const Tokens& tokens) {
    const Built built(kPs50, tokens);
    Text text;
    const auto result = list_program(built.program, "SHEX", text);
    return result ? Error{} : result.error();
  };
  EXPECT_EQ(error({op(Opcode::ret, 0)}).code, ErrorCode::bad_value);
  EXPECT_EQ(error({op(Opcode::ret, 0)}).path, "SHEX/instructions[0]/length");
  EXPECT_EQ(error({op(Opcode::ret, 1), op(Opcode::mov, 9)}).offset, 12U);
  EXPECT_EQ(error({op(Opcode::mov, 3), mask(0, 1), 0}).path, "SHEX/instructions[0]/operands[1]");
  EXPECT_EQ(error({static_cast<std::uint32_t>(Opcode::customdata)}).path, "SHEX/instructions[0]/length");
  // an index that is indexed by itself without end
  Tokens deep{op(Opcode::mov, 127), mask(0, 1), 0};
  for (int i = 0; i < 124; ++i) deep.push_back(0x0010'000aU | 2U << 22);
  EXPECT_EQ(error(deep).code, ErrorCode::limit);
}

TEST(Listing, StructuredResourcesEndWithABlankBeforeWindows10) {
  const Tokens resource{op(Opcode::dcl_resource_structured, 4), 0x0010'7000, 1, 16};
  ProgramListingOptions options;
  EXPECT_EQ(listed(kPs50, resource, options), "dcl_resource_structured t1, 16\n");
  options.fxc = *parse_fxc_version("9.30.9200.16384");
  EXPECT_EQ(listed(kPs50, resource, options), "dcl_resource_structured t1, 16 \n");
}

TEST(Listing, ExactFloatsGiveTheirBitsBack) {
  ProgramListingOptions options;
  options.exact_floats = true;
  EXPECT_EQ(listed(kPs50, {op(Opcode::mov, 5), mask(0, 1), 0, kScalar, 0x3eaa'aaab}, options), "mov r0.x, l(0.33333334)\n");
  EXPECT_EQ(listed(kPs50, {op(Opcode::mul, 7), mask(0, 1), 0, kScalar, 0x7f80'0000, kScalar, 0x3f80'0000}, options),
            "mul r0.x, l(0x7f800000), l(1.0)\n");
}

// The quick path of common instructions and the general one print the same.
TEST(Listing, ThePlainPathPrintsWhatTheGeneralOneDoes) {
  for (const auto& path : test::files_below(test::source_dir() / "tests/data/dxbc", ".dxbc")) {
    const auto bytes = test::read_bytes(path);
    const auto shader = shader::open(test::view_of(bytes));
    ASSERT_TRUE(shader);
    const auto* part = shader->container()->find(dxcontainer::PartRole::tokens);
    ASSERT_NE(part, nullptr);
    const auto program = parse_program(*part);
    ASSERT_TRUE(program);
    Text all;
    ASSERT_TRUE(list_program(*program, "SHEX", all));
    std::string_view rest = all.view();
    rest.remove_prefix(rest.find('\n') + 1);
    Decoder decoder(*program);
    Instruction instruction;
    while (!decoder.at_end()) {
      ASSERT_TRUE(decoder.next(instruction));
      Text one;
      list_instruction(instruction, *program, one);
      rest.remove_prefix(rest.find_first_not_of(' '));
      ASSERT_EQ(rest.substr(0, one.size()), one.view()) << path;
      ASSERT_EQ(rest[one.size()], '\n') << path << ' ' << one.view();
      rest.remove_prefix(one.size() + 1);
    }
    EXPECT_TRUE(rest.empty());
  }
}

std::string float_text(float value, listing::FloatStyle style = {}) {
  char text[listing::kNumberRoom];
  return {text, listing::write_float(text, std::bit_cast<std::uint32_t>(value), style)};
}

TEST(NumberText, FloatsAsTheRuntimeOfFxcPrintsThem) {
  EXPECT_EQ(float_text(0.0F), "0.000000");
  EXPECT_EQ(float_text(-0.0F), "-0.000000");
  EXPECT_EQ(float_text(1.0F / 3), "0.333333");
  EXPECT_EQ(float_text(55566.2F), "55566.199219");
  EXPECT_EQ(float_text(16777215.0F), "16777215.000000");
  EXPECT_EQ(float_text(16777216.0F), "16777216.000000");
  EXPECT_EQ(float_text(3.0e20F), "300000006012263202816.000000");
  EXPECT_EQ(float_text(3.0e20F, {true, true, false}), "300000006012263200000.000000") << "17 digits, then zeros";
  EXPECT_EQ(float_text(1.0e16F, {true, true, false}), float_text(1.0e16F)) << "there are no more than 17";
  EXPECT_EQ(float_text(1.0e-30F), "0.000000");
  EXPECT_EQ(float_text(0x1p-149F), "0.000000");
  // a tie in the seventh decimal
  EXPECT_EQ(float_text(0.0078125F), "0.007812");
  EXPECT_EQ(float_text(0.0078125F, {false, false}), "0.007813");
  EXPECT_EQ(float_text(std::bit_cast<float>(0x7f80'0000U)), "inf");
  EXPECT_EQ(float_text(std::bit_cast<float>(0xff80'0000U), {false, false}), "-1.#INF00");
}

// Against the C library, which rounds ties to even on the exact value as the universal runtime does.
TEST(NumberText, AgreesWithPrintfBelowTwoToThe24) {
  std::uint32_t bits = 12345;
  for (int i = 0; i < 200000; ++i) {
    bits = bits * 1664525U + 1013904223U;
    const float value = std::bit_cast<float>(bits);
    if (!(value < 16777216.0F && value > -16777216.0F)) continue;
    char expected[64];
    std::snprintf(expected, sizeof expected, "%f", static_cast<double>(value));
    ASSERT_EQ(float_text(value), expected) << std::hex << bits;
  }
}

TEST(NumberText, Doubles) {
  char text[listing::kNumberRoom];
  EXPECT_EQ(std::string(text, listing::write_double(text, std::bit_cast<std::uint64_t>(0.1), {})), "0.100000");
  EXPECT_EQ(std::string(text, listing::write_double(text, std::bit_cast<std::uint64_t>(-1e300), {})).size(), 1U + 301U + 7U);
  EXPECT_EQ(std::string(text, listing::write_double(text, std::bit_cast<std::uint64_t>(1e23), {})), "99999999999999991611392.000000");
  EXPECT_EQ(std::string(text, listing::write_double(text, std::bit_cast<std::uint64_t>(1e23), {true, true, false})),
            "99999999999999992000000.000000");
}

TEST(FxcVersion, IsReadAndOrderedByRelease) {
  const auto version = [](std::string_view text) { return *parse_fxc_version(text); };
  EXPECT_EQ(version("9.29.952.3111").number[3], 3111U);
  EXPECT_TRUE(version("9.29.952.3111").before(version("9.30.9200.16384")));
  EXPECT_TRUE(version("9.30.9200.16384").before(version("6.3.9600.16384")));
  EXPECT_TRUE(version("6.4.9844.0").before(version("10.0.10011.0")));
  EXPECT_FALSE(version("10.1").before(version("10.0.10011.0")));
  for (const char* const bad : {"", "10", "10.", "10.x", "1.2.3.4.5", "-1.0", "99999999999.1"}) EXPECT_FALSE(parse_fxc_version(bad)) << bad;
  EXPECT_EQ(fxc_version_of_creator("Microsoft (R) HLSL Shader Compiler 10.1 ")->number[1], 1U);
  EXPECT_FALSE(fxc_version_of_creator("vkd3d-shader 1.14 (Wine bundled)"));
}

// All builds of 10.1 call themselves so: what changed in their runtime has the number of the Windows 10 SDK.
TEST(FxcStyle, NumbersByTheBuildOfTheSdk) {
  const auto style = [](std::string_view text) { return listing::fxc_style(*parse_fxc_version(text)); };
  for (const char* const older : {"9.29.952.3111", "9.30.9200.16384", "6.3.9600.16384", "10.0.10011.16384", "10.1.17134"}) {
    EXPECT_FALSE(style(older).all_digits) << older;
    EXPECT_FALSE(style(older).ties_to_even) << older;
  }
  EXPECT_TRUE(style("10.1.18362").all_digits);
  EXPECT_FALSE(style("10.1.18362").ties_to_even);
  EXPECT_TRUE(style("10.1.19041").all_digits);
  EXPECT_TRUE(style("10.1.19041").ties_to_even);
  EXPECT_FALSE(style("10.1").all_digits);
  EXPECT_TRUE(style("10.1").ties_to_even);
}

TEST(OpcodeTable, ShapesUseKnownLetters) {
  for (const auto& row : opcode_table()) {
    EXPECT_EQ(row.shape.find_first_not_of("dfimglrpuowntSXTIF"), std::string_view::npos) << row.text;
    EXPECT_FALSE(row.sem.empty()) << row.text;
  }
}

}  // namespace
}  // namespace unshade::dxbc

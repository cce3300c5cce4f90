#include <unshade/spirv/assembler.hpp>

#include <gtest/gtest.h>

#include "unit/spirv/spirv_builder.hpp"

namespace unshade::spirv {

namespace {

using test::assembled;
using test::listed;

std::vector<std::uint32_t> words_of(std::string_view text, const AssemblerOptions& options = {}) {
  const auto bytes = assembled(text, options);
  std::vector<std::uint32_t> words;
  for (std::size_t i = kHeaderBytes; i + 4 <= bytes.size(); i += 4) words.push_back(test::view_of(bytes).u32(i).value_or(0));
  return words;
}

struct Fault {
  ErrorCode code;
  std::string path;
  friend bool operator==(const Fault&, const Fault&) = default;
  friend void PrintTo(const Fault& fault, std::ostream* out) { *out << id(fault.code) << " at " << fault.path; }
};
Fault fault_of(std::string_view text) {
  const auto bytes = assemble(text);
  if (bytes) return {ErrorCode::missing, "no fault"};
  return {bytes.error().code, bytes.error().path};
}

TEST(SpirvAssembler, GivesTheWordsOfSpirvAs) {
  const std::string text = test::read_text(test::source_dir() / "tests/data/spirv/odd.spvasm");
  EXPECT_TRUE(assembled(text) == test::read_bytes(test::source_dir() / "tests/data/spirv/odd.spv"));
}

TEST(SpirvAssembler, ReadsListingsBack) {
  const auto bytes = test::read_bytes(test::source_dir() / "tests/data/spirv/odd.spv");
  EXPECT_TRUE(assembled(listed(bytes, {.friendly_names = false})) == bytes);
  EXPECT_TRUE(assembled(listed(bytes, {.friendly_names = false, .indent = false, .offsets = true, .comments = true})) == bytes);
  EXPECT_TRUE(assembled(listed(bytes, {.exact = true})) == bytes);
  // Names alone lose numbers, but nothing else.
  EXPECT_EQ(test::difference_but_for_ids(bytes, assembled(listed(bytes))), "");
  EXPECT_EQ(test::difference_but_for_ids(bytes, assembled(listed(bytes), {.numbering = Numbering::renumber})), "");
}

TEST(SpirvAssembler, TakesTheHeaderFromAListing) {
  const std::string_view text =
      "; SPIR-V\n; Version: 1.3\n; Generator: Google Shaderc over Glslang; 10\n; Bound: 77\n; Schema: 0\n%5 = OpTypeVoid\n";
  const auto header_of = [&](const AssemblerOptions& options) {
    const auto bytes = assembled(text, options);
    return parse(test::view_of(bytes))->header();
  };
  EXPECT_EQ(header_of({}).version, 0x10300U);
  EXPECT_EQ(header_of({}).generator, 13U << 16 | 10);
  EXPECT_EQ(header_of({}).bound, 77U);
  EXPECT_EQ(header_of({.header_comments = false}).version, 0x10600U);
  EXPECT_EQ(header_of({.header_comments = false}).bound, 6U);
  EXPECT_EQ(header_of({.numbering = Numbering::renumber, .header_comments = false}).bound, 2U);
  EXPECT_EQ(header_of({.version = target_version("vulkan1.2")}).version, 0x10500U);
  EXPECT_FALSE(target_version("vulkan9"));
}

TEST(SpirvAssembler, NumbersIds) {
  const std::string_view text = "%x = OpTypeVoid\n%2 = OpTypeBool\n%y = OpTypeFunction %x %2\n";
  EXPECT_EQ(words_of(text), (std::vector<std::uint32_t>{0x20013, 1, 0x20014, 2, 0x40021, 3, 1, 2}));
  EXPECT_EQ(words_of(text, {.numbering = Numbering::preserve}), (std::vector<std::uint32_t>{0x20013, 1, 0x20014, 2, 0x40021, 3, 1, 2}));
  EXPECT_EQ(words_of("%9 = OpTypeVoid\n", {.numbering = Numbering::preserve}), (std::vector<std::uint32_t>{0x20013, 9}));
  EXPECT_EQ(words_of("%9 = OpTypeVoid\n"), (std::vector<std::uint32_t>{0x20013, 1}));
  EXPECT_EQ(words_of("%v = OpTypeVoid ; id %30\n%w = OpTypeBool\n", {.numbering = Numbering::preserve}),
            (std::vector<std::uint32_t>{0x20013, 30, 0x20014, 1}));
}

TEST(SpirvAssembler, RefusesNumbersThatNoIdCanHave) {
  const auto preserved = [](std::string_view text) {
    const auto bytes = assemble(text, {.numbering = Numbering::preserve});
    return bytes ? std::string("none") : std::string(id(bytes.error().code)) + ' ' + bytes.error().path;
  };
  EXPECT_EQ(preserved("%x = OpTypeVoid\n%4294967296 = OpTypeBool\n"), "bad-value 2:2");
  EXPECT_EQ(preserved("%4294967295 = OpTypeBool\n"), "none");
  // a name, whose number is stated
  EXPECT_EQ(preserved("%4294967296 = OpTypeBool ; id %3\n"), "none");
  EXPECT_EQ(words_of("%4294967296 = OpTypeBool\n"), (std::vector<std::uint32_t>{0x20014, 1}));
}

TEST(SpirvAssembler, ReadsNumbersOfEveryKind) {
  const auto value_of = [](std::string_view type, std::string_view number) {
    const auto words = words_of("%t = OpType" + std::string(type) + "\n%c = OpConstant %t " + std::string(number));
    std::uint64_t bits = words.empty() ? 0 : words.back();
    if (words.size() > 1 && words[words.size() - 5] == 0x5002b) bits = bits << 32 | words[words.size() - 2];
    return bits;
  };
  EXPECT_EQ(value_of("Float 32", "1"), 0x3f800000U);
  EXPECT_EQ(value_of("Float 32", "-0.5"), 0xbf000000U);
  EXPECT_EQ(value_of("Float 32", "+1e2"), 0x42c80000U);
  EXPECT_EQ(value_of("Float 32", "0x1.8p+1"), 0x40400000U);
  EXPECT_EQ(value_of("Float 32", "0x1p+128"), 0x7f800000U);
  EXPECT_EQ(value_of("Float 32", "-0x1.8p+128"), 0xffc00000U);
  EXPECT_EQ(value_of("Float 32", "0x1p-149"), 1U);
  EXPECT_EQ(value_of("Float 32", "0x0p+0"), 0U);
  EXPECT_EQ(value_of("Float 32", "0x10p-4"), 0x3f800000U);
  EXPECT_EQ(value_of("Float 16", "0x1.8p+1"), 0x4200U);
  EXPECT_EQ(value_of("Float 16", "1.5"), 0x3e00U);
  EXPECT_EQ(value_of("Float 16", "-0x1p-24"), 0x8001U);
  EXPECT_EQ(value_of("Float 16", "5.9604645e-08"), 1U);
  EXPECT_EQ(value_of("Int 8 1", "-5"), 0xfffffffbU);
  EXPECT_EQ(value_of("Int 8 1", "0xfb"), 0xfffffffbU);
  EXPECT_EQ(value_of("Int 8 0", "0xfb"), 0xfbU);
  EXPECT_EQ(value_of("Int 32 0", "4294967295"), 0xffffffffU);
  EXPECT_EQ(value_of("Int 32 1", "-2147483648"), 0x80000000U);
  EXPECT_EQ(value_of("Int 32 1", "+1"), 1U);
  EXPECT_EQ(value_of("Int 32 0", "+0x10"), 16U);
  EXPECT_EQ(value_of("Int 32 0", "+010"), 8U);
  // Floats with an encoding of their own. src: SPV_KHR_bfloat16, SPV_EXT_float8, SPV_EXT_ocp_microscaling_types
  EXPECT_EQ(value_of("Float 16 BFloat16KHR", "0x1.8p+1"), 0x4040U);
  EXPECT_EQ(value_of("Float 16 BFloat16KHR", "1.5"), 0x3fc0U);
  EXPECT_EQ(value_of("Float 16 BFloat16KHR", "-1e-40"), 0x8001U);
  EXPECT_EQ(value_of("Float 8 Float8E4M3EXT", "0x1.cp+8"), 0x7eU);
  EXPECT_EQ(value_of("Float 8 Float8E4M3EXT", "-448"), 0xfeU);
  EXPECT_EQ(value_of("Float 8 Float8E4M3EXT", "0x1.ep+8"), 0x7fU);  // not a number
  EXPECT_EQ(value_of("Float 8 Float8E5M2EXT", "1.75"), 0x3fU);
  EXPECT_EQ(value_of("Float 8 Float8E5M2EXT", "0x1p-16"), 1U);
  EXPECT_EQ(value_of("Float 6 Float6E2M3EXT", "7.5"), 0x1fU);
  EXPECT_EQ(value_of("Float 6 Float6E3M2EXT", "-28"), 0x3fU);
  EXPECT_EQ(value_of("Float 4 Float4E2M1EXT", "0.5"), 1U);
  EXPECT_EQ(value_of("Float 4 Float4E2M1EXT", "-6"), 0xfU);
  EXPECT_EQ(value_of("Float 16", "0.3"), 0x34ccU);  // 0x34cd is nearer. observed: spirv-as 2023.1
  EXPECT_EQ(value_of("Int 64 1", "-1"), ~std::uint64_t{0});
  EXPECT_EQ(value_of("Int 64 0", "18446744073709551615"), ~std::uint64_t{0});
  EXPECT_EQ(value_of("Float 64", "0.1"), 0x3fb999999999999aULL);
}

TEST(SpirvAssembler, TakesWordsAsTheyAre) {
  EXPECT_EQ(words_of("!0x00020011 !1\nOpCapability !2\n"), (std::vector<std::uint32_t>{0x20011, 1, 0x20011, 2}));
  // Behind a word: numbers, texts, ids. The result keeps its place.
  EXPECT_EQ(words_of("OpSource !5 12 \"ab\" 1.5 -1 %x\n"), (std::vector<std::uint32_t>{0x70003, 5, 12, 0x6261, 0x3fc00000, 0xffffffff, 1}));
  EXPECT_EQ(words_of("%r = OpUndef !7\n"), (std::vector<std::uint32_t>{0x30001, 7, 1}));
  // A word at the start of a line begins an instruction where an operand could be left out.
  EXPECT_EQ(words_of("OpReturn\n!0x000100fd\n"), (std::vector<std::uint32_t>{0x100fd, 0x100fd}));
  EXPECT_EQ(words_of("OpStore %a %b\n!0x000100fd\n"), (std::vector<std::uint32_t>{0x3003e, 1, 2, 0x100fd}));
}

TEST(SpirvAssembler, ReadsTextsAndComments) {
  EXPECT_EQ(words_of("OpExtension \"a;\\\"\\\\\" ; \"x\n"), (std::vector<std::uint32_t>{0x3000a, 0x5c223b61, 0}));
  EXPECT_EQ(words_of("; nothing\n\r\n\t"), std::vector<std::uint32_t>{});
  EXPECT_EQ(words_of("OpExecutionMode %m\n  LocalSize\n 1 2 3"), (std::vector<std::uint32_t>{0x60010, 1, 17, 1, 2, 3}));
}

TEST(SpirvAssembler, TellsWhereAFaultLies) {
  EXPECT_EQ(fault_of("OpCapability Shader\n  OpNoSuchThing\n"), (Fault{ErrorCode::bad_value, "2:3"}));
  EXPECT_EQ(fault_of("OpCapability Shadow"), (Fault{ErrorCode::bad_value, "1:14"}));
  EXPECT_EQ(fault_of("OpMemoryModel Logical\nOpReturn"), (Fault{ErrorCode::missing, "2:1"}));
  EXPECT_EQ(fault_of("OpMemoryModel Logical"), (Fault{ErrorCode::missing, "1:22"}));
  EXPECT_EQ(fault_of("nonsense"), (Fault{ErrorCode::bad_value, "1:1"}));
  EXPECT_EQ(fault_of("%a OpTypeVoid"), (Fault{ErrorCode::missing, "1:4"}));
  EXPECT_EQ(fault_of("%a ="), (Fault{ErrorCode::bad_value, "1:5"}));
  EXPECT_EQ(fault_of("OpTypeVoid"), (Fault{ErrorCode::missing, "1:1"}));
  EXPECT_EQ(fault_of("%a = OpReturn"), (Fault{ErrorCode::bad_value, "1:1"}));
  for (const char* number : {"+-1", "-+1", "++1", "+"})
    EXPECT_EQ(fault_of("%i = OpTypeInt 32 1\n%c = OpConstant %i " + std::string(number)), (Fault{ErrorCode::bad_value, "2:20"})) << number;
  // what no value has
  for (const char* number : {"0x1p+129", "-0x1.8p+129", "0x1p-150", "0x1p-400"})
    EXPECT_EQ(fault_of("%f = OpTypeFloat 32\n%c = OpConstant %f " + std::string(number)), (Fault{ErrorCode::out_of_range, "2:20"}))
        << number;
  EXPECT_EQ(fault_of("%f = OpTypeFloat 16\n%c = OpConstant %f 0x1p+17"), (Fault{ErrorCode::out_of_range, "2:20"}));
  EXPECT_EQ(fault_of("%f = OpTypeFloat 8 Float8E4M3EXT\n%c = OpConstant %f 480"), (Fault{ErrorCode::out_of_range, "2:20"}));
  EXPECT_EQ(fault_of("%f = OpTypeFloat 4 Float4E2M1EXT\n%c = OpConstant %f 8"), (Fault{ErrorCode::out_of_range, "2:20"}));
  EXPECT_EQ(fault_of("%f = OpTypeFloat 8 MXInt8EXT\n%c = OpConstant %f 1"), (Fault{ErrorCode::unsupported, "2:20"}));
  EXPECT_EQ(fault_of("%f = OpTypeFloat 64\n%c = OpConstant %f 0x1p+1025"), (Fault{ErrorCode::out_of_range, "2:20"}));
  EXPECT_EQ(fault_of("OpStore %a-b %c"), (Fault{ErrorCode::bad_value, "1:9"}));
  EXPECT_EQ(fault_of("OpStore %a b"), (Fault{ErrorCode::bad_value, "1:12"}));
  EXPECT_EQ(fault_of("OpStore %a %b Volatile|Wrong"), (Fault{ErrorCode::bad_value, "1:15"}));
  EXPECT_EQ(fault_of("%t = OpTypeInt 8 0\n%c = OpConstant %t 256"), (Fault{ErrorCode::out_of_range, "2:20"}));
  EXPECT_EQ(fault_of("%t = OpTypeInt 8 0\n%c = OpConstant %t -1"), (Fault{ErrorCode::out_of_range, "2:20"}));
  EXPECT_EQ(fault_of("%t = OpTypeInt 8 0\n%c = OpConstant %t 1.5"), (Fault{ErrorCode::bad_value, "2:20"}));
  EXPECT_EQ(fault_of("%t = OpTypeVoid\n%c = OpConstant %t 1"), (Fault{ErrorCode::bad_value, "2:20"}));
  EXPECT_EQ(fault_of("%t = OpTypeFloat 8\n%c = OpConstant %t 1"), (Fault{ErrorCode::unsupported, "2:20"}));
  EXPECT_EQ(fault_of("%r = OpExtInst %t %s Sin %x"), (Fault{ErrorCode::missing, "1:22"}));
  EXPECT_EQ(fault_of("%s = OpExtInstImport \"GLSL.std.450\"\n%r = OpExtInst %t %s Sine %x"), (Fault{ErrorCode::bad_value, "2:22"}));
  EXPECT_EQ(fault_of("OpCapability !x"), (Fault{ErrorCode::bad_value, "1:14"}));
  EXPECT_EQ(fault_of("OpExtension abc"), (Fault{ErrorCode::bad_value, "1:13"}));
  EXPECT_EQ(fault_of("OpExtension \"" + std::string(300'000, 'x') + "\""), (Fault{ErrorCode::limit, "1:1"}));
  EXPECT_EQ(fault_of("OpReturn OpReturn x"), (Fault{ErrorCode::bad_value, "1:19"}));
}

constexpr std::string_view kHeader =
    "; SPIR-V\n; Version: 1.3\n; Generator: Khronos Glslang Reference Front End; 10\n; Bound: 9\n; Schema: 0\n";

TEST(SpirvAssembler, RefusesHeadersThatItWouldNotFollow) {
  const std::string header(kHeader);
  const auto with = [&](std::string_view old, std::string_view by) {
    std::string text = header;
    return text.replace(text.find(old), old.size(), by);
  };
  EXPECT_EQ(fault_of(header), (Fault{ErrorCode::missing, "no fault"}));
  EXPECT_EQ(fault_of(with("1.3", "1.x")), (Fault{ErrorCode::bad_value, "2:14"}));
  EXPECT_EQ(fault_of(with("1.3", "1.256")), (Fault{ErrorCode::bad_value, "2:17"}));
  EXPECT_EQ(fault_of(with("Khronos Glslang", "Nobody's")), (Fault{ErrorCode::bad_value, "3:14"}));
  EXPECT_EQ(fault_of(with("End; 10", "End; 65536")), (Fault{ErrorCode::bad_value, "3:14"}));
  EXPECT_EQ(fault_of(with("Bound: 9", "Bound: 99999999999")), (Fault{ErrorCode::bad_value, "4:10"}));
  EXPECT_EQ(fault_of(with("Schema: 0", "Schema: none")), (Fault{ErrorCode::bad_value, "5:11"}));
  EXPECT_EQ(fault_of(header + "; Version word: 0x01010501\n"), (Fault{ErrorCode::bad_value, "6:27"}));
  // rspirv writes neither a tool's version nor a schema
  const auto foreign = assembled("; SPIR-V\n; Version: 1.2\n; Generator: rspirv\n; Bound: 30\n%20 = OpTypeVoid\n");
  const auto module = parse(test::view_of(foreign));
  ASSERT_TRUE(module);
  EXPECT_EQ(module->header().version, 0x10200U);
  EXPECT_EQ(module->header().bound, 30U);
  EXPECT_EQ((*module->begin()).word(1), 20U);
}

TEST(SpirvAssembler, AHeaderIsReadWholeOrRefused) {
  const std::string header(kHeader);
  const auto with = [&](std::string_view old, std::string_view by) {
    std::string text = header;
    return text.replace(text.find(old), old.size(), by);
  };
  // Without its title, or with a line that is none of its own, it would be lost.
  EXPECT_EQ(fault_of(with("; SPIR-V\n", "")), (Fault{ErrorCode::bad_value, "1:1"}));
  EXPECT_EQ(fault_of(with("; SPIR-V\n", "; SPIR--V\n")), (Fault{ErrorCode::bad_value, "2:1"}));
  EXPECT_EQ(fault_of(with("; Version: 1.3\n", "")), (Fault{ErrorCode::bad_value, "1:1"}));
  EXPECT_EQ(fault_of(with("; Version: 1.3", "; Version 1.3")), (Fault{ErrorCode::bad_value, "2:1"}));
  EXPECT_EQ(fault_of(with("; Generator: ", "; Made by: ")), (Fault{ErrorCode::bad_value, "3:1"}));
  EXPECT_EQ(fault_of(with("; Schema: 0", "; Schema:: 0")), (Fault{ErrorCode::bad_value, "5:1"}));
  EXPECT_EQ(fault_of(header + "; Bound: 12\n"), (Fault{ErrorCode::bad_value, "6:1"}));
  // Comments of one's own may be before and after it, and its lines in any order.
  const std::string own = "; a shader\n\n" + with("; Version: 1.3\n", "") + "; Version: 1.3\n\n; Versions of this shader have no bound.\n";
  const auto read = parse(test::view_of(assembled(own + "%3 = OpTypeVoid\n")));
  EXPECT_EQ(read->header().version, 0x10300U);
  EXPECT_EQ(read->header().generator, 8U << 16 | 10);
  EXPECT_EQ(read->header().bound, 9U);
  EXPECT_EQ(fault_of("; SPIR-V\n; Bound to nothing\n%3 = OpTypeVoid\n"), (Fault{ErrorCode::missing, "no fault"}));
}

TEST(SpirvAssembler, CommentsThatStateFactsAreWhereTheyCount) {
  const std::string header = "; SPIR-V\n; Version: 1.3\n";
  EXPECT_EQ(fault_of(header + "OpNop\n  ; Bound: 12\nOpNop"), (Fault{ErrorCode::bad_value, "4:3"}));
  EXPECT_EQ(fault_of(header + "OpNop\n; mine\n\n; Schema: 0\n"), (Fault{ErrorCode::bad_value, "6:1"}));
  EXPECT_EQ(fault_of("OpNop\n" + header + "OpNop"), (Fault{ErrorCode::bad_value, "3:1"}));
  EXPECT_EQ(fault_of("OpNop\n; SPIR-V\n; Version of mine\nOpNop ; Bound: 12\n"), (Fault{ErrorCode::missing, "no fault"}));
  EXPECT_EQ(fault_of("OpSourceExtension \"\n; Version: 1.3\n\"\n"), (Fault{ErrorCode::missing, "no fault"}));
  for (const std::string_view line : {"; Byte order: big-endian", "; Bound exceeded", "; Version word: 0x00010300", "; Schema: 0"})
    EXPECT_EQ(fault_of(header + "OpNop\n" + std::string(line)), (Fault{ErrorCode::bad_value, "4:1"})) << line;
  EXPECT_EQ(fault_of("; Byte order: big-endian\n" + header), (Fault{ErrorCode::bad_value, "1:1"}));
  EXPECT_EQ(fault_of(header + "%a = OpTypeVoid ;id %2\n"), (Fault{ErrorCode::bad_value, "3:17"}));
  EXPECT_EQ(fault_of(header + "%a = OpTypeVoid ; ID %2\n"), (Fault{ErrorCode::bad_value, "3:17"}));
  EXPECT_EQ(fault_of(header + "%a = OpTypeVoid ; identical to %2\n"), (Fault{ErrorCode::missing, "no fault"}));
  EXPECT_EQ(fault_of(header + "%a = OpTypeVoid\n  ; id %7\n%b = OpTypeBool"), (Fault{ErrorCode::bad_value, "4:3"}));
  EXPECT_EQ(fault_of(header + "; mine: id %8\n; id %7\n%b = OpTypeBool"), (Fault{ErrorCode::bad_value, "4:1"}));
  EXPECT_EQ(fault_of(header + "OpNop ; id %7\n"), (Fault{ErrorCode::bad_value, "3:7"}));
}

TEST(SpirvAssembler, TheStatedBoundIsAboveAllIdsThatHaveANumber) {
  const std::string header(kHeader);
  EXPECT_EQ(fault_of(header + "%9 = OpTypeVoid"), (Fault{ErrorCode::bad_value, "4:10"}));
  EXPECT_EQ(fault_of(header + "%void = OpTypeVoid  ; id %12"), (Fault{ErrorCode::bad_value, "4:10"}));
  // New names make it grow, as does a bound that is left out.
  std::string many = header;
  for (int i = 0; i < 20; ++i) many += "%new" + std::to_string(i) + " = OpTypeVoid\n";
  EXPECT_EQ(parse(test::view_of(assembled(many)))->header().bound, 21U);
  EXPECT_EQ(parse(test::view_of(assembled("; SPIR-V\n; Version: 1.3\n%40 = OpTypeVoid\n")))->header().bound, 41U);
}

TEST(SpirvAssembler, AnIdHasOneNameAndANameOneId) {
  const std::string header(kHeader);
  EXPECT_EQ(fault_of(header + "%a = OpTypeVoid  ; id %3\n%b = OpTypeBool  ; id %3\n"), (Fault{ErrorCode::bad_value, "7:24"}));
  EXPECT_EQ(fault_of(header + "%a = OpTypeVoid  ; id %3\n%a = OpTypeBool  ; id %4\n"), (Fault{ErrorCode::bad_value, "7:24"}));
  EXPECT_EQ(fault_of(header + "%3 = OpTypeVoid\n%b = OpTypeBool  ; id %3\n"), (Fault{ErrorCode::bad_value, "6:2"}));
  EXPECT_EQ(fault_of(header + "%b = OpTypeBool  ; id %3\n%3 = OpTypeVoid\n"), (Fault{ErrorCode::bad_value, "7:2"}));
  EXPECT_EQ(fault_of(header + "%b = OpTypeBool  ; id %3x\n"), (Fault{ErrorCode::bad_value, "6:24"}));
  EXPECT_EQ(fault_of(header + "%b = OpTypeBool  ; id %\n"), (Fault{ErrorCode::bad_value, "6:24"}));
  // A name may look like a number, and numbers are decimal.
  EXPECT_EQ(words_of(header + "%5 = OpTypeBool  ; id %3\n%5 = OpTypeVoid\n"), (std::vector<std::uint32_t>{0x20014, 3, 0x20013, 3}));
  EXPECT_EQ(words_of(header + "%017 = OpTypeBool\n%0x5 = OpTypeVoid\n"), (std::vector<std::uint32_t>{0x20014, 1, 0x20013, 2}));
}

TEST(SpirvAssembler, ZeroBytesDoNotEndAText) {
  EXPECT_EQ(fault_of(std::string_view("OpNop\n \0OpNop", 13)), (Fault{ErrorCode::bad_value, "2:2"}));
  EXPECT_EQ(fault_of(std::string_view("OpNop ; \0", 9)), (Fault{ErrorCode::bad_value, "1:9"}));
}

TEST(SpirvAssembler, NamesThatAreNumbersOfUndefinedIds) {
  // id 10 is called `16`, and 16 is used without a definition
  const auto bytes =
      test::module_of({test::head(5, 3), 10, 0x3631, test::head(30, 2), 10, test::head(41, 3), 16, 11, test::head(44, 4), 10, 12, 16});
  const auto text = listed(bytes, {.exact = true});
  EXPECT_NE(text.find("OpConstantTrue !0x00000010"), std::string::npos) << text;
  EXPECT_EQ(assembled(text), bytes) << text;
}

}  // namespace

}  // namespace unshade::spirv

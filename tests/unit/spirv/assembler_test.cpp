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

TEST(SpirvAssembler, gives_the_words_of_spirv_as) {
  const std::string text = test::read_text(test::source_dir() / "tests/data/spirv/odd.spvasm");
  EXPECT_TRUE(assembled(text) == test::read_bytes(test::source_dir() / "tests/data/spirv/odd.spv"));
}

TEST(SpirvAssembler, reads_listings_back) {
  const auto bytes = test::read_bytes(test::source_dir() / "tests/data/spirv/odd.spv");
  EXPECT_TRUE(assembled(listed(bytes, {.friendly_names = false})) == bytes);
  EXPECT_TRUE(assembled(listed(bytes, {.friendly_names = false, .indent = false, .offsets = true, .comments = true})) == bytes);
  EXPECT_TRUE(assembled(listed(bytes, {.exact = true})) == bytes);
  // Names alone lose numbers, but nothing else.
  EXPECT_EQ(test::difference_but_for_ids(bytes, assembled(listed(bytes))), "");
  EXPECT_EQ(test::difference_but_for_ids(bytes, assembled(listed(bytes), {.numbering = Numbering::renumber})), "");
}

TEST(SpirvAssembler, takes_the_header_from_a_listing) {
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

TEST(SpirvAssembler, numbers_ids) {
  const std::string_view text = "%x = OpTypeVoid\n%2 = OpTypeBool\n%y = OpTypeFunction %x %2\n";
  EXPECT_EQ(words_of(text), (std::vector<std::uint32_t>{0x20013, 1, 0x20014, 2, 0x40021, 3, 1, 2}));
  EXPECT_EQ(words_of(text, {.numbering = Numbering::preserve}), (std::vector<std::uint32_t>{0x20013, 1, 0x20014, 2, 0x40021, 3, 1, 2}));
  EXPECT_EQ(words_of("%9 = OpTypeVoid\n", {.numbering = Numbering::preserve}), (std::vector<std::uint32_t>{0x20013, 9}));
  EXPECT_EQ(words_of("%9 = OpTypeVoid\n"), (std::vector<std::uint32_t>{0x20013, 1}));
  EXPECT_EQ(words_of("%v = OpTypeVoid ; id %30\n%w = OpTypeBool\n", {.numbering = Numbering::preserve}),
            (std::vector<std::uint32_t>{0x20013, 30, 0x20014, 1}));
}

TEST(SpirvAssembler, reads_numbers_of_every_kind) {
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
  EXPECT_EQ(value_of("Int 64 1", "-1"), ~std::uint64_t{0});
  EXPECT_EQ(value_of("Int 64 0", "18446744073709551615"), ~std::uint64_t{0});
  EXPECT_EQ(value_of("Float 64", "0.1"), 0x3fb999999999999aULL);
}

TEST(SpirvAssembler, takes_words_as_they_are) {
  EXPECT_EQ(words_of("!0x00020011 !1\nOpCapability !2\n"), (std::vector<std::uint32_t>{0x20011, 1, 0x20011, 2}));
  // Behind a word: numbers, texts, ids. The result keeps its place.
  EXPECT_EQ(words_of("OpSource !5 12 \"ab\" 1.5 -1 %x\n"), (std::vector<std::uint32_t>{0x70003, 5, 12, 0x6261, 0x3fc00000, 0xffffffff, 1}));
  EXPECT_EQ(words_of("%r = OpUndef !7\n"), (std::vector<std::uint32_t>{0x30001, 7, 1}));
  // A word at the start of a line begins an instruction where an operand could be left out.
  EXPECT_EQ(words_of("OpReturn\n!0x000100fd\n"), (std::vector<std::uint32_t>{0x100fd, 0x100fd}));
  EXPECT_EQ(words_of("OpStore %a %b\n!0x000100fd\n"), (std::vector<std::uint32_t>{0x3003e, 1, 2, 0x100fd}));
}

TEST(SpirvAssembler, reads_texts_and_comments) {
  EXPECT_EQ(words_of("OpExtension \"a;\\\"\\\\\" ; \"x\n"), (std::vector<std::uint32_t>{0x3000a, 0x5c223b61, 0}));
  EXPECT_EQ(words_of("; nothing\n\r\n\t"), std::vector<std::uint32_t>{});
  EXPECT_EQ(words_of("OpExecutionMode %m\n  LocalSize\n 1 2 3"), (std::vector<std::uint32_t>{0x60010, 1, 17, 1, 2, 3}));
}

TEST(SpirvAssembler, tells_where_a_fault_lies) {
  EXPECT_EQ(fault_of("OpCapability Shader\n  OpNoSuchThing\n"), (Fault{ErrorCode::bad_value, "2:3"}));
  EXPECT_EQ(fault_of("OpCapability Shadow"), (Fault{ErrorCode::bad_value, "1:14"}));
  EXPECT_EQ(fault_of("OpMemoryModel Logical\nOpReturn"), (Fault{ErrorCode::missing, "2:1"}));
  EXPECT_EQ(fault_of("OpMemoryModel Logical"), (Fault{ErrorCode::missing, "1:22"}));
  EXPECT_EQ(fault_of("nonsense"), (Fault{ErrorCode::bad_value, "1:1"}));
  EXPECT_EQ(fault_of("%a OpTypeVoid"), (Fault{ErrorCode::missing, "1:4"}));
  EXPECT_EQ(fault_of("%a ="), (Fault{ErrorCode::bad_value, "1:5"}));
  EXPECT_EQ(fault_of("OpTypeVoid"), (Fault{ErrorCode::missing, "1:1"}));
  EXPECT_EQ(fault_of("%a = OpReturn"), (Fault{ErrorCode::bad_value, "1:1"}));
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

}  // namespace

}  // namespace unshade::spirv

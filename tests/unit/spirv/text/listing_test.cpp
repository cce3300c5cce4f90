#include <unshade/spirv/listing.hpp>

#include <gtest/gtest.h>

#include "unit/spirv/spirv_builder.hpp"

namespace unshade::spirv {

namespace {

using test::head;
using test::listed;
using test::module_of;

std::string golden(std::string_view name) { return test::read_text(test::source_dir() / "tests/data/spirv" / name); }

TEST(SpirvListing, IsThatOfSpirvDis) {
  const auto bytes = test::read_bytes(test::source_dir() / "tests/data/spirv/odd.spv");
  EXPECT_EQ(listed(bytes), golden("odd.friendly.txt"));
  EXPECT_EQ(listed(bytes, {.friendly_names = false, .offsets = true, .comments = true}), golden("odd.raw.txt"));
}

TEST(SpirvListing, OfABigEndianModuleIsTheSame) {
  auto bytes = test::read_bytes(test::source_dir() / "tests/data/spirv/odd.spv");
  const std::string little = listed(bytes);
  const auto original = bytes;
  for (std::size_t i = 0; i + 4 <= bytes.size(); i += 4)
    std::reverse(bytes.begin() + static_cast<std::ptrdiff_t>(i), bytes.begin() + static_cast<std::ptrdiff_t>(i + 4));
  EXPECT_EQ(listed(bytes), little);
  EXPECT_TRUE(test::assembled(listed(bytes, {.exact = true})) == bytes);
  EXPECT_TRUE(test::assembled(listed(original, {.exact = true})) == original);
}

TEST(SpirvListing, PrintsWhatIsUnknownAsWords) {
  EXPECT_EQ(listed(module_of({head(60000, 2), 7, head(17, 2), 54321, head(14, 2), 0, head(17, 3), 1, 2, head(5, 3), 1, 0x41414141}),
                   {.header = false}),
            "               !0x0002ea60 !0x00000007\n"
            "               OpCapability !0x0000d431\n"
            "               !0x0002000e !0x00000000\n"
            "               !0x00030011 !0x00000001 !0x00000002\n"
            "               OpName %1 !0x41414141\n");
}

TEST(SpirvListing, ExactKeepsWhatTheOtherLoses) {
  // A name with bytes behind its zero, a 16-bit constant with more bits, a version with other bits, a bound that is too low.
  const auto bytes = module_of({head(5, 3), 1, 0x41420043, head(21, 4), 150, 16, 0, head(43, 4), 150, 151, 0x12345});
  const auto plain = assemble(listed(bytes));
  EXPECT_TRUE(!plain || *plain != bytes);
  EXPECT_TRUE(test::assembled(listed(bytes, {.exact = true})) == bytes);
  EXPECT_TRUE(test::assembled(listed(bytes, {.friendly_names = false, .exact = true})) == bytes);
  auto odd_version = bytes;
  odd_version[4] = std::byte{9};
  EXPECT_TRUE(test::assembled(listed(odd_version, {.exact = true})) == odd_version);
}

TEST(SpirvListing, ExactGivesNamesTheirNumbers) {
  const std::string text = listed(module_of({head(5, 3), 9, 0x0061, head(19, 2), 8, head(2, 2), 0}), {.indent = false, .header = false});
  EXPECT_EQ(text, "OpName %a \"a\"\n%void = OpTypeVoid\nOpSourceContinued \"\"\n");
  EXPECT_EQ(listed(module_of({head(5, 3), 9, 0x0061, head(19, 2), 8, head(248, 2), 12}), {.indent = false, .header = false, .exact = true}),
            "OpName %a \"a\"  ; id %9\n%void = OpTypeVoid  ; id %8\n%12 = OpLabel\n");
}

// The name 17 is no number above the bound, and 2 is no id beside the one that it names: found by fuzzing (spirv_assemble).
TEST(SpirvListing, ExactKeepsNamesThatLookLikeNumbers) {
  for (const std::uint32_t name : {0x3731U, 0x32U}) {
    auto bytes = module_of({head(5, 3), 4, name, head(19, 2), 4, head(19, 2), 1});
    bytes[12] = std::byte{5};  // the bound
    EXPECT_TRUE(test::assembled(listed(bytes, {.exact = true})) == bytes) << name;
  }
}

// The number 17 is the name of 10, and the line that defines 17 has no place to say so: found by fuzzing (spirv_roundtrip).
TEST(SpirvListing, ExactTellsIdsFromNamesWhereADefinitionIsWords) {
  const auto bytes = module_of({head(5, 3), 10, 0x3731, head(19, 3), 17, 15, head(33, 3), 18, 17});
  EXPECT_EQ(listed(bytes, {.indent = false, .header = false, .exact = true}),
            "OpName %17 \"17\"  ; id %10\n!0x00030013 !0x00000011 !0x0000000f\n%18 = OpTypeFunction !0x00000011\n");
  EXPECT_TRUE(test::assembled(listed(bytes, {.exact = true})) == bytes);
}

// The literals of a switch are those of an integer: found by fuzzing (spirv_roundtrip).
TEST(SpirvListing, ExactHasWordsWhereASwitchSelectsByAFloat) {
  const auto bytes = module_of({head(22, 3), 1, 32, head(43, 4), 1, 2, 0x3f800000, head(251, 5), 2, 3, 1, 4});
  EXPECT_NE(listed(bytes, {.exact = true}).find("OpSwitch %float_1 %3 !0x00000001 !0x00000004\n"), std::string::npos)
      << listed(bytes, {.exact = true});
  EXPECT_TRUE(test::assembled(listed(bytes, {.exact = true})) == bytes);
}

TEST(SpirvListing, NamesAreUniqueAndClean) {
  // Three of one name, and one that has the name which the second gets.
  const auto bytes = module_of({head(5, 3), 1, 0x0061, head(5, 3), 2, 0x305f61, head(5, 3), 3, 0x0061, head(5, 3), 4, 0x0061, head(5, 3), 5,
                                0, head(5, 3), 6, 0x0020});
  EXPECT_EQ(listed(bytes, {.indent = false, .header = false}),
            "OpName %a \"a\"\nOpName %a_0 \"a_0\"\nOpName %a_1 \"a\"\nOpName %a_2 \"a\"\nOpName %_ \"\"\nOpName %__0 \" \"\n");
}

TEST(SpirvListing, StaysInProportion) {
  // An array of itself doubles its name with each type made of it.
  std::vector<std::byte> bytes = module_of({});
  const auto put = [&](std::uint32_t word) {
    for (unsigned i = 0; i < 4; ++i) bytes.push_back(static_cast<std::byte>(word >> 8 * i));
  };
  for (std::uint32_t id = 2; id < 99; ++id) {
    put(head(28, 4));
    put(id);
    put(id - 1);
    put(id - 1);
  }
  EXPECT_LT(listed(bytes).size(), std::size_t{8} << 20);
  // A long name that is used everywhere.
  bytes = module_of({});
  const std::uint32_t words = 2 + 10'000;
  put(head(5, words));
  put(1);
  for (std::uint32_t i = 0; i + 3 < words; ++i) put(0x61616161);
  put(0x00616161);
  for (std::uint32_t i = 0; i < 20'000; ++i) {
    put(head(80, 4));  // OpCompositeConstruct
    put(1);
    put(2);
    put(1);
  }
  EXPECT_LT(listed(bytes).size(), 64 * bytes.size());
  EXPECT_TRUE(test::assembled(listed(bytes, {.exact = true})) == bytes);
}

TEST(SpirvListing, ColoursAreThoseOfSpirvDis) {
  EXPECT_EQ(listed(module_of({head(19, 2), 1, head(5, 3), 1, 0x61}), {.indent = false, .header = false, .color = true}),
            "\x1b[34m%void\x1b[0m = OpTypeVoid\nOpName \x1b[33m%void\x1b[0m \"\x1b[32ma\x1b[0m\"\x1b[0m\n");
}

TEST(SpirvListing, OneInstructionHasNumbersForIds) {
  const auto bytes = module_of({head(62, 3), 7, 12});
  const auto module = parse(test::view_of(bytes));
  ASSERT_TRUE(module);
  Text text;
  list_instruction(*module->begin(), IdTable(*module), text);
  EXPECT_EQ(text.view(), "OpStore %7 %12");
}

// As SPIRV-Tools 2026.3 prints them.
TEST(SpirvListing, PrintsFloatsWithAnEncoding) {
  const auto shown = [](std::string_view type, std::string_view value) {
    return listed(test::assembled("%f = OpTypeFloat " + std::string(type) + "\n%c = OpConstant %f " + std::string(value) + '\n'),
                  {.indent = false, .header = false});
  };
  EXPECT_EQ(shown("16 BFloat16KHR", "1.5"), "%bfloat16 = OpTypeFloat 16 BFloat16KHR\n%bfloat16_0x1_8p_0 = OpConstant %bfloat16 0x1.8p+0\n");
  EXPECT_EQ(shown("8 Float8E4M3EXT", "-448"),
            "%fp8e4m3 = OpTypeFloat 8 Float8E4M3EXT\n%fp8e4m3_n0x1_cp_8 = OpConstant %fp8e4m3 -0x1.cp+8\n");
  EXPECT_EQ(shown("4 Float4E2M1EXT", "0.5"), "%fp4e2m1 = OpTypeFloat 4 Float4E2M1EXT\n%fp4e2m1_0x1pn1 = OpConstant %fp4e2m1 0x1p-1\n");
  // no spelling
  EXPECT_EQ(shown("8 MXInt8EXT", "!0x41"), "%mxint8 = OpTypeFloat 8 MXInt8EXT\n%mxint8_ = OpConstant %mxint8 !0x00000041\n");
}

// A value that SPIRV-Tools 2023.1 knows keeps the name that it prints; the assembler takes all.
TEST(SpirvListing, KeepsNamesThatHaveNewerOnes) {
  const auto shown = [](std::string_view text) { return listed(test::assembled(text), {.indent = false, .header = false}); };
  EXPECT_EQ(shown("OpCapability ComputeDerivativeGroupQuadsKHR"), "OpCapability ComputeDerivativeGroupQuadsNV\n");
  EXPECT_EQ(shown("OpDecorate %1 PerPrimitiveEXT"), shown("OpDecorate %1 PerPrimitiveNV"));
  EXPECT_EQ(shown("%1 = OpGroupNonUniformPartitionEXT %2 %3"), "%2 = OpGroupNonUniformPartitionNV %1 %3\n");
  EXPECT_EQ(shown("%1 = OpTypeCooperativeVectorNV %2 %3"), "%1 = OpTypeVectorIdEXT %2 %3\n");
  EXPECT_EQ(shown("%1 = OpTypeUntypedPointerKHR StorageBuffer"), "%_ptr_StorageBuffer = OpTypeUntypedPointerKHR StorageBuffer\n");
}

}  // namespace

}  // namespace unshade::spirv

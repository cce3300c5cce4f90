#include <unshade/dxcontainer/root_signature_text.hpp>

#include <gtest/gtest.h>

#include <bit>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <unshade/core/limits.hpp>
#include <unshade/dxcontainer/container.hpp>

#include "support/container.hpp"
#include "support/files.hpp"

namespace unshade::dxcontainer {
namespace {

using Kind = RootSignatureMessageKind;

std::string printed(const RootSignature& signature, const RootSignaturePrintOptions& options = {}) {
  Text text;
  const auto result = print_root_signature(signature, text, options);
  EXPECT_TRUE(result) << to_string(result.error());
  return text.str();
}

RootSignature parsed(std::string_view text, const RootSignatureTextOptions& options = {}) {
  auto result = parse_root_signature_text(text, options);
  EXPECT_TRUE(result.ok) << text << '\n' << (result.messages.empty() ? std::string() : to_string(result.messages.back()));
  return std::move(result.signature);
}

Kind kind_of(const Message& message) {
  const auto rules = root_signature_text_rules();
  return static_cast<Kind>(std::ranges::find(rules, message.id, &Rule::id) - rules.begin());
}

/// The first error in a text: its kind, line and column.
struct Fault {
  Kind kind;
  std::uint32_t line;
  std::uint32_t column;
  bool operator==(const Fault&) const = default;
};
Fault fault(std::string_view text, const RootSignatureTextOptions& options = {}) {
  const auto result = parse_root_signature_text(text, options);
  EXPECT_FALSE(result.ok) << text;
  for (const auto& message : result.messages)
    if (message.severity == Severity::error) return {kind_of(message), message.line, message.column};
  return {};
}

std::vector<std::byte> root_signature_part(std::string_view file) {
  const auto bytes = test::read_bytes(test::source_dir() / "tests/data/dxil" / file);
  const auto container = parse_container(test::view_of(bytes));
  if (!container || container->find(fourcc("RTS0")) == nullptr) return {};
  const View data = container->find(fourcc("RTS0"))->data;
  return {data.bytes().begin(), data.bytes().end()};
}

Part part_of(const std::vector<std::byte>& bytes) {
  Part part;
  part.fourcc = fourcc("RTS0");
  part.data = test::view_of(bytes);
  return part;
}

TEST(RootSignatureText, BecomesTheBytesThatDxcMakesOfIt) {
  const std::string source = test::read_text(test::source_dir() / "tests/data/dxil/rootsig.cs.hlsl");
  const auto compiled = root_signature_part("rootsig_cs_6_0.dxil");
  ASSERT_FALSE(compiled.empty());
  EXPECT_EQ(write_root_signature(parsed(source)), compiled);
}

TEST(RootSignatureText, IsPrintedWithoutDefaults) {
  EXPECT_EQ(
      printed(parsed("StaticSampler(s0, filter=FILTER_ANISOTROPIC, maxLOD=3.402823466e+38f), "
                     "DescriptorTable(SRV(t1, numDescriptors=1, offset=DESCRIPTOR_RANGE_OFFSET_APPEND), visibility=SHADER_VISIBILITY_ALL),"
                     "RootConstants(b2, space=0, num32BitConstants=3), ROOTFLAGS(0)")),
      "DescriptorTable(SRV(t1)),\n"
      "RootConstants(num32BitConstants = 3, b2),\n"
      "StaticSampler(s0)\n");
}

TEST(RootSignatureText, HasAWordForEverySetting) {
  const std::string text =
      "// rootsig_1_2\n"
      "RootFlags(ALLOW_INPUT_ASSEMBLER_INPUT_LAYOUT | DENY_MESH_SHADER_ROOT_ACCESS | SAMPLER_HEAP_DIRECTLY_INDEXED),\n"
      "CBV(b1, space = 2, flags = DATA_STATIC, visibility = SHADER_VISIBILITY_MESH),\n"
      "UAV(u0, flags = DATA_VOLATILE | DATA_STATIC_WHILE_SET_AT_EXECUTE),\n"
      "DescriptorTable(SRV(t0, numDescriptors = unbounded, space = 3, offset = 5, flags = DESCRIPTORS_VOLATILE | "
      "DESCRIPTORS_STATIC_KEEPING_BUFFER_BOUNDS_CHECKS), CBV(b0), visibility = SHADER_VISIBILITY_PIXEL),\n"
      "DescriptorTable(Sampler(s4, numDescriptors = 2)),\n"
      "StaticSampler(s1, filter = FILTER_MAXIMUM_MIN_POINT_MAG_LINEAR_MIP_POINT, addressU = TEXTURE_ADDRESS_MIRROR_ONCE, "
      "addressV = TEXTURE_ADDRESS_BORDER, addressW = TEXTURE_ADDRESS_CLAMP, mipLODBias = -0.5, maxAnisotropy = 1, "
      "comparisonFunc = COMPARISON_NOT_EQUAL, borderColor = STATIC_BORDER_COLOR_OPAQUE_BLACK_UINT, minLOD = 1.0, maxLOD = 2.25, "
      "space = 1, visibility = SHADER_VISIBILITY_AMPLIFICATION, flags = UINT_BORDER_COLOR | NON_NORMALIZED_COORDINATES)\n";
  const RootSignature signature = parsed(text);
  EXPECT_EQ(signature.version, RootSignatureVersion::v1_2);
  EXPECT_EQ(printed(signature), text);
  const StaticSampler& sampler = signature.static_samplers[0];
  EXPECT_EQ(sampler.flags, 3U);
  EXPECT_EQ(static_cast<std::uint32_t>(sampler.filter), 0x184U);
  EXPECT_EQ(signature.parameters[2].ranges[0].count, 0xffff'ffffU);
}

TEST(RootSignatureText, SaysWhatHasNoName) {
  RootSignature signature = parsed("CBV(b0), DescriptorTable(UAV(u0)), DescriptorTable(), StaticSampler(s0)");
  signature.flags = 0x8000'0001;
  signature.parameters[0].visibility = ShaderVisibility{0x1234};
  signature.parameters[0].flags = 0x1;  // a name, but not of root descriptors
  StaticSampler& sampler = signature.static_samplers[0];
  sampler.filter = Filter{0xffff'0000};
  sampler.address_u = TextureAddressMode{0};
  sampler.mip_lod_bias = std::bit_cast<float>(0x7fc0'0001);
  sampler.max_lod = std::numeric_limits<float>::infinity();
  sampler.min_lod = -0.0F;
  const auto bytes = write_root_signature(signature);
  const std::string text = printed(signature);
  EXPECT_NE(text.find("asfloat(0x7fc00001)"), std::string::npos) << text;
  EXPECT_EQ(write_root_signature(parsed(text)), bytes) << text;
  signature.parameters[1].ranges[0].type = DescriptorRangeType{9};
  Text out;
  const auto refused = print_root_signature(signature, out);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().path, "RTS0/parameters[1]/ranges[0]/type");
}

TEST(RootSignatureText, GivesEveryFilterBack) {
  for (std::uint32_t filter = 0; filter < 0x400; ++filter) {
    RootSignature signature = parsed("StaticSampler(s0)");
    signature.static_samplers[0].filter = Filter{filter};
    const RootSignature again = parsed(printed(signature));
    EXPECT_EQ(static_cast<std::uint32_t>(again.static_samplers[0].filter), filter);
  }
}

TEST(RootSignatureText, VersionComesFromOptionCommentOrNeed) {
  EXPECT_EQ(parsed("CBV(b0)").version, RootSignatureVersion::v1_1);
  EXPECT_EQ(parsed(" /* rootsig_1_0 */ CBV(b0)").version, RootSignatureVersion::v1_0);
  EXPECT_EQ(parsed("// rootsig_1_0\nCBV(b0)", {RootSignatureVersion::v1_2, {}}).version, RootSignatureVersion::v1_2);
  EXPECT_EQ(parsed("StaticSampler(s0, flags = 0)").version, RootSignatureVersion::v1_2);
  EXPECT_EQ(fault("CBV(b0, flags = DATA_STATIC)", {RootSignatureVersion::v1_0, {}}), (Fault{Kind::version, 1, 9}));
  EXPECT_EQ(fault("StaticSampler(s0, flags = 1)", {RootSignatureVersion::v1_1, {}}), (Fault{Kind::version, 1, 19}));
}

TEST(RootSignatureText, CommentsThatNameAVersionInVainAreTold) {
  const auto warned = [](std::string_view text, const RootSignatureTextOptions& options = {}) {
    const ParsedRootSignature made = parse_root_signature_text(text, options);
    EXPECT_TRUE(made.ok) << text;
    return made.messages.empty() ? std::string()
                                 : std::string(made.messages[0].id) + ' ' + std::to_string(made.messages[0].line) + ':' +
                                       std::to_string(made.messages[0].column);
  };
  EXPECT_EQ(warned("// rootsig_1_0\n// of the sky\nCBV(b0)"), "");
  EXPECT_EQ(warned("// of the sky, from my_rootsig_common.hlsl\nCBV(b0)"), "");
  EXPECT_EQ(warned("// of the sky\n// rootsig_1_0\nCBV(b0)"), "rootsig.version-comment 2:1");
  EXPECT_EQ(warned("// rootsig_1_0\nCBV(b0) /* ROOTSIG_1_1 */"), "rootsig.version-comment 2:9");
  for (const std::string_view line : {"// rootsig_1_7", "// rootsig_1_0 for old drivers", "///rootsig_1_0", "// Rootsig_1_0"}) {
    EXPECT_EQ(warned(std::string(line) + "\nCBV(b0)"), "rootsig.version-comment 1:1");
    EXPECT_EQ(warned(std::string(line) + "\nCBV(b0)", {RootSignatureVersion::v1_1, {}}), "");
  }
}

TEST(RootSignatureText, IsFoundInSource) {
  constexpr std::string_view kSource =
      "#include \"CBV.hlsli\" // \"CBV(b9)\"\n"
      "#define One \"CBV(b1)\"\n"
      "#define Two \"CBV\" /* two strings */ \\\n"
      "            \"(b2), \" \"SRV(t7)\"\n";
  const std::string with_attribute = std::string(kSource) + "[RootSignature(\"UAV(u0)\")]\n";
  EXPECT_EQ(printed(parsed(kSource)), "CBV(b1)\n");
  EXPECT_EQ(printed(parsed(with_attribute)), "UAV(u0)\n");
  EXPECT_EQ(printed(parsed(with_attribute, {{}, "Two"})), "CBV(b2),\nSRV(t7)\n");
  EXPECT_EQ(fault(kSource, {{}, "Three"}).kind, Kind::missing);
  EXPECT_EQ(fault("#define R \\\n  \"CBV(b0),\" \\\n  \"SRV(x)\"\n"), (Fault{Kind::unknown_word, 3, 8}));
  EXPECT_EQ(printed(parsed("GlobalRootSignature g = { \"RootFlags(\" \"0), CBV(b3)\" };")), "CBV(b3)\n");
  RootSignaturePrintOptions options;
  options.define = "RS";
  EXPECT_EQ(printed(parsed("CBV(b1), SRV(t0)"), options), "#define RS \\\n  \"CBV(b1), \" \\\n  \"SRV(t0)\"\n");
  EXPECT_EQ(printed(RootSignature{RootSignatureVersion::v1_1, {}, {}, 0}, options), "#define RS \"\"\n");
  EXPECT_EQ(printed(parsed("#define RS \"\"", {{}, "RS"})), "RootFlags(0)\n");
  for (const std::string_view name : {"bad name", "1RS", "R-S", "R\nS"}) {
    options.define = name;
    Text text;
    EXPECT_FALSE(print_root_signature(parsed("CBV(b1)"), text, options)) << name;
  }
}

TEST(RootSignatureText, StringsOfASourceHaveEscapeSequences) {
  EXPECT_EQ(printed(parsed("#define R \"CBV(b\\060)\"")), "CBV(b0)\n");
  EXPECT_EQ(printed(parsed("#define R \"CBV(b\\0612)\"")), "CBV(b12)\n");
  EXPECT_EQ(printed(parsed("#define R \"CBV(b\\x33)\"")), "CBV(b3)\n");
  EXPECT_EQ(printed(parsed("#define R \"CBV(b0),\\n\\tCBV(b1)\\040\"")), "CBV(b0),\nCBV(b1)\n");
  EXPECT_EQ(fault("#define R \"CBV(b0)\\1\"").kind, Kind::syntax);
  EXPECT_EQ(fault("#define R \"CBV(b0) \\x\"").kind, Kind::syntax);
}

TEST(RootSignatureText, MacrosOfTheSourceAreExpanded) {
  constexpr std::string_view kSource =
      "#define COMMON \"RootFlags(ALLOW_INPUT_ASSEMBLER_INPUT_LAYOUT), \"\n"
      "#define MainRS COMMON \"CBV(b0)\"\n"
      "#define OtherRS COMMON \\\n"
      "   \"SRV(t0)\"\n"
      "#define AliasRS MainRS\n"
      "[RootSignature(MainRS)] float4 main() : SV_Target { return 0; }\n";
  constexpr std::string_view kMain = "RootFlags(ALLOW_INPUT_ASSEMBLER_INPUT_LAYOUT),\nCBV(b0)\n";
  EXPECT_EQ(printed(parsed(kSource)), kMain);
  EXPECT_EQ(printed(parsed(kSource, {{}, "MainRS"})), kMain);
  EXPECT_EQ(printed(parsed(kSource, {{}, "AliasRS"})), kMain);
  EXPECT_EQ(printed(parsed(kSource, {{}, "OtherRS"})), "RootFlags(ALLOW_INPUT_ASSEMBLER_INPUT_LAYOUT),\nSRV(t0)\n");
  // Words go on from one string into the next, and strings from line to line.
  EXPECT_EQ(printed(parsed("#define A \"CBV(b\" \"1\" \\\r\n \"2, spa\\\nce=3)\"")), "CBV(b12, space = 3)\n");
  EXPECT_EQ(fault("#define NAME b0x\n#define A \"CBV(\" NAME \")\"", {{}, "A"}), (Fault{Kind::macro, 1, 14}));
  // By the order of the source: at the place of the attribute, and at the end for a name.
  constexpr std::string_view kOrder =
      "#define X \"CBV(b0)\"\n[RootSignature(X)]\n#undef X\n#define X \"CBV(b1)\"\n#define Y X\n#define Z \"CBV(b2)\"\n#undef Z\n";
  EXPECT_EQ(printed(parsed(kOrder)), "CBV(b0)\n");
  EXPECT_EQ(printed(parsed(kOrder, {{}, "Y"})), "CBV(b1)\n");
  EXPECT_EQ(fault(kOrder, {{}, "Z"}), (Fault{Kind::missing, 6, 9}));
  // A #define that others use is no root signature of its own.
  EXPECT_EQ(printed(parsed(kSource.substr(0, kSource.find("#define Other")))), kMain);
}

TEST(RootSignatureText, WhatCannotBeExpandedIsAnError) {
  EXPECT_EQ(fault("#include \"c.h\"\n#define A COMMON \"CBV(b0)\"", {{}, "A"}), (Fault{Kind::macro, 2, 11}));
  EXPECT_EQ(fault("[RootSignature(\"CBV(b0),\" MORE)]"), (Fault{Kind::macro, 1, 27}));
  EXPECT_EQ(fault("string s = MORE \"CBV(b0)\";"), (Fault{Kind::macro, 1, 12}));
  EXPECT_EQ(fault("string s = \"CBV(b0)\" MORE;"), (Fault{Kind::macro, 1, 22}));
  EXPECT_EQ(fault("#define N(x) \"CBV(b\" #x \")\"\n[RootSignature(N(0))]"), (Fault{Kind::macro, 2, 16}));
  EXPECT_EQ(fault("#define N(x) \"CBV(b0)\"", {{}, "N"}).kind, Kind::macro);
  EXPECT_EQ(fault("#define A B\n#define B A \"CBV(b0)\"", {{}, "A"}), (Fault{Kind::macro, 2, 11}));
  EXPECT_EQ(fault("#define A \"CBV(b0)\" + 1", {{}, "A"}), (Fault{Kind::macro, 1, 21}));
  EXPECT_EQ(fault("#define A \"CBV(b0)\n", {{}, "A"}), (Fault{Kind::macro, 1, 11}));
  EXPECT_EQ(fault("[RootSignature(\"CBV(b0)\"").kind, Kind::macro);
  EXPECT_EQ(fault("[RootSignature()]").kind, Kind::macro);
  EXPECT_EQ(fault("#define A \"CBV(b0) // x\" \\\n \", SRV(t0)\"", {{}, "A"}), (Fault{Kind::syntax, 1, 20}));
  // Each doubles the one before.
  std::string doubling = "#define A0 \"CBV(b0),\"\n";
  for (int i = 1; i < 60; ++i) {
    const std::string before = "A" + std::to_string(i - 1);
    doubling += "#define A" + std::to_string(i) + ' ' + before + ' ' + before + '\n';
  }
  EXPECT_EQ(fault(doubling, {{}, "A59"}).kind, Kind::macro);
  EXPECT_EQ(fault(doubling).kind, Kind::macro);
  std::string deep = "#define A0 \"CBV(b0),\"\n";
  for (int i = 1; i < 100; ++i) deep += "#define A" + std::to_string(i) + " A" + std::to_string(i - 1) + '\n';
  EXPECT_EQ(fault(deep, {{}, "A99"}).kind, Kind::macro);
}

TEST(RootSignatureText, ConditionsOfTheSourceHold) {
  const auto kinds = [](std::string_view text, std::string_view define) {
    std::vector<Kind> found;
    for (const auto& message : parse_root_signature_text(text, {{}, define}).messages) found.push_back(kind_of(message));
    return found;
  };
  constexpr std::string_view kGuarded = "#ifndef H\n#define H\n#define A \"CBV(b0)\"\n#endif\n";
  EXPECT_EQ(printed(parsed(kGuarded, {{}, "A"})), "CBV(b0)\n");
  EXPECT_EQ(kinds(kGuarded, "A"), std::vector<Kind>{});
  constexpr std::string_view kEither =
      "#define WIDE 2\n#if WIDE > 1 && defined(WIDE) && !(WIDE == 3)\n#define A \"CBV(b0)\"\n#elif 1\n#define A \"CBV(b1)\"\n"
      "#else\n#define A \"CBV(b2)\"\n#endif\n";
  EXPECT_EQ(printed(parsed(kEither, {{}, "A"})), "CBV(b0)\n");
  EXPECT_EQ(kinds(kEither, "A"), std::vector{Kind::condition});
  EXPECT_EQ(fault("#ifdef UNKNOWN\n#define A \"CBV(b0)\"\n#endif\n", {{}, "A"}), (Fault{Kind::missing, 2, 9}));
  // Neither branch, where the condition cannot be told.
  EXPECT_EQ(fault("#if F(1)\n#define A \"CBV(b0)\"\n#else\n#define A \"CBV(b1)\"\n#endif\n", {{}, "A"}), (Fault{Kind::missing, 2, 9}));
  EXPECT_EQ(printed(parsed("[RootSignature(\"CBV(b0)\"\n#if 0\n\", SRV(t0)\"\n#endif\n\", UAV(u0)\")]")), "CBV(b0),\nUAV(u0)\n");
  EXPECT_EQ(kinds("[RootSignature(\"CBV(b0)\")] [RootSignature(\"CBV(b1)\")] [RootSignature(\"CBV(b2)\")]", {}),
            std::vector{Kind::several});
  EXPECT_EQ(kinds("#define A \"CBV(b0)\"\n#define B \"CBV(b1)\"\n", {}), std::vector{Kind::several});
}

TEST(RootSignatureText, AnEmptyTextIsNone) {
  EXPECT_EQ(fault("").kind, Kind::empty);
  EXPECT_EQ(fault(" \r\n // rootsig_1_0\n/**/").kind, Kind::empty);
  EXPECT_EQ(printed(parsed("RootFlags(0)")), "RootFlags(0)\n");
}

TEST(RootSignatureText, TellsWhereAndWhatIsWrong) {
  EXPECT_EQ(fault("CBV(b0)\n  SRV(t0)"), (Fault{Kind::syntax, 2, 3}));
  EXPECT_EQ(fault("CBV(t0)"), (Fault{Kind::invalid_register, 1, 5}));
  EXPECT_EQ(fault("CBV(b99999999999)"), (Fault{Kind::invalid_number, 1, 5}));
  EXPECT_EQ(fault("CBV(b0, b1)"), (Fault{Kind::duplicate, 1, 9}));
  EXPECT_EQ(fault("RootFlags(0), RootFlags(0)"), (Fault{Kind::duplicate, 1, 15}));
  EXPECT_EQ(fault("RootConstants(b0)").kind, Kind::missing);
  EXPECT_EQ(fault("StaticSampler(minLOD = 1)").kind, Kind::missing);
  EXPECT_EQ(fault("StaticSampler(s0, maxLOD = 1e99)"), (Fault{Kind::invalid_number, 1, 28}));
  EXPECT_EQ(fault("StaticSampler(s0, filter = LINEAR)"), (Fault{Kind::unknown_word, 1, 28}));
  EXPECT_EQ(fault("CBV(b0, visibility = PIXEL)"), (Fault{Kind::unknown_word, 1, 22}));
  EXPECT_EQ(fault("CBV(b0, numDescriptors = 1)"), (Fault{Kind::unknown_word, 1, 9}));
  EXPECT_EQ(fault("CBV(b0"), (Fault{Kind::syntax, 1, 7}));
  EXPECT_EQ(fault("CBV(b0,)"), (Fault{Kind::unknown_word, 1, 8}));
  EXPECT_EQ(fault("Sampler(s0)"), (Fault{Kind::unknown_word, 1, 1}));
  EXPECT_EQ(fault("\x01"), (Fault{Kind::unknown_word, 1, 1}));
  EXPECT_EQ(fault(std::string(limits::kRootSignatureText + 1, ' ')).kind, Kind::size);
  EXPECT_EQ(printed(parsed("CBV(b0),")), "CBV(b0)\n");  // as dxc takes it
}

TEST(RootSignatureText, BreaksTheRulesAtItsElements) {
  const auto found = [](std::string_view text) {
    const auto result = parse_root_signature_text(text);
    EXPECT_TRUE(result.ok) << text;
    std::string all;
    for (const auto& f : result.findings)
      all += std::to_string(f.line) + ':' + std::to_string(f.column) + ' ' + std::string(f.finding.rule->id) + ' ' + f.finding.path + ';';
    return all;
  };
  EXPECT_EQ(found("RootConstants(num32BitConstants = 62, b0), CBV(b1)"), "");
  EXPECT_EQ(found("RootConstants(num32BitConstants = 63, b0), CBV(b1)"), "1:1 rts0.cost RTS0/parameters;");
  EXPECT_EQ(found("CBV(b0),\n  CBV(b0)"), "2:3 rts0.overlap RTS0/parameters[1];");
  EXPECT_EQ(found("CBV(b1), DescriptorTable(SRV(t4),\n  Sampler(s0))"), "2:3 rts0.sampler-mix RTS0/parameters[1]/ranges[1];");
  EXPECT_EQ(found("DescriptorTable(SRV(t0, numDescriptors=0))"), "1:17 rts0.range RTS0/parameters[0]/ranges[0]/count;");
  EXPECT_EQ(found("DescriptorTable(SRV(t1, numDescriptors=unbounded), SRV(t5))"),
            "1:52 rts0.range RTS0/parameters[0]/ranges[1]/offset_in_table;1:52 rts0.overlap RTS0/parameters[0]/ranges[1];");
  EXPECT_EQ(found("DescriptorTable(SRV(t4294967295, numDescriptors=2))"), "1:17 rts0.range RTS0/parameters[0]/ranges[0]/count;");
  EXPECT_EQ(found("CBV(b0, space=4294967295)"), "1:1 rts0.reserved-space RTS0/parameters[0]/space;");
  EXPECT_EQ(found("StaticSampler(s0), DescriptorTable(Sampler(s0))"), "1:1 rts0.overlap RTS0/static_samplers[0];");
  EXPECT_EQ(found("StaticSampler(s0),\nStaticSampler(s1, maxAnisotropy=17)"),
            "2:1 rts0.static-sampler RTS0/static_samplers[1]/max_anisotropy;");
  // Direct3D has this filter, dxc does not.
  EXPECT_EQ(found("StaticSampler(s0, filter=FILTER_MIN_MAG_ANISOTROPIC_MIP_POINT)"),
            "1:1 rts0.static-sampler RTS0/static_samplers[0]/filter;");
  EXPECT_EQ(found("StaticSampler(s0, mipLODBias=100)"), "1:1 rts0.static-sampler RTS0/static_samplers[0]/mip_lod_bias;");
  EXPECT_EQ(found("SRV(t0, flags=DATA_VOLATILE|DATA_STATIC)"), "1:1 rts0.flags RTS0/parameters[0]/flags;");
  EXPECT_EQ(found("DescriptorTable(Sampler(s0, flags=DATA_STATIC))"), "1:17 rts0.flags RTS0/parameters[0]/ranges[0]/flags;");
  EXPECT_EQ(found("CBV(b0), RootFlags(0x4000)"), "1:10 rts0.flags RTS0/flags;");
  // In a source, at the line of the string.
  EXPECT_EQ(found("#define C \"CBV(b0), \"\n#define A C \\\n  \"CBV(b0)\"\n[RootSignature(A)]"), "3:4 rts0.overlap RTS0/parameters[1];");
  const auto empty = parse_root_signature_text("DescriptorTable(visibility = SHADER_VISIBILITY_PIXEL)");
  ASSERT_EQ(empty.messages.size(), 1U);
  EXPECT_EQ(kind_of(empty.messages[0]), Kind::empty_table);
}

TEST(RootSignatureText, NoCutOrChangedTextGoesBeyondItsBounds) {
  const std::string text = test::read_text(test::source_dir() / "tests/data/dxil/rootsig.cs.hlsl") +
                           "#ifdef A\n#define B \"CBV(b9), \"\n#elif defined(C) || -1 < (2 >> 1) && !X\n#define B \"SRV(t9), \"\n#endif\n"
                           "#define C B \\\n \"UAV(u9)\"\n#undef A\n#define F(x) x\n[RootSignature(C)]\n";
  for (std::size_t size = 0; size < text.size(); ++size) (void)parse_root_signature_text(text.substr(0, size));
  for (std::size_t i = 0; i < text.size(); ++i) {
    std::string changed = text;
    changed[i] = "\"\\(),=|/*#\n\0\xff"[i % 13];
    (void)parse_root_signature_text(changed);
  }
  for (const char* odd :
       {"/", "/*", "//", "\"", "\\", "#define", "#define RS", "#define RS \"", "-", ".", "0x", "asfloat(", "CBV(b0) \"SRV(t0)\""})
    (void)parse_root_signature_text(odd, {{}, "RS"}), (void)parse_root_signature_text(odd);
}

TEST(RootSignatureText, PrintsAndReadsBackWhateverAPartHolds) {
  const auto good = root_signature_part("rootsig_cs_6_0.dxil");
  for (std::size_t i = 0; i + 4 <= good.size(); i += 4) {
    for (const std::uint32_t value : {0U, 1U, 2U, 0x7fc0'0000U, 0xffff'ffffU}) {
      auto bytes = good;
      test::put_u32(bytes, i, value);
      const auto signature = parse_root_signature(part_of(bytes));
      Text text;
      if (!signature || !print_root_signature(*signature, text)) continue;
      const RootSignature again = parsed(text.view());
      Text second;
      ASSERT_TRUE(print_root_signature(again, second));
      EXPECT_EQ(text.view(), second.view());
    }
  }
}

}  // namespace
}  // namespace unshade::dxcontainer

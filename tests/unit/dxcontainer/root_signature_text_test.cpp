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

using Kind = RootSignatureMessage::Kind;

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
    if (rule(message.kind).severity == Severity::error) return {message.kind, message.line, message.column};
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

TEST(RootSignatureText, IsFoundInSource) {
  constexpr std::string_view kSource =
      "#include \"CBV.hlsli\" // \"CBV(b9)\"\n"
      "#define One \"CBV(b1)\"\n"
      "#define Two \"CBV\" /* two strings */ \\\n"
      "            \"(b2), \" \"SRV(t7)\" float x;\n"
      "[RootSignature(\"UAV(u0)\")]\n";
  EXPECT_EQ(printed(parsed(kSource)), "CBV(b1)\n");
  EXPECT_EQ(printed(parsed(kSource, {{}, "Two"})), "CBV(b2),\nSRV(t7)\n");
  EXPECT_EQ(fault(kSource, {{}, "Three"}).kind, Kind::missing);
  EXPECT_EQ(fault("#define R \\\n  \"CBV(b0),\" \\\n  \"SRV(x)\"\n"), (Fault{Kind::unknown_word, 3, 8}));
  RootSignaturePrintOptions options;
  options.define = "RS";
  EXPECT_EQ(printed(parsed("CBV(b1), SRV(t0)"), options), "#define RS \\\n  \"CBV(b1), \" \\\n  \"SRV(t0)\"\n");
  EXPECT_EQ(printed(parsed(""), options), "#define RS \"\"\n");
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

TEST(RootSignatureText, WarnsOfWhatDirect3DRefuses) {
  const auto kinds = [](std::string_view text) {
    std::vector<Kind> found;
    for (const auto& message : parse_root_signature_text(text).messages) found.push_back(message.kind);
    return found;
  };
  EXPECT_EQ(kinds("RootConstants(num32BitConstants = 62, b0), CBV(b1)"), std::vector<Kind>{});
  EXPECT_EQ(kinds("RootConstants(num32BitConstants = 63, b0), CBV(b1)"), std::vector{Kind::cost});
  EXPECT_EQ(kinds("DescriptorTable(Sampler(s0), SRV(t0))"), std::vector{Kind::mixed_table});
  EXPECT_EQ(kinds("DescriptorTable(visibility = SHADER_VISIBILITY_PIXEL)"), std::vector{Kind::empty_table});
}

TEST(RootSignatureText, NoCutOrChangedTextGoesBeyondItsBounds) {
  const std::string text = test::read_text(test::source_dir() / "tests/data/dxil/rootsig.cs.hlsl");
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

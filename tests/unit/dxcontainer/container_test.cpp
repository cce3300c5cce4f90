#include <unshade/dxcontainer/container.hpp>
#include <unshade/dxcontainer/digest.hpp>
#include <unshade/dxcontainer/features.hpp>
#include <unshade/dxcontainer/root_signature.hpp>
#include <unshade/dxcontainer/signature.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace unshade::dxcontainer {
namespace {

using Bytes = std::vector<std::byte>;

void put32(Bytes& bytes, std::uint32_t value) {
  for (unsigned i = 0; i < 4; ++i) bytes.push_back(static_cast<std::byte>(value >> (8 * i)));
}
void set32(Bytes& bytes, std::size_t at, std::uint32_t value) {
  for (unsigned i = 0; i < 4; ++i) bytes[at + i] = static_cast<std::byte>(value >> (8 * i));
}

struct NewPart {
  std::uint32_t fourcc;
  Bytes data;
};

// A container of these parts, unsigned.
Bytes container_of(const std::vector<NewPart>& parts) {
  Bytes bytes;
  put32(bytes, kMagic);
  for (int i = 0; i < 4; ++i) put32(bytes, 0);
  put32(bytes, 1);
  put32(bytes, 0);
  put32(bytes, static_cast<std::uint32_t>(parts.size()));
  std::size_t offset = kHeaderBytes + 4 * parts.size();
  for (const auto& part : parts) {
    put32(bytes, static_cast<std::uint32_t>(offset));
    offset += kPartHeaderBytes + part.data.size();
  }
  for (const auto& part : parts) {
    put32(bytes, part.fourcc);
    put32(bytes, static_cast<std::uint32_t>(part.data.size()));
    bytes.insert(bytes.end(), part.data.begin(), part.data.end());
  }
  set32(bytes, 24, static_cast<std::uint32_t>(bytes.size()));
  return bytes;
}

Bytes words(const std::vector<std::uint32_t>& values) {
  Bytes bytes;
  for (const auto value : values) put32(bytes, value);
  return bytes;
}

TEST(Container, ListsItsParts) {
  const auto bytes = container_of({{fourcc("PRIV"), words({1, 2})}, {fourcc("ABCD"), {}}});
  const auto container = parse_container(View(bytes));
  ASSERT_TRUE(container);
  ASSERT_EQ(container->parts.size(), 2U);
  EXPECT_EQ(container->find(fourcc("PRIV"))->data.size(), 8U);
  EXPECT_EQ(container->find(fourcc("PRIV"))->data.file_offset(), 48U);
  EXPECT_STREQ(container->parts[1].name(), "part");
  EXPECT_EQ(container->find(fourcc("RDEF")), nullptr);
}

TEST(Container, EveryTruncationIsAnErrorThatNamesItsPlace) {
  const auto bytes = container_of({{fourcc("PRIV"), words({1, 2})}, {fourcc("SFI0"), words({1, 0})}});
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    const auto container = parse_container(View(std::span(bytes).first(size)));
    ASSERT_FALSE(container) << size;
    EXPECT_FALSE(container.error().path.empty());
  }
}

TEST(Container, DamageIsLocated) {
  const auto good = container_of({{fourcc("PRIV"), words({1, 2})}});
  const auto error_with = [&](std::size_t at, std::uint32_t value) {
    Bytes bytes = good;
    set32(bytes, at, value);
    const auto container = parse_container(View(bytes));
    return container ? Error{} : container.error();
  };
  EXPECT_EQ(error_with(0, 1).code, ErrorCode::bad_magic);
  EXPECT_EQ(error_with(24, 1000).path, "header/size");
  EXPECT_EQ(error_with(24, 10).path, "header/size");
  EXPECT_EQ(error_with(28, 0xffff'ffff).path, "header/part_count");
  EXPECT_EQ(error_with(32, 0).code, ErrorCode::out_of_range);
  EXPECT_EQ(error_with(32, 0xffff'fff0).path, "part_offsets[0]");
  EXPECT_EQ(error_with(40, 9).path, "parts[0]/size");
  EXPECT_EQ(error_with(40, 9).offset, 40U);
}

// Digests computed by hand from the rule: an empty rest and one that needs a second block.
TEST(Digest, BothVariantsAndTheSentinels) {
  for (const std::size_t extra : {0U, 1U, 20U, 55U, 56U, 63U, 64U}) {
    auto bytes = container_of({{fourcc("PRIV"), Bytes(extra)}});
    const auto state = [&] { return check_digest(*parse_container(View(bytes))); };
    EXPECT_EQ(state(), DigestState::zero);
    const auto sign = [&](DigestVariant variant) {
      const Digest digest = compute_digest(View(bytes), variant);
      std::copy(digest.begin(), digest.end(), bytes.begin() + 4);
    };
    sign(DigestVariant::standard);
    EXPECT_EQ(state(), DigestState::valid);
    sign(DigestVariant::debug);
    EXPECT_EQ(state(), DigestState::valid_debug);
    std::fill_n(bytes.begin() + 4, 16, std::byte{1});
    EXPECT_EQ(state(), DigestState::bypass);
    std::fill_n(bytes.begin() + 4, 16, std::byte{2});
    EXPECT_EQ(state(), DigestState::preview_bypass);
    bytes[4] = std::byte{3};
    EXPECT_EQ(state(), DigestState::wrong);
  }
}

Bytes signature_part() {
  // one element: semantic at 32, index 1, position, float, register 2, mask xyz, used x
  auto bytes = words({1, 8, 32, 1, 1, 3, 2, 0x0000'0107});
  for (const char c : std::string("POS")) bytes.push_back(static_cast<std::byte>(c));
  bytes.push_back(std::byte{0});
  return bytes;
}

TEST(Signature, ReadsAndGivesBackItsBytes) {
  const auto bytes = container_of({{fourcc("ISGN"), signature_part()}});
  const auto container = parse_container(View(bytes));
  ASSERT_TRUE(container);
  const auto signature = parse_signature(container->parts[0]);
  ASSERT_TRUE(signature);
  ASSERT_EQ(signature->elements.size(), 1U);
  const auto& element = signature->elements[0];
  EXPECT_EQ(element.semantic.text, "POS");
  EXPECT_EQ(element.semantic_index, 1U);
  EXPECT_EQ(element.system_value, SystemValue::position);
  EXPECT_EQ(element.component_type, ComponentType::float32);
  EXPECT_EQ(element.register_index, 2U);
  EXPECT_EQ(element.mask, 7U);
  EXPECT_EQ(element.used_mask, 1U);
  EXPECT_EQ(write_signature(*signature), signature_part());
}

TEST(Signature, TheFourccDecidesTheLayout) {
  EXPECT_EQ(signature_layout(fourcc("ISGN")).stride(), 24U);
  EXPECT_EQ(signature_layout(fourcc("OSG5")).stride(), 28U);
  EXPECT_EQ(signature_layout(fourcc("PSG1")).stride(), 32U);
  EXPECT_FALSE(is_signature(fourcc("RDEF")));
}

TEST(Signature, ErrorsNameTheElement) {
  auto data = signature_part();
  set32(data, 8, 500);
  const auto bytes = container_of({{fourcc("ISGN"), data}});
  const auto signature = parse_signature(parse_container(View(bytes))->parts[0]);
  ASSERT_FALSE(signature);
  EXPECT_EQ(signature.error().path, "ISGN/elements[0]/semantic");
  EXPECT_EQ(signature.error().offset, 36U + 8U + 8U);
}

TEST(Features, AreOneQuadword) {
  const auto bytes = container_of({{fourcc("SFI0"), words({0x11, 0})}});
  const auto container = parse_container(View(bytes));
  EXPECT_EQ(*parse_features(container->parts[0]), 0x11U);
  const auto short_bytes = container_of({{fourcc("SFI0"), words({1})}});
  const auto features = parse_features(parse_container(View(short_bytes))->parts[0]);
  ASSERT_FALSE(features);
  EXPECT_EQ(features.error().path, "SFI0/flags");
}

class RootSignatures : public testing::TestWithParam<RootSignatureVersion> {};

TEST_P(RootSignatures, AreWrittenAsTheyAreRead) {
  RootSignature signature;
  signature.version = GetParam();
  signature.flags = 1;
  signature.parameters.items.resize(3);
  auto& table = signature.parameters[0];
  table.type = RootParameterType::descriptor_table;
  table.ranges.items.push_back({DescriptorRangeType::uav, 4, 1, 2, 0, 0xffff'ffff});
  auto& constants = signature.parameters[1];
  constants.type = RootParameterType::constants;
  constants.shader_register = 3;
  constants.constant_count = 8;
  auto& view = signature.parameters[2];
  view.type = RootParameterType::cbv;
  view.visibility = ShaderVisibility::pixel;
  view.space = 9;
  signature.static_samplers.items.resize(1);
  signature.static_samplers[0].max_anisotropy = 16;

  const auto written = write_root_signature(signature);
  const auto bytes = container_of({{fourcc("RTS0"), written}});
  const auto container = parse_container(View(bytes));
  const auto read = parse_root_signature(container->parts[0]);
  ASSERT_TRUE(read) << to_string(read.error());
  ASSERT_EQ(read->parameters.size(), 3U);
  ASSERT_EQ(read->parameters[0].ranges.size(), 1U);
  EXPECT_EQ(read->parameters[0].ranges[0].count, 4U);
  EXPECT_EQ(read->parameters[1].constant_count, 8U);
  EXPECT_EQ(read->parameters[2].space, 9U);
  EXPECT_EQ(read->static_samplers[0].max_anisotropy, 16U);
  EXPECT_EQ(write_root_signature(*read), written);

  Tree tree{View(bytes)};
  record_root_signature(container->parts[0], tree, 0);
  EXPECT_TRUE(tree.errors().empty());
}

INSTANTIATE_TEST_SUITE_P(Versions, RootSignatures,
                         testing::Values(RootSignatureVersion::v1_0, RootSignatureVersion::v1_1, RootSignatureVersion::v1_2));

TEST(RootSignature, OtherVersionsAreRefused) {
  const auto bytes = container_of({{fourcc("RTS0"), words({9, 0, 24, 0, 24, 0})}});
  const auto read = parse_root_signature(parse_container(View(bytes))->parts[0]);
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error().code, ErrorCode::unsupported);
  EXPECT_EQ(read.error().path, "RTS0/version");
}

}  // namespace
}  // namespace unshade::dxcontainer

#include <unshade/shader/root_signature.hpp>

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include <unshade/dxcontainer/root_signature_text.hpp>

#include "support/files.hpp"

namespace unshade::shader {
namespace {

std::vector<std::byte> sample(const char* name) { return test::read_bytes(test::source_dir() / "tests/data" / name); }

std::string text_of(const RootSignatureProposal& proposal) {
  Text text;
  EXPECT_TRUE(dxcontainer::print_root_signature(proposal.made(), text));
  return text.str();
}

TEST(RootSignatureProposal, GrowsByEachShader) {
  const auto vertex = sample("dxbc/lit_vs_5_0.dxbc");
  const auto pixel = sample("dxbc/textured_ps_5_0.dxbc");
  const auto first = open(test::view_of(vertex));
  const auto second = open(test::view_of(pixel));
  ASSERT_TRUE(first && second);
  RootSignatureProposal proposal;
  ASSERT_TRUE(proposal.add(*first));
  const std::string alone = text_of(proposal);
  EXPECT_NE(alone.find("SHADER_VISIBILITY_VERTEX"), std::string::npos) << alone;
  EXPECT_EQ(alone.find("SHADER_VISIBILITY_PIXEL"), std::string::npos) << alone;
  ASSERT_TRUE(proposal.add(*second));
  const std::string both = text_of(proposal);
  EXPECT_NE(both.find("SHADER_VISIBILITY_VERTEX"), std::string::npos) << both;
  EXPECT_NE(both.find("SHADER_VISIBILITY_PIXEL"), std::string::npos) << both;
  // what cannot be added changes nothing
  for (const char* const name : {"dxil/exported_lib_6_3.dxil", "spirv/odd.spv"}) {
    const auto file = sample(name);
    const auto other = open(test::view_of(file));
    ASSERT_TRUE(other) << name;
    const auto added = proposal.add(*other);
    ASSERT_FALSE(added) << name;
    EXPECT_EQ(added.error().code, ErrorCode::unsupported);
    EXPECT_EQ(text_of(proposal), both);
  }
}

TEST(RootSignatures, AreBytesOrText) {
  const auto container = sample("dxil/rootsig_only.dxil");
  EXPECT_TRUE(is_binary_root_signature(test::view_of(container)));
  const auto part = root_signature_of(test::view_of(container));
  ASSERT_TRUE(part);
  EXPECT_TRUE(is_binary_root_signature(View(*part)));
  EXPECT_TRUE(parse_root_signature(*part));
  EXPECT_FALSE(parse_root_signature(std::span(*part).first(8)));
  const std::string_view text = "CBV(b0)";
  EXPECT_FALSE(is_binary_root_signature(View(std::as_bytes(std::span(text)))));
  EXPECT_FALSE(is_binary_root_signature(View()));
}

}  // namespace
}  // namespace unshade::shader

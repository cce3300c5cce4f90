// An edit of a listing is never passed over.
#include "support/listing_edits.hpp"

#include <gtest/gtest.h>

#include "support/files.hpp"
#include "unit/spirv/spirv_builder.hpp"

namespace unshade::test {

namespace {

std::optional<std::string> relisted(std::string_view text, std::string& refusal) {
  const auto made = spirv::assemble(text);
  if (!made) {
    refusal = made.error().path;
    return std::nullopt;
  }
  return listed(*made, {.friendly_names = false, .exact = true});
}

constexpr std::string_view kModule = R"(OpCapability Shader
%glsl = OpExtInstImport "GLSL.std.450"
OpMemoryModel Logical GLSL450
OpEntryPoint Fragment %main "main" %in %out
OpExecutionMode %main OriginUpperLeft
OpSource GLSL 450
OpName %main "main"
OpName %in "in.x"
OpName %out "in x"
OpName %s "S"
OpMemberName %s 0 "member"
OpDecorate %in Location 3
OpDecorate %in Flat
OpDecorate %out Location 0
OpMemberDecorate %s 0 Offset 16
%void = OpTypeVoid
%fn = OpTypeFunction %void
%float = OpTypeFloat 32
%int = OpTypeInt 32 1
%uint = OpTypeInt 32 0
%long = OpTypeInt 64 1
%bool = OpTypeBool
%v4 = OpTypeVector %float 4
%s = OpTypeStruct %v4 %int
%pin = OpTypePointer Input %v4
%pout = OpTypePointer Output %v4
%in = OpVariable %pin Input
%out = OpVariable %pout Output
%half = OpConstant %float 0.5
%minus = OpConstant %int -3
%many = OpConstant %uint 4000000000
%most = OpConstant %long 9000000000000000000
%zero = OpConstantNull %v4
%true = OpConstantTrue %bool
%main = OpFunction %void None %fn
%entry = OpLabel
%value = OpLoad %v4 %in Volatile|Aligned 16
%root = OpExtInst %v4 %glsl Sqrt %value
%sum = OpFAdd %v4 %root %zero
OpSelectionMerge %end None
OpSwitch %minus %end 1 %one -2 %two
%one = OpLabel
OpStore %out %sum
OpBranch %end
%two = OpLabel
OpBranchConditional %true %end %end 1 2
%end = OpLabel
OpReturn
OpFunctionEnd
)";

TEST(ListingEdits, EachWordOfExactListings) {
  const auto odd = read_bytes(source_dir() / "tests/data/spirv/odd.spv");
  EXPECT_GT(expect_edits_are_kept(listed(assembled(kModule), {.exact = true}), relisted, 1), 400U);
  EXPECT_GT(expect_edits_are_kept(listed(odd, {.exact = true}), relisted, 5), 100U);
  const auto blocks = assembled(read_text(source_dir() / "tests/data/spirv/blocks.spvasm"));
  EXPECT_GT(expect_edits_are_kept(listed(blocks, {.exact = true}), relisted, 13), 100U);
}

TEST(ListingEdits, EachWordOfPlainAndRawListings) {
  const auto odd = read_bytes(source_dir() / "tests/data/spirv/odd.spv");
  for (const bool friendly : {true, false}) {
    EXPECT_GT(expect_edits_are_kept(listed(assembled(kModule), {.friendly_names = friendly}), relisted, 7), 50U);
    EXPECT_GT(expect_edits_are_kept(listed(odd, {.friendly_names = friendly}), relisted, 7), 50U);
  }
}

}  // namespace

}  // namespace unshade::test

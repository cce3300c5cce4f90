#include <unshade/spirv/edit.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "unit/spirv/spirv_builder.hpp"

namespace unshade::spirv {

namespace {

using test::assembled;
using test::listed;
using test::view_of;

constexpr const char* kText = R"(OpCapability Shader
OpExtension "SPV_GOOGLE_decorate_string"
OpExtension "SPV_GOOGLE_hlsl_functionality1"
OpExtension "SPV_KHR_non_semantic_info"
%std = OpExtInstImport "GLSL.std.450"
%printf = OpExtInstImport "NonSemantic.DebugPrintf"
OpMemoryModel Logical GLSL450
OpEntryPoint Vertex %main "main" %in_uv
%file = OpString "a.hlsl"
%format = OpString "%f"
OpSource HLSL 600 %file "float4 main"
OpSourceContinued " of"
OpName %main "main"
OpName %in_uv "in.var.TEXCOORD0"
OpModuleProcessed "by a test"
OpDecorateString %in_uv UserSemantic "TEXCOORD0"
OpDecorate %in_uv Location 0
%void = OpTypeVoid
%fn = OpTypeFunction %void
%float = OpTypeFloat 32
%pin = OpTypePointer Input %float
%in_uv = OpVariable %pin Input
%main = OpFunction %void None %fn
%l = OpLabel
OpLine %file 3 1
%v = OpLoad %float %in_uv
%a = OpExtInst %float %std FAbs %v
%p = OpExtInst %void %printf 1 %format %a
OpNoLine
OpReturn
OpFunctionEnd
)";

std::string stripped(const std::vector<std::byte>& bytes, const Strip& options) {
  const auto module = parse(view_of(bytes));
  if (!module) return "no module";
  return listed(strip(*module, options), {.friendly_names = false});
}

bool has(const std::string& text, std::string_view what) { return text.find(what) != std::string::npos; }

TEST(Strip, WithoutOptionsNoByteChanges) {
  const auto bytes = assembled(kText);
  const auto module = parse(view_of(bytes));
  ASSERT_TRUE(module);
  EXPECT_EQ(strip(*module, {}), bytes);
}

TEST(Strip, DebugTakesNamesSourcesAndLines) {
  const std::string text = stripped(assembled(kText), {.debug = true});
  for (const char* gone : {"OpName", "OpSource", "OpSourceContinued", "OpModuleProcessed", "OpLine", "OpNoLine", "a.hlsl"})
    EXPECT_FALSE(has(text, gone)) << gone;
  // What an instruction that stays prints by, and all that is not about debugging.
  for (const char* stays : {"\"%f\"", "UserSemantic", "FAbs", "NonSemantic.DebugPrintf", "Location 0", "OpEntryPoint"})
    EXPECT_TRUE(has(text, stays)) << stays;
}

TEST(Strip, ReflectionTakesSemanticsAndSetsWithoutMeaning) {
  const std::string text = stripped(assembled(kText), {.reflection = true});
  for (const char* gone :
       {"UserSemantic", "SPV_GOOGLE_decorate_string", "SPV_GOOGLE_hlsl_functionality1", "SPV_KHR_non_semantic_info", "DebugPrintf"})
    EXPECT_FALSE(has(text, gone)) << gone;
  for (const char* stays : {"OpName", "OpSource", "OpLine", "a.hlsl", "FAbs", "Location 0"}) EXPECT_TRUE(has(text, stays)) << stays;
}

TEST(Strip, BothLeaveNoTextBehind) {
  const std::string text = stripped(assembled(kText), {.debug = true, .reflection = true});
  EXPECT_FALSE(has(text, "OpString"));
  EXPECT_TRUE(has(text, "FAbs"));
}

TEST(Strip, AnExtensionThatAnotherTextNeedsStays) {
  std::string source = kText;
  const std::string_view semantic = "OpDecorateString %in_uv UserSemantic \"TEXCOORD0\"\n";
  source.insert(source.find(semantic), "OpDecorateString %in_uv MemoryINTEL \"kept\"\n");
  const auto bytes = assembled(source);
  const std::string text = stripped(bytes, {.reflection = true});
  EXPECT_TRUE(has(text, "SPV_GOOGLE_decorate_string"));
  EXPECT_TRUE(has(text, "kept"));
  EXPECT_FALSE(has(text, "UserSemantic"));
}

TEST(Strip, TheByteOrderOfTheFileStays) {
  const auto little = test::module_of({test::head(17, 2), 1, test::head(5, 4), 7, 0x6e69616d, 0, test::head(19, 2), 2});
  const auto big = test::module_of({test::head(17, 2), 1, test::head(5, 4), 7, 0x6e69616d, 0, test::head(19, 2), 2}, true);
  for (const auto& bytes : {little, big}) {
    const auto module = parse(view_of(bytes));
    ASSERT_TRUE(module);
    const auto after = strip(*module, {.debug = true});
    ASSERT_EQ(after.size(), bytes.size() - 16);
    EXPECT_TRUE(std::equal(after.begin(), after.begin() + 28, bytes.begin()));
    EXPECT_TRUE(std::equal(after.begin() + 28, after.end(), bytes.begin() + 44));
  }
}

TEST(Strip, TwiceIsOnce) {
  const auto bytes = assembled(kText);
  const Strip all{.debug = true, .reflection = true};
  const auto once = strip(*parse(view_of(bytes)), all);
  EXPECT_LT(once.size(), bytes.size());
  EXPECT_EQ(strip(*parse(view_of(once)), all), once);
}

}  // namespace

}  // namespace unshade::spirv

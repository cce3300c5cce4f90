// Rules that follow from effects.def: a module that breaks each of them, and the same one mended.
#include <gtest/gtest.h>

#include <set>
#include <string>
#include <string_view>

#include <unshade/spirv/validate/check.hpp>

#include "unit/spirv/spirv_builder.hpp"

namespace unshade::spirv {
namespace {

using Ids = std::set<std::string>;

Ids effects_of(std::string_view text) {
  const auto bytes = test::assembled(text);
  Findings findings(bytes.size());
  check_module(test::view_of(bytes), findings);
  Ids ids;
  for (const Diagnostic& finding : findings.take()) ids.emplace(finding.rule->id);
  return ids;
}

constexpr std::string_view kTypes = R"(%void = OpTypeVoid
%fn = OpTypeFunction %void
%f32 = OpTypeFloat 32
%u32 = OpTypeInt 32 0
%bool = OpTypeBool
%v2 = OpTypeVector %f32 2
%v4 = OpTypeVector %f32 4
%zero = OpConstant %f32 0
%index = OpConstant %u32 0
%device = OpConstant %u32 1
%workgroup = OpConstant %u32 2
%subgroup = OpConstant %u32 3
%place = OpConstantComposite %v2 %zero %zero
%image = OpTypeImage %f32 2D 0 0 0 1 Unknown
%sampled = OpTypeSampledImage %image
%sampled_pointer = OpTypePointer UniformConstant %sampled
%texture = OpVariable %sampled_pointer UniformConstant
%storage = OpTypeImage %f32 2D 0 0 0 2 R32f
%storage_pointer = OpTypePointer UniformConstant %storage
%target = OpVariable %storage_pointer UniformConstant
%pixel = OpConstantComposite %v4 %zero %zero %zero %zero
%private = OpTypePointer Private %f32
%value = OpVariable %private Private
%other = OpVariable %private Private
)";

/// A module with one entry point, %main, which calls %helper; `body` is in %helper.
std::string module_with(std::string_view model, std::string_view body, std::string_view modes = {}, std::string_view decorations = {}) {
  std::string text =
      "OpCapability Shader\nOpCapability Geometry\nOpCapability GroupNonUniform\nOpCapability ComputeDerivativeGroupQuadsNV\n"
      "OpCapability StorageImageReadWithoutFormat\n%glsl = OpExtInstImport \"GLSL.std.450\"\nOpMemoryModel Logical GLSL450\n";
  text += "OpEntryPoint " + std::string(model) + " %main \"main\"\n" + std::string(modes) + std::string(decorations) + std::string(kTypes);
  text += "%helper = OpFunction %void None %fn\n%b0 = OpLabel\n" + std::string(body) + "OpReturn\nOpFunctionEnd\n";
  text += "%main = OpFunction %void None %fn\n%b1 = OpLabel\n%called = OpFunctionCall %void %helper\nOpReturn\nOpFunctionEnd\n";
  return text;
}

TEST(SpirvEffects, ModelsOfEntryPointsMustHaveWhatTheyReach) {
  const Ids wrong{"spirv.execution-model"};
  constexpr std::string_view kDerivative = "%d = OpDPdx %f32 %zero\n";
  EXPECT_EQ(effects_of(module_with("Vertex", kDerivative)), wrong);
  EXPECT_EQ(effects_of(module_with("GLCompute", kDerivative)), wrong);
  EXPECT_EQ(effects_of(module_with("GLCompute", kDerivative, "OpExecutionMode %main DerivativeGroupQuadsNV\n")), Ids{});
  EXPECT_EQ(effects_of(module_with("Fragment", kDerivative)), Ids{});
  EXPECT_EQ(effects_of(module_with("Fragment", "OpEmitVertex\n")), wrong);
  EXPECT_EQ(effects_of(module_with("Geometry", "OpEmitVertex\n")), Ids{});
  constexpr std::string_view kSample = "%t = OpLoad %sampled %texture\n%s = OpImageSampleImplicitLod %v4 %t %place\n";
  EXPECT_EQ(effects_of(module_with("Vertex", kSample)), wrong);
  EXPECT_EQ(effects_of(module_with("Fragment", kSample)), Ids{});
}

// Nobody calls a function with a derivative: no entry point reaches it.
TEST(SpirvEffects, FunctionsThatNoEntryPointReachesAreFree) {
  std::string text = module_with("Vertex", "%d = OpDPdx %f32 %zero\n");
  const std::string call = "%called = OpFunctionCall %void %helper\n";
  text.erase(text.find(call), call.size());
  EXPECT_EQ(effects_of(text), Ids{});
}

TEST(SpirvEffects, NonWritableVariablesMustNotBeWritten) {
  const Ids wrong{"spirv.access"};
  constexpr std::string_view kWrite = "%t = OpLoad %storage %target\nOpImageWrite %t %place %pixel\n";
  EXPECT_EQ(effects_of(module_with("GLCompute", kWrite, "", "OpDecorate %target NonWritable\n")), wrong);
  EXPECT_EQ(effects_of(module_with("GLCompute", kWrite, "", "OpDecorate %target NonReadable\n")), Ids{});
  constexpr std::string_view kRead = "%t = OpLoad %storage %target\n%r = OpImageRead %v4 %t %place\n";
  EXPECT_EQ(effects_of(module_with("GLCompute", kRead, "", "OpDecorate %target NonReadable\n")), wrong);
  EXPECT_EQ(effects_of(module_with("GLCompute", kRead, "", "OpDecorate %target NonWritable\n")), Ids{});
  EXPECT_EQ(effects_of(module_with("GLCompute", "OpStore %value %zero\n", "", "OpDecorate %value NonWritable\n")), wrong);
  EXPECT_EQ(effects_of(module_with("GLCompute", "%x = OpLoad %f32 %value\n", "", "OpDecorate %value NonReadable\n")), wrong);
  // Copies write the first and read the second.
  constexpr std::string_view kCopy = "OpCopyMemory %value %other\n";
  EXPECT_EQ(effects_of(module_with("GLCompute", kCopy, "", "OpDecorate %value NonWritable\n")), wrong);
  EXPECT_EQ(effects_of(module_with("GLCompute", kCopy, "", "OpDecorate %other NonReadable\n")), wrong);
  EXPECT_EQ(effects_of(module_with("GLCompute", kCopy, "", "OpDecorate %other NonWritable\n")), Ids{});
}

TEST(SpirvEffects, LevelsMustBeGivenAsTheInstructionSays) {
  const Ids wrong{"spirv.image-operands"};
  const auto sample = [](std::string_view instruction) {
    return effects_of(module_with("Fragment", "%t = OpLoad %sampled %texture\n" + std::string(instruction)));
  };
  EXPECT_EQ(sample("%s = OpImageSampleImplicitLod %v4 %t %place Lod %zero\n"), wrong);
  EXPECT_EQ(sample("%s = OpImageSampleImplicitLod %v4 %t %place Bias %zero\n"), Ids{});
  EXPECT_EQ(sample("%s = OpImageSampleExplicitLod %v4 %t %place ConstOffset %zero\n"), wrong);
  EXPECT_EQ(sample("%s = OpImageSampleExplicitLod %v4 %t %place Bias|Lod %zero %zero\n"), wrong);
  EXPECT_EQ(sample("%s = OpImageSampleExplicitLod %v4 %t %place Lod %zero\n"), Ids{});
  EXPECT_EQ(sample("%s = OpImageSampleExplicitLod %v4 %t %place Grad %place %place\n"), Ids{});
}

TEST(SpirvEffects, GroupsMustBeWorkgroupsOrSubgroups) {
  const auto elect = [](std::string_view scope) {
    return effects_of(module_with("GLCompute", "%e = OpGroupNonUniformElect %bool %" + std::string(scope) + "\n"));
  };
  EXPECT_EQ(elect("device"), Ids{"spirv.group-scope"});
  EXPECT_EQ(elect("workgroup"), Ids{});
  EXPECT_EQ(elect("subgroup"), Ids{});
}

TEST(SpirvEffects, ColumnsAreFoundByOpcode) {
  EXPECT_EQ(find_opcode("DPdx")->gradient, Gradient::derives);
  EXPECT_EQ(find_opcode("ImageQueryLod")->gradient, Gradient::implicit);
  EXPECT_EQ(find_opcode("AtomicIAdd")->access, Access::modifies);
  EXPECT_EQ(find_opcode("AtomicStore")->access, Access::writes);
  EXPECT_EQ(find_opcode("GroupNonUniformQuadSwap")->cooperation, Cooperation::quad);
  EXPECT_EQ(find_opcode("FAdd")->models, models::every);
  EXPECT_EQ(find_extended(ExtendedSet::GlslStd450, 76)->models, models::fragment);
  EXPECT_EQ(find_extended(ExtendedSet::GlslStd450, 1)->models, models::every);
  // Both names of an opcode have its columns.
  EXPECT_EQ(find_opcode("DemoteToHelperInvocation")->models, models::fragment);
  EXPECT_EQ(models::of(static_cast<ExecutionModel>(9999)), 0U);
}

}  // namespace
}  // namespace unshade::spirv

#include <unshade/spirv/validate/check.hpp>

#include <gtest/gtest.h>

#include <algorithm>

#include "unit/spirv/spirv_builder.hpp"

namespace unshade::spirv {

namespace {

using test::head;
using test::module_of;

std::vector<std::string_view> ids_of(const std::vector<std::byte>& bytes) {
  Findings findings(bytes.size());
  check_module(test::view_of(bytes), findings);
  std::vector<std::string_view> ids;
  for (const Diagnostic& finding : findings.take()) ids.push_back(finding.rule->id);
  return ids;
}
std::vector<std::string_view> ids_of(std::string_view text) { return ids_of(test::assembled(text)); }
using Ids = std::vector<std::string_view>;

constexpr std::string_view kStart = "OpCapability Shader\nOpMemoryModel Logical GLSL450\nOpEntryPoint GLCompute %m \"m\"\n";
constexpr std::string_view kFunction = "%v = OpTypeVoid\n%f = OpTypeFunction %v\n%m = OpFunction %v None %f\n%l = OpLabel\n";
constexpr std::string_view kEnd = "OpReturn\nOpFunctionEnd\n";

std::string around(std::string_view before, std::string_view within = {}) {
  return std::string(kStart) + std::string(before) + std::string(kFunction) + std::string(within) + std::string(kEnd);
}

TEST(SpirvRules, StandInOrder) {
  const auto rules = validation_rules();
  EXPECT_TRUE(std::is_sorted(rules.begin(), rules.end(), [](const Rule* a, const Rule* b) { return a->id < b->id; }));
}

TEST(SpirvRules, APlainModuleBreaksNone) { EXPECT_EQ(ids_of(around("")), Ids{}); }

TEST(SpirvRules, OfTheHeader) {
  auto bytes = module_of({head(17, 2), 5, head(17, 2), 1, head(14, 3), 0, 0});
  EXPECT_EQ(ids_of(bytes), Ids{});
  bytes[16] = std::byte{1};
  EXPECT_EQ(ids_of(bytes), Ids{"spirv.schema"});
  bytes[16] = {};
  bytes[6] = std::byte{2};
  EXPECT_EQ(ids_of(bytes), Ids{"spirv.version"});
  EXPECT_EQ(ids_of(module_of({head(17, 2), 5, head(17, 2), 1, head(14, 3), 0, 0}, true)), Ids{"spirv.byte-order"});
  for (int i = 0; i < 4; ++i) bytes.pop_back();
  EXPECT_EQ(ids_of(bytes), Ids{"spirv.unreadable"});
}

TEST(SpirvRules, OfIds) {
  EXPECT_EQ(ids_of(around("OpDecorate %gone NonWritable\n")), Ids{"spirv.id-undefined"});
  EXPECT_EQ(ids_of(around("OpName %gone \"gone\"\n")), Ids{"spirv.name-undefined"});
  EXPECT_EQ(ids_of(around("OpSource GLSL 450 %gone\n")), Ids{"spirv.id-undefined"});
  EXPECT_EQ(ids_of(around("", "%u = OpUndef %v\n%u = OpUndef %v\n")), Ids{"spirv.id-twice"});
  EXPECT_EQ(ids_of(around("", "%a = OpCopyObject %v %b\n%b = OpUndef %v\n")), Ids{"spirv.id-forward"});
  EXPECT_EQ(ids_of(around("", "%a = OpUndef %l\n")), Ids{"spirv.type-id"});
  EXPECT_EQ(ids_of(around("", "%b = OpUndef %v\n%a = OpCopyObject %v !0\n")), Ids{"spirv.id-zero"});
  auto bytes = test::assembled(around(""));
  bytes[12] = std::byte{4};
  const auto found = ids_of(bytes);
  EXPECT_FALSE(found.empty());
  EXPECT_TRUE(std::ranges::all_of(found, [](std::string_view id) { return id == "spirv.bound"; }));
}

TEST(SpirvRules, OfSetsOfExtendedInstructions) {
  const auto import = [](std::string_view name) {
    return ids_of("OpCapability Shader\n%set = OpExtInstImport \"" + std::string(name) +
                  "\"\nOpMemoryModel Logical GLSL450\nOpEntryPoint GLCompute %m \"m\"\n" + std::string(kFunction) + std::string(kEnd));
  };
  EXPECT_EQ(import("GLSL.std.450"), Ids{});
  EXPECT_EQ(import("NonSemantic.Unheard.Of"), Ids{});
  EXPECT_EQ(import("GLSL.std.45"), Ids{"spirv.extended-set"});
  EXPECT_EQ(import(""), Ids{"spirv.extended-set"});
}

TEST(SpirvRules, OfOperands) {
  EXPECT_EQ(ids_of(around("!0x0001ea60\n")), Ids{"spirv.opcode-unknown"});
  EXPECT_EQ(ids_of(around("OpDecorate %m !0xffff\n")), Ids{"spirv.operand-unknown"});
  EXPECT_EQ(ids_of(around("!0x00010010\n")), Ids{"spirv.operand-missing"});
  EXPECT_EQ(ids_of(around("OpName %m !0x01006161\n")), Ids{"spirv.string-padding"});
  EXPECT_EQ(ids_of("OpCapability Shader\nOpCapability Int16\n" + around("%s = OpTypeInt 16 0\n%c = OpConstant %s !0x10000\n").substr(20)),
            Ids{"spirv.literal-bits"});
}

std::string for_model(std::string text, std::string_view model) {
  constexpr std::string_view kModel = "GLCompute";
  return text.replace(text.find(kModel), kModel.size(), model);
}

TEST(SpirvRules, OfCapabilities) {
  EXPECT_EQ(ids_of(around("%d = OpTypeEvent\n")), Ids{"spirv.capability"});
  // Of the entry point and of the instruction.
  EXPECT_EQ(ids_of(for_model(around("", "OpEmitVertex\n"), "Geometry")), (Ids{"spirv.capability", "spirv.capability"}));
  // Geometry brings Shader and Matrix.
  EXPECT_EQ(ids_of("OpCapability Geometry\n" + for_model(around("", "OpEmitVertex\n"), "Geometry").substr(20)), Ids{});
}

TEST(SpirvRules, OfTheLayout) {
  EXPECT_EQ(ids_of(around("OpExecutionMode %m LocalSize 1 1 1\nOpCapability Matrix\n")), Ids{"spirv.layout"});
  EXPECT_EQ(ids_of(around("OpMemoryModel Logical Simple\n")), (Ids{"spirv.memory-model", "spirv.layout"}));
  EXPECT_EQ(ids_of("OpCapability Linkage\n"), Ids{"spirv.memory-model"});
  EXPECT_EQ(ids_of("OpCapability Shader\nOpMemoryModel Logical GLSL450\n"), Ids{"spirv.entry-point"});
  EXPECT_EQ(ids_of(around("OpExecutionMode %f LocalSize 1 1 1\n")), Ids{"spirv.entry-function"});
  EXPECT_EQ(ids_of(std::string(kStart) + "%m = OpTypeVoid\n"), Ids{"spirv.entry-function"});
}

// What an unknown opcode may define, end or need is no fault of its own.
TEST(SpirvRules, AnUnknownOpcodeIsOneFinding) {
  const std::string type = "!0x0002ea60 %t\n";
  EXPECT_EQ(ids_of(around(type + "%p = OpTypePointer Private %t\n%w = OpVariable %p Private\n", "%x = OpLoad %t %w\nOpStore %w %x\n")),
            Ids{"spirv.opcode-unknown"});
  EXPECT_EQ(ids_of(around("", "!0x0003ea61 %v %y\n!0x0003ea61 %v %z\n%a = OpCopyObject %v %y\n%b = OpCopyObject %v %z\n")),
            Ids{"spirv.opcode-unknown"});
  // a terminator, perhaps
  EXPECT_EQ(ids_of(std::string(kStart) + std::string(kFunction) + "!0x0001ea62\nOpFunctionEnd\n"), Ids{"spirv.opcode-unknown"});
  EXPECT_EQ(ids_of(around(type + "OpDecorate %gone NonWritable\n")), (Ids{"spirv.opcode-unknown", "spirv.id-undefined"}));
  EXPECT_EQ(ids_of("OpCapability !0xffff\n" + around("", "OpEmitVertex\n")), (Ids{"spirv.operand-unknown", "spirv.execution-model"}));
}

TEST(SpirvRules, DebugInformationMayBeUnknown) {
  EXPECT_EQ(ids_of(around("OpSource !0x3e7 1\n")), Ids{"spirv.debug-unknown"});
  EXPECT_EQ(ids_of(around("OpSource Slang 1\n")), Ids{});
  constexpr std::string_view kImport = "%d = OpExtInstImport \"OpenCL.DebugInfo.100\"\n";
  std::string text = around("%void = OpTypeVoid\n%i = OpTypeInt 32 0\n%n = OpConstant %i 8\n%s = OpString \"s\"\n");
  text.replace(text.find("%s = OpString"), std::string_view("%s = OpString \"s\"\n").size(),
               "%b = OpExtInst %void %d DebugTypeBasic %n %n !0x3e7\n");
  text.insert(text.find("OpMemoryModel"), kImport);
  EXPECT_EQ(ids_of(text), Ids{"spirv.debug-unknown"});
}

TEST(SpirvRules, GraphsHaveNoBlocks) {
  constexpr std::string_view kGraph = R"(OpCapability GraphARM
OpCapability TensorsARM
OpCapability Shader
OpExtension "SPV_ARM_graph"
OpMemoryModel Logical GLSL450
%u = OpTypeInt 32 0
%n = OpConstant %u 1
%t = OpTypeTensorARM %u %n
%p = OpTypePointer UniformConstant %t
%in = OpVariable %p UniformConstant
%out = OpVariable %p UniformConstant
%gt = OpTypeGraphARM 1 %t %t
OpGraphEntryPointARM %g "main" %in %out
%g = OpGraphARM %gt
%a = OpGraphInputARM %t %n
%b = OpCopyObject %t %a
OpGraphSetOutputARM %b %n
)";
  EXPECT_EQ(ids_of(std::string(kGraph) + "OpGraphEndARM\n"), Ids{});
  EXPECT_EQ(ids_of(kGraph), Ids{"spirv.function"});
}

TEST(SpirvRules, OfFunctions) {
  EXPECT_EQ(ids_of(around("OpReturn\n")), Ids{"spirv.function"});
  EXPECT_EQ(ids_of(around("", "OpReturn\nOpNop\n")), (Ids{"spirv.block"}));
  EXPECT_EQ(ids_of(around("", "%k = OpLabel\n")), Ids{"spirv.block"});
  EXPECT_EQ(ids_of(std::string(kStart) + std::string(kFunction) + "OpReturn\n"), Ids{"spirv.function"});
  EXPECT_EQ(ids_of(around("", "OpName %m \"m\"\n")), Ids{"spirv.layout"});
}

}  // namespace

}  // namespace unshade::spirv

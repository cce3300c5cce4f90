// Numbers of 16 bits with the exponent of a float: what SPV_KHR_bfloat16 converts, stores and loads.
#include <string>
#include <string_view>

#include "run_support.hpp"

namespace unshade::run {
namespace {

using run_test::fault_of;
using run_test::made_by_text;
using run_test::map_of;
using run_test::words_of_case;

constexpr std::string_view kHead = R"(OpCapability Shader
OpCapability BFloat16TypeKHR
OpExtension "SPV_KHR_bfloat16"
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main "main" %id
OpExecutionMode %main LocalSize 9 1 1
OpName %given "given"
OpName %shorts "shorts"
OpName %back "back"
OpDecorate %id BuiltIn GlobalInvocationId
OpDecorate %floats ArrayStride 4
OpDecorate %halves ArrayStride 2
OpDecorate %Floats Block
OpDecorate %Halves Block
OpMemberDecorate %Floats 0 Offset 0
OpMemberDecorate %Halves 0 Offset 0
OpDecorate %given DescriptorSet 0
OpDecorate %given Binding 0
OpDecorate %shorts DescriptorSet 0
OpDecorate %shorts Binding 1
OpDecorate %back DescriptorSet 0
OpDecorate %back Binding 2
)";
constexpr std::string_view kBody = R"(%void = OpTypeVoid
%function = OpTypeFunction %void
%uint = OpTypeInt 32 0
%uint3 = OpTypeVector %uint 3
%bool = OpTypeBool
%float = OpTypeFloat 32
%bfloat = OpTypeFloat 16 BFloat16KHR
%zero = OpConstant %uint 0
%floats = OpTypeRuntimeArray %float
%halves = OpTypeRuntimeArray %bfloat
%Floats = OpTypeStruct %floats
%Halves = OpTypeStruct %halves
%of_Floats = OpTypePointer StorageBuffer %Floats
%of_Halves = OpTypePointer StorageBuffer %Halves
%of_float = OpTypePointer StorageBuffer %float
%of_bfloat = OpTypePointer StorageBuffer %bfloat
%of_id = OpTypePointer Input %uint3
%id = OpVariable %of_id Input
%given = OpVariable %of_Floats StorageBuffer
%shorts = OpVariable %of_Halves StorageBuffer
%back = OpVariable %of_Floats StorageBuffer
%main = OpFunction %void None %function
%entry = OpLabel
%ids = OpLoad %uint3 %id
%at = OpCompositeExtract %uint %ids 0
%from = OpAccessChain %of_float %given %zero %at
%x = OpLoad %float %from
%short = OpFConvert %bfloat %x
%to = OpAccessChain %of_bfloat %shorts %zero %at
OpStore %to %short
%stored = OpLoad %bfloat %to
)";
constexpr std::string_view kEnd = "%out = OpAccessChain %of_float %back %zero %at\nOpStore %out %whole\nOpReturn\nOpFunctionEnd\n";

std::string text(std::string_view decorations, std::string_view last) {
  return std::string(kHead) + std::string(decorations) + std::string(kBody) + std::string(last) + std::string(kEnd);
}

/// 1, two halfway cases (to the even one), just above one, the largest float, a NaN that is not the canonical one, minus infinity, the
/// least subnormal, a halfway subnormal.
Value given() {
  return map_of({{"resources", map_of({{"given", words_of_case({0x3f800000, 0x3f808000, 0x3f818000, 0x3f808001, 0x7f7fffff, 0xffa10001,
                                                                0xff800000, 1, 0x80018000})},
                                       {"shorts", words_of_case({0, 0, 0, 0, 0})},
                                       {"back", words_of_case({0, 0, 0, 0, 0, 0, 0, 0, 0})}})}});
}

std::string hex(const Value& result, std::string_view name) {
  const Value::Member* const found = find_resource(result, name);
  return found == nullptr ? "none" : *found->value.find("hex")->as_text();
}

constexpr std::string_view kBack = "%whole = OpFConvert %float %stored\n";

TEST(Bfloat16, RoundsToTheNearestEvenOne) {
  const Value made = made_by_text(text("", kBack), given());
  EXPECT_EQ(hex(made, "shorts"), "803f803f823f813f807fc07f80ff000002800000");
  EXPECT_EQ(hex(made, "back"), "0000803f0000803f0000823f0000813f0000807f0000c07f000080ff0000000000000280");
}

TEST(Bfloat16, RoundsTowardZeroIfDecorated) {
  const Value made = made_by_text(text("OpDecorate %short FPRoundingMode RTZ\n", kBack), given());
  EXPECT_EQ(hex(made, "shorts"), "803f803f813f803f7f7fc07f80ff000001800000");
}

TEST(Bfloat16, HasNoArithmetic) {
  EXPECT_NE(fault_of(text("", "%sum = OpFAdd %bfloat %stored %stored\n%whole = OpFConvert %float %sum\n"), given())
                .find("an operation on OpTypeFloat 16 BFloat16KHR"),
            std::string::npos);
  EXPECT_NE(fault_of(text("", "%less = OpFOrdLessThan %bool %stored %stored\n%whole = OpFConvert %float %stored\n"), given())
                .find("an operation on OpTypeFloat 16 BFloat16KHR"),
            std::string::npos);
}

}  // namespace
}  // namespace unshade::run

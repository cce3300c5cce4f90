// SPIR-V of shaders with two outputs, of one name or in two streams, as assembly.
#pragma once

#include <string>
#include <string_view>

namespace unshade::test {

/// What stages begin with after their first capability.
inline constexpr std::string_view kVertexStage = "OpMemoryModel Logical GLSL450\nOpEntryPoint Vertex %main \"main\" %a %b\n";
inline constexpr std::string_view kPixelStage =
    "OpMemoryModel Logical GLSL450\nOpEntryPoint Fragment %main \"main\" %a %b\nOpExecutionMode %main OriginUpperLeft\n";
inline constexpr std::string_view kGeometryStage =
    "OpCapability Geometry\nOpCapability GeometryStreams\nOpMemoryModel Logical GLSL450\nOpEntryPoint Geometry %main \"main\" %a %b\n"
    "OpExecutionMode %main InputPoints\nOpExecutionMode %main Invocations 1\nOpExecutionMode %main OutputPoints\n"
    "OpExecutionMode %main OutputVertices 2\n";

/// Two outputs of two components in location 0, without names: 1, 1 and 2, 2.
inline std::string two_outputs(std::string_view stage, std::string_view decorations, std::string_view after_first = {},
                               std::string_view after_second = {}) {
  std::string text = "OpCapability Shader\n" + std::string(stage) + "OpDecorate %a Location 0\nOpDecorate %b Location 0\n";
  text += std::string(decorations) + R"(%void = OpTypeVoid
%fn = OpTypeFunction %void
%float = OpTypeFloat 32
%int = OpTypeInt 32 1
%zero = OpConstant %int 0
%one = OpConstant %int 1
%v2 = OpTypeVector %float 2
%p = OpTypePointer Output %v2
%a = OpVariable %p Output
%b = OpVariable %p Output
%c1 = OpConstant %float 1
%c2 = OpConstant %float 2
%x = OpConstantComposite %v2 %c1 %c1
%y = OpConstantComposite %v2 %c2 %c2
%main = OpFunction %void None %fn
%l = OpLabel
OpStore %a %x
)";
  return text.append(after_first).append("OpStore %b %y\n").append(after_second).append("OpReturn\nOpFunctionEnd\n");
}

/// Outputs in one register.
inline std::string packed_outputs(std::string_view stage) { return two_outputs(stage, "OpDecorate %b Component 2\n"); }
/// A suite for it, of a case that holds and one that does not.
inline constexpr std::string_view kPackedSuite = R"(shader = 'packed.spvasm'
lanes = [{}, {}]
[[case]]
name = 'each'
expect.lanes = {o0 = [1, 1, 2, 2], location = 1, 'location@0' = 2}
[[case]]
name = 'one number for all'
expect.lanes = {o0 = 1}
)";
/// Those of a pixel shader, which are blended with each other: with the first source, or the second, declared first.
inline std::string blended_outputs(bool is_second_first = false) {
  return two_outputs(kPixelStage,
                     is_second_first ? "OpDecorate %a Index 1\nOpDecorate %b Index 0\n" : "OpDecorate %a Index 0\nOpDecorate %b Index 1\n");
}
/// Those of a geometry shader, of which each is emitted to a stream.
inline std::string streamed_outputs() {
  return two_outputs(kGeometryStage, "OpDecorate %a Stream 0\nOpDecorate %b Stream 1\n", "OpEmitStreamVertex %zero\n",
                     "OpEmitStreamVertex %one\n");
}
/// A geometry shader that emits to stream 1. Its `color` is in a block, whose variable has the stream; `other1` is of stream 0. Both have
/// four times the number.
inline std::string streamed_block(std::string_view number) {
  std::string text = "OpCapability Shader\n" + std::string(kGeometryStage) + R"(OpMemberName %block 0 "color"
OpName %b "other"
OpDecorate %block Block
OpMemberDecorate %block 0 Location 0
OpDecorate %a Stream 1
OpDecorate %b Location 1
OpDecorate %b Stream 0
%void = OpTypeVoid
%fn = OpTypeFunction %void
%float = OpTypeFloat 32
%int = OpTypeInt 32 1
%zero = OpConstant %int 0
%one = OpConstant %int 1
%v4 = OpTypeVector %float 4
%block = OpTypeStruct %v4
%to_block = OpTypePointer Output %block
%to_v4 = OpTypePointer Output %v4
%a = OpVariable %to_block Output
%b = OpVariable %to_v4 Output
%number = OpConstant %float )";
  return text.append(number).append(R"(
%numbers = OpConstantComposite %v4 %number %number %number %number
%main = OpFunction %void None %fn
%l = OpLabel
%color = OpAccessChain %to_v4 %a %zero
OpStore %color %numbers
OpStore %b %numbers
OpEmitStreamVertex %one
OpReturn
OpFunctionEnd
)");
}

}  // namespace unshade::test

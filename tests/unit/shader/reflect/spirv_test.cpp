// What reflection computes of SPIR-V: sizes and locations that no decoration states.
#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include <unshade/core/text.hpp>
#include <unshade/shader/reflection.hpp>
#include <unshade/shader/shader.hpp>

#include "support/two_outputs.hpp"
#include "unit/spirv/spirv_builder.hpp"

namespace unshade::shader {

namespace {

Reflection reflection_of(std::string_view text) {
  const auto bytes = test::assembled(text);
  const auto shader = open(test::view_of(bytes));
  if (!shader) return ADD_FAILURE() << to_string(shader.error()), Reflection{};
  auto reflection = reflect(*shader);
  if (!reflection) return ADD_FAILURE() << to_string(reflection.error()), Reflection{};
  return *std::move(reflection);
}

TEST(ReflectSpirv, StreamsAreThoseThatOutputsAreOf) {
  const Reflection reflection = reflection_of(test::streamed_block("1.5"));
  ASSERT_TRUE(reflection.entry_points.at(0).geometry);
  EXPECT_EQ(reflection.entry_points[0].geometry->streams, 0b11U);
}

TEST(ReflectSpirv, AMemberFollowsAllLocationsOfAnArrayOfStructs) {
  const Reflection reflection = reflection_of(R"(OpCapability Shader
OpCapability Float64
OpMemoryModel Logical GLSL450
OpEntryPoint Vertex %main "main" %out
OpName %out "o"
OpMemberName %block 0 "a"
OpMemberName %block 1 "b"
OpDecorate %block Block
OpDecorate %out Location 0
%void = OpTypeVoid
%signature = OpTypeFunction %void
%float = OpTypeFloat 32
%double = OpTypeFloat 64
%uint = OpTypeInt 32 0
%two = OpConstant %uint 2
%vec4 = OpTypeVector %float 4
%dvec4 = OpTypeVector %double 4
%inner = OpTypeStruct %dvec4 %vec4
%inners = OpTypeArray %inner %two
%block = OpTypeStruct %inners %vec4
%pointer = OpTypePointer Output %block
%out = OpVariable %pointer Output
%main = OpFunction %void None %signature
%entry = OpLabel
OpReturn
OpFunctionEnd
)");
  ASSERT_EQ(reflection.entry_points.size(), 1U);
  ASSERT_EQ(reflection.entry_points[0].outputs.size(), 2U);
  EXPECT_EQ(reflection.entry_points[0].outputs[0].register_index, 0U);
  EXPECT_EQ(reflection.entry_points[0].outputs[1].register_index, 6U);
}

TEST(ReflectSpirv, OutputsThatAreBlendedHaveTheirIndex) {
  Text printed;
  print_reflection(reflection_of(test::blended_outputs()), printed);
  EXPECT_NE(printed.view().find("built-in  interpolation  index\n"), std::string_view::npos) << printed.view();
  EXPECT_NE(printed.view().find("float2  -         -              0\n"), std::string_view::npos) << printed.view();
  EXPECT_NE(printed.view().find("float2  -         -              1\n"), std::string_view::npos) << printed.view();
  // which others have not
  Text packed;
  print_reflection(reflection_of(test::packed_outputs(test::kPixelStage)), packed);
  EXPECT_NE(packed.view().find("built-in  interpolation\n"), std::string_view::npos) << packed.view();
}

TEST(ReflectSpirv, AMemberHasTheStreamOfItsBlock) {
  const Reflection reflection = reflection_of(test::streamed_block("1.5"));
  ASSERT_EQ(reflection.entry_points.size(), 1U);
  ASSERT_EQ(reflection.entry_points[0].outputs.size(), 2U);
  EXPECT_EQ(reflection.entry_points[0].outputs[0].stream, 1U);
  EXPECT_EQ(reflection.entry_points[0].outputs[1].stream, 0U);
}

TEST(ReflectSpirv, AnArrayOfArraysHasTheSizeOfItsOuterStride) {
  const auto with = [](std::string_view outer_stride) {
    return reflection_of(R"(OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint Vertex %main "main"
OpDecorate %block Block
OpMemberDecorate %block 0 Offset 0
OpDecorate %row ArrayStride 4
OpDecorate %rows ArrayStride )" +
                         std::string(outer_stride) +
                         R"(
OpDecorate %u DescriptorSet 0
OpDecorate %u Binding 0
%void = OpTypeVoid
%signature = OpTypeFunction %void
%float = OpTypeFloat 32
%uint = OpTypeInt 32 0
%two = OpConstant %uint 2
%row = OpTypeArray %float %two
%rows = OpTypeArray %row %two
%block = OpTypeStruct %rows
%pointer = OpTypePointer Uniform %block
%u = OpVariable %pointer Uniform
%main = OpFunction %void None %signature
%entry = OpLabel
OpReturn
OpFunctionEnd
)");
  };
  for (const auto& [stride, size, outer, text] : std::vector<std::tuple<std::string, unsigned, std::vector<std::uint32_t>, std::string>>{
           {"8", 16, {}, "float _m0[2][2]  stride 4"}, {"64", 128, {64}, "float _m0[2][2]  strides 64, 4"}}) {
    const Reflection reflection = with(stride);
    ASSERT_EQ(reflection.buffers.size(), 1U);
    ASSERT_EQ(reflection.buffers[0].variables.size(), 1U);
    const Variable& variable = reflection.buffers[0].variables[0];
    EXPECT_EQ(variable.size, size);
    EXPECT_EQ(reflection.types.at(variable.type).outer_strides, outer);
    Text printed;
    print_reflection(reflection, printed);
    EXPECT_NE(printed.view().find(text), std::string_view::npos) << printed.view();
  }
}

}  // namespace

}  // namespace unshade::shader

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

std::string header_of(std::string_view model, std::string_view rest) {
  std::string text = "OpCapability Shader\n";
  text.append(rest.substr(0, rest.find('|')));
  text += "OpMemoryModel Logical GLSL450\nOpEntryPoint " + std::string(model) + " %main \"main\" %v %b\n";
  text.append(rest.substr(rest.find('|') + 1));
  return text;
}
constexpr std::string_view kEmptyMain = "%main = OpFunction %void None %signature\n%entry = OpLabel\nOpReturn\nOpFunctionEnd\n";

// The array of vertices is no part of an input's type, whether it is of vectors or of blocks.
TEST(ReflectSpirv, VerticesAreNoDimension) {
  std::string text = header_of("Geometry", "OpCapability Geometry\n|OpExecutionMode %main Triangles\n");
  text += R"(OpName %v "color"
OpName %b "block"
OpDecorate %v Location 0
OpDecorate %inner Block
OpMemberDecorate %inner 0 Location 1
OpMemberDecorate %inner 1 Location 2
%void = OpTypeVoid
%signature = OpTypeFunction %void
%float = OpTypeFloat 32
%vec4 = OpTypeVector %float 4
%uint = OpTypeInt 32 0
%three = OpConstant %uint 3
%two = OpConstant %uint 2
%pair = OpTypeArray %vec4 %two
%colors = OpTypeArray %vec4 %three
%inner = OpTypeStruct %vec4 %pair
%blocks = OpTypeArray %inner %three
%to_colors = OpTypePointer Input %colors
%to_blocks = OpTypePointer Input %blocks
%v = OpVariable %to_colors Input
%b = OpVariable %to_blocks Input
)";
  const Reflection reflection = reflection_of(text + std::string(kEmptyMain));
  ASSERT_EQ(reflection.entry_points.at(0).inputs.size(), 3U);
  std::vector<std::uint32_t> elements;
  for (const SignatureElement& input : reflection.entry_points[0].inputs) elements.push_back(reflection.types.at(input.type).elements);
  EXPECT_EQ(elements, (std::vector<std::uint32_t>{0, 0, 2}));
}

EntryPoint entry_with(std::string_view model, std::string_view rest) {
  std::string text = header_of(model, rest);
  text.erase(text.find(" %v %b"), 6);
  text += R"(OpDecorate %given SpecId 3
%void = OpTypeVoid
%signature = OpTypeFunction %void
%uint = OpTypeInt 32 0
%eight = OpConstant %uint 8
%given = OpSpecConstant %uint 4
)";
  const Reflection reflection = reflection_of(text + std::string(kEmptyMain));
  return reflection.entry_points.empty() ? EntryPoint{} : reflection.entry_points[0];
}
std::vector<std::string> modes_of(std::string_view model, std::string_view rest) { return entry_with(model, rest).execution_modes; }

TEST(ReflectSpirv, MeshShadersHaveTheirLimits) {
  const EntryPoint entry =
      entry_with("MeshEXT",
                 "OpCapability MeshShadingEXT\nOpExtension \"SPV_EXT_mesh_shader\"\n|OpExecutionMode %main OutputVertices 4\n"
                 "OpExecutionMode %main OutputPrimitivesEXT 2\nOpExecutionMode %main OutputTrianglesEXT\n");
  ASSERT_TRUE(entry.mesh);
  EXPECT_EQ(entry.mesh->topology, MeshTopology::triangle);
  EXPECT_EQ(entry.mesh->max_vertices, 4U);
  EXPECT_EQ(entry.mesh->max_primitives, 2U);
}

TEST(ReflectSpirv, ModesOfIdsHaveValues) {
  EXPECT_EQ(modes_of("GLCompute", "|OpExecutionModeId %main LocalSizeId %eight %given %eight\n"),
            std::vector<std::string>{"LocalSizeId 8 SpecId(3) 8"});
}

TEST(ReflectSpirv, NamesAreThoseOfTheDeclaredVendor) {
  EXPECT_EQ(modes_of("MeshEXT", "OpCapability MeshShadingEXT\nOpExtension \"SPV_EXT_mesh_shader\"\n|OpExecutionMode %main OutputLinesNV\n"),
            std::vector<std::string>{"OutputLinesEXT"});
  EXPECT_EQ(modes_of("MeshNV", "OpCapability MeshShadingNV\nOpExtension \"SPV_NV_mesh_shader\"\n|OpExecutionMode %main OutputLinesNV\n"),
            std::vector<std::string>{"OutputLinesNV"});
  EXPECT_EQ(modes_of("GLCompute",
                     "OpCapability ComputeDerivativeGroupQuadsNV\nOpExtension \"SPV_KHR_compute_shader_derivatives\"\n"
                     "|OpExecutionMode %main DerivativeGroupQuadsNV\n"),
            std::vector<std::string>{"DerivativeGroupQuadsKHR"});
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

TEST(ReflectSpirv, InputsOfPrimitivesAndVerticesAreNotInterpolated) {
  const Reflection reflection = reflection_of(R"(OpCapability Shader
OpCapability MeshShadingEXT
OpCapability FragmentBarycentricKHR
OpExtension "SPV_EXT_mesh_shader"
OpExtension "SPV_KHR_fragment_shader_barycentric"
OpMemoryModel Logical GLSL450
OpEntryPoint Fragment %main "main" %tint %corners %shade
OpExecutionMode %main OriginUpperLeft
OpName %tint "tint"
OpName %corners "corners"
OpName %shade "shade"
OpDecorate %tint Location 0
OpDecorate %tint PerPrimitiveEXT
OpDecorate %corners Location 1
OpDecorate %corners PerVertexKHR
OpDecorate %shade Location 2
%void = OpTypeVoid
%signature = OpTypeFunction %void
%float = OpTypeFloat 32
%uint = OpTypeInt 32 0
%three = OpConstant %uint 3
%corners_type = OpTypeArray %float %three
%of_float = OpTypePointer Input %float
%of_corners = OpTypePointer Input %corners_type
%tint = OpVariable %of_float Input
%corners = OpVariable %of_corners Input
%shade = OpVariable %of_float Input
%main = OpFunction %void None %signature
%entry = OpLabel
OpReturn
OpFunctionEnd
)");
  ASSERT_EQ(reflection.entry_points.size(), 1U);
  const auto& inputs = reflection.entry_points[0].inputs;
  ASSERT_EQ(inputs.size(), 3U);
  EXPECT_TRUE(inputs[0].per_primitive && !inputs[0].per_vertex);
  EXPECT_EQ(inputs[0].interpolation, Interpolation::constant);
  EXPECT_TRUE(inputs[1].per_vertex && !inputs[1].per_primitive);
  EXPECT_EQ(inputs[1].interpolation, Interpolation::undefined);
  EXPECT_TRUE(!inputs[2].per_vertex && !inputs[2].per_primitive);
  EXPECT_EQ(inputs[2].interpolation, Interpolation::linear);
  Text printed;
  print_reflection(reflection, printed);
  for (const std::string_view line :
       {"float     -         per primitive\n", "float[3]  -         per vertex\n", "float     -         linear\n"})
    EXPECT_NE(printed.view().find(line), std::string_view::npos) << printed.view();
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


#include <cstdint>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include <unshade/run/image_format.hpp>
#include <unshade/spirv/grammar.hpp>
#include <unshade/texel/formats.hpp>

#include "unit/run/run_support.hpp"

namespace unshade::run::run_test {
namespace {

TEST(ImageFormat, HasTheNameOfDxgi) {
  using run::dxgi_name;
  EXPECT_EQ(dxgi_name("Rgba32f"), "R32G32B32A32_FLOAT");
  EXPECT_EQ(dxgi_name("Rgba8"), "R8G8B8A8_UNORM");
  EXPECT_EQ(dxgi_name("Rg16Snorm"), "R16G16_SNORM");
  EXPECT_EQ(dxgi_name("R11fG11fB10f"), "R11G11B10_FLOAT");
  EXPECT_EQ(dxgi_name("Rgb10A2"), "R10G10B10A2_UNORM");
  EXPECT_EQ(dxgi_name("Rgb10a2ui"), "R10G10B10A2_UINT");
  EXPECT_EQ(dxgi_name("R8ui"), "R8_UINT");
  EXPECT_EQ(dxgi_name("Rg32i"), "R32G32_SINT");
  EXPECT_EQ(dxgi_name("R64ui"), "R32G32_UINT");
  EXPECT_EQ(dxgi_name("R64i"), "R32G32_SINT");
  for (const std::string_view none : {"", "Unknown", "unknown(99)", "8", "Rgba8x"}) EXPECT_EQ(dxgi_name(none), "") << none;
}

TEST(ImageFormat, IsKnownOfEachOfSpirv) {
  unsigned known = 0;
  for (std::uint32_t value = 1; value < 42; ++value) {
    const spirv::Enumerant* const row = spirv::find_enumerant(spirv::OperandKind::image_format, value);
    ASSERT_NE(row, nullptr) << value;
    EXPECT_TRUE(texel::find_format(run::dxgi_name(row->text))) << row->text;
    ++known;
  }
  EXPECT_EQ(known, 41U);
}

// Of DXBC, DXIL and SPIR-V alike.
TEST(ImageFormat, WithoutACaseIsOfTheNumbersThatAreDeclared) {
  using dxcontainer::ReturnType;
  const auto format = [](shader::ReturnType returned, std::uint32_t components, std::string_view stated = {}) {
    ir::Resource resource;
    resource.return_type = returned;
    shader::Resource row;
    row.components = components;
    row.format = stated;
    return run::format_without_case(resource, &row);
  };
  EXPECT_EQ(format(shader::ReturnType::uint, 1), "R32_UINT");
  EXPECT_EQ(format(shader::ReturnType::sint, 2), "R32G32_SINT");
  EXPECT_EQ(format(shader::ReturnType::float_, 3), "R32G32B32_FLOAT");
  EXPECT_EQ(format(shader::ReturnType::unorm, 3), "R8G8B8A8_UNORM");
  EXPECT_EQ(format(shader::ReturnType::snorm, 1), "R8_SNORM");
  EXPECT_EQ(format(shader::ReturnType::uint, 4, "Rg16"), "R16G16_UNORM");
  EXPECT_EQ(run::format_without_case({}, nullptr), "R32G32B32A32_FLOAT");
}

TEST(ImageFormat, OfDxilIsThatOfItsMetadata) {
  const auto file = test::read_bytes(test::source_dir() / "tests/data/dxil/atomics_cs_6_6.dxil");
  RunOptions options;
  options.values = 1U << 16;
  const auto done = execute(*prepare(*shader::open(test::view_of(file))), Value::map(), options);
  ASSERT_TRUE(done) << to_string(done.error());
  const Value* const values = done->find("resources")->find("u5")->find("values");  // RWBuffer<int>
  ASSERT_NE(values, nullptr);
  const Integer* const number = (*values->as_list())[0].as_integer();
  EXPECT_TRUE(number != nullptr && number->negative);
}

// A store of 2, 0.5, -1 and 0.25.
std::string stored(std::string_view format) {
  std::string text = R"(OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main "main"
OpExecutionMode %main LocalSize 1 1 1
OpName %target "target"
OpDecorate %target DescriptorSet 0
OpDecorate %target Binding 0
%void = OpTypeVoid
%fn = OpTypeFunction %void
%float = OpTypeFloat 32
%int = OpTypeInt 32 1
%v4 = OpTypeVector %float 4
%p2 = OpTypeVector %int 2
%image = OpTypeImage %float 2D 0 0 0 2 )";
  return text.append(format).append(R"(
%to_image = OpTypePointer UniformConstant %image
%target = OpVariable %to_image UniformConstant
%zero = OpConstant %int 0
%place = OpConstantComposite %p2 %zero %zero
%a = OpConstant %float 2
%b = OpConstant %float 0.5
%c = OpConstant %float -1
%d = OpConstant %float 0.25
%texel = OpConstantComposite %v4 %a %b %c %d
%main = OpFunction %void None %fn
%label = OpLabel
%on = OpLoad %image %target
OpImageWrite %on %place %texel
OpReturn
OpFunctionEnd
)");
}

std::string target_of(const Value& result) { return *result.find("resources")->find("u0")->find("hex")->as_text(); }

// src: Vulkan specification, "Conversion From Floating-Point to Normalized Fixed-Point": clamped, then rounded to nearest
TEST(ImageFormat, IsThatOfAnImageThatNoCaseGives) {
  EXPECT_EQ(target_of(made_by_text(stored("Rgba8"), Value::map())).substr(0, 8), "ff800040");
  EXPECT_EQ(target_of(made_by_text(stored("Rgba8"), Value::map())).size(), 2U * 8 * 8 * 4);
  EXPECT_EQ(target_of(made_by_text(stored("R32f"), Value::map())).substr(0, 16), "0000004000000000");
  EXPECT_EQ(target_of(made_by_text(stored("Rg16Snorm"), Value::map())).substr(0, 8), "ff7f0040");
  EXPECT_EQ(target_of(made_by_text(stored("Unknown"), Value::map())).substr(0, 32), "000000400000003f000080bf0000803e");
}

// Only what the program accesses counts, and only the kind of the numbers.
TEST(ImageFormat, OfTheOtherKindOfNumbersIsTold) {
  constexpr std::string_view kModule = R"(OpCapability Shader
OpCapability Sampled1D
OpCapability SampledBuffer
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main "main"
OpExecutionMode %main LocalSize 1 1 1
OpName %reals "reals"
OpName %counts "counts"
OpName %unread "unread"
OpDecorate %reals DescriptorSet 0
OpDecorate %reals Binding 0
OpDecorate %counts DescriptorSet 0
OpDecorate %counts Binding 1
OpDecorate %unread DescriptorSet 0
OpDecorate %unread Binding 2
OpDecorate %seen DescriptorSet 1
OpDecorate %seen Binding 0
OpDecorate %Block BufferBlock
OpMemberDecorate %Block 0 Offset 0
OpDecorate %words ArrayStride 4
%void = OpTypeVoid
%function = OpTypeFunction %void
%uint = OpTypeInt 32 0
%float = OpTypeFloat 32
%vec4 = OpTypeVector %float 4
%uvec4 = OpTypeVector %uint 4
%u0 = OpConstant %uint 0
%u1 = OpConstant %uint 1
%u3 = OpConstant %uint 3
%Reals = OpTypeImage %float Buffer 0 0 0 1 Unknown
%Counts = OpTypeImage %uint Buffer 0 0 0 1 Unknown
%array = OpTypeArray %Counts %u3
%words = OpTypeRuntimeArray %uint
%Block = OpTypeStruct %words
%of_block = OpTypePointer Uniform %Block
%of_uint = OpTypePointer Uniform %uint
%seen = OpVariable %of_block Uniform
%of_reals = OpTypePointer UniformConstant %Reals
%of_counts = OpTypePointer UniformConstant %array
%of_count = OpTypePointer UniformConstant %Counts
%reals = OpVariable %of_reals UniformConstant
%counts = OpVariable %of_counts UniformConstant
%unread = OpVariable %of_reals UniformConstant
%main = OpFunction %void None %function
%entry = OpLabel
%real = OpLoad %Reals %reals
%a = OpImageFetch %vec4 %real %u0
%place = OpAccessChain %of_count %counts %u1
%count = OpLoad %Counts %place
%b = OpImageFetch %uvec4 %count %u0
%a_bits = OpBitcast %uvec4 %a
%sum = OpIAdd %uvec4 %a_bits %b
%x = OpCompositeExtract %uint %sum 0
%to = OpAccessChain %of_uint %seen %u0 %u0
OpStore %to %x
OpReturn
OpFunctionEnd
)";
  const auto of = [&](std::string_view reals, std::string_view counts) {
    const auto buffer = [](std::string_view format) { return map_of({{"format", Value::text(format)}, {"size", Value::integer(16)}}); };
    const Value resources = map_of(
        {{"reals", buffer(reals)}, {"counts[1]", buffer(counts)}, {"counts[0]", buffer("R32_FLOAT")}, {"unread", buffer("R32_UINT")}});
    const Value result = made_by_text(kModule, map_of({{"resources", resources}}));
    std::string made;
    if (const Value* const mismatches = result.find("format_mismatches"))
      for (const Value& one : *mismatches->as_list()) made += *one.as_text() + '\n';
    return made;
  };
  EXPECT_EQ(of("R8_UNORM", "R16_SINT"), "");
  EXPECT_EQ(of("R16_FLOAT", "R32_UINT"), "");
  const std::string reals =
      "`reals` (set 0, binding 0) has the format R32_SINT, but the shader declares texels of type float: the bits are not converted\n";
  const std::string counts =
      "`counts[1]` (set 0, binding 1[1]) has the format R8G8_SNORM, but the shader declares texels of type uint: the bits are not "
      "converted\n";
  EXPECT_EQ(of("R32_SINT", "R32_UINT"), reals);
  EXPECT_EQ(of("R32_FLOAT", "R8G8_SNORM"), counts);
  EXPECT_EQ(of("R32_SINT", "R8G8_SNORM"), reals + counts);
}

TEST(ImageFormat, OfStencilIsWhatIntegersRead) {
  using dxcontainer::ReturnType;
  // components of the view, each with its first bit
  const auto view = [](ReturnType type, bool in_set, std::string_view format, bool is_target) -> std::string {
    ir::Resource resource;
    resource.return_type = type;
    resource.in_set = in_set;
    const auto made = stencil_view(resource, *texel::find_format(format), is_target);
    if (!made) return "none";
    std::string text;
    for (unsigned k = 0; k < 4; ++k)
      if (made->has(k)) text += "rgba"[k] + std::to_string(made->components[k].first);
    return text + (made->is_integer() ? " of " : " reals of ") + std::to_string(made->bytes());
  };
  for (const ReturnType type : {ReturnType::uint, ReturnType::sint}) {
    EXPECT_EQ(view(type, false, "D24_UNORM_S8_UINT", true), "g24 of 4");
    EXPECT_EQ(view(type, true, "D24_UNORM_S8_UINT", true), "r24 of 4");
    EXPECT_EQ(view(type, true, "D32_FLOAT_S8X24_UINT", true), "r32 of 8");
    EXPECT_EQ(view(type, true, "X24_TYPELESS_G8_UINT", false), "r24 of 4");
    EXPECT_EQ(view(type, false, "X32_TYPELESS_G8X24_UINT", false), "g32 of 8");
  }
  EXPECT_EQ(view(ReturnType::uint, true, "D24_UNORM_S8_UINT", false), "none");
  EXPECT_EQ(view(ReturnType::float_, true, "D24_UNORM_S8_UINT", true), "none");
  EXPECT_EQ(view(ReturnType::uint, true, "D32_FLOAT", true), "none");
  EXPECT_EQ(view(ReturnType::uint, true, "R8_UINT", true), "none");
}

// What a case gives without a format are floats of 32 bits.
TEST(ImageFormat, OfValuesThatTheBufferCannotHoldIsTold) {
  const auto of = [](std::string_view type, const Value& given) {
    std::string text = R"(OpCapability Shader
OpCapability Float64
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main "main"
OpExecutionMode %main LocalSize 1 1 1
OpName %buffer "buffer"
OpDecorate %buffer DescriptorSet 0
OpDecorate %buffer Binding 0
OpDecorate %Block BufferBlock
OpMemberDecorate %Block 0 Offset 0
OpMemberDecorate %Block 1 Offset 8
OpDecorate %numbers ArrayStride 8
%void = OpTypeVoid
%function = OpTypeFunction %void
%uint = OpTypeInt 32 0
%number = TYPE
%u0 = OpConstant %uint 0
%numbers = OpTypeRuntimeArray %number
%Block = OpTypeStruct %uint %numbers
%of_block = OpTypePointer Uniform %Block
%of_uint = OpTypePointer Uniform %uint
%buffer = OpVariable %of_block Uniform
%main = OpFunction %void None %function
%entry = OpLabel
%to = OpAccessChain %of_uint %buffer %u0
OpStore %to %u0
OpReturn
OpFunctionEnd
)";
    text.replace(text.find("TYPE"), 4, type);
    const Value result = made_by_text(text, map_of({{"resources", map_of({{"buffer", given}})}}));
    const Value* const mismatches = result.find("format_mismatches");
    return mismatches == nullptr ? std::string() : *(*mismatches->as_list())[0].as_text();
  };
  const auto values = [](std::uint32_t first) { return map_of({{"values", list_of_numbers({first, 0, 0, 0})}}); };
  const std::string told =
      "`buffer` (set 0, binding 0) has `values` without a format, which are stored as 32-bit floats, but the shader declares no 32-bit "
      "floats there: give "
      "the format of its numbers, such as R32_UINT, or `words`";
  EXPECT_EQ(of("OpTypeInt 32 1", values(7)), told);
  EXPECT_EQ(of("OpTypeFloat 64", values(7)), told);
  EXPECT_EQ(of("OpTypeFloat 32", values(7)), "");
  EXPECT_EQ(of("OpTypeInt 32 1", values(0)), "");
  EXPECT_EQ(of("OpTypeInt 32 1", words_of_case({7, 0, 0, 0})), "");
  Value with_format = values(7);
  with_format.add("format", Value::text("R32_UINT"));
  EXPECT_EQ(of("OpTypeInt 32 1", with_format), "");
}

}  // namespace
}  // namespace unshade::run::run_test

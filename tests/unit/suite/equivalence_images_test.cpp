#include <unshade/suite/equivalence.hpp>

#include <gtest/gtest.h>

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <unshade/run/run.hpp>
#include <unshade/shader/assemble.hpp>
#include <unshade/shader/shader.hpp>
#include <unshade/spirv/assembler.hpp>

namespace unshade::suite {
namespace {

// An image that states its format holds what the format can.
TEST(Equivalence, StorageImagesHaveTheFormatThatTheyState) {
  const auto stores = [](std::string_view format, std::string_view number) {
    std::string text = R"(OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main "main"
OpExecutionMode %main LocalSize 1 1 1
OpDecorate %target DescriptorSet 0
OpDecorate %target Binding 0
%void = OpTypeVoid
%fn = OpTypeFunction %void
%float = OpTypeFloat 32
%int = OpTypeInt 32 1
%v4 = OpTypeVector %float 4
%p2 = OpTypeVector %int 2
%image = OpTypeImage %float 2D 0 0 0 2 )";
    text.append(format).append("\n%to_image = OpTypePointer UniformConstant %image\n%target = OpVariable %to_image UniformConstant\n");
    text.append("%zero = OpConstant %int 0\n%place = OpConstantComposite %p2 %zero %zero\n%a = OpConstant %float ").append(number);
    text.append("\n%texel = OpConstantComposite %v4 %a %a %a %a\n%main = OpFunction %void None %fn\n%label = OpLabel\n");
    text.append("%on = OpLoad %image %target\nOpImageWrite %on %place %texel\nOpReturn\nOpFunctionEnd\n");
    auto made = spirv::assemble(text);
    EXPECT_TRUE(made) << to_string(made.error());
    return *made;
  };
  const auto found = [&](std::string_view format) {
    const auto one = stores(format, "1"), other = stores(format, "2");
    const auto first = run::prepare(*shader::open(View(one))), second = run::prepare(*shader::open(View(other)));
    auto done = compare({"a", *first}, {"b", *second}, Value::map());
    EXPECT_TRUE(done) << to_string(done.error());
    return *done;
  };
  EXPECT_TRUE(found("Rgba8").equal());
  EXPECT_TRUE(found("R8Snorm").equal());
  EXPECT_TRUE(found("Rgba32f").difference);
  const Equivalence single = found("R32f");
  ASSERT_TRUE(single.difference);
  EXPECT_EQ(*single.difference->inputs.find("resources")->find("u0")->find("format")->as_text(), "R32_FLOAT");
  EXPECT_EQ(single.differing, 1U);
}

/// Copies a number from the buffer at binding 0 to the one at binding 1. `more`: decorations; `also`: instructions.
std::vector<std::byte> copies(std::string_view more, std::string_view also) {
  std::string text = R"(OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main "main"
OpExecutionMode %main LocalSize 1 1 1
OpDecorate %from DescriptorSet 0
OpDecorate %from Binding 0
OpDecorate %to DescriptorSet 0
OpDecorate %to Binding 1
OpDecorate %numbers ArrayStride 4
OpMemberDecorate %in 0 Offset 0
OpDecorate %in BufferBlock
OpMemberDecorate %out 0 Offset 0
OpDecorate %out BufferBlock
)";
  text.append(more).append(R"(%void = OpTypeVoid
%fn = OpTypeFunction %void
%uint = OpTypeInt 32 0
%numbers = OpTypeRuntimeArray %uint
%in = OpTypeStruct %numbers
%out = OpTypeStruct %numbers
%to_in = OpTypePointer Uniform %in
%to_out = OpTypePointer Uniform %out
%to_number = OpTypePointer Uniform %uint
%from = OpVariable %to_in Uniform
%to = OpVariable %to_out Uniform
%zero = OpConstant %uint 0
%far = OpConstant %uint 900
%seven = OpConstant %uint 7
%main = OpFunction %void None %fn
%label = OpLabel
%one = OpAccessChain %to_number %from %zero %zero
%value = OpLoad %uint %one
%other = OpAccessChain %to_number %to %zero %zero
OpStore %other %value
)");
  text.append(also).append("OpReturn\nOpFunctionEnd\n");
  auto made = spirv::assemble(text);
  EXPECT_TRUE(made) << to_string(made.error());
  return *made;
}

// What one shader writes is compared with what the other, for which it is read-only, was given.
TEST(Equivalence, BuffersThatOneShaderAloneMayWriteAreCompared) {
  const auto reads = copies("OpMemberDecorate %in 0 NonWritable\n", {}), may_write = copies({}, {});
  const auto writes = copies({}, "%last = OpAccessChain %to_number %from %zero %far\nOpStore %last %seven\n");
  const auto compared = [](const std::vector<std::byte>& one, const std::vector<std::byte>& other) {
    const auto first = run::prepare(*shader::open(View(one))), second = run::prepare(*shader::open(View(other)));
    auto done = compare({"a", *first}, {"b", *second}, Value::map());
    EXPECT_TRUE(done) << to_string(done.error());
    return *done;
  };
  EXPECT_TRUE(compared(reads, may_write).equal());
  EXPECT_TRUE(compared(may_write, reads).equal());
  for (const auto& [first, second] : {std::pair(&reads, &writes), std::pair(&writes, &reads)}) {
    const Equivalence found = compared(*first, *second);
    ASSERT_TRUE(found.difference);
    EXPECT_EQ(found.difference->place.find("byte")->as_integer()->magnitude, 3600U);
  }
}

// A storage buffer of SPIR-V is compared with a raw buffer of DXBC, and with a structured one whose elements are as long as those of its
// array.
TEST(Equivalence, StorageBuffersAreComparedWithBuffersOfDirect3d) {
  const auto vulkan = copies("OpMemberDecorate %in 0 NonWritable\n", {});
  const auto compared = [&](std::string_view text) {
    const Assembly made = shader::assemble(shader::language_of(text), text);
    for (const Message& one : made.messages) ADD_FAILURE() << to_string(one);
    const auto first = run::prepare(*shader::open(View(made.file))), second = run::prepare(*shader::open(View(vulkan)));
    auto done = compare({"a", *first}, {"b", *second}, Value::map());
    EXPECT_TRUE(done) << to_string(done.error());
    return *done;
  };
  const auto structured = [](std::string_view stride, std::string_view number) {
    return "cs_5_0\ndcl_globalFlags refactoringAllowed\ndcl_resource_structured t0, " + std::string(stride) + "\ndcl_uav_structured u1, " +
           std::string(stride) + "\ndcl_temps 1\ndcl_thread_group 1, 1, 1\n" +
           "ld_structured_indexable(structured_buffer, stride=" + std::string(stride) +
           ")(mixed,mixed,mixed,mixed) r0.x, l(0), l(0), t0.xxxx\niadd r0.x, r0.x, l(" + std::string(number) +
           ")\nstore_structured u1.x, l(0), l(0), r0.x\nret\n";
  };
  EXPECT_TRUE(compared(structured("4", "0")).equal());
  EXPECT_TRUE(compared(structured("4", "1")).difference);
  EXPECT_EQ(compared(structured("8", "0")).mismatches.size(), 2U);
  EXPECT_TRUE(
      compared("cs_5_0\ndcl_globalFlags refactoringAllowed\ndcl_resource_raw t0\ndcl_uav_raw u1\ndcl_temps 1\ndcl_thread_group 1, 1, 1\n"
               "ld_raw_indexable(raw_buffer)(mixed,mixed,mixed,mixed) r0.x, l(0), t0.xxxx\nstore_raw u1.x, l(0), r0.x\nret\n")
          .equal());
}

}  // namespace
}  // namespace unshade::suite

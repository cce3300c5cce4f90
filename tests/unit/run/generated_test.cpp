// What shaders read if a case gives nothing.
#include <unshade/run/run.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include <unshade/shader/assemble.hpp>
#include <unshade/shader/shader.hpp>

#include "run_support.hpp"

namespace unshade::run::run_test {
namespace {

std::vector<std::uint32_t> words_in(const Value& result, std::string_view resource) {
  std::vector<std::byte> bytes;
  from_hex(*result.find("resources")->find(resource)->find("hex")->as_text(), bytes);
  std::vector<std::uint32_t> words(bytes.size() / 4);
  std::memcpy(words.data(), bytes.data(), words.size() * 4);
  return words;
}

// o[0] = r.length(), o[1] = u[2], o[2] = i, o[3] = uint(f[1]), o[4] = f.length() of buffers {uint r[];} and {uint u[3]; int i; float f[];}
constexpr std::string_view kStorageBuffers = R"(OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %4 "main"
OpExecutionMode %4 LocalSize 1 1 1
OpDecorate %8 ArrayStride 4
OpMemberDecorate %9 0 Offset 0
OpDecorate %9 BufferBlock
OpDecorate %11 DescriptorSet 0
OpDecorate %11 Binding 2
OpDecorate %14 ArrayStride 4
OpMemberDecorate %15 0 Offset 0
OpDecorate %15 BufferBlock
OpDecorate %17 DescriptorSet 0
OpDecorate %17 Binding 0
OpDecorate %25 ArrayStride 4
OpDecorate %27 ArrayStride 4
OpMemberDecorate %28 0 NonWritable
OpMemberDecorate %28 0 Offset 0
OpMemberDecorate %28 1 NonWritable
OpMemberDecorate %28 1 Offset 12
OpMemberDecorate %28 2 NonWritable
OpMemberDecorate %28 2 Offset 16
OpDecorate %28 BufferBlock
OpDecorate %30 DescriptorSet 0
OpDecorate %30 Binding 1
OpDecorate %53 BuiltIn WorkgroupSize
%2 = OpTypeVoid
%3 = OpTypeFunction %2
%6 = OpTypeInt 32 0
%7 = OpConstant %6 6
%8 = OpTypeArray %6 %7
%9 = OpTypeStruct %8
%10 = OpTypePointer Uniform %9
%11 = OpVariable %10 Uniform
%12 = OpTypeInt 32 1
%13 = OpConstant %12 0
%14 = OpTypeRuntimeArray %6
%15 = OpTypeStruct %14
%16 = OpTypePointer Uniform %15
%17 = OpVariable %16 Uniform
%21 = OpTypePointer Uniform %6
%23 = OpConstant %12 1
%24 = OpConstant %6 3
%25 = OpTypeArray %6 %24
%26 = OpTypeFloat 32
%27 = OpTypeRuntimeArray %26
%28 = OpTypeStruct %25 %12 %27
%29 = OpTypePointer Uniform %28
%30 = OpVariable %29 Uniform
%31 = OpConstant %12 2
%35 = OpTypePointer Uniform %12
%40 = OpConstant %12 3
%41 = OpTypePointer Uniform %26
%46 = OpConstant %12 4
%51 = OpTypeVector %6 3
%52 = OpConstant %6 1
%53 = OpConstantComposite %51 %52 %52 %52
%4 = OpFunction %2 None %3
%5 = OpLabel
%18 = OpArrayLength %6 %17 0
%19 = OpBitcast %12 %18
%20 = OpBitcast %6 %19
%22 = OpAccessChain %21 %11 %13 %13
OpStore %22 %20
%32 = OpAccessChain %21 %30 %13 %31
%33 = OpLoad %6 %32
%34 = OpAccessChain %21 %11 %13 %23
OpStore %34 %33
%36 = OpAccessChain %35 %30 %23
%37 = OpLoad %12 %36
%38 = OpBitcast %6 %37
%39 = OpAccessChain %21 %11 %13 %31
OpStore %39 %38
%42 = OpAccessChain %41 %30 %31 %23
%43 = OpLoad %26 %42
%44 = OpConvertFToU %6 %43
%45 = OpAccessChain %21 %11 %13 %40
OpStore %45 %44
%47 = OpArrayLength %6 %30 2
%48 = OpBitcast %12 %47
%49 = OpBitcast %6 %48
%50 = OpAccessChain %21 %11 %13 %46
OpStore %50 %49
OpReturn
OpFunctionEnd
)";

// A storage buffer has the length of its bytes, and numbers of its types, which count up.
TEST(Generated, StorageBuffersHaveTheirTypes) {
  const std::vector<std::uint32_t> words = words_in(made_by_text(kStorageBuffers, Value::map()), "u2");
  ASSERT_GE(words.size(), 5U);
  EXPECT_EQ(words[0], 256U);
  EXPECT_EQ(words[1], 2U);
  EXPECT_EQ(words[2], 3U);
  EXPECT_EQ(words[3], 5U);
  EXPECT_EQ(words[4], 252U);
}

// src: 22.4.9 of the Direct3D 11.3 functional specification: of raw buffers the number of bytes
TEST(Generated, RawBuffersOfDxbcHaveALengthInBytes) {
  constexpr std::string_view kText = R"(cs_5_0
dcl_globalFlags refactoringAllowed
dcl_resource_raw t0
dcl_uav_raw u0
dcl_uav_raw u1
dcl_temps 1
dcl_thread_group 1, 1, 1
bufinfo_indexable(raw_buffer)(mixed,mixed,mixed,mixed) r0.x, t0.xyzw
bufinfo_indexable(raw_buffer)(mixed,mixed,mixed,mixed) r0.y, u1.yxzw
store_raw u0.xy, l(0), r0.xyxx
ret
)";
  const std::vector<std::uint32_t> words = words_in(made_by_text(kText, Value::map()), "u0");
  ASSERT_GE(words.size(), 2U);
  EXPECT_EQ(words[0], 1024U);
  EXPECT_EQ(words[1], 1024U);
}

constexpr std::string_view kHull = R"(OpCapability Tessellation
OpMemoryModel Logical GLSL450
OpEntryPoint TessellationControl %4 "main" %15 %18 %25 %38 %39
OpExecutionMode %4 OutputVertices 3
OpMemberDecorate %11 0 BuiltIn Position
OpMemberDecorate %11 1 BuiltIn PointSize
OpMemberDecorate %11 2 BuiltIn ClipDistance
OpMemberDecorate %11 3 BuiltIn CullDistance
OpDecorate %11 Block
OpDecorate %18 BuiltIn InvocationId
OpMemberDecorate %21 0 BuiltIn Position
OpMemberDecorate %21 1 BuiltIn PointSize
OpMemberDecorate %21 2 BuiltIn ClipDistance
OpMemberDecorate %21 3 BuiltIn CullDistance
OpDecorate %21 Block
OpDecorate %38 Patch
OpDecorate %38 Location 1
OpDecorate %39 BuiltIn PatchVertices
%2 = OpTypeVoid
%3 = OpTypeFunction %2
%6 = OpTypeFloat 32
%7 = OpTypeVector %6 4
%8 = OpTypeInt 32 0
%9 = OpConstant %8 1
%10 = OpTypeArray %6 %9
%11 = OpTypeStruct %7 %6 %10 %10
%12 = OpConstant %8 3
%13 = OpTypeArray %11 %12
%14 = OpTypePointer Output %13
%15 = OpVariable %14 Output
%16 = OpTypeInt 32 1
%17 = OpTypePointer Input %16
%18 = OpVariable %17 Input
%20 = OpConstant %16 0
%21 = OpTypeStruct %7 %6 %10 %10
%22 = OpConstant %8 32
%23 = OpTypeArray %21 %22
%24 = OpTypePointer Input %23
%25 = OpVariable %24 Input
%27 = OpTypePointer Input %7
%30 = OpTypePointer Output %7
%33 = OpTypeBool
%37 = OpTypePointer Output %6
%38 = OpVariable %37 Output
%39 = OpVariable %17 Input
%4 = OpFunction %2 None %3
%5 = OpLabel
%19 = OpLoad %16 %18
%26 = OpLoad %16 %18
%28 = OpAccessChain %27 %25 %26 %20
%29 = OpLoad %7 %28
%31 = OpAccessChain %30 %15 %19 %20
OpStore %31 %29
%32 = OpLoad %16 %18
%34 = OpIEqual %33 %32 %20
OpSelectionMerge %36 None
OpBranchConditional %34 %35 %36
%35 = OpLabel
%40 = OpLoad %16 %39
%41 = OpConvertSToF %6 %40
OpStore %38 %41
OpBranch %36
%36 = OpLabel
OpReturn
OpFunctionEnd
)";

// src: Vulkan 15.9, PatchVertices: the number of vertices of the input patch
TEST(Generated, PatchesHaveTheVerticesThatACaseGives) {
  const auto lanes = [](std::size_t count) {
    Value vertices = Value::list();
    for (std::size_t k = 0; k < count; ++k) vertices.push(map_of({{"Position", list_of_numbers({1, 2, 3, 4})}}));
    Value lane = Value::map();
    lane.add("vertices", std::move(vertices));
    lane.add("control_point_id", Value::integer(0));
    Value given = Value::map();
    given.add("lanes", list_of({lane}));
    return given;
  };
  for (const std::size_t count : {1U, 3U, 5U}) {
    const Value result = made_by_text(kHull, lanes(count));
    const Value* const of_lane = &(*result.find("lanes")->as_list())[0];
    ASSERT_NE(of_lane->find("location1"), nullptr);
    EXPECT_EQ((*of_lane->find("location1")->as_list())[0].as_real()->narrow, static_cast<float>(count));
  }
}

constexpr std::string_view kTwoMains = R"(OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint Fragment %m1 "main" %o
OpEntryPoint Vertex %m2 "main" %o
OpEntryPoint Vertex %m2 "other" %o
OpExecutionMode %m1 OriginUpperLeft
OpDecorate %o Location 0
%void = OpTypeVoid
%f = OpTypeFunction %void
%float = OpTypeFloat 32
%one = OpConstant %float 1
%two = OpConstant %float 2
%po = OpTypePointer Output %float
%o = OpVariable %po Output
%m1 = OpFunction %void None %f
%l1 = OpLabel
OpStore %o %one
OpReturn
OpFunctionEnd
%m2 = OpFunction %void None %f
%l2 = OpLabel
OpStore %o %two
OpReturn
OpFunctionEnd
)";

// src: SPIR-V 2.16.1: entry points of one name have other execution models
TEST(Generated, EntryPointsOfOneNameAreToldApartByTheirStage) {
  const Assembly made = shader::assemble(shader::language_of(kTwoMains), kTwoMains);
  for (const Message& one : made.messages) ADD_FAILURE() << to_string(one);
  const auto opened = shader::open(View(made.file));
  ASSERT_TRUE(opened) << to_string(opened.error());
  const auto number = [&](std::string_view entry) {
    shader::LowerOptions options;
    options.entry = entry;
    const auto runnable = prepare(*opened, options);
    if (!runnable) return runnable.error().message;
    const auto done = execute(*runnable, Value::map());
    if (!done) return done.error().message;
    const Value& lane = (*done->find("lanes")->as_list())[0];
    return std::to_string(static_cast<int>((*lane.as_map()->front().value.as_list())[0].as_real()->narrow));
  };
  EXPECT_EQ(number({}), "1");
  EXPECT_EQ(number("main:pixel"), "1");
  EXPECT_EQ(number("main:vertex"), "2");
  EXPECT_EQ(number("other"), "2");
  EXPECT_EQ(number("main"), "several entry points are called `main`; name one with its stage: `main:pixel`, `main:vertex`");
  EXPECT_EQ(number("main:compute"), "the module has no entry point `main:compute`");
}

}  // namespace
}  // namespace unshade::run::run_test

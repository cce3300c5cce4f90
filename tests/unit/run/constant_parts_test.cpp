// Parts of constants by their names: elements of arrays, of structs in them, rows of matrices.
#include <unshade/run/run.hpp>

#include <gtest/gtest.h>

#include <cstring>
#include <string_view>
#include <utility>
#include <vector>

#include "run_support.hpp"

namespace unshade::run::run_test {
namespace {

// struct L { float scale; vec2 at[2]; }; uniform C { L lights[3]; mat2x3 m; float k[2][3]; };
// o = {lights[2].scale, lights[1].at[1].y, m[1][2], k[1][2], lights[1].scale, k[0][2]}
constexpr std::string_view kParts = R"(OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %4 "main"
OpExecutionMode %4 LocalSize 1 1 1
OpName %4 "main"
OpName %10 "O"
OpMemberName %10 0 "o"
OpName %12 ""
OpName %18 "L"
OpMemberName %18 0 "scale"
OpMemberName %18 1 "at"
OpName %25 "C"
OpMemberName %25 0 "lights"
OpMemberName %25 1 "m"
OpMemberName %25 2 "k"
OpName %27 ""
OpDecorate %9 ArrayStride 4
OpMemberDecorate %10 0 Offset 0
OpDecorate %10 BufferBlock
OpDecorate %12 DescriptorSet 0
OpDecorate %12 Binding 1
OpDecorate %17 ArrayStride 16
OpMemberDecorate %18 0 Offset 0
OpMemberDecorate %18 1 Offset 16
OpDecorate %20 ArrayStride 48
OpDecorate %23 ArrayStride 16
OpDecorate %24 ArrayStride 48
OpMemberDecorate %25 0 Offset 0
OpMemberDecorate %25 1 ColMajor
OpMemberDecorate %25 1 Offset 144
OpMemberDecorate %25 1 MatrixStride 16
OpMemberDecorate %25 2 Offset 176
OpDecorate %25 Block
OpDecorate %27 DescriptorSet 0
OpDecorate %27 Binding 0
OpDecorate %54 BuiltIn WorkgroupSize
%2 = OpTypeVoid
%3 = OpTypeFunction %2
%6 = OpTypeFloat 32
%7 = OpTypeInt 32 0
%8 = OpConstant %7 6
%9 = OpTypeArray %6 %8
%10 = OpTypeStruct %9
%11 = OpTypePointer Uniform %10
%12 = OpVariable %11 Uniform
%13 = OpTypeInt 32 1
%14 = OpConstant %13 0
%15 = OpTypeVector %6 2
%16 = OpConstant %7 2
%17 = OpTypeArray %15 %16
%18 = OpTypeStruct %6 %17
%19 = OpConstant %7 3
%20 = OpTypeArray %18 %19
%21 = OpTypeVector %6 3
%22 = OpTypeMatrix %21 2
%23 = OpTypeArray %6 %19
%24 = OpTypeArray %23 %16
%25 = OpTypeStruct %20 %22 %24
%26 = OpTypePointer Uniform %25
%27 = OpVariable %26 Uniform
%28 = OpConstant %13 2
%29 = OpTypePointer Uniform %6
%33 = OpConstant %13 1
%34 = OpConstant %7 1
%41 = OpConstant %13 3
%45 = OpConstant %13 4
%49 = OpConstant %13 5
%53 = OpTypeVector %7 3
%54 = OpConstantComposite %53 %34 %34 %34
%4 = OpFunction %2 None %3
%5 = OpLabel
%30 = OpAccessChain %29 %27 %14 %28 %14
%31 = OpLoad %6 %30
%32 = OpAccessChain %29 %12 %14 %14
OpStore %32 %31
%35 = OpAccessChain %29 %27 %14 %33 %33 %33 %34
%36 = OpLoad %6 %35
%37 = OpAccessChain %29 %12 %14 %33
OpStore %37 %36
%38 = OpAccessChain %29 %27 %33 %33 %16
%39 = OpLoad %6 %38
%40 = OpAccessChain %29 %12 %14 %28
OpStore %40 %39
%42 = OpAccessChain %29 %27 %28 %33 %28
%43 = OpLoad %6 %42
%44 = OpAccessChain %29 %12 %14 %41
OpStore %44 %43
%46 = OpAccessChain %29 %27 %14 %33 %14
%47 = OpLoad %6 %46
%48 = OpAccessChain %29 %12 %14 %45
OpStore %48 %47
%50 = OpAccessChain %29 %27 %28 %14 %28
%51 = OpLoad %6 %50
%52 = OpAccessChain %29 %12 %14 %49
OpStore %52 %51
OpReturn
OpFunctionEnd
)";

Value given(std::initializer_list<std::pair<std::string_view, Value>> constants) {
  return map_of({{"constants", map_of(constants)}, {"resources", map_of({{"O", words_of_case({0, 0, 0, 0, 0, 0})}})}});
}

std::vector<float> numbers_of(const Value& constants) {
  std::vector<std::byte> bytes;
  from_hex(*made_by_text(kParts, constants).find("resources")->find("u1")->find("hex")->as_text(), bytes);
  std::vector<float> numbers(6);
  if (bytes.size() < 24) return {};
  std::memcpy(numbers.data(), bytes.data(), 24);
  return numbers;
}

Value number(unsigned value) { return Value::integer(value); }

TEST(ConstantParts, ElementsMembersAndRowsHaveNames) {
  const auto set = given({{"lights[2].scale", number(7)},
                          {"lights[1].at[1]", list_of_numbers({8, 9})},
                          {"m[2]", list_of_numbers({1, 2})},
                          {"k[1][2]", number(3)},
                          {"C.k[0][2]", number(4)}});
  EXPECT_EQ(numbers_of(set), (std::vector<float>{7, 9, 2, 3, 0, 4}));
  const Value light = map_of({{"scale", number(5)}});
  EXPECT_EQ(numbers_of(given({{"lights[1]", light}, {"C.lights[2].scale", number(6)}})), (std::vector<float>{6, 0, 0, 0, 5, 0}));
}

TEST(ConstantParts, RefusesPartsThatThereAreNot) {
  const auto fault = [](std::string_view name, const Value& value) { return fault_of(kParts, given({{name, value}})); };
  EXPECT_EQ(fault("lights[3].scale", number(1)), "constants/lights[3].scale: the array has 3 elements, from 0, at `[3].scale`");
  EXPECT_EQ(fault("lights[0].scales", number(1)), "constants/lights[0].scales: the struct has no member `scales`; did you mean `scale`?");
  EXPECT_EQ(fault("k[1]", number(1)), "constants/k[1]: expected an index of the array, such as `[0]`, at `[1]`");
  EXPECT_EQ(fault("k[0][3]", number(1)), "constants/k[0][3]: the array has 3 elements, from 0, at `[0][3]`");
  EXPECT_EQ(fault("m[3]", number(1)), "constants/m[3]: the matrix has 3 rows, from 0, at `[3]`");
  EXPECT_EQ(fault("m[0]", list_of_numbers({1, 2, 3})), "constants/m[0]: found 3 numbers, expected at most 2");
  EXPECT_EQ(fault("lights[0].scale[0]", number(1)), "constants/lights[0].scale[0]: the variable has no such part, at `[0]`");
  EXPECT_EQ(fault("lights[0", number(1)), "constants/lights[0: expected an index of the array, such as `[0]`, at `[0`");
  EXPECT_EQ(fault("lights[99999999999].scale", number(1)).substr(0, 28), "constants/lights[99999999999");
}

TEST(ConstantParts, MayBeGivenBesideOtherPartsOfTheVariable) {
  // k is given one number, k[0][0]
  EXPECT_EQ(numbers_of(given({{"k", list_of_numbers({1})}, {"k[1][2]", number(3)}})), (std::vector<float>{0, 0, 0, 3, 0, 0}));
  EXPECT_EQ(numbers_of(given({{"C.k[1][2]", number(3)}, {"k", list_of_numbers({1})}})), (std::vector<float>{0, 0, 0, 3, 0, 0}));
  const Value light = map_of({{"scale", number(5)}});
  EXPECT_EQ(numbers_of(given({{"lights[1]", light}, {"lights[1].at[1]", list_of_numbers({8, 9})}})),
            (std::vector<float>{0, 9, 0, 0, 5, 0}));
}

TEST(ConstantParts, MustNotOverlap) {
  EXPECT_EQ(fault_of(kParts, given({{"k", list_of_numbers({1})}, {"k[0][0]", number(3)}})),
            "constants/k[0][0]: `k[0][0]` and `k` overlap: each value must be given once");
  EXPECT_EQ(fault_of(kParts, given({{"k[1][2]", number(3)}, {"k", list_of_numbers({1, 2, 3, 4, 5, 6})}})),
            "constants/k: `k` and `k[1][2]` overlap: each value must be given once");
  EXPECT_EQ(fault_of(kParts, given({{"k[1][2]", number(3)}, {"C.k[1][2]", number(3)}})),
            "constants/C.k[1][2]: `C.k[1][2]` and `k[1][2]` overlap: each value must be given once");
  // a row of a matrix that has its columns in memory
  EXPECT_EQ(fault_of(kParts, given({{"m[2]", list_of_numbers({1, 2})}, {"m", list_of_numbers({1, 2, 3, 4, 5})}})),
            "constants/m: `m` and `m[2]` overlap: each value must be given once");
}

// Of an array of buffers an element is a variable, whose members are named as those of a struct.
TEST(ConstantParts, ElementsOfArraysOfBuffersAreVariables) {
  constexpr std::string_view kText = R"(//
// Buffer Definitions:
//
// cbuffer lights
// {
//
//   struct Light
//   {
//
//       float gain;                    // Offset:    0
//       float4 tint[2];                // Offset:   16
//
//   } lights;                          // Offset:    0 Size:    48
//
// }
//
//
// Resource Bindings:
//
// Name                                 Type  Format         Dim      ID      HLSL Bind  Count
// ------------------------------ ---------- ------- ----------- ------- -------------- ------
// lights                            cbuffer      NA          NA     CB0            cb0      3
//
//
//
// Output signature:
//
// Name                 Index   Mask Register SysValue  Format   Used
// -------------------- ----- ------ -------- -------- ------- ------
// SV_Target                0   xyzw        0   TARGET   float   xyzw
//
ps_5_1
dcl_globalFlags refactoringAllowed
dcl_constantbuffer CB0[0:2][3], immediateIndexed, space=0
dcl_output o0.xyzw
add o0.xyzw, CB0[2][2].xyzw, CB0[2][0].xxxx
ret
)";
  const auto of = [&](const Value& constants) {
    return text_of(made_by_text(kText, map_of({{"constants", constants}, {"lanes", list_of({Value::map()})}})), "lanes", 0, "SV_Target");
  };
  const Value tint = list_of_numbers({1, 2, 3, 4});
  EXPECT_EQ(of(map_of({{"lights[2].gain", number(2)}})), "2 2 2 2");
  EXPECT_EQ(of(map_of({{"lights[2].tint[1]", tint}})), "1 2 3 4");
  EXPECT_EQ(of(map_of({{"lights[2].gain", number(2)}, {"lights[2].tint[1]", tint}})), "3 4 5 6");
  EXPECT_EQ(of(map_of({{"lights[2].tint[1]", tint}, {"lights[2]", map_of({{"gain", number(2)}})}})), "3 4 5 6");
}

}  // namespace
}  // namespace unshade::run::run_test

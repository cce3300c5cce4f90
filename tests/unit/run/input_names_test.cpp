// Names of inputs of SPIR-V are those of its debug information, and need not differ.
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>

#include <gtest/gtest.h>

#include <unshade/ir/text.hpp>

#include "unit/run/run_support.hpp"

namespace unshade::run {
namespace {

using run_test::list_of;
using run_test::map_of;
using run_test::text_of;

// r = first + 10 * second
constexpr std::string_view kText = R"(; SPIR-V
; Version: 1.0
OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint Vertex %main "main" %first %second %out
OpName %first "NAME1"
OpName %second "NAME2"
OpName %out "r"
OpDecorate %first Location 3
OpDecorate %second Location 5
OpDecorate %out Location 0
%void = OpTypeVoid
%entry = OpTypeFunction %void
%float = OpTypeFloat 32
%in_float = OpTypePointer Input %float
%out_float = OpTypePointer Output %float
%first = OpVariable %in_float Input
%second = OpVariable %in_float Input
%out = OpVariable %out_float Output
%ten = OpConstant %float 10
%main = OpFunction %void None %entry
%label = OpLabel
%a = OpLoad %float %first
%b = OpLoad %float %second
%tens = OpFMul %float %b %ten
%sum = OpFAdd %float %a %tens
OpStore %out %sum
OpReturn
OpFunctionEnd
)";

Result<Value> made_of(std::string_view first, std::string_view second, const Value& lane) {
  std::string text(kText);
  text.replace(text.find("NAME1"), 5, first);
  text.replace(text.find("NAME2"), 5, second);
  const Assembly made = shader::assemble(shader::Family::spirv, text);
  for (const Message& one : made.messages) ADD_FAILURE() << to_string(one);
  const auto opened = shader::open(View(made.file));
  EXPECT_TRUE(opened) << to_string(opened.error());
  const auto runnable = prepare(*opened);
  EXPECT_TRUE(runnable) << to_string(runnable.error());
  return execute(*runnable, map_of({{"lanes", list_of({lane})}}));
}

std::string shown(const Result<Value>& made) {
  return made ? text_of(*made, "lanes", 0, "r") : made.error().path + ": " + made.error().message;
}

TEST(RunInputNames, OfTwoInputsNameNone) {
  const std::string refused = "lanes[0]/aa: several inputs have this name: `location3` or `location5`";
  EXPECT_EQ(refused, shown(made_of("aa", "aa", map_of({{"aa", Value::real(1.0F)}}))));
  EXPECT_EQ(refused, shown(made_of("aa", "aa", map_of({{"aa", Value::real(1.0F)}, {"location5", Value::real(2.0F)}}))));
  EXPECT_EQ("21", shown(made_of("aa", "aa", map_of({{"location3", Value::real(1.0F)}, {"location5", Value::real(2.0F)}}))));
  // names that differ by case are two
  EXPECT_EQ("21", shown(made_of("aa", "AA", map_of({{"aa", Value::real(1.0F)}, {"AA", Value::real(2.0F)}}))));
  EXPECT_EQ("21", shown(made_of("aa", "bb", map_of({{"aa", Value::real(1.0F)}, {"bb", Value::real(2.0F)}}))));
}

// of Direct3D, damaged files may have two
TEST(RunInputNames, OfTwoElementsOfDirect3dNameNone) {
  constexpr std::string_view kElements = R"(stage vertex
input "T" type f32 register 0 columns 1
input "T" type f32 register 2 columns 1
output "r" type f32 register 0 columns 1

function @main {
^0:
  %a = input f32 in0.x
  %b = input f32 in1.x
  %m = fmul f32 %b 10.0
  %s = fadd f32 %a %m
  output f32 out0.x %s
  return
}
)";
  const auto of = [&](const Value& lane) {
    auto module = ir::parse(kElements);
    EXPECT_TRUE(module) << to_string(module.error());
    return shown(execute(std::move(*module), map_of({{"lanes", list_of({lane})}})));
  };
  EXPECT_EQ(of(map_of({{"T", Value::integer(1)}})), "lanes[0]/T: several inputs have this name: `v0` or `v2`");
  EXPECT_EQ(of(map_of({{"T0", Value::integer(1)}})), "lanes[0]/T0: several inputs have this name: `v0` or `v2`");
  EXPECT_EQ(of(map_of({{"v0", Value::integer(1)}, {"v2", Value::integer(2)}})), "21");
}

TEST(RunInputNames, OfMembersOfTwoBlocksNameNone) {
  const Value one = Value::real(1.0F);
  EXPECT_EQ(shown(made_of("i.n", "W.n", map_of({{"n", one}}))), "lanes[0]/n: several inputs have this name: `i.n` or `W.n`");
  EXPECT_EQ(shown(made_of("i.n", "W.n", map_of({{"i.n", one}, {"W.n", one}}))), "11");
}

// A member that is no number is what a lane has beside its inputs.
TEST(RunInputNames, MayBeThoseOfFieldsOfLanes) {
  const Value one = Value::real(1.0F), two = Value::real(2.0F);
  EXPECT_EQ(shown(made_of("vertices", "helper", map_of({{"vertices", one}, {"helper", two}}))), "21");
  EXPECT_EQ(shown(made_of("vertices", "built_ins",
                          map_of({{"vertices", list_of({map_of({{"vertices", one}, {"built_ins", two}})})},
                                  {"helper", Value::boolean(true)},
                                  {"built_ins", map_of({{"vertex_id", Value::text("x")}})}})))
                .substr(0, 28),
            "lanes[0]/built_ins/vertex_id");
  EXPECT_EQ(shown(made_of("vertices", "built_ins",
                          map_of({{"vertices", list_of({map_of({{"vertices", one}, {"built_ins", two}})})},
                                  {"helper", Value::boolean(true)},
                                  {"built_ins", map_of({{"vertex_id", Value::integer(1)}})}}))),
            "21");
}

TEST(RunInputNames, OfBuiltInsAreRefusedIfTheyAreNone) {
  const Value one = Value::integer(1);
  const auto of = [](const Value& lane) { return shown(made_of("aa", "bb", lane)); };
  EXPECT_EQ(of(map_of({{"built_ins", map_of({{"vertex_jd", one}})}})),
            "lanes[0]/built_ins/vertex_jd: there is no built-in of this name; did you mean `vertex_id`?");
  EXPECT_EQ(of(map_of({{"built_ins", map_of({{"aa", one}})}})).substr(0, 54), "lanes[0]/built_ins/aa: there is no built-in of this na");
  EXPECT_EQ(of(map_of({{"built_ins", one}})), "lanes[0]/built_ins: expected a map of built-ins");
  EXPECT_EQ(of(map_of({{"vertex_id", one}, {"gl_VertexIndex", one}})),
            "lanes[0]/gl_VertexIndex: `vertex_id` is another name of this input, which must have one of them");
}

TEST(RunInputNames, OfInputsLeaveBuiltInsTheirMap) {
  constexpr std::string_view kBoth = R"(stage vertex
input "instance_id" type i32 register 0 columns 1
output "r" type i32 register 0 columns 1

function @main {
^0:
  %a = input i32 in0.x
  %b = builtin i32 instance_id
  %m = imul i32 %b 10
  %s = iadd i32 %a %m
  output i32 out0.x %s
  return
}
)";
  const auto of = [&](const Value& lane) {
    auto module = ir::parse(kBoth);
    EXPECT_TRUE(module) << to_string(module.error());
    return shown(execute(std::move(*module), map_of({{"lanes", list_of({lane})}})));
  };
  EXPECT_EQ(of(map_of({{"instance_id", Value::integer(1)}})), "1");
  EXPECT_EQ(of(map_of({{"instance_id", Value::integer(1)}, {"built_ins", map_of({{"instance_id", Value::integer(2)}})}})), "21");
  EXPECT_EQ(of(map_of({{"v0", Value::integer(3)}, {"built_ins", map_of({{"instance_id", Value::integer(2)}})}})), "23");
}

// An input may have the name of a value that lanes know by themselves: the name is the input's.
TEST(RunInputNames, OfBuiltInsAreThoseOfInputsFirst) {
  EXPECT_EQ("21",
            shown(made_of("instance_id", "vertex_id", map_of({{"instance_id", Value::real(1.0F)}, {"vertex_id", Value::real(2.0F)}}))));
}

// `float grid[2][3]`: r = grid[0][1] + 10 * grid[1][0] + 100 * grid[1][2]
constexpr std::string_view kArrays = R"(; SPIR-V
; Version: 1.0
OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint Vertex %main "main" %grid %out
OpName %grid "grid"
OpName %out "r"
OpDecorate %grid Location 0
OpDecorate %out Location 0
%void = OpTypeVoid
%entry = OpTypeFunction %void
%uint = OpTypeInt 32 0
%float = OpTypeFloat 32
%u0 = OpConstant %uint 0
%u1 = OpConstant %uint 1
%u2 = OpConstant %uint 2
%u3 = OpConstant %uint 3
%three = OpTypeArray %float %u3
%two = OpTypeArray %three %u2
%in_two = OpTypePointer Input %two
%in_float = OpTypePointer Input %float
%out_float = OpTypePointer Output %float
%grid = OpVariable %in_two Input
%out = OpVariable %out_float Output
%ten = OpConstant %float 10
%hundred = OpConstant %float 100
%main = OpFunction %void None %entry
%label = OpLabel
%pa = OpAccessChain %in_float %grid %u0 %u1
%pb = OpAccessChain %in_float %grid %u1 %u0
%pc = OpAccessChain %in_float %grid %u1 %u2
%a = OpLoad %float %pa
%b = OpLoad %float %pb
%c = OpLoad %float %pc
%tens = OpFMul %float %b %ten
%hundreds = OpFMul %float %c %hundred
%some = OpFAdd %float %a %tens
%sum = OpFAdd %float %some %hundreds
OpStore %out %sum
OpReturn
OpFunctionEnd
)";

TEST(RunInputNames, OfArraysOfArraysMayHaveListsAsTheTypeHas) {
  const auto of = [](const Value& given) {
    return text_of(run_test::made_by_text(kArrays, map_of({{"lanes", list_of({map_of({{"grid", given}})})}})), "lanes", 0, "r");
  };
  const auto row = [](std::initializer_list<std::uint32_t> numbers) { return run_test::list_of_numbers(numbers); };
  EXPECT_EQ(of(list_of({row({1, 2, 3}), row({4, 5, 6})})), "642");
  EXPECT_EQ(of(row({1, 2, 3, 4, 5, 6})), "642");
  EXPECT_EQ(of(list_of({row({1}), row({2}), row({3}), row({4}), row({5}), row({6})})), "642");  // a list for each row
  EXPECT_EQ(of(list_of({row({1}), row({4})})), "40");
  EXPECT_EQ(of(list_of({row({1, 2, 3})})), "2");
  const auto refused = [](const Value& given) {
    return run_test::fault_of(kArrays, map_of({{"lanes", list_of({map_of({{"grid", given}})})}}));
  };
  EXPECT_EQ(refused(list_of({row({1, 2, 3, 4}), row({5})})), "lanes[0]/grid: found 4 elements, this dimension of the array has 3");
  EXPECT_EQ(refused(list_of({row({1, 2}), row({3, 4}), row({5, 6})})),
            "lanes[0]/grid: found 3 elements, this dimension of the array has 2");
  EXPECT_EQ(refused(list_of({row({1, 2}), Value::integer(3)})), "lanes[0]/grid: expected a list of elements");
}

}  // namespace
}  // namespace unshade::run

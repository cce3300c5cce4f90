// Names of inputs of SPIR-V are those of its debug information, and need not differ.
#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "unit/shader/run/run_support.hpp"

namespace unshade::shader {
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
  const Assembly made = assemble(Family::spirv, text);
  for (const Message& one : made.messages) ADD_FAILURE() << to_string(one);
  const auto opened = open(View(made.file));
  EXPECT_TRUE(opened) << to_string(opened.error());
  const auto runnable = prepare(*opened);
  EXPECT_TRUE(runnable) << to_string(runnable.error());
  return run(*runnable, map_of({{"lanes", list_of({lane})}}));
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

// An input may have the name of a value that lanes know by themselves: the name is the input's.
TEST(RunInputNames, OfBuiltInsAreThoseOfInputsFirst) {
  EXPECT_EQ("21",
            shown(made_of("instance_id", "vertex_id", map_of({{"instance_id", Value::real(1.0F)}, {"vertex_id", Value::real(2.0F)}}))));
}

}  // namespace
}  // namespace unshade::shader

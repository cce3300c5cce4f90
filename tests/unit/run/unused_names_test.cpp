// Names of reflection that the code does not use, and what a case leaves out.
#include <string>
#include <string_view>
#include <utility>

#include <gtest/gtest.h>

#include "unit/run/run_support.hpp"

namespace unshade::run {
namespace {

using run_test::list_of_numbers;
using run_test::map_of;

// maps has the registers t2 to t5, of which the code declares t3; rest has u1 to u3, of which it declares none.
constexpr std::string_view kArrays = R"(//
// Buffer Definitions: 
//
// cbuffer Spare
// {
//
//   float unread;                      // Offset:    0 Size:     4
//
// }
//
// Resource Bindings:
//
// Name                                 Type  Format         Dim      HLSL Bind  Count
// ------------------------------ ---------- ------- ----------- -------------- ------
// filters                           sampler      NA          NA             s1      2
// maps                              texture  float4          2d             t2      4
// made                                  UAV    byte         r/w             u0      1
// rest                                  UAV    byte         r/w             u1      3
// Spare                             cbuffer      NA          NA            cb4      1
//
//
ps_5_0
dcl_globalFlags refactoringAllowed
dcl_resource_texture2d (float,float,float,float) t3
dcl_uav_raw u0
dcl_temps 1
ld r0.xyzw, l(0,0,0,0), t3.xyzw
store_raw u0.x, l(0), r0.x
ret
)";

// unused has 3 elements at binding 2; block is a constant buffer, spare a buffer.
constexpr std::string_view kUnused = R"(OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main "main"
OpExecutionMode %main LocalSize 1 1 1
OpName %unused "unused"
OpName %Block "Block"
OpMemberName %Block 0 "k"
OpName %block "block"
OpName %spare "spare"
OpName %seen "seen"
OpDecorate %unused DescriptorSet 0
OpDecorate %unused Binding 2
OpDecorate %Block Block
OpMemberDecorate %Block 0 Offset 0
OpDecorate %block DescriptorSet 0
OpDecorate %block Binding 1
OpDecorate %Out Block
OpMemberDecorate %Out 0 Offset 0
OpDecorate %seen DescriptorSet 0
OpDecorate %seen Binding 0
OpDecorate %spare DescriptorSet 0
OpDecorate %spare Binding 3
%void = OpTypeVoid
%function = OpTypeFunction %void
%uint = OpTypeInt 32 0
%float = OpTypeFloat 32
%u0 = OpConstant %uint 0
%u1 = OpConstant %uint 1
%u3 = OpConstant %uint 3
%image = OpTypeImage %float 2D 0 0 0 1 Unknown
%sampled = OpTypeSampledImage %image
%array = OpTypeArray %sampled %u3
%Block = OpTypeStruct %uint
%Out = OpTypeStruct %uint
%of_array = OpTypePointer UniformConstant %array
%of_block = OpTypePointer Uniform %Block
%of_out = OpTypePointer StorageBuffer %Out
%of_uint = OpTypePointer StorageBuffer %uint
%unused = OpVariable %of_array UniformConstant
%block = OpVariable %of_block Uniform
%seen = OpVariable %of_out StorageBuffer
%spare = OpVariable %of_out StorageBuffer
%main = OpFunction %void None %function
%entry = OpLabel
%to = OpAccessChain %of_uint %seen %u0
OpStore %to %u1
OpReturn
OpFunctionEnd
)";

Result<Value> made_of(std::string_view text, Value given, const RunOptions& options = {}) {
  const Assembly made = shader::assemble(shader::language_of(text), text);
  for (const Message& one : made.messages) ADD_FAILURE() << to_string(one);
  const auto opened = shader::open(View(made.file));
  EXPECT_TRUE(opened) << to_string(opened.error());
  const auto runnable = prepare(*opened, {}, 0);
  EXPECT_TRUE(runnable) << to_string(runnable.error());
  return execute(*runnable, given, options);
}

Value texture() {
  return map_of(
      {{"width", Value::integer(1)}, {"height", Value::integer(1)}, {"format", Value::text("R32_UINT")}, {"words", list_of_numbers({31})}});
}

Value bytes(std::uint32_t size) { return map_of({{"size", Value::integer(size)}}); }

// What is stored, or what is wrong.
std::string stored(std::string_view text, std::string_view field, std::string_view name, Value value) {
  Value given = map_of({{"resources", map_of({{"u0", bytes(4)}})}});
  Value own = map_of({{name, std::move(value)}});
  if (field == "resources") {
    given.as_map()->front().value.add(name, own.as_map()->front().value);
  } else {
    given.add(field, std::move(own));
  }
  const auto done = made_of(text, std::move(given));
  if (!done) return done.error().path + ": " + done.error().message;
  return *done->find("resources")->find("u0")->find("hex")->as_text();
}

TEST(UnusedNames, OfDirect3dHaveNoEffect) {
  EXPECT_EQ(stored(kArrays, "resources", "maps[1]", texture()), "1f000000");
  for (const std::string_view name : {"maps", "maps[0]", "maps[3]", "t2"})
    EXPECT_EQ(stored(kArrays, "resources", name, texture()), "00000000") << name;
  EXPECT_EQ(stored(kArrays, "resources", "maps[4]", texture()), "resources/maps[4]: `maps` is an array: expected an index below 4");
  EXPECT_EQ(stored(kArrays, "resources", "rest[2]", bytes(4)), "00000000");
  EXPECT_EQ(stored(kArrays, "resources", "rest[3]", bytes(4)), "resources/rest[3]: `rest` is an array: expected an index below 3");
  EXPECT_EQ(stored(kArrays, "samplers", "filters[1]", map_of({{"filter", Value::text("point")}})), "00000000");
  EXPECT_EQ(stored(kArrays, "samplers", "filters[2]", map_of({{"filter", Value::text("point")}})),
            "samplers/filters[2]: `filters` is an array: expected an index below 2");
  EXPECT_EQ(stored(kArrays, "constants", "unread", Value::real(1.0F)), "00000000");
  EXPECT_EQ(stored(kArrays, "constants", "Spare.unread", Value::real(1.0F)), "00000000");
  EXPECT_EQ(stored(kArrays, "constants", "Spare.unread", Value::list({Value::integer(1), Value::integer(2)})).substr(0, 22),
            "constants/Spare.unread");
  EXPECT_EQ(stored(kArrays, "constants", "Spare[1].unread", Value::real(1.0F)).substr(0, 25), "constants/Spare[1].unread");
}

TEST(UnusedNames, OfDirect3dAreThoseOfTheResult) {
  const auto done = made_of(kArrays, map_of({{"resources", map_of({{"u0", bytes(4)}, {"rest[2]", bytes(4)}})}}));
  ASSERT_TRUE(done) << to_string(done.error());
  const Value* const found = done->find("resources")->find("u3");
  ASSERT_NE(found, nullptr);
  EXPECT_EQ(*found->find("name")->as_text(), "rest[2]");
}

TEST(UnusedNames, OfSpirvAreThoseOfTheResult) {
  const auto done = made_of(kUnused, map_of({{"resources", map_of({{"spare", bytes(4)}})}}));
  ASSERT_TRUE(done) << to_string(done.error());
  const Value* const found = done->find("resources")->find("u3");
  ASSERT_NE(found, nullptr);
  EXPECT_EQ(*found->find("name")->as_text(), "spare");
  EXPECT_EQ(found->find("binding")->as_integer()->magnitude, 3U);
}

TEST(UnusedNames, OfSpirvHaveNoEffect) {
  for (const std::string_view name : {"unused", "unused[2]"}) EXPECT_EQ(stored(kUnused, "resources", name, texture()), "01000000");
  EXPECT_EQ(stored(kUnused, "resources", "unused[3]", texture()), "resources/unused[3]: `unused` is an array: expected an index below 3");
  EXPECT_EQ(stored(kUnused, "resources", "spare", bytes(4)), "01000000");
  for (const std::string_view name : {"block", "Block"}) EXPECT_EQ(stored(kUnused, "resources", name, bytes(16)), "01000000") << name;
  EXPECT_EQ(stored(kUnused, "samplers", "unused[1]", map_of({{"filter", Value::text("point")}})), "01000000");
  for (const std::string_view name : {"k", "block.k", "Block.k"})
    EXPECT_EQ(stored(kUnused, "constants", name, Value::integer(1)), "01000000") << name;
  EXPECT_EQ(stored(kUnused, "constants", "block.j", Value::integer(1)).substr(0, 59),
            "constants/block.j: no constant buffer has a variable of thi");
  EXPECT_EQ(stored(kUnused, "resources", "spore", bytes(4)),
            "resources/spore: the shader has no resource of this name; did you mean `spare`?");
}

std::string finding_of(Value resources) {
  RunOptions options;
  options.check = true;
  const auto done = made_of(kArrays, map_of({{"resources", std::move(resources)}}), options);
  EXPECT_TRUE(done) << to_string(done.error());
  const Value::List& findings = *done->find("findings")->as_list();
  std::string all;
  for (const Value& one : findings) {
    const std::string message = finding_message(one);
    all += message.substr(message.find("ccesses"), message.find(" (4 times") - message.find("ccesses")) + '\n';
  }
  return all;
}

TEST(Findings, NameWhatTheCaseDoesNotGive) {
  EXPECT_EQ(finding_of(map_of({{"u0", bytes(4)}})), "ccesses the texture `maps[1]` (t3), which the case does not give\n");
  EXPECT_EQ(finding_of(map_of({{"t3", texture()}})), "ccesses the buffer `made` (u0), which the case does not give\n");
  EXPECT_EQ(finding_of(map_of({{"t3", texture()}, {"u0", bytes(0)}})), "ccesses memory out of bounds\n");
  EXPECT_EQ(finding_of(map_of({{"t3", texture()}, {"u0", bytes(4)}})), "");
}

}  // namespace
}  // namespace unshade::run

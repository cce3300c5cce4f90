// Members of constant buffers that no reflection describes.
#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "unit/write/written.hpp"

namespace unshade::write {
namespace {

/// A vertex shader with a position, a buffer of 8 registers and the statements of its block.
std::string source_of(std::string_view statements, const SourceOptions& options = {}) {
  return written(R"(stage vertex
input "POSITION" type f32 register 0 columns 4
output "SV_Position" system_value position type f32 register 0
output "COLOR" type f32 register 1 columns 4
resource @cb0 cbuffer register 0 bytes 128
function @main {
^0:
  %b = handle @cb0 0
)" + std::string(statements) +
                     "  return\n}\n",
                 options);
}

bool has(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

std::string load(std::string_view name, unsigned at, unsigned component) {
  const std::string suffix(1, "xyzw"[component]);
  return "  %" + std::string(name) + suffix + " = cbuffer_load f32 %b " + std::to_string(16 * at + 4 * component) + '\n';
}
std::string loads(std::string_view name, unsigned at, unsigned count) {
  std::string made;
  for (unsigned k = 0; k < count; ++k) made += load(name, at, k);
  return made;
}
std::string inputs() { return "  %px = input f32 in0.x\n  %py = input f32 in0.y\n  %pz = input f32 in0.z\n  %pw = input f32 in0.w\n"; }

// dot(position, register) for each component of the output, each of which is a dp4 of fxc.
std::string four_dots(unsigned first, std::string_view output) {
  std::string made;
  for (unsigned row = 0; row < 4; ++row) {
    const std::string m = "m" + std::to_string(row), s = "%s" + std::to_string(row);
    made += loads(m, first + row, 4);
    made += "  " + s + "a = fmul f32 %px %" + m + "x\n";
    made += "  " + s + "b = fmad f32 %py %" + m + "y " + s + "a\n";
    made += "  " + s + "c = fmad f32 %pz %" + m + "z " + s + "b\n";
    made += "  " + s + "d = fmad f32 %pw %" + m + "w " + s + "c\n";
  }
  for (unsigned row = 0; row < 4; ++row)
    made += "  output f32 " + std::string(output) + '.' + "xyzw"[row] + " %s" + std::to_string(row) + "d\n";
  return made;
}

TEST(ConstantUses, MakesVectorsOfWhatIsReadTogether) {
  const std::string text = source_of(inputs() + loads("c", 2, 4) + R"(  %x = fmul f32 %px %cx !0.0.x
  %y = fmul f32 %py %cy !0.0.y
  %z = fmul f32 %pz %cz !0.0.z
  output f32 out0.x %x
  output f32 out0.y %y
  output f32 out0.z %z
  output f32 out0.w %cw
)");
  EXPECT_TRUE(has(text, "  float3 cb0_2 : packoffset(c2);\n  float cb0_2_w : packoffset(c2.w);\n")) << text;
  EXPECT_TRUE(has(text, "input.position.xyz * cb0_2, cb0_2_w")) << text;
}

// The buffer is as large as it was.
TEST(ConstantUses, KeepsWhatIsNotRead) {
  const std::string text = source_of(load("c", 0, 1) + "  output f32 out0.x %cy\n");
  EXPECT_TRUE(has(text, "  float cb0_0_y : packoffset(c0.y);\n  float4 cb0_1[7] : packoffset(c1);\n")) << text;
}

TEST(ConstantUses, GivesTypesByUses) {
  const std::string text = source_of(R"(  %n = cbuffer_load i32 %b 0
  %m = cbuffer_load i32 %b 4
  %s = s_to_f f32 %n
  %u = u_to_f f32 %m
  output f32 out0.x %s
  output f32 out0.y %u
)");
  EXPECT_TRUE(has(text, "  int cb0_0_x;\n  uint cb0_0_y;\n")) << text;
}

// A vector that begins at y and is longer than one would lie elsewhere in GLSL.
TEST(ConstantUses, LetsVectorsBeginWhereLanguagesDo) {
  const std::string text = source_of(inputs() + loads("c", 1, 3) + R"(  %y = fmul f32 %px %cy !0.0.x
  %z = fmul f32 %py %cz !0.0.y
  output f32 out0.x %y
  output f32 out0.y %z
)");
  EXPECT_TRUE(has(text, "float3 cb0_1 : packoffset(c1);")) << text;
  EXPECT_TRUE(has(text, "cb0_1.yz")) << text;
}

// A computed register could be any.
TEST(ConstantUses, LeavesWhatIsIndexedAnArray) {
  const std::string text = source_of(R"(  %x = input f32 in0.x
  %i = f_to_u i32 %x
  %at = ishl i32 %i 4
  %k = cbuffer_load f32 %b %at
  output f32 out0.x %k
)");
  EXPECT_TRUE(has(text, "float4 cb0_data[8];")) << text;
}

TEST(ConstantUses, FindsAMatrixInDotProducts) {
  const std::string statements = inputs() + four_dots(3, "out0");
  const std::string hlsl = source_of(statements);
  EXPECT_TRUE(has(hlsl, "row_major float4x4 cb0_3 : packoffset(c3);")) << hlsl;
  EXPECT_TRUE(has(hlsl, "output.position = mul(cb0_3, input.position);")) << hlsl;
  SourceOptions options;
  options.language = ShadingLanguage::glsl;
  const std::string glsl = source_of(statements, options);
  EXPECT_TRUE(has(glsl, "mat4 cb0_3;")) << glsl;
  EXPECT_TRUE(has(glsl, " * cb0_3;")) << glsl;
}

// fxc begins with the second: the sum of two products is the same the other way round.
std::string sum_of_rows(unsigned first, unsigned second) {
  std::string made = inputs();
  for (unsigned row = 0; row < 4; ++row) made += loads("m" + std::to_string(row), 4 + row, 4);
  const std::string letters = "xyzw";
  for (unsigned k = 0; k < 4; ++k) {
    const std::string c(1, letters[k]), group = " !0.0." + c + '\n';
    const auto row = [&](unsigned number) { return "%m" + std::to_string(number) + c; };
    const auto factor = [&](unsigned number) { return std::string("%p") + letters[number]; };
    made += "  %a" + c + " = fmul f32 " + row(first) + ' ' + factor(first) + group;
    made += "  %b" + c + " = fmad f32 " + row(second) + ' ' + factor(second) + " %a" + c + " !1.0." + c + '\n';
    made += "  %c" + c + " = fmad f32 " + row(2) + ' ' + factor(2) + " %b" + c + " !2.0." + c + '\n';
    made += "  %d" + c + " = fadd f32 %c" + c + ' ' + row(3) + " !3.0." + c + '\n';
  }
  for (unsigned k = 0; k < 4; ++k) made += std::string("  output f32 out0.") + letters[k] + " %d" + letters[k] + '\n';
  return made;
}

TEST(ConstantUses, FindsAMatrixInASumOfRegisters) {
  for (const auto& [first, second] : {std::pair(0U, 1U), std::pair(1U, 0U)}) {
    const std::string text = source_of(sum_of_rows(first, second));
    EXPECT_TRUE(has(text, "row_major float4x4 cb0_4 : packoffset(c4);")) << text;
    EXPECT_TRUE(has(text, "output.position = mul(float4(input.position.xyz, 1.0), cb0_4);")) << text;
  }
}

// Other orders round otherwise.
TEST(ConstantUses, WritesNoProductWhereTheSumIsAnother) {
  const std::string text = source_of(sum_of_rows(1, 1));
  EXPECT_FALSE(has(text, "mul(")) << text;
}

// A sum of columns, as of a matrix that is stored the other way.
TEST(ConstantUses, MultipliesAcrossRegisters) {
  std::string statements = inputs();
  for (unsigned row = 0; row < 3; ++row) statements += loads("m" + std::to_string(row), row, 3);
  for (const char c : {'x', 'y', 'z'}) {
    const std::string s = std::string("%s") + c;
    statements += "  " + s + "a = fmul f32 %px %m0" + c + "\n  " + s + "b = fmad f32 %py %m1" + c + ' ' + s + "a\n  " + s +
                  "c = fmad f32 %pz %m2" + c + ' ' + s + "b\n";
  }
  for (const char c : {'x', 'y', 'z'}) statements += std::string("  output f32 out0.") + c + " %s" + c + "c\n";
  const std::string text = source_of(statements);
  EXPECT_TRUE(has(text, "row_major float3x3 cb0_0;")) << text;
  EXPECT_TRUE(has(text, "output.position.xyz = mul(input.position.xyz, cb0_0);")) << text;
}

}  // namespace
}  // namespace unshade::write

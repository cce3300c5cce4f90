// What tables can state of a stage's SPIR-V.
#include "vbc/stage_facts.hpp"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include <unshade/vbc/pack.hpp>
#include <unshade/vbc/validate.hpp>

#include "samples.hpp"
#include "unit/spirv/spirv_builder.hpp"

namespace unshade::vbc {

namespace {

using namespace test;

/// A vertex stage whose uniform has one member, of a type and with decorations.
std::vector<std::byte> stage_with(std::string_view type, std::string_view decorations, std::string_view around = "0") {
  std::string text = R"(OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint Vertex %main "main" %u
OpName %inner "inner"
OpMemberName %inner 0 "f"
OpDecorate %block Block
OpMemberDecorate %inner 0 Offset 0
OpMemberDecorate %block 0 Offset )";
  text += around;
  text += "\nOpDecorate %u DescriptorSet 1\nOpDecorate %u Binding 0\n";
  text += decorations;
  text += R"(
%void = OpTypeVoid
%signature = OpTypeFunction %void
%float = OpTypeFloat 32
%uint = OpTypeInt 32 0
%three = OpConstant %uint 3
%vec2 = OpTypeVector %float 2
%vec3 = OpTypeVector %float 3
%vec4 = OpTypeVector %float 4
%mat2 = OpTypeMatrix %vec2 2
%mat3 = OpTypeMatrix %vec3 3
%mat4 = OpTypeMatrix %vec4 4
%floats = OpTypeArray %float %three
%vectors = OpTypeArray %vec4 %three
%matrices = OpTypeArray %mat2 %three
%inner = OpTypeStruct )";
  text += type;
  text += R"(
%block = OpTypeStruct %inner
%pointer = OpTypePointer Uniform %block
%u = OpVariable %pointer Uniform
%main = OpFunction %void None %signature
%entry = OpLabel
OpReturn
OpFunctionEnd
)";
  return unshade::test::assembled(text, {.version = 0x10500});
}

TEST(VbcStageFacts, AUniformHasNoGapsBetweenElementsAndColumns) {
  struct Case {
    const char* type;
    const char* decorations;
    const char* path;  // of the error; empty: the size
    unsigned size;
  };
  const Case cases[] = {
      {"%floats", "OpDecorate %floats ArrayStride 4", "", 12},
      {"%floats", "OpDecorate %floats ArrayStride 16", "uniform/members[0]", 0},  // std140
      {"%vectors", "OpDecorate %vectors ArrayStride 16", "", 48},
      {"%mat4", "OpMemberDecorate %inner 0 MatrixStride 16\nOpMemberDecorate %inner 0 ColMajor", "", 64},
      {"%mat4", "OpMemberDecorate %inner 0 MatrixStride 16\nOpMemberDecorate %inner 0 RowMajor", "uniform/members[0]", 0},
      {"%mat3", "OpMemberDecorate %inner 0 MatrixStride 12\nOpMemberDecorate %inner 0 ColMajor", "", 36},
      {"%mat3", "OpMemberDecorate %inner 0 MatrixStride 16\nOpMemberDecorate %inner 0 ColMajor", "uniform/members[0]", 0},
      {"%matrices", "OpDecorate %matrices ArrayStride 16\nOpMemberDecorate %inner 0 MatrixStride 8", "", 48},
      {"%matrices", "OpDecorate %matrices ArrayStride 32\nOpMemberDecorate %inner 0 MatrixStride 8", "uniform/members[0]", 0},
      {"%matrices", "OpDecorate %matrices ArrayStride 32\nOpMemberDecorate %inner 0 MatrixStride 16", "uniform/members[0]", 0},
  };
  for (const Case& c : cases) {
    const auto bytes = stage_with(c.type, c.decorations);
    const View modules[] = {view_of(bytes)};
    const auto packed = pack(modules);
    if (*c.path == '\0') {
      ASSERT_TRUE(packed) << c.decorations << ": " << to_string(packed.error());
      EXPECT_EQ(packed->uniform.size, c.size) << c.decorations;
    } else {
      ASSERT_FALSE(packed) << c.decorations;
      EXPECT_EQ(packed.error().code, ErrorCode::bad_value) << c.decorations;
      EXPECT_EQ(packed.error().path, c.path) << c.decorations;
    }
  }
}

TEST(VbcStageFacts, TheStructOfAUniformBeginsItsBlock) {
  const auto bytes = stage_with("%float", "", "16");
  const View modules[] = {view_of(bytes)};
  const auto packed = pack(modules);
  ASSERT_FALSE(packed);
  EXPECT_EQ(packed.error().path, "uniform");
}

TEST(VbcStageFacts, ValidationComparesStrides) {
  const auto good = stage_with("%floats", "OpDecorate %floats ArrayStride 4");
  const View modules[] = {view_of(good)};
  auto file = pack(modules);
  ASSERT_TRUE(file);
  const auto has_mismatch = [&] {
    const auto bytes = write(*file);
    for (const Diagnostic& d : check_file(view_of(bytes)))
      if (d.rule->id == "vbc.uniform-mismatch") return d.path;
    return std::string();
  };
  EXPECT_EQ(has_mismatch(), "");
  file->code(Stage::vertex) = stage_with("%floats", "OpDecorate %floats ArrayStride 16");
  EXPECT_EQ(has_mismatch(), "uniform/members[0]");
}

}  // namespace

}  // namespace unshade::vbc

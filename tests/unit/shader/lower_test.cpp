// Lowering at the front door: damaged programs are refused, instructions have lines.
#include <unshade/shader/lower.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include <unshade/shader/shader.hpp>
#include <unshade/spirv/assembler.hpp>

#include "support/files.hpp"

namespace unshade::test {
namespace {

// An output of no elements, which fuzzing has found.
TEST(ShaderLower, RefusesProgramsThatBreakRules) {
  const auto bytes = spirv::assemble(R"(
OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint Vertex %main "main" %out
OpDecorate %out Location 0
%void = OpTypeVoid
%u32 = OpTypeInt 32 0
%f32 = OpTypeFloat 32
%c0 = OpConstant %u32 0
%none = OpTypeArray %f32 %c0
%p_none = OpTypePointer Output %none
%fn = OpTypeFunction %void
%out = OpVariable %p_none Output
%main = OpFunction %void None %fn
%entry = OpLabel
OpReturn
OpFunctionEnd
)");
  ASSERT_TRUE(bytes);
  const auto shader = shader::open(view_of(*bytes));
  ASSERT_TRUE(shader);
  EXPECT_FALSE(shader::lower(*shader));
}

std::string line_of(const char* file, std::uint32_t instruction, std::string_view entry = {}) {
  const auto bytes = read_bytes(source_dir() / "tests/data" / file);
  const auto shader = shader::open(view_of(bytes));
  const auto module = shader::lower(*shader, {.entry = entry});
  EXPECT_TRUE(module) << file;
  const auto lines = shader::instruction_lines(*shader, (*module)->functions.front().name);
  EXPECT_TRUE(lines) << file;
  return lines && instruction < lines->size() ? (*lines)[instruction] : std::string();
}

TEST(ShaderLower, InstructionsHaveLines) {
  EXPECT_EQ(line_of("dxbc/lit_vs_5_0.dxbc", 0), "dcl_constantbuffer CB0[14], immediateIndexed");
  EXPECT_EQ(line_of("dxbc/lit_vs_5_0.dxbc", 12), "mov r0.xyzw, v3.xyzw");
  EXPECT_EQ(line_of("dxil/bitonic_cs_6_0.dxil", 2).substr(0, 5), "%3 = ");
  EXPECT_EQ(line_of("pica/control.v.shbin", 2), "dp3 r4.x, c95, r1");
  EXPECT_EQ(line_of("pica/control.v.shbin", 20), "mov r0, a");
  EXPECT_EQ(line_of("vbc/minimal.vbc", 0), "OpCapability Shader");
}

TEST(ShaderLower, ChoosesAStageOfVbc) {
  constexpr const char* kFile = "vbc/textured.vbc";
  const auto bytes = read_bytes(source_dir() / "tests/data" / kFile);
  const auto shader = shader::open(view_of(bytes));
  const auto of = [&](const shader::LowerOptions& how) {
    const auto module = shader::lower(*shader, how);
    return module ? std::string(id((*module)->stage)) + ' ' + (*module)->functions.front().name : to_string(module.error());
  };
  EXPECT_EQ(of({}), "vertex main:vertex");
  EXPECT_EQ(of({.entry = "main:vertex"}), "vertex main:vertex");
  EXPECT_EQ(of({.entry = "main:pixel"}), "pixel main:pixel");
  EXPECT_EQ(of({.entry = {}, .stage = Stage::pixel}), "pixel main:pixel");
  EXPECT_EQ(of({.entry = {}, .stage = Stage::hull}), "vertex main:vertex");
  EXPECT_EQ(of({.entry = "main"}),
            "error[bad-value]: entry_points: several entry points are called `main`; name one with its stage: `main:vertex`, `main:pixel`");
  EXPECT_EQ(of({.entry = "main:hull"}), "error[missing]: entry_points: the module has no entry point `main:hull`");
  EXPECT_NE(line_of(kFile, 3, "main:vertex").find("OpEntryPoint Vertex"), std::string::npos);
  EXPECT_NE(line_of(kFile, 3, "main:pixel").find("OpEntryPoint Fragment"), std::string::npos) << line_of(kFile, 2, "main:pixel");
}

}  // namespace
}  // namespace unshade::test

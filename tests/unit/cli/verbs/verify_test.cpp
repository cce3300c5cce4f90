// Source code that is compiled and run beside its binary: `decompile --verify`.
#include <gtest/gtest.h>

#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include <unshade/system/program.hpp>
#include <unshade/system/work_folder.hpp>

#include "support/command.hpp"

namespace unshade::test {
namespace {

constexpr const char* kTextured = "tests/data/dxbc/textured_ps_5_0.dxbc";

bool has_glslang() { return system::find_program("glslangValidator") || system::find_program("glslang"); }

TEST(Verify, TextsComputeTheSameBits) {
  if (!has_glslang()) GTEST_SKIP() << "glslang is not installed";
  for (const char* const language : {"hlsl", "glsl"}) {
    const auto plain = run_command({"decompile", "--to", language, kTextured});
    const auto checked = run_command({"decompile", "--to", language, "--verify", kTextured});
    EXPECT_EQ(checked.exit, 0) << checked.err;
    EXPECT_EQ(checked.err, std::string(kTextured) + ": note[verified]: same bits on 96 sets of inputs, 6 of 6 branch directions\n");
    EXPECT_EQ(checked.out, plain.out);
  }
}

TEST(Verify, GlslOfEachStageComputesTheSameBits) {
  if (!has_glslang()) GTEST_SKIP() << "glslang is not installed";
  for (const std::string name : {"particles", "subpass", "textured"}) {
    const std::string file = "tests/data/vbc/" + name + ".vbc";
    const auto checked = run_command({"decompile", "--verify", "--random", "24", file});
    EXPECT_EQ(checked.exit, 0) << checked.err;
    EXPECT_NE(checked.err.find("same bits on 24 sets of inputs"), std::string::npos) << checked.err;
    EXPECT_EQ(checked.out, run_command({"decompile", "--with", "ir", "--to", "glsl", file}).out);
  }
}

// Positions are those of Direct3D, other outputs are called as the file calls them; inputs that nothing depends on are left out.
TEST(Verify, ProgramsOfThePica200ComputeTheSameBits) {
  if (!has_glslang()) GTEST_SKIP() << "glslang is not installed";
  for (const char* const language : {"hlsl", "glsl"}) {
    const auto made = run_command({"decompile", "--to", language, "--verify", "--random", "16", "tests/data/pica/control.v.shbin"});
    EXPECT_EQ(made.exit, 0) << made.err;
    if (std::string_view(language) != "hlsl") continue;
    EXPECT_NE(made.out.find("float4 position : SV_Position;"), std::string::npos) << made.out;
    EXPECT_NE(made.out.find("float4 color : color;"), std::string::npos) << made.out;
    EXPECT_EQ(made.out.find("v15"), std::string::npos) << made.out;
  }
}

// Factors of SPIR-V, which have no location, take none from the patch constants.
TEST(Verify, PatchConstantsOfDomainShadersArePaired) {
  if (!has_glslang()) GTEST_SKIP() << "glslang is not installed";
  const auto made = run_command({"decompile", "--to", "glsl", "--verify", "--random", "8", "tests/data/dxil/tessellate_ds_6_0.dxil"});
  EXPECT_EQ(made.exit, 0) << made.err;
}

TEST(Verify, NumbersOfOtherSizesThanWordsAreCompared) {
  if (!has_glslang()) GTEST_SKIP() << "glslang is not installed";
  const auto made = run_command({"decompile", "--to", "glsl", "--verify", "--random", "8", "tests/data/dxil/wide_cs_6_7.dxil"});
  EXPECT_EQ(made.exit, 0) << made.err;
}

std::string assembled(const system::WorkFolder& work, const std::string& text) {
  const auto source = (work.path() / "shader.asm").string(), made = (work.path() / "shader.dxbc").string();
  std::ofstream(source) << text;
  const auto done = run_command({"as", source, "-o", made});
  EXPECT_EQ(done.exit, 0) << done.err;
  return made;
}

// glslang gives an array without a bound the elements that constants ask for.
TEST(Verify, ArraysWithoutABoundHaveAllElements) {
  if (!has_glslang()) GTEST_SKIP() << "glslang is not installed";
  const system::WorkFolder work;
  const std::string shader = assembled(work, R"(cs_5_1
dcl_globalFlags refactoringAllowed
dcl_resource_buffer (uint,uint,uint,uint) T0[0:*], space=0
dcl_uav_raw U0[0:0], space=0
dcl_input vThreadID.x
dcl_temps 1
dcl_thread_group 8, 1, 1
ld_indexable(buffer)(uint,uint,uint,uint) r0.x, l(0, 0, 0, 0), T0[vThreadID.x + 3].xyzw
ishl r0.y, vThreadID.x, l(2)
store_raw U0[0].x, r0.y, r0.x
ret
)");
  const auto made = run_command({"decompile", "--to", "hlsl", "--verify", "--random", "8", shader});
  EXPECT_EQ(made.exit, 0) << made.err << made.out;
  EXPECT_NE(made.out.find("t0[] : register(t0)"), std::string::npos) << made.out;
}

// glslang gives a counter the binding of the first texture; without another use, it drops the buffer that counts.
TEST(Verify, CountersHaveBindingsOfTheirOwn) {
  if (!has_glslang()) GTEST_SKIP() << "glslang is not installed";
  for (const char* const use : {"ld_structured_indexable(structured_buffer, stride=4)(mixed,mixed,mixed,mixed) r0.y, r0.x, l(0), t0.xxxx\n"
                                "store_structured u0.x, r0.x, l(0), r0.y\n",
                                ""}) {
    const system::WorkFolder work;
    const std::string shader = assembled(work, std::string(R"(cs_5_0
dcl_globalFlags refactoringAllowed
dcl_resource_structured t0, 4
dcl_uav_structured_opc u0, 4
dcl_uav_raw u1
dcl_temps 1
dcl_thread_group 1, 1, 1
imm_atomic_alloc r0.x, u0
)") + use + "store_raw u1.x, l(0), r0.x\nret\n");
    for (const char* const language : {"hlsl", "glsl"}) {
      const auto made = run_command({"decompile", "--to", language, "--verify", "--random", "8", shader});
      EXPECT_EQ(made.exit, 0) << made.err << made.out;
    }
  }
}

// glslang knows no such value, and makes an ordinary input of it.
TEST(Verify, InnerCoverageNeedsAnotherCompilerOfHlsl) {
  if (!has_glslang()) GTEST_SKIP() << "glslang is not installed";
  const system::WorkFolder work;
  const std::string shader = assembled(work, R"(// Output signature:
//
// SV_Target 0 x 0 TARGET uint x
ps_5_0
dcl_globalFlags refactoringAllowed
dcl_input vInnerCoverage
dcl_output o0.x
mov o0.x, vInnerCoverage.x
ret
)");
  const auto hlsl = run_command({"decompile", "--to", "hlsl", "--verify", "--random", "8", shader});
  EXPECT_EQ(hlsl.exit, 1);
  EXPECT_NE(hlsl.err.find("error[unsupported]"), std::string::npos) << hlsl.err;
  EXPECT_NE(hlsl.err.find("SV_InnerCoverage"), std::string::npos) << hlsl.err;
  const auto glsl = run_command({"decompile", "--to", "glsl", "--verify", "--random", "8", shader});
  EXPECT_EQ(glsl.exit, 0) << glsl.err;
}

// normalize() of GLSL rounds as it likes.
TEST(Verify, NativeTextsSayThatOthersHaveTheSameBits) {
  if (!has_glslang()) GTEST_SKIP() << "glslang is not installed";
  const system::WorkFolder work;
  const std::string shader = assembled(work, R"(// Input signature:
//
// NORMAL 0 xyz 0 NONE float xyz
//
// Output signature:
//
// SV_Target 0 xyz 0 TARGET float xyz
ps_5_0
dcl_globalFlags refactoringAllowed
dcl_input_ps linear v0.xyz
dcl_output o0.xyz
dcl_temps 1
dp3 r0.x, v0.xyzx, v0.xyzx
rsq r0.x, r0.x
mul o0.xyz, r0.xxxx, v0.xyzx
ret
)");
  const auto native = run_command({"decompile", "--to", "glsl", "--native", "--verify", "--random", "16", shader});
  EXPECT_EQ(native.exit, 1);
  EXPECT_NE(native.out.find("normalize("), std::string::npos) << native.out;
  EXPECT_NE(native.err.find("note[native]"), std::string::npos) << native.err;
  EXPECT_NE(native.err.find("error[differs]"), std::string::npos) << native.err;
  EXPECT_EQ(run_command({"decompile", "--to", "glsl", "--verify", "--random", "16", shader}).exit, 0);
}

TEST(Verify, WithoutTheCompilerNothingIsWritten) {
  const auto made = run_command({"decompile", "--to", "hlsl", "--verify", "--compiler", "no-such-compiler", kTextured});
  EXPECT_EQ(made.exit, 2);
  EXPECT_EQ(made.out, "");
  EXPECT_EQ(made.err, "unshade: error[missing]: needs the compiler no-such-compiler, which is not installed\n");
}

TEST(Verify, OptionsGoTogether) {
  EXPECT_EQ(run_command({"decompile", "--to", "hlsl", "--random", "8", kTextured}).err,
            "unshade: error[usage]: --random is only valid with --verify\n");
  EXPECT_EQ(run_command({"decompile", "--to", "hlsl", "--compiler", "dxc", kTextured}).err,
            "unshade: error[usage]: --compiler is only valid with --verify\n");
  EXPECT_EQ(run_command({"decompile", "--to", "hlsl", "--verify", "--random", "0", kTextured}).exit, 2);
  EXPECT_EQ(run_command({"decompile", "--to", "hlsl", "--with", "spirv-cross", "--verify", "tests/data/spirv/odd.spv"}).exit, 2);
}

}  // namespace
}  // namespace unshade::test

// Source code that is compiled and run beside its binary: `decompile --verify`.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include <unshade/system/program.hpp>

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
    const auto checked = run_command({"decompile", "--verify", file});
    EXPECT_EQ(checked.exit, 0) << checked.err;
    EXPECT_NE(checked.err.find("same bits on 96 sets of inputs"), std::string::npos) << checked.err;
    EXPECT_EQ(checked.out, run_command({"decompile", "--with", "ir", "--to", "glsl", file}).out);
  }
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

// Only POSIX: the compiler is a script, which makes another shader of any text
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

#include <unshade/system/work_folder.hpp>

#include "support/command.hpp"

namespace unshade::test {
namespace {

constexpr const char* kText = R"(ps_5_0
dcl_input_ps linear v0.x
dcl_output o0.x
FACTOR
ret
)";

std::string shader(const system::WorkFolder& work, const std::string& name, const std::string& step) {
  const std::string head =
      "// Input signature:\n// TEXCOORD 0 x 0 NONE float x\n//\n// Output signature:\n// SV_Target 0 x 0 TARGET float x\n";
  std::string text = head + kText;
  text.replace(text.find("FACTOR"), 6, step);
  const auto source = (work.path() / (name + ".asm")).string(), made = (work.path() / name).string();
  std::ofstream(source) << text;
  const auto done = run_command({"as", source, "-o", made});
  EXPECT_EQ(done.exit, 0) << done.err;
  return made;
}

std::string compiler_that_makes(const system::WorkFolder& work, const std::string& file) {
  const auto path = work.path() / "dxc";
  std::ofstream(path) << "#!/bin/sh\ncp " << file << " $6\n";
  std::filesystem::permissions(path, std::filesystem::perms::owner_all);
  return path.string();
}

TEST(Verify, ReportsTheFirstDifference) {
  const system::WorkFolder work;
  const std::string original = shader(work, "original", "mul o0.x, v0.x, l(2.0)");
  const std::string other = shader(work, "other", "mul o0.x, v0.x, l(3.0)");
  const auto compiler = compiler_that_makes(work, other);
  const auto made = run_command({"decompile", "--to", "hlsl", "--verify", "--compiler", compiler, original});
  EXPECT_EQ(made.exit, 1);
  EXPECT_TRUE(made.err.starts_with(original + ": error[differs]: random set 0, lane 0: SV_Target.x is ")) << made.err;
  EXPECT_NE(made.err.find(" in the shader, and "), std::string::npos) << made.err;
  EXPECT_NE(made.out.find("SV_Target"), std::string::npos);  // the text is written all the same
  const auto right = run_command({"decompile", "--to", "hlsl", "--verify", "--compiler", compiler_that_makes(work, original), original});
  EXPECT_EQ(right.exit, 0) << right.err;
  EXPECT_EQ(right.err, original + ": note[verified]: same bits on 96 sets of inputs, no branches\n");
}

TEST(Verify, ReportsOtherInterfacesAndWhatIsNoShader) {
  const system::WorkFolder work;
  const std::string original = shader(work, "original", "mul o0.x, v0.x, l(2.0)");
  auto made = run_command(
      {"decompile", "--to", "hlsl", "--verify", "--compiler", compiler_that_makes(work, "tests/data/dxbc/lit_vs_4_0.dxbc"), original});
  EXPECT_EQ(made.exit, 1);
  EXPECT_NE(made.err.find(": error[interface]: "), std::string::npos) << made.err;
  std::ofstream(work.path() / "text") << "no shader";
  made = run_command(
      {"decompile", "--to", "hlsl", "--verify", "--compiler", compiler_that_makes(work, (work.path() / "text").string()), original});
  EXPECT_EQ(made.exit, 1);
  EXPECT_NE(made.err.find("compiled"), std::string::npos) << made.err;
}

}  // namespace
}  // namespace unshade::test

// Only POSIX: the compiler is a script
#include "cli/process/compiler.hpp"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <string>

#include <unshade/core/view.hpp>
#include <unshade/system/process.hpp>
#include <unshade/system/work_folder.hpp>

namespace unshade::cli {
namespace {

/// A program of that name which is a script.
std::string script(const system::WorkFolder& work, const char* name, const std::string& text) {
  const auto path = work.path() / name;
  std::ofstream(path) << "#!/bin/sh\n" << text;
  std::filesystem::permissions(path, std::filesystem::perms::owner_all);
  return path.string();
}

// As a compiler of Windows prints it.
TEST(CompilerOutput, MayEndLinesWithCarriageReturns) {
  const system::WorkFolder work;
  script(work, "glslangValidator", "printf 'ERROR: 3 is wrong\\r\\n'\nexit 2\n");
  const std::string before = system::environment("PATH");
  ASSERT_EQ(::setenv("PATH", work.path().c_str(), 1), 0);
  const auto made = compile(suite::ShaderSource{"GLSL", Stage::compute, "void main() {}\n"});
  ASSERT_EQ(::setenv("PATH", before.c_str(), 1), 0);
  ASSERT_FALSE(made);
  EXPECT_EQ(made.error().message, "glslang: 3 is wrong");
}

// Each compiler by its own options, and faults in its own words.
TEST(CompilerOutput, OfCompilersOfDirect3D) {
  const system::WorkFolder work;
  WrittenSource source;
  source.stage = Stage::pixel;
  source.text = "float4 main() : SV_Target { return 0; }\n";
  source.profile = "ps_6_0";
  const std::string dxc = script(work, "dxc", "echo $1 $2 $3 $4 >$6\ncat $7 >>$6\n");
  source.program = dxc;
  auto made = compile(source);
  ASSERT_TRUE(made) << to_string(made.error());
  EXPECT_EQ(View(*made).text(), "-T ps_6_0 -E main\nfloat4 main() : SV_Target { return 0; }\n");
  const std::string fxc = script(work, "fxc.exe", "echo $1 $2 $3 $4 $5 >$7\n");
  source.program = fxc;
  made = compile(source);
  ASSERT_TRUE(made) << to_string(made.error());
  EXPECT_EQ(View(*made).text(), "/nologo /T ps_6_0 /E main\n");

  script(work, "dxc", "echo \"$7:3:7: error: use of undeclared identifier 'x'\"\nexit 1\n");
  source.program = dxc;
  made = compile(source);
  ASSERT_FALSE(made);
  EXPECT_EQ(made.error().path, "3:1");
  EXPECT_EQ(made.error().message, "dxc: use of undeclared identifier 'x'");
  script(work, "fxc.exe", "printf \"$8(12,7-9): error X3004: undeclared identifier 'x'\\r\\n\"\nexit 1\n");
  source.program = fxc;
  made = compile(source);
  ASSERT_FALSE(made);
  EXPECT_EQ(made.error().path, "12:1");
  EXPECT_EQ(made.error().message, "fxc: X3004: undeclared identifier 'x'");
  script(work, "fxc.exe", "exit 0\n");
  EXPECT_EQ(compile(source).error().message, "fxc wrote no file");
  source.language = ShadingLanguage::glsl;
  EXPECT_EQ(compile(source).error().message, "fxc compiles no GLSL");
  source.program = "no-such-compiler";
  EXPECT_EQ(compile(source).error().code, ErrorCode::missing);
}

}  // namespace
}  // namespace unshade::cli

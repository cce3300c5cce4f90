// Only POSIX: the compiler is a script
#include "cli/testing/compiler.hpp"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <string>

#include <unshade/system/process.hpp>
#include <unshade/system/work_folder.hpp>

namespace unshade::cli::testing {
namespace {

// As a compiler of Windows prints it.
TEST(CompilerOutput, MayEndLinesWithCarriageReturns) {
  const system::WorkFolder work;
  const auto script = work.path() / "glslangValidator";
  std::ofstream(script) << "#!/bin/sh\nprintf 'ERROR: 3 is wrong\\r\\n'\nexit 2\n";
  std::filesystem::permissions(script, std::filesystem::perms::owner_all);
  const std::string before = system::environment("PATH");
  ASSERT_EQ(::setenv("PATH", work.path().c_str(), 1), 0);
  const auto made = compile({"GLSL", Stage::compute, "void main() {}\n"});
  ASSERT_EQ(::setenv("PATH", before.c_str(), 1), 0);
  ASSERT_FALSE(made);
  EXPECT_EQ(made.error().message, "glslang: 3 is wrong");
}

}  // namespace
}  // namespace unshade::cli::testing

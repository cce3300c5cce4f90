#include "cli/process/compiler.hpp"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <unshade/spirv/module.hpp>
#include <unshade/system/program.hpp>

#include "support/files.hpp"

namespace unshade::cli {
namespace {

using suite::ShaderSource;

class Compiler : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!system::find_program("glslangValidator") && !system::find_program("glslang")) GTEST_SKIP() << "glslang is not installed";
  }
};

TEST_F(Compiler, MakesModulesOfTheVersion) {
  for (const std::uint32_t minor : {0U, 3U, 5U}) {
    ShaderSource source{"GLSL", Stage::compute, "#version 450\nlayout(local_size_x = 2) in;\nvoid main() {}\n"};
    source.version = 0x10000 | minor << 8;
    const auto made = compile(source);
    ASSERT_TRUE(made) << to_string(made.error());
    const auto module = spirv::parse(test::view_of(*made));
    ASSERT_TRUE(module) << to_string(module.error());
    EXPECT_EQ(module->header().version, source.version);
  }
}

TEST_F(Compiler, ReadsHlslAndWhatItIncludes) {
  const std::vector<suite::NamedText> files{{"inner/color.hlsl", "static const float4 kColor = float4(1, 0, 0, 1);\n"},
                                            {"../outside.hlsl", "this is no HLSL\n"},
                                            {"..\\outside.hlsl", "this is no HLSL\n"},
                                            {"C:outside.hlsl", "this is no HLSL\n"}};
  ShaderSource source{"HLSL", Stage::pixel, "#include \"inner/color.hlsl\"\nfloat4 paint() : SV_TARGET0 { return kColor; }\n"};
  source.entry = "paint";
  source.includes = files;
  const auto made = compile(source);
  ASSERT_TRUE(made) << to_string(made.error());
  EXPECT_TRUE(spirv::parse(test::view_of(*made)));
}

TEST_F(Compiler, FaultsHaveTheirLine) {
  const auto made = compile(ShaderSource{"GLSL", Stage::vertex, "#version 450\n\nvoid main() { missing = 1; }\n"});
  ASSERT_FALSE(made);
  EXPECT_EQ(made.error().code, ErrorCode::bad_value);
  EXPECT_EQ(made.error().path, "3:1");
  EXPECT_NE(made.error().message.find("'missing'"), std::string::npos) << made.error().message;
}

TEST_F(Compiler, StagesOfRaysAreRefused) {
  const auto made = compile(ShaderSource{"GLSL", Stage::miss, "#version 460\nvoid main() {}\n"});
  ASSERT_FALSE(made);
  EXPECT_EQ(made.error().code, ErrorCode::unsupported);
}

}  // namespace
}  // namespace unshade::cli

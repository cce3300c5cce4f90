#include <unshade/testing.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <limits>
#include <sstream>
#include <string>
#include <vector>

#include "support/system.hpp"

namespace unshade {
namespace {

using testing::Outcome;
using testing::Shader;

Shader lit() {
  Shader shader = Shader::load("tests/data/dxbc/lit_vs_5_0.dxbc");
  shader.constant("viewProjection", {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1});
  shader.constant("world", {1, 0, 0, 5, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1});
  shader.lane({{"POSITION", {1, 2, 3}}, {"NORMAL", {0, 3, 4}}, {"TEXCOORD", {0.5, 0.25}}, {"COLOR", {10, 20, 30, 40}}});
  return shader;
}

TEST(Testing, ComparesOutputs) {
  Shader shader = lit();
  const auto loaded = shader.loaded();
  ASSERT_TRUE(loaded) << loaded.message;
  const Outcome done = shader.run();
  EXPECT_TRUE(done.finished()) << done.finished().message;
  EXPECT_EQ(done.size(), 1U);
  EXPECT_TRUE(done.output(0, "SV_Position", {6, 2, 3, 1})) << done.output(0, "SV_Position", {6, 2, 3, 1}).message;
  EXPECT_TRUE(done.output(0, "texcoord0", {0.5, 0.25}));
  EXPECT_TRUE(done.output(0, "NORMAL", {0, 0.6, 0.8}, {.ulp = 2}));
  EXPECT_EQ(done.output(0, "COLOR").size(), 4U);

  const auto wrong = done.output(0, "SV_Position", {6, 2.5, 3, 1}, {.ulp = 2});
  EXPECT_FALSE(wrong);
  EXPECT_EQ(wrong.message, "lane 0: SV_Position.y: expected 2.5, found 2.0, 2097152 ulps away");
  std::ostringstream printed;
  printed << wrong;
  EXPECT_EQ(printed.str(), wrong.message);
  EXPECT_EQ(done.output(0, "TANGENT", {1}).message,
            "lane 0: TANGENT: there is no such output, the shader has SV_Position, NORMAL, TEXCOORD, COLOR");
  EXPECT_EQ(done.output(1, "COLOR", {1}).message, "lane 1: COLOR: there is no such lane, the number of lanes is 1");
  EXPECT_EQ(done.output(0, "SV_Position", {1}).message, "lane 0: SV_Position: the list has 1, the output 4 components");
  EXPECT_EQ(done.finished().message, "");
}

TEST(Testing, InputsStayFromRunToRun) {
  Shader shader = lit();
  shader.constant("lightCount", 1).constant("time", 0.5);
  Value light = Value::list();
  for (const float number : {0.0F, 1.0F, 0.0F, 2.0F}) light.push(Value::real(number));
  Value lights = Value::list();
  lights.push(std::move(light));
  shader.constant("lights", std::move(lights));
  const Outcome lit_once = shader.run();
  EXPECT_TRUE(lit_once.output(0, "COLOR", {13, 26, 39, 52}, {.relative = 1e-6})) << lit_once.output(0, "COLOR", {13, 26, 39, 52}).message;
  shader.constant("lightCount", 0.0);
  EXPECT_TRUE(shader.run().output(0, "COLOR", {1, 2, 3, 4}, {.absolute = 1e-5}));
  shader.clear_lanes();
  EXPECT_EQ(shader.run().size(), 0U);
}

TEST(Testing, ComparesBuffers) {
  Shader shader = Shader::load("tests/data/dxil/bitonic_cs_6_0.dxil");
  std::vector<std::uint32_t> keys(512);
  for (std::uint32_t at = 0; at < keys.size(); ++at) keys[at] = at ^ 1;
  shader.buffer("keys", keys).constant("level", 2).constant("levelMask", 0x8000'0000);
  const Outcome done = shader.dispatch(1);
  std::vector<std::uint32_t> sorted(512);
  for (std::uint32_t at = 0; at < sorted.size(); ++at) sorted[at] = at;
  const auto right = done.buffer("u0", sorted);
  EXPECT_TRUE(right) << right.message;
  EXPECT_EQ(done.read<std::uint32_t>("keys"), sorted);
  sorted[7] = 8;
  EXPECT_EQ(done.buffer("keys", sorted).message, "keys[7]: expected 8, found 7");
  EXPECT_EQ(done.buffer("t0", sorted).message, "the shader writes no resource `t0`; it writes: `u0`");
}

TEST(Testing, TolerancesAndSpecialNumbers) {
  const auto compared = [](float found, float expected, testing::Tolerance tolerance = {}) {
    return testing::detail::compared(found, expected, tolerance, "x");
  };
  const float infinity = std::numeric_limits<float>::infinity();
  EXPECT_TRUE(compared(NAN, NAN));
  EXPECT_FALSE(compared(NAN, 1, {.ulp = 1e30}));
  EXPECT_FALSE(compared(infinity, std::numeric_limits<float>::max(), {.ulp = 4}));
  EXPECT_TRUE(compared(-0.0F, 0));
  EXPECT_TRUE(compared(std::nextafter(1.0F, 2.0F), 1, {.ulp = 1}));
  EXPECT_FALSE(compared(std::nextafter(1.0F, 2.0F), 1));
  EXPECT_TRUE(compared(101, 100, {.relative = 0.01}));
  EXPECT_FALSE(compared(101, 100, {.absolute = 0.5}));
}

TEST(Testing, LoadsFilesByNamesInUtf8) {
  const std::u8string name = u8"unshade-\u00e4\u4e2d\U0001f600 " + std::filesystem::path(std::to_string(test::process_id())).u8string();
  const std::filesystem::path path = std::filesystem::temp_directory_path() / name;
  std::filesystem::copy_file("tests/data/dxbc/lit_vs_5_0.dxbc", path);
  const std::u8string text = path.u8string();
  EXPECT_TRUE(Shader::load({text.begin(), text.end()}).loaded());
  std::filesystem::remove(path);
}

TEST(Testing, SaysWhatIsWrongWithAShader) {
  const Shader missing = Shader::load("tests/data/no_such_file");
  EXPECT_FALSE(missing.loaded());
  const Outcome done = missing.run();
  EXPECT_NE(done.output(0, "COLOR", {1}).message.find("cannot be read"), std::string::npos);
  EXPECT_FALSE(done.finished());
  EXPECT_EQ(done.size(), 0U);
  EXPECT_TRUE(done.read<float>("u0").empty());
  const std::byte nothing[4]{};
  EXPECT_FALSE(Shader::of(nothing).loaded());
  Shader shader = lit();
  shader.constant("nothing", 1);
  EXPECT_NE(shader.run().finished().message.find("constants/nothing"), std::string::npos);
  const auto other = Shader::load("README.md").loaded();
  EXPECT_NE(other.message.find("`README.md`: not a shader"), std::string::npos) << other.message;
  Shader alone = Shader::load("tests/data/dxbc/lit_vs_5_0.dxbc");
  EXPECT_NE(alone.lane({{"POSITON", {1, 2, 3}}})
                .run()
                .finished()
                .message.find("lanes[0]/POSITON: the shader has no input of this name; did you mean"),
            std::string::npos);
}

}  // namespace
}  // namespace unshade

// `unshade test --amber`: scripts have the verdict of the tests that they are made of.
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <string>

#include <gtest/gtest.h>

#include "support/amber_scripts.hpp"
#include "support/two_outputs.hpp"

namespace unshade::test {
namespace {

using TestScripts = AmberScripts;

TEST_F(TestScripts, HaveTheSameVerdict) {
  const std::string shader = (source_dir() / "tests/data/suites/gain.comp.spvasm").generic_string();
  const std::string suite = (folder_ / "gain.test.toml").generic_string();
  std::ofstream(suite, std::ios::binary) << "shader = '" << shader << R"('
[constants]
gain = [2, 0.5, 0, 0]
[resources]
source = {values = [1, 2, 3, -4e-7]}
result = {size = 16}
picture = {format = 'R8G8B8A8_UNORM', width = 4, height = 1}
tint = {format = 'R16G16_FLOAT', width = 2, height = 1, values = [0, 0.25, 1, 0.5]}
[samplers]
tint = {filter = 'linear', address = ['wrap', 'border'], border = [0, 0, 0, 1]}
[[case]]
name = 'numbers'
expect.resources.result = {values = [2, 4, 6]}
[[case]]
name = 'a wrong number'
expect.resources.result = {values = [2, 4.5, 6]}
[[case]]
name = 'within a tolerance'
expect.resources.result = {values = [2.1, {value = 4.1, relative = 0.05}, 6], absolute = 0.11}
[[case]]
name = 'beyond one'
expect.resources.result = {values = [2.1, {value = 4.1, relative = 0.01}, 6], absolute = 0.11}
[[case]]
name = 'conditions'
expect.resources.result = {values = ['> 1', '2..4', '!= 5', '<= 0']}
[[case]]
name = 'a condition that does not hold'
expect.resources.result = {values = ['> 1', '2..3']}
[[case]]
name = 'all the same'
constants.gain = [0, 0, 0, 0]
constants.bias = 7
expect.resources.result = {values = 7}
[[case]]
name = 'steps of texels'
expect.resources.picture = {values = [0.2, 0.1], ulp = 30}
[[case]]
name = 'too many steps'
expect.resources.picture = {values = [0.2, 0.1], ulp = 3}
[[case]]
name = 'a wave of 4'
wave = 4
expect.resources.result = {words = [0x40000000], type = 'u32'}
)";
  const auto written = write(suite);
  EXPECT_EQ(agreeing(written), (std::map<std::string, int>{{"passed", 6}, {"failed", 4}}));
}

TEST_F(TestScripts, ReplaceNoScriptThatIsRead) {
  add("gain.test.toml", "shader = '" + data("suites/gain.comp.spvasm") + R"('
constants.gain = [2, 0.5, 0, 0]
[resources]
source = {values = [1, 2, 3, 0]}
result = {size = 16}
picture = {format = 'R8G8B8A8_UNORM', width = 4, height = 1}
tint = {format = 'R8_UNORM', width = 1, height = 1}
[[case]]
name = 'a'
expect.resources.result = {values = [2, 4, 6]}
)");
  const std::string folder = folder_.generic_string();
  const auto first = run_command({"test", "--amber", folder, folder});
  ASSERT_EQ(first.exit, 0) << first.err;
  const auto script = folder_ / "gain.test.toml.a.amber";
  const std::string text = read_text(script) + "# edited\n";
  add(script.filename().string(), text);
  const auto again = run_command({"test", "--amber", folder, "--junit", (folder_ / "report.xml").generic_string(), folder});
  EXPECT_EQ(again.exit, 2);
  EXPECT_NE(again.err.find("an output would replace an input: "), std::string::npos) << again.err;
  EXPECT_NE(again.out.find("2 passed"), std::string::npos) << again.out;
  EXPECT_EQ(again.out.find("written"), std::string::npos) << again.out;
  EXPECT_EQ(read_text(script), text);
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder_), std::filesystem::directory_iterator()), 2);
}

TEST_F(TestScripts, HaveBoundsThatIntegersCanHold) {
  const auto written = write_suite("bounds.test.toml", "shader = '" + data("suites/gain.comp.spvasm") + R"('
constants.gain = [2, 0.5, 0, 0]
[resources]
source = {values = [1, 2, 3, 0]}
result = {size = 16}
picture = {format = 'R8G8B8A8_UNORM', width = 4, height = 1}
tint = {format = 'R8_UNORM', width = 1, height = 1}
[[case]]
name = 'always'
expect.resources.result = {type = 'u32', values = ['< 5000000000, > -1, < inf, != -1, <= 4294967295, > 1073741823', 'any']}
[[case]]
name = 'always, of a byte'
expect.resources.result = {type = 'i8', values = ['< 200, >= -200, > -1e30', 0, 0, '> 63, <= 127']}
[[case]]
name = 'never'
expect.resources.result = {type = 'u32', values = ['> 5000000000']}
[[case]]
name = 'never, of a byte'
expect.resources.result = {type = 'i8', values = ['== 128']}
[[case]]
name = 'no float'
expect.resources.result = {type = 'f32', values = ['< 1e39']}
)");
  for (const char* const name : {"always", "always, of a byte"}) {
    EXPECT_EQ(written.at(name).reason, "");
    EXPECT_EQ(written.at(name).status, "passed");
    EXPECT_EQ(status_of(written.at(name).file), "passed");
  }
  EXPECT_EQ(written.at("never").status, "failed");
  for (const char* const name : {"never", "never, of a byte", "no float"}) {
    EXPECT_EQ(written.at(name).file, "");
    EXPECT_TRUE(written.at(name).reason.ends_with("is out of the range of the buffer's type")) << written.at(name).reason;
  }
}

TEST_F(TestScripts, HaveLanesOfPixelsAsPoints) {
  std::ofstream(folder_ / "paint.spvasm", std::ios::binary) << R"(OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint Fragment %main "main" %uv %number %color %count
OpExecutionMode %main OriginUpperLeft
OpName %uv "uv"
OpName %number "number"
OpName %color "color"
OpName %count "count"
OpDecorate %uv Location 2
OpDecorate %number Location 0
OpDecorate %number Flat
OpDecorate %color Location 0
OpDecorate %count Location 1
%void = OpTypeVoid
%function = OpTypeFunction %void
%f32 = OpTypeFloat 32
%v2 = OpTypeVector %f32 2
%v4 = OpTypeVector %f32 4
%i32 = OpTypeInt 32 1
%in_v2 = OpTypePointer Input %v2
%in_i32 = OpTypePointer Input %i32
%out_v4 = OpTypePointer Output %v4
%out_i32 = OpTypePointer Output %i32
%half = OpConstant %f32 0.5
%three = OpConstant %i32 3
%uv = OpVariable %in_v2 Input
%number = OpVariable %in_i32 Input
%color = OpVariable %out_v4 Output
%count = OpVariable %out_i32 Output
%main = OpFunction %void None %function
%entry = OpLabel
%a = OpLoad %v2 %uv
%b = OpLoad %i32 %number
%c = OpVectorTimesScalar %v2 %a %half
%d = OpCompositeConstruct %v4 %a %c
OpStore %color %d
%e = OpIMul %i32 %b %three
OpStore %count %e
OpReturn
OpFunctionEnd
)";
  const std::string suite = (folder_ / "paint.test.toml").generic_string();
  std::ofstream(suite, std::ios::binary) << R"(shader = 'paint.spvasm'
lanes = [{uv = [0.1, 7], number = -5}, {uv = [3, 1e-3]}, {number = 4}]
[[case]]
name = 'numbers'
expect.lanes = [{color = [0.1, 7, 0.05, 3.5], count = -15}, {color = {value = [3, 0.0011, 1.5, '< 1'], absolute = 1e-4}}, {o1 = 12, color = 0}]
[[case]]
name = 'all lanes'
expect.lanes = {color = '>= 0'}
[[case]]
name = 'wrong'
expect.lanes = [{count = -14}]
[[case]]
name = 'discarded'
expect.lanes = [{discarded = true}]
[[case]]
name = 'a name with a number'
lanes = [{uv2 = [1, 2], number = 1}]
)";
  const auto written = write(suite);
  ASSERT_EQ(written.size(), 5U);
  EXPECT_EQ(written.at("a name with a number").status, "failed");
  for (const std::string name : {"numbers", "all lanes", "wrong"}) {
    ASSERT_EQ(written.at(name).reason, "") << name;
    EXPECT_EQ(status_of(written.at(name).file), written.at(name).status) << name << read_text(written.at(name).file);
  }
  EXPECT_EQ(written.at("numbers").status, "passed");
  EXPECT_EQ(written.at("wrong").status, "failed");
  EXPECT_EQ(written.at("discarded").reason, "`expect.lanes`: Amber cannot compare `discarded`");
}

TEST_F(TestScripts, HaveAllOutputsOfATarget) {
  add("packed.spvasm", packed_outputs(kPixelStage));
  const auto written = write_suite("packed.test.toml", kPackedSuite);
  EXPECT_EQ(agreeing(written), (std::map<std::string, int>{{"passed", 1}, {"failed", 1}}));
  add("blended.spvasm", blended_outputs());
  const auto blended = write_suite("blended.test.toml", "shader = 'blended.spvasm'\nlanes = [{}]\n[[case]]\nname = 'two'\n");
  EXPECT_EQ(blended.at("two").reason,
            "cannot draw `lanes` as points: the output location: must not be the second source of dual-source blending");
}

TEST_F(TestScripts, AreWrittenInTheWordsOfAmber) {
  const auto written = write((source_dir() / "tests/data/suites/gain.test.toml").generic_string());
  std::ifstream file(written.at("3 more").file, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  EXPECT_TRUE(text.starts_with("#!amber\n# 3 more\n\nSHADER compute shader SPIRV-ASM TARGET_ENV spv1.0\n")) << text;
  const std::size_t end = text.find("\nEND\n\n");
  ASSERT_NE(end, std::string::npos);
  EXPECT_EQ(text.substr(end + 6),
            R"(SAMPLER sampler0 MAG_FILTER nearest MIN_FILTER nearest \
  ADDRESS_MODE_U clamp_to_edge ADDRESS_MODE_V clamp_to_edge ADDRESS_MODE_W clamp_to_edge \
  MIN_LOD 0.0 MAX_LOD 16.0
BUFFER buffer0 DATA_TYPE float SIZE 4 FILL 0
BUFFER buffer1 DATA_TYPE uint32 DATA
  1065353216 1073741824 1077936128 3229614080
END
BUFFER buffer2 DATA_TYPE uint32 DATA
  1073741824 1056964608 0 0 0
END
BUFFER buffer3 DATA_TYPE uint32 DATA
  3
END
IMAGE buffer4 FORMAT R32G32B32A32_SFLOAT DIM_2D WIDTH 2 HEIGHT 1 DATA
  0.0 0.0 0.0 1.0 1.0 0.5 0.0 1.0
END
IMAGE buffer5 FORMAT R8G8B8A8_UNORM DIM_2D WIDTH 4 HEIGHT 1 FILL 0

PIPELINE compute pipeline
  ATTACH shader ENTRY_POINT main
  BIND BUFFER buffer0 AS storage DESCRIPTOR_SET 0 BINDING 2
  BIND BUFFER buffer1 AS storage DESCRIPTOR_SET 0 BINDING 1
  BIND BUFFER buffer2 AS uniform DESCRIPTOR_SET 0 BINDING 0
  BIND BUFFER buffer3 AS push_constant
  BIND BUFFER buffer4 AS combined_image_sampler SAMPLER sampler0 DESCRIPTOR_SET 1 BINDING 0
  BIND BUFFER buffer5 AS storage_image DESCRIPTOR_SET 0 BINDING 3
END

RUN pipeline 1 1 1
EXPECT buffer0 IDX 0 TOLERANCE 4.9999999999999996e-06 EQ 5.0
EXPECT buffer0 IDX 4 GT 3.0
EXPECT buffer0 IDX 8 GE 0.0
EXPECT buffer0 IDX 8 LE 10.0
EXPECT buffer0 IDX 12 LT 0.0
EXPECT buffer0 IDX 12 GE -8.0
EXPECT buffer5 IDX 0 TOLERANCE 1.0 EQ 0
EXPECT buffer5 IDX 1 TOLERANCE 1.0 EQ 0
EXPECT buffer5 IDX 2 TOLERANCE 1.0 EQ 0
EXPECT buffer5 IDX 3 TOLERANCE 1.0 EQ 128
EXPECT buffer5 IDX 4 TOLERANCE 1.0 EQ 0
EXPECT buffer5 IDX 5 TOLERANCE 1.0 EQ 0
EXPECT buffer5 IDX 6 TOLERANCE 1.0 EQ 0
EXPECT buffer5 IDX 7 TOLERANCE 1.0 EQ 128
EXPECT buffer5 IDX 8 TOLERANCE 1.0 EQ 128
EXPECT buffer5 IDX 9 TOLERANCE 1.0 EQ 64
EXPECT buffer5 IDX 10 TOLERANCE 1.0 EQ 0
EXPECT buffer5 IDX 11 TOLERANCE 1.0 EQ 128
EXPECT buffer5 IDX 12 TOLERANCE 1.0 EQ 128
EXPECT buffer5 IDX 13 TOLERANCE 1.0 EQ 64
EXPECT buffer5 IDX 14 TOLERANCE 1.0 EQ 0
EXPECT buffer5 IDX 15 TOLERANCE 1.0 EQ 128
)");
}

TEST_F(TestScripts, AreNotMadeOfWhatAmberCannotSay) {
  const auto of_gain = write((source_dir() / "tests/data/suites/gain.test.toml").generic_string());
  EXPECT_EQ(of_gain.at("few operations").reason, "`expect.operations`: Amber compares only buffers");
  EXPECT_EQ(of_gain.at("any order").reason, "resource result: `unordered`");
  const auto of_lit = write((source_dir() / "tests/data/suites/lit.test.toml").generic_string());
  EXPECT_EQ(of_lit.at("no normal").reason, "Amber runs SPIR-V, not dxbc");
}

}  // namespace
}  // namespace unshade::test

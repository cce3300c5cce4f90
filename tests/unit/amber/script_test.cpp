// Scripts of Amber: what is refused, and how types lie in memory.
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <unshade/amber/script.hpp>

#include "support/two_outputs.hpp"

namespace unshade::amber {
namespace {

std::string fault_of(std::string_view text) {
  const auto script = read_script(text);
  return script ? std::string() : script.error().path + ' ' + script.error().message;
}

TEST(AmberScript, FaultsHaveTheirPlace) {
  EXPECT_EQ(fault_of("BUFFER"), "1:1 a script must begin with `#!amber`");
  EXPECT_EQ(fault_of("#!amber\n\n  BUFER a"), "3:3 `BUFER` is not a command");
  EXPECT_EQ(fault_of("#!amber\nSHADER pixel a SPIRV-ASM\nEND\n"), "2:8 `pixel` is not a type of shader");
  EXPECT_EQ(fault_of("#!amber\nSHADER vertex a SPIRV-ASM\nOpNop\n"), "2:17 the shader's text has no END");
  EXPECT_EQ(fault_of("#!amber\nBUFFER a DATA_TYPE float DATA\n1 2\nx END"), "4:1 expected a number or END, found `x`");
  EXPECT_EQ(fault_of("#!amber\nRUN p 1 1 1"), "2:5 there is no pipeline `p`");
  EXPECT_EQ(fault_of("#!amber\nREPEAT 2\nBUFFER a DATA_TYPE float SIZE 1 FILL 0\nEND"), "3:1 `BUFFER` cannot be repeated");
  EXPECT_EQ(fault_of("#!amber\nBUFFER a DATA_TYPE float SIZE 1 FILL 0 0"), "2:40 expected the end of the line, found `0`");
  EXPECT_EQ(fault_of("#!amber\nBUFFER a DATA_TYPE int8 DATA 0 END\nEXPECT a IDX \\\n 0 EQUALS 0"),
            "4:4 expected a comparison (EQ, NE, LT, LE, GT, GE), found `EQUALS`");
}

TEST(AmberScript, TypesLieAsTheLayoutSays) {
  const auto script = read_script(
      "#!amber\nSTRUCT pair\n  float a\n  vec3<float> b\nEND\nSTRUCT all\n  pair[2] pairs\n  mat3x2<float> m\n  int8 last OFFSET 100\nEND\n"
      "BUFFER packed DATA_TYPE vec3<int16> DATA 1 2 3 END\nBUFFER wide DATA_TYPE int32[] STD140 DATA 1 END\n"
      "BUFFER structured DATA_TYPE all STD430 DATA 1 END\nBUFFER uniform DATA_TYPE all STD140 DATA 1 END\n"
      "BUFFER texels FORMAT A2B10G10R10_UNORM_PACK32\n");
  ASSERT_TRUE(script) << to_string(script.error());
  const auto offsets = [&](std::size_t buffer) {
    std::string made = std::to_string(script->buffers[buffer].type.stride) + ':';
    for (const DataScalar& one : script->buffers[buffer].type.scalars) made += ' ' + std::to_string(one.offset);
    return made;
  };
  EXPECT_EQ(offsets(0), "8: 0 2 4");
  EXPECT_EQ(offsets(1), "16: 0");
  EXPECT_EQ(offsets(2), "112: 0 16 20 24 32 48 52 56 64 68 72 76 80 84 100");
  EXPECT_EQ(offsets(3), "112: 0 16 20 24 32 48 52 56 64 68 80 84 96 100 100");
  EXPECT_EQ(offsets(4), "4: 0");
  constexpr std::array<std::uint8_t, 4> kBits{10, 10, 10, 2};
  for (unsigned k = 0; k < 4; ++k) EXPECT_EQ(script->buffers[4].type.format.components[k].bits, kBits[k]);
}

// src: Vulkan 1.3, VkFormat: those that are neither compressed nor of several planes
TEST(AmberScript, KnowsTheFormatsOfVulkan) {
  const std::string kWhole[] = {"UNORM", "SNORM", "USCALED", "SSCALED", "UINT", "SINT"};
  std::vector<std::string> names = {"R4G4_UNORM_PACK8",
                                    "R4G4B4A4_UNORM_PACK16",
                                    "B4G4R4A4_UNORM_PACK16",
                                    "R5G6B5_UNORM_PACK16",
                                    "B5G6R5_UNORM_PACK16",
                                    "R5G5B5A1_UNORM_PACK16",
                                    "B5G5R5A1_UNORM_PACK16",
                                    "A1R5G5B5_UNORM_PACK16",
                                    "B10G11R11_UFLOAT_PACK32",
                                    "E5B9G9R9_UFLOAT_PACK32",
                                    "A8B8G8R8_SRGB_PACK32",
                                    "R8_SRGB",
                                    "R8G8_SRGB",
                                    "R8G8B8_SRGB",
                                    "B8G8R8_SRGB",
                                    "R8G8B8A8_SRGB",
                                    "B8G8R8A8_SRGB",
                                    "X8_D24_UNORM_PACK32",
                                    "D16_UNORM",
                                    "D32_SFLOAT",
                                    "S8_UINT",
                                    "D16_UNORM_S8_UINT",
                                    "D24_UNORM_S8_UINT",
                                    "D32_SFLOAT_S8_UINT"};
  for (const std::string& encoding : kWhole) {
    for (const char* const components :
         {"R8", "R8G8", "R8G8B8", "B8G8R8", "R8G8B8A8", "B8G8R8A8", "R16", "R16G16", "R16G16B16", "R16G16B16A16"})
      names.push_back(std::string(components) + '_' + encoding);
    for (const char* const components : {"A8B8G8R8", "A2R10G10B10", "A2B10G10R10"})
      names.push_back(std::string(components) + '_' + encoding + "_PACK32");
  }
  for (const char* const components : {"R16", "R16G16", "R16G16B16", "R16G16B16A16"}) names.push_back(std::string(components) + "_SFLOAT");
  for (const std::string bits : {"32", "64"}) {
    std::string components;
    for (const char component : {'R', 'G', 'B', 'A'}) {
      components += component + bits;
      for (const char* const encoding : {"_UINT", "_SINT", "_SFLOAT"}) names.push_back(components + encoding);
    }
  }
  EXPECT_EQ(names.size(), 130U);
  for (const std::string& name : names) {
    const auto script = read_script("#!amber\nBUFFER a FORMAT " + name + '\n');
    ASSERT_TRUE(script) << name << to_string(script.error());
    unsigned bits = 0;
    for (std::size_t at = 0, end = name.find('_'); at < end; ++at)
      if (name[at] >= '0' && name[at] <= '9' && (name[at - 1] < '0' || name[at - 1] > '9'))
        bits += static_cast<unsigned>(std::stoi(name.substr(at)));
    if (!script->buffers[0].depth_stencil) {
      EXPECT_EQ(script->buffers[0].type.stride * 8, bits) << name;
    }
  }
  EXPECT_EQ(fault_of("#!amber\nBUFFER a FORMAT R64G64_UNORM\n"), "2:17 the format `R64G64_UNORM` is not known");
  EXPECT_EQ(fault_of("#!amber\nBUFFER a FORMAT R8_UFLOAT\n"), "2:17 the format `R8_UFLOAT` is not known");
}

TEST(AmberScript, FormatsOf64BitsAreTypesOfData) {
  const auto script = read_script(
      "#!amber\nBUFFER a DATA_TYPE R64G64B64_SFLOAT DATA 1 2 3 4 5 1e300 END\nBUFFER b DATA_TYPE R64_SINT DATA -1 9007199254740993 END\n"
      "EXPECT a IDX 24 EQ 4 5 1e300\nEXPECT b IDX 0 EQ -1 9007199254740993\nEXPECT b IDX 8 EQ 9007199254740992\n");
  ASSERT_TRUE(script) << to_string(script.error());
  EXPECT_EQ(script->buffers[0].type.stride, 24U);
  const suite::Outcome outcome = run_script(*script, "wide");
  EXPECT_EQ(outcome.expectations, 3U);
  ASSERT_EQ(outcome.failures.size(), 1U);
  EXPECT_EQ(outcome.failures[0].actual, "9007199254740993");
  const auto target = read_script(
      "#!amber\nSHADER vertex v PASSTHROUGH\nBUFFER a FORMAT R64_UINT\nPIPELINE graphics p\nATTACH v\nBIND BUFFER a AS color LOCATION 0\n"
      "END\nRUN p DRAW_RECT POS 0 0 SIZE 1 1\n");
  ASSERT_TRUE(target) << to_string(target.error());
  EXPECT_EQ(run_script(*target, "target").reason, "needs texels of R64_UINT");
}

/// A fragment shader `f` that gives white.
constexpr const char* kWhite = R"(SHADER fragment f SPIRV-ASM TARGET_ENV spv1.0
OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint Fragment %main "main" %color
OpExecutionMode %main OriginUpperLeft
OpDecorate %color Location 0
%void = OpTypeVoid
%function = OpTypeFunction %void
%f32 = OpTypeFloat 32
%v4 = OpTypeVector %f32 4
%out_v4 = OpTypePointer Output %v4
%one = OpConstant %f32 1
%white = OpConstantComposite %v4 %one %one %one %one
%color = OpVariable %out_v4 Output
%main = OpFunction %void None %function
%entry = OpLabel
OpStore %color %white
OpReturn
OpFunctionEnd
END
)";

// Places of -1 and 3 cover all pixels as whole numbers, and as fractions of 127 one at most.
TEST(AmberScript, ScaledNumbersAreFloatsToShaders) {
  for (const char* const format : {"R8G8_SSCALED", "R16G16_SSCALED"}) {
    const auto script = read_script("#!amber\nSHADER vertex v PASSTHROUGH\n" + std::string(kWhite) + "BUFFER places DATA_TYPE " + format +
                                    " DATA -1 -1 3 -1 -1 3 END\nBUFFER picture FORMAT R8G8B8A8_UNORM\nPIPELINE graphics p\n"
                                    "ATTACH v\nATTACH f\nVERTEX_DATA places LOCATION 0\nBIND BUFFER picture AS color LOCATION 0\n"
                                    "FRAMEBUFFER_SIZE 8 8\nEND\nCLEAR p\nRUN p DRAW_ARRAY AS TRIANGLE_LIST\n"
                                    "EXPECT places IDX 0 EQ -1 -1 3 -1 -1 3\nEXPECT picture IDX 0 0 SIZE 8 8 EQ_RGBA 255 255 255 255\n");
    ASSERT_TRUE(script) << to_string(script.error());
    const suite::Outcome outcome = run_script(*script, "scaled");
    EXPECT_EQ(outcome.expectations, 2U) << format;
    EXPECT_EQ(outcome.failed, 0U) << format;
  }
}

// Of two outputs in a location, 1 and 2, the one with Index 0 is the color.
TEST(AmberScript, BlendsTwoSources) {
  const auto draws = [](bool is_second_first, std::string_view states, std::string_view expected) {
    const auto script = read_script(
        "#!amber\nSHADER vertex v PASSTHROUGH\nSHADER fragment f SPIRV-ASM TARGET_ENV spv1.0\n" + test::blended_outputs(is_second_first) +
        "END\nBUFFER places DATA_TYPE vec2<float> DATA -1 -1 3 -1 -1 3 END\n"
        "BUFFER picture FORMAT R32G32_SFLOAT\nPIPELINE graphics p\nATTACH v\nATTACH f\n"
        "VERTEX_DATA places LOCATION 0\nBIND BUFFER picture AS color LOCATION 0\nFRAMEBUFFER_SIZE 2 2\n" +
        std::string(states) + "END\nCLEAR p\nRUN p DRAW_ARRAY AS TRIANGLE_LIST\nEXPECT picture IDX 0 EQ " + std::string(expected) + '\n');
    if (!script) return to_string(script.error());
    const suite::Outcome outcome = run_script(*script, "sources");
    EXPECT_EQ(outcome.expectations, 1U);
    return outcome.failures.empty() ? "passed" : outcome.failures[0].actual;
  };
  constexpr std::string_view kBlend = "BLEND\nSRC_COLOR_FACTOR one_minus_src1_color\nDST_COLOR_FACTOR zero\nEND\n";
  EXPECT_EQ(draws(false, "", "1 1"), "passed");
  EXPECT_EQ(draws(true, "", "2 2"), "passed");
  EXPECT_EQ(draws(false, kBlend, "-1 -1"), "passed");
  EXPECT_EQ(draws(true, kBlend, "0 0"), "passed");
}

TEST(AmberScript, NamesWhatItNeeds) {
  for (const char* const kind : {"raytracing", "ray_tracing"}) {
    const auto script = read_script("#!amber\nPIPELINE " + std::string(kind) + " p\nEND\n");
    ASSERT_TRUE(script);
    const suite::Outcome outcome = run_script(*script, "rays");
    EXPECT_EQ(outcome.status, suite::Status::skipped);
    EXPECT_EQ(outcome.reason, "needs ray tracing");
  }
  const auto advanced = read_script("#!amber\nPIPELINE graphics p\nBLEND\nCOLOR_OP xor\nEND\nEND\nRUN p DRAW_RECT POS 0 0 SIZE 1 1\n");
  ASSERT_TRUE(advanced);
  EXPECT_EQ(run_script(*advanced, "advanced").reason, "needs the blend operation xor");
}

constexpr std::string_view kDepthPipeline = "#!amber\nBUFFER d FORMAT D32_SFLOAT\nBUFFER c FORMAT R8_UNORM\nPIPELINE graphics p\n";

std::string fault_of_states(std::string_view lines) { return fault_of(std::string(kDepthPipeline) + std::string(lines)); }

TEST(AmberScript, StatesAreReadToTheirEnd) {
  EXPECT_EQ(fault_of_states("DEPTH\nTEST on\n"), "6:8 DEPTH has no END");
  EXPECT_EQ(fault_of_states("DEPTH\nTEST yes\n"), "6:6 expected on or off (on, off), found `yes`");
  EXPECT_EQ(fault_of_states("DEPTH\nBOUNDS min 0 most 1\n"), "6:14 expected max");
  EXPECT_EQ(fault_of_states("STENCIL both\n"), "5:9 expected a face (front, back, front_and_back), found `both`");
  EXPECT_EQ(fault_of_states("STENCIL back\nREFERENCE 256\nEND\nEND\n"), "6:11 expected a number from 0 to 255, found `256`");
  EXPECT_EQ(fault_of_states("STENCIL back\nPASS_OP flip\n").substr(0, 38), "6:9 expected a stencil operation (keep");
  EXPECT_EQ(fault_of_states("BLEND\nCOLOR_OP plus_one\n"),
            "6:10 expected a blend operation (add, substract, reverse_substract, min, max), found `plus_one`");
  EXPECT_EQ(fault_of_states("BIND BUFFER c AS depth_stencil\nEND\n"), "5:1 the format of the buffer c is not one of depth or stencil");
  EXPECT_EQ(fault_of_states("END\nCLEAR_DEPTH p 1.5\n"), "6:15 expected a depth from 0 to 1, found `1.5`");
  EXPECT_EQ(fault_of_states("END\nCLEAR_STENCIL p 256\n"), "6:17 expected a number from 0 to 255, found `256`");
  EXPECT_EQ(fault_of_states("END\nCLEAR_COLOR p 0 255 256 0\n"), "6:21 expected a color component from 0 to 255, found `256`");
  EXPECT_EQ(fault_of_states("VIEWPORT 0 0 SIZE 2 2 MIN_DEPTH 0 MAX_DEPTH 3\n"), "5:45 expected a depth from 0 to 1, found `3`");
}

TEST(AmberScript, StatesKeepWhatTheyHave) {
  const auto script = read_script(std::string(kDepthPipeline) +
                                  "BIND BUFFER d AS depth_stencil\nDEPTH\n\n TEST on\n COMPARE_OP greater_or_equal\nEND\n"
                                  "STENCIL front\n TEST on\n FAIL_OP decrement_and_wrap\n WRITE_MASK 7\nEND\n"
                                  "BLEND\n DST_ALPHA_FACTOR one_minus_constant_alpha\n COLOR_OP reverse_substract\nEND\n"
                                  "VIEWPORT 0 0 SIZE 2 2 MAX_DEPTH 0.5\nEND\n");
  ASSERT_TRUE(script) << to_string(script.error());
  const ScriptPipeline& made = script->pipelines[0];
  EXPECT_TRUE(made.depth_stencil.depth && !made.depth_stencil.depth_write && made.depth_stencil.stencil);
  EXPECT_EQ(made.depth_stencil.comparison, texel::Comparison::greater_equal);
  EXPECT_EQ(made.depth_stencil.front.fail, draw::StencilOp::decrement);
  EXPECT_EQ(made.depth_stencil.back.fail, draw::StencilOp::keep);
  EXPECT_EQ(made.stencil_front.write_mask, 7);
  EXPECT_EQ(made.stencil_back.write_mask, 0xff);
  EXPECT_TRUE(made.blend.blend);
  EXPECT_EQ(made.blend.dest_alpha, draw::BlendFactor::inv_alpha_factor);
  EXPECT_EQ(made.blend.op, draw::BlendOp::rev_subtract);
  EXPECT_EQ(made.depth_range[1], 0.5F);
}

TEST(AmberScript, DepthFormatsHaveTheirTexels) {
  const auto script = read_script(
      "#!amber\nBUFFER a FORMAT D16_UNORM\nBUFFER b FORMAT X8_D24_UNORM_PACK32\nBUFFER c FORMAT D16_UNORM_S8_UINT\n"
      "BUFFER d FORMAT D32_SFLOAT_S8_UINT\nBUFFER e FORMAT S8_UINT\n");
  ASSERT_TRUE(script) << to_string(script.error());
  const auto texel = [&](std::size_t at) {
    const ScriptBuffer& one = script->buffers[at];
    const auto stencil = one.depth_stencil->stencil_byte;
    return std::to_string(one.type.stride) + ' ' + std::to_string(one.depth_stencil->texture.format.components[0].bits) + ' ' +
           (stencil ? std::to_string(*stencil) : "none");
  };
  EXPECT_EQ(texel(0), "2 16 none");
  EXPECT_EQ(texel(1), "4 24 none");
  EXPECT_EQ(texel(2), "4 16 2");
  EXPECT_EQ(texel(3), "8 32 4");
  EXPECT_EQ(texel(4), "1 0 0");
}

TEST(AmberScript, ImagesAndFilesAreRead) {
  constexpr std::string_view kStart = "#!amber\nBUFFER a FORMAT R8_UNORM MIP_LEVELS 2\nPIPELINE graphics p\n";
  const auto fault = [&](std::string_view lines) { return fault_of(std::string(kStart) + std::string(lines)); };
  EXPECT_EQ(fault("BIND BUFFER a AS color LOCATION 0 BASE_MIP_LEVEL 2\nEND\n"), "4:50 expected a level of the image, which has 2");
  EXPECT_EQ(fault("END\nBUFFER b DATA_TYPE mat2x2<double> FILE PNG x.png\n"), "5:35 a picture must have a FORMAT of colors");
  EXPECT_EQ(fault("END\nSHADER compute s SPIRV-BIN\nEND\n"), "5:27 expected FILE and a path: SPIRV-BIN is not text");
  const auto script = read_script(
      "#!amber\nSHADER compute s SPIRV-BIN FILE no.spv\nBUFFER b FORMAT R8_UNORM FILE PNG no.png\nPIPELINE compute p\nATTACH s\nEND\n"
      "RUN p 1 1 1\n");
  ASSERT_TRUE(script) << to_string(script.error());
  EXPECT_EQ(script->shaders[0].path, "no.spv");
  EXPECT_EQ(run_script(*script, "files").reason, "the file `no.png` of buffer b cannot be read");
  const auto far = read_script(
      "#!amber\nBUFFER a FORMAT R8_UNORM MIP_LEVELS 40\nPIPELINE graphics p\nFRAMEBUFFER_SIZE 65536 1\n"
      "BIND BUFFER a AS color LOCATION 0 BASE_MIP_LEVEL 39\nEND\n");
  ASSERT_TRUE(far) << to_string(far.error());
  EXPECT_EQ(run_script(*far, "far").failures.at(0).what, "the script's buffers are larger than 1 GiB");
}

/// What a draw of a triangle list gives: the lines of the failures, or `passed`.
std::string drawn(std::string_view draw, std::string_view shaders, std::string_view target, std::string_view expectation) {
  std::string text = "#!amber\nSHADER vertex v PASSTHROUGH\n" + std::string(kWhite);
  text += "BUFFER places DATA_TYPE vec2<float> DATA 9 9 9 9 9 9 -1 -1 3 -1 -1 3 END\nBUFFER order DATA_TYPE uint16 DATA 0 1 2 0 0 0 END\n";
  text += "BUFFER picture FORMAT " + std::string(target) + "\nPIPELINE graphics p\nATTACH v\n" + std::string(shaders);
  text += "VERTEX_DATA places LOCATION 0\nINDEX_DATA order\nFRAMEBUFFER_SIZE 8 8\nEND\nCLEAR p\nRUN p DRAW_ARRAY ";
  text += std::string(draw) + "\nEXPECT picture IDX " + std::string(expectation) + '\n';
  const auto script = read_script(text);
  if (!script) return script.error().path + ' ' + script.error().message;
  const suite::Outcome outcome = run_script(*script, "drawn");
  std::string made;
  for (const suite::Failure& one : outcome.failures) made += one.what + '\n';
  return made.empty() ? std::string(id(outcome.status)) : made;
}

// src: google/amber: parser.cc, ParseRun, and graphics_pipeline.cc, where START_IDX is the vertex offset of an indexed draw
TEST(AmberScript, IndexedDrawsBeginAtTheFirstIndex) {
  constexpr const char* kColor = "ATTACH f\nBIND BUFFER picture AS color LOCATION 0\n";
  const auto white = [&](std::string_view draw) { return drawn(draw, kColor, "R8G8B8A8_UNORM", "0 0 SIZE 8 8 EQ_RGBA 255 255 255 255"); };
  EXPECT_EQ(white("INDEXED AS TRIANGLE_LIST START_IDX 3 COUNT 3"), "passed");
  EXPECT_EQ(white("INDEXED AS TRIANGLE_LIST START_IDX 3"), "passed");
  EXPECT_EQ(white("AS TRIANGLE_LIST START_IDX 3 COUNT 3"), "passed");
  EXPECT_TRUE(white("INDEXED AS TRIANGLE_LIST START_IDX 0 COUNT 3").starts_with("buffer picture, pixel 0 0"));
  EXPECT_EQ(white("INDEXED AS TRIANGLE_LIST START_IDX 3 COUNT 4"), "START_IDX and COUNT end at 7, and there are 6 indices\n");
  EXPECT_EQ(white("AS TRIANGLE_LIST START_IDX 5 COUNT 3"), "START_IDX and COUNT end at 8, and there are 6 vertices\n");
  EXPECT_EQ(white("AS TRIANGLE_LIST START_IDX 7"), "START_IDX and COUNT end at 7, and there are 6 vertices\n");
  EXPECT_TRUE(white("AS TRIANGLE_LIST COUNT 0").ends_with("expected the number of vertices, at least 1, found `0`"));
}

TEST(AmberScript, PipelinesWithoutAFragmentShaderWriteDepth) {
  constexpr const char* kDepth = "BIND BUFFER picture AS depth_stencil\nDEPTH\nTEST on\nWRITE on\nCOMPARE_OP less\nEND\n";
  EXPECT_EQ(drawn("AS TRIANGLE_LIST START_IDX 3 COUNT 3", kDepth, "D32_SFLOAT", "0 EQ 0"), "passed");
  EXPECT_EQ(drawn("AS TRIANGLE_LIST START_IDX 0 COUNT 3", kDepth, "D32_SFLOAT", "0 EQ 1"), "passed");
}

TEST(AmberScript, WholeNumbersMustFit) {
  const auto of_data = [](std::string_view type, std::string_view value) {
    return fault_of("#!amber\nBUFFER a DATA_TYPE " + std::string(type) + " DATA 0 " + std::string(value) + " END\n");
  };
  EXPECT_EQ(of_data("uint8", "300"), "2:33 expected a whole number of 8 bits, found `300`");
  EXPECT_EQ(of_data("uint8", "3.7"), "2:33 expected a whole number of 8 bits, found `3.7`");
  EXPECT_EQ(of_data("uint8", "-129"), "2:33 expected a whole number of 8 bits, found `-129`");
  EXPECT_EQ(of_data("int32", "nan"), "2:33 expected a whole number of 32 bits, found `nan`");
  EXPECT_EQ(of_data("int32", "4294967296"), "2:33 expected a whole number of 32 bits, found `4294967296`");
  for (const char* const value : {"255", "-1", "-128", "3.0", "0xff"}) EXPECT_EQ(of_data("uint8", value), "") << value;
  for (const char* const value : {"4294967295", "-2147483648", "1e9"}) EXPECT_EQ(of_data("int32", value), "") << value;
  EXPECT_EQ(of_data("float", "1.5"), "");
  const auto of_expectation = [](std::string_view what) {
    return fault_of("#!amber\nSTRUCT s\n  float x\n  uint8 y\nEND\nBUFFER a DATA_TYPE s DATA 0.5 1 0 44 END\nEXPECT a IDX " +
                    std::string(what) + '\n');
  };
  EXPECT_EQ(of_expectation("0 EQ 0.5 300"), "7:23 expected a whole number of 8 bits, found `300`");
  EXPECT_EQ(of_expectation("12 LT 256"), "7:20 expected a whole number of 8 bits, found `256`");
  EXPECT_EQ(of_expectation("0 EQ 0.5 1 0.5 44"), "");
  EXPECT_EQ(fault_of("#!amber\nBUFFER a DATA_TYPE uint8 SIZE 3 FILL 256"), "2:38 expected a whole number of 8 bits, found `256`");
  EXPECT_EQ(fault_of("#!amber\nBUFFER a FORMAT R8_UNORM\nEXPECT a IDX 0 0 SIZE 0 1 EQ_RGB 0 0 0"),
            "3:23 expected the width, at least 1, found `0`");
}

TEST(AmberScript, DistancesOfWideWholeNumbersAreExact) {
  const auto judged = [](std::string_view expectation) {
    const auto script =
        read_script("#!amber\nBUFFER a DATA_TYPE uint64 DATA 9007199254740993 END\nEXPECT a IDX 0 " + std::string(expectation) + '\n');
    return script ? std::string(id(run_script(*script, "wide").status)) : script.error().message;
  };
  EXPECT_EQ(judged("EQ 9007199254740993"), "passed");
  EXPECT_EQ(judged("TOLERANCE 0.1 EQ 9007199254740992"), "failed");
  EXPECT_EQ(judged("TOLERANCE 1 EQ 9007199254740992"), "passed");
  EXPECT_EQ(judged("TOLERANCE 1 EQ 9007199254740994"), "passed");
  EXPECT_EQ(judged("TOLERANCE 1 EQ 9007199254740995"), "failed");
}

/// What an expectation says of data: `passed`, `failed`, or why the script is refused.
std::string judged(std::string_view data, std::string_view expectation) {
  const auto script =
      read_script("#!amber\nBUFFER a DATA_TYPE " + std::string(data) + " END\nEXPECT a IDX 0 " + std::string(expectation) + '\n');
  return script ? std::string(id(run_script(*script, "judged").status)) : script.error().path + ' ' + script.error().message;
}

TEST(AmberScript, OnlyInfinityIsInfinite) {
  for (const char* const wrong :
       {"EQ inf", "EQ -inf", "TOLERANCE 1% EQ inf", "TOLERANCE 5 EQ inf", "LE -inf", "GE inf", "LT -inf", "GT inf", "EQ nan"})
    EXPECT_EQ(judged("float DATA 0.1", wrong), "failed") << wrong;
  for (const char* const right : {"NE inf", "NE -inf", "LE inf", "GE -inf", "LT inf", "TOLERANCE 1% EQ 0.1001"})
    EXPECT_EQ(judged("float DATA 0.1", right), "passed") << right;
  for (const char* const right : {"EQ inf", "TOLERANCE 1% EQ inf", "GE inf", "LE inf", "NE -inf", "GT 1"})
    EXPECT_EQ(judged("float DATA inf", right), "passed") << right;
  EXPECT_EQ(judged("float16 DATA 65504", "EQ inf"), "failed");
  EXPECT_EQ(judged("float DATA 0", "GE 1e-50"), "failed");
}

TEST(AmberScript, RealNumbersMustFit) {
  EXPECT_EQ(judged("float16 DATA 70000", "EQ 1"), "2:33 expected a number that fits into a float of 16 bits, found `70000`");
  EXPECT_EQ(judged("float16 DATA 65504", "EQ 70000"), "3:19 expected a number that fits into a float of 16 bits, found `70000`");
  EXPECT_EQ(judged("float DATA 1", "EQ 1e39"), "3:19 expected a number that fits into a float of 32 bits, found `1e39`");
  EXPECT_EQ(judged("double DATA 1e39", "EQ 1e39"), "passed");
  EXPECT_EQ(judged("double DATA 1e-400", "EQ 0"), "passed");
  EXPECT_EQ(judged("float DATA 0", "EQ -1e-400"), "passed");
  EXPECT_EQ(judged("double DATA 1e400", "EQ 1"), "2:32 expected a number or END, found `1e400`");
  EXPECT_EQ(judged("double DATA 1", "GT -1e400"), "3:19 expected a number, found `-1e400`");
}

TEST(AmberScript, OrderIsThatOfTheNumbers) {
  EXPECT_EQ(judged("uint32 DATA 7", "LT -1"), "failed");
  EXPECT_EQ(judged("uint32 DATA 7", "GT -1"), "passed");
  EXPECT_EQ(judged("uint32 DATA 4294967295", "LE -1"), "failed");
  EXPECT_EQ(judged("uint32 DATA 4294967295", "EQ -1"), "passed");
  EXPECT_EQ(judged("int32 DATA -1", "GT 4294967294"), "failed");
  EXPECT_EQ(judged("int32 DATA -1", "LT 4294967294"), "passed");
  EXPECT_EQ(judged("int32 DATA -1", "GE -1.0"), "passed");
  EXPECT_EQ(judged("int64 DATA -2", "LT -1"), "passed");
  EXPECT_EQ(judged("int8 DATA -128", "LE -128"), "passed");
}

TEST(AmberScript, TolerancesAreFinite) {
  EXPECT_EQ(judged("float DATA 1", "TOLERANCE inf EQ 2"), "3:26 expected a finite tolerance of 0 or more, found `inf`");
  EXPECT_EQ(judged("float DATA 1", "TOLERANCE nan EQ 2"), "3:26 expected a finite tolerance of 0 or more, found `nan`");
  EXPECT_EQ(judged("float DATA 1", "TOLERANCE -1% EQ 2"), "3:26 expected a finite tolerance of 0 or more, found `-1%`");
}

TEST(AmberScript, OnlyMissingFilesAreSkipped) {
  const auto outcome = [](std::string_view body, std::string_view attached) {
    const auto script = read_script("#!amber\nSHADER compute c SPIRV-ASM\n" + std::string(body) + "END\nPIPELINE compute p\nATTACH " +
                                    std::string(attached) + "\nEND\nRUN p 1 1 1\n");
    if (!script) return script.error().message;
    const suite::Outcome made = run_script(*script, "missing");
    return std::string(id(made.status)) + ": " + (made.failures.empty() ? made.reason : made.failures[0].what);
  };
  constexpr std::string_view kEmpty =
      "OpCapability Shader\nOpMemoryModel Logical GLSL450\nOpEntryPoint GLCompute %main \"main\"\nOpExecutionMode %main LocalSize 1 1 1\n"
      "%void = OpTypeVoid\n%f = OpTypeFunction %void\n%main = OpFunction %void None %f\n%l = OpLabel\nOpReturn\nOpFunctionEnd\n";
  EXPECT_EQ(outcome(kEmpty, "c"), "passed: ");
  EXPECT_EQ(outcome(kEmpty, "c ENTRY_POINT nope"), "failed: entry_points: the module has no entry point `nope`");
  EXPECT_EQ(outcome("OpCapability\n", "c"),
            "failed: line 4, column 1: OpCapability: expected capability (Capability), found the end of the text");
}

constexpr std::string_view kSources =
    "#!amber\nVIRTUAL_FILE sizes.h\n#define kSize 4\nEND\nSHADER compute s HLSL TARGET_ENV spv1.3\nfirst\n  second\nEND\nPIPELINE compute "
    "p\n"
    "ATTACH s ENTRY_POINT other\nEND\nRUN p 1 1 1\n";

TEST(AmberScript, SourcesAreCompiledByTheCaller) {
  const auto script = read_script(kSources);
  ASSERT_TRUE(script) << to_string(script.error());
  EXPECT_EQ(run_script(*script, "none").reason, "needs a compiler of HLSL");
  suite::TestOptions options;
  std::string seen;
  options.self = &seen;
  options.compile = [](void* self, const suite::ShaderSource& source) -> Result<std::vector<std::byte>> {
    *static_cast<std::string*>(self) = std::string(source.language) + ' ' + std::string(id(source.stage)) + ' ' +
                                       std::string(source.entry) + ' ' + std::to_string(source.version >> 8 & 0xff) + ' ' +
                                       source.includes[0].name + ": " + source.includes[0].text + std::string(source.text);
    return Error{ErrorCode::bad_value, 0, "2:3", "what is `second`?"};
  };
  const suite::Outcome wrong = run_script(*script, "wrong", options);
  EXPECT_EQ(seen, "HLSL compute other 3 sizes.h: #define kSize 4\nfirst\n  second\n");
  EXPECT_EQ(wrong.status, suite::Status::failed);
  EXPECT_EQ(wrong.failures.at(0).what, "line 7, column 3: what is `second`?");
  options.compile = [](void*, const suite::ShaderSource&) -> Result<std::vector<std::byte>> {
    return Error{ErrorCode::missing, 0, {}, "needs a compiler of HLSL: it is not installed"};
  };
  EXPECT_EQ(run_script(*script, "absent", options).reason, "needs a compiler of HLSL: it is not installed");
}

TEST(AmberScript, VirtualFilesHaveNamesOfTheirOwn) {
  EXPECT_EQ(fault_of("#!amber\nVIRTUAL_FILE a\nEND\nVIRTUAL_FILE a\nEND\n"), "4:14 there is a VIRTUAL_FILE `a` already");
}

TEST(AmberScript, OneSamplerServesAnArrayOfImages) {
  const auto script = read_script(
      "#!amber\nBUFFER a FORMAT R8_UNORM\nSAMPLER s\nSAMPLER t\nPIPELINE graphics p\n"
      "BIND BUFFER_ARRAY a a a AS combined_image_sampler SAMPLER s DESCRIPTOR_SET 0 BINDING 1\n"
      "BIND BUFFER_ARRAY a a AS combined_image_sampler SAMPLER s t DESCRIPTOR_SET 0 BINDING 2\nEND\n");
  ASSERT_TRUE(script) << to_string(script.error());
  EXPECT_EQ(script->pipelines[0].bindings[0].samplers, (std::vector<std::uint32_t>{0, 0, 0}));
  EXPECT_EQ(script->pipelines[0].bindings[1].samplers, (std::vector<std::uint32_t>{0, 1}));
}

TEST(AmberScript, PassesThatChangeTheMeaningAreNamed) {
  const auto script = read_script(
      "#!amber\nSHADER compute s SPIRV-HEX\n00\nEND\nPIPELINE compute p\nATTACH s\nSHADER_OPTIMIZATION "
      "s\n--eliminate-dead-code-aggressive\n"
      "--graphics-robust-access\nEND\nEND\nRUN p 1 1 1\n");
  ASSERT_TRUE(script) << to_string(script.error());
  EXPECT_EQ(run_script(*script, "robust").reason, "needs the pass graphics-robust-access of spirv-opt");
}

TEST(AmberScript, LargeDepthBuffersAreRefused) {
  const auto script = read_script("#!amber\nPIPELINE graphics p\nFRAMEBUFFER_SIZE 4000000000 4000000000\nDEPTH\nTEST on\nEND\nEND\n");
  ASSERT_TRUE(script);
  const suite::Outcome outcome = run_script(*script, "large");
  ASSERT_EQ(outcome.failures.size(), 1U);
  EXPECT_EQ(outcome.failures[0].what, "the script's buffers are larger than 1 GiB");
}

TEST(AmberScript, LargeBuffersAreRefused) {
  const auto script = read_script("#!amber\nBUFFER a DATA_TYPE vec4<double> SIZE 4000000000 FILL 0\n");
  ASSERT_TRUE(script);
  const suite::Outcome outcome = run_script(*script, "large");
  EXPECT_EQ(outcome.status, suite::Status::failed);
  ASSERT_EQ(outcome.failures.size(), 1U);
  EXPECT_EQ(outcome.failures[0].what, "the buffer a is larger than 1 GiB");
}

}  // namespace
}  // namespace unshade::amber

// Whole draws.
#include <cstring>
#include <limits>
#include <random>

#include <unshade/texel/samples.hpp>

#include "draw_support.hpp"

namespace unshade::draw {
namespace {

using test::constant_shader;
using test::full_screen;
using test::Scene;
using test::Texture;
using test::Vertex;

/// Gives an input as it comes, by an interpolation mode.
std::string color_shader(std::string_view mode) {
  return R"(stage pixel
input "SV_Position" system_value position type f32 interpolation linear_noperspective register 0
input "COLOR" type f32 interpolation )" +
         std::string(mode) + R"( register 1
output "SV_Target" system_value target type f32 register 0

function @main {
^0:
  %0 = input f32 in1.x
  %1 = input f32 in1.y
  %2 = input f32 in0.z
  %3 = input f32 in0.w
  output f32 out0.x %0
  output f32 out0.y %1
  output f32 out0.z %2
  output f32 out0.w %3
  return
}
)";
}

TEST(Draw, FillsATriangle) {
  Scene scene(constant_shader("1.0"));
  Texture target("R32G32B32A32_FLOAT", 8, 8);
  scene.target(target);
  const Report report = scene.draw({{{-1, 1, 0, 1}, {}}, {{1, 1, 0, 1}, {}}, {{-1, -1, 0, 1}, {}}});
  EXPECT_EQ(target.picture(), "11111110\n11111100\n11111000\n11110000\n11100000\n11000000\n10000000\n00000000\n");
  EXPECT_EQ(target.at(0, 0), (std::array<float, 4>{1, 0.5F, 0.25F, 1}));
  EXPECT_EQ(report.statistics.vertices, 3U);
  EXPECT_EQ(report.statistics.vertex_runs, 3U);
  EXPECT_EQ(report.statistics.primitives, 1U);
  EXPECT_EQ(report.statistics.pixel_runs, 28U);
  EXPECT_EQ(report.statistics.samples_passed, 28U);
}

TEST(Draw, InterpolatesByTheInputsMode) {
  // w is 1 at the left and 3 at the right: halfway on the screen is a quarter of the way in space
  const std::vector<Vertex> vertices{{{-1, -1, 0.5F, 1}, {0, 8, 0, 0}}, {{-1, 3, 0.5F, 1}, {0, 8, 0, 0}}, {{9, -3, 1.5F, 3}, {4, 2, 0, 0}}};
  const auto at = [&](std::string_view mode, std::uint32_t x) {
    Scene scene(color_shader(mode));
    Texture target("R32G32B32A32_FLOAT", 64, 1);
    scene.target(target);
    scene.draw(vertices);
    return target.at(x, 0);
  };
  const double place = 32.5 / 64 / 2;  // of the way on the screen to the third vertex
  EXPECT_NEAR(at("linear_noperspective", 32)[0], 4 * place, 1e-6);
  EXPECT_NEAR(at("linear", 32)[0], 4 * (place / 3) / (1 - place + place / 3), 1e-6);
  EXPECT_EQ(at("constant", 32)[0], 0);
  EXPECT_EQ(at("linear", 32)[2], 0.5F);
  EXPECT_NEAR(at("linear", 32)[3], 1 / (1 - place + place / 3), 1e-6);  // w, not its reciprocal
}

TEST(Draw, WhatIsTheSameAtAllVerticesStaysSo) {
  const float inf = std::numeric_limits<float>::infinity();
  Scene scene(color_shader("linear"));
  Texture target("R32G32B32A32_FLOAT", 4, 4);
  scene.target(target);
  std::vector<Vertex> vertices = full_screen(0.5F, {inf, 0.1F, 0, 0});
  vertices[1].position = {-5, 15, 2.5F, 5};
  scene.draw(vertices);
  EXPECT_EQ(target.at(2, 1)[0], inf);
  EXPECT_EQ(target.at(2, 1)[1], 0.1F);
}

// A triangle of which a vertex lies behind the eye has the same colors as the part before it.
TEST(Draw, ClippedTrianglesInterpolateAsTheWhole) {
  for (const std::string_view mode : {"linear", "linear_noperspective"}) {
    Scene scene(color_shader(mode));
    Texture target("R32G32B32A32_FLOAT", 32, 32);
    scene.target(target);
    // a plane through x, y, w: the color is x in clip space
    scene.draw({{{-4, -1, 2, 4}, {-4, 0, 0, 0}}, {{4, -1, 2, 4}, {4, 0, 0, 0}}, {{0, -1, -1, -1}, {0, 0, 0, 0}}});
    unsigned drawn = 0;
    for (std::uint32_t y = 0; y < 32; ++y) {
      for (std::uint32_t x = 0; x < 32; ++x) {
        const auto [color, unused, depth, w] = target.at(x, y);
        if (w == 0) continue;
        ++drawn;
        if (mode == "linear") {
          EXPECT_NEAR(color / w, (static_cast<float>(x) + 0.5F) / 16 - 1, 1e-4);
        }
        EXPECT_GE(depth, 0);
      }
    }
    EXPECT_GT(drawn, 100U);
  }
}

TEST(Draw, DepthKeepsWhatIsNearest) {
  Scene scene(constant_shader("1.0"));
  Texture target("R32G32B32A32_FLOAT", 4, 4);
  Texture depth("D32_FLOAT", 4, 4);
  scene.target(target);
  scene.pipeline.depth_stencil = {.comparison = texel::Comparison::less};
  scene.bindings.depth_stencil = {depth.view, std::nullopt};
  for (std::size_t at = 0; at < 16; ++at)
    texel::store_texel(depth.view.format, {std::bit_cast<std::uint32_t>(at < 8 ? 0.25F : 0.75F)}, &depth.bytes[at * 4]);
  EXPECT_EQ(scene.draw(full_screen(0.5F)).statistics.samples_passed, 8U);
  EXPECT_EQ(target.picture(), "0000\n0000\n1111\n1111\n");
  EXPECT_EQ(depth.at(0, 0)[0], 0.25F);
  EXPECT_EQ(depth.at(0, 2)[0], 0.5F);
}

// Pixels that fail their tests do not run if these come first, and depth that the shader gives is not taken. src: Direct3D 11.3 functional
// specification 17.14
TEST(Draw, TestsComeFirstIfTheShaderAsks) {
  for (const bool early : {false, true}) {
    std::string text = R"(stage pixel
output "SV_Target" system_value target type f32 register 0
output "SV_Depth" system_value depth type f32 columns 1

function @main {
^0:
  output f32 out0.x 1.0
  output f32 out1.x 0.125
  return
}
)";
    if (early) text.insert(text.find('\n') + 1, "modes early_depth\n");
    Scene scene(text);
    Texture target("R32G32B32A32_FLOAT", 4, 1);
    Texture depth("D32_FLOAT", 4, 1);
    scene.target(target);
    scene.pipeline.depth_stencil = {.comparison = texel::Comparison::less};
    scene.bindings.depth_stencil = {depth.view, std::nullopt};
    for (std::size_t at = 0; at < 4; ++at)
      texel::store_texel(depth.view.format, {std::bit_cast<std::uint32_t>(at < 2 ? 0.25F : 0.75F)}, &depth.bytes[at * 4]);
    const auto statistics = scene.draw(full_screen(0.5F)).statistics;
    EXPECT_EQ(statistics.pixel_runs, early ? 2U : 4U);
    EXPECT_EQ(target.picture(), early ? "0011\n" : "1111\n");
    EXPECT_EQ(depth.at(0, 0)[0], early ? 0.25F : 0.125F);
    EXPECT_EQ(depth.at(3, 0)[0], early ? 0.5F : 0.125F);
  }
}

constexpr std::string_view kDepthShader = R"(stage pixel
output "SV_Target" system_value target type f32 register 0
output "SV_Depth" system_value depth type f32 columns 1

function @main {
^0:
  %0 = builtin f32 position.x
  %1 = fmul f32 %0 0.25
  output f32 out0.x 1.0
  output f32 out1.x %1
  return
}
)";

TEST(Draw, TakesDepthFromThePixelShader) {
  Scene scene(kDepthShader);
  Texture target("R32G32B32A32_FLOAT", 4, 1);
  Texture depth("D16_UNORM", 4, 1);
  scene.target(target);
  scene.pipeline.depth_stencil = {.comparison = texel::Comparison::greater};
  scene.bindings.depth_stencil = {depth.view, std::nullopt};
  for (std::size_t at = 0; at < 4; ++at) texel::store_texel(depth.view.format, {std::bit_cast<std::uint32_t>(0.5F)}, &depth.bytes[at * 2]);
  scene.draw(full_screen(0));
  EXPECT_EQ(target.picture(), "0011\n");
  EXPECT_NEAR(depth.at(3, 0)[0], 0.875, 1e-4);
  // the range of the viewport bounds it
  scene.bindings.viewports[0].max_depth = 0.75F;
  scene.draw(full_screen(0));
  EXPECT_NEAR(depth.at(3, 0)[0], 0.875, 1e-4);
}

TEST(Draw, ScissorsAndViewportsBoundWhatIsDrawn) {
  Scene scene(constant_shader("1.0"));
  Texture target("R32G32B32A32_FLOAT", 4, 4);
  scene.target(target);
  scene.pipeline.rasterizer.scissor = true;
  scene.bindings.scissors = {{1, -5, 3, 2}};
  scene.draw(full_screen());
  EXPECT_EQ(target.picture(), "0110\n0110\n0000\n0000\n");
  scene.pipeline.rasterizer.scissor = false;
  scene.bindings.viewports = {{-1, 2.5F, 3, 1}};
  scene.draw(full_screen());
  EXPECT_EQ(target.picture(), "0110\n0110\n1100\n0000\n");
  scene.bindings.viewports = {{0, 0, 0, 0}};
  EXPECT_EQ(scene.draw(full_screen()).statistics.pixel_runs, 0U);
}

TEST(Draw, SamplesAreCoveredEachForItself) {
  Scene scene(constant_shader("1.0"));
  Texture target("R32G32B32A32_FLOAT", 2, 2, 4);
  scene.target(target);
  // all to the left of the middle of the left pixels
  const std::vector<Vertex> vertices{{{-1, 3, 0, 1}, {}}, {{-0.5F, 3, 0, 1}, {}}, {{-1, -3, 0, 1}, {}}, {{-0.5F, -3, 0, 1}, {}}};
  scene.pipeline.topology = Topology::triangle_strip;
  EXPECT_EQ(scene.draw(vertices).statistics.samples_passed, 4U);
  EXPECT_EQ(target.at(0, 0, 0)[0], 1);
  EXPECT_EQ(target.at(0, 0, 1)[0], 0);
  EXPECT_EQ(target.at(0, 0, 2)[0], 1);
  EXPECT_EQ(target.at(0, 0, 3)[0], 0);
  scene.bindings.sample_mask = 0b0100;
  EXPECT_EQ(scene.draw(vertices).statistics.samples_passed, 2U);
}

constexpr std::string_view kSampleShader = R"(stage pixel
output "SV_Target" system_value target type f32 register 0

function @main {
^0:
  %0 = builtin i32 sample_index
  %1 = u_to_f f32 %0
  %2 = builtin f32 position.x
  output f32 out0.x %1
  output f32 out0.y %2
  return
}
)";

TEST(Draw, RunsForEachSampleIfTheShaderAsks) {
  Scene scene(kSampleShader);
  Texture target("R32G32B32A32_FLOAT", 1, 1, 4);
  scene.target(target);
  EXPECT_EQ(scene.draw(full_screen()).statistics.pixel_runs, 4U);
  for (unsigned sample = 0; sample < 4; ++sample) {
    EXPECT_EQ(target.at(0, 0, sample)[0], static_cast<float>(sample));
    EXPECT_EQ(target.at(0, 0, sample)[1], 0.5F + static_cast<float>(texel::sample_pattern(4)[sample][0]) / 16);
  }
}

constexpr std::string_view kTargetShader = R"(stage pixel
output "SV_Target" system_value target type f32 register 0

function @main {
^0:
  %0 = query_samples
  %1 = u_to_f f32 %0
  %2 = sample_position 3
  %3 = get f32 0 %2
  %4 = get f32 1 %2
  output f32 out0.x %1
  output f32 out0.y %3
  output f32 out0.z %4
  return
}
)";

TEST(Draw, TellsShadersHowTheSamplesOfTheTargetsLie) {
  Scene scene(kTargetShader);
  Texture target("R32G32B32A32_FLOAT", 1, 1, 8);
  scene.target(target);
  scene.draw(full_screen());
  EXPECT_EQ(target.at(0, 0, 5), (std::array<float, 4>{8, -3.0F / 16, -5.0F / 16, 0}));
}

constexpr std::string_view kDerivatives = R"(stage pixel
output "SV_Target" system_value target type f32 register 0

function @main {
^0:
  %0 = builtin f32 position.x
  %1 = builtin f32 position.y
  %2 = ddx f32 %0
  %3 = ddy f32 %1
  output f32 out0.x %2
  output f32 out0.y %3
  return
}
)";

// Pixels that a triangle covers alone have neighbours that run as helpers.
TEST(Draw, DerivativesAreThoseOfTheWholeQuad) {
  Scene scene(kDerivatives);
  Texture target("R32G32B32A32_FLOAT", 3, 3);
  scene.target(target);
  EXPECT_EQ(scene.draw({{{-1, 1, 0, 1}, {}}, {{0, 1, 0, 1}, {}}, {{-1, 0, 0, 1}, {}}}).statistics.pixel_runs, 1U);
  EXPECT_EQ(target.at(0, 0)[0], 1);
  EXPECT_EQ(target.at(0, 0)[1], 1);
}

TEST(Draw, TheOrderIsThatOfThePrimitives) {
  Scene scene(color_shader("linear"));
  Texture target("R32G32B32A32_FLOAT", 64, 64);
  scene.target(target);
  scene.pipeline.blend.targets[0] = {.blend = true, .src = BlendFactor::one, .dest = BlendFactor::src_color};
  std::vector<Vertex> vertices;
  for (int at = 0; at < 3000; ++at) {
    const auto triangle = full_screen(0.5F, {static_cast<float>(at % 2), 0, 0, 0});
    vertices.insert(vertices.end(), triangle.begin(), triangle.end());
  }
  scene.bindings.viewports = {{0, 0, 2, 2}};
  scene.draw(vertices);
  EXPECT_EQ(target.at(1, 1)[0], 1);  // 1 + 0 * 1
}

/// Appends the primitive to the number in memory, in decimal, without atomics.
constexpr std::string_view kAppending = R"(stage pixel
output "SV_Target" system_value target type f32 register 0
resource @out uav_byte_address register 0

function @main {
^0:
  %0 = handle @out 0
  %1 = buffer_load i32 raw %0 0
  %2 = imul i32 %1 10
  %3 = builtin i32 primitive_id
  %4 = iadd i32 %2 %3
  buffer_store i32 raw %0 0 %4
  output f32 out0.x 1.0
  return
}
)";

// Fragments of a pixel see what those of primitives before it left. src: Rasterizer Ordered Views
TEST(Draw, ShadersThatWriteMemoryRunInTheOrderOfThePrimitives) {
  for (const unsigned wave : {4U, 32U, 128U}) {
    Scene scene;
    scene.pixel = test::program_of(kAppending, {.wave = wave});
    scene.pipeline.pixel = &*scene.pixel;
    Texture target("R32G32B32A32_FLOAT", 1, 1);
    scene.target(target);
    std::vector<std::byte> memory(4);
    vm::Resources resources = vm::empty_resources(scene.pixel->module());
    resources.rows[0].resize(1);
    resources.rows[0][0].bytes = memory;
    scene.bindings.pixel = &resources;
    std::vector<Vertex> vertices;
    for (unsigned k = 0; k < 9; ++k)
      for (const Vertex& one : full_screen()) vertices.push_back(one);
    scene.draw(vertices);
    std::uint32_t made = 0;
    std::memcpy(&made, memory.data(), sizeof made);
    EXPECT_EQ(made, 12345678U) << wave;  // the first is 0
  }
}

// Threads take parts of the screen: pixels and counts are those of one.
TEST(Draw, ThreadsChangeNothing) {
  constexpr std::uint32_t kWidth = 300, kHeight = 200;
  std::mt19937 random(7);
  const auto number = [&](float least, float most) {
    return least + (most - least) * static_cast<float>(random() >> 8) / static_cast<float>(1U << 24);
  };
  std::vector<Vertex> vertices;
  for (unsigned k = 0; k < 240; ++k) {
    const float x = number(-1, 1), y = number(-1, 1), size = k % 60 == 0 ? 1.5F : 0.1F, red = number(0, 1);
    for (unsigned corner = 0; corner < 3; ++corner)
      vertices.push_back({{x + number(-size, size), y + number(-size, size), number(-0.2F, 1), 1}, {red, number(0, 1), 0.5F, 0.5F}});
  }
  struct Made {
    std::vector<std::byte> colors, depths;
    std::uint64_t operations, passed, runs;
    bool operator==(const Made&) const = default;
  };
  for (const Topology topology : {Topology::triangle_list, Topology::line_list, Topology::point_list}) {
    const auto drawn = [&](unsigned threads) {
      Scene scene(color_shader("linear"));
      Texture target("R8G8B8A8_UNORM", kWidth, kHeight, 2), depth("D32_FLOAT", kWidth, kHeight, 2);
      scene.target(target);
      scene.bindings.depth_stencil.texture = depth.view;
      for (std::size_t at = 0; at < depth.bytes.size(); at += 4) texel::store_texel(depth.view.format, {0x3f80'0000}, &depth.bytes[at]);
      scene.pipeline.topology = topology;
      scene.pipeline.depth_stencil = {.comparison = texel::Comparison::less_equal};
      scene.pipeline.blend.targets[0] = {.blend = true, .src = BlendFactor::src_alpha, .dest = BlendFactor::inv_src_alpha};
      scene.bindings.vertex_buffers = {{std::as_bytes(std::span(vertices)), sizeof(Vertex)}};
      scene.call.count = static_cast<std::uint32_t>(vertices.size());
      const auto done = run(scene.pipeline, scene.bindings, scene.call, {}, {}, threads);
      EXPECT_TRUE(done);
      return Made{target.bytes, depth.bytes, done->operations, done->statistics.samples_passed, done->statistics.pixel_runs};
    };
    const Made one = drawn(1);
    EXPECT_GT(one.passed, 200U);
    for (const unsigned threads : {2U, 64U}) EXPECT_EQ(drawn(threads), one) << threads;
  }
}

// The budget is of all batches and parts of the screen together.
TEST(Draw, BudgetIsOfTheWholeDraw) {
  std::vector<Vertex> vertices;
  for (unsigned k = 0; k < 40; ++k)
    for (const Vertex& one : full_screen()) vertices.push_back(one);
  const auto drawn = [&](std::uint64_t operations, unsigned threads) {
    Scene scene(test::constant_shader("3.0"));
    Texture target("R32_FLOAT", 128, 128);
    scene.target(target);
    scene.bindings.vertex_buffers = {{std::as_bytes(std::span(vertices)), sizeof(Vertex)}};
    scene.call.count = static_cast<std::uint32_t>(vertices.size());
    const auto done = run(scene.pipeline, scene.bindings, scene.call, {.operations = operations}, {}, threads);
    EXPECT_TRUE(done);
    return *done;
  };
  const std::uint64_t all = drawn(~std::uint64_t{0}, 1).operations;
  EXPECT_EQ(drawn(all, 2).stop, vm::Stop::finished);
  for (const unsigned threads : {1U, 2U}) {
    const Report stopped = drawn(all - 1, threads);
    EXPECT_EQ(stopped.stop, vm::Stop::budget) << threads;
    EXPECT_EQ(stopped.stage, Stage::pixel);
    EXPECT_EQ(stopped.operations, all);
    EXPECT_EQ(stopped.fault, "the draw took more than " + std::to_string(all - 1) + " operations");
  }
}

TEST(Draw, LinesAndPointsInterpolate) {
  Scene scene(color_shader("linear_noperspective"));
  Texture target("R32G32B32A32_FLOAT", 4, 2);
  scene.target(target);
  scene.pipeline.topology = Topology::line_list;
  EXPECT_EQ(scene.draw({{{-1, 0.5F, 0, 1}, {0, 0, 0, 0}}, {{1, 0.5F, 0, 1}, {8, 0, 0, 0}}}).statistics.pixel_runs, 4U);
  EXPECT_EQ(target.picture(), "1357\n0000\n");
  // the half of the line that is before the eye
  scene.draw({{{0, -0.5F, 0.5F, 1}, {4, 0, 0, 0}}, {{2, -0.5F, -0.5F, 1}, {4, 0, 0, 0}}});
  EXPECT_EQ(target.picture(), "1357\n0044\n");
  scene.pipeline.topology = Topology::point_list;
  EXPECT_EQ(scene.draw({{{-0.75F, -0.5F, 0, 1}, {9, 0, 0, 0}}, {{-3, 0, 2, 1}, {}}}).statistics.clipper_out, 1U);
  EXPECT_EQ(target.picture(), "1357\n9044\n");
}

// Waves of other widths, and draws that are divided, give the same bits.
TEST(Draw, ResultsDoNotDependOnTheWave) {
  const auto drawn = [](unsigned wave) {
    Scene scene;
    const vm::Program pixel = test::program_of(color_shader("linear"), {.wave = wave});
    const vm::Program vertex = test::program_of(test::kPassThrough, {.wave = wave});
    scene.pipeline.pixel = &pixel;
    scene.pipeline.vertex = &vertex;
    Texture target("R32G32B32A32_FLOAT", 61, 47, 2);
    scene.target(target);
    std::vector<Vertex> vertices;
    std::uint32_t seed = 1;
    const auto random = [&] {
      seed = seed * 1664525 + 1013904223;
      return static_cast<float>(seed >> 8) / static_cast<float>(1 << 23) - 1;
    };
    for (int at = 0; at < 300; ++at)
      vertices.push_back({{random() * 2, random() * 2, random(), random() + 0.5F}, {random(), random(), 0, 0}});
    scene.draw(vertices);
    return target.bytes;
  };
  const auto expected = drawn(4);
  EXPECT_EQ(drawn(32), expected);
  EXPECT_EQ(drawn(128), expected);
}

TEST(Draw, IndicesInstancesAndStepRatesChooseVertices) {
  Scene scene(color_shader("constant"));
  Texture target("R32G32B32A32_FLOAT", 4, 1);
  scene.target(target);
  scene.pipeline.topology = Topology::triangle_strip;
  scene.pipeline.rasterizer.depth_clip = false;
  scene.pipeline.input[1] = {
      .input_register = 1, .format = *texel::find_format("R32_FLOAT"), .slot = 1, .per_instance = true, .step_rate = 2};
  const std::vector<Vertex> vertices{
      {{0, 0, 0, 0}, {}}, {{-1, 1, 0, 1}, {}}, {{1, 1, 0, 1}, {}}, {{-1, -1, 0, 1}, {}}, {{1, -1, 0, 1}, {}}};
  const std::vector<float> colors{1, 2, 3, 4};
  const std::vector<std::uint32_t> indices{7, 0, 1, 2, 3};
  scene.bindings.vertex_buffers = {{std::as_bytes(std::span(vertices)), sizeof(Vertex)}, {std::as_bytes(std::span(colors)), 4}};
  scene.bindings.indices = {std::as_bytes(std::span(indices)), 4};
  const Call call{.indexed = true, .first = 1, .count = 4, .base_vertex = 1, .first_instance = 1, .instances = 3};
  ASSERT_TRUE(run(scene.pipeline, scene.bindings, call));
  EXPECT_EQ(target.picture(), "3333\n");  // of instance 2: 1 + 2 / 2
}

TEST(Draw, WithoutAVertexShaderTheInputIsThePosition) {
  Scene scene(constant_shader("1.0"));
  Texture target("R32G32B32A32_FLOAT", 2, 2);
  scene.target(target);
  scene.pipeline.vertex = nullptr;
  scene.draw(full_screen());
  EXPECT_EQ(target.picture(), "11\n11\n");
}

TEST(Draw, LargeTargetsAndStrangePositionsDoNoHarm) {
  Scene scene;
  Texture depth("D16_UNORM", 16384, 4);
  scene.pipeline.depth_stencil = {.comparison = texel::Comparison::always};
  scene.bindings.depth_stencil = {depth.view, std::nullopt};
  scene.bindings.viewports = {{0, 0, 16384, 16384}};
  const float nan = std::numeric_limits<float>::quiet_NaN();
  scene.draw({{{nan, 0, 0, 1}, {}}, {{1e38F, 1, 0, 1}, {}}, {{0, -1e38F, 0, 1e-38F}, {}}});
  EXPECT_EQ(scene.draw(full_screen(1)).statistics.samples_passed, 16384U * 4);
  EXPECT_EQ(depth.at(16383, 3)[0], 1);
}

TEST(Draw, RefusesWhatDoesNotFit) {
  Scene scene(constant_shader("1.0"));
  Texture one("R32G32B32A32_FLOAT", 2, 2);
  Texture four("R32G32B32A32_FLOAT", 2, 2, 4);
  const Call call{.count = 3};
  EXPECT_EQ(run(scene.pipeline, scene.bindings, call).error().path, "viewports");
  scene.target(one);
  scene.target(four);
  EXPECT_EQ(run(scene.pipeline, scene.bindings, call).error().path, "targets");
  scene.bindings.targets.pop_back();
  scene.bindings.viewports[0].width = std::numeric_limits<float>::infinity();
  EXPECT_EQ(run(scene.pipeline, scene.bindings, call).error().path, "viewports");
}

// Targets take values of 32 bits, whatever the shader's outputs have.
TEST(Draw, WidensOutputsOf16Bits) {
  const auto drawn = [](std::string_view type, std::string_view value, std::string_view format) {
    std::string text =
        "stage pixel\noutput \"SV_Target\" system_value target type " + std::string(type) + " register 0\n\nfunction @main {\n^0:\n";
    for (const char component : {'x', 'y', 'z', 'w'})
      text += "  output " + std::string(type.substr(0, type.find(' '))) + " out0." + component + ' ' + std::string(value) + '\n';
    Scene scene(text + "  return\n}\n");
    Texture picture(format, 2, 2);
    scene.target(picture);
    scene.draw(full_screen());
    return picture.at(1, 1)[0];
  };
  EXPECT_EQ(drawn("f16", "0x3800", "R32G32B32A32_FLOAT"), 0.5F);
  EXPECT_EQ(drawn("f16", "0xb800", "R16G16B16A16_FLOAT"), -0.5F);
  EXPECT_EQ(drawn("f16", "0x3800", "R8G8B8A8_UNORM"), 128 / 255.0F);
  EXPECT_EQ(std::bit_cast<std::int32_t>(drawn("i16 signed", "-2", "R32G32B32A32_SINT")), -2);
  EXPECT_EQ(std::bit_cast<std::uint32_t>(drawn("i16", "-2", "R32G32B32A32_UINT")), 0xfffeU);
}

// src: Direct3D 11.3 functional specification 17.8
TEST(Draw, LogicOperationsAreOfUnsignedIntegers) {
  const auto fault_of = [](std::string_view format, const TargetBlend& blend) {
    Scene scene(constant_shader("1.0"));
    Texture picture(format, 2, 2);
    scene.target(picture);
    scene.pipeline.blend.targets[0] = blend;
    const auto done = run(scene.pipeline, scene.bindings, {});
    return done ? std::string("none") : done.error().path + ": " + done.error().message;
  };
  const TargetBlend logic{.logic = true, .logic_op = LogicOp::copy};
  EXPECT_EQ(fault_of("R8G8B8A8_UINT", logic), "none");
  EXPECT_EQ(fault_of("R8G8B8A8_UNORM", logic), "blend: target 0: with LogicOpEnable, the target must have a UINT format");
  EXPECT_EQ(fault_of("R32_FLOAT", logic), "blend: target 0: with LogicOpEnable, the target must have a UINT format");
  EXPECT_EQ(fault_of("R8G8B8A8_UINT", {.blend = true, .logic = true}),
            "blend: target 0: LogicOpEnable and BlendEnable are mutually exclusive");
}

}  // namespace
}  // namespace unshade::draw

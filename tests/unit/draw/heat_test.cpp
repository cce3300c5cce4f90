// What pixels of a draw cost: each kind of heat map, on targets that are counted by hand.
#include <limits>
#include <utility>

#include <unshade/draw/heat.hpp>

#include "draw_support.hpp"

namespace unshade::draw {
namespace {

using test::constant_shader;
using test::full_screen;
using test::Scene;
using test::Texture;

constexpr std::string_view kHead = R"(stage pixel
input "SV_Position" system_value position type f32 interpolation linear_noperspective register 0
output "SV_Target" system_value target type f32 register 0
)";

/// Instructions 1, 2 and 5 are executed by all pixels, 3 and 4 by the two at the left. 4 is made of two operations.
constexpr std::string_view kDiverges = R"(
function @main {
^0:
  %x = input f32 in0.x !1.0
  %left = flt f32 %x 2.0 !2.0
  branch %left ^1 ^2
^1:
  %a = fadd f32 %x 1.0 !3.0
  %b = fmul f32 %a 2.0 !4.0
  output f32 out0.y %b !4.0
  jump ^2
^2:
  output f32 out0.x %x !5.0
  return
}
)";

/// The root of x - 2: not a number in the two pixels at the left.
constexpr std::string_view kRoots = R"(
function @main {
^0:
  %x = input f32 in0.x
  %d = fsub f32 %x 2.0
  %root = fsqrt f32 %d
  output f32 out0.x %root
  return
}
)";

/// A texel for each quarter of a pixel in x.
constexpr std::string_view kSamples = R"(resource @t0 texture dimension texture2d returns float register 0
resource @s0 sampler register 0

function @main {
^0:
  %x = input f32 in0.x
  %u = fmul f32 %x 0.25
  %t = handle @t0 0
  %s = handle @s0 0
  %texel = sample_implicit f32 x4 texture2d %t %s %u 0.5
  %red = get f32 0 %texel
  output f32 out0.x %red
  return
}
)";

std::string shader(std::string_view body) { return std::string(kHead) + std::string(body); }

/// A scene whose target has 4x4 pixels, and its heat map: a line of numbers for each row of pixels, `.` where nothing is.
struct Heated {
  explicit Heated(std::string_view text) : scene(text), target("R32G32B32A32_FLOAT", 4, 4), depth("D32_FLOAT", 4, 4) {
    scene.target(target);
  }
  std::string map(HeatKind kind, const std::vector<test::Vertex>& vertices = full_screen()) {
    heat = {.kind = kind, .width = 4, .height = 4, .layer = 0, .counts = {}};
    scene.bindings.vertex_buffers = {{std::as_bytes(std::span(vertices)), sizeof(test::Vertex)}};
    scene.call.count = static_cast<std::uint32_t>(vertices.size());
    const auto done = run(scene.pipeline, scene.bindings, scene.call, {}, {.heat = &heat});
    EXPECT_TRUE(done) << to_string(done.error());
    std::string made;
    for (std::size_t at = 0; at < heat.counts.size(); ++at) {
      const std::uint32_t count = heat.counts[at];
      made += count == 0 ? "." : std::to_string(static_cast<int>(info(kind).number(count)));
      if (at % 4 == 3) made += '\n';
    }
    return made;
  }

  Scene scene;
  Texture target, depth;
  Heat heat;
};

/// A triangle over all of the target, then a nearer one in its lower left quarter, then one behind both.
std::vector<test::Vertex> three() {
  auto made = full_screen(0.5F);
  for (const auto& [x, y] : {std::pair(-1.0F, -1.0F), std::pair(-1.0F, 1.0F), std::pair(0.0F, -1.0F)})
    made.push_back({{x, y, 0.25F, 1}, {}});
  for (const test::Vertex& vertex : full_screen(0.75F)) made.push_back(vertex);
  return made;
}

TEST(Heat, CountsFragmentsThatPassAllTests) {
  Heated one(constant_shader("1.0"));
  EXPECT_EQ(one.map(HeatKind::overdraw, three()), "2222\n3222\n3222\n3322\n");
  for (std::size_t at = 0; at < one.depth.bytes.size(); at += 4)
    texel::store_texel(one.depth.view.format, {std::bit_cast<std::uint32_t>(1.0F)}, &one.depth.bytes[at]);
  one.scene.bindings.depth_stencil = {one.depth.view, std::nullopt};
  one.scene.pipeline.depth_stencil.depth = true;
  EXPECT_EQ(one.map(HeatKind::overdraw, three()), "1111\n2111\n2111\n2211\n");
  const HeatSum sum = sum_of(one.heat);
  EXPECT_EQ(sum.pixels, 16U);
  EXPECT_EQ(sum.total, 20.0);
  EXPECT_EQ(sum.least, 1.0);
  EXPECT_EQ(sum.most, 2.0);
}

TEST(Heat, CountsDepthAloneToo) {
  Heated one({});
  one.scene.bindings.targets.clear();
  one.scene.bindings.depth_stencil = {one.depth.view, std::nullopt};
  one.scene.pipeline.depth_stencil.depth = true;
  one.scene.pipeline.depth_stencil.comparison = texel::Comparison::greater;
  EXPECT_EQ(one.map(HeatKind::overdraw, three()), "2222\n2222\n2222\n2222\n");
  EXPECT_EQ(one.map(HeatKind::runs, three()), "....\n....\n....\n....\n");
}

TEST(Heat, HasAllPixelsOfADrawOfNothing) {
  Heated one(constant_shader("1.0"));
  EXPECT_EQ(one.map(HeatKind::overdraw, {}), "....\n....\n....\n....\n");
}

TEST(Heat, CountsRunsOfWhatIsDiscardedToo) {
  Heated one(shader("\nfunction @main {\n^0:\n  demote true\n  output f32 out0.x 1.0\n  return\n}\n"));
  EXPECT_EQ(one.map(HeatKind::runs), "1111\n1111\n1111\n1111\n");
  EXPECT_EQ(one.map(HeatKind::overdraw), "....\n....\n....\n....\n");
  one.scene.pipeline.rasterizer.scissor = true;
  one.scene.bindings.scissors = {{1, 1, 3, 4}};
  EXPECT_EQ(one.map(HeatKind::runs), "....\n.11.\n.11.\n.11.\n");
}

// no quad shows its helper lanes, and an instruction of two operations is one
TEST(Heat, CountsInstructionsOfTheFile) {
  Heated one(shader(kDiverges));
  EXPECT_EQ(one.map(HeatKind::instructions), "5533\n5533\n5533\n5533\n");
  EXPECT_EQ(one.map(HeatKind::divergence), "..22\n..22\n..22\n..22\n");
  one.scene.pipeline.rasterizer.scissor = true;
  one.scene.bindings.scissors = {{1, 1, 3, 4}};
  EXPECT_EQ(one.map(HeatKind::instructions), "....\n.53.\n.53.\n.53.\n");
  EXPECT_EQ(one.map(HeatKind::divergence), "....\n..2.\n..2.\n..2.\n");
}

TEST(Heat, DivergesWithinAWave) {
  Heated one(shader(kDiverges));
  one.scene.pixel = test::program_of(shader(kDiverges), {.wave = 4});
  EXPECT_EQ(one.map(HeatKind::divergence), "....\n....\n....\n....\n") << "a wave for each quad, and no quad diverges";
  EXPECT_EQ(one.map(HeatKind::instructions), "5533\n5533\n5533\n5533\n");
}

TEST(Heat, TakesTheLargestLevel) {
  Heated one(shader(kSamples));
  Texture texture("R8_UNORM", 32, 1);
  texture.view.levels = 3;
  texture.bytes.resize(texel::texture_bytes(texture.view));
  texture.view.bytes = texture.bytes;
  vm::Resources resources = vm::empty_resources(one.scene.pixel->module());
  texel::Descriptor sampler;
  resources.rows[0] = {texture.view};
  resources.rows[1] = {sampler};
  one.scene.bindings.pixel = &resources;
  // 32 texels over 4 pixels are level 3, of which there is none
  EXPECT_EQ(one.map(HeatKind::level), "2222\n2222\n2222\n2222\n");
  resources.rows[1][0].sampler.lod_bias = -2.5F;
  one.map(HeatKind::level);
  EXPECT_EQ(info(HeatKind::level).number(one.heat.counts[0]), 0.5);
  resources.rows[1][0].sampler.lod_bias = -5;
  EXPECT_EQ(one.map(HeatKind::level), "0000\n0000\n0000\n0000\n") << "level 0 is not nothing";
}

TEST(Heat, CountsWhatIsNoNumber) {
  Heated one(shader(kRoots));
  EXPECT_EQ(one.map(HeatKind::nan), "11..\n11..\n11..\n11..\n");
  EXPECT_EQ(one.map(HeatKind::nan, three()), "22..\n32..\n32..\n33..\n");
  Texture whole("R32G32B32A32_UINT", 4, 4);
  one.scene.bindings.targets = {whole.view};
  EXPECT_EQ(one.map(HeatKind::nan), "....\n....\n....\n....\n");
}

// Parts of the screen are counted apart, each by one thread.
TEST(Heat, IsTheSameByAnyNumberOfThreads) {
  constexpr std::uint32_t kSize = 128;
  std::vector<test::Vertex> triangles = full_screen();
  for (unsigned k = 0; k < 60; ++k) {
    const auto at = [&](unsigned salt) { return static_cast<float>((k * 37 + salt * 53) % 101) / 50 - 1; };
    triangles.push_back({{at(k % 3), at(5 + k % 7), 0.5F, 1}, {}});
  }
  Scene scene(shader(kDiverges));
  Texture target("R32G32B32A32_FLOAT", kSize, kSize);
  scene.target(target);
  scene.bindings.vertex_buffers = {{std::as_bytes(std::span(triangles)), sizeof(test::Vertex)}};
  scene.call.count = static_cast<std::uint32_t>(triangles.size());
  for (const HeatKind kind : {HeatKind::overdraw, HeatKind::runs, HeatKind::instructions, HeatKind::divergence}) {
    std::vector<std::uint32_t> alone;
    for (const unsigned threads : {1U, 4U}) {
      Heat heat{.kind = kind, .width = kSize, .height = kSize, .layer = 0, .counts = {}};
      const auto done = run(scene.pipeline, scene.bindings, scene.call, {}, {.heat = &heat}, threads);
      ASSERT_TRUE(done) << to_string(done.error());
      if (kind == HeatKind::runs) {
        EXPECT_EQ(sum_of(heat).total, static_cast<double>(done->statistics.pixel_runs));
      }
      if (kind == HeatKind::overdraw) {
        EXPECT_EQ(sum_of(heat).total, static_cast<double>(done->statistics.samples_passed));
      }
      if (threads == 1) alone = heat.counts;
      EXPECT_EQ(heat.counts, alone) << info(kind).id << ' ' << threads;
      EXPECT_GT(sum_of(heat).pixels, 0U) << info(kind).id;
    }
  }
}

TEST(Heat, StopsAtTheLargestCount) {
  Heat heat{.kind = HeatKind::overdraw, .width = 2, .height = 1, .layer = 0, .counts = {0, 5}};
  heat.add(0, 0, std::numeric_limits<std::uint32_t>::max());
  heat.add(0, 0, 7);
  heat.add(2, 0, 1);
  heat.add(0, 1, 1);
  EXPECT_EQ(heat.counts, (std::vector<std::uint32_t>{std::numeric_limits<std::uint32_t>::max(), 5}));
  Heat most{.kind = HeatKind::level, .width = 2, .height = 1, .layer = 0, .counts = {9, 1}};
  most.add({.kind = HeatKind::level, .width = 2, .height = 1, .layer = 0, .counts = {3, 4}});
  EXPECT_EQ(most.counts, (std::vector<std::uint32_t>{9, 4}));
}

TEST(Heat, DoesNotWatchWhatIsTraced) {
  Heated one(constant_shader("1.0"));
  History history;
  history.traced = 0;
  Heat heat{.kind = HeatKind::instructions, .width = 4, .height = 4, .layer = 0, .counts = {}};
  const auto done = run(one.scene.pipeline, one.scene.bindings, one.scene.call, {}, {.history = &history, .heat = &heat});
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().path, "heat");
}

}  // namespace
}  // namespace unshade::draw

// Fill modes, modes of lines, conservative rasterization and forced sample counts: FS is the Direct3D 11.3 functional specification, CR the
// one of conservative rasterization.
#include <cmath>

#include <unshade/texel/samples.hpp>

#include "draw_support.hpp"

namespace unshade::draw {
namespace {

using test::constant_shader;
using test::full_screen;
using test::Scene;
using test::Texture;
using test::Vertex;

/// A vertex by its place on a target of some pixels, from the upper left.
Vertex at_pixel(double x, double y, double width, double height, float depth = 0.5F) {
  return {{static_cast<float>(x * 2 / width - 1), static_cast<float>(1 - y * 2 / height), depth, 1}, {}};
}

/// Adds 1 to the red of each pixel that it runs for.
struct Counter : Scene {
  Counter(std::uint32_t width, std::uint32_t height, std::uint32_t samples = 1, std::string_view shader = {})
      : Scene(shader.empty() ? constant_shader("1.0") : std::string(shader)), picture("R32G32B32A32_FLOAT", width, height, samples) {
    target(picture);
    pipeline.blend.targets[0] = {.blend = true, .src = BlendFactor::one, .dest = BlendFactor::one};
  }
  std::string drawn(const std::vector<Vertex>& vertices) {
    draw(vertices);
    return picture.picture();
  }
  Texture picture;
};

/// The named builtin as the red, the face's as the green.
std::string builtin_shader(std::string_view type, std::string_view name) {
  const std::string value = type == "b1" ? "  %1 = select f32 %0 1.0 2.0\n" : "  %1 = u_to_f f32 %0\n";
  return "stage pixel\noutput \"SV_Target\" system_value target type f32 register 0\n\nfunction @main {\n^0:\n  %0 = builtin " +
         std::string(type) + ' ' + std::string(name) + '\n' + value + "  output f32 out0.x %1\n  return\n}\n";
}

constexpr std::string_view kColorX = R"(stage pixel
input "SV_Position" system_value position type f32 interpolation linear_noperspective register 0
input "COLOR" type f32 interpolation linear register 1
output "SV_Target" system_value target type f32 register 0

function @main {
^0:
  %0 = input f32 in1.x
  %1 = input f32 in0.z
  output f32 out0.x %0
  output f32 out0.y %1
  return
}
)";

// --- FS 15.13: wireframe -----------------------------------------------------------------------------------------------------------------

TEST(RasterizerState, WireframeDrawsTheEdgesOfTriangles) {
  Counter scene(8, 8);
  scene.pipeline.rasterizer.fill = Fill::wireframe;
  // the same pixels as a line list of its edges
  const std::vector<Vertex> triangle{at_pixel(0.5, 0.5, 8, 8), at_pixel(6.5, 0.5, 8, 8), at_pixel(0.5, 6.5, 8, 8)};
  const std::string wires = scene.drawn(triangle);
  Counter lines(8, 8);
  lines.pipeline.topology = Topology::line_list;
  EXPECT_EQ(wires, lines.drawn({triangle[0], triangle[1], triangle[1], triangle[2], triangle[2], triangle[0]}));
  EXPECT_EQ(wires, "11111110\n10000100\n10001000\n10010000\n10100000\n11000000\n10000000\n00000000\n");
}

TEST(RasterizerState, WireframeIsCulledAsTheTriangle) {
  const std::vector<Vertex> triangle{at_pixel(1.5, 1.5, 4, 4), at_pixel(3.5, 1.5, 4, 4), at_pixel(1.5, 3.5, 4, 4)};
  const std::vector<Vertex> turned{triangle[0], triangle[2], triangle[1]};
  for (const Cull cull : {Cull::none, Cull::front, Cull::back}) {
    Counter front(4, 4), back(4, 4);
    for (Counter* one : {&front, &back}) {
      one->pipeline.rasterizer.fill = Fill::wireframe;
      one->pipeline.rasterizer.cull = cull;
    }
    EXPECT_EQ(front.draw(triangle).statistics.pixel_runs, cull == Cull::front ? 0U : 6U);
    EXPECT_EQ(back.draw(turned).statistics.pixel_runs, cull == Cull::back ? 0U : 6U);
  }
}

// FS 15.12: lines of a wireframe show the triangle's side, and those of a line list the front
TEST(RasterizerState, WireframeShowsTheTrianglesSide) {
  Counter scene(4, 4, 1, builtin_shader("b1", "front_face"));
  scene.pipeline.rasterizer.fill = Fill::wireframe;
  const std::vector<Vertex> triangle{at_pixel(1.5, 1.5, 4, 4), at_pixel(1.5, 3.5, 4, 4), at_pixel(3.5, 1.5, 4, 4)};
  scene.draw(triangle);
  EXPECT_EQ(scene.picture.at(1, 2)[0], 2);
  Counter line(4, 4, 1, builtin_shader("b1", "front_face"));
  line.pipeline.topology = Topology::line_list;
  line.draw({triangle[0], triangle[1]});
  EXPECT_EQ(line.picture.at(1, 2)[0], 1);
}

// FS 15.11.1
TEST(RasterizerState, WireframeOfATriangleWithoutAreaIsItsBack) {
  const std::vector<Vertex> flat{at_pixel(0.5, 1.5, 4, 4), at_pixel(2.5, 1.5, 4, 4), at_pixel(3.5, 1.5, 4, 4)};
  for (const bool culls : {false, true}) {
    Counter scene(4, 4, 1, builtin_shader("b1", "front_face"));
    scene.pipeline.rasterizer.fill = Fill::wireframe;
    scene.pipeline.rasterizer.cull = culls ? Cull::back : Cull::none;
    scene.draw(flat);
    EXPECT_EQ(scene.picture.at(1, 1)[0], culls ? 0 : 4);  // two lines, each the back
  }
}

TEST(RasterizerState, WireframeHasNoEdgesWhereTrianglesAreClipped) {
  Counter scene(8, 8);
  scene.pipeline.rasterizer.fill = Fill::wireframe;
  // the lower vertex lies before the near plane, which cuts the triangle just below the row 4.0
  const std::vector<Vertex> triangle{at_pixel(0.5, 0.5, 8, 8, 0.51F), at_pixel(6.5, 0.5, 8, 8, 0.51F), at_pixel(0.5, 7.5, 8, 8, -0.49F)};
  EXPECT_EQ(scene.drawn(triangle), "11111110\n10000100\n10001000\n10010000\n10000000\n00000000\n00000000\n00000000\n");
}

// src: VkPolygonMode
TEST(RasterizerState, PointsAreTheCornersOfTriangles) {
  Counter scene(8, 8, 1, kColorX);
  scene.pipeline.rasterizer.fill = Fill::points;
  std::vector<Vertex> triangle{at_pixel(1.5, 1.5, 8, 8), at_pixel(6.5, 1.5, 8, 8), at_pixel(1.5, 6.5, 8, 8)};
  for (unsigned k = 0; k < 3; ++k) triangle[k].color[0] = static_cast<float>(k + 1);
  EXPECT_EQ(scene.draw(triangle).statistics.pixel_runs, 3U);
  EXPECT_EQ(scene.picture.at(1, 1)[0], 1);
  EXPECT_EQ(scene.picture.at(6, 1)[0], 2);
  EXPECT_EQ(scene.picture.at(1, 6)[0], 3);
  // turned, they are culled as the triangle is
  scene.pipeline.rasterizer.cull = Cull::back;
  EXPECT_EQ(scene.draw({triangle[0], triangle[2], triangle[1]}).statistics.pixel_runs, 0U);
}

TEST(RasterizerState, PointsAreLeftOutWhereTrianglesAreClipped) {
  Counter scene(8, 8);
  scene.pipeline.rasterizer.fill = Fill::points;
  // the lower vertex lies before the near plane
  const std::vector<Vertex> triangle{at_pixel(0.5, 0.5, 8, 8, 0.51F), at_pixel(6.5, 0.5, 8, 8, 0.51F), at_pixel(0.5, 7.5, 8, 8, -0.49F)};
  EXPECT_EQ(scene.drawn(triangle), "10000010\n00000000\n00000000\n00000000\n00000000\n00000000\n00000000\n00000000\n");
}

// FS 15.13: the bias of the triangle, which is a slope of 1/8 each pixel along x, is added to the depth of its lines
TEST(RasterizerState, WireframeHasTheDepthBiasOfTheTriangle) {
  Counter scene(8, 8, 1, kColorX);
  scene.pipeline.rasterizer.fill = Fill::wireframe;
  scene.pipeline.rasterizer.slope_scaled_depth_bias = 2;
  scene.draw({at_pixel(0.5, 0.5, 8, 8, 0), at_pixel(4.5, 0.5, 8, 8, 0.5F), at_pixel(0.5, 6.5, 8, 8, 0)});
  EXPECT_EQ(scene.picture.at(0, 2)[1], 0.25F);
  EXPECT_EQ(scene.picture.at(2, 0)[1], 0.5F);
}

TEST(RasterizerState, WireframeInterpolatesAlongItsEdges) {
  Counter scene(8, 8, 1, kColorX);
  scene.pipeline.rasterizer.fill = Fill::wireframe;
  std::vector<Vertex> triangle{at_pixel(0.5, 0.5, 8, 8), at_pixel(4.5, 0.5, 8, 8), at_pixel(0.5, 6.5, 8, 8)};
  triangle[1].color[0] = 4;
  triangle[2].color[0] = 12;
  scene.draw(triangle);
  EXPECT_EQ(scene.picture.at(3, 0)[0], 3);
  EXPECT_EQ(scene.picture.at(0, 3)[0], 6);
}

// --- FS 3.4.4, 3.4.5, 15.14.1: lines -----------------------------------------------------------------------------------------------------

/// Alphas of a line, blended over black: the sum of all pixels.
struct Antialiased : Scene {
  Antialiased() : Scene(constant_shader("1.0")), picture("R32G32B32A32_FLOAT", 32, 32) {
    target(picture);
    pipeline.topology = Topology::line_list;
    pipeline.rasterizer.lines = LineMode::alpha_antialiased;
    pipeline.blend.targets[0] = {.blend = true,
                                 .src = BlendFactor::src_alpha,
                                 .dest = BlendFactor::one,
                                 .src_alpha = BlendFactor::one,
                                 .dest_alpha = BlendFactor::one};
  }
  double sum() const {
    double made = 0;
    for (std::uint32_t y = 0; y < 32; ++y)
      for (std::uint32_t x = 0; x < 32; ++x) made += static_cast<double>(picture.at(x, y)[0]);
    return made;
  }
  Texture picture;
};

// what a line adds to a picture is its area: its length by 1, however it lies
TEST(RasterizerState, AntialiasedLinesHaveTheirArea) {
  for (int degrees = 0; degrees < 360; degrees += 7) {
    const double angle = degrees * 3.14159265358979 / 180, length = 10;
    Antialiased scene;
    scene.draw({at_pixel(16.25, 15.5, 32, 32), at_pixel(16.25 + length * std::cos(angle), 15.5 + length * std::sin(angle), 32, 32)});
    EXPECT_NEAR(scene.sum(), length, 0.02) << degrees;
  }
}

TEST(RasterizerState, AntialiasedLinesMultiplyAlphaByTheShareOfThePixel) {
  Antialiased scene;
  scene.draw({at_pixel(2, 4, 32, 32), at_pixel(6.5, 4, 32, 32)});  // on the border of two rows
  EXPECT_EQ(scene.picture.at(2, 3)[3], 0.5F);
  EXPECT_EQ(scene.picture.at(2, 4)[0], 0.5F);
  EXPECT_EQ(scene.picture.at(6, 4)[0], 0.25F);  // and half of the last pixel
  EXPECT_EQ(scene.picture.at(1, 4)[3], 0);
  EXPECT_EQ(scene.picture.at(2, 5)[3], 0);
}

TEST(RasterizerState, AntialiasedLinesCoverAllSamplesAlike) {
  Counter scene(8, 8, 4);
  scene.pipeline.topology = Topology::line_list;
  scene.pipeline.rasterizer.lines = LineMode::alpha_antialiased;
  scene.draw({at_pixel(2, 4.25, 8, 8), at_pixel(6, 4.25, 8, 8)});
  for (std::uint32_t sample = 0; sample < 4; ++sample) {
    EXPECT_EQ(scene.picture.at(3, 4, sample)[3], 0.75F);
    EXPECT_EQ(scene.picture.at(3, 3, sample)[3], 0.25F);
  }
}

TEST(RasterizerState, RectangularLinesCoverSamples) {
  const auto drawn = [](LineMode lines) {
    Counter scene(8, 8, 16);
    scene.pipeline.topology = Topology::line_list;
    scene.pipeline.rasterizer.lines = lines;
    return scene.draw({at_pixel(1, 4, 8, 8), at_pixel(6, 4, 8, 8)}).statistics.samples_passed;
  };
  EXPECT_NEAR(static_cast<double>(drawn(LineMode::quadrilateral_wide)), 5 * 1.4 * 16, 6);
  EXPECT_EQ(drawn(LineMode::quadrilateral_narrow), 5U * 16);
  EXPECT_EQ(drawn(LineMode::aliased), 5U * 16);
}

// FS 15.14.1: attributes vary along the line, and are constant across it
TEST(RasterizerState, RectangularLinesInterpolateAlongThem) {
  Counter scene(8, 8, 1, kColorX);
  scene.pipeline.topology = Topology::line_list;
  scene.pipeline.rasterizer.lines = LineMode::quadrilateral_wide;
  std::vector<Vertex> line{at_pixel(1, 4, 8, 8), at_pixel(5, 4, 8, 8)};
  line[1].color[0] = 8;
  scene.draw(line);
  EXPECT_EQ(scene.picture.at(2, 3)[0], 3);
  EXPECT_EQ(scene.picture.at(2, 4)[0], 3);
}

// --- CR ----------------------------------------------------------------------------------------------------------------------------------

struct Conservative : Counter {
  using Counter::Counter;
  std::string drawn(const std::vector<Vertex>& vertices) {
    pipeline.rasterizer.conservative = true;
    return Counter::drawn(vertices);
  }
};

// "IHV-Bring-up Test": a triangle that falls between the centres
TEST(RasterizerState, ConservativeCoversPixelsThatAreTouched) {
  const std::vector<Vertex> triangle{{{-1, 0, 0, 1}, {}}, {{1, 0, 0, 1}, {}}, {{0, 0.5F, 0, 1}, {}}};
  EXPECT_EQ(Counter(2, 2).drawn(triangle), "00\n00\n");
  Conservative scene(2, 2);
  EXPECT_EQ(scene.drawn(triangle).substr(0, 3), "11\n");
  // "MSAA": all samples are covered
  Conservative four(2, 2, 4, builtin_shader("i32", "coverage"));
  four.drawn(triangle);
  EXPECT_EQ(four.picture.at(0, 0, 3)[0], 15);
  // "TIR"
  Conservative forced(2, 2, 1, builtin_shader("i32", "coverage"));
  forced.pipeline.rasterizer.forced_samples = 4;
  forced.drawn(triangle);
  EXPECT_EQ(forced.picture.at(0, 0)[0], 15);
}

// "Uncertainty Range", tier 3: only the pixel in the middle, if the triangle stays 1/512 and a little from its border
TEST(RasterizerState, ConservativeReachesAFiveHundredTwelfthOfAPixel) {
  const auto around_the_middle = [](double off) {
    Conservative scene(3, 3);
    return scene.drawn({at_pixel(1 + off, 1 + off, 3, 3), at_pixel(1 + off, 2 - off, 3, 3), at_pixel(2 - off, 1 + off, 3, 3)});
  };
  EXPECT_EQ(around_the_middle(1 / 256.0), "000\n010\n000\n");
  EXPECT_EQ(around_the_middle(0), "111\n111\n110\n");
}

// "Tier-3 Top-Left Rule": corners of pixels on the left edge of the border count
TEST(RasterizerState, ConservativeHasTheTopLeftRule) {
  const float d = 1 / 512.0F;
  Conservative scene(4, 4);
  EXPECT_EQ(scene.drawn({{{-1 + d, -0.5F, 0, 1}, {}}, {{d, 0.5F, 0, 1}, {}}, {{0.5F, -0.5F, 0, 1}, {}}}), "0110\n1110\n1111\n1111\n");
}

// "Inner Coverage": bits are set only for pixels inside, and the sample mask does not matter
TEST(RasterizerState, InnerCoverageIsOfPixelsAllInside) {
  const float d = 1 / 64.0F;
  for (const bool masked : {false, true}) {
    Conservative scene(3, 3, 1, builtin_shader("i32", "inner_coverage"));
    if (masked) scene.bindings.sample_mask = 0xffff'fffe;
    scene.pipeline.rasterizer.forced_samples = masked ? 4 : 0;
    EXPECT_EQ(scene.drawn({{{-1 - d, -1, 0, 1}, {}}, {{1 + d, -1, 0, 1}, {}}, {{0, 1 + 2 * d, 0, 1}, {}}}),
              masked ? "000\n000\n000\n" : "000\n010\n000\n");
  }
}

// "Post-snap degenerate culling"
TEST(RasterizerState, ConservativeDrawsTrianglesWithoutArea) {
  const std::vector<Vertex> flat{{{-1, 1, 0, 1}, {1, 0, 0, 0}}, {{1, 1 - 1 / 2048.0F, 0, 1}, {7, 0, 0, 0}}, {{1, 1, 0, 1}, {7, 0, 0, 0}}};
  Conservative scene(3, 1, 1, kColorX);
  EXPECT_EQ(scene.drawn(flat), "111\n");  // values of the first vertex
  Conservative face(3, 1, 1, builtin_shader("b1", "front_face"));
  EXPECT_EQ(face.drawn(flat), "222\n");
  Conservative culled(3, 1, 1, kColorX);
  culled.pipeline.rasterizer.cull = Cull::back;
  EXPECT_EQ(culled.drawn(flat), "000\n");
  // along the border of two pixels
  Conservative border(2, 1);
  EXPECT_EQ(border.drawn({{{0, -1, 0, 1}, {}}, {{0, 1, 0, 1}, {}}, {{-1 / 1024.0F, 1, 0, 1}, {}}}), "11\n");
}

TEST(RasterizerState, ConservativeDrawsPixelsOfAClippedTriangleOnce) {
  Conservative scene(16, 16);
  scene.draw({});
  const std::string picture = scene.drawn({{{-4, -1, 2, 4}, {}}, {{4, -1, 2, 4}, {}}, {{0, -1, -1, -1}, {}}});
  EXPECT_NE(picture.find('1'), std::string::npos);
  EXPECT_EQ(picture.find('2'), std::string::npos) << picture;
}

TEST(RasterizerState, ConservativeTakesSolidTrianglesAlone) {
  Counter scene(4, 4);
  scene.pipeline.rasterizer.conservative = true;
  scene.pipeline.topology = Topology::line_list;
  const std::vector<Vertex> vertices = full_screen();
  scene.bindings.vertex_buffers = {{std::as_bytes(std::span(vertices)), sizeof(Vertex)}};
  scene.call.count = 3;
  EXPECT_EQ(run(scene.pipeline, scene.bindings, scene.call).error().path, "rasterizer");
  scene.pipeline.topology = Topology::triangle_list;
  scene.pipeline.rasterizer.fill = Fill::wireframe;
  EXPECT_EQ(run(scene.pipeline, scene.bindings, scene.call).error().path, "rasterizer");
}

// --- FS 3.5.6: forced sample counts ------------------------------------------------------------------------------------------------------

TEST(RasterizerState, ForcedSampleCountsHavePatternsOfTheirOwn) {
  // the left half of each pixel: of the standard patterns, as many samples as lie there
  for (const unsigned samples : {1U, 4U, 8U, 16U}) {
    unsigned left = 0;
    const auto pattern = texel::sample_pattern(samples);
    for (unsigned k = 0; k < samples; ++k) left |= pattern[k][0] < 0 ? 1U << k : 0;
    Counter scene(1, 1, 1, builtin_shader("i32", "coverage"));
    scene.pipeline.rasterizer.forced_samples = samples;
    scene.pipeline.topology = Topology::triangle_strip;
    const Report report = scene.draw({at_pixel(0, 0, 1, 1), at_pixel(0.5, 0, 1, 1), at_pixel(0, 1, 1, 1), at_pixel(0.5, 1, 1, 1)});
    EXPECT_EQ(scene.picture.at(0, 0)[0], static_cast<float>(left)) << samples;
    EXPECT_EQ(report.statistics.samples_passed, static_cast<unsigned>(std::popcount(left)));
  }
}

// a pixel of which one sample is covered writes the samples of the target that its mask leaves
TEST(RasterizerState, ForcedSampleCountOfOneWritesAllSamplesOfTheTarget) {
  Counter scene(2, 1, 4);
  scene.pipeline.rasterizer.forced_samples = 1;
  scene.bindings.sample_mask = 0b0110;
  // the first pixel's centre, and not the second's
  const Report report = scene.draw({at_pixel(0, 0, 2, 1), at_pixel(1.25, 0, 2, 1), at_pixel(0, 3, 2, 1)});
  for (std::uint32_t sample = 0; sample < 4; ++sample) {
    EXPECT_EQ(scene.picture.at(0, 0, sample)[0], sample == 1 || sample == 2 ? 1 : 0);
    EXPECT_EQ(scene.picture.at(1, 0, sample)[0], 0);
  }
  EXPECT_EQ(report.statistics.samples_passed, 1U);
  EXPECT_EQ(report.statistics.pixel_runs, 1U);
}

// src: 16.11: without targets the forced count is that of the rasterizer. Sample 0 of four is covered, and not the centre.
TEST(RasterizerState, ForcedSampleCountsHoldWithoutTargets) {
  for (const std::uint32_t forced : {1U, 4U}) {
    Counter scene(2, 1, 1);
    scene.bindings.targets.clear();
    scene.pipeline.rasterizer.forced_samples = forced;
    const Report report = scene.draw({at_pixel(0, 0, 2, 1), at_pixel(0.9, 0, 2, 1), at_pixel(0, 0.45, 2, 1)});
    EXPECT_EQ(report.statistics.pixel_runs, forced == 4 ? 1U : 0U);
    EXPECT_EQ(report.statistics.samples_passed, forced == 4 ? 1U : 0U);
  }
}

TEST(RasterizerState, ForcedSampleCountsRefuseWhatIsUndefined) {
  Texture depth("D32_FLOAT", 2, 1);
  const auto path_of = [&](std::uint32_t forced, std::uint32_t samples, bool has_depth, std::string_view shader = {}) {
    Counter scene(2, 1, samples, shader);
    scene.pipeline.rasterizer.forced_samples = forced;
    if (has_depth) scene.bindings.depth_stencil = {depth.view, std::nullopt};
    const std::vector<Vertex> vertices = full_screen();
    scene.bindings.vertex_buffers = {{std::as_bytes(std::span(vertices)), sizeof(Vertex)}};
    scene.call.count = 3;
    const auto done = run(scene.pipeline, scene.bindings, scene.call);
    return done ? "" : done.error().path;
  };
  EXPECT_EQ(path_of(1, 4, false), "");
  EXPECT_EQ(path_of(16, 1, false), "");
  EXPECT_EQ(path_of(2, 1, false), "rasterizer");
  EXPECT_EQ(path_of(32, 1, false), "rasterizer");
  EXPECT_EQ(path_of(4, 4, false), "rasterizer");
  EXPECT_EQ(path_of(4, 1, true), "rasterizer");
  EXPECT_EQ(path_of(4, 1, false, builtin_shader("i32", "sample_index")), "rasterizer");
}

// --- FS 16.3.2: SV_Coverage --------------------------------------------------------------------------------------------------------------

TEST(RasterizerState, CoverageHasTheSamplesOfTheMask) {
  Counter scene(1, 1, 4, builtin_shader("i32", "coverage"));
  scene.bindings.sample_mask = 0b1010;
  scene.draw(full_screen());
  EXPECT_EQ(scene.picture.at(0, 0, 1)[0], 10);
}

TEST(RasterizerState, CoverageIsThePixelsWhereShadersRunForEachSample) {
  std::string shader = builtin_shader("i32", "coverage");
  shader.insert(shader.find("  output"), "  %2 = builtin i32 sample_index\n  %3 = u_to_f f32 %2\n  output f32 out0.y %3\n");
  for (const bool vulkan : {false, true}) {
    Counter scene(1, 1, 4, shader);
    scene.pipeline.conventions.coverage_of_sample = vulkan;
    scene.draw(full_screen());
    EXPECT_EQ(scene.picture.at(0, 0, 2)[0], vulkan ? 4 : 15);
  }
}

}  // namespace
}  // namespace unshade::draw

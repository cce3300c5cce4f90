// Numbers that implementations of Direct3D agree on: those that the tests of vkd3d-proton expect of drivers, for draws of our own.
#include <cmath>
#include <limits>

#include <unshade/texel/samples.hpp>

#include "known_answers.hpp"

namespace unshade::draw {
namespace {

using test::Color4;
using test::fill;
using test::full_screen;
using test::kBlueColor;
using test::kGreen;
using test::kGreenColor;
using test::kWhite;
using test::Scene;
using test::shader_of;
using test::Texture;
using test::Vertex;
using test::Whole;

std::vector<Vertex> turned(std::vector<Vertex> vertices) {
  std::swap(vertices[1], vertices[2]);
  return vertices;
}

// --- faces -------------------------------------------------------------------------------------------------------------------------------

struct FaceRow {
  Cull cull;
  bool counter_clockwise;
  bool shows_clockwise, shows_counter;
};
class KnownFaces : public testing::TestWithParam<FaceRow> {};
TEST_P(KnownFaces, AreCulledByTheirWinding) {
  const FaceRow& row = GetParam();
  for (const bool clockwise : {false, true}) {
    Whole scene(shader_of(kGreen));
    scene.pipeline.rasterizer.cull = row.cull;
    scene.pipeline.rasterizer.front_counter_clockwise = row.counter_clockwise;
    scene.draw(clockwise ? full_screen() : turned(full_screen()));
    EXPECT_EQ(scene.picture.at(1, 2), (clockwise ? row.shows_clockwise : row.shows_counter) ? kGreenColor : kWhite);
  }
}
INSTANTIATE_TEST_SUITE_P(Rows, KnownFaces,
                         testing::Values(FaceRow{Cull::none, false, true, true}, FaceRow{Cull::none, true, true, true},
                                         FaceRow{Cull::front, false, false, true}, FaceRow{Cull::front, true, true, false},
                                         FaceRow{Cull::back, false, true, false}, FaceRow{Cull::back, true, false, true}));

class KnownFrontFaces : public testing::TestWithParam<bool> {};
TEST_P(KnownFrontFaces, AreToldToShaders) {
  const std::string shader = shader_of(
      "  %0 = builtin b1 front_face\n  %1 = select f32 %0 1.0 0.0\n  %2 = select f32 %0 0.0 1.0\n  output f32 out0.x 0.0\n"
      "  output f32 out0.y %1\n  output f32 out0.z %2\n  output f32 out0.w 1.0\n");
  for (const bool clockwise : {false, true}) {
    Whole scene(shader);
    scene.pipeline.rasterizer.front_counter_clockwise = GetParam();
    scene.draw(clockwise ? full_screen() : turned(full_screen()));
    EXPECT_EQ(scene.picture.at(0, 0), clockwise != GetParam() ? kGreenColor : kBlueColor);
  }
}
INSTANTIATE_TEST_SUITE_P(Rows, KnownFrontFaces, testing::Bool());

// --- coverage ----------------------------------------------------------------------------------------------------------------------------

class KnownCoverage : public testing::TestWithParam<std::uint32_t> {};
TEST_P(KnownCoverage, IsThatOfTheSampleMask) {
  const std::uint32_t mask = GetParam();
  Whole scene(shader_of("  %0 = builtin i32 coverage\n  %1 = u_to_f f32 %0\n  output f32 out0.x %1\n"), 4);
  scene.bindings.sample_mask = mask;
  scene.draw(full_screen());
  for (std::uint32_t sample = 0; sample < 4; ++sample)
    EXPECT_EQ(scene.picture.at(3, 1, sample)[0], (mask >> sample & 1) != 0 ? static_cast<float>(mask & 0xf) : 1.0F);
}
INSTANTIATE_TEST_SUITE_P(Rows, KnownCoverage, testing::Values(0x01U, 0x03U, 0x07U, 0x09U, 0x0dU, 0x0fU, 0xffU, ~0U));

struct ExportRow {
  std::optional<std::uint32_t> coverage;  ///< that the shader writes, with an alpha of 0
  float alpha;                            ///< that it writes otherwise
  bool alpha_to_coverage;
  unsigned least, most;  ///< samples of four
};
class KnownCoverageOutputs : public testing::TestWithParam<ExportRow> {};
TEST_P(KnownCoverageOutputs, ChooseSamples) {
  const ExportRow& row = GetParam();
  const std::string alpha = std::to_string(row.alpha);
  const std::string lines = "  output f32 out0.x 1.0\n  output f32 out0.w " + alpha + '\n' +
                            (row.coverage ? "  output i32 out1.x " + std::to_string(*row.coverage) + '\n' : "");
  Whole scene(shader_of(lines, row.coverage ? "output \"SV_Coverage\" system_value coverage type i32 columns 1\n" : ""), 4);
  fill(scene.picture, {});
  scene.pipeline.blend.alpha_to_coverage = row.alpha_to_coverage;
  scene.draw(full_screen());
  unsigned count = 0;
  for (std::uint32_t sample = 0; sample < 4; ++sample) {
    count += scene.picture.at(2, 2, sample)[0] == 1.0F ? 1 : 0;
    if (row.coverage) {
      EXPECT_EQ(scene.picture.at(2, 2, sample)[0] == 1.0F, (*row.coverage >> sample & 1) != 0);
    }
  }
  EXPECT_GE(count, row.least);
  EXPECT_LE(count, row.most);
}
INSTANTIATE_TEST_SUITE_P(Rows, KnownCoverageOutputs,
                         testing::Values(ExportRow{{}, 0, true, 0, 0}, ExportRow{{}, 0.5F, true, 1, 3}, ExportRow{{}, 1, true, 4, 4},
                                         ExportRow{0x0, 0, false, 0, 0}, ExportRow{0x8, 0, false, 1, 1}, ExportRow{0x5, 0, false, 2, 2},
                                         ExportRow{0xb, 0, false, 3, 3}, ExportRow{0xf, 0, false, 4, 4},
                                         // what a shader writes is taken instead of alpha
                                         ExportRow{0x0, 0, true, 0, 0}, ExportRow{0x2, 0, true, 1, 1}, ExportRow{0x9, 0, true, 2, 2},
                                         ExportRow{0xd, 0, true, 3, 3}, ExportRow{0xf, 0, true, 4, 4}));

TEST(KnownAnswers, ACoverageOutputOfZeroWritesNothingOfOneSample) {
  Whole scene(
      shader_of("  output f32 out0.x 0.5\n  output i32 out1.x 0\n", "output \"SV_Coverage\" system_value coverage type i32 columns 1\n"));
  scene.draw(full_screen());
  EXPECT_EQ(scene.picture.at(0, 0), kWhite);
}

class KnownSamplePositions : public testing::TestWithParam<std::uint32_t> {};
TEST_P(KnownSamplePositions, AreThoseOfTheStandardPattern) {
  // src: Direct3D 11.3 functional specification 19.2.4.1
  const std::vector<std::vector<std::array<int, 2>>> kPatterns{{{0, 0}},
                                                               {{4, 4}, {-4, -4}},
                                                               {{-2, -6}, {6, -2}, {-6, 2}, {2, 6}},
                                                               {{1, -3}, {-1, 3}, {5, 1}, {-3, -5}, {-5, 5}, {-7, -1}, {3, 7}, {7, -7}},
                                                               {{1, 1},
                                                                {-1, -3},
                                                                {-3, 2},
                                                                {4, -1},
                                                                {-5, -2},
                                                                {2, 5},
                                                                {5, 3},
                                                                {3, -5},
                                                                {-2, 6},
                                                                {0, -7},
                                                                {-4, -6},
                                                                {-6, 4},
                                                                {-8, 0},
                                                                {7, -4},
                                                                {6, 7},
                                                                {-7, -8}}};
  const std::uint32_t samples = 1U << GetParam();
  for (std::uint32_t sample = 0; sample < samples; ++sample) {
    Whole scene(
        shader_of("  %0 = builtin f32 sample_location.x\n  %1 = builtin f32 sample_location.y\n  output f32 out0.x %0\n  output f32 "
                  "out0.y %1\n"),
        samples, 1);
    scene.draw(full_screen());
    EXPECT_EQ(scene.picture.at(0, 0, sample)[0], 0.5F + static_cast<float>(kPatterns[GetParam()][sample][0]) / 16);
    EXPECT_EQ(scene.picture.at(0, 0, sample)[1], 0.5F + static_cast<float>(kPatterns[GetParam()][sample][1]) / 16);
  }
}
INSTANTIATE_TEST_SUITE_P(Samples, KnownSamplePositions, testing::Range(0U, 5U));

// --- depth -------------------------------------------------------------------------------------------------------------------------------

struct BiasRow {
  const char* format;
  std::uint32_t in_target;  ///< bits of f32
  std::int32_t bias;
  bool passes;
};
class KnownDepthBias : public testing::TestWithParam<BiasRow> {};
TEST_P(KnownDepthBias, IsInStepsOfTheFormat) {
  const BiasRow& row = GetParam();
  constexpr std::uint32_t kDrawn = 0x3c80'0000;  // 1/64
  const auto target = *find_depth_stencil_format(row.format);
  Texture depth(row.format, 4, 4);
  Scene scene;
  scene.bindings.depth_stencil = target;
  scene.bindings.depth_stencil.texture = depth.view;
  scene.bindings.depth_stencil.texture.format = target.texture.format;
  scene.bindings.viewports = {{0, 0, 4, 4}};
  for (std::size_t at = 0; at < depth.bytes.size(); at += depth.view.format.bytes())
    texel::store_texel(target.texture.format, {row.in_target}, &depth.bytes[at]);
  scene.pipeline.depth_stencil = {.depth_write = false, .comparison = texel::Comparison::greater_equal};
  scene.pipeline.rasterizer.depth_bias = row.bias;
  EXPECT_EQ(scene.draw(full_screen(std::bit_cast<float>(kDrawn))).statistics.samples_passed, row.passes ? 16U : 0U);
}
INSTANTIATE_TEST_SUITE_P(Rows, KnownDepthBias,
                         testing::Values(BiasRow{"D16_UNORM", 0x3c80'2000, 0, false}, BiasRow{"D16_UNORM", 0x3c80'2000, 1, true},
                                         BiasRow{"D16_UNORM", 0x3c82'0000, 1, false}, BiasRow{"D24_UNORM_S8_UINT", 0x3c80'0020, 0, false},
                                         BiasRow{"D24_UNORM_S8_UINT", 0x3c80'0020, 1, true},
                                         BiasRow{"D24_UNORM_S8_UINT", 0x3c80'0200, 1, false}, BiasRow{"D32_FLOAT", 0x3c80'0001, 0, false},
                                         BiasRow{"D32_FLOAT", 0x3c80'0001, 1, true}, BiasRow{"D32_FLOAT", 0x3c80'0020, 1, false}));

struct SeenBiasRow {
  bool has_target, tests;
  std::int32_t bias;
  float slope;
};
class KnownSeenDepthBias : public testing::TestWithParam<SeenBiasRow> {};
// pixel shaders see the bias in SV_Position, whether there is a depth target or not
TEST_P(KnownSeenDepthBias, IsInSvPosition) {
  const SeenBiasRow& row = GetParam();
  const auto drawn = [&](bool biased) {
    Whole scene(shader_of("  %0 = input f32 in0.z\n  output f32 out0.x %0\n"));
    Texture depth("D32_FLOAT", 4, 4);
    fill(depth, kWhite);
    if (row.has_target) scene.bindings.depth_stencil = {depth.view, std::nullopt};
    scene.pipeline.depth_stencil = {.depth = row.tests, .comparison = texel::Comparison::less_equal};
    if (biased) {
      scene.pipeline.rasterizer.depth_bias = row.bias;
      scene.pipeline.rasterizer.slope_scaled_depth_bias = row.slope;
    }
    std::vector<Vertex> vertices = full_screen(0.25F);
    vertices[2].position[2] = 0.75F;
    scene.draw(vertices);
    return scene.picture.at(2, 1)[0];
  };
  EXPECT_GT(drawn(true), drawn(false));
  EXPECT_LT(drawn(true), drawn(false) + 4.0F / 65536);
}
INSTANTIATE_TEST_SUITE_P(Rows, KnownSeenDepthBias,
                         testing::Values(SeenBiasRow{true, true, 1, 0}, SeenBiasRow{true, true, 0, 0.0001F}, SeenBiasRow{true, false, 1, 0},
                                         SeenBiasRow{true, false, 0, 0.0001F}, SeenBiasRow{false, true, 1, 0},
                                         SeenBiasRow{false, true, 0, 0.0001F}, SeenBiasRow{false, false, 1, 0},
                                         SeenBiasRow{false, false, 0, 0.0001F}));

struct ClipRow {
  float drawn;
  bool clips, shows;
  float left;  ///< in a target that held 0.125
};
class KnownDepthClip : public testing::TestWithParam<ClipRow> {};
TEST_P(KnownDepthClip, LeavesWhatIsInTheVolumeOrClamps) {
  const ClipRow& row = GetParam();
  Whole scene(shader_of(kGreen));
  Texture depth("D32_FLOAT", 4, 4);
  fill(depth, {0.125F});
  scene.bindings.depth_stencil = {depth.view, std::nullopt};
  scene.pipeline.depth_stencil = {.comparison = texel::Comparison::always};
  scene.pipeline.rasterizer.depth_clip = row.clips;
  scene.draw(full_screen(row.drawn));
  EXPECT_EQ(scene.picture.at(1, 1), row.shows ? kGreenColor : kWhite);
  EXPECT_EQ(depth.at(1, 1)[0], row.left);
}
INSTANTIATE_TEST_SUITE_P(Rows, KnownDepthClip,
                         testing::Values(ClipRow{0, true, true, 0}, ClipRow{0.5F, true, true, 0.5F}, ClipRow{-0.5F, true, false, 0.125F},
                                         ClipRow{1, true, true, 1}, ClipRow{1.5F, true, false, 0.125F}, ClipRow{0, false, true, 0},
                                         ClipRow{0.5F, false, true, 0.5F}, ClipRow{-0.5F, false, true, 0}, ClipRow{1, false, true, 1},
                                         ClipRow{1.5F, false, true, 1}));

TEST(KnownAnswers, DepthOfShadersIsClampedToTheViewport) {
  Whole scene(shader_of("  output f32 out1.x 2.0\n", "output \"SV_Depth\" system_value depth type f32 columns 1\n"));
  Texture depth("D32_FLOAT", 4, 4);
  fill(depth, {0.125F});
  scene.bindings.depth_stencil = {depth.view, std::nullopt};
  scene.pipeline.depth_stencil = {.comparison = texel::Comparison::always};
  scene.draw(full_screen(0));
  EXPECT_EQ(depth.at(3, 3)[0], 1);
}

TEST(KnownAnswers, StencilReferencesOfShadersAreTaken) {
  Whole scene(shader_of("  output i32 out1.x 255\n", "output \"SV_StencilRef\" system_value stencil_ref type i32 columns 1\n"));
  Texture depth("D32_FLOAT_S8X24_UINT", 4, 4);
  scene.bindings.depth_stencil = *find_depth_stencil_format("D32_FLOAT_S8X24_UINT");
  const auto format = scene.bindings.depth_stencil.texture.format;
  scene.bindings.depth_stencil.texture = depth.view;
  scene.bindings.depth_stencil.texture.format = format;
  scene.bindings.stencil_references = {0x40, 0x40};
  scene.pipeline.depth_stencil.stencil = true;
  scene.pipeline.depth_stencil.front.pass = StencilOp::replace;
  scene.draw(full_screen());
  EXPECT_EQ(depth.bytes[4], std::byte{0xff});
}

TEST(KnownAnswers, FacesHaveTheirOwnStencil) {
  Whole scene(shader_of(""));
  Texture depth("D32_FLOAT_S8X24_UINT", 4, 4);
  scene.bindings.depth_stencil = *find_depth_stencil_format("D32_FLOAT_S8X24_UINT");
  const auto format = scene.bindings.depth_stencil.texture.format;
  scene.bindings.depth_stencil.texture = depth.view;
  scene.bindings.depth_stencil.texture.format = format;
  scene.bindings.stencil_references = {0x5a, 0xa5};
  scene.pipeline.rasterizer.cull = Cull::none;
  scene.pipeline.depth_stencil = {.comparison = texel::Comparison::always, .stencil = true};
  scene.pipeline.depth_stencil.front = {.pass = StencilOp::replace, .write_mask = 0x3f};
  scene.pipeline.depth_stencil.back = {.pass = StencilOp::replace, .write_mask = 0xc0};
  scene.draw(full_screen());
  EXPECT_EQ(depth.bytes[4], std::byte{0x1a});
  auto turned = full_screen();
  std::swap(turned[1], turned[2]);
  scene.draw(turned);
  EXPECT_EQ(depth.bytes[4], std::byte{0x9a});
}

// --- lines -------------------------------------------------------------------------------------------------------------------------------

struct LineRow {
  LineMode mode;
  std::uint16_t least, most;  ///< pixels that must, and may, be drawn: bit 4 * y + x
  bool has_alpha;
};
class KnownLines : public testing::TestWithParam<LineRow> {};
TEST_P(KnownLines, CoverThesePixels) {
  const LineRow& row = GetParam();
  Whole scene(shader_of("  output f32 out0.x 0.0\n  output f32 out0.y 0.0\n  output f32 out0.z 0.0\n  output f32 out0.w 1.0\n"));
  scene.pipeline.topology = Topology::line_list;
  scene.pipeline.rasterizer.lines = row.mode;
  scene.pipeline.blend.targets[0] = {.blend = true, .src = BlendFactor::src_alpha, .dest = BlendFactor::inv_src_alpha};
  scene.draw({{{-1, -0.55F, 0, 1}, {}}, {{1, 0.55F, 0, 1}, {}}});
  std::uint16_t covered = 0;
  bool has_alpha = false;
  for (std::uint32_t at = 0; at < 16; ++at) {
    const auto red = static_cast<int>(std::lround(scene.picture.at(at % 4, at / 4)[0] * 255));
    if (red < 255) covered = static_cast<std::uint16_t>(covered | 1U << at);
    has_alpha = has_alpha || (red > 0 && red < 255);
  }
  EXPECT_EQ(row.least & ~covered, 0) << covered;
  EXPECT_EQ(covered & ~row.most, 0) << covered;
  EXPECT_EQ(has_alpha, row.has_alpha);
}
INSTANTIATE_TEST_SUITE_P(Rows, KnownLines,
                         testing::Values(LineRow{LineMode::aliased, 0x03c0, 0x03c0, false},
                                         LineRow{LineMode::alpha_antialiased, 0x13c8, 0x3ffc, true},
                                         LineRow{LineMode::quadrilateral_wide, 0x03c0, 0x17e8, false},
                                         LineRow{LineMode::quadrilateral_narrow, 0x03c0, 0x03c0, false}));

// --- viewports ---------------------------------------------------------------------------------------------------------------------------

class KnownFractionalViewports : public testing::TestWithParam<float> {};
TEST_P(KnownFractionalViewports, BeginWhereTheyBegin) {
  const float offset = GetParam();
  constexpr std::uint32_t kSize = 34;
  Whole scene(
      shader_of("  %0 = input f32 in0.x\n  %1 = input f32 in0.y\n  %2 = input f32 in1.x\n  %3 = input f32 in1.y\n  output f32 out0.x %0\n"
                "  output f32 out0.y %1\n  output f32 out0.z %2\n  output f32 out0.w %3\n"),
      1, kSize);
  scene.pipeline.topology = Topology::triangle_strip;
  scene.bindings.viewports = {{1 + offset, 1 + offset, kSize - 2, kSize - 2}};
  scene.draw({{{-1, -1, 0, 1}, {0, 0, 0, 0}}, {{-1, 1, 0, 1}, {0, 1, 0, 0}}, {{1, -1, 0, 1}, {1, 0, 0, 0}}, {{1, 1, 0, 1}, {1, 1, 0, 0}}});
  for (std::uint32_t y = 0; y + 1 < kSize; ++y) {
    for (std::uint32_t x = 0; x + 1 < kSize; ++x) {
      const float px = static_cast<float>(x) + 0.5F, py = static_cast<float>(y) + 0.5F;
      const bool inside = x != 0 && y != 0 && px >= 1 + offset && py >= 1 + offset;
      const Color4 found = scene.picture.at(x, y);
      ASSERT_EQ(found[0], inside ? px : 1) << x << ' ' << y;
      ASSERT_EQ(found[1], inside ? py : 1) << x << ' ' << y;
      const auto at_place = [&](std::uint32_t place) {
        return (static_cast<float>(place) - 0.5F - offset) / static_cast<float>(kSize - 2);
      };
      ASSERT_NEAR(found[2], inside ? at_place(x) : 1, 3e-7) << x << ' ' << y;
      ASSERT_NEAR(found[3], inside ? 1 - at_place(y) : 1, 3e-7) << x << ' ' << y;
    }
  }
}
INSTANTIATE_TEST_SUITE_P(Offsets, KnownFractionalViewports,
                         testing::Values(0.0F, 1 / 2.0F, 1 / 4.0F, 3 / 4.0F, 1 / 8.0F, 1 / 16.0F, 1 / 32.0F, 1 / 64.0F, 1 / 128.0F,
                                         1 / 256.0F, 63 / 128.0F, 127 / 128.0F));

// A viewport of a negative height, from its lower side up, turns the picture; so is depth by its range.
TEST(KnownAnswers, NegativeViewportsTurnThePicture) {
  constexpr std::uint32_t kSize = 8;
  Whole scene(
      shader_of("  %0 = input f32 in0.x\n  %1 = input f32 in0.y\n  %2 = input f32 in0.z\n  %3 = input f32 in1.y\n  output f32 out0.x %0\n"
                "  output f32 out0.y %1\n  output f32 out0.z %2\n  output f32 out0.w %3\n"),
      1, kSize);
  scene.pipeline.topology = Topology::triangle_strip;
  for (std::uint32_t y = 0; y < kSize; y += kSize / 2) {
    for (std::uint32_t x = 0; x < kSize; x += kSize / 2) {
      scene.bindings.viewports = {{static_cast<float>(x), static_cast<float>(kSize - y), kSize / 2, -static_cast<float>(kSize / 2), 1, 0}};
      scene.draw(
          {{{-1, 1, 0, 1}, {0, 1, 0, 0}}, {{-1, -1, 1, 1}, {0, 0, 0, 0}}, {{1, 1, 0, 1}, {1, 1, 0, 0}}, {{1, -1, 1, 1}, {1, 0, 0, 0}}});
    }
  }
  for (std::uint32_t y = 0; y < kSize; ++y) {
    for (std::uint32_t x = 0; x < kSize; ++x) {
      const float down = (static_cast<float>(y % (kSize / 2)) * 2 + 1) / kSize;
      const Color4 found = scene.picture.at(x, y);
      EXPECT_EQ(found[0], static_cast<float>(x) + 0.5F);
      EXPECT_EQ(found[1], static_cast<float>(y) + 0.5F);
      EXPECT_NEAR(found[2], down, 1e-6);
      EXPECT_NEAR(found[3], down, 1e-6);
    }
  }
}

TEST(KnownAnswers, ScissorsKeepWhatIsInside) {
  Whole scene(shader_of(kGreen), 1, 64);
  scene.pipeline.rasterizer.scissor = true;
  scene.bindings.scissors = {{16, 12, 48, 36}};
  scene.draw(full_screen());
  EXPECT_EQ(scene.picture.at(32, 6), kWhite);
  EXPECT_EQ(scene.picture.at(8, 24), kWhite);
  EXPECT_EQ(scene.picture.at(32, 24), kGreenColor);
  EXPECT_EQ(scene.picture.at(56, 24), kWhite);
  EXPECT_EQ(scene.picture.at(32, 42), kWhite);
  EXPECT_EQ(scene.picture.at(16, 12), kGreenColor);
  EXPECT_EQ(scene.picture.at(48, 36), kWhite);
}

// --- distances ---------------------------------------------------------------------------------------------------------------------------

/// Gives the components of COLOR as distances: one of two elements.
std::string distance_shader(std::string_view kind) {
  return "stage vertex\ninput \"POSITION\" type f32 register 0\ninput \"COLOR\" type f32 register 1\n"
         "output \"SV_Position\" system_value position type f32 register 0\noutput \"SV_Distance\" system_value " +
         std::string(kind) +
         " type f32 register 1\n\nfunction @main {\n^0:\n  %0 = input f32 in0.x\n  %1 = input f32 in0.y\n  %4 = input f32 in1.x\n  %5 = "
         "input f32 "
         "in1.y\n  %6 = input f32 in1.z\n  %7 = input f32 in1.w\n  output f32 out0.x %0\n  output f32 out0.y %1\n  output f32 out0.z 0.0\n"
         "  output f32 out0.w 1.0\n  output f32 out1.x %4\n  output f32 out1.y %5\n  output f32 out1.z %6\n  output f32 out1.w %7\n  "
         "return\n}\n";
}

/// A quad as a strip, with distances by vertex.
struct Distances : Whole {
  Distances(std::string_view kind, const std::array<Color4, 4>& distances)
      : Whole(shader_of(kGreen), 1, 8), own(test::program_of(distance_shader(kind))) {
    pipeline.vertex = &own;
    pipeline.topology = Topology::triangle_strip;
    draw({{{-1, -1, 0, 1}, distances[0]}, {{-1, 1, 0, 1}, distances[1]}, {{1, -1, 0, 1}, distances[2]}, {{1, 1, 0, 1}, distances[3]}});
  }
  bool shows(std::uint32_t x, std::uint32_t y) const { return picture.at(x, y) == kGreenColor; }
  vm::Program own;
};

struct CullRow {
  std::array<float, 4> distances;
  bool first, second;  ///< triangles of the strip that show
};
class KnownCullDistances : public testing::TestWithParam<CullRow> {};
// each of the distances culls alone
TEST_P(KnownCullDistances, CullTrianglesThatAreBelowAtAllVertices) {
  const CullRow& row = GetParam();
  for (std::size_t component = 0; component < 4; ++component) {
    std::array<Color4, 4> distances{kWhite, kWhite, kWhite, kWhite};
    for (std::size_t vertex = 0; vertex < 4; ++vertex) distances[vertex][component] = row.distances[vertex];
    const Distances scene("cull_distance", distances);
    EXPECT_EQ(scene.shows(1, 3), row.first) << component;
    EXPECT_EQ(scene.shows(6, 4), row.second) << component;
  }
}
INSTANTIATE_TEST_SUITE_P(Rows, KnownCullDistances,
                         testing::Values(CullRow{{-1, 1, 1, 1}, true, true}, CullRow{{1, -1, 1, 1}, true, true},
                                         CullRow{{1, 1, 1, -1}, true, true}, CullRow{{-1, -1, 1, 1}, true, true},
                                         CullRow{{-1, 1, -1, 1}, true, true}, CullRow{{-1, 1, 1, -1}, true, true},
                                         CullRow{{1, -1, -1, 1}, true, true}, CullRow{{1, -1, 1, -1}, true, true},
                                         CullRow{{1, 1, -1, -1}, true, true}, CullRow{{-1, -1, -1, 1}, false, true},
                                         CullRow{{-1, -1, 1, -1}, true, true}, CullRow{{-1, 1, -1, -1}, true, true},
                                         CullRow{{1, -1, -1, -1}, true, false}, CullRow{{-1, -1, -1, -1}, false, false}));

class KnownClipDistances : public testing::TestWithParam<std::size_t> {};
TEST_P(KnownClipDistances, EachClipsAlone) {
  std::array<Color4, 4> distances{kWhite, kWhite, kWhite, kWhite};
  for (Color4& one : distances) one[GetParam()] = -1;
  const Distances scene("clip_distance", distances);
  EXPECT_FALSE(scene.shows(1, 3) || scene.shows(6, 4));
  // what falls from 1 at the left to -1 at the right clips the right half
  distances = {kWhite, kWhite, kWhite, kWhite};
  distances[2][GetParam()] = distances[3][GetParam()] = -1;
  const Distances half("clip_distance", distances);
  EXPECT_TRUE(half.shows(0, 3) && half.shows(3, 6));
  EXPECT_FALSE(half.shows(4, 3) || half.shows(7, 6));
}
INSTANTIATE_TEST_SUITE_P(Components, KnownClipDistances, testing::Range<std::size_t>(0, 4));

TEST(KnownAnswers, TwoClipDistancesLeaveAQuarter) {
  const std::array<Color4, 4> distances{Color4{1, -1, 1, 1}, Color4{1, 1, 1, 1}, Color4{-1, -1, 1, 1}, Color4{-1, 1, 1, 1}};
  const Distances scene("clip_distance", distances);
  EXPECT_TRUE(scene.shows(1, 1));
  EXPECT_FALSE(scene.shows(1, 6) || scene.shows(6, 1) || scene.shows(6, 6));
  EXPECT_TRUE(Distances("clip_distance", {Color4{0, 0, 1, 1}, Color4{0, 0, 1, 1}, Color4{0, 0, 1, 1}, Color4{0, 0, 1, 1}}).shows(6, 6));
}

// --- blending ----------------------------------------------------------------------------------------------------------------------------

struct FactorRow {
  std::array<float, 4> factor;
  Color4 expected;
};
class KnownBlendFactors : public testing::TestWithParam<FactorRow> {};
TEST_P(KnownBlendFactors, MixGreenAndWhite) {
  Whole scene(shader_of(kGreen));
  scene.pipeline.blend.targets[0] = {.blend = true, .src = BlendFactor::blend_factor, .dest = BlendFactor::inv_blend_factor};
  scene.bindings.blend_factor = GetParam().factor;
  scene.draw(full_screen());
  EXPECT_EQ(scene.picture.at(1, 3), GetParam().expected);
}
INSTANTIATE_TEST_SUITE_P(Rows, KnownBlendFactors,
                         testing::Values(FactorRow{{0, 0, 0, 0}, kWhite}, FactorRow{{0, 1, 0, 1}, kWhite},
                                         FactorRow{{0.5F, 0.5F, 0.5F, 0.5F}, Color4{0.5F, 1, 0.5F, 1}},
                                         FactorRow{{1, 1, 1, 1}, kGreenColor}));

struct DualRow {
  Color4 first, second, expected;
};
class KnownDualSources : public testing::TestWithParam<DualRow> {};
TEST_P(KnownDualSources, MultiplyTheTargetByTheSecond) {
  const DualRow& row = GetParam();
  std::string lines;
  for (unsigned target = 0; target < 2; ++target)
    for (unsigned k = 0; k < 4; ++k)
      lines += "  output f32 out" + std::to_string(target) + '.' + "xyzw"[k] + ' ' +
               std::to_string((target == 0 ? row.first : row.second)[k]) + '\n';
  Whole scene(shader_of(lines, "output \"SV_Target\" index 1 system_value target type f32 register 1\n"));
  scene.pipeline.blend.targets[0] = {.blend = true,
                                     .src = BlendFactor::one,
                                     .dest = BlendFactor::src1_color,
                                     .src_alpha = BlendFactor::one,
                                     .dest_alpha = BlendFactor::src1_alpha};
  scene.draw(full_screen());
  EXPECT_EQ(scene.picture.at(2, 2), row.expected);
}
INSTANTIATE_TEST_SUITE_P(Rows, KnownDualSources,
                         testing::Values(DualRow{{}, {}, {}}, DualRow{{}, {1, 0, 0, 1}, {1, 0, 0, 1}},
                                         DualRow{{1, 0, 0, 1}, {}, {1, 0, 0, 1}}, DualRow{{1, 0, 0, 1}, {0, 1, 1, 0}, {1, 1, 1, 1}}));

// --- conservative rasterization ----------------------------------------------------------------------------------------------------------

// Stencil bits of three draws: conservative, plain, and conservative with a shader that discards unless the pixel is inside.
TEST(KnownAnswers, ConservativePixelsAreMoreThanPlainOnesAndInnerOnesLess) {
  const std::vector<Vertex> triangle{{{0.5F, -0.5F, 1, 1}, {}}, {{-0.5F, -0.5F, 1, 1}, {}}, {{0, 0.5F, 1, 1}, {}}};
  const auto pixels = [&](bool conservative, std::string_view builtin) {
    Whole scene(shader_of("  %0 = builtin i32 " + std::string(builtin) + "\n  %1 = ieq i32 %0 0\n  demote %1\n" + std::string(kGreen)), 1,
                32);
    scene.pipeline.rasterizer.conservative = conservative;
    scene.draw(triangle);
    std::vector<bool> made;
    for (std::uint32_t at = 0; at < 32 * 32; ++at) made.push_back(scene.picture.at(at % 32, at / 32) == kGreenColor);
    return made;
  };
  const auto over = pixels(true, "coverage"), plain = pixels(false, "coverage"), under = pixels(true, "inner_coverage");
  std::array<unsigned, 3> counts{};
  for (std::size_t at = 0; at < plain.size(); ++at) {
    counts[0] += over[at] ? 1 : 0;
    counts[1] += plain[at] ? 1 : 0;
    counts[2] += under[at] ? 1 : 0;
    EXPECT_TRUE(over[at] || !plain[at]);
    EXPECT_TRUE(plain[at] || !under[at]);
  }
  EXPECT_GT(counts[0], counts[1]);
  EXPECT_GT(counts[1], counts[2]);
  EXPECT_GT(counts[2], 0U);
}

}  // namespace
}  // namespace unshade::draw

// Numbers that implementations of Direct3D agree on, of what follows the pixel shader: those that Wine's test of d3d11 expects of drivers
// (the test's name stands before each), for draws of our own.
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <memory>
#include <tuple>

#include "known_answers.hpp"

namespace unshade::draw {
namespace {

using test::Color4;
using test::color_lines;
using test::color_of_bytes;
using test::fill;
using test::is_near;
using test::kGreen;
using test::kWhite;
using test::Scene;
using test::shader_of;
using test::strip_of;
using test::targets_after_first;
using test::Texture;
using test::Vertex;

constexpr std::string_view kPassed =
    "  %0 = input f32 in1.x\n  %1 = input f32 in1.y\n  %2 = input f32 in1.z\n  %3 = input f32 in1.w\n  output f32 out0.x %0\n"
    "  output f32 out0.y %1\n  output f32 out0.z %2\n  output f32 out0.w %3\n";

/// Draws of strips into targets of one format, all of one color before.
struct Outputs : Scene {
  Outputs(std::string_view shader, std::string_view format, unsigned count, const Color4& color, std::uint32_t samples = 1)
      : Scene(shader) {
    for (unsigned at = 0; at < count; ++at) {
      pictures.push_back(std::make_unique<Texture>(format, 4, 4, samples));
      target(*pictures.back());
      fill(*pictures.back(), color);
    }
    pipeline.topology = Topology::triangle_strip;
  }
  std::vector<std::unique_ptr<Texture>> pictures;
};

// --- test_blend --------------------------------------------------------------------------------------------------------------------------

/// A quad over the lower half by the first state, then one over the upper half by the second.
struct BlendRow {
  const char* format;
  std::array<BlendFactor, 2> src, dest, src_alpha, dest_alpha;
  std::uint32_t lower, upper;
};
class KnownBlends : public testing::TestWithParam<BlendRow> {};
TEST_P(KnownBlends, MixWithTheTarget) {
  const BlendRow& row = GetParam();
  Outputs scene(shader_of(kPassed), row.format, 1, {1, 0, 0, 0.5F});
  scene.bindings.blend_factor = {0.3F, 0.4F, 0.8F, 0.9F};
  for (unsigned half = 0; half < 2; ++half) {
    scene.pipeline.blend.targets[0] = {
        .blend = true, .src = row.src[half], .dest = row.dest[half], .src_alpha = row.src_alpha[half], .dest_alpha = row.dest_alpha[half]};
    std::vector<Vertex> quad = strip_of(0.1F, color_of_bytes(half == 0 ? 0x4000'ff00 : 0xc0ff'0000));
    for (Vertex& vertex : quad) vertex.position[1] = (vertex.position[1] + (half == 0 ? -1.0F : 1.0F)) / 2;
    scene.draw(quad);
  }
  const bool has_alpha = std::string_view(row.format) == "R8G8B8A8_UNORM";
  for (const auto& [y, expected] : {std::pair(3U, row.lower), std::pair(0U, row.upper)}) {
    Color4 found = scene.pictures[0]->at(2, y);
    if (!has_alpha) found[3] = color_of_bytes(expected)[3];
    EXPECT_TRUE(is_near(found, expected)) << y;
  }
}
constexpr std::array kSrcAlphas{BlendFactor::src_alpha, BlendFactor::dest_alpha};
constexpr std::array kInvAlphas{BlendFactor::inv_src_alpha, BlendFactor::inv_dest_alpha};
constexpr std::array kFactors{BlendFactor::blend_factor, BlendFactor::blend_factor};
constexpr std::array kInvFactors{BlendFactor::inv_blend_factor, BlendFactor::inv_blend_factor};
constexpr std::array kDestAlphas{BlendFactor::dest_alpha, BlendFactor::dest_alpha};
constexpr std::array kInvDestAlphas{BlendFactor::inv_dest_alpha, BlendFactor::inv_dest_alpha};
INSTANTIATE_TEST_SUITE_P(
    Rows, KnownBlends,
    testing::Values(BlendRow{"R8G8B8A8_UNORM", kSrcAlphas, kInvAlphas, kSrcAlphas, kInvAlphas, 0x7000'40bf, 0xa080'007f},
                    BlendRow{"R8G8B8A8_UNORM", kFactors, kInvFactors, kDestAlphas, kInvDestAlphas, 0x6000'66b3, 0xa0cc'00b3},
                    // the alpha of a target without one is 1
                    BlendRow{"B8G8R8X8_UNORM", kSrcAlphas, kInvAlphas, kSrcAlphas, kInvAlphas, 0x0000'40bf, 0x00ff'0000}));

// --- test_line_antialiasing_blending -----------------------------------------------------------------------------------------------------

struct LineStateRow {
  Color4 cleared, drawn;
  bool blend;
  LineMode lines;
  std::uint32_t expected;
};
class KnownLineStates : public testing::TestWithParam<LineStateRow> {};
// modes of lines change nothing of triangles, nor do they turn blending on
TEST_P(KnownLineStates, LeaveTrianglesAlone) {
  const LineStateRow& row = GetParam();
  Outputs scene(shader_of(color_lines(row.drawn)), "R8G8B8A8_UNORM", 1, row.cleared);
  scene.pipeline.rasterizer.lines = row.lines;
  if (row.blend) {
    scene.pipeline.blend.targets[0] = {.blend = true,
                                       .src = BlendFactor::src_alpha,
                                       .dest = BlendFactor::dest_alpha,
                                       .src_alpha = BlendFactor::src_alpha,
                                       .dest_alpha = BlendFactor::dest_alpha};
  }
  scene.draw(strip_of());
  EXPECT_TRUE(is_near(scene.pictures[0]->at(1, 2), row.expected));
}
constexpr Color4 kSheerRed{1, 0, 0, 0.8F}, kSheerGreen{0, 1, 0, 0.5F};
INSTANTIATE_TEST_SUITE_P(Rows, KnownLineStates,
                         testing::Values(LineStateRow{kSheerRed, kSheerGreen, true, LineMode::aliased, 0xe200'7fcc},
                                         LineStateRow{kSheerGreen, kSheerRed, true, LineMode::aliased, 0xe200'7fcc},
                                         LineStateRow{kSheerRed, kSheerGreen, false, LineMode::aliased, 0x7f00'ff00},
                                         LineStateRow{kSheerGreen, kSheerRed, false, LineMode::aliased, 0xcc00'00ff},
                                         LineStateRow{kSheerRed, kSheerGreen, false, LineMode::alpha_antialiased, 0x7f00'ff00},
                                         LineStateRow{kSheerGreen, kSheerRed, false, LineMode::alpha_antialiased, 0xcc00'00ff}));

// --- test_multiple_render_targets --------------------------------------------------------------------------------------------------------

class KnownTargets : public testing::TestWithParam<unsigned> {};
TEST_P(KnownTargets, GetTheirOwnOutput) {
  constexpr std::array<std::uint32_t, 4> kExpected{0xffff'ffff, 0x7f7f'7f7f, 0x3333'3333, 0xff7f'3300};
  const std::string shader = shader_of(color_lines(kWhite) + color_lines({0.5F, 0.5F, 0.5F, 0.5F}, 1) +
                                           color_lines({0.2F, 0.2F, 0.2F, 0.2F}, 2) + color_lines({0, 0.2F, 0.5F, 1}, 3),
                                       targets_after_first(4));
  Outputs all(shader, "R8G8B8A8_UNORM", 4, {1, 0, 0, 1});
  all.draw(strip_of());
  EXPECT_TRUE(is_near(all.pictures[GetParam()]->at(2, 2), kExpected[GetParam()]));
  // and where no other is bound
  Outputs alone(shader, "R8G8B8A8_UNORM", 4, {1, 0, 0, 1});
  for (unsigned other = 0; other < 4; ++other)
    if (other != GetParam()) alone.bindings.targets[other] = {};
  alone.draw(strip_of());
  for (unsigned target = 0; target < 4; ++target)
    EXPECT_TRUE(is_near(alone.pictures[target]->at(2, 2), target == GetParam() ? kExpected[target] : 0xff00'00ff)) << target;
}
INSTANTIATE_TEST_SUITE_P(Targets, KnownTargets, testing::Range(0U, 4U));

// --- test_alpha_to_coverage --------------------------------------------------------------------------------------------------------------

struct AlphaRow {
  std::uint32_t samples;
  const char* format;
  std::array<std::uint32_t, 3> inside;  ///< by target, where the first one's alpha is 1
  std::uint32_t outside;                ///< where it is 0
};
class KnownAlphaToCoverage : public testing::TestWithParam<AlphaRow> {};
// the alpha of the first target alone decides, also of a format that does not hold it, and of targets with one sample
TEST_P(KnownAlphaToCoverage, ChoosesPixelsOfAllTargets) {
  const AlphaRow& row = GetParam();
  Outputs scene(shader_of("  %0 = input f32 in0.x\n  %1 = fle f32 %0 2.0\n  %2 = select f32 %1 1.0 0.0\n  output f32 out0.x 0.0\n"
                          "  output f32 out0.y 1.0\n  output f32 out0.z 0.0\n  output f32 out0.w %2\n" +
                              color_lines({0, 0, 1, 0.75F}, 1) + color_lines({0, 1, 0, 0.5F}, 2),
                          targets_after_first(3)),
                row.format, 3, kWhite, row.samples);
  scene.pipeline.blend.alpha_to_coverage = true;
  scene.draw(strip_of());
  for (unsigned target = 0; target < 3; ++target) {
    for (std::uint32_t sample = 0; sample < row.samples; ++sample) {
      EXPECT_TRUE(is_near(scene.pictures[target]->at(1, 2, sample), row.inside[target])) << target;
      EXPECT_TRUE(is_near(scene.pictures[target]->at(2, 2, sample), row.outside)) << target;
    }
  }
}
INSTANTIATE_TEST_SUITE_P(Rows, KnownAlphaToCoverage,
                         testing::Values(AlphaRow{1, "R8G8B8A8_UNORM", {0xff00'ff00, 0xbfff'0000, 0x8000'ff00}, 0xffff'ffff},
                                         AlphaRow{4, "R8G8B8A8_UNORM", {0xff00'ff00, 0xbfff'0000, 0x8000'ff00}, 0xffff'ffff},
                                         AlphaRow{1, "R16G16_UNORM", {0xff00'ff00, 0xff00'0000, 0xff00'ff00}, 0xff00'ffff}));

// --- test_sample_mask --------------------------------------------------------------------------------------------------------------------

struct MaskRow {
  std::uint32_t mask;
  unsigned samples;  ///< that are written
};
class KnownSampleMasks : public testing::TestWithParam<MaskRow> {};
TEST_P(KnownSampleMasks, CombineWithTheShaders) {
  Outputs scene(shader_of(color_lines(kWhite) + "  output i32 out1.x 5\n",
                          "output \"SV_Coverage\" system_value coverage type i32 register 1 columns 1\n"),
                "R8G8B8A8_UNORM", 1, {}, 4);
  scene.bindings.sample_mask = GetParam().mask;
  scene.draw(strip_of());
  unsigned written = 0;
  for (std::uint32_t sample = 0; sample < 4; ++sample) written += scene.pictures[0]->at(3, 0, sample) == kWhite ? 1 : 0;
  EXPECT_EQ(written, GetParam().samples);
}
INSTANTIATE_TEST_SUITE_P(Rows, KnownSampleMasks, testing::Values(MaskRow{~0U, 2}, MaskRow{0xb, 1}));

// --- test_color_mask, test_independent_blend, test_dual_source_blend ---------------------------------------------------------------------

std::string eight_targets(const Color4& color) {
  std::string lines;
  for (unsigned target = 0; target < 8; ++target) lines += color_lines(color, target);
  return shader_of(lines, targets_after_first(8));
}

class KnownWriteMasks : public testing::TestWithParam<unsigned> {};
TEST_P(KnownWriteMasks, LeaveComponentsAlone) {
  constexpr std::array<std::uint8_t, 8> kMasks{1, 2, 4, 15, 8, 3, 10, 0};
  constexpr std::array<std::uint32_t, 8> kExpected{0xff00'0080, 0xff00'80ff, 0xff80'00ff, 0x8080'8080,
                                                   0x8000'00ff, 0xff00'8080, 0x8000'80ff, 0xff00'00ff};
  Outputs scene(eight_targets({0.5F, 0.5F, 0.5F, 0.5F}), "R8G8B8A8_UNORM", 8, {1, 0, 0, 1});
  for (unsigned target = 0; target < 8; ++target) scene.pipeline.blend.targets[target].write_mask = kMasks[target];
  scene.draw(strip_of());
  EXPECT_TRUE(is_near(scene.pictures[GetParam()]->at(2, 1), kExpected[GetParam()]));
}
INSTANTIATE_TEST_SUITE_P(Targets, KnownWriteMasks, testing::Range(0U, 8U));

class KnownIndependentBlends : public testing::TestWithParam<unsigned> {};
TEST_P(KnownIndependentBlends, HaveTheirOwnState) {
  using F = BlendFactor;
  using O = BlendOp;
  constexpr std::array<std::uint32_t, 8> kExpected{0x6642'6e1c, 0xb34c'3319, 0xa621'4a05, 0x6633'3319,
                                                   0xb34c'4829, 0x4d19'000a, 0x664c'3319, 0x081f'3305};
  Outputs scene(eight_targets({0.1F, 0.2F, 0.3F, 0.4F}), "R8G8B8A8_UNORM", 8, {0.1F, 0.5F, 0.2F, 0.7F});
  scene.bindings.blend_factor = {0.8F, 0.4F, 0.6F, 0.2F};
  const auto blend = [](F src, F dest, O op, F src_alpha, F dest_alpha, O op_alpha) {
    return TargetBlend{
        .blend = true, .src = src, .dest = dest, .op = op, .src_alpha = src_alpha, .dest_alpha = dest_alpha, .op_alpha = op_alpha};
  };
  scene.pipeline.blend.targets = {blend(F::src_alpha, F::dest_alpha, O::add, F::one, F::zero, O::add),
                                  blend(F::one, F::zero, O::add, F::zero, F::one, O::add),
                                  blend(F::src_color, F::dest_color, O::add, F::src_alpha, F::dest_alpha, O::add),
                                  blend(F::one, F::one, O::min, F::one, F::one, O::min),
                                  blend(F::blend_factor, F::blend_factor, O::add, F::zero, F::one, O::add),
                                  blend(F::inv_src_alpha, F::inv_blend_factor, O::subtract, F::one, F::one, O::rev_subtract),
                                  TargetBlend{},
                                  blend(F::dest_color, F::src_color, O::add, F::inv_src_alpha, F::inv_dest_alpha, O::subtract)};
  scene.draw(strip_of());
  EXPECT_TRUE(is_near(scene.pictures[GetParam()]->at(2, 1), kExpected[GetParam()]));
}
INSTANTIATE_TEST_SUITE_P(Targets, KnownIndependentBlends, testing::Range(0U, 8U));

TEST(KnownOutputs, SecondSourcesMultiplyBoth) {
  Outputs scene(shader_of(color_lines({0.5F, 0.5F, 0, 0.5F}) + color_lines({0, 0.5F, 0.5F, 0}, 1), targets_after_first(2)),
                "R8G8B8A8_UNORM", 1, {0.7F, 0, 1, 1});
  scene.pipeline.blend.targets[0] = {.blend = true, .src = BlendFactor::src1_color, .dest = BlendFactor::src1_color};
  scene.draw(strip_of());
  EXPECT_TRUE(is_near(scene.pictures[0]->at(1, 1), 0x8080'4000));
}

// Of SPIR-V, both have one location.
TEST(KnownOutputs, SecondSourcesOfALocationAreNoColors) {
  for (const bool blends : {true, false}) {
    Outputs scene(shader_of(color_lines({0.5F, 0.5F, 0, 0.5F}) + color_lines({0, 0.5F, 0.5F, 0}, 1),
                            "output \"second\" system_value target type f32 register 0 second_source\n"),
                  "R8G8B8A8_UNORM", 2, {0.7F, 0, 1, 1});
    scene.pipeline.blend.targets[0] = {.blend = blends, .src = BlendFactor::src1_color, .dest = BlendFactor::src1_color};
    scene.draw(strip_of());
    EXPECT_TRUE(is_near(scene.pictures[0]->at(1, 1), blends ? 0x8080'4000 : 0x8000'8080)) << blends;
    EXPECT_TRUE(is_near(scene.pictures[1]->at(1, 1), 0xffff'00b3)) << blends;
  }
}

// --- test_logic_op -----------------------------------------------------------------------------------------------------------------------

struct LogicRow {
  LogicOp op;
  std::uint32_t expected;
};
class KnownLogicOps : public testing::TestWithParam<LogicRow> {};
TEST_P(KnownLogicOps, CombineBits) {
  std::string lines;
  for (const auto& [letter, bits] : {std::pair('x', 0), std::pair('y', 0), std::pair('z', 255), std::pair('w', 255)})
    lines += std::string("  output i32 out0.") + letter + ' ' + std::to_string(bits) + '\n';
  Outputs scene(
      "stage pixel\noutput \"SV_Target\" system_value target type i32 register 0\n\nfunction @main {\n^0:\n" + lines + "  return\n}\n",
      "R8G8B8A8_UINT", 1, std::bit_cast<Color4>(std::array{0U, 255U, 0U, 255U}));
  scene.pipeline.blend.targets[0] = {.logic = true, .logic_op = GetParam().op};
  scene.draw(strip_of());
  const auto found = std::bit_cast<std::array<std::uint32_t, 4>>(scene.pictures[0]->at(2, 2));
  EXPECT_EQ(found[0] | found[1] << 8 | found[2] << 16 | found[3] << 24, GetParam().expected);
}
INSTANTIATE_TEST_SUITE_P(Rows, KnownLogicOps,
                         testing::Values(LogicRow{LogicOp::clear, 0x0000'0000}, LogicRow{LogicOp::nor, 0x0000'00ff},
                                         LogicRow{LogicOp::and_inverted, 0x0000'ff00}, LogicRow{LogicOp::copy_inverted, 0x0000'ffff},
                                         LogicRow{LogicOp::and_reverse, 0x00ff'0000}, LogicRow{LogicOp::invert, 0x00ff'00ff},
                                         LogicRow{LogicOp::xor_, 0x00ff'ff00}, LogicRow{LogicOp::nand, 0x00ff'ffff},
                                         LogicRow{LogicOp::and_, 0xff00'0000}, LogicRow{LogicOp::equiv, 0xff00'00ff},
                                         LogicRow{LogicOp::noop, 0xff00'ff00}, LogicRow{LogicOp::or_inverted, 0xff00'ffff},
                                         LogicRow{LogicOp::copy, 0xffff'0000}, LogicRow{LogicOp::or_reverse, 0xffff'00ff},
                                         LogicRow{LogicOp::or_, 0xffff'ff00}, LogicRow{LogicOp::set, 0xffff'ffff}));

// --- depth and stencil -------------------------------------------------------------------------------------------------------------------

/// Draws of strips into a target of depth, and one of colors.
struct Depths : Outputs {
  Depths(std::string_view shader, std::string_view format, std::uint32_t width, std::uint32_t height)
      : Outputs(shader, "R8G8B8A8_UNORM", 0, {}), depth(format, width, height), color("R8G8B8A8_UNORM", width, height) {
    target(color);
    bindings.depth_stencil = *find_depth_stencil_format(format);
    const texel::Format known = bindings.depth_stencil.texture.format;
    bindings.depth_stencil.texture = depth.view;
    bindings.depth_stencil.texture.format = known;
  }
  void clear(float value) {
    for (std::size_t at = 0; at < depth.bytes.size(); at += depth.view.format.bytes())
      texel::store_texel(bindings.depth_stencil.texture.format, {std::bit_cast<std::uint32_t>(value)}, &depth.bytes[at]);
  }
  double at(std::uint32_t x, std::uint32_t y) const {
    return static_cast<double>(
        std::bit_cast<float>(texel::load_texel(bindings.depth_stencil.texture.format, texel::texel_at(depth.view, {x, y, 0, 0, 0, 0}))[0]));
  }
  Texture depth, color;
};

double clamped_bias(double bias, double clamp) { return clamp > 0 ? std::min(bias, clamp) : clamp < 0 ? std::max(bias, clamp) : bias; }

/// Steps of a format in its largest depth, and by how many a depth may be off.
struct DepthFormatRow {
  const char* format;
  double steps;  ///< 0: of float
  double slack;  ///< in steps, with a bias by slope
};
constexpr DepthFormatRow kDepthFormats[] = {{"D32_FLOAT", 0, 0}, {"D24_UNORM_S8_UINT", 16777215, 3}, {"D16_UNORM", 65535, 1}};

// test_depth_bias: constant
class KnownConstantBias : public testing::TestWithParam<std::tuple<DepthFormatRow, float>> {};
TEST_P(KnownConstantBias, IsInUnitsOfTheDepth) {
  const auto& [format, z] = GetParam();
  Depths scene({}, format.format, 2, 2);
  scene.pipeline.depth_stencil = {.comparison = texel::Comparison::less};
  for (const int bias :
       {-10000, -1000, -100, -10, -9, -8, -7, -6, -5, -4, -3, -2, -1, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 50, 100, 200, 500, 1000, 10000}) {
    for (const float clamp : {0.0F, -1e-5F, 1e-5F}) {
      scene.pipeline.rasterizer.depth_bias = bias;
      scene.pipeline.rasterizer.depth_bias_clamp = clamp;
      scene.clear(1);
      scene.draw(strip_of(z));
      const double unit = format.steps != 0 ? 1 / format.steps : std::ldexp(1.0, std::ilogb(z) - 23);
      const double expected = std::clamp(static_cast<double>(z) + clamped_bias(bias * unit, static_cast<double>(clamp)), 0.0, 1.0);
      const double most = format.steps != 0 ? 1 / format.steps : 2 * std::ldexp(1.0, std::ilogb(expected) - 23);
      EXPECT_NEAR(scene.at(1, 0), expected, most) << bias << ' ' << clamp;
    }
  }
}
INSTANTIATE_TEST_SUITE_P(Rows, KnownConstantBias,
                         testing::Combine(testing::ValuesIn(kDepthFormats), testing::Values(0.125F, 0.25F, 0.5F, 1.0F)));

// test_depth_bias: by slope. The quad's depth falls from its slope at the bottom to 0 at the top.
class KnownSlopeBias : public testing::TestWithParam<std::tuple<DepthFormatRow, float>> {};
TEST_P(KnownSlopeBias, IsTheSlopeTimesTheScale) {
  const auto& [format, slope] = GetParam();
  constexpr std::uint32_t kHeight = 200;
  Depths scene({}, format.format, 2, kHeight);
  scene.pipeline.depth_stencil = {.comparison = texel::Comparison::less};
  std::vector<Vertex> quad = strip_of();
  quad[0].position[2] = quad[2].position[2] = slope;
  std::vector<double> plain;
  scene.clear(1);
  scene.draw(quad);
  for (std::uint32_t y = 0; y < kHeight; ++y) plain.push_back(scene.at(0, y));
  for (const float scale : {0.0F, 0.5F, 1.0F, 2.0F, 128.0F, 1000.0F, 10000.0F}) {
    for (const float clamp : {0.0F, -1e-5F, 1e-5F}) {
      scene.pipeline.rasterizer.slope_scaled_depth_bias = scale;
      scene.pipeline.rasterizer.depth_bias_clamp = clamp;
      scene.clear(1);
      scene.draw(quad);
      const double bias = clamped_bias(static_cast<double>(scale) * static_cast<double>(slope) / kHeight, static_cast<double>(clamp));
      for (std::uint32_t y = 0; y < kHeight; ++y) {
        const double expected = std::clamp(plain[y] + bias, 0.0, 1.0);
        const double most =
            format.steps != 0 ? (format.slack + 0.5) / format.steps : 64 * std::ldexp(1.0, std::ilogb(expected + 1e-30) - 23);
        ASSERT_NEAR(scene.at(1, y), expected, most) << scale << ' ' << clamp << ' ' << y;
      }
    }
  }
}
INSTANTIATE_TEST_SUITE_P(Rows, KnownSlopeBias, testing::Combine(testing::ValuesIn(kDepthFormats), testing::Values(0.0F, 0.5F, 1.0F)));

// test_depth_clip: with a viewport of depths from 0.4 to 0.6
struct ClipRangeRow {
  bool clips;
  float drawn, left;
};
class KnownDepthRanges : public testing::TestWithParam<ClipRangeRow> {};
TEST_P(KnownDepthRanges, AreTheViewports) {
  const ClipRangeRow& row = GetParam();
  Depths scene({}, "D32_FLOAT", 4, 4);
  scene.bindings.viewports[0].min_depth = 0.4F;
  scene.bindings.viewports[0].max_depth = 0.6F;
  scene.pipeline.depth_stencil = {.comparison = texel::Comparison::less};
  scene.pipeline.rasterizer.depth_clip = row.clips;
  scene.clear(1);
  scene.draw(strip_of(row.drawn));
  EXPECT_NEAR(scene.at(2, 1), static_cast<double>(row.left), 6e-8);
}
INSTANTIATE_TEST_SUITE_P(Rows, KnownDepthRanges,
                         testing::Values(ClipRangeRow{true, 2, 1}, ClipRangeRow{true, 0.5F, 0.5F}, ClipRangeRow{true, -1, 1},
                                         ClipRangeRow{false, 2, 0.6F}, ClipRangeRow{false, 0.5F, 0.5F}, ClipRangeRow{false, -1, 0.4F}));

// test_draw_depth_only: without targets of colors, with and without an output of depth
TEST(KnownOutputs, DepthAloneIsDrawn) {
  Depths plain(shader_of(kGreen), "D32_FLOAT", 4, 4);
  plain.bindings.targets.clear();
  plain.pipeline.depth_stencil = {};
  plain.clear(1);
  plain.draw(strip_of());
  EXPECT_EQ(plain.at(3, 3), 0);
  const auto drawn = [](float depth, float before) {
    Depths scene("stage pixel\noutput \"SV_Depth\" system_value depth type f32 columns 1\n\nfunction @main {\n^0:\n  output f32 out0.x " +
                     std::to_string(depth) + "\n  return\n}\n",
                 "D32_FLOAT", 4, 4);
    scene.bindings.targets.clear();
    scene.pipeline.depth_stencil = {};
    scene.clear(before);
    scene.draw(strip_of());
    return static_cast<float>(scene.at(0, 3));
  };
  EXPECT_FLOAT_EQ(drawn(0.7F, 0), 0);
  EXPECT_FLOAT_EQ(drawn(0.7F, 1), 0.7F);
  EXPECT_FLOAT_EQ(drawn(0.8F, 0.7F), 0.7F);
  EXPECT_FLOAT_EQ(drawn(0.5F, 0.7F), 0.5F);
  for (unsigned k = 0; k < 16; ++k) EXPECT_EQ(drawn(static_cast<float>(k) / 16, 1), static_cast<float>(k) / 16);
}

// test_early_depth_stencil: a shader that counts runs for fragments alone that pass before it
TEST(KnownOutputs, EarlyTestsKeepShadersFromCounting) {
  Depths scene({}, "D32_FLOAT", 1, 100);
  scene.pixel = test::program_of(
      "stage pixel\nmodes early_depth\noutput \"SV_Target\" system_value target type f32 register 0\nresource @count uav_byte_address "
      "register 1\n\nfunction @main {\n^0:\n  %0 = handle @count 0\n  %1 = buffer_atomic i32 raw add %0 0 1\n" +
      color_lines(kWhite) + "  return\n}\n");
  scene.pipeline.pixel = &*scene.pixel;
  std::vector<std::byte> memory(4);
  vm::Resources resources = vm::empty_resources(scene.pixel->module());
  resources.rows[0].resize(1);
  resources.rows[0][0].bytes = memory;
  scene.bindings.pixel = &resources;
  scene.bindings.viewports[0].min_depth = scene.bindings.viewports[0].max_depth = 0.5F;
  scene.pipeline.depth_stencil = {.depth_write = false, .comparison = texel::Comparison::less_equal};
  const auto counted = [&](float before) {
    scene.clear(before);
    scene.draw(strip_of());
    EXPECT_FLOAT_EQ(static_cast<float>(scene.at(0, 50)), before);
    std::uint32_t made = 0;
    std::memcpy(&made, memory.data(), sizeof made);
    return made;
  };
  EXPECT_EQ(counted(0.6F), 100U);
  EXPECT_EQ(counted(0.6F), 200U);
  EXPECT_EQ(counted(0.3F), 200U);
  EXPECT_EQ(counted(0.55F), 300U);
  EXPECT_EQ(counted(0.5F), 400U);
}

// test_conservative_depth_output
struct ConservativeRow {
  const char* output;
  float vertex, shader;
  bool passes;
};
class KnownConservativeDepth : public testing::TestWithParam<ConservativeRow> {};
TEST_P(KnownConservativeDepth, IsCompared) {
  const ConservativeRow& row = GetParam();
  Depths scene(shader_of(std::string(kGreen) + "  output f32 out1.x " + std::to_string(row.shader) + '\n',
                         "output \"SV_Depth\" system_value " + std::string(row.output) + " type f32 columns 1\n"),
               "D32_FLOAT", 4, 4);
  scene.pipeline.depth_stencil = {.comparison = texel::Comparison::greater_equal};
  fill(scene.color, kWhite);
  scene.clear(0.5F);
  scene.draw(strip_of(row.vertex));
  EXPECT_TRUE(is_near(scene.color.at(1, 1), row.passes ? 0xff00'ff00 : 0xffff'ffff, 0));
  EXPECT_NEAR(scene.at(1, 1), row.passes ? static_cast<double>(std::max(row.vertex, row.shader)) : 0.5, 6e-8);
}
INSTANTIATE_TEST_SUITE_P(
    Rows, KnownConservativeDepth,
    testing::Values(ConservativeRow{"depth_less_equal", 0.7F, 0.7F, true}, ConservativeRow{"depth_less_equal", 0.7F, 0.4F, false},
                    ConservativeRow{"depth_less_equal", 0.4F, 0.4F, false}, ConservativeRow{"depth_greater_equal", 0.7F, 0.7F, true},
                    ConservativeRow{"depth_greater_equal", 0.4F, 0.4F, false}, ConservativeRow{"depth_greater_equal", 0.4F, 0.6F, true}));

// test_stencil_separate: the front never passes, the back always
struct StencilRow {
  bool turned, counter_clockwise, shows;
};
class KnownStencilFaces : public testing::TestWithParam<StencilRow> {};
TEST_P(KnownStencilFaces, AreTestedApart) {
  const StencilRow& row = GetParam();
  Depths scene(shader_of(kGreen), "D24_UNORM_S8_UINT", 4, 4);
  const StencilFace zeros{StencilOp::zero, StencilOp::zero, StencilOp::zero, texel::Comparison::never};
  scene.pipeline.depth_stencil = {.stencil = true, .front = zeros, .back = zeros};
  scene.pipeline.depth_stencil.back.comparison = texel::Comparison::always;
  scene.pipeline.rasterizer.front_counter_clockwise = row.counter_clockwise;
  fill(scene.color, {1, 0, 0, 1});
  scene.clear(1);
  std::vector<Vertex> quad = strip_of();
  if (row.turned) std::swap(quad[1], quad[2]);
  scene.draw(quad);
  EXPECT_TRUE(is_near(scene.color.at(3, 1), row.shows ? 0xff00'ff00 : 0xff00'00ff));
}
INSTANTIATE_TEST_SUITE_P(Rows, KnownStencilFaces,
                         testing::Values(StencilRow{false, false, false}, StencilRow{true, false, true}, StencilRow{true, true, false}));

}  // namespace
}  // namespace unshade::draw

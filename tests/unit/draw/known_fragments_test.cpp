// Numbers that implementations of Direct3D agree on, of what comes before the pixel shader and runs in it: those that Wine's test of d3d11
// expects of drivers (the test's name stands before each), for draws of our own.
#include <cstring>

#include "known_answers.hpp"

namespace unshade::draw {
namespace {

using test::Color4;
using test::color_lines;
using test::fill;
using test::is_near;
using test::kGreen;
using test::kGreenColor;
using test::kWhite;
using test::program_of;
using test::shader_of;
using test::strip_of;
using test::Texture;
using test::Vertex;
using test::Whole;

/// Strips over all of a target.
struct Strips : Whole {
  explicit Strips(std::string_view shader, std::uint32_t size = 4, std::uint32_t samples = 1) : Whole(shader, samples, size) {
    pipeline.topology = Topology::triangle_strip;
  }
};

/// Memory for the resource of the pixel shader: words.
struct Memory {
  Memory(test::Scene& scene, std::size_t words) : bytes(4 * words), resources(vm::empty_resources(scene.pixel->module())) {
    resources.rows[0].resize(1);
    resources.rows[0][0].bytes = bytes;
    scene.bindings.pixel = &resources;
  }
  std::uint32_t word(std::size_t at) const {
    std::uint32_t made = 0;
    std::memcpy(&made, &bytes[4 * at], sizeof made);
    return made;
  }
  std::vector<std::byte> bytes;
  vm::Resources resources;
};

// --- test_scissor ------------------------------------------------------------------------------------------------------------------------

struct ScissorRow {
  bool enabled;
  Scissor scissor;
  float left, width;  ///< of the viewport, of 64 pixels
  std::array<bool, 5> shows;
};
class KnownScissors : public testing::TestWithParam<ScissorRow> {};
TEST_P(KnownScissors, LimitDrawsIfTheyAreOn) {
  const ScissorRow& row = GetParam();
  Strips scene(shader_of(kGreen), 64);
  scene.pipeline.rasterizer.scissor = row.enabled;
  scene.bindings.scissors = {row.scissor};
  scene.bindings.viewports = {{row.left, 0, row.width, 64}};
  scene.draw(strip_of());
  constexpr std::array<std::array<std::uint32_t, 2>, 5> kPlaces{{{32, 8}, {8, 32}, {32, 32}, {56, 32}, {32, 56}}};
  for (std::size_t at = 0; at < kPlaces.size(); ++at)
    EXPECT_EQ(scene.picture.at(kPlaces[at][0], kPlaces[at][1]) == kGreenColor, row.shows[at]) << at;
}
INSTANTIATE_TEST_SUITE_P(Rows, KnownScissors,
                         testing::Values(ScissorRow{false, {16, 16, 48, 48}, 0, 64, {true, true, true, true, true}},
                                         ScissorRow{true, {16, 16, 48, 48}, 0, 64, {false, false, true, false, false}},
                                         ScissorRow{true, {-1, 0, 64, 64}, -1, 65, {true, true, true, true, true}}));

// --- test_fragment_coords ----------------------------------------------------------------------------------------------------------------

struct CutoffRow {
  const char* cutoff;
  std::uint32_t x, y;
  bool right, below;
};
class KnownFragmentCoordinates : public testing::TestWithParam<CutoffRow> {};
TEST_P(KnownFragmentCoordinates, AreOfTheCentreFromTheUpperLeft) {
  const CutoffRow& row = GetParam();
  Strips scene(
      shader_of("  %0 = input f32 in0.x\n  %1 = input f32 in0.y\n  %2 = flt f32 " + std::string(row.cutoff) + " %0\n  %3 = flt f32 " +
                row.cutoff + " %1\n  %4 = select f32 %2 1.0 0.0\n  %5 = select f32 %3 1.0 0.0\n  output f32 out0.x 0.0\n" +
                "  output f32 out0.y %4\n  output f32 out0.z %5\n  output f32 out0.w 1.0\n"),
      64);
  scene.draw(strip_of());
  EXPECT_EQ(scene.picture.at(row.x, row.y), (Color4{0, row.right ? 1.0F : 0.0F, row.below ? 1.0F : 0.0F, 1}));
}
INSTANTIATE_TEST_SUITE_P(Rows, KnownFragmentCoordinates,
                         testing::Values(CutoffRow{"32.0", 31, 31, false, false}, CutoffRow{"32.0", 32, 31, true, false},
                                         CutoffRow{"32.0", 31, 32, false, true}, CutoffRow{"32.0", 32, 32, true, true},
                                         CutoffRow{"16.0", 14, 14, false, false}, CutoffRow{"16.0", 18, 14, true, false},
                                         CutoffRow{"16.0", 14, 18, false, true}, CutoffRow{"16.0", 18, 18, true, true}));

TEST(KnownFragments, FractionsOfCoordinatesAreHalves) {
  Strips scene(
      shader_of("  %0 = input f32 in0.x\n  %1 = input f32 in0.y\n  %2 = ffract f32 %0\n  %3 = ffract f32 %1\n  output f32 out0.x %2\n"
                "  output f32 out0.y %3\n  output f32 out0.z 0.0\n  output f32 out0.w 1.0\n"),
      16);
  scene.draw(strip_of());
  EXPECT_TRUE(is_near(scene.picture.at(14, 14), 0xff00'8080));
}

// --- test_primitive_restart --------------------------------------------------------------------------------------------------------------

class KnownRestarts : public testing::TestWithParam<std::uint32_t> {};
TEST_P(KnownRestarts, EndStrips) {
  Strips scene(shader_of("  %0 = input f32 in1.x\n  output f32 out0.x %0\n"), 16);
  fill(scene.picture, {});
  std::vector<Vertex> vertices;
  for (const float x : {-1.0F, -0.25F, 0.25F, 1.0F})
    for (const float y : {-1.0F, 1.0F}) vertices.push_back({{x, y, 0, 1}, {x < 0 ? 2.0F : 3.0F, 0, 0, 0}});
  std::vector<std::byte> indices;
  for (const std::uint32_t index : {0U, 1U, 2U, 3U, ~0U, 4U, 5U, 6U, 7U})
    for (std::uint32_t byte = 0; byte < GetParam(); ++byte) indices.push_back(static_cast<std::byte>(index >> (8 * byte)));
  scene.bindings.indices = {indices, GetParam()};
  scene.call.indexed = true;
  scene.call.count = 9;
  scene.draw(vertices);
  for (std::uint32_t x = 0; x < 16; ++x) EXPECT_EQ(scene.picture.at(x, x)[0], x < 6 ? 2 : x < 10 ? 0 : 3) << x;
}
INSTANTIATE_TEST_SUITE_P(IndexBytes, KnownRestarts, testing::Values(2U, 4U));

// --- test_instanced_draw -----------------------------------------------------------------------------------------------------------------

struct InstanceRow {
  std::uint32_t first_instance;
  std::uint32_t column;  ///< of the picture, of eight
  std::uint32_t color;   ///< 0xffBBGGRR
  float instance;
};
class KnownInstances : public testing::TestWithParam<InstanceRow> {};
// red steps with each instance, green never, blue with every second; SV_InstanceID does not count the first instance
TEST_P(KnownInstances, StepThroughTheirBuffers) {
  const InstanceRow& row = GetParam();
  Strips scene(
      shader_of("  %0 = input f32 in1.x\n  %1 = input f32 in1.y\n  %2 = input f32 in1.z\n  %3 = input f32 in1.w\n  output f32 out0.x %0\n"
                "  output f32 out0.y %1\n  output f32 out0.z %2\n  output f32 out0.w %3\n"),
      8);
  const vm::Program own = program_of(
      "stage vertex\ninput \"POSITION\" type f32 register 0\ninput \"RED\" type f32 register 1 columns 1\ninput \"GREEN\" type f32 "
      "register 2 "
      "columns 1\ninput \"BLUE\" type f32 register 3 columns 1\ninput \"OFFSET\" type f32 register 4 columns 1\n"
      "input \"SV_InstanceID\" system_value instance_id type i32 register 5 columns 1\n"
      "output \"SV_Position\" system_value position type f32 register 0\noutput \"COLOR\" type f32 register 1\n\nfunction @main {\n^0:\n"
      "  %x = input f32 in0.x\n  %y = input f32 in0.y\n  %r = input f32 in1.x\n  %g = input f32 in2.x\n  %b = input f32 in3.x\n"
      "  %offset = input f32 in4.x\n  %id = input i32 in5.x\n  %at = fadd f32 %x %offset\n  %instance = u_to_f f32 %id\n"
      "  output f32 out0.x %at\n  output f32 out0.y %y\n  output f32 out0.z 0.0\n  output f32 out0.w 1.0\n  output f32 out1.x %r\n"
      "  output f32 out1.y %g\n  output f32 out1.z %b\n  output f32 out1.w %instance\n  return\n}\n");
  scene.pipeline.vertex = &own;
  const texel::Format bytes = *texel::find_format("R8_UNORM"), real = *texel::find_format("R32_FLOAT");
  scene.pipeline.input = {{.input_register = 0, .format = *texel::find_format("R32G32B32A32_FLOAT")},
                          {.input_register = 1, .format = bytes, .slot = 1, .per_instance = true},
                          {.input_register = 2, .format = bytes, .slot = 1, .per_instance = true, .step_rate = 0},
                          {.input_register = 3, .format = bytes, .slot = 1, .per_instance = true, .step_rate = 2},
                          {.input_register = 4, .format = real, .slot = 2, .per_instance = true}};
  constexpr std::array<std::uint8_t, 8> kStream{0xf0, 0x80, 0x10, 0x40, 0xaa, 0xbb, 0xcc, 0x90};
  constexpr std::array<float, 8> kOffsets{0, 0.25F, 0.5F, 0.75F, 1, 1.25F, 1.5F, 1.75F};
  std::vector<Vertex> quad = strip_of();
  for (Vertex& vertex : quad) vertex.position[0] = vertex.position[0] < 0 ? -1.0F : -0.75F;
  scene.bindings.vertex_buffers = {
      {std::as_bytes(std::span(quad)), sizeof(Vertex)}, {std::as_bytes(std::span(kStream)), 1}, {std::as_bytes(std::span(kOffsets)), 4}};
  scene.call = {.count = 4, .first_instance = row.first_instance, .instances = 4};
  ASSERT_TRUE(run(scene.pipeline, scene.bindings, scene.call));
  Color4 found = scene.picture.at(row.column, 3);
  EXPECT_EQ(found[3], row.instance);
  found[3] = 1;
  EXPECT_TRUE(is_near(found, row.color, 0));
}
INSTANTIATE_TEST_SUITE_P(Rows, KnownInstances,
                         testing::Values(InstanceRow{0, 0, 0xfff0'f0f0, 0}, InstanceRow{0, 1, 0xfff0'f080, 1},
                                         InstanceRow{0, 2, 0xff80'f010, 2}, InstanceRow{0, 3, 0xff80'f040, 3},
                                         InstanceRow{4, 4, 0xffaa'aaaa, 0}, InstanceRow{4, 5, 0xffaa'aabb, 1},
                                         InstanceRow{4, 6, 0xffbb'aacc, 2}, InstanceRow{4, 7, 0xffbb'aa90, 3}));

// --- test_multiple_viewports, test_layered_rendering -------------------------------------------------------------------------------------

/// Each triangle once for each index from 0 to `count`, in the viewport or layer of that index.
std::string copies_to(std::string_view semantic, std::string_view value, unsigned count) {
  std::string made =
      "stage geometry\ninfo input_primitive triangle streams 1 triangle_strip max_vertices 12\ninput \"SV_Position\" system_value position "
      "type "
      "f32 register 0\ninput \"COLOR\" type f32 register 1\noutput \"SV_Position\" system_value position type f32 register 0\noutput "
      "\"COLOR\" "
      "type f32 register 1\noutput \"" +
      std::string(semantic) + "\" system_value " + std::string(value) + " type i32 register 2 columns 1\n\nfunction @main {\n^0:\n";
  for (unsigned vertex = 0; vertex < 3; ++vertex)
    for (const char axis : {'x', 'y'})
      made += std::string("  %") + axis + std::to_string(vertex) + " = input f32 in0." + axis + " vertex " + std::to_string(vertex) + '\n';
  for (unsigned index = 0; index < count; ++index) {
    for (unsigned vertex = 0; vertex < 3; ++vertex) {
      const std::string number = std::to_string(vertex);
      made += "  output f32 out0.x %x" + number + "\n  output f32 out0.y %y" + number +
              "\n  output f32 out0.z 0.0\n  output f32 out0.w 1.0\n" + "  output f32 out1.x " + std::to_string(index) +
              ".0\n  output i32 out2.x " + std::to_string(index) + "\n  emit 0\n";
    }
    made += "  cut 0\n";
  }
  return made + "  return\n}\n";
}

struct ViewportRow {
  unsigned viewports;
  std::vector<Scissor> scissors;       ///< if there are any, they are on
  std::array<float, 4> left_to_right;  ///< upper left, lower left, upper right, lower right: the index, or 9
};
class KnownViewports : public testing::TestWithParam<ViewportRow> {};
// an index without a viewport is that of the first one; a viewport without a scissor shows nothing
TEST_P(KnownViewports, AreChosenByIndex) {
  const ViewportRow& row = GetParam();
  Strips scene(shader_of("  %0 = input f32 in1.x\n  output f32 out0.x %0\n"), 32);
  const vm::Program geometry = program_of(copies_to("SV_ViewportArrayIndex", "viewport_array_index", 2));
  scene.pipeline.geometry = &geometry;
  fill(scene.picture, {9, 0, 0, 0});
  scene.bindings.viewports = {{0, 0, 16, 32}};
  if (row.viewports == 2) scene.bindings.viewports.push_back({16, 0, 16, 32});
  scene.pipeline.rasterizer.scissor = !row.scissors.empty();
  scene.bindings.scissors = row.scissors;
  scene.draw(strip_of());
  for (std::uint32_t at = 0; at < 4; ++at) EXPECT_EQ(scene.picture.at(at / 2 * 16 + 8, at % 2 * 16 + 8)[0], row.left_to_right[at]) << at;
}
INSTANTIATE_TEST_SUITE_P(Rows, KnownViewports,
                         testing::Values(ViewportRow{2, {}, {0, 0, 1, 1}}, ViewportRow{1, {}, {1, 1, 9, 9}},
                                         ViewportRow{2, {{0, 0, 16, 16}}, {0, 9, 9, 9}},
                                         ViewportRow{2, {{0, 0, 16, 16}, {16, 0, 32, 16}}, {0, 9, 1, 9}}));

class KnownLayers : public testing::TestWithParam<std::uint32_t> {};
TEST_P(KnownLayers, AreChosenByIndex) {
  Strips scene(shader_of("  %0 = input f32 in1.x\n  output f32 out0.x %0\n"), 8);
  const vm::Program geometry = program_of(copies_to("SV_RenderTargetArrayIndex", "render_target_array_index", 4));
  scene.pipeline.geometry = &geometry;
  Texture layers("R32G32B32A32_FLOAT", 8, 8, 1, 4);
  fill(layers, {9, 0, 0, 0});
  scene.bindings.targets = {layers.view};
  scene.draw(strip_of());
  for (std::uint32_t at = 0; at < 64; ++at) EXPECT_EQ(layers.at(at % 8, at / 8, 0, GetParam())[0], static_cast<float>(GetParam()));
}
INSTANTIATE_TEST_SUITE_P(Layers, KnownLayers, testing::Range(0U, 4U));

// --- test_sample_shading -----------------------------------------------------------------------------------------------------------------

/// A shader that counts its runs.
struct CountRow {
  const char* elements;
  const char* lines;
  bool per_sample;
};
class KnownSampleShading : public testing::TestWithParam<CountRow> {};
TEST_P(KnownSampleShading, RunsForPixelsOrSamples) {
  for (const std::uint32_t samples : {1U, 4U}) {
    Whole scene({}, samples, 32);
    scene.pipeline.topology = Topology::triangle_strip;
    scene.pixel = program_of("stage pixel\n" + std::string(GetParam().elements) +
                             "output \"SV_Target\" system_value target type f32 register 0\nresource @count uav_byte_address register 1\n\n"
                             "function @main {\n^0:\n  %c = handle @count 0\n  %before = buffer_atomic i32 raw add %c 0 1\n" +
                             std::string(GetParam().lines) + color_lines(kGreenColor) + "  return\n}\n");
    scene.pipeline.pixel = &*scene.pixel;
    const Memory memory(scene, 2);
    scene.draw(strip_of());
    // pixels on the edge between the triangles run for both, for the samples that each covers
    const bool shared = samples == 4 && !GetParam().per_sample;
    EXPECT_EQ(memory.word(0), shared ? 1024U + 32 : 1024 * samples);
    for (std::uint32_t sample = 0; sample < samples; ++sample) EXPECT_EQ(scene.picture.at(17, 5, sample), kGreenColor);
  }
}
constexpr const char* kSampleIndex =
    "input \"SV_SampleIndex\" system_value sample_index type i32 interpolation constant register 0 columns 1\n";
INSTANTIATE_TEST_SUITE_P(
    Rows, KnownSampleShading,
    testing::Values(CountRow{kSampleIndex, "  %0 = input i32 in0.x\n  %1 = buffer_atomic i32 raw add %c 4 %0\n", true},
                    CountRow{"", "  %0 = query_samples\n  %1 = buffer_atomic i32 raw add %c 4 %0\n", false},
                    CountRow{"", "  %0 = sample_position 0\n", false},
                    CountRow{"input \"SV_Position\" system_value position type f32 interpolation linear_noperspective_sample register 0\n",
                             "  %0 = input f32 in0.x\n  %1 = f_to_u i32 %0\n  %2 = buffer_atomic i32 raw add %c 4 %1\n", true}));

class KnownSampleColors : public testing::TestWithParam<std::uint32_t> {};
// red, green, blue and black by sample: their average is a quarter of each
TEST_P(KnownSampleColors, AreOfTheirSample) {
  constexpr std::array<Color4, 4> kColors{{{1, 0, 0, 1}, {0, 1, 0, 1}, {0, 0, 1, 1}, {0, 0, 0, 1}}};
  std::string lines = "  %i = input i32 in2.x\n";
  for (unsigned k = 0; k < 3; ++k) {
    const std::string letter(1, "xyz"[k]);
    lines += "  %c" + letter + " = ieq i32 %i " + std::to_string(k) + "\n  %v" + letter + " = select f32 %c" + letter +
             " 1.0 0.0\n  output f32 out0." + letter + " %v" + letter + '\n';
  }
  Strips scene(shader_of(lines + "  output f32 out0.w 1.0\n",
                         std::string(kSampleIndex).replace(std::string(kSampleIndex).find("register 0"), 10, "register 2")),
               8, 4);
  scene.draw(strip_of());
  EXPECT_EQ(scene.picture.at(5, 6, GetParam()), kColors[GetParam()]);
}
INSTANTIATE_TEST_SUITE_P(Samples, KnownSampleColors, testing::Range(0U, 4U));

// --- test_combined_clip_and_cull_distances -----------------------------------------------------------------------------------------------

/// Positions by the number of the vertex, three distances of each kind as elements 1, and one as elements 2.
constexpr std::string_view kBothDistances = R"(stage vertex
input "POSITION" type f32 register 0
input "CLIP" type f32 register 1
input "CULL" type f32 register 2
output "SV_Position" system_value position type f32 register 0
output "SV_ClipDistance" index 1 system_value clip_distance type f32 register 1 columns 3
output "SV_CullDistance" index 1 system_value cull_distance type f32 register 2 columns 3
output "SV_ClipDistance" index 2 system_value clip_distance type f32 register 3 columns 1
output "SV_CullDistance" index 2 system_value cull_distance type f32 register 4 columns 1

function @main {
^0:
  %x = input f32 in0.x
  %y = input f32 in0.y
  output f32 out0.x %x
  output f32 out0.y %y
  output f32 out0.z 0.0
  output f32 out0.w 1.0
  %0 = input f32 in1.x
  %1 = input f32 in1.y
  %2 = input f32 in1.z
  %3 = input f32 in1.w
  output f32 out1.x %0
  output f32 out1.y %1
  output f32 out1.z %2
  output f32 out3.x %3
  %4 = input f32 in2.x
  %5 = input f32 in2.y
  %6 = input f32 in2.z
  %7 = input f32 in2.w
  output f32 out2.x %4
  output f32 out2.y %5
  output f32 out2.z %6
  output f32 out4.x %7
  return
}
)";

struct BothDistances : Strips {
  BothDistances() : Strips(shader_of(kGreen), 8), own(program_of(kBothDistances)) {
    pipeline.vertex = &own;
    const texel::Format four = *texel::find_format("R32G32B32A32_FLOAT");
    pipeline.input.push_back({.input_register = 2, .format = four, .slot = 1});
    clip.fill(kWhite);
    cull.fill(kWhite);
  }
  /// Whether the strip's first and second triangle show.
  std::array<bool, 2> shown() {
    std::vector<Vertex> quad = strip_of();
    for (std::size_t at = 0; at < 4; ++at) quad[at].color = clip[at];
    fill(picture, kWhite);
    bindings.vertex_buffers = {{std::as_bytes(std::span(quad)), sizeof(Vertex)}, {std::as_bytes(std::span(cull)), sizeof(Color4)}};
    call.count = 4;
    EXPECT_TRUE(run(pipeline, bindings, call));
    return {picture.at(1, 3) == kGreenColor, picture.at(6, 4) == kGreenColor};
  }
  vm::Program own;
  std::array<Color4, 4> clip{}, cull{};
};

struct BothRow {
  std::array<float, 4> distances;
  std::array<bool, 2> shown;
};
class KnownBothDistances : public testing::TestWithParam<BothRow> {};
TEST_P(KnownBothDistances, CullBesideThoseThatClip) {
  for (std::size_t component = 0; component < 4; ++component) {
    BothDistances scene;
    for (std::size_t vertex = 0; vertex < 4; ++vertex) scene.cull[vertex][component] = GetParam().distances[vertex];
    EXPECT_EQ(scene.shown(), GetParam().shown) << component;
  }
}
INSTANTIATE_TEST_SUITE_P(Rows, KnownBothDistances,
                         testing::Values(BothRow{{-1, 1, 1, 1}, {true, true}}, BothRow{{1, -1, 1, 1}, {true, true}},
                                         BothRow{{1, 1, 1, -1}, {true, true}}, BothRow{{-1, -1, 1, 1}, {true, true}},
                                         BothRow{{-1, 1, -1, 1}, {true, true}}, BothRow{{-1, 1, 1, -1}, {true, true}},
                                         BothRow{{1, -1, -1, 1}, {true, true}}, BothRow{{1, -1, 1, -1}, {true, true}},
                                         BothRow{{1, 1, -1, -1}, {true, true}}, BothRow{{-1, -1, -1, 1}, {false, true}},
                                         BothRow{{-1, -1, 1, -1}, {true, true}}, BothRow{{-1, 1, -1, -1}, {true, true}},
                                         BothRow{{1, -1, -1, -1}, {true, false}}, BothRow{{-1, -1, -1, -1}, {false, false}}));

TEST(KnownFragments, DistancesOfZeroAreInside) {
  for (std::size_t component = 0; component < 4; ++component) {
    BothDistances scene;
    for (Color4& one : scene.clip) one[component] = -1;
    EXPECT_EQ(scene.shown(), (std::array{false, false})) << component;
  }
  BothDistances scene;
  scene.clip.fill({});
  scene.cull.fill({});
  EXPECT_EQ(scene.shown(), (std::array{true, true}));
}

// --- test_filter_minmax ------------------------------------------------------------------------------------------------------------------

struct FilterRow {
  texel::Blending blending;
  std::array<std::array<float, 2>, 5> expected;  ///< red and green
};
class KnownFilters : public testing::TestWithParam<FilterRow> {};
TEST_P(KnownFilters, TakeTheLeastOrTheLargest) {
  Strips scene({}, 64);
  scene.pixel = program_of(
      "stage pixel\ninput \"SV_Position\" system_value position type f32 interpolation linear_noperspective register 0\ninput \"COLOR\" "
      "type f32 "
      "interpolation linear register 1\noutput \"SV_Target\" system_value target type f32 register 0\nresource @texture texture dimension "
      "texture2d returns float register 0\nresource @sampler sampler register 0\n\nfunction @main {\n^0:\n  %t = handle @texture 0\n  %s = "
      "handle "
      "@sampler 0\n  %0 = input f32 in1.x\n  %1 = input f32 in1.y\n  %2 = fmul f32 %0 8.0\n  %3 = fmul f32 %1 8.0\n  %4 = ffloor f32 %2\n  "
      "%5 = "
      "ffloor f32 %3\n  %6 = fmul f32 %4 0.125\n  %7 = fmul f32 %5 0.125\n  %8 = sample_implicit f32 x4 texture2d %t %s %6 %7\n  %9 = get "
      "f32 0 %8\n"
      "  %10 = get f32 1 %8\n  output f32 out0.x %9\n  output f32 out0.y %10\n  return\n}\n");
  scene.pipeline.pixel = &*scene.pixel;
  Texture texture("R32G32B32A32_FLOAT", 4, 4);
  for (std::uint32_t at = 0; at < 16; ++at) {
    const Color4 texel{static_cast<float>(at % 4) / 4, static_cast<float>(at / 4) / 4, 0, 1};
    texel::store_texel(texture.view.format, std::bit_cast<std::array<std::uint32_t, 4>>(texel), &texture.bytes[16UL * at]);
  }
  vm::Resources resources = vm::empty_resources(scene.pixel->module());
  resources.rows[0] = {texture.view};
  resources.rows[1].resize(1);
  resources.rows[1][0].sampler.mip = texel::Filter::point;
  resources.rows[1][0].sampler.blending = GetParam().blending;
  scene.bindings.pixel = &resources;
  std::vector<Vertex> quad = strip_of();
  for (Vertex& vertex : quad) vertex.color = {(vertex.position[0] + 1) / 2, (1 - vertex.position[1]) / 2, 0, 0};
  scene.draw(quad);
  constexpr std::array<std::array<std::uint32_t, 2>, 5> kPlaces{{{36, 20}, {20, 36}, {36, 36}, {52, 36}, {36, 52}}};
  for (std::size_t at = 0; at < kPlaces.size(); ++at) {
    const Color4 found = scene.picture.at(kPlaces[at][0], kPlaces[at][1]);
    EXPECT_EQ((std::array{found[0], found[1]}), GetParam().expected[at]) << at;
  }
}
INSTANTIATE_TEST_SUITE_P(
    Rows, KnownFilters,
    testing::Values(FilterRow{texel::Blending::average,
                              {{{0.375F, 0.125F}, {0.125F, 0.375F}, {0.375F, 0.375F}, {0.625F, 0.375F}, {0.375F, 0.625F}}}},
                    FilterRow{texel::Blending::minimum, {{{0.25F, 0}, {0, 0.25F}, {0.25F, 0.25F}, {0.5F, 0.25F}, {0.25F, 0.5F}}}},
                    FilterRow{texel::Blending::maximum, {{{0.5F, 0.25F}, {0.25F, 0.5F}, {0.5F, 0.5F}, {0.75F, 0.5F}, {0.5F, 0.75F}}}}));

}  // namespace
}  // namespace unshade::draw

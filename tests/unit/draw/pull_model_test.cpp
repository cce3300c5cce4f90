// Inputs that pixel shaders evaluate at places of their own. src: Direct3D 11.3 functional specification 16.5; HLSL, GetAttributeAtVertex
#include <unshade/texel/samples.hpp>

#include "draw_support.hpp"

namespace unshade::draw {
namespace {

using test::Scene;
using test::Texture;
using test::Vertex;

/// Gives what some lines make of the color, which has a mode: %r, and %0 if they do not say.
std::string pulling(std::string_view mode, std::string_view lines) {
  return "stage pixel\ninput \"SV_Position\" system_value position type f32 interpolation linear_noperspective register 0\n"
         "input \"COLOR\" type f32 interpolation " +
         std::string(mode) + " register 1\noutput \"SV_Target\" system_value target type f32 register 0\n\nfunction @main {\n^0:\n" +
         std::string(lines) + "  return\n}\n";
}

/// A triangle over all of a target of 8x8, whose color is the place on the screen in pixels, and the third component 16 / w.
std::vector<Vertex> plane(float w = 1) {
  return {{{-1, 1, 0.5F, 1}, {0, 0, 16, 0}}, {{3 * w, 1 * w, 0.5F * w, w}, {16, 0, 16, 0}}, {{-1, -3, 0.5F, 1}, {0, 16, 16, 0}}};
}

std::array<float, 4> at_pixel(std::string_view shader, std::uint32_t x, std::uint32_t y, std::uint32_t samples = 1,
                              const std::vector<Vertex>& vertices = plane(), std::uint32_t mask = ~0U) {
  Scene scene(shader);
  Texture target("R32G32B32A32_FLOAT", 8, 8, samples);
  scene.target(target);
  scene.bindings.sample_mask = mask;
  scene.draw(vertices);
  return target.at(x, y, samples > 1 ? 1 : 0);
}

constexpr std::string_view kSnapped = R"(  %0 = interpolate f32 in1.x offset -8:i32 7:i32
  %1 = interpolate f32 in1.y offset -8:i32 7:i32
  output f32 out0.x %0
  output f32 out0.y %1
)";

TEST(PullModel, SnappedOffsetsAreSixteenthsFromTheCentre) {
  const auto [x, y, z, w] = at_pixel(pulling("linear", kSnapped), 3, 5);
  EXPECT_EQ(x, 3.0F);
  EXPECT_EQ(y, 5.9375F);
}

// of declarations, whether they are constant, and with perspective, is honored, and where is not
TEST(PullModel, ModesSayHowAndNotWhere) {
  for (const std::string_view mode :
       {"linear", "linear_centroid", "linear_sample", "linear_noperspective", "linear_noperspective_centroid"})
    EXPECT_EQ(at_pixel(pulling(mode, kSnapped), 3, 5, 4)[0], 3.0F) << mode;
  EXPECT_EQ(at_pixel(pulling("constant", kSnapped), 3, 5)[0], 0.0F);
  // w is 3 at the right: on the screen the third pixel's left edge is 3 of 16, which in space is as many shares as 1/w says
  const double share = 3.0 / 16;
  EXPECT_NEAR(at_pixel(pulling("linear", kSnapped), 3, 5, 1, plane(3))[0], 16 * (share / 3) / (1 - share + share / 3), 1e-5);
  EXPECT_NEAR(at_pixel(pulling("linear_noperspective", kSnapped), 3, 5, 1, plane(3))[0], 3, 1e-5);
}

TEST(PullModel, OffsetsOfFloatsAreInPixels) {
  const std::string lines = R"(  %0 = interpolate f32 in1.x offset 0.25:f32 -0.5:f32
  %1 = interpolate f32 in1.y offset 0.25:f32 -0.5:f32
  output f32 out0.x %0
  output f32 out0.y %1
)";
  const auto [x, y, z, w] = at_pixel(pulling("linear", lines), 3, 5);
  EXPECT_EQ(x, 3.75F);
  EXPECT_EQ(y, 5.0F);
}

TEST(PullModel, SamplesAreThoseOfTheTargets) {
  for (const std::uint32_t samples : {1U, 2U, 4U, 8U, 16U}) {
    for (std::uint32_t sample = 0; sample < samples; ++sample) {
      const std::string lines = "  %0 = interpolate f32 in1.x sample " + std::to_string(sample) +
                                ":i32\n  %1 = interpolate f32 in1.y sample " + std::to_string(sample) +
                                ":i32\n  output f32 out0.x %0\n  output f32 out0.y %1\n";
      const texel::SamplePlace place = texel::sample_pattern(samples)[sample];
      const auto [x, y, z, w] = at_pixel(pulling("linear", lines), 2, 6, samples);
      EXPECT_EQ(x, 2.5F + static_cast<float>(place[0]) / 16);
      EXPECT_EQ(y, 6.5F + static_cast<float>(place[1]) / 16);
    }
  }
}

constexpr std::string_view kCentroid = R"(  %0 = interpolate f32 in1.x centroid
  %1 = interpolate f32 in1.y centroid
  output f32 out0.x %0
  output f32 out0.y %1
)";

TEST(PullModel, CentroidsAreOfWhatIsCovered) {
  EXPECT_EQ(at_pixel(pulling("linear", kCentroid), 3, 5, 4)[0], 3.5F);
  // a mask that leaves samples 1 and 3: the first of them
  EXPECT_EQ(at_pixel(pulling("linear", kCentroid), 3, 5, 4, plane(), 0b1010)[0], 3.5F + 6.0F / 16);
  // an edge at 3.5: samples 0 and 2 of 4 are to its left, of which this reads sample 0's place
  Scene scene(pulling("linear", kCentroid));
  Texture target("R32G32B32A32_FLOAT", 8, 8, 4);
  scene.target(target);
  scene.pipeline.topology = Topology::triangle_strip;
  scene.draw({{{-1, 1, 0, 1}, {0, 0, 0, 0}},
              {{-0.125F, 1, 0, 1}, {3.5F, 0, 0, 0}},
              {{-1, -1, 0, 1}, {0, 8, 0, 0}},
              {{-0.125F, -1, 0, 1}, {3.5F, 8, 0, 0}}});
  EXPECT_EQ(target.at(3, 5, 0)[0], 3.5F - 2.0F / 16);
  EXPECT_EQ(target.at(3, 5, 0)[1], 5.5F - 6.0F / 16);
  EXPECT_EQ(target.at(2, 5, 0)[0], 2.5F);
}

// Each lane of a wave has its own place, wherever in a draw it is.
TEST(PullModel, PlacesMayDifferByLane) {
  const std::string lines = R"(  %x = input f32 in0.x
  %i = f_to_u i32 %x
  %two = iand i32 %i 1
  %0 = interpolate f32 in1.x offset %two 0:i32
  output f32 out0.x %0
)";
  Scene scene(pulling("linear", lines));
  Texture target("R32G32B32A32_FLOAT", 64, 64);
  scene.target(target);
  std::vector<Vertex> vertices = plane();
  for (Vertex& one : vertices)
    for (float& value : one.color) value *= 8;
  scene.draw(vertices);
  for (std::uint32_t y = 0; y < 64; y += 9)
    for (std::uint32_t x = 0; x < 64; ++x)
      ASSERT_EQ(target.at(x, y)[0], static_cast<float>(x) + 0.5F + (x % 2 == 1 ? 1.0F / 16 : 0)) << x << ' ' << y;
}

// --- attributes of vertices --------------------------------------------------------------------------------------------------------------

constexpr std::string_view kVertices = R"(  %0 = input f32 in1.x vertex 0
  %1 = input f32 in1.x vertex 1
  %2 = input f32 in1.x vertex 2
  output f32 out0.x %0
  output f32 out0.y %1
  output f32 out0.z %2
)";

TEST(PullModel, AttributesOfVerticesAreInTheOrderOfThePrimitive) {
  const std::string shader = pulling("constant", kVertices);
  std::vector<Vertex> vertices = plane();
  vertices[0].color[0] = 10;
  const std::array<float, 4> expected{10, 16, 0, 0};
  EXPECT_EQ(at_pixel(shader, 3, 3, 1, vertices), expected);
  // the other side
  EXPECT_EQ(at_pixel(shader, 3, 3, 1, {vertices[0], vertices[2], vertices[1]}), (std::array<float, 4>{10, 0, 16, 0}));
  // a vertex behind the eye
  vertices[2].position = {0, -3, -0.25F, -0.5F};
  EXPECT_EQ(at_pixel(shader, 3, 3, 1, vertices), expected);
}

TEST(PullModel, BarycentricsAreSharesInTheOrderOfThePrimitive) {
  const std::string lines = R"(  %0 = builtin f32 barycentrics.x
  %1 = builtin f32 barycentrics.y
  %2 = builtin f32 barycentrics.z
  %3 = builtin f32 barycentrics_linear.y
  output f32 out0.x %0
  output f32 out0.y %1
  output f32 out0.z %2
  output f32 out0.w %3
)";
  const std::string shader = pulling("linear", lines);
  const double right = 3.5 / 16, down = 5.5 / 16;
  const auto near_to = [](const std::array<float, 4>& found, std::array<double, 4> expected) {
    for (unsigned k = 0; k < 4; ++k) EXPECT_NEAR(found[k], expected[k], 1e-6) << k;
  };
  const std::vector<Vertex> vertices = plane(), skewed = plane(3);
  near_to(at_pixel(shader, 3, 5, 1, vertices), {1 - right - down, right, down, right});
  near_to(at_pixel(shader, 3, 5, 1, {vertices[0], vertices[2], vertices[1]}), {1 - right - down, down, right, down});
  const double sum = 1 - right + right / 3;
  near_to(at_pixel(shader, 3, 5, 1, skewed), {(1 - right - down) / sum, right / 3 / sum, down / sum, right});
  // SV_Barycentrics as an input
  const std::string element =
      "stage pixel\ninput \"SV_Barycentrics\" system_value barycentrics type f32 interpolation linear_noperspective register 0 columns 3\n"
      "output \"SV_Target\" system_value target type f32 register 0\n\nfunction @main {\n^0:\n  %0 = input f32 in0.x\n  %1 = input f32 "
      "in0.y\n"
      "  output f32 out0.x %0\n  output f32 out0.y %1\n  return\n}\n";
  near_to(at_pixel(element, 3, 5, 1, skewed), {1 - right - down, right, 0, 0});
}

}  // namespace
}  // namespace unshade::draw

// What becomes of a pixel: each reason for which a fragment does not land, and what is told of it.
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <utility>

#include "draw_support.hpp"

namespace unshade::draw {
namespace {

using test::constant_shader;
using test::full_screen;
using test::Scene;
using test::Texture;

constexpr std::string_view kDiscards = R"(stage pixel
output "SV_Target" system_value target type f32 register 0

function @main {
^0:
  demote true
  output f32 out0.x 1.0
  output f32 out0.y 1.0
  output f32 out0.z 1.0
  output f32 out0.w 1.0
  return
}
)";

constexpr std::string_view kCovers = R"(stage pixel
output "SV_Target" system_value target type f32 register 0
output "SV_Coverage" system_value coverage type i32 columns 1

function @main {
^0:
  output f32 out0.x 1.0
  output f32 out0.y 1.0
  output f32 out0.z 1.0
  output f32 out0.w 1.0
  output i32 out1.x 2
  return
}
)";

/// Passes a position on, and a distance of -1.
std::string distance_shader(std::string_view value) {
  return R"(stage vertex
input "POSITION" type f32 register 0
output "SV_Position" system_value position type f32 register 0
output "DISTANCE" system_value )" +
         std::string(value) + R"( type f32 register 1 columns 1

function @main {
^0:
  %0 = input f32 in0.x
  %1 = input f32 in0.y
  %2 = input f32 in0.z
  %3 = input f32 in0.w
  output f32 out0.x %0
  output f32 out0.y %1
  output f32 out0.z %2
  output f32 out0.w %3
  output f32 out1.x -1.0
  return
}
)";
}

/// A target of 4x4 pixels, and the history of pixel 1,2.
struct Followed {
  explicit Followed(std::string_view shader = constant_shader("1.0"), std::uint32_t samples = 1,
                    std::string_view format = "R32G32B32A32_FLOAT")
      : scene(shader), target(format, 4, 4, samples), depth("D32_FLOAT", 4, 4, samples) {
    scene.target(target);
    history.place = {.x = 1, .y = 2, .sample = std::nullopt};
  }
  void with_depth(float held) {
    for (std::size_t at = 0; at < depth.bytes.size(); at += 4)
      texel::store_texel(depth.view.format, {std::bit_cast<std::uint32_t>(held)}, &depth.bytes[at]);
    scene.bindings.depth_stencil = {depth.view, std::nullopt};
    scene.pipeline.depth_stencil.depth = true;
  }
  std::vector<HistoryEvent> events(const std::vector<test::Vertex>& vertices = full_screen()) {
    scene.bindings.vertex_buffers = {{std::as_bytes(std::span(vertices)), sizeof(test::Vertex)}};
    scene.call.count = static_cast<std::uint32_t>(vertices.size());
    history.events.clear();
    const auto done = run(scene.pipeline, scene.bindings, scene.call, {}, {.history = &history});
    EXPECT_TRUE(done) << to_string(done.error());
    return history.events;
  }
  /// The fates, each followed by a full stop.
  std::string fates(const std::vector<test::Vertex>& vertices = full_screen()) {
    std::string made;
    for (const HistoryEvent& one : events(vertices)) made += std::string(id(one.fate)) + '.';
    return made;
  }

  Scene scene;
  Texture target, depth;
  History history;
};

TEST(History, TellsWhatIsWritten) {
  Followed one;
  one.with_depth(0.75F);
  const auto events = one.events(full_screen(0.5F));
  ASSERT_EQ(events.size(), 1U);
  const HistoryEvent& event = events.front();
  EXPECT_EQ(event.fate, Fate::written);
  EXPECT_EQ(event.primitive, 0U);
  EXPECT_EQ(event.covered, 1U);
  EXPECT_EQ(event.landed, 1U);
  EXPECT_EQ(event.corners.size(), 3U);
  EXPECT_EQ(event.depth, 0.5F);
  EXPECT_EQ(event.depth_target->before, 0.75F);
  EXPECT_EQ(event.depth_target->after, 0.5F);
  EXPECT_FALSE(event.stencil_target);
  ASSERT_EQ(event.targets.size(), 1U);
  EXPECT_EQ(event.targets[0].before[0], 0U);
  EXPECT_EQ(event.targets[0].after[0], std::bit_cast<std::uint32_t>(1.0F));
  EXPECT_EQ(event.outputs[0][1], std::bit_cast<std::uint32_t>(0.5F));
}

TEST(History, KeepsTheOrderOfPrimitives) {
  Followed one;
  auto two = full_screen();
  for (const test::Vertex& vertex : full_screen()) two.push_back(vertex);
  // beside the pixel
  for (const test::Vertex& vertex : full_screen()) two.push_back({{vertex.position[0] + 4, vertex.position[1], 0.5F, 1}, {}});
  const auto events = one.events(two);
  ASSERT_EQ(events.size(), 2U);
  EXPECT_EQ(events[1].primitive, 1U);
}

TEST(History, NamesWhatPrimitivesAreLostTo) {
  Followed one;
  one.scene.pipeline.rasterizer.cull = Cull::front;
  EXPECT_EQ(one.fates(), "facing.");
  one.scene.pipeline.rasterizer.cull = Cull::none;
  one.scene.pipeline.rasterizer.scissor = true;
  one.scene.bindings.scissors = {{0, 0, 4, 2}};
  EXPECT_EQ(one.fates(), "scissor.");
  one.scene.pipeline.rasterizer.scissor = false;
  EXPECT_EQ(one.fates(full_screen(1.5F)), "clip.");
  EXPECT_EQ(one.fates({{{NAN, 0, 0, 1}, {}}, {{-1, 3, 0, 1}, {}}, {{3, -1, 0, 1}, {}}}), "");
  for (const auto& [value, expected] : {std::pair{"clip_distance", "clip distance."}, {"cull_distance", "cull distance."}}) {
    const vm::Program vertex = test::program_of(distance_shader(value));
    one.scene.pipeline.vertex = &vertex;
    EXPECT_EQ(one.fates(), expected);
  }
}

TEST(History, NamesWhatTestsFailed) {
  Followed early;
  early.with_depth(0.25F);
  EXPECT_EQ(early.fates(full_screen(0.5F)), "early depth.");
  EXPECT_EQ(early.events()[0].depth_target->after, 0.25F);
  EXPECT_TRUE(early.events()[0].outputs.empty());

  constexpr std::string_view kDepth = R"(stage pixel
output "SV_Target" system_value target type f32 register 0
output "SV_Depth" system_value depth type f32 columns 1

function @main {
^0:
  output f32 out0.x 1.0
  output f32 out1.x 0.875
  return
}
)";
  Followed late(kDepth);
  late.with_depth(0.75F);
  const auto events = late.events(full_screen(0.5F));
  ASSERT_EQ(events.size(), 1U);
  EXPECT_EQ(events[0].fate, Fate::late_depth);
  EXPECT_EQ(events[0].depth, 0.875F);
  EXPECT_EQ(events[0].outputs.size(), 1U);
  EXPECT_TRUE(events[0].targets.empty());

  for (const std::string_view shader : {std::string_view(), kDepth}) {
    Followed stencil(shader.empty() ? std::string_view(constant_shader("1.0")) : shader);
    Texture both("D24_UNORM_S8_UINT", 4, 4);
    auto view = *find_depth_stencil_format("D24_UNORM_S8_UINT");
    const texel::Format format = view.texture.format;
    view.texture = both.view;
    view.texture.format = format;
    stencil.scene.bindings.depth_stencil = view;
    stencil.scene.pipeline.depth_stencil.stencil = true;
    stencil.scene.pipeline.depth_stencil.front.comparison = texel::Comparison::never;
    stencil.scene.pipeline.depth_stencil.back.comparison = texel::Comparison::never;
    stencil.scene.pipeline.depth_stencil.front.fail = stencil.scene.pipeline.depth_stencil.back.fail = StencilOp::increment;
    const auto lost = stencil.events();
    ASSERT_EQ(lost.size(), 1U);
    EXPECT_EQ(lost[0].fate, shader.empty() ? Fate::early_stencil : Fate::late_stencil);
    EXPECT_EQ(lost[0].stencil_target->before, 0U);
    EXPECT_EQ(lost[0].stencil_target->after, 1U);
  }
}

TEST(History, NamesDepthBounds) {
  for (const bool late : {false, true}) {
    Followed bounded(constant_shader("1.0"));
    bounded.with_depth(0.25F);
    bounded.scene.pipeline.depth_stencil = {.comparison = texel::Comparison::always, .depth_bounds = true};
    bounded.scene.pipeline.blend.alpha_to_coverage = late;  // the tests come after the shader
    bounded.scene.bindings.depth_bounds = {0.5F, 1};
    EXPECT_EQ(bounded.fates(full_screen(0.75F)), "depth bounds.");
    EXPECT_EQ(bounded.events().back().depth_target->after, 0.25F);
    bounded.scene.bindings.depth_bounds = {0, 0.25F};
    EXPECT_EQ(bounded.events().back().fate, Fate::written);
  }
}

TEST(History, NamesWhatShadersAndMasksDropped) {
  Followed discarded(kDiscards);
  EXPECT_EQ(discarded.fates(), "discard.");
  Followed masked;
  masked.scene.bindings.sample_mask = 2;
  EXPECT_EQ(masked.fates(), "sample mask.");
  Followed covered(kCovers);
  EXPECT_EQ(covered.fates(), "coverage.");

  std::string transparent = constant_shader("1.0");
  transparent.replace(transparent.find("out0.w 1.0"), 10, "out0.w 0.0");
  Followed alpha(transparent, 4);
  alpha.scene.pipeline.blend.alpha_to_coverage = true;
  EXPECT_EQ(alpha.fates(), "alpha to coverage.");
}

TEST(History, NamesWritesThatChangeNothing) {
  Followed one;
  one.scene.pipeline.blend.targets[0].write_mask = 0;
  EXPECT_EQ(one.fates(), "write mask.");
  one.scene.pipeline.blend.targets[0] = {
      .blend = true, .src = BlendFactor::zero, .dest = BlendFactor::one, .src_alpha = BlendFactor::zero, .dest_alpha = BlendFactor::one};
  EXPECT_EQ(one.fates(), "blend result.");
  one.scene.pipeline.blend.targets[0] = {};
  EXPECT_EQ(one.fates(), "written.");
  // the same color again is still written
  EXPECT_EQ(one.fates(), "written.");

  constexpr std::string_view kWhole = R"(stage pixel
output "SV_Target" system_value target type i32 register 0

function @main {
^0:
  output i32 out0.x 7
  output i32 out0.y 7
  output i32 out0.z 7
  output i32 out0.w 7
  return
}
)";
  Followed whole(kWhole, 1, "R32G32B32A32_UINT");
  whole.scene.pipeline.blend.targets[0] = {.logic = true, .logic_op = LogicOp::noop};
  EXPECT_EQ(whole.fates(), "logic operation.");
}

/// Half of what the color's x doubled is, or squared if it is below a half: instruction 3 or 4 is executed, the others always.
std::string choosing(std::string_view interpolation) {
  return "stage pixel\ninput \"SV_Position\" system_value position type f32 interpolation linear_noperspective register 0\n"
         "input \"COLOR\" type f32 interpolation " +
         std::string(interpolation) + R"( register 1
output "SV_Target" system_value target type f32 register 0

function @main {
^0:
  %x = input f32 in1.x !1.0
  %low = flt f32 %x 0.5 !2.0
  branch %low ^1 ^2
^1:
  %square = fmul f32 %x %x !3.0
  jump ^3
^2:
  %double = fadd f32 %x %x !4.0
  jump ^3
^3:
  %chosen = phi f32 ^1 %square ^2 %double
  %half = fmul f32 %chosen 0.5 !5.0
  output f32 out0.x %half !6.0
  return
}
)";
}

/// Two triangles over all of the target, whose color goes from 0 to 2 in opposite directions.
std::vector<test::Vertex> opposite() {
  auto made = full_screen();
  for (const test::Vertex& vertex : full_screen()) made.push_back(vertex);
  for (const std::size_t at : {2U, 3U, 4U}) made[at].color[0] = 2;
  return made;
}

// The trace of an event is that of the invocation which the history tells of, in each wave, at each pixel and sample.
TEST(History, FollowsAnInvocation) {
  using Steps = std::map<std::uint32_t, std::uint32_t>;  // by instruction: the last value
  std::size_t squares = 0, doubles = 0;
  for (const bool per_sample : {false, true}) {
    for (const unsigned wave : {4U, 32U, 128U}) {
      Followed one(choosing(per_sample ? "linear_sample" : "linear"), per_sample ? 4 : 1);
      one.scene.pixel = test::program_of(choosing(per_sample ? "linear_sample" : "linear"), {.wave = wave});
      for (const auto& [x, y] : {std::pair(0U, 0U), std::pair(1U, 2U), std::pair(3U, 3U)}) {
        one.history = {};
        one.history.place = {.x = x, .y = y, .sample = std::nullopt};
        const auto events = one.events(opposite());
        ASSERT_EQ(events.size(), per_sample ? 8U : 2U);
        for (std::size_t event = 0; event < events.size(); ++event) {
          Steps steps;
          one.history.traced = event;
          one.history.self = &steps;
          one.history.step = [](void* self, const vm::TraceStep& step, unsigned lane) {
            const bool is_active = (step.active[lane / 64] >> (lane % 64) & 1) != 0;
            if (step.results == 1 && is_active)
              (*static_cast<Steps*>(self))[step.source.instruction] = static_cast<std::uint32_t>(step.values[lane]);
          };
          const auto again = one.events(opposite());
          EXPECT_EQ(again.size(), events.size());
          const float given = std::bit_cast<float>(static_cast<std::uint32_t>(events[event].inputs[4]));
          EXPECT_EQ(std::bit_cast<float>(steps[1]), given);
          EXPECT_EQ(steps[5], events[event].outputs[0][0]);
          EXPECT_EQ(steps.contains(3), given < 0.5F);
          EXPECT_EQ(steps.contains(4), !(given < 0.5F));
          squares += steps.count(3);
          doubles += steps.count(4);
        }
      }
    }
  }
  EXPECT_GT(squares, 0U);
  EXPECT_GT(doubles, 0U);
}

TEST(History, FollowsASample) {
  // three quarters of pixel 0: all samples of the pattern of four but the second
  const std::vector<test::Vertex> half = {{{-1, -1, 0, 1}, {}}, {{-1, 1, 0, 1}, {}},      {{-0.625F, 1, 0, 1}, {}},
                                          {{-1, -1, 0, 1}, {}}, {{-0.625F, 1, 0, 1}, {}}, {{-0.625F, -1, 0, 1}, {}}};
  Followed one(constant_shader("1.0"), 4);
  one.history.place = {.x = 0, .y = 2, .sample = std::nullopt};
  std::uint32_t covered = 0;
  for (const HistoryEvent& event : one.events(half)) covered |= event.covered;
  EXPECT_EQ(covered, 0b1101U);
  one.history.place.x = 1;
  EXPECT_EQ(one.fates(half), "");
  one.history.place = {.x = 0, .y = 2, .sample = 3};
  const auto events = one.events(half);
  ASSERT_EQ(events.size(), 1U);
  EXPECT_EQ(events[0].sample, 3U);
  one.history.place.sample = 1;
  EXPECT_EQ(one.fates(half), "");
}

TEST(History, DrawsTheSame) {
  Followed with, without;
  with.events();
  EXPECT_EQ(without.scene.draw(full_screen()).statistics.samples_passed, 16U);
  EXPECT_EQ(with.target.bytes, without.target.bytes);
}

TEST(History, IsBounded) {
  Followed one;
  std::vector<test::Vertex> many;
  for (std::size_t k = 0; k < History::kMostEvents + 2; ++k)
    for (const test::Vertex& vertex : full_screen()) many.push_back(vertex);
  EXPECT_EQ(one.events(many).size(), History::kMostEvents);
  EXPECT_TRUE(one.history.is_cut);
}

}  // namespace
}  // namespace unshade::draw

// Stream output. src: Direct3D 11.3 functional specification 14, 20.4.9, 8.9
#include <cstring>

#include "draw_support.hpp"

namespace unshade::draw {
namespace {

using test::constant_shader;
using test::full_screen;
using test::program_of;
using test::Scene;
using test::Texture;
using test::Vertex;

/// A draw without targets, whose colors go to buffers of floats, all of which are -1.
struct Streaming : Scene {
  explicit Streaming(std::size_t floats = 64) : memory(floats, -1.0F) {
    pipeline.rasterized_stream.reset();
    pipeline.stream_output.entries = {{.semantic = "COLOR", .components = 1}};
    buffer.bytes = std::as_writable_bytes(std::span(memory));
    bindings.stream_buffers[0] = &buffer;
  }
  /// Vertices whose colors count up from 0.
  Report stream(Topology topology, unsigned vertices) {
    pipeline.topology = topology;
    std::vector<Vertex> made(vertices);
    for (unsigned k = 0; k < vertices; ++k) {
      made[k].position = {0, 0, 0, 1};
      made[k].color = {static_cast<float>(k), static_cast<float>(k) + 0.25F, static_cast<float>(k) + 0.5F, static_cast<float>(k) + 0.75F};
    }
    call.count = vertices;
    return draw(made);
  }
  std::string written() const {
    std::string text;
    for (std::size_t k = 0; k < buffer.filled / 4; ++k) text += (k == 0 ? "" : " ") + std::to_string(static_cast<int>(memory[k]));
    return text;
  }
  std::vector<float> memory;
  StreamBuffer buffer;
};

// "Just before Streaming Out, all topologies are always expanded to lists"; adjacent vertices are discarded
TEST(StreamOutput, WritesListsOfWholePrimitives) {
  const auto of = [](Topology topology, unsigned vertices) {
    Streaming one;
    one.stream(topology, vertices);
    return one.written();
  };
  EXPECT_EQ(of(Topology::point_list, 3), "0 1 2");
  EXPECT_EQ(of(Topology::line_list, 5), "0 1 2 3");
  EXPECT_EQ(of(Topology::line_strip, 4), "0 1 1 2 2 3");
  EXPECT_EQ(of(Topology::triangle_list, 8), "0 1 2 3 4 5");
  EXPECT_EQ(of(Topology::triangle_strip, 5), "0 1 2 1 3 2 2 3 4");
  EXPECT_EQ(of(Topology::line_list_adjacency, 8), "1 2 5 6");
  EXPECT_EQ(of(Topology::triangle_list_adjacency, 6), "0 2 4");
}

TEST(StreamOutput, PatchesGoThereToo) {
  Streaming one;
  one.pipeline.patch_points = 4;
  one.stream(Topology::patch_list, 8);
  EXPECT_EQ(one.written(), "0 1 2 3 4 5 6 7");
}

TEST(StreamOutput, EntriesFollowEachOtherWithGaps) {
  Streaming one(32);
  one.pipeline.stream_output.entries = {{.semantic = "color", .first_component = 1, .components = 2},
                                        {.semantic = {}, .components = 1},
                                        {.semantic = "COLOR", .first_component = 3, .components = 1},
                                        {.semantic = "SV_POSITION", .first_component = 3, .components = 1}};
  one.pipeline.stream_output.strides[0] = 24;
  one.stream(Topology::point_list, 2);
  EXPECT_EQ(one.buffer.filled, 48U);
  const std::vector<float> expected{0.25F, 0.5F, -1, 0.75F, 1, -1, 1.25F, 1.5F, -1, 1.75F, 1, -1, -1};
  EXPECT_TRUE(std::equal(expected.begin(), expected.end(), one.memory.begin()));
}

// "A given primitive is written only if there is enough space for its entire contents"; the count of what is needed goes on
TEST(StreamOutput, OverflowStopsAtWholePrimitives) {
  Streaming one(8);
  const Report report = one.stream(Topology::triangle_list, 12);
  EXPECT_EQ(one.written(), "0 1 2 3 4 5");
  EXPECT_EQ(report.statistics.streams[0].written, 2U);
  EXPECT_EQ(report.statistics.streams[0].needed, 4U);
  EXPECT_EQ(one.memory[6], -1);
}

// "as soon as one of the Buffers can no longer hold any more complete primitives, writes to ALL Buffers for that Stream are stopped"
TEST(StreamOutput, TheSmallestBufferStopsAll) {
  Streaming one;
  std::vector<float> other(3, -1.0F);
  StreamBuffer second{std::as_writable_bytes(std::span(other)), 0};
  one.pipeline.stream_output.entries.push_back({.semantic = "COLOR", .first_component = 1, .components = 1, .slot = 2});
  one.bindings.stream_buffers[2] = &second;
  const Report report = one.stream(Topology::line_list, 8);
  EXPECT_EQ(one.written(), "0 1");
  EXPECT_EQ(second.filled, 8U);
  EXPECT_EQ(other, (std::vector<float>{0.25F, 1.25F, -1}));
  EXPECT_EQ(report.statistics.streams[0].written, 1U);
  EXPECT_EQ(report.statistics.streams[0].needed, 4U);
}

// 14.6: a slot without a buffer is full; a buffer that nothing goes to is ignored
TEST(StreamOutput, SlotsWithoutABufferAreFull) {
  Streaming one;
  one.bindings.stream_buffers = {nullptr, &one.buffer, nullptr, nullptr};
  const Report report = one.stream(Topology::point_list, 3);
  EXPECT_EQ(report.statistics.streams[0].written, 0U);
  EXPECT_EQ(report.statistics.streams[0].needed, 3U);
  EXPECT_EQ(one.buffer.filled, 0U);
}

// 14.4
TEST(StreamOutput, DrawsGoOnWhereTheLastOneEnded) {
  Streaming one;
  one.stream(Topology::point_list, 2);
  one.stream(Topology::point_list, 3);
  EXPECT_EQ(one.written(), "0 1 0 1 2");
  one.buffer.filled = 4;
  one.stream(Topology::point_list, 1);
  EXPECT_EQ(one.written(), "0 0");
  EXPECT_EQ(one.memory[2], 0);
}

// 14.7
TEST(StreamOutput, IsBesideTheRasterizer) {
  Scene scene(constant_shader("1.0"));
  Texture target("R32G32B32A32_FLOAT", 2, 2);
  scene.target(target);
  std::vector<float> memory(16);
  StreamBuffer buffer{std::as_writable_bytes(std::span(memory)), 0};
  scene.pipeline.stream_output.entries = {{.semantic = "SV_Position"}};
  scene.bindings.stream_buffers[0] = &buffer;
  scene.draw(full_screen());
  EXPECT_EQ(target.picture(), "11\n11\n");
  EXPECT_EQ(buffer.filled, 48U);
  EXPECT_EQ(memory[5], 3);  // y of the second vertex, in clip space
}

// 8.9
TEST(StreamOutput, WhatWasStreamedIsDrawnWithoutACount) {
  Streaming one;
  one.pipeline.stream_output.entries = {{.semantic = "SV_Position"}, {.semantic = "COLOR"}};
  one.draw(full_screen());
  Scene scene(constant_shader("1.0"));
  Texture target("R32G32B32A32_FLOAT", 2, 2);
  scene.target(target);
  scene.bindings.vertex_buffers = {{one.buffer.bytes, 32, one.buffer.filled}};
  scene.call.automatic = true;
  const auto report = run(scene.pipeline, scene.bindings, scene.call);
  ASSERT_TRUE(report) << to_string(report.error());
  EXPECT_EQ(report->statistics.vertices, 3U);
  EXPECT_EQ(target.picture(), "11\n11\n");
  scene.bindings.vertex_buffers[0].filled = 95;  // not three vertices
  EXPECT_EQ(run(scene.pipeline, scene.bindings, scene.call)->statistics.vertices, 2U);
  scene.bindings.vertex_buffers[0].filled.reset();
  EXPECT_EQ(run(scene.pipeline, scene.bindings, scene.call).error().path, "automatic");
}

/// Gives each point to stream 0, and its color twice to stream 1.
constexpr std::string_view kTwoStreams = R"(stage geometry
info input_primitive point streams 2 point_list point_list max_vertices 3
input "SV_Position" system_value position type f32 register 0
input "COLOR" type f32 register 1
output "SV_Position" system_value position type f32 register 0
output "TWICE" type f32 register 0 columns 2 stream 1

function @main {
^0:
  %x = input f32 in0.x vertex 0
  %y = input f32 in0.y vertex 0
  %color = input f32 in1.x vertex 0
  output f32 out0.x %x
  output f32 out0.y %y
  output f32 out0.z 0.0
  output f32 out0.w 1.0
  emit 0
  output f32 out1.x %color
  output f32 out1.y 7.0
  emit 1
  %more = fadd f32 %color 100.0
  output f32 out1.x %more
  emit 1
  return
}
)";

TEST(StreamOutput, StreamsOfGeometryShadersGoTheirOwnWays) {
  Scene scene(constant_shader("1.0"));
  const vm::Program geometry = program_of(kTwoStreams);
  scene.pipeline.geometry = &geometry;
  scene.pipeline.topology = Topology::point_list;
  Texture target("R32G32B32A32_FLOAT", 2, 2);
  scene.target(target);
  std::vector<float> places(16), twice(3);
  StreamBuffer first{std::as_writable_bytes(std::span(places)), 0}, second{std::as_writable_bytes(std::span(twice)), 0};
  scene.pipeline.stream_output.entries = {{.stream = 1, .semantic = "TWICE", .components = 1, .slot = 1},
                                          {.stream = 0, .semantic = "SV_Position", .components = 2, .slot = 0}};
  scene.bindings.stream_buffers = {&first, &second, nullptr, nullptr};
  const Report report = scene.draw({{{-0.5F, 0.5F, 0, 1}, {5, 0, 0, 0}}, {{0.5F, -0.5F, 0, 1}, {6, 0, 0, 0}}});
  EXPECT_EQ(target.picture(), "10\n01\n");
  EXPECT_EQ(twice, (std::vector<float>{5, 105, 6}));
  EXPECT_EQ(first.filled, 16U);
  EXPECT_EQ(places[3], -0.5F);
  EXPECT_EQ(report.statistics.streams[0].needed, 2U);
  EXPECT_EQ(report.statistics.streams[1].written, 3U);
  EXPECT_EQ(report.statistics.streams[1].needed, 4U);
  EXPECT_EQ(report.statistics.geometry_primitives, 6U);
}

TEST(StreamOutput, RefusesWhatDoesNotFitTogether) {
  const auto fault = [](std::vector<StreamEntry> entries, std::uint32_t stride = 0) -> std::string {
    Streaming one;
    one.pipeline.stream_output.entries = std::move(entries);
    one.pipeline.stream_output.strides[0] = stride;
    const std::vector<Vertex> vertices(3);
    one.bindings.vertex_buffers = {{std::as_bytes(std::span(vertices)), sizeof(Vertex)}};
    one.call.count = 3;
    const auto done = run(one.pipeline, one.bindings, one.call);
    return done ? "none" : done.error().path + ": " + done.error().message;
  };
  const std::string first = "stream_output/Declaration[0]: ", second = "stream_output/Declaration[1]: ";
  EXPECT_EQ(fault({{.semantic = "COLOR"}}), "none");
  EXPECT_EQ(fault({{.semantic = "COLOR", .slot = 4}}), first + "streams and slots are numbered from 0 to 3");
  EXPECT_EQ(fault({{.stream = 1, .semantic = "COLOR"}}), first + "without a geometry shader, the stream must be 0");
  EXPECT_EQ(fault({{.semantic = "COLOR", .first_component = 1}}), first + "an entry must select 1 to 4 components of an output");
  EXPECT_EQ(fault({{.semantic = "COLOR"}, {.semantic = "COLR"}}), second + "the vertices have no output `COLR0`; did you mean `COLOR`?");
  EXPECT_EQ(fault(std::vector<StreamEntry>(33, {.semantic = "COLOR"})),
            "stream_output/Declaration[32]: a vertex must have at most 128 components in a stream, and 512 bytes in a buffer");
  for (const std::uint32_t stride : {12U, 18U, 2052U})
    EXPECT_EQ(fault({{.semantic = "COLOR"}}, stride),
              "stream_output/BufferStrides[0]: a stride must be a multiple of 4, at least what the entries take, and at most 2048 bytes");
}

}  // namespace
}  // namespace unshade::draw

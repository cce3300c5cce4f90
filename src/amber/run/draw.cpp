// Draws: what a script says of a pipeline, in Direct3D's words.
#include <algorithm>
#include <bit>
#include <cstring>
#include <span>

#include <unshade/draw/pipeline.hpp>

#include "amber/run/script_run.hpp"

namespace unshade::amber::runner {
namespace {

using Use = ScriptPipeline::Binding::Use;

constexpr std::uint64_t kMostVertices = 1'000'000;
constexpr const char* kTooManyVertices = "a draw must have at most 1000000 vertices";
constexpr std::uint32_t kMostTargets = draw::kTargets;

/// A corner of a cell: how far right and down.
struct Corner {
  std::uint32_t right, down;
};
// src: google/amber:src/vulkan/engine_vulkan.cc, DoDrawRect and DoDrawGrid: a rectangle is a strip, each cell of a grid two triangles
constexpr Corner kStrip[] = {{0, 1}, {0, 0}, {1, 1}, {1, 0}};
constexpr Corner kTriangles[] = {{1, 1}, {0, 1}, {0, 0}, {1, 1}, {0, 0}, {1, 0}};

// Corners of a rectangle's cells: as the vertex shader's location 0 has them.
std::vector<float> corners_of(const DrawRect& rectangle, const ScriptPipeline& pipeline) {
  const std::span<const Corner> corners = rectangle.is_grid ? std::span<const Corner>(kTriangles) : kStrip;
  std::vector<float> made;
  for (std::uint32_t cell = 0; cell < rectangle.columns * rectangle.rows; ++cell) {
    for (const Corner& corner : corners) {
      const auto column = static_cast<float>(cell % rectangle.columns + corner.right);
      const auto row = static_cast<float>(cell / rectangle.columns + corner.down);
      const float x = rectangle.area[0] + rectangle.area[2] * column / static_cast<float>(rectangle.columns);
      const float y = rectangle.area[1] + rectangle.area[3] * row / static_cast<float>(rectangle.rows);
      made.push_back(x * 2 / static_cast<float>(pipeline.width) - 1);
      made.push_back(y * 2 / static_cast<float>(pipeline.height) - 1);
    }
  }
  return made;
}

}  // namespace

// Vertices and indices. False, after a report, if buffers do not have them.
bool ScriptRun::give_vertices(const ScriptPipeline& pipeline, const DrawArray& what, draw::Pipeline& states, draw::Bindings& bound,
                              draw::Call& call) {
  std::uint64_t most = 0;
  for (const auto& data : pipeline.vertices) {
    const DataType& type = script_.buffers[data.buffer].type;
    const texel::Format& format = data.format ? *data.format : type.format;
    if (format.bytes() == 0) return skip(place_, "needs vertex data whose components do not have 32 bits"), false;
    const std::uint32_t stride = data.stride != 0 ? data.stride : type.stride;
    if (!data.per_instance) most = std::max<std::uint64_t>(most, memory_[data.buffer].bytes.size() / std::max(1U, stride));
    states.input.push_back({.input_register = data.location,
                            .format = format,
                            .slot = static_cast<std::uint32_t>(bound.vertex_buffers.size()),
                            .offset = data.offset,
                            .per_instance = data.per_instance});
    bound.vertex_buffers.push_back({memory_[data.buffer].bytes, stride});
  }
  call.indexed = what.indexed;
  call.first_instance = what.first_instance;
  call.instances = what.instances;
  // src: google/amber:src/amberscript/parser.cc, ParseRun: the first index and the count must be in the indices or vertices
  if (what.indexed) {
    if (pipeline.indices == kNone) return fail(place_, "the pipeline has no INDEX_DATA"), false;
    const std::uint32_t stride = script_.buffers[pipeline.indices].type.stride;
    bound.indices = {memory_[pipeline.indices].bytes, stride};
    most = bound.indices.bytes.size() / std::max(1U, stride);
    // src: google/amber:src/vulkan/graphics_pipeline.cc, DrawArraysCommand: it becomes the vertex offset
    call.base_vertex = static_cast<std::int32_t>(what.first);
  } else {
    call.first = what.first;
    if (most == 0 && !what.count) return fail(place_, "the pipeline has no VERTEX_DATA for each vertex: the draw must have a COUNT"), false;
  }
  const std::uint64_t end = what.count ? std::uint64_t{what.first} + *what.count : std::max<std::uint64_t>(most, what.first);
  if ((most != 0 || what.indexed) && end > most)
    return fail(place_, "START_IDX and COUNT end at " + std::to_string(end) + ", and there are " + std::to_string(most) +
                            (what.indexed ? " indices" : " vertices")),
           false;
  const std::uint64_t count = end - what.first;
  if (count * what.instances > kMostVertices) return fail(place_, kTooManyVertices), false;
  call.count = static_cast<std::uint32_t>(count);
  return true;
}

void ScriptRun::draw(const ScriptPipeline& pipeline, const DrawArray& what, const std::optional<DrawRect>& rectangle) {
  if (!can_run(pipeline)) return;
  if (find(pipeline, Stage::vertex) == nullptr) return fail(pipeline.place, "the pipeline has no vertex shader");
  draw::Pipeline states;
  draw::Bindings bound;
  draw::Call call;
  states.topology = what.topology;
  states.patch_points = pipeline.patch_points;
  states.strip_cut = false;
  states.rasterizer = pipeline.rasterizer;
  states.depth_stencil = pipeline.depth_stencil;
  const auto give_masks = [](const ScriptPipeline::StencilValues& from, draw::StencilFace& to) {
    to.read_mask = from.read_mask;
    to.write_mask = from.write_mask;
  };
  give_masks(pipeline.stencil_front, states.depth_stencil.front);
  give_masks(pipeline.stencil_back, states.depth_stencil.back);
  states.blend.targets.fill(pipeline.blend);
  states.conventions = draw::Conventions::vulkan();
  std::vector<float> corners;
  if (rectangle) {
    if (std::uint64_t{rectangle->columns} * rectangle->rows > kMostVertices / 6) return fail(place_, kTooManyVertices);
    corners = corners_of(*rectangle, pipeline);
    if (!rectangle->is_grid) states.topology = draw::Topology::triangle_strip;
    states.input.push_back({.input_register = 0, .format = *texel::find_format("R32G32_FLOAT")});
    bound.vertex_buffers.push_back({std::as_bytes(std::span(corners)), 2 * sizeof(float)});
    call.count = static_cast<std::uint32_t>(corners.size() / 2);
  } else if (!give_vertices(pipeline, what, states, bound, call)) {
    return;
  }
  struct Stages {
    Stage stage;
    const vm::Program*& program;
    vm::Resources*& resources;
    vm::Resources own;
  };
  Stages stages[] = {{Stage::vertex, states.vertex, bound.vertex, {}},
                     {Stage::hull, states.hull, bound.hull, {}},
                     {Stage::domain, states.domain, bound.domain, {}},
                     {Stage::geometry, states.geometry, bound.geometry, {}},
                     {Stage::pixel, states.pixel, bound.pixel, {}}};
  for (Stages& one : stages) {
    const Attached* const attached = find(pipeline, one.stage);
    if (attached == nullptr || script_.shaders[attached->shader].format == ScriptShader::Format::passthrough) continue;
    one.program = program(pipeline, *attached);
    if (one.program == nullptr) return;
    one.own = resources(pipeline, one.program->module());
    one.resources = &one.own;
  }
  for (const Binding& binding : pipeline.bindings) {
    if (binding.use != Use::color || binding.number >= kMostTargets) continue;
    const DataType& type = script_.buffers[binding.buffers[0]].type;
    if (type.format.bytes() == 0 || type.format.bytes() != type.stride || memory_[binding.buffers[0]].width == 0)
      return fail(binding.place, "a target must be a picture with a format");
    bound.targets.resize(std::max<std::size_t>(bound.targets.size(), binding.number + 1));
    texel::Descriptor& to = bound.targets[binding.number];
    to = texture(binding);
    to.levels = 1;
  }
  std::array<float, 4> area{0, 0, static_cast<float>(pipeline.width), static_cast<float>(pipeline.height)};
  if (pipeline.viewport) area = *pipeline.viewport;
  bound.scissors = {{0, 0, static_cast<std::int32_t>(pipeline.width), static_cast<std::int32_t>(pipeline.height)}};
  bound.viewports = {{area[0], area[1], area[2], area[3], pipeline.depth_range[0], pipeline.depth_range[1]}};
  bound.depth_stencil = depth_target(static_cast<std::uint32_t>(&pipeline - script_.pipelines.data()));
  bound.depth_bounds = pipeline.depth_bounds;
  bound.stencil_references = {pipeline.stencil_front.reference, pipeline.stencil_back.reference};
  bound.blend_factor = {0, 0, 0, 0};

  auto drawn = draw::run(states, bound, call, {.operations = options_.operations});
  if (!drawn) return report(drawn.error(), place_);
  if (finished(vm::Report{.stop = drawn->stop, .fault = std::move(drawn->fault), .operations = drawn->operations}, place_))
    resolve(pipeline);
}

}  // namespace unshade::amber::runner

// Draws: vertices, triangles, and pixels in quads.
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>

#include <unshade/vm/formats.hpp>

#include "suite/run/session.hpp"

namespace unshade::suite::runner {
namespace {

using Use = ScriptPipeline::Binding::Use;
using dxcontainer::Interpolation;
using dxcontainer::SystemValue;

/// Quads that are shaded at once.
constexpr std::size_t kQuads = 4096;
/// Positions have 8 bits below a pixel, as Vulkan's subPixelPrecisionBits mostly are, and 24 above.
constexpr double kSubpixels = 256;
constexpr double kMostPosition = 8388608;

constexpr std::uint32_t kOne = 0x3f80'0000;
constexpr std::uint64_t kMostVertices = 1'000'000;
constexpr const char* kTooManyVertices = "a draw may have 1000000 vertices";

}  // namespace

void Session::Vertices::take(const ir::Module& module, const vm::Lanes& lanes) {
  elements = module.signatures.output;
  components = vm::components_of(elements);
  values.resize(std::size_t{components} * lanes.count);
  for (std::uint32_t at = 0; at < lanes.count; ++at)
    for (std::uint32_t k = 0; k < components; ++k)
      values[std::size_t{at} * components + k] = lanes.outputs[std::size_t{k} * lanes.count + at];
  positions.resize(lanes.count);
}

struct Session::Triangle {
  std::array<std::uint32_t, 3> corners;
  std::array<std::int64_t, 3> x, y;      ///< in parts of a pixel, counter-clockwise on the screen
  std::array<double, 3> depth, inverse;  ///< z/w and 1/w
  double area;
  bool is_front;
  std::uint32_t number;

  // Twice the area of the triangle that a place makes with the edge opposite to a corner, exactly.
  std::int64_t edge(unsigned corner, std::int64_t px, std::int64_t py) const {
    const unsigned a = (corner + 1) % 3;
    const unsigned b = (corner + 2) % 3;
    return (x[b] - x[a]) * (py - y[a]) - (y[b] - y[a]) * (px - x[a]);
  }
  // Places on an edge are in if it is a top or left one.
  bool covers(std::int64_t px, std::int64_t py) const {
    for (unsigned corner = 0; corner < 3; ++corner) {
      const std::int64_t value = edge(corner, px, py);
      if (value < 0) return false;
      if (value > 0) continue;
      const std::int64_t dx = x[(corner + 2) % 3] - x[(corner + 1) % 3];
      const std::int64_t dy = y[(corner + 2) % 3] - y[(corner + 1) % 3];
      if (!(dy < 0 || (dy == 0 && dx > 0))) return false;
    }
    return true;
  }
};

std::vector<Session::Target> Session::targets(const ScriptPipeline& pipeline) {
  std::vector<Target> made;
  for (const Binding& binding : pipeline.bindings) {
    if (binding.use != Use::color) continue;
    made.push_back({&binding, &memory_[binding.buffers[0]], &script_.buffers[binding.buffers[0]].type});
  }
  return made;
}

void Session::draw(const ScriptPipeline& pipeline, const DrawArray& what, const std::optional<DrawRect>& rectangle) {
  if (!can_run(pipeline)) return;
  const bool patches = find(pipeline, Stage::hull) != nullptr;
  if (patches != (what.topology == Topology::patch_list) || patches != (find(pipeline, Stage::domain) != nullptr))
    return fail(place_, "tessellation must have both of its stages, and patches");
  if (!patches && what.topology != Topology::triangle_list && what.topology != Topology::triangle_strip &&
      what.topology != Topology::triangle_fan)
    return skip(place_, "needs the rasterizer: lines and points");
  Vertices vertices;
  vertices.first = what.first;
  vertices.first_instance = what.first_instance;
  vertices.instances = what.instances;
  if (rectangle) {
    const std::uint64_t cells = std::uint64_t{rectangle->columns} * rectangle->rows;
    if (cells > kMostVertices / 6) return fail(place_, kTooManyVertices);
    for (std::uint32_t at = 0; at < cells * 6; ++at) vertices.ids.push_back(at);
  } else {
    std::uint64_t most = 0;
    for (const auto& data : pipeline.vertices) {
      if (data.per_instance) continue;
      const std::uint32_t stride = data.stride != 0 ? data.stride : script_.buffers[data.buffer].type.stride;
      most = std::max<std::uint64_t>(most, memory_[data.buffer].bytes.size() / std::max(1U, stride));
    }
    if (what.indexed) {
      if (pipeline.indices == kNone) return fail(place_, "the pipeline has no INDEX_DATA");
      const DataType& type = script_.buffers[pipeline.indices].type;
      const auto& bytes = memory_[pipeline.indices].bytes;
      const std::uint64_t all = bytes.size() / type.stride;
      const std::uint64_t end = what.count ? std::min<std::uint64_t>(all, std::uint64_t{what.first} + *what.count) : all;
      if (end > what.first + kMostVertices) return fail(place_, kTooManyVertices);
      for (std::uint64_t at = what.first; at < end; ++at) {
        std::uint32_t index = 0;
        std::memcpy(&index, bytes.data() + at * type.stride, std::min(4U, type.stride));
        vertices.ids.push_back(index);
      }
      vertices.first = 0;
    } else {
      const std::uint64_t end = what.count ? std::uint64_t{what.first} + *what.count : most;
      if (end > kMostVertices) return fail(place_, kTooManyVertices);
      for (std::uint64_t at = what.first; at < end; ++at) vertices.ids.push_back(static_cast<std::uint32_t>(at));
    }
  }
  const auto count = static_cast<std::uint32_t>(vertices.ids.size());
  if (std::uint64_t{count} * what.instances > kMostVertices) return fail(place_, kTooManyVertices);
  for (std::uint32_t instance = 0; instance < what.instances; ++instance) {
    if (patches) break;
    const std::uint32_t base = instance * count;
    if (what.topology == Topology::triangle_list) {
      for (std::uint32_t at = 0; at + 2 < count; at += 3) vertices.triangles.push_back({base + at, base + at + 1, base + at + 2});
      continue;
    }
    for (std::uint32_t at = 0; at + 2 < count; ++at) {
      // the first vertex is the one whose values are taken where they are not interpolated
      if (what.topology == Topology::triangle_fan) {
        vertices.triangles.push_back({base + at + 1, base + at + 2, base});
      } else {
        vertices.triangles.push_back({base + at, base + at + 1 + at % 2, base + at + 2 - at % 2});
      }
    }
  }
  if (!run_vertices(pipeline, vertices, rectangle)) return;
  if (patches && !tessellate(pipeline, vertices)) return;
  if (find(pipeline, Stage::geometry) != nullptr && !run_geometry(pipeline, vertices)) return;
  rasterize(pipeline, vertices);
}

// Corners of a rectangle's cells in the order of two triangles each: as the vertex shader's location 0 has them.
static std::array<float, 2> corner_of(const DrawRect& rectangle, const ScriptPipeline& pipeline, std::uint32_t vertex) {
  const std::uint32_t cell = vertex / 6;
  constexpr std::uint32_t kRight[] = {0, 1, 1, 0, 1, 0};
  constexpr std::uint32_t kDown[] = {0, 0, 1, 0, 1, 1};
  const auto columns = static_cast<float>(rectangle.columns);
  const auto rows = static_cast<float>(rectangle.rows);
  const auto column = static_cast<float>(cell % rectangle.columns + kRight[vertex % 6]);
  const auto row = static_cast<float>(cell / rectangle.columns + kDown[vertex % 6]);
  const float x = rectangle.area[0] + rectangle.area[2] * column / columns;
  const float y = rectangle.area[1] + rectangle.area[3] * row / rows;
  return {x * 2 / static_cast<float>(pipeline.width) - 1, y * 2 / static_cast<float>(pipeline.height) - 1};
}

bool Session::run_vertices(const ScriptPipeline& pipeline, Vertices& vertices, const std::optional<DrawRect>& rectangle) {
  const Attached* const attached = find(pipeline, Stage::vertex);
  if (attached == nullptr) return fail(pipeline.place, "the pipeline has no vertex shader"), false;
  const auto fetch_count = static_cast<std::uint32_t>(vertices.ids.size());
  const std::uint32_t count = fetch_count * vertices.instances;
  bool is_read = true;
  // a value of four components, as bits of f32, i32 or u32
  const auto fetched = [&](std::uint32_t location, std::uint32_t at) -> std::array<std::uint32_t, 4> {
    if (rectangle && location == 0) {
      const auto [x, y] = corner_of(*rectangle, pipeline, vertices.ids[at % fetch_count]);
      return {std::bit_cast<std::uint32_t>(x), std::bit_cast<std::uint32_t>(y), 0, kOne};
    }
    for (const auto& data : pipeline.vertices) {
      if (data.location != location) continue;
      const DataType& type = script_.buffers[data.buffer].type;
      const vm::Format& format = data.format ? *data.format : type.format;
      if (format.bytes() == 0) {
        is_read = false;
        return {};
      }
      const std::uint64_t stride = data.stride != 0 ? data.stride : type.stride;
      const std::uint64_t row = data.per_instance ? vertices.first_instance + at / fetch_count : vertices.ids[at % fetch_count];
      const std::uint64_t offset = row * stride + data.offset;
      const auto& bytes = memory_[data.buffer].bytes;
      return offset + format.bytes() <= bytes.size() ? vm::load_texel(format, bytes.data() + offset) : std::array<std::uint32_t, 4>{};
    }
    return {0, 0, 0, kOne};
  };
  if (script_.shaders[attached->shader].format == ScriptShader::Format::passthrough) {
    for (std::uint32_t at = 0; at < count; ++at) vertices.positions.push_back(std::bit_cast<std::array<float, 4>>(fetched(0, at)));
    return true;
  }
  const vm::Program* const made = program(pipeline, *attached);
  if (made == nullptr) return false;
  const auto& input = made->module().signatures.input;
  vm::Lanes lanes;
  lanes.count = count;
  lanes.inputs.resize(std::size_t{vm::components_of(input)} * count);
  for (std::size_t element = 0; element < input.size(); ++element) {
    const ir::Element& one = input[element];
    for (std::uint32_t row = 0; row < one.rows; ++row) {
      for (std::uint32_t at = 0; at < count; ++at) {
        const auto value = fetched(one.first_register + row, at);
        for (std::uint32_t column = 0; column < one.columns && one.first_column + column < 4; ++column) {
          const std::size_t component = vm::component_of(input, element) + std::size_t{row} * one.columns + column;
          lanes.inputs[component * count + at] = value[one.first_column + column];
        }
      }
    }
    if (one.type != ir::Type::f32 && one.type != ir::Type::i32) return skip(place_, "needs vertices of other than 32 bits"), false;
  }
  if (!is_read) return skip(place_, "needs vertices of other than 32 bits"), false;
  const auto number = [](ir::Builtin which) { return static_cast<std::size_t>(which); };
  lanes.builtins.resize(ir::kBuiltinCount);
  for (std::uint32_t at = 0; at < count; ++at) {
    lanes.builtins[number(ir::Builtin::vertex_id)].push_back(vertices.ids[at % fetch_count]);
    lanes.builtins[number(ir::Builtin::instance_id)].push_back(vertices.first_instance + at / fetch_count);
    lanes.builtins[number(ir::Builtin::base_vertex)].push_back(vertices.first);
    lanes.builtins[number(ir::Builtin::base_instance)].push_back(vertices.first_instance);
  }
  vm::Resources bound = resources(pipeline, made->module());
  if (!finished(vm::run_lanes(*made, bound, lanes, {.operations = options_.operations}), attached->place)) return false;
  vertices.take(made->module(), lanes);
  return true;
}

namespace {

std::uint32_t position_component(const std::vector<ir::Element>& elements) {
  for (std::size_t at = 0; at < elements.size(); ++at)
    if (elements[at].system_value == SystemValue::position && elements[at].columns == 4) return vm::component_of(elements, at);
  return kNone;
}

}  // namespace

std::vector<std::uint32_t> links(const std::vector<ir::Element>& outputs, const std::vector<ir::Element>& inputs) {
  std::vector<std::uint32_t> made(vm::components_of(inputs), kNone);
  for (std::size_t in = 0; in < inputs.size(); ++in) {
    const ir::Element& to = inputs[in];
    for (std::uint32_t row = 0; row < to.rows; ++row) {
      for (std::uint32_t column = 0; column < to.columns; ++column) {
        for (std::size_t out = 0; out < outputs.size(); ++out) {
          const ir::Element& from = outputs[out];
          std::uint32_t from_row = 0;
          std::uint32_t from_column = column;
          if (to.first_register == ir::kNone || from.first_register == ir::kNone) {
            if (to.system_value != from.system_value || to.system_value == SystemValue::undefined ||
                to.first_register != from.first_register)
              continue;
            from_row = row;
          } else {
            from_row = to.first_register + row - from.first_register;
            from_column = to.first_column + column - from.first_column;
          }
          if (from_row >= from.rows || from_column >= from.columns) continue;
          made[vm::component_of(inputs, in) + row * to.columns + column] =
              vm::component_of(outputs, out) + from_row * from.columns + from_column;
        }
      }
    }
  }
  return made;
}

bool Session::run_geometry(const ScriptPipeline& pipeline, Vertices& vertices) {
  const Attached* const attached = find(pipeline, Stage::geometry);
  const vm::Program* const made = program(pipeline, *attached);
  if (made == nullptr) return false;
  const ir::Module& module = made->module();
  if (module.info.input_primitive != dxcontainer::InputPrimitive::triangle)
    return skip(attached->place, "needs primitives other than triangles"), false;
  if (module.info.stream_topologies.empty() || module.info.stream_topologies[0] != dxcontainer::OutputTopology::triangle_strip)
    return skip(attached->place, "needs the rasterizer: lines and points"), false;
  if (module.info.instances > 1) return skip(attached->place, "needs instances of geometry shaders"), false;
  const auto from = links(vertices.elements, module.signatures.input);
  vm::Lanes lanes;
  lanes.count = static_cast<std::uint32_t>(vertices.triangles.size());
  lanes.vertices = 3;
  vertices.give(lanes, from, [&](std::uint32_t lane, std::uint32_t corner) { return vertices.triangles[lane][corner]; });
  lanes.builtins.resize(ir::kBuiltinCount);
  for (std::uint32_t lane = 0; lane < lanes.count; ++lane)
    lanes.builtins[static_cast<std::size_t>(ir::Builtin::primitive_id)].push_back(lane);
  vm::Resources bound = resources(pipeline, module);
  if (!finished(vm::run_lanes(*made, bound, lanes, {.operations = options_.operations}), attached->place)) return false;
  Vertices emitted;
  emitted.elements = module.signatures.output;
  emitted.components = vm::components_of(emitted.elements);
  // strips of each lane, lanes in their order
  std::stable_sort(lanes.emitted.begin(), lanes.emitted.end(), [](const auto& a, const auto& b) { return a.lane < b.lane; });
  std::uint32_t in_strip = 0;
  std::uint32_t lane = kNone;
  for (const vm::Lanes::Vertex& one : lanes.emitted) {
    if (one.lane != lane || one.cut) in_strip = 0;
    lane = one.lane;
    if (one.cut) continue;
    emitted.values.insert(emitted.values.end(), one.outputs.begin(), one.outputs.end());
    emitted.values.resize((emitted.positions.size() + 1) * emitted.components);
    emitted.positions.emplace_back();
    ++in_strip;
    const auto last = static_cast<std::uint32_t>(emitted.positions.size() - 1);
    if (in_strip >= 3) {
      const std::uint32_t odd = (in_strip - 1) % 2;
      emitted.triangles.push_back({last - 2, last - 1 + odd, last - odd});
    }
  }
  vertices = std::move(emitted);
  return true;
}

bool Session::set_up(const ScriptPipeline& pipeline, const Vertices& vertices, const std::array<std::uint32_t, 3>& corners,
                     std::vector<Triangle>& triangles) {
  Triangle made{};
  made.corners = corners;
  std::array<float, 4> area{0, 0, static_cast<float>(pipeline.width), static_cast<float>(pipeline.height)};
  if (pipeline.viewport) area = *pipeline.viewport;
  unsigned before = 0;
  unsigned beyond = 0;
  for (unsigned k = 0; k < 3; ++k) {
    const auto& position = vertices.positions[corners[k]];
    if (!(position[3] > 0) || !std::isfinite(position[3])) return skip(place_, "needs the rasterizer: clipping"), false;
    const double inverse = 1 / static_cast<double>(position[3]);
    const double x = (static_cast<double>(position[0]) * inverse * 0.5 + 0.5) * static_cast<double>(area[2]) + static_cast<double>(area[0]);
    const double y = (static_cast<double>(position[1]) * inverse * 0.5 + 0.5) * static_cast<double>(area[3]) + static_cast<double>(area[1]);
    if (!(std::abs(x) < kMostPosition) || !(std::abs(y) < kMostPosition)) return skip(place_, "needs the rasterizer: clipping"), false;
    made.x[k] = std::llround(x * kSubpixels);
    made.y[k] = std::llround(y * kSubpixels);
    made.inverse[k] = inverse;
    made.depth[k] = static_cast<double>(position[2]) * inverse;
    before += made.depth[k] < 0 ? 1 : 0;
    beyond += made.depth[k] > 1 ? 1 : 0;
  }
  if (before == 3 || beyond == 3) return true;
  if (before != 0 || beyond != 0) return skip(place_, "needs the rasterizer: clipping"), false;
  const std::int64_t area2 = (made.x[1] - made.x[0]) * (made.y[2] - made.y[0]) - (made.y[1] - made.y[0]) * (made.x[2] - made.x[0]);
  if (area2 == 0) return true;
  // y points down: what turns counter-clockwise in Vulkan's sense has a negative area here
  made.is_front = area2 < 0;
  if (area2 < 0) {
    std::swap(made.corners[1], made.corners[2]);
    std::swap(made.x[1], made.x[2]);
    std::swap(made.y[1], made.y[2]);
    std::swap(made.depth[1], made.depth[2]);
    std::swap(made.inverse[1], made.inverse[2]);
  }
  made.area = static_cast<double>(std::abs(area2));
  triangles.push_back(made);
  return true;
}

void Session::rasterize(const ScriptPipeline& pipeline, const Vertices& vertices_given) {
  const Attached* const attached = find(pipeline, Stage::pixel);
  if (attached == nullptr) return;
  const vm::Program* const pixels = program(pipeline, *attached);
  if (pixels == nullptr) return;
  Vertices vertices = vertices_given;
  if (!vertices.elements.empty()) {
    const std::uint32_t position = position_component(vertices.elements);
    if (position == kNone) return;  // undefined: nothing is seen
    for (std::size_t at = 0; at < vertices.positions.size(); ++at)
      for (std::size_t k = 0; k < 4; ++k)
        vertices.positions[at][k] =
            std::bit_cast<float>(static_cast<std::uint32_t>(vertices.values[at * vertices.components + position + k]));
  }
  for (const Target& target : targets(pipeline))
    if (target.type->format.bytes() == 0 || target.memory->width == 0)
      return fail(target.binding->place, "a target must be a picture with a format");

  std::vector<Triangle> triangles;
  std::vector<Quad> quads;
  for (std::size_t number = 0; number < vertices.triangles.size(); ++number) {
    const std::size_t before = triangles.size();
    if (!set_up(pipeline, vertices, vertices.triangles[number], triangles)) return;
    if (triangles.size() == before) continue;
    Triangle& made = triangles.back();
    made.number = static_cast<std::uint32_t>(number);
    const auto [left, right] = std::ranges::minmax(made.x);
    const auto [top, bottom] = std::ranges::minmax(made.y);
    const auto first = [](std::int64_t low) { return std::max<std::int64_t>(0, low / 256 - 1) & ~std::int64_t{1}; };
    for (std::int64_t y = first(top); y < pipeline.height && y * 256 <= bottom; y += 2) {
      for (std::int64_t x = first(left); x < pipeline.width && x * 256 <= right; x += 2) {
        std::uint8_t mask = 0;
        for (unsigned k = 0; k < 4; ++k) {
          const std::int64_t px = x + k % 2;
          const std::int64_t py = y + k / 2;
          if (px < pipeline.width && py < pipeline.height && made.covers(px * 256 + 128, py * 256 + 128))
            mask = static_cast<std::uint8_t>(mask | 1U << k);
        }
        if (mask == 0) continue;
        quads.push_back({static_cast<std::uint32_t>(x), static_cast<std::uint32_t>(y), static_cast<std::uint32_t>(before), mask});
        if (quads.size() < kQuads) continue;
        if (!shade(pipeline, *pixels, vertices, triangles, quads)) return;
        quads.clear();
      }
    }
  }
  if (!quads.empty()) shade(pipeline, *pixels, vertices, triangles, quads);
}

bool Session::shade(const ScriptPipeline& pipeline, const vm::Program& program, const Vertices& vertices,
                    const std::vector<Triangle>& triangles, const std::vector<Quad>& quads) {
  const ir::Module& module = program.module();
  const auto& input = module.signatures.input;
  const auto from = links(vertices.elements, input);
  std::vector<Interpolation> how(from.size());
  for (std::size_t element = 0; element < input.size(); ++element) {
    const std::size_t first = vm::component_of(input, element);
    std::fill_n(how.begin() + static_cast<std::ptrdiff_t>(first), input[element].rows * input[element].columns,
                input[element].interpolation);
    if (input[element].type != ir::Type::f32 && input[element].interpolation != Interpolation::constant)
      return skip(place_, "needs interpolation of other than 32 bits"), false;
  }
  const auto count = static_cast<std::uint32_t>(quads.size() * 4);
  vm::Lanes lanes;
  lanes.count = count;
  lanes.inputs.resize(from.size() * count);
  lanes.helper.resize(count);
  lanes.builtins.resize(ir::kBuiltinCount);
  const auto builtin = [&](ir::Builtin which, std::size_t components) -> std::vector<std::uint64_t>& {
    auto& made = lanes.builtins[static_cast<std::size_t>(which)];
    made.resize(components * count);
    return made;
  };
  auto& position = builtin(ir::Builtin::position, 4);
  auto& front = builtin(ir::Builtin::front_face, 1);
  auto& primitive = builtin(ir::Builtin::primitive_id, 1);
  auto& coverage = builtin(ir::Builtin::coverage, 1);
  auto& location = builtin(ir::Builtin::sample_location, 2);
  const auto bits = [](double value) { return std::bit_cast<std::uint32_t>(static_cast<float>(value)); };
  for (std::uint32_t lane = 0; lane < count; ++lane) {
    const Quad& quad = quads[lane / 4];
    const Triangle& triangle = triangles[quad.triangle];
    const std::uint32_t x = quad.x + lane % 2;
    const std::uint32_t y = quad.y + lane % 4 / 2;
    const bool covered = (quad.mask >> (lane % 4) & 1) != 0;
    lanes.helper[lane] = !covered;
    std::array<double, 3> flat{};     // shares of the corners on the screen
    std::array<double, 3> weights{};  // in space
    double depth = 0;
    double inverse = 0;
    for (unsigned k = 0; k < 3; ++k) {
      flat[k] = static_cast<double>(triangle.edge(k, std::int64_t{x} * 256 + 128, std::int64_t{y} * 256 + 128)) / triangle.area;
      weights[k] = flat[k] * triangle.inverse[k];
      depth += flat[k] * triangle.depth[k];
      inverse += weights[k];
    }
    const bool even = triangle.inverse[0] == triangle.inverse[1] && triangle.inverse[0] == triangle.inverse[2];
    for (unsigned k = 0; k < 3; ++k) weights[k] = even ? flat[k] : weights[k] / inverse;
    position[lane] = bits(x + 0.5);
    position[count + lane] = bits(y + 0.5);
    position[2 * std::size_t{count} + lane] = bits(depth);
    position[3 * std::size_t{count} + lane] = bits(even ? triangle.inverse[0] : inverse);
    front[lane] = triangle.is_front ? 1 : 0;
    primitive[lane] = triangle.number;
    coverage[lane] = covered ? 1 : 0;
    location[lane] = location[count + lane] = bits(0.5);
    const std::uint32_t provoking = vertices.triangles[triangle.number][0];
    for (std::size_t k = 0; k < from.size(); ++k) {
      if (from[k] == kNone) continue;
      const auto value_of = [&](std::uint32_t vertex) { return vertices.values[std::size_t{vertex} * vertices.components + from[k]]; };
      std::uint64_t& to = lanes.inputs[k * count + lane];
      if (how[k] == Interpolation::constant) {
        to = value_of(provoking);
        continue;
      }
      const bool on_screen = how[k] == Interpolation::linear_noperspective || how[k] == Interpolation::linear_noperspective_centroid ||
                             how[k] == Interpolation::linear_noperspective_sample;
      const auto real = [&](unsigned corner) {
        return static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(value_of(triangle.corners[corner]))));
      };
      const auto& share = on_screen ? flat : weights;
      // by differences, so that what is the same at all corners stays exactly that
      to = bits(real(0) + (real(1) - real(0)) * share[1] + (real(2) - real(0)) * share[2]);
    }
  }
  vm::Resources bound = resources(pipeline, module);
  if (!finished(vm::run_lanes(program, bound, lanes, {.operations = options_.operations}), place_)) return false;

  const auto& output = module.signatures.output;
  for (const Target& target : targets(pipeline)) {
    const vm::Format& format = target.type->format;
    std::array<std::uint32_t, 4> place{kNone, kNone, kNone, kNone};
    bool written = false;
    for (std::size_t element = 0; element < output.size(); ++element) {
      const ir::Element& one = output[element];
      if (one.system_value != SystemValue::target || target.binding->number < one.first_register ||
          target.binding->number >= one.first_register + one.rows)
        continue;
      const std::uint32_t row = target.binding->number - one.first_register;
      for (std::uint32_t column = 0; column < one.columns && one.first_column + column < 4; ++column)
        place[one.first_column + column] = vm::component_of(output, element) + row * one.columns + column;
      written = true;
    }
    if (!written) continue;
    for (std::uint32_t lane = 0; lane < count; ++lane) {
      if (lanes.helper[lane] || lanes.discarded[lane]) continue;
      const std::uint64_t x = quads[lane / 4].x + lane % 2;
      const std::uint64_t y = quads[lane / 4].y + lane % 4 / 2;
      if (x >= target.memory->width || y >= target.memory->height) continue;
      std::array<std::uint32_t, 4> color{};
      for (std::size_t k = 0; k < 4; ++k)
        if (place[k] != kNone) color[k] = static_cast<std::uint32_t>(lanes.outputs[std::size_t{place[k]} * count + lane]);
      const std::size_t at = (y * target.memory->width + x) * target.type->stride;
      if (at + format.bytes() <= target.memory->bytes.size()) vm::store_texel(format, color, target.memory->bytes.data() + at);
    }
  }
  return true;
}

}  // namespace unshade::suite::runner

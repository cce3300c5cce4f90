#include "draw/shaders.hpp"

#include <algorithm>

namespace unshade::draw {
namespace {

using dxcontainer::InputPrimitive;
using dxcontainer::OutputTopology;
using ir::Builtin;

/// A stream: the elements that it has, of all that a geometry shader writes, and primitives of a run.
struct GeometryStream {
  void lay_out(const ir::Module& module, std::uint32_t number) {
    std::uint32_t first = 0;
    for (const ir::Element& element : module.signatures.output) {
      for (std::uint32_t k = 0; k < element.rows * element.columns && element.stream == number; ++k) components.push_back(first + k);
      if (element.stream == number) made.elements.push_back(element);
      first += element.rows * element.columns;
    }
    made.components = static_cast<std::uint32_t>(components.size());
    const auto& topologies = module.info.stream_topologies;
    const OutputTopology topology = number < topologies.size() ? topologies[number] : OutputTopology::undefined;
    strips.corners = topology == OutputTopology::point_list ? 1 : topology == OutputTopology::line_strip ? 2 : 3;
  }
  void clear() {
    made.count = in_strip = 0;
    made.values.clear();
    strips.corner.clear();
    strips.numbers.clear();
  }
  void add(const vm::Lanes::Vertex& vertex, std::uint32_t primitive) {
    for (const std::uint32_t component : components) made.values.push_back(vertex.outputs[component]);
    const std::uint32_t last = made.count++;
    if (++in_strip < strips.corners) return;
    const std::uint32_t odd = (in_strip - 1) % 2;
    if (strips.corners == 1) strips.corner.push_back(last);
    if (strips.corners == 2) strips.corner.insert(strips.corner.end(), {last - 1, last});
    if (strips.corners == 3) strips.corner.insert(strips.corner.end(), {last - 2, last - 1 + odd, last - odd});
    strips.numbers.push_back(primitive);
  }
  std::vector<std::uint32_t> components;
  Vertices made;
  Primitives strips;
  std::uint32_t in_strip = 0;
};

/// A component of a vertex of the primitive; `component` is kNone if there is none.
struct GatheredInput {
  std::uint32_t corner = 0;
  std::uint32_t component = kNone;
};

// Of each component of the inputs: registers of the first vertex's outputs, then those of the next.
// read: Azahar's geometry_pipeline.cpp, GeometryPipeline_Point
Result<std::vector<GatheredInput>> gather(const std::vector<ir::Element>& outputs, std::uint32_t corners,
                                          const std::vector<ir::Element>& inputs) {
  std::vector<std::uint32_t> registers;
  for (const ir::Element& output : outputs) {
    for (std::uint32_t row = 0; row < output.rows && output.first_register != kNone; ++row)
      registers.push_back(output.first_register + row);
  }
  std::ranges::sort(registers);
  registers.erase(std::unique(registers.begin(), registers.end()), registers.end());
  std::uint32_t room = 0;
  for (const ir::Element& input : inputs) room += input.rows;
  if (registers.size() * corners > room) {
    return Error{ErrorCode::bad_value, 0, "geometry",
                 std::to_string(corners) + " vertices of a primitive with " + std::to_string(registers.size()) +
                     " outputs each are more than the " + std::to_string(room) + " inputs of the shader"};
  }
  std::vector<GatheredInput> made(vm::components_of(inputs));
  std::uint32_t first = 0;
  for (const ir::Element& input : inputs) {
    for (std::uint32_t k = 0; k < input.rows * input.columns; ++k) {
      const std::size_t place = input.first_register + k / input.columns;
      if (registers.empty() || place / registers.size() >= corners) continue;
      GatheredInput& one = made[first + k];
      one.corner = static_cast<std::uint32_t>(place / registers.size());
      const std::uint32_t column = input.first_column + k % input.columns;
      std::uint32_t of_output = 0;
      for (const ir::Element& output : outputs) {
        const std::uint32_t row = registers[place % registers.size()] - output.first_register;
        if (row < output.rows && column - output.first_column < output.columns)
          one.component = of_output + row * output.columns + column - output.first_column;
        of_output += output.rows * output.columns;
      }
    }
    first += input.rows * input.columns;
  }
  return made;
}

}  // namespace

bool takes_adjacency(const ir::Module& module) {
  return module.info.input_primitive == InputPrimitive::line_adjacency || module.info.input_primitive == InputPrimitive::triangle_adjacency;
}

Result<void> run_geometry(Run& run, const Vertices& vertices, const Primitives& primitives, const StreamSink& sink) {
  const vm::Program& program = *run.pipeline.geometry;
  const ir::Module& module = program.module();
  const bool gathers = run.pipeline.conventions.gathers_vertices;
  if (!gathers && ir::vertices_of(module.info.input_primitive) != primitives.corners) {
    return Error{ErrorCode::bad_value, 0, "geometry",
                 "the shader takes primitives of " + std::to_string(ir::vertices_of(module.info.input_primitive)) +
                     " vertices, these have " + std::to_string(primitives.corners)};
  }
  const auto from = links(vertices.elements, module.signatures.input, run.pipeline.conventions.link_by_location);
  std::vector<GatheredInput> gathered;
  if (gathers) {
    auto made = gather(vertices.elements, primitives.corners, module.signatures.input);
    if (!made) return std::move(made).error();
    gathered = std::move(*made);
  }
  std::array<GeometryStream, kStreams> streams;
  for (std::uint32_t number = 0; number < kStreams; ++number) streams[number].lay_out(module, number);
  const std::uint32_t instances = std::clamp(module.info.instances, 1U, 32U);
  constexpr std::uint32_t kUnstated = 1024;  // shaders of the PICA200 do not say how many there are
  const bool is_bounded = module.info.max_vertices != 0;
  const std::size_t most_vertices = is_bounded ? module.info.max_vertices : kUnstated;
  // a cut after each vertex
  const std::size_t together =
      std::clamp<std::size_t>(std::min(run.limits.emitted / (2 * most_vertices * instances),
                                       kMostInputs / std::max<std::size_t>(1, from.size() * primitives.corners * instances)),
                              1, kMostVertices);
  for (std::size_t first = 0; first < primitives.count(); first += together) {
    vm::Lanes lanes;
    lanes.count = static_cast<std::uint32_t>(std::min(together, primitives.count() - first)) * instances;
    lanes.vertices = gathers ? 1 : primitives.corners;
    const auto primitive_of = [&](std::uint32_t lane) { return first + lane / instances; };
    const auto vertex_of = [&](std::uint32_t lane, std::uint32_t corner) { return primitives.of(primitive_of(lane))[corner]; };
    if (gathers) {
      lanes.inputs.assign(gathered.size() * lanes.count, 0);
      for (std::uint32_t lane = 0; lane < lanes.count; ++lane) {
        for (std::size_t k = 0; k < gathered.size(); ++k) {
          const GatheredInput& one = gathered[k];
          if (one.component != kNone) lanes.inputs[k * lanes.count + lane] = vertices.of(vertex_of(lane, one.corner))[one.component];
        }
      }
    } else {
      give_vertices(lanes, vertices, from, vertex_of);
    }
    give(lanes, Builtin::primitive_id, find_component(module.signatures.input, dxcontainer::SystemValue::primitive_id),
         [&](std::uint32_t lane) { return primitives.numbers[primitive_of(lane)]; });
    give(lanes, Builtin::gs_instance_id, kNone, [&](std::uint32_t lane) { return lane % instances; });
    run.report.statistics.geometry_runs += lanes.count;
    if (auto done = run.run(Stage::geometry, program, run.bindings.geometry, lanes); !done) return done;
    if (run.stopped()) return {};

    for (GeometryStream& stream : streams) stream.clear();
    std::uint32_t lane = kNone, of_lane = 0;
    for (const vm::Lanes::Vertex& one : lanes.emitted) {
      if (one.lane != lane) {
        of_lane = 0;
        for (GeometryStream& stream : streams) stream.in_strip = 0;
      }
      lane = one.lane;
      if (!one.cut && ++of_lane > most_vertices && is_bounded) continue;
      if (one.stream >= kStreams) continue;
      if (one.cut)
        streams[one.stream].in_strip = 0;
      else
        streams[one.stream].add(one, primitives.numbers[primitive_of(lane)]);
    }
    for (std::uint32_t number = 0; number < kStreams; ++number) {
      const GeometryStream& stream = streams[number];
      run.report.statistics.geometry_primitives += stream.strips.count();
      if (stream.strips.count() == 0) continue;
      if (auto done = sink(number, stream.made, stream.strips); !done || run.stopped()) return done;
    }
  }
  return {};
}

}  // namespace unshade::draw

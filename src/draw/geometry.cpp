#include "draw/geometry.hpp"

#include <algorithm>

namespace unshade::draw {
namespace {

using dxcontainer::InputPrimitive;
using dxcontainer::OutputTopology;
using ir::Builtin;

/// Components of the elements of a stream, of all that a geometry shader writes.
struct Stream {
  Stream(const ir::Module& module, std::uint32_t number) {
    std::uint32_t first = 0;
    for (const ir::Element& element : module.signatures.output) {
      for (std::uint32_t k = 0; k < element.rows * element.columns && element.stream == number; ++k) components.push_back(first + k);
      if (element.stream == number) elements.push_back(element);
      first += element.rows * element.columns;
    }
    const auto& topologies = module.info.stream_topologies;
    const OutputTopology topology = number < topologies.size() ? topologies[number] : OutputTopology::undefined;
    corners = topology == OutputTopology::point_list ? 1 : topology == OutputTopology::line_strip ? 2 : 3;
  }
  std::vector<ir::Element> elements;
  std::vector<std::uint32_t> components;
  std::uint32_t corners;  ///< of its primitives
};

}  // namespace

bool takes_adjacency(const ir::Module& module) {
  return module.info.input_primitive == InputPrimitive::line_adjacency || module.info.input_primitive == InputPrimitive::triangle_adjacency;
}

Result<void> run_geometry(Run& run, const Vertices& vertices, const Primitives& primitives, const Sink& sink) {
  const vm::Program& program = *run.pipeline.geometry;
  const ir::Module& module = program.module();
  if (ir::vertices_of(module.info.input_primitive) != primitives.corners) {
    return Error{ErrorCode::bad_value, 0, "geometry",
                 "the shader takes primitives of " + std::to_string(ir::vertices_of(module.info.input_primitive)) +
                     " vertices, these have " + std::to_string(primitives.corners)};
  }
  const auto from = links(vertices.elements, module.signatures.input, run.pipeline.conventions.link_by_location);
  const Stream stream(module, run.pipeline.rasterized_stream);
  const std::uint32_t instances = std::clamp(module.info.instances, 1U, 32U);
  const std::size_t most_vertices = std::max(1U, module.info.max_vertices);
  // a cut after each vertex
  const std::size_t together =
      std::clamp<std::size_t>(std::min(run.limits.emitted / (2 * most_vertices * instances),
                                       kMostInputs / std::max<std::size_t>(1, from.size() * primitives.corners * instances)),
                              1, kMostVertices);
  for (std::size_t first = 0; first < primitives.count(); first += together) {
    vm::Lanes lanes;
    lanes.count = static_cast<std::uint32_t>(std::min(together, primitives.count() - first)) * instances;
    lanes.vertices = primitives.corners;
    const auto primitive_of = [&](std::uint32_t lane) { return first + lane / instances; };
    give_vertices(lanes, vertices, from,
                  [&](std::uint32_t lane, std::uint32_t corner) { return primitives.of(primitive_of(lane))[corner]; });
    give(lanes, Builtin::primitive_id, find_component(module.signatures.input, dxcontainer::SystemValue::primitive_id),
         [&](std::uint32_t lane) { return primitives.numbers[primitive_of(lane)]; });
    give(lanes, Builtin::gs_instance_id, kNone, [&](std::uint32_t lane) { return lane % instances; });
    run.report.statistics.geometry_runs += lanes.count;
    if (auto done = run.run(Stage::geometry, program, run.bindings.geometry, lanes); !done) return done;
    if (run.stopped()) return {};

    // strips of each lane, lanes in their order
    std::ranges::stable_sort(lanes.emitted, {}, &vm::Lanes::Vertex::lane);
    Vertices made;
    made.elements = stream.elements;
    made.components = static_cast<std::uint32_t>(stream.components.size());
    Primitives strips;
    strips.corners = stream.corners;
    std::uint32_t lane = kNone, in_strip = 0, of_lane = 0;
    for (const vm::Lanes::Vertex& one : lanes.emitted) {
      if (one.lane != lane) of_lane = in_strip = 0;
      lane = one.lane;
      if (!one.cut && ++of_lane > most_vertices) continue;
      if (one.stream != run.pipeline.rasterized_stream) continue;
      if (one.cut) {
        in_strip = 0;
        continue;
      }
      for (const std::uint32_t component : stream.components) made.values.push_back(one.outputs[component]);
      const std::uint32_t last = made.count++;
      if (++in_strip < stream.corners) continue;
      const std::uint32_t odd = (in_strip - 1) % 2;
      if (stream.corners == 1) strips.corner.push_back(last);
      if (stream.corners == 2) strips.corner.insert(strips.corner.end(), {last - 1, last});
      if (stream.corners == 3) strips.corner.insert(strips.corner.end(), {last - 2, last - 1 + odd, last - odd});
      strips.numbers.push_back(primitives.numbers[primitive_of(lane)]);
    }
    run.report.statistics.geometry_primitives += strips.count();
    if (strips.count() == 0) continue;
    if (auto done = sink(made, strips); !done || run.stopped()) return done;
  }
  return {};
}

}  // namespace unshade::draw

#include "draw/shaders.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <string>
#include <utility>

#include <unshade/ir/lower_pica.hpp>

namespace unshade::draw {
std::vector<std::uint32_t> registers_of(const std::vector<ir::Element>& outputs) {
  std::vector<std::uint32_t> made;
  for (const ir::Element& output : outputs) {
    for (std::uint32_t row = 0; row < output.rows && output.first_register != kNone; ++row) made.push_back(output.first_register + row);
  }
  std::ranges::sort(made);
  made.erase(std::unique(made.begin(), made.end()), made.end());
  return made;
}

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

/// The component of outputs that is in a column of a register; kNone: there is none.
std::uint32_t component_at(const std::vector<ir::Element>& outputs, std::uint32_t of_register, std::uint32_t column) {
  std::uint32_t made = kNone, first = 0;
  for (const ir::Element& output : outputs) {
    const std::uint32_t row = of_register - output.first_register;
    if (row < output.rows && column - output.first_column < output.columns)
      made = first + row * output.columns + column - output.first_column;
    first += output.rows * output.columns;
  }
  return made;
}

/// A component of a vertex of the primitive; `component` is kNone if there is none.
struct GatheredInput {
  std::uint32_t corner = 0;
  std::uint32_t component = kNone;
};

// Of each component of the inputs: registers of the first vertex's outputs, then those of the next.
// read: Azahar's geometry_pipeline.cpp, GeometryPipeline_Point
Result<std::vector<GatheredInput>> gather(const std::vector<ir::Element>& outputs, std::uint32_t corners,
                                          const std::vector<ir::Element>& inputs) {
  const std::vector<std::uint32_t> registers = registers_of(outputs);
  std::uint32_t room = 0;
  for (const ir::Element& input : inputs) room += input.rows;
  if (registers.size() * corners > room) {
    return Error{ErrorCode::bad_value, 0, "geometry",
                 std::to_string(corners) + " vertices per primitive with " + std::to_string(registers.size()) +
                     " outputs each exceed the " + std::to_string(room) + " inputs of the shader"};
  }
  std::vector<GatheredInput> made(vm::components_of(inputs));
  std::uint32_t first = 0;
  for (const ir::Element& input : inputs) {
    for (std::uint32_t k = 0; k < input.rows * input.columns; ++k) {
      const std::size_t place = input.first_register + k / input.columns;
      if (registers.empty() || place / registers.size() >= corners) continue;
      const std::uint32_t column = input.first_column + k % input.columns;
      made[first + k] = {static_cast<std::uint32_t>(place / registers.size()),
                         component_at(outputs, registers[place % registers.size()], column)};
    }
    first += input.rows * input.columns;
  }
  return made;
}

using GeometryStreams = std::array<GeometryStream, kStreams>;

GeometryStreams lay_out(const ir::Module& module) {
  GeometryStreams made;
  for (std::uint32_t number = 0; number < kStreams; ++number) made[number].lay_out(module, number);
  return made;
}

// Hands on what lanes emitted: `most` vertices of each, `number_of(lane)` says of which primitive it was.
template <class NumberOf>
Result<void> hand_on(Run& run, const vm::Lanes& lanes, std::size_t most, NumberOf number_of, GeometryStreams& streams,
                     const StreamSink& sink) {
  for (GeometryStream& stream : streams) stream.clear();
  std::uint32_t lane = kNone, of_lane = 0;
  for (const vm::Lanes::Vertex& one : lanes.emitted) {
    if (one.lane != lane) {
      of_lane = 0;
      for (GeometryStream& stream : streams) stream.in_strip = 0;
    }
    lane = one.lane;
    if (!one.cut && ++of_lane > most) continue;
    if (one.stream >= kStreams) continue;
    if (one.cut)
      streams[one.stream].in_strip = 0;
    else
      streams[one.stream].add(one, number_of(lane));
  }
  for (std::uint32_t number = 0; number < kStreams; ++number) {
    const GeometryStream& stream = streams[number];
    run.report.statistics.geometry_primitives += stream.strips.count();
    if (stream.strips.count() == 0) continue;
    if (auto done = sink(number, stream.made, stream.strips); !done || run.stopped()) return done;
  }
  return {};
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
  GeometryStreams streams = lay_out(module);
  const std::uint32_t instances = std::clamp(module.info.instances, 1U, 32U);
  constexpr std::uint32_t kUnstated = 1024;  // shaders of the PICA200 do not say how many there are
  const bool is_bounded = module.info.max_vertices != 0;
  const std::size_t most_vertices = is_bounded ? module.info.max_vertices : kUnstated;
  const std::size_t most = is_bounded ? most_vertices : std::numeric_limits<std::size_t>::max();
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

    const auto number_of = [&](std::uint32_t lane) { return primitives.numbers[primitive_of(lane)]; };
    if (auto done = hand_on(run, lanes, most, number_of, streams, sink); !done || run.stopped()) return done;
  }
  return {};
}

struct ConstantGeometry::Data {
  Data(const Run& run, const ConstantVertices& vertices)
      : how(vertices),
        resources(run.bindings.geometry == nullptr ? vm::empty_resources(run.pipeline.geometry->module()) : *run.bindings.geometry) {
    // registers that are written in the draw alone
    if (!resources.rows.empty() && !resources.rows.front().empty()) {
      std::span<std::byte>& bound = resources.rows.front().front().bytes;
      constants.assign(bound.begin(), bound.end());
      constants.resize(std::max<std::size_t>(constants.size(), ir::pica_uniforms::kBytes));
      bound = constants;
    }
    runner.emplace(*run.pipeline.geometry, resources, run.limits);
  }

  /// All components of a constant.
  void put(std::uint32_t number, const std::array<std::uint32_t, 4>& values) {
    for (unsigned k = 0; k < values.size(); ++k) {
      const std::uint32_t at = ir::pica_uniforms::real(number, k);
      for (unsigned byte = 0; byte < 4 && at + byte < constants.size(); ++byte)
        constants[at + byte] = static_cast<std::byte>(values[k] >> (8 * byte));
    }
  }

  ConstantVertices how;
  vm::Resources resources;
  std::vector<std::byte> constants;
  std::optional<vm::Runner> runner;
};

ConstantGeometry::ConstantGeometry(const Run& run, const ConstantVertices& how) : data_(std::make_unique<Data>(run, how)) {}
ConstantGeometry::~ConstantGeometry() = default;

Result<void> ConstantGeometry::run(Run& run, const Vertices& vertices, const Primitives& primitives, const StreamSink& sink) {
  const ConstantVertices& how = data_->how;
  const ir::Module& module = run.pipeline.geometry->module();
  const std::vector<std::uint32_t> registers = registers_of(vertices.elements);
  GeometryStreams streams = lay_out(module);
  vm::Lanes lanes, made;  // of a primitive, and of those that are handed on together
  lanes.count = 1;
  for (std::size_t primitive = 0; primitive < primitives.count(); ++primitive) {
    const auto corners = primitives.of(primitive);
    const auto size = static_cast<std::uint32_t>(std::ranges::find(corners, kNone) - corners.begin());
    std::uint32_t next = how.first;
    if (how.count == 0) {
      const auto bits = std::bit_cast<std::uint32_t>(static_cast<float>(size));
      data_->put(0, {bits, bits, bits, bits});
    }
    for (std::uint32_t corner = 0; corner < size; ++corner) {
      const bool is_whole = how.count != 0 || corner < how.whole;
      const std::size_t given = is_whole ? registers.size() : std::min<std::size_t>(registers.size(), 1);
      if (next + given > ir::pica_uniforms::kReals)
        return Error{ErrorCode::bad_value, 0, "mesh",
                     "primitive " + std::to_string(primitives.numbers[primitive]) + " has " + std::to_string(size) + " vertices of " +
                         std::to_string(registers.size()) + " outputs each, from c" + std::to_string(how.first) + " on, which exceeds c" +
                         std::to_string(ir::pica_uniforms::kReals - 1)};
      const auto own = vertices.of(corners[corner]);
      for (std::size_t k = 0; k < given; ++k) {
        std::array<std::uint32_t, 4> values{};
        for (std::uint32_t column = 0; column < values.size(); ++column) {
          const std::uint32_t component = component_at(vertices.elements, registers[k], column);
          if (component != kNone) values[column] = static_cast<std::uint32_t>(own[component]);
        }
        data_->put(next++, values);
      }
    }
    data_->runner->bind();
    lanes.inputs.assign(vm::components_of(module.signatures.input), 0);
    give(lanes, Builtin::primitive_id, find_component(module.signatures.input, dxcontainer::SystemValue::primitive_id),
         [&](std::uint32_t) { return primitives.numbers[primitive]; });
    ++run.report.statistics.geometry_runs;
    auto done = data_->runner->run(lanes);
    if (!done) return std::move(done).error();
    run.add(Stage::geometry, *std::move(done));
    if (run.stopped()) return {};
    for (vm::Lanes::Vertex& one : lanes.emitted) {
      one.lane = static_cast<std::uint32_t>(primitive);
      made.emitted.push_back(std::move(one));
    }
    if (made.emitted.size() < kMostVertices && primitive + 1 != primitives.count()) continue;
    const auto number_of = [&](std::uint32_t lane) { return primitives.numbers[lane]; };
    if (auto handed = hand_on(run, made, std::numeric_limits<std::size_t>::max(), number_of, streams, sink); !handed || run.stopped())
      return handed;
    made.emitted.clear();
  }
  return {};
}

}  // namespace unshade::draw

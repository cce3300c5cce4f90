#include "draw/shaders.hpp"

#include <algorithm>

namespace unshade::draw {
namespace {

using dxcontainer::SystemValue;
using ir::Builtin;

class Fetcher {
 public:
  Fetcher(const Run& run, const Call& call) : run_(run), call_(call) {}

  /// Four components of an input register of a vertex. src: Direct3D 11.3 functional specification 8.5, 8.18
  std::array<std::uint32_t, 4> value(const InputElement& from, const Reference& reference) const {
    const auto& buffers = run_.bindings.vertex_buffers;
    if (from.slot >= buffers.size()) return texel::missing_texel(from.format);
    const VertexBuffer& buffer = buffers[from.slot];
    const std::uint64_t offset = row(from, reference) * buffer.stride + from.offset;
    if (offset > buffer.bytes.size() || buffer.bytes.size() - offset < from.format.bytes()) return texel::missing_texel(from.format);
    return texel::load_texel(from.format, buffer.bytes.data() + offset);
  }
  const InputElement* find(std::uint32_t input_register) const {
    const auto found = std::ranges::find(run_.pipeline.input, input_register, &InputElement::input_register);
    return found == run_.pipeline.input.end() ? nullptr : &*found;
  }

 private:
  std::uint64_t row(const InputElement& from, const Reference& reference) const {
    if (from.per_instance) return std::uint64_t{call_.first_instance} + (from.step_rate == 0 ? 0 : reference.instance / from.step_rate);
    if (!call_.indexed) return std::uint64_t{call_.first} + reference.vertex;
    return static_cast<std::uint32_t>(reference.vertex + static_cast<std::uint32_t>(call_.base_vertex));
  }

  const Run& run_;
  const Call& call_;
};

}  // namespace

Result<Vertices> shade_vertices(Run& run, const Call& call, const std::vector<Reference>& references) {
  const Fetcher fetcher(run, call);
  Vertices made;
  const auto count = static_cast<std::uint32_t>(references.size());
  run.report.statistics.vertex_runs += count;
  if (run.pipeline.vertex == nullptr) {
    ir::Element position;
    position.system_value = SystemValue::position;
    made.elements = {position};
    made.components = 4;
    made.count = count;
    const InputElement* const from = fetcher.find(0);
    if (from == nullptr) return Error{ErrorCode::bad_value, 0, "input", "without a vertex shader input register 0 must be the position"};
    for (const Reference& one : references) {
      const auto value = fetcher.value(*from, one);
      made.values.insert(made.values.end(), value.begin(), value.end());
    }
    return made;
  }
  const vm::Program& program = *run.pipeline.vertex;
  const auto& input = program.module().signatures.input;
  vm::Lanes lanes;
  lanes.count = count;
  lanes.inputs.resize(std::size_t{vm::components_of(input)} * lanes.count);
  std::uint32_t first = 0;
  for (const ir::Element& element : input) {
    const std::uint32_t own = first;
    first += element.rows * element.columns;
    for (std::uint32_t row = 0; row < element.rows; ++row) {
      const InputElement* const from = element.first_register == kNone ? nullptr : fetcher.find(element.first_register + row);
      if (from == nullptr) continue;
      if (element.type != ir::Type::f32 && element.type != ir::Type::i32)
        return Error{ErrorCode::unsupported, 0, "input", "inputs of vertices must have 32 bits"};
      for (std::uint32_t lane = 0; lane < lanes.count; ++lane) {
        const auto value = fetcher.value(*from, references[lane]);
        for (std::uint32_t column = 0; column < element.columns && element.first_column + column < 4; ++column)
          lanes.inputs[std::size_t{own + row * element.columns + column} * lanes.count + lane] = value[element.first_column + column];
      }
    }
  }
  // SV_VertexID and SV_InstanceID count without the bases, Vulkan's with them
  const std::uint32_t base = call.indexed ? static_cast<std::uint32_t>(call.base_vertex) : call.first;
  const std::uint32_t vertex_id = find_component(input, SystemValue::vertex_id);
  const std::uint32_t instance_id = find_component(input, SystemValue::instance_id);
  give(lanes, Builtin::vertex_id, kNone, [&](std::uint32_t lane) { return std::uint32_t{references[lane].vertex + base}; });
  give(lanes, Builtin::instance_id, kNone,
       [&](std::uint32_t lane) { return std::uint32_t{references[lane].instance + call.first_instance}; });
  give(lanes, Builtin::base_vertex, kNone, [&](std::uint32_t) { return base; });
  give(lanes, Builtin::base_instance, kNone, [&](std::uint32_t) { return call.first_instance; });
  for (std::uint32_t lane = 0; lane < lanes.count; ++lane) {
    if (vertex_id != kNone) lanes.inputs[std::size_t{vertex_id} * lanes.count + lane] = references[lane].vertex;
    if (instance_id != kNone) lanes.inputs[std::size_t{instance_id} * lanes.count + lane] = references[lane].instance;
  }
  if (auto done = run.run(Stage::vertex, program, run.bindings.vertex, lanes); !done) return std::move(done).error();
  made.elements = program.module().signatures.output;
  made.components = vm::components_of(made.elements);
  made.add(lanes, 0, lanes.count);
  return made;
}

}  // namespace unshade::draw

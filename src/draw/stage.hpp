// What stages of the pipeline hand to each other, and how their programs run.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include <unshade/draw/pipeline.hpp>

namespace unshade::draw {

using ir::kNone;

/// Vertices between two stages.
struct Vertices {
  std::vector<ir::Element> elements;  ///< of the stage that made them
  std::uint32_t components = 0;       ///< of a vertex
  std::uint32_t count = 0;
  std::vector<std::uint64_t> values;  ///< [vertex * components + component], bits of the element's type

  /// Adds the vertices that lanes of a stage gave.
  void add(const vm::Lanes& lanes, std::uint32_t first, std::uint32_t lanes_count);
  std::span<const std::uint64_t> of(std::uint32_t vertex) const { return {values.data() + std::size_t{vertex} * components, components}; }
};

/// Primitives of such vertices, in the order in which they are drawn. The first vertex of each is the leading one.
struct Primitives {
  std::uint32_t corners = 3;           ///< vertices of each
  std::vector<std::uint32_t> corner;   ///< [primitive * corners + k]
  std::vector<std::uint32_t> numbers;  ///< SV_PrimitiveID of each

  std::size_t count() const { return numbers.size(); }
  std::span<const std::uint32_t> of(std::size_t primitive) const { return {corner.data() + primitive * corners, corners}; }
};

/// What takes a part of what a stage gives.
using Sink = std::function<Result<void>(const Vertices&, const Primitives&)>;

/// The same of one of the streams of a geometry shader.
using StreamSink = std::function<Result<void>(std::uint32_t stream, const Vertices&, const Primitives&)>;

/// Values of inputs that lanes of a stage have together at most, and vertices that are handed on together.
inline constexpr std::size_t kMostInputs = std::size_t{1} << 22;
inline constexpr std::size_t kMostVertices = std::size_t{1} << 15;

/// Whether two semantics are the same, without regard to case.
bool same_semantic(std::string_view a, std::string_view b);
/// The row of an element that a semantic and its index mean; a name of SPIR-V has none, so its rows count from 0.
std::optional<std::uint32_t> row_named(const ir::Element& element, std::string_view semantic, std::uint32_t index);

/// For each component of the inputs of a stage, that of the outputs of the one before; kNone: not written.
std::vector<std::uint32_t> links(const std::vector<ir::Element>& outputs, const std::vector<ir::Element>& inputs, bool by_location);

/// The first component of the elements with a system value, of which there are `count`; kNone: none.
std::uint32_t find_component(const std::vector<ir::Element>& elements, dxcontainer::SystemValue value);

/// A draw that runs.
class Run {
 public:
  Run(const Pipeline& pipeline_of, const Bindings& bindings_of, const vm::Limits& limits_of)
      : pipeline(pipeline_of), bindings(bindings_of), limits(limits_of) {}

  const Pipeline& pipeline;
  const Bindings& bindings;
  const vm::Limits& limits;
  Report report;

  bool stopped() const { return report.stop != vm::Stop::finished; }
  /// Makes the memory that a program's waves take. run() does it too, but only one thread at a time may bind resources.
  void prepare(const vm::Program& program, vm::Resources* resources) { runner(program, resources); }
  Result<void> run(Stage stage, const vm::Program& program, vm::Resources* resources, vm::Lanes& lanes, const vm::Observer& observer = {});
  /// What a stage has run.
  void add(Stage stage, vm::Report done);
  /// Stops a draw whose parts took more operations than all may.
  void check_budget(Stage stage);
  /// A shader of the draw writes memory: constant buffers may change while it runs.
  void memory_changes() { memory_changes_ = true; }

 private:
  struct Prepared {
    vm::Resources none;  ///< of a program without resources
    std::optional<vm::Runner> runner;
  };
  vm::Runner& runner(const vm::Program& program, vm::Resources* resources);

  std::map<const vm::Program*, std::unique_ptr<Prepared>> prepared_;
  bool memory_changes_ = false;
};

/// Whether a shader writes what others, or its own other lanes, may read.
bool writes_memory(const ir::Module& module);

/// The inputs of lanes that have `lanes.vertices` vertices each: `from` as links() has it, `vertex_of(lane, point)` says which each is.
template <class VertexOf>
void give_vertices(vm::Lanes& lanes, const Vertices& vertices, const std::vector<std::uint32_t>& from, VertexOf vertex_of) {
  lanes.inputs.assign(from.size() * lanes.vertices * lanes.count, 0);
  for (std::uint32_t lane = 0; lane < lanes.count; ++lane) {
    for (std::uint32_t point = 0; point < lanes.vertices; ++point) {
      const std::uint32_t vertex = vertex_of(lane, point);
      if (vertex == kNone) continue;
      const auto own = vertices.of(vertex);
      for (std::size_t k = 0; k < from.size(); ++k)
        if (from[k] != kNone) lanes.inputs[(point * from.size() + k) * lanes.count + lane] = own[from[k]];
    }
  }
}

/// A builtin's values of all lanes, made of `components` zeros.
std::vector<std::uint64_t>& give(vm::Lanes& lanes, ir::Builtin which);
/// Gives the value of a lane to what the interpreter calls a builtin and to elements of system values: `value(lane)`.
template <class Value>
void give(vm::Lanes& lanes, ir::Builtin which, std::uint32_t element, Value value) {
  auto& to = give(lanes, which);
  for (std::uint32_t lane = 0; lane < lanes.count; ++lane) {
    to[lane] = value(lane);
    if (element != kNone) lanes.inputs[std::size_t{element} * lanes.count + lane] = to[lane];
  }
}

}  // namespace unshade::draw

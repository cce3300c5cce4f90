// The run of one script: its buffers as they change, its pipelines made ready, and what was found.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <unshade/core/result.hpp>
#include <unshade/suite/amber.hpp>
#include <unshade/vm/machine.hpp>

namespace unshade::suite::runner {

/// What a script's buffer holds.
struct Memory {
  std::vector<std::byte> bytes;
  std::uint32_t width = 0;  ///< texels of an image or target
  std::uint32_t height = 1;
};

/// The bytes that a buffer begins with. Errors: limit; missing and what reading the file gives.
Result<std::vector<std::byte>> initial_bytes(const ScriptBuffer& buffer, const TestOptions& options);

/// For each component of the inputs of a stage, that of the outputs of the one before; kNone: not written.
std::vector<std::uint32_t> links(const std::vector<ir::Element>& outputs, const std::vector<ir::Element>& inputs);

/// What is wrong with a comparison; nothing if it holds.
std::optional<Failure> compared(const Expect& expect, const Script& script, const std::vector<Memory>& memory);

class Session {
 public:
  Session(const Script& script, const TestOptions& options, Outcome& outcome) : script_(script), options_(options), outcome_(outcome) {}
  void run();

 private:
  using Attached = ScriptPipeline::Attached;
  using Binding = ScriptPipeline::Binding;

  // session.cpp
  bool make_memory();
  void command(const ScriptCommand& command);
  void dispatch(const Dispatch& what);
  void clear(std::uint32_t pipeline);
  void copy(const CopyBuffer& what);
  bool can_run(const ScriptPipeline& pipeline);
  const Attached* find(const ScriptPipeline& pipeline, Stage stage) const;
  /// The program of a stage; null if it cannot be had, which was told.
  const vm::Program* program(const ScriptPipeline& pipeline, const Attached& attached);
  Result<vm::Program> compiled(const ScriptPipeline& pipeline, const Attached& attached) const;
  vm::Resources resources(const ScriptPipeline& pipeline, const ir::Module& module);
  bool finished(const Result<vm::Report>& report, Place place);
  bool done() const { return outcome_.status == Status::skipped || stopped_; }
  void skip(Place place, std::string reason);
  void fail(Place place, std::string what);
  void report(const Error& error, Place place);

  // draw.cpp
  /// Vertices and what a stage gave for each: by component, of its output signature.
  struct Vertices {
    std::uint32_t first = 0;  ///< vertex_id of the first
    std::uint32_t first_instance = 0;
    std::uint32_t instances = 1;
    std::vector<std::uint32_t> ids;                       ///< vertices to fetch, of an instance
    std::vector<std::array<std::uint32_t, 3>> triangles;  ///< of all instances
    std::vector<std::array<float, 4>> positions;
    std::vector<std::uint64_t> values;  ///< [vertex * components + component]
    std::uint32_t components = 0;
    std::vector<ir::Element> elements;

    /// What a stage that runs a lane for each vertex gave.
    void take(const ir::Module& module, const vm::Lanes& lanes);
    /// The inputs of the next stage: `from` as links() has it, `vertex_of(lane, point)` says which vertex each is.
    template <class VertexOf>
    void give(vm::Lanes& lanes, const std::vector<std::uint32_t>& from, VertexOf vertex_of) const {
      lanes.inputs.resize(from.size() * lanes.vertices * lanes.count);
      for (std::uint32_t lane = 0; lane < lanes.count; ++lane) {
        for (std::uint32_t point = 0; point < lanes.vertices; ++point) {
          const std::uint64_t* const own = values.data() + std::size_t{vertex_of(lane, point)} * components;
          for (std::size_t k = 0; k < from.size(); ++k)
            if (from[k] != kNone) lanes.inputs[(point * from.size() + k) * lanes.count + lane] = own[from[k]];
        }
      }
    }
  };
  struct Target {
    const Binding* binding;
    Memory* memory;
    const DataType* type;
  };
  struct Quad {
    std::uint32_t x, y, triangle;
    std::uint8_t mask;
  };
  struct Triangle;
  void draw(const ScriptPipeline& pipeline, const DrawArray& what, const std::optional<DrawRect>& rectangle);
  bool run_vertices(const ScriptPipeline& pipeline, Vertices& vertices, const std::optional<DrawRect>& rectangle);
  bool run_geometry(const ScriptPipeline& pipeline, Vertices& vertices);
  // tessellate.cpp
  bool tessellate(const ScriptPipeline& pipeline, Vertices& vertices);
  bool patch_levels_are_one(const ir::Module& hull, const vm::Lanes& lanes, std::uint32_t points);

  // draw.cpp
  void rasterize(const ScriptPipeline& pipeline, const Vertices& vertices);
  bool set_up(const ScriptPipeline& pipeline, const Vertices& vertices, const std::array<std::uint32_t, 3>& corners,
              std::vector<Triangle>& triangles);
  bool shade(const ScriptPipeline& pipeline, const vm::Program& program, const Vertices& vertices, const std::vector<Triangle>& triangles,
             const std::vector<Quad>& quads);
  std::vector<Target> targets(const ScriptPipeline& pipeline);

  const Script& script_;
  const TestOptions& options_;
  Outcome& outcome_;
  std::vector<Memory> memory_;
  std::vector<std::array<float, 4>> clear_colors_;
  std::map<std::pair<std::uint32_t, Stage>, vm::Program> programs_;  ///< by pipeline and stage
  Place place_;                                                      ///< of the command that runs
  bool stopped_ = false;
};

}  // namespace unshade::suite::runner

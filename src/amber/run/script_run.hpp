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

#include <unshade/amber/script.hpp>
#include <unshade/core/result.hpp>
#include <unshade/draw/pipeline.hpp>
#include <unshade/vm/machine.hpp>

namespace unshade::amber::runner {

/// What a script's buffer holds.
struct Memory {
  std::vector<std::byte> bytes;
  std::uint32_t width = 0;  ///< texels of an image or target
  std::uint32_t height = 1;
};

/// What a buffer begins with. Errors: limit; missing and what reading the file gives.
Result<Memory> initial_memory(const ScriptBuffer& buffer, const suite::TestOptions& options);

/// What is wrong with a comparison; nothing if it holds.
std::optional<suite::Failure> compared(const Expect& expect, const Script& script, const std::vector<Memory>& memory);

class ScriptRun {
 public:
  ScriptRun(const Script& script, const suite::TestOptions& options, suite::Outcome& outcome)
      : script_(script), options_(options), outcome_(outcome) {}
  void run();

 private:
  using Attached = ScriptPipeline::Attached;
  using Binding = ScriptPipeline::Binding;

  // script_run.cpp
  bool make_memory();
  void command(const ScriptCommand& command);
  void dispatch(const Dispatch& what);
  void clear(std::uint32_t pipeline);
  void clear_depth(std::uint32_t pipeline);
  /// The depth buffer that a pipeline binds, or has if it tests; without memory if there is none.
  draw::DepthStencilTarget depth_target(std::uint32_t pipeline);
  /// A buffer of a binding as a texture, from the level on that it is bound with.
  texel::Descriptor texture(const Binding& binding, std::size_t at = 0);
  /// Of the targets.
  std::uint32_t samples_of(const ScriptPipeline& pipeline) const;
  /// Gives the means of samples to what a pipeline binds for them.
  void resolve(const ScriptPipeline& pipeline);
  void copy(const CopyBuffer& what);
  bool can_run(const ScriptPipeline& pipeline);
  const Attached* find(const ScriptPipeline& pipeline, Stage stage) const;
  /// The program of a stage; null, after a report, if it cannot be prepared.
  const vm::Program* program(const ScriptPipeline& pipeline, const Attached& attached);
  Result<vm::Program> compiled(const ScriptPipeline& pipeline, const Attached& attached) const;
  vm::Resources resources(const ScriptPipeline& pipeline, const ir::Module& module);
  bool finished(const Result<vm::Report>& report, suite::Place place);
  bool done() const { return outcome_.status == suite::Status::skipped || stopped_; }
  void skip(suite::Place place, std::string reason);
  void fail(suite::Place place, std::string what);
  void report(const Error& error, suite::Place place);

  // draw.cpp
  void draw(const ScriptPipeline& pipeline, const DrawArray& what, const std::optional<DrawRect>& rectangle);
  bool give_vertices(const ScriptPipeline& pipeline, const DrawArray& what, draw::Pipeline& states, draw::Bindings& bound,
                     draw::Call& call);

  const Script& script_;
  const suite::TestOptions& options_;
  suite::Outcome& outcome_;
  std::vector<Memory> memory_;
  std::vector<std::array<float, 4>> clear_colors_;
  struct ClearValue {
    float depth = 1;
    std::uint8_t stencil = 0;
  };
  std::vector<ClearValue> clear_depths_;
  std::map<std::uint32_t, Memory> own_depths_;                       ///< of pipelines that test and bind no depth buffer
  std::map<std::pair<std::uint32_t, Stage>, vm::Program> programs_;  ///< by pipeline and stage
  suite::Place place_;                                               ///< of the command that runs
  bool stopped_ = false;
};

}  // namespace unshade::amber::runner

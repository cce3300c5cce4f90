// The passes of a scene as they are given to something else than the pipeline: what writes them in another language.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <unshade/core/result.hpp>
#include <unshade/core/stage.hpp>
#include <unshade/core/value.hpp>
#include <unshade/draw/pipeline.hpp>
#include <unshade/run/bindings.hpp>
#include <unshade/run/run.hpp>
#include <unshade/scene/scene.hpp>
#include <unshade/shader/shader.hpp>

namespace unshade::scene {

/// A target in memory, cleared.
struct Target {
  std::string name;
  std::string format;
  bool is_depth = false;
  draw::DepthStencilTarget view;  ///< of color targets, its texture alone
  std::vector<std::byte> bytes;
};
/// A shader of the scene, which its bytes must outlive.
struct Loaded {
  std::vector<std::byte> bytes;
  std::optional<shader::Shader> opened;
  std::optional<run::Runnable> made;
};

/// What a pass says of a stage.
struct StageFields {
  const Value *file = nullptr, *entry = nullptr, *constants = nullptr, *resources = nullptr, *samplers = nullptr;
};
struct StageName {
  Stage stage;
  std::string_view name;
};
inline constexpr StageName kStages[] = {
    {Stage::vertex, "vertex"}, {Stage::hull, "hull"},       {Stage::domain, "domain"},    {Stage::geometry, "geometry"},
    {Stage::pixel, "pixel"},   {Stage::compute, "compute"}, {Stage::mesh, "mesh_shader"}, {Stage::amplification, "amplification"}};

/// `pass[3]`
inline std::string at_index(std::string_view name, std::size_t index) { return std::string(name) + '[' + std::to_string(index) + ']'; }

/// A stage of a pass that is ready to run.
struct StageUse {
  const StageName* name = nullptr;
  const Loaded* loaded = nullptr;
  std::optional<run::Runnable> made;  ///< with the specialization constants that the pass gives
  StageFields fields;
  std::unique_ptr<run::RunOptions> options;  ///< which `bindings` refers to
  std::unique_ptr<run::Bindings> bindings;
  std::optional<vm::Program> program;
  std::optional<vm::Program> patch_constants;
  std::optional<draw::ConstantVertices> constant_vertices;  ///< of a geometry shader of the PICA200 whose vertices are no inputs
};

/// A pass that is ready to run. Without a pipeline it dispatches.
struct ReadyPass {
  const Value& given;
  std::size_t number = 0;
  std::span<const StageUse> stages;
  const draw::Pipeline* pipeline = nullptr;
  const draw::Bindings& bound;
  const draw::Call& call;
  std::array<std::uint32_t, 3> groups{1, 1, 1};
};
/// What is given passes instead of their being run. Errors: its own, at the pass.
class PassReader {
 public:
  virtual ~PassReader() = default;
  virtual Result<void> pass(const ReadyPass& ready) = 0;
};

/// What the passes of a scene share, as the passes so far left it.
struct SharedMemory {
  const std::deque<Target>& targets;
  const std::deque<Drawn::Resource>& resources;
};
/// Gives a reader the passes of a scene, in their order, with what they share. Errors: those of draw_scene().
Result<void> read_passes(const Value& scene, const SceneOptions& options, PassReader& reader,
                         const std::function<void(const SharedMemory& memory)>& begun);

}  // namespace unshade::scene

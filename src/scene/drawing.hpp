// The passes of a scene while it is drawn.
#pragma once

#include <array>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include <unshade/run/bindings.hpp>
#include <unshade/run/run.hpp>
#include <unshade/run/session.hpp>
#include <unshade/run/trace.hpp>
#include <unshade/shader/shader.hpp>

#include <unshade/scene/passes.hpp>

#include "scene/parts.hpp"

namespace unshade::scene {

/// The invocation of a pixel shader that is traced, or the wave that has it and is recorded.
class Tracing {
 public:
  /// Errors: those of run::SessionRecorder::of().
  Result<void> begin(const Followed& followed, const StageUse& pixel);
  void step(const vm::TraceStep& step, unsigned lane);
  /// `drawn` gets what was recorded.
  void finish(Drawn& drawn);

 private:
  const Followed* followed_ = nullptr;
  const Loaded* loaded_ = nullptr;
  std::optional<run::Runnable> made_;
  std::optional<run::SessionRecorder> recorder_;
  std::vector<bool> executed_;  ///< vm::Program::executed(), of what is recorded
  run::Session::Lanes active_{};
  unsigned lane_ = 0;
  std::vector<std::string> lines_;
  run::RunOptions options_;
  std::optional<run::Watch> watch_;
  vm::Observer observer_;
};

/// A scene while it is drawn, or read.
class Drawing {
 public:
  /// `reader`: of passes that are not run; may be null.
  Drawing(const Value& scene, const SceneOptions& options, const Wanted& wanted, PassReader* reader = nullptr)
      : scene_(scene), options_(options), followed_(wanted.followed), heat_(wanted.heat), reader_(reader), run_(run_options(options)) {}

  /// Before anything is made for them: a scene without its shaders takes no memory.
  Result<void> load_shaders(const Value::List& passes);
  /// How the scene says that numbers of the PICA200 are rounded. Errors: bad_value, also if none of the shaders has such numbers.
  Result<void> read_rounding();
  Result<void> make_shared();
  Result<void> pass(const Value& given, std::size_t number);
  Result<Drawn> finish();

  const std::deque<Target>& targets() const { return targets_; }
  /// As they are now.
  const std::deque<Drawn::Resource>& resources() const { return memory_; }
  const Shared& shared() const { return shared_; }

 private:
  struct Pass {
    const Value* given = nullptr;
    std::vector<StageUse> stages;
    States states;
    draw::Bindings bound;
    std::optional<std::size_t> first_target;
    std::vector<std::size_t> colors;  ///< numbers of its targets
    std::optional<std::size_t> depth;
  };
  Result<const Loaded*> load(const Value& path, std::string_view entry, Stage stage);
  Result<const Loaded*> load_stage(const Value& given, Stage stage, StageFields& fields);
  /// What the scene, the pass and the stage give of a shader's specialization constants; of two the inner one.
  Value specializations_of(const StageUse& use, const Pass& pass) const;
  Result<void> prepare_stage(const StageName& name, const Value& given, Pass& pass);
  Result<void> bind_stages(Pass& pass);
  void add_mismatches(const Pass& pass, Drawn::Pass& drawn);
  Result<void> bind_targets(Pass& pass);
  Result<void> bind_streams(Pass& pass, draw::Pipeline& pipeline);
  Result<std::uint64_t> filled_by_streams(const Value& pass) const;
  Result<void> dispatch(Pass& pass, Drawn::Pass& drawn);
  Result<void> draw(Pass& pass, Drawn::Pass& drawn);
  /// A draw that is ready: states, vertices and their number.
  struct Ready {
    draw::Pipeline pipeline;
    Mesh mesh;
    draw::Call call;
  };
  Result<Ready> ready(Pass& pass);
  Result<std::optional<draw::Heat>> begin_heat(const Pass& pass);
  Result<Target*> find_target(const Value& name, bool is_depth);

  const Value& scene_;
  const SceneOptions& options_;
  const std::optional<Followed>& followed_;
  const std::optional<draw::HeatKind> heat_;
  std::optional<ir::F24> f24_;  ///< that the options or the scene ask for
  PassReader* const reader_;
  run::RunOptions run_;
  std::uint64_t taken_ = 0;
  std::deque<Target> targets_;
  std::map<std::size_t, draw::Heat> heats_;  ///< by target
  std::deque<Drawn::Resource> memory_;
  Shared shared_;
  std::map<std::string, draw::StreamBuffer, std::less<>> filled_;  ///< resources that stream output goes to
  Queries queries_;
  std::map<std::string, Loaded, std::less<>> loaded_;  ///< by path, entry point and stage
  /// Of a stage, its stream and the next stage.
  std::map<std::tuple<const Loaded*, std::uint32_t, const Loaded*>, std::vector<std::string>> location_faults_;
  std::set<const Value::Member*> known_;  ///< constants and samplers of the scene that a pass has
  Drawn drawn_;
};

}  // namespace unshade::scene

// Draws a scene, pass by pass.
#include <algorithm>
#include <memory>
#include <set>
#include <utility>

#include <unshade/shader/run.hpp>
#include <unshade/shader/shader.hpp>

#include "core/spelling.hpp"
#include "shader/run/fields.hpp"
#include "suite/scene/scene.hpp"
#include "suite/scene/shader_file.hpp"

namespace unshade::suite::scene {
namespace {

using shader::runner::Bindings;
using shader::runner::fault;
using shader::runner::Field;

constexpr unsigned kWaveLanes = 32;

/// A shader of the scene, which its bytes must outlive.
struct Loaded {
  std::vector<std::byte> bytes;
  std::optional<shader::Shader> opened;
  std::optional<shader::Runnable> made;
};

/// What a pass says of a stage.
struct StageFields {
  const Value *file = nullptr, *entry = nullptr, *constants = nullptr, *resources = nullptr, *samplers = nullptr;
};
template <class T, const Value* T::* member>
Result<void> keep_value(const Value& given, T& to) {
  to.*member = &given;
  return {};
}
constexpr Field<StageFields> kStageFields[] = {
    {"file", keep_value<StageFields, &StageFields::file>},           {"entry", keep_value<StageFields, &StageFields::entry>},
    {"constants", keep_value<StageFields, &StageFields::constants>}, {"resources", keep_value<StageFields, &StageFields::resources>},
    {"samplers", keep_value<StageFields, &StageFields::samplers>},
};

struct DrawFields {
  std::optional<std::uint32_t> count, instances;
  std::uint32_t first = 0, first_instance = 0;
  std::int32_t base_vertex = 0;
};
template <auto member>
Result<void> read_count(const Value& given, DrawFields& to) {
  const auto number = shader::runner::number_of(given, "");
  if (!number) return number.error();
  to.*member = *number;
  return {};
}
constexpr Field<DrawFields> kDrawFields[] = {
    {"count", read_count<&DrawFields::count>},
    {"instances", read_count<&DrawFields::instances>},
    {"first", read_count<&DrawFields::first>},
    {"first_instance", read_count<&DrawFields::first_instance>},
    {"base_vertex",
     [](const Value& given, DrawFields& to) -> Result<void> {
       const Integer* const number = given.as_integer();
       if (number == nullptr || number->magnitude > 0x7fff'ffff) return fault(given, "", "expected a whole number of 32 bits and a sign");
       to.base_vertex = static_cast<std::int32_t>(number->magnitude) * (number->negative ? -1 : 1);
       return {};
     }},
};

struct StageName {
  Stage stage;
  std::string_view name;
};
constexpr StageName kStages[] = {{Stage::vertex, "vertex"},     {Stage::hull, "hull"},   {Stage::domain, "domain"},
                                 {Stage::geometry, "geometry"}, {Stage::pixel, "pixel"}, {Stage::compute, "compute"}};

constexpr std::string_view kSceneFields[] = {"targets", "resources", "constants", "samplers", "pass"};
constexpr std::string_view kPassFields[] = {"name", "vertex",  "hull",         "domain",    "geometry",  "pixel",    "compute", "grid",
                                            "mesh", "targets", "depth_target", "constants", "resources", "samplers", "draw"};

std::string at_index(std::string_view name, std::size_t index) { return std::string(name) + '[' + std::to_string(index) + ']'; }

/// A stage of a pass that is ready to run.
struct StageUse {
  const StageName* name = nullptr;
  const Loaded* loaded = nullptr;
  StageFields fields;
  std::unique_ptr<shader::RunOptions> options;  ///< which `bindings` refers to
  std::unique_ptr<Bindings> bindings;
  std::optional<vm::Program> program;
  std::optional<vm::Program> patch_constants;
};

class Session {
 public:
  Session(const Value& scene, const TestOptions& options, const std::optional<draw::PixelPlace>& followed)
      : scene_(scene), options_(options), followed_(followed) {
    run_.operations = options.operations;
    run_.memory = options.memory;
    run_.read_file = options.read_file;
    run_.read_picture = options.read_picture;
    run_.self = options.self;
  }

  /// Before anything is made for them: a scene without its shaders takes no memory.
  Result<void> load_shaders(const Value::List& passes);
  Result<void> make_shared();
  Result<void> pass(const Value& given, std::size_t number);
  Result<Drawn> finish();

 private:
  struct Pass {
    const Value* given = nullptr;
    std::vector<StageUse> stages;
    States states;
    draw::Bindings bound;
    std::optional<std::size_t> first_target;
  };
  Result<const Loaded*> load(const Value& path, std::string_view entry);
  Result<const Loaded*> load_stage(const Value& given, StageFields& fields);
  Result<void> prepare_stage(const StageName& name, const Value& given, Pass& pass);
  Result<void> bind_stages(Pass& pass);
  Result<void> bind_targets(Pass& pass);
  Result<void> dispatch(Pass& pass, Drawn::Pass& drawn);
  Result<void> draw(Pass& pass, Drawn::Pass& drawn);
  Result<Target*> find_target(const Value& name, bool is_depth);

  const Value& scene_;
  const TestOptions& options_;
  const std::optional<draw::PixelPlace>& followed_;
  shader::RunOptions run_;
  std::uint64_t taken_ = 0;
  std::deque<Target> targets_;
  std::deque<Drawn::Resource> memory_;
  Shared shared_;
  std::map<std::string, Loaded, std::less<>> loaded_;
  std::set<const Value::Member*> known_;  ///< constants and samplers of the scene that a pass has
  Drawn drawn_;
};

Result<void> Session::make_shared() {
  if (const Value* const targets = scene_.find("targets")) {
    if (targets->as_map() == nullptr) return fault(*targets, "targets", "expected a map of targets");
    for (const Value::Member& member : *targets->as_map()) {
      auto made = make_target(member, run_, taken_);
      if (!made) return std::move(made).error().within("targets/" + member.key);
      targets_.push_back(std::move(*made));
      Target& target = targets_.back();
      target.view.texture.bytes = target.bytes;
      shared_.emplace(target.name, target.view.texture);
    }
  }
  if (const Value* const resources = scene_.find("resources")) {
    if (resources->as_map() == nullptr) return fault(*resources, "resources", "expected a map of resources");
    for (const Value::Member& member : *resources->as_map()) {
      auto made = shader::runner::described(member.value, 0, run_, taken_);
      if (!made) return std::move(made).error().within("resources/" + member.key);
      Drawn::Resource& own = memory_.emplace_back(Drawn::Resource{member.key, std::move(made->bytes), made->counter.value_or(0)});
      made->view.bytes = own.bytes;
      made->view.counter = &own.counter;
      if (!shared_.emplace(member.key, made->view).second)
        return Error{ErrorCode::bad_value, member.key_offset, "resources/" + member.key, "a target has this name"};
    }
  }
  return {};
}

Result<const Loaded*> Session::load(const Value& path, std::string_view entry) {
  if (path.as_text() == nullptr) return fault(path, "", "expected the path of a file");
  const std::string key = *path.as_text() + '\0' + std::string(entry);
  if (const auto known = loaded_.find(key); known != loaded_.end()) return &known->second;
  auto bytes = shader::runner::read_named(run_, path, "");
  if (!bytes) return std::move(bytes).error();
  Loaded& made = loaded_[key];
  made.bytes = std::move(*bytes);
  const auto fill = [&]() -> Result<void> {
    auto file = binary_of(std::move(made.bytes));
    if (!file) return std::move(file).error();
    made.bytes = std::move(*file);
    auto opened = shader::open(View(made.bytes));
    if (!opened) return std::move(opened).error();
    made.opened = std::move(*opened);
    shader::LowerOptions lowering;
    lowering.entry = entry;
    auto ready = shader::prepare(*made.opened, lowering, options_.optimize);
    if (!ready) return std::move(ready).error();
    made.made = std::move(*ready);
    return {};
  };
  if (auto done = fill(); !done) {
    Error error = std::move(done).error();
    loaded_.erase(key);
    const std::string where = error.path.empty() ? *path.as_text() : *path.as_text() + ": " + error.path;
    return fault(path, "", where + ": " + error.message, error.code);
  }
  return &made;
}

Result<const Loaded*> Session::load_stage(const Value& given, StageFields& fields) {
  if (given.as_text() != nullptr) {
    fields.file = &given;
  } else if (auto done = shader::runner::read_fields(given, kStageFields, "a stage", fields); !done) {
    return std::move(done).error();
  }
  if (fields.file == nullptr) return fault(given, "file", "a stage must have the file of its shader", ErrorCode::missing);
  std::string_view entry;
  if (fields.entry != nullptr) {
    if (fields.entry->as_text() == nullptr) return fault(*fields.entry, "entry", "expected the name of an entry point");
    entry = *fields.entry->as_text();
  }
  return load(*fields.file, entry);
}

Result<void> Session::load_shaders(const Value::List& passes) {
  for (std::size_t number = 0; number < passes.size(); ++number) {
    for (const StageName& name : kStages) {
      const Value* const given = passes[number].as_map() == nullptr ? nullptr : passes[number].find(name.name);
      StageFields fields;
      if (given == nullptr) continue;
      if (auto loaded = load_stage(*given, fields); !loaded)
        return std::move(loaded).error().within(name.name).within(at_index("pass", number));
    }
  }
  return {};
}

Result<void> Session::prepare_stage(const StageName& name, const Value& given, Pass& pass) {
  StageUse use;
  use.name = &name;
  const auto loaded = load_stage(given, use.fields);
  if (!loaded) return loaded.error();
  use.loaded = *loaded;
  const ir::Module& module = use.loaded->made->module();
  if (module.stage != name.stage)
    return fault(*use.fields.file, "",
                 "expected a " + std::string(name.name) + " shader, found a " + std::string(id(module.stage)) + " shader");
  vm::Options machine;
  machine.wave = std::clamp(options_.wave != 0 ? options_.wave : kWaveLanes, module.modes.wave_min, module.modes.wave_max);
  // a hull shader's patch constants are its last function
  if (name.stage == Stage::hull) {
    vm::Options constants = machine;
    constants.function = module.functions.size() > 1 ? 1 : 0;
    auto made = use.loaded->made->program(constants);
    if (!made) return fault(*use.fields.file, "", made.error().message, made.error().code);
    use.patch_constants = std::move(*made);
  }
  if (name.stage != Stage::hull || module.functions.size() > 1) {
    auto made = use.loaded->made->program(machine);
    if (!made) return fault(*use.fields.file, "", made.error().message, made.error().code);
    use.program = std::move(*made);
  }
  use.options = std::make_unique<shader::RunOptions>(run_);
  use.options->memory = run_.memory - taken_;
  use.options->reflection = use.loaded->made->reflection();
  use.bindings = std::make_unique<Bindings>(module, *use.options, &shared_);
  pass.stages.push_back(std::move(use));
  return {};
}

// What the pass says of all stages goes to those that know the name, what a stage says to that alone.
Result<void> Session::bind_stages(Pass& pass) {
  std::vector<std::array<Value, 3>> maps(pass.stages.size());
  constexpr std::string_view kMaps[] = {"constants", "resources", "samplers"};
  for (std::size_t map = 0; map < std::size(kMaps); ++map) {
    for (auto& own : maps) own[map] = Value::map();
    const Value* const given = pass.given->find(kMaps[map]);
    for (const Value* const level : {kMaps[map] == "resources" ? nullptr : scene_.find(kMaps[map]), given}) {
      if (level == nullptr) continue;
      if (level->as_map() == nullptr) return fault(*level, std::string(kMaps[map]), "expected a map");
      for (const Value::Member& one : *level->as_map()) {
        if (level != given && given != nullptr && given->find(one.key) != nullptr) continue;
        bool is_known = false;
        for (std::size_t stage = 0; stage < pass.stages.size(); ++stage) {
          const Bindings& bindings = *pass.stages[stage].bindings;
          const bool known = map == 0 ? bindings.has_constant(one.key) : bindings.has_resource(one);
          // the last stage says why no stage knows it; what the scene says may be for other passes
          if (!known && (is_known || level != given || stage + 1 != pass.stages.size())) continue;
          is_known = is_known || known;
          maps[stage][map].as_map()->push_back(one);
        }
        if (is_known && level != given) known_.insert(&one);
      }
    }
  }
  for (std::size_t stage = 0; stage < pass.stages.size(); ++stage) {
    StageUse& use = pass.stages[stage];
    Bindings& bindings = *use.bindings;
    const StageFields& fields = use.fields;
    if (const auto* const root = use.loaded->made->root_signature()) bindings.bind_static_samplers(*root);
    const auto bind = [&](const Value& all, const Value* own, bool is_own, auto read) -> Result<void> {
      const Value* const given = is_own ? own : &all;
      if (given == nullptr) return {};
      auto done = read(*given);
      if (!done && is_own) return std::move(done).error().within(use.name->name);
      return done;
    };
    const auto set_constants = [&](const Value& given) -> Result<void> {
      Value numbers = given;
      if (auto done = replace_transforms(numbers); !done) return std::move(done).error().within("constants");
      return bindings.set_constants(numbers);
    };
    for (const bool is_own : {false, true}) {
      if (auto done = bind(maps[stage][1], fields.resources, is_own, [&](const Value& given) { return bindings.bind(given); }); !done)
        return done;
      if (auto done = bind(maps[stage][2], fields.samplers, is_own, [&](const Value& given) { return bindings.bind_samplers(given); });
          !done)
        return done;
    }
    for (const bool is_own : {false, true})
      if (auto done = bind(maps[stage][0], fields.constants, is_own, set_constants); !done) return done;
    if (auto done = bindings.bind_initials(); !done) return done;
  }
  return {};
}

Result<Target*> Session::find_target(const Value& name, bool is_depth) {
  if (name.as_text() == nullptr) return fault(name, "", "expected the name of a target");
  const auto found = std::ranges::find(targets_, *name.as_text(), &Target::name);
  if (found == targets_.end()) {
    Nearest nearest(*name.as_text());
    for (const Target& one : targets_) nearest.consider(one.name);
    return fault(name, "", "there is no target `" + *name.as_text() + '`' + nearest.question(), ErrorCode::missing);
  }
  if (found->is_depth != is_depth)
    return fault(name, "",
                 is_depth ? "the target has no format of depth: D16_UNORM, D24_UNORM_S8_UINT, D32_FLOAT, D32_FLOAT_S8X24_UINT"
                          : "the target has a format of depth, and belongs into depth_target");
  return &*found;
}

Result<void> Session::bind_targets(Pass& pass) {
  std::vector<std::string_view> names;
  if (const Value* const list = pass.given->find("targets")) {
    if (list->as_list() == nullptr || list->as_list()->size() > draw::kTargets)
      return fault(*list, "targets", "expected a list of up to 8 names of targets");
    for (std::size_t k = 0; k < list->as_list()->size(); ++k) {
      const auto target = find_target((*list->as_list())[k], false);
      if (!target) return Error(target.error()).within(at_index("targets", k));
      pass.bound.targets.push_back((*target)->view.texture);
      names.push_back((*target)->name);
    }
  }
  if (const Value* const depth = pass.given->find("depth_target")) {
    const auto target = find_target(*depth, true);
    if (!target) return Error(target.error()).within("depth_target");
    pass.bound.depth_stencil = (*target)->view;
    names.push_back((*target)->name);
  }
  if (!names.empty()) {
    const auto first = std::ranges::find(targets_, names.front(), &Target::name);
    pass.first_target = static_cast<std::size_t>(first - targets_.begin());
  }
  // what is read may not be drawn into
  const auto is_target = [&](const Value* resources, std::string_view where) -> Result<void> {
    if (resources == nullptr || resources->as_map() == nullptr) return {};
    for (const Value::Member& one : *resources->as_map()) {
      if (const std::string* const text = one.value.as_text(); text != nullptr && std::ranges::find(names, *text) != names.end())
        return fault(one.value, std::string(where) + one.key, "a target of the pass cannot be one of its resources");
    }
    return {};
  };
  if (auto done = is_target(pass.given->find("resources"), "resources/"); !done) return done;
  for (const StageUse& use : pass.stages)
    if (auto done = is_target(use.fields.resources, std::string(use.name->name) + "/resources/"); !done) return done;
  return {};
}

// What a report says of a program that did not finish.
Result<void> stopped(const Value& at, vm::Stop stop, std::string_view stage, const std::string& why) {
  if (stop == vm::Stop::finished) return {};
  if (stop == vm::Stop::budget) return fault(at, "", "a wave executed more operations than the budget allows", ErrorCode::limit);
  return fault(at, "", "the " + std::string(stage) + " shader stopped: " + why);
}

Result<void> Session::dispatch(Pass& pass, Drawn::Pass& drawn) {
  std::array<std::uint32_t, 3> grid{1, 1, 1};
  if (const Value* const groups = pass.given->find("grid")) {
    const Value::List* const list = groups->as_list();
    if (list == nullptr || list->empty() || list->size() > 3)
      return fault(*groups, "grid", "expected a list of one to three numbers of thread groups");
    for (std::size_t k = 0; k < list->size(); ++k) {
      const auto number = shader::runner::number_of((*list)[k], "grid");
      if (!number) return number.error();
      grid[k] = *number;
    }
  }
  StageUse& use = pass.stages.front();
  const auto report =
      vm::dispatch(*use.program, use.bindings->resources(), grid, {.operations = options_.operations, .memory = options_.memory});
  if (!report) return fault(*pass.given, "", report.error().message, report.error().code);
  drawn.operations = report->operations;
  return stopped(*pass.given, report->stop, "compute", report->fault);
}

Result<void> Session::draw(Pass& pass, Drawn::Pass& drawn) {
  draw::Pipeline pipeline;
  draw::Bindings& bound = pass.bound;
  struct Slot {
    Stage stage;
    const vm::Program*& program;
    vm::Resources*& resources;
  };
  const Slot slots[] = {{Stage::vertex, pipeline.vertex, bound.vertex},
                        {Stage::hull, pipeline.hull, bound.hull},
                        {Stage::domain, pipeline.domain, bound.domain},
                        {Stage::geometry, pipeline.geometry, bound.geometry},
                        {Stage::pixel, pipeline.pixel, bound.pixel}};
  const StageUse* vertex = nullptr;
  for (StageUse& use : pass.stages) {
    const Slot& slot = *std::ranges::find(slots, use.name->stage, &Slot::stage);
    slot.program = use.program ? &*use.program : nullptr;
    slot.resources = &use.bindings->resources();
    if (use.patch_constants) {
      pipeline.patch_constants = &*use.patch_constants;
      bound.patch_constants = &use.bindings->resources();
    }
    if (use.name->stage == Stage::vertex) vertex = &use;
  }
  if (vertex == nullptr) return fault(*pass.given, "vertex", "a pass must have a vertex shader, or a compute shader", ErrorCode::missing);

  Mesh mesh;
  if (const Value* const given = pass.given->find("mesh")) {
    auto read = read_mesh(*given, vertex->loaded->made->module(), *vertex->options, shared_);
    if (!read) return std::move(read).error().within("mesh");
    mesh = std::move(*read);
  }
  DrawFields fields;
  if (const Value* const given = pass.given->find("draw")) {
    if (auto done = shader::runner::read_fields(*given, kDrawFields, "draw", fields); !done) return std::move(done).error().within("draw");
  }
  draw::Call call;
  call.indexed = mesh.is_indexed;
  call.first = fields.first;
  call.count = fields.count.value_or(mesh.count - std::min(mesh.count, fields.first));
  call.base_vertex = fields.base_vertex;
  call.first_instance = fields.first_instance;
  call.instances = fields.instances.value_or(mesh.instances);
  if (std::uint64_t{call.count} * call.instances > kMostVertices)
    return fault(*pass.given, "draw", "a draw may have " + std::to_string(kMostVertices) + " vertices in all instances", ErrorCode::limit);

  const States& states = pass.states;
  pipeline.topology = mesh.primitives.topology;
  pipeline.patch_points = mesh.primitives.patch_points;
  pipeline.input = mesh.input;
  pipeline.rasterizer = states.rasterizer;
  if (!states.has_scissor) pipeline.rasterizer.scissor = !states.scissors.empty();
  pipeline.depth_stencil = states.depth_stencil;
  if (!bound.depth_stencil.texture.is_texture()) pipeline.depth_stencil.depth = pipeline.depth_stencil.stencil = false;
  pipeline.blend = states.blend;
  pipeline.conventions = conventions_of(states.conventions.value_or(shader::traits_of(vertex->loaded->opened->family).api));
  bound.vertex_buffers = mesh.buffers;
  bound.indices = mesh.indices;
  bound.viewports = states.viewports;
  bound.scissors = states.scissors;
  bound.blend_factor = states.blend_factor;
  bound.stencil_reference = static_cast<std::uint8_t>(states.stencil_ref);
  bound.sample_mask = states.sample_mask;
  if (bound.viewports.empty()) {
    if (!pass.first_target) return fault(*pass.given, "targets", "a pass must have targets or viewports", ErrorCode::missing);
    const vm::Descriptor& texture = targets_[*pass.first_target].view.texture;
    bound.viewports.push_back({0, 0, static_cast<float>(texture.width), static_cast<float>(texture.height)});
  }
  draw::History history;
  if (followed_) history.place = *followed_;
  const auto report =
      draw::run(pipeline, bound, call, {.operations = options_.operations, .memory = options_.memory}, followed_ ? &history : nullptr);
  if (!report) return fault(*pass.given, report.error().path, report.error().message, report.error().code);
  drawn.statistics = report->statistics;
  drawn.operations = report->operations;
  drawn.target = pass.first_target;
  drawn.history = std::move(history.events);
  drawn.history_is_cut = history.is_cut;
  if (followed_ && pipeline.pixel != nullptr) drawn.pixel_inputs = pipeline.pixel->module().signatures.input;
  return stopped(*pass.given, report->stop, id(report->stage), report->fault);
}

Result<void> Session::pass(const Value& given, std::size_t number) {
  if (given.as_map() == nullptr) return fault(given, "", "expected a map of the pass");
  Pass made;
  made.given = &given;
  Drawn::Pass& drawn = drawn_.passes.emplace_back();
  drawn.name = "pass " + std::to_string(number + 1);
  for (const Value::Member& member : *given.as_map()) {
    if (const auto done = read_state(member, made.states)) {
      if (!*done) return done->error();
      continue;
    }
    if (std::ranges::find(kPassFields, member.key) != std::end(kPassFields)) continue;
    Nearest nearest(member.key);
    for (const std::string_view name : kPassFields) nearest.consider(name);
    for (const std::string_view name : state_fields()) nearest.consider(name);
    return Error{ErrorCode::bad_value, member.key_offset, member.key, "a pass has no field of this name" + nearest.question()};
  }
  if (const Value* const name = given.find("name")) {
    if (name->as_text() == nullptr) return fault(*name, "name", "expected a text");
    drawn.name = *name->as_text();
  }
  const bool is_compute = given.find("compute") != nullptr;
  for (const StageName& name : kStages) {
    const Value* const stage = given.find(name.name);
    if (stage == nullptr) continue;
    if (is_compute && name.stage != Stage::compute)
      return fault(*stage, std::string(name.name), "a pass with a compute shader has no other shaders");
    if (auto done = prepare_stage(name, *stage, made); !done) return std::move(done).error().within(name.name);
  }
  if (auto done = bind_targets(made); !done) return done;
  if (auto done = bind_stages(made); !done) return done;
  if (is_compute) return dispatch(made, drawn);
  if (const Value* const grid = given.find("grid")) return fault(*grid, "grid", "only a pass with a compute shader has a grid");
  if (made.first_target) drawn_.shown = *made.first_target;
  return draw(made, drawn);
}

Result<Drawn> Session::finish() {
  for (const std::string_view map : {"constants", "samplers"}) {
    const Value* const all = scene_.find(map);
    for (std::size_t k = 0; all != nullptr && all->as_map() != nullptr && k < all->as_map()->size(); ++k) {
      const Value::Member& one = (*all->as_map())[k];
      if (!known_.contains(&one))
        return Error{ErrorCode::missing, one.key_offset, std::string(map) + '/' + one.key, "no shader of the passes has this name"};
    }
  }
  for (const Target& target : targets_) drawn_.targets.push_back(drawn_target(target));
  for (Drawn::Resource& one : memory_) drawn_.resources.push_back(std::move(one));
  return std::move(drawn_);
}

}  // namespace
}  // namespace unshade::suite::scene

namespace unshade::suite {

Result<Drawn> draw_scene(const Value& scene, const TestOptions& options,
                         const std::function<void(std::size_t done, std::size_t total)>& progress,
                         const std::optional<draw::PixelPlace>& followed) {
  using shader::runner::fault;
  if (scene.as_map() == nullptr) return fault(scene, "", "expected a map of the scene");
  for (const Value::Member& member : *scene.as_map()) {
    if (std::ranges::find(scene::kSceneFields, member.key) == std::end(scene::kSceneFields))
      return Error{ErrorCode::bad_value, member.key_offset, member.key,
                   with_nearest("a scene has no field of this name", member.key, scene::kSceneFields)};
  }
  const Value* const passes = scene.find("pass");
  if (passes == nullptr || passes->as_list() == nullptr)
    return fault(passes == nullptr ? scene : *passes, "pass", "expected a list of passes", ErrorCode::missing);
  const Value::List& list = *passes->as_list();
  if (list.size() > kMostPasses) return fault(*passes, "pass", "more than 4096 passes", ErrorCode::limit);
  scene::Session session(scene, options, followed);
  if (auto done = session.load_shaders(list); !done) return std::move(done).error();
  if (auto done = session.make_shared(); !done) return std::move(done).error();
  for (std::size_t number = 0; number < list.size(); ++number) {
    if (progress) progress(number, list.size());
    if (auto done = session.pass(list[number], number); !done) return std::move(done).error().within(scene::at_index("pass", number));
  }
  if (progress) progress(list.size(), list.size());
  return session.finish();
}

}  // namespace unshade::suite

// The shaders of a scene, and what they are given.
#include <algorithm>
#include <set>
#include <utility>

#include <unshade/core/text/numbers.hpp>
#include <unshade/ir/hull.hpp>
#include <unshade/ir/lower_pica.hpp>
#include <unshade/run/bindings.hpp>
#include <unshade/run/contents.hpp>
#include <unshade/run/fields.hpp>
#include <unshade/run/run.hpp>
#include <unshade/run/session.hpp>
#include <unshade/run/specialize.hpp>
#include <unshade/run/values.hpp>
#include <unshade/shader/assemble.hpp>
#include <unshade/shader/spirv_modules.hpp>
#include <unshade/shader/traits.hpp>

#include "scene/drawing.hpp"
#include "scene/linkage.hpp"

namespace unshade::scene {
namespace {

using run::Bindings;
using run::fault;
using run::Field;

constexpr unsigned kWaveLanes = 32;

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

}  // namespace

Result<void> Tracing::begin(const Followed& followed, const StageUse& pixel) {
  followed_ = &followed;
  loaded_ = pixel.loaded;
  made_ = pixel.made;
  const ir::Function& function = made_->module().functions.front();
  options_.self = this;
  if (followed.recorded) {
    auto recorder = run::SessionRecorder::of(*loaded_->opened, function.name, *followed.recorded);
    if (!recorder) return std::move(recorder).error();
    recorder_ = *std::move(recorder);
    executed_ = pixel.program->executed();
    options_.lines = &recorder_->lines();
    options_.trace_all_lanes = true;
    options_.traced_active = &active_;
    options_.trace = [](void* self, std::uint32_t instruction, const Value& step) {
      auto& own = *static_cast<Tracing*>(self);
      return own.recorder_->add(instruction, step, own.active_);
    };
  } else {
    auto listed = shader::instruction_lines(*loaded_->opened, function.name);
    if (listed) lines_ = std::move(*listed);
    options_.lines = &lines_;
    options_.trace = [](void* self, std::uint32_t, const Value& step) {
      const Followed& own = *static_cast<Tracing*>(self)->followed_;
      own.trace(own.self, step);
      return true;
    };
  }
  watch_.emplace(made_->module(), 0, options_);
  observer_ = watch_->observer();
  return {};
}

void Tracing::step(const vm::TraceStep& step, unsigned lane) {
  lane_ = lane;
  if (recorder_) {
    observer_.trace(observer_.self, step);
    return;
  }
  if ((step.active[lane / 64] >> (lane % 64) & 1) == 0) return;
  vm::TraceStep alone = step;
  alone.active = {};
  alone.active[lane / 64] = std::uint64_t{1} << (lane % 64);
  options_.trace_lanes = {lane};
  observer_.trace(observer_.self, alone);
}

void Tracing::finish(Drawn& drawn) {
  watch_->finish();
  if (!recorder_) return;
  const View specialized = made_->specialized_file();
  const auto bytes = specialized.bytes();
  drawn.stepped = Drawn::Stepped{std::move(*recorder_).finish({}, executed_),
                                 specialized.empty() ? loaded_->bytes : std::vector<std::byte>(bytes.begin(), bytes.end())};
  drawn.stepped->session.follow_lane(lane_);
}

Result<const Loaded*> Drawing::load(const Value& path, std::string_view entry, Stage stage) {
  if (path.as_text() == nullptr) return fault(path, "", "expected the path of a file");
  const std::string key = *path.as_text() + '\0' + std::string(entry) + '\0' + std::string(id(stage));
  if (const auto known = loaded_.find(key); known != loaded_.end()) return &known->second;
  auto bytes = run::read_named(run_, path, "");
  if (!bytes) return std::move(bytes).error();
  Loaded& made = loaded_[key];
  made.bytes = std::move(*bytes);
  const auto fill = [&]() -> Result<void> {
    auto file = shader::binary_of(std::move(made.bytes));
    if (!file) return std::move(file).error();
    made.bytes = std::move(*file);
    auto opened = shader::open(View(made.bytes));
    if (!opened) return std::move(opened).error();
    made.opened = std::move(*opened);
    shader::LowerOptions lowering;
    lowering.entry = entry;
    lowering.stage = stage;
    lowering.keep_copies = followed_ && followed_->recorded;
    auto ready = run::prepare(*made.opened, lowering, options_.optimize);
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

Result<const Loaded*> Drawing::load_stage(const Value& given, Stage stage, StageFields& fields) {
  if (given.as_text() != nullptr) {
    fields.file = &given;
  } else if (auto done = run::read_fields(given, kStageFields, "a stage", fields); !done) {
    return std::move(done).error();
  }
  if (fields.file == nullptr) return fault(given, "file", "a stage must have the file of its shader", ErrorCode::missing);
  std::string_view entry;
  if (fields.entry != nullptr) {
    if (fields.entry->as_text() == nullptr) return fault(*fields.entry, "entry", "expected the name of an entry point");
    entry = *fields.entry->as_text();
  }
  return load(*fields.file, entry, stage);
}

Result<void> Drawing::read_rounding() {
  f24_ = options_.f24;
  const Value* const given = scene_.find("float24");
  if (given == nullptr) return {};
  const auto wanted = given->as_text() == nullptr ? std::nullopt : run::f24_of(*given->as_text());
  if (!wanted) return fault(*given, "float24", "expected truncate, nearest or f32");
  if (std::ranges::none_of(loaded_, [](const auto& one) { return run::uses_f24(one.second.made->module()); }))
    return fault(*given, "float24", "only shaders of the PICA200 have float24 numbers, and no pass has one");
  if (!f24_) f24_ = wanted;
  return {};
}

Result<void> Drawing::load_shaders(const Value::List& passes) {
  for (std::size_t number = 0; number < passes.size(); ++number) {
    for (const StageName& name : kStages) {
      const Value* const given = passes[number].as_map() == nullptr ? nullptr : passes[number].find(name.name);
      StageFields fields;
      if (given == nullptr) continue;
      if (auto loaded = load_stage(*given, name.stage, fields); !loaded)
        return std::move(loaded).error().within(name.name).within(at_index("pass", number));
    }
  }
  return {};
}

namespace {

// Of the PICA200: where vertices go that are no inputs; nothing if they are.
Result<std::optional<draw::ConstantVertices>> constant_vertices_of(const StageUse& use) {
  std::optional<draw::ConstantVertices> made;
  const shader::Reflection* const reflection = use.loaded->made->reflection();
  if (reflection == nullptr || use.name->stage != Stage::geometry) return made;
  std::size_t number = 0;  // of the executable
  if (use.fields.entry != nullptr) number = as_number<std::size_t>(*use.fields.entry->as_text()).value_or(0);
  if (number >= reflection->entry_points.size()) return made;
  const auto& geometry = reflection->entry_points[number].geometry;
  if (!geometry || geometry->mode.empty() || geometry->mode == "point") return made;
  const bool is_fixed = geometry->mode == "fixed";
  if (!is_fixed && geometry->mode != "variable")
    return fault(*use.fields.file, "", "the geometry shader's mode must be point, variable or fixed", ErrorCode::unsupported);
  if (geometry->vertices == 0)
    return fault(*use.fields.file, "",
                 "the header of the geometry shader (mode " + geometry->mode + ") states 0 vertices" +
                     (is_fixed ? "" : " with all outputs") + ", expected at least 1");
  made.emplace();
  made->first = is_fixed ? geometry->first_constant : 1;
  (is_fixed ? made->count : made->whole) = geometry->vertices;
  return made;
}

// Bytes of the constants of a geometry shader that vertices go to.
std::pair<std::uint32_t, std::uint32_t> bytes_of_vertices(const draw::ConstantVertices& how, std::span<const StageUse> stages) {
  std::size_t registers = 0;  // of a vertex
  for (const StageUse& use : stages)
    if (use.name->stage == Stage::vertex) registers = draw::registers_of(use.made->module().signatures.output).size();
  const std::uint64_t vertices = how.count != 0 ? how.count : how.whole;
  const auto end = static_cast<std::uint32_t>(std::min<std::uint64_t>(ir::pica_uniforms::kReals, how.first + vertices * registers));
  return {ir::pica_uniforms::real(how.count != 0 ? how.first : 0, 0), ir::pica_uniforms::real(end, 0)};
}

}  // namespace

Value Drawing::specializations_of(const StageUse& use, const Pass& pass) const {
  Value made = Value::map();
  std::set<const shader::SpecializationConstant*> inner;
  for (const Value* const level : {use.fields.constants, pass.given->find("constants"), scene_.find("constants")}) {
    if (level == nullptr || level->as_map() == nullptr) continue;
    std::set<const shader::SpecializationConstant*> own;
    for (const Value::Member& one : *level->as_map()) {
      const auto* const constant = run::specialization_named(use.loaded->made->reflection(), one.key);
      if (constant == nullptr || inner.contains(constant)) continue;
      own.insert(constant);
      made.as_map()->push_back(one);
    }
    inner.merge(own);
  }
  return made;
}

Result<void> Drawing::prepare_stage(const StageName& name, const Value& given, Pass& pass) {
  StageUse use;
  use.name = &name;
  const auto loaded = load_stage(given, name.stage, use.fields);
  if (!loaded) return loaded.error();
  use.loaded = *loaded;
  auto specialized = run::specialized(*use.loaded->made, specializations_of(use, pass));
  if (!specialized) return std::move(specialized).error();
  use.made = std::move(*specialized);
  const ir::Module& module = use.made->module();
  if (module.stage != name.stage)
    return fault(*use.fields.file, "",
                 "expected a " + std::string(name.name) + " shader, found a " + std::string(id(module.stage)) + " shader");
  auto vertices = constant_vertices_of(use);
  if (!vertices) return std::move(vertices).error();
  use.constant_vertices = *vertices;
  vm::Options machine;
  machine.wave = std::clamp(options_.wave != 0 ? options_.wave : kWaveLanes, module.modes.wave_min, module.modes.wave_max);
  machine.f24 = f24_;
  const bool has_own_constants = ir::has_patch_constant_function(module);
  if (has_own_constants) {
    vm::Options constants = machine;
    constants.function = static_cast<std::uint32_t>(module.functions.size() - 1);
    auto made = use.made->program(constants);
    if (!made) return fault(*use.fields.file, "", made.error().message, made.error().code);
    use.patch_constants = std::move(*made);
  }
  if (!has_own_constants || module.functions.size() > 1) {
    auto made = use.made->program(machine);
    if (!made) return fault(*use.fields.file, "", made.error().message, made.error().code);
    use.program = std::move(*made);
  }
  use.options = std::make_unique<run::RunOptions>(run_);
  use.options->memory = run_.memory - taken_;
  use.options->reflection = use.made->reflection();
  use.bindings = std::make_unique<Bindings>(module, *use.options, &shared_);
  pass.stages.push_back(std::move(use));
  return {};
}

std::string_view entry_of(const StageUse& use) {
  return use.fields.entry == nullptr ? std::string_view() : std::string_view(*use.fields.entry->as_text());
}

bool is_of_vulkan(const StageUse& use) { return shader::traits_of(use.loaded->opened->family).api == shader::GraphicsApi::vulkan; }

namespace {

std::vector<std::string> location_faults_of(const StageUse& before, std::uint32_t stream, const StageUse& use) {
  const auto module_of = [](const StageUse& one) { return shader::module_with_entry(*one.loaded->opened, entry_of(one), one.name->stage); };
  const auto from = module_of(before), own = module_of(use);
  if (!from || !own) return {};
  return location_faults({*from, entry_of(before), before.name->stage, stream}, {*own, entry_of(use), use.name->stage});
}

bool is_of_direct3d(const StageUse& use) {
  const shader::Reflection* const reflection = use.made->reflection();
  return reflection != nullptr && (reflection->family == shader::Family::dxbc || reflection->family == shader::Family::dxil);
}

}  // namespace

// Of stages that Direct3D or Vulkan links.
void Drawing::add_mismatches(const Pass& pass, Drawn::Pass& drawn) {
  const std::vector<StageUse>& stages = pass.stages;
  std::vector<std::string>& to = drawn.mismatches;
  std::uint32_t stream = 0;
  if (const Value* const given = pass.given->find("stream_output"))
    if (const auto streams = read_streams(*given)) stream = streams->rasterized.value_or(0);
  const StageUse* before = nullptr;
  for (const Stage stage : {Stage::vertex, Stage::hull, Stage::domain, Stage::geometry, Stage::mesh, Stage::pixel}) {
    const auto found = std::ranges::find_if(stages, [&](const StageUse& use) { return use.name->stage == stage; });
    if (found == stages.end()) continue;
    const std::uint32_t written = stage == Stage::pixel && before != nullptr && before->name->stage == Stage::geometry ? stream : 0;
    if (before != nullptr && is_of_direct3d(*before) && is_of_direct3d(*found)) {
      for (std::string& fault : linkage_faults(before->made->module(), found->made->module(), written)) to.push_back(std::move(fault));
      const auto& from = before->made->reflection()->entry_points;
      const auto& entries = found->made->reflection()->entry_points;
      if (from.size() == 1 && entries.size() == 1)
        for (std::string& fault : precision_faults(from.front(), entries.front(), written)) to.push_back(std::move(fault));
    }
    if (before != nullptr && is_of_vulkan(*before) && is_of_vulkan(*found)) {
      const auto [known, is_new] = location_faults_.try_emplace({before->loaded, written, found->loaded});
      if (is_new) known->second = location_faults_of(*before, written, *found);
      drawn.vulkan_mismatches.insert(drawn.vulkan_mismatches.end(), known->second.begin(), known->second.end());
    }
    before = &*found;
  }
}

// What the pass says of all stages goes to those that know the name, what a stage says to that alone.
Result<void> Drawing::bind_stages(Pass& pass) {
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
          const bool known = map == 0 ? bindings.has_constant(one)
                                      : bindings.has_resource(one, map == 1 ? Bindings::Kind::resource : Bindings::Kind::sampler);
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
    if (const auto* const root = use.made->root_signature()) bindings.bind_static_samplers(*root);
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
    if (const Value* const addresses = pass.given->find("addresses")) {
      if (auto done = bindings.bind_addresses(*addresses); !done) return done;
    }
    for (const bool is_own : {false, true})
      if (auto done = bind(maps[stage][0], fields.constants, is_own, set_constants); !done) return done;
    if (auto done = bindings.bind_initials(); !done) return done;
    if (use.constant_vertices) {
      const auto [first, end] = bytes_of_vertices(*use.constant_vertices, pass.stages);
      bindings.set_elsewhere(0, first, end);
    }
    for (const std::string& mismatch : bindings.format_mismatches())
      drawn_.passes.back().format_mismatches.push_back("the " + std::string(use.name->name) + " shader: " + mismatch);
    auto names = bindings.constants_not_given();
    // how far vertices of any number reach is not known yet: to constants without a name
    if (use.constant_vertices && use.constant_vertices->count == 0)
      std::erase_if(names, [](std::string_view name) { return name.starts_with('c') && as_number<std::uint32_t>(name.substr(1)); });
    if (!names.empty()) drawn_.passes.back().not_given.push_back({std::string(use.name->name), std::move(names)});
  }
  add_mismatches(pass, drawn_.passes.back());
  return {};
}

}  // namespace unshade::scene

// Draws a scene, pass by pass.
#include <algorithm>
#include <memory>
#include <set>
#include <utility>

#include <unshade/core/spelling.hpp>
#include <unshade/run/contents.hpp>
#include <unshade/run/fields.hpp>
#include <unshade/run/run.hpp>
#include <unshade/run/values.hpp>
#include <unshade/shader/shader.hpp>
#include <unshade/shader/spirv_modules.hpp>

#include "scene/drawing.hpp"

namespace unshade::scene {
namespace {

using run::fault;
using run::Field;
using run::read_number;

struct DrawFields {
  std::optional<std::uint32_t> count, instances;
  std::uint32_t first = 0, first_instance = 0;
  std::int32_t base_vertex = 0;
  bool automatic = false;
};
constexpr Field<DrawFields> kDrawFields[] = {
    {"count", read_number<&DrawFields::count>},
    {"instances", read_number<&DrawFields::instances>},
    {"first", read_number<&DrawFields::first>},
    {"first_instance", read_number<&DrawFields::first_instance>},
    {"auto", [](const Value& given, DrawFields& to) { return run::read_truth(given, to.automatic); }},
    {"base_vertex", [](const Value& given, DrawFields& to) { return read_signed(given, to.base_vertex); }},
};

constexpr std::string_view kSceneFields[] = {"targets", "resources", "constants", "samplers", "float24", "animation", "pass"};
constexpr std::string_view kPassFields[] = {"name",     "grid", "mesh",          "targets", "depth_target", "constants", "resources",
                                            "samplers", "draw", "stream_output", "queries", "predication",  "addresses"};

// The thread groups of a pass.
Result<std::array<std::uint32_t, 3>> grid_of(const Value& pass) {
  std::array<std::uint32_t, 3> grid{1, 1, 1};
  if (const Value* const groups = pass.find("grid")) {
    const Value::List* const list = groups->as_list();
    if (list == nullptr || list->empty() || list->size() > 3)
      return fault(*groups, "grid", "expected a list of one to three numbers of thread groups");
    for (std::size_t k = 0; k < list->size(); ++k) {
      const auto number = run::number_of((*list)[k], "grid");
      if (!number) return number.error();
      grid[k] = *number;
    }
  }
  return grid;
}

// What a report says of a program that did not finish.
Result<void> stopped(const Value& at, vm::Stop stop, std::string_view stage, const std::string& why) {
  if (stop == vm::Stop::finished) return {};
  if (stop == vm::Stop::budget) return fault(at, "", why, ErrorCode::limit);
  return fault(at, "", "the " + std::string(stage) + " shader stopped: " + why);
}

// The passes of a scene, whose fields are known.
Result<const Value::List*> passes_of(const Value& scene) {
  if (scene.as_map() == nullptr) return fault(scene, "", "expected a map of the scene");
  for (const Value::Member& member : *scene.as_map()) {
    if (std::ranges::find(kSceneFields, member.key) == std::end(kSceneFields))
      return Error{ErrorCode::bad_value, member.key_offset, member.key,
                   with_nearest("a scene has no field of this name", member.key, kSceneFields)};
  }
  if (scene.find("animation") != nullptr) {
    if (auto first = scene_at(scene, 0); !first) return std::move(first).error();
  }
  const Value* const passes = scene.find("pass");
  if (passes == nullptr || passes->as_list() == nullptr)
    return fault(passes == nullptr ? scene : *passes, "pass", "expected a list of passes", ErrorCode::missing);
  if (passes->as_list()->size() > kMostPasses) return fault(*passes, "pass", "more than 4096 passes", ErrorCode::limit);
  return passes->as_list();
}

}  // namespace

Result<void> Drawing::make_shared() {
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
      auto made = run::described(member.value, {}, run_, taken_);
      if (!made) return std::move(made).error().within("resources/" + member.key);
      Drawn::Resource& own = memory_.emplace_back(Drawn::Resource{member.key, std::move(made->bytes), made->counter.value_or(0), {}});
      made->view.bytes = own.bytes;
      made->view.counter = &own.counter;
      if (!shared_.emplace(member.key, made->view).second)
        return Error{ErrorCode::bad_value, member.key_offset, "resources/" + member.key, "a target has the same name"};
    }
  }
  return {};
}

Result<Target*> Drawing::find_target(const Value& name, bool is_depth) {
  if (name.as_text() == nullptr) return fault(name, "", "expected the name of a target");
  const auto found = std::ranges::find(targets_, *name.as_text(), &Target::name);
  if (found == targets_.end()) {
    Nearest nearest(*name.as_text());
    for (const Target& one : targets_) nearest.consider(one.name);
    return fault(name, "", "there is no target `" + *name.as_text() + '`' + nearest.question(), ErrorCode::missing);
  }
  if (found->is_depth != is_depth)
    return fault(name, "",
                 is_depth ? "expected a target with a depth format: D16_UNORM, D24_UNORM_S8_UINT, D32_FLOAT, D32_FLOAT_S8X24_UINT"
                          : "the target has a depth format: it must be the pass's depth_target");
  return &*found;
}

Result<void> Drawing::bind_targets(Pass& pass) {
  const auto number_of = [&](const Target& target) {
    const auto found = std::ranges::find(targets_, &target, [](const Target& one) { return &one; });
    return static_cast<std::size_t>(found - targets_.begin());
  };
  std::vector<std::string_view> names;
  if (const Value* const list = pass.given->find("targets")) {
    if (list->as_list() == nullptr || list->as_list()->size() > draw::kTargets)
      return fault(*list, "targets", "expected a list of up to 8 names of targets");
    for (std::size_t k = 0; k < list->as_list()->size(); ++k) {
      const auto target = find_target((*list->as_list())[k], false);
      if (!target) return Error(target.error()).within(at_index("targets", k));
      const std::size_t number = number_of(**target);
      if (std::ranges::find(pass.colors, number) != pass.colors.end())
        return fault((*list->as_list())[k], at_index("targets", k), "the pass has this target already");
      pass.bound.targets.push_back((*target)->view.texture);
      pass.colors.push_back(number);
      names.push_back((*target)->name);
    }
  }
  if (const Value* const depth = pass.given->find("depth_target")) {
    const auto target = find_target(*depth, true);
    if (!target) return Error(target.error()).within("depth_target");
    const texel::Descriptor& own = (*target)->view.texture;
    for (const texel::Descriptor& color : pass.bound.targets)
      if (own.width < color.width || own.height < color.height)
        return fault(*depth, "depth_target",
                     "the target has " + std::to_string(own.width) + " by " + std::to_string(own.height) +
                         " pixels, the color targets have " + std::to_string(color.width) + " by " + std::to_string(color.height));
    pass.bound.depth_stencil = (*target)->view;
    pass.depth = number_of(**target);
    names.push_back((*target)->name);
  }
  pass.first_target = pass.colors.empty() ? pass.depth : std::optional(pass.colors.front());
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
  if (auto done = is_target(pass.given->find("addresses"), "addresses/"); !done) return done;
  for (const StageUse& use : pass.stages)
    if (auto done = is_target(use.fields.resources, std::string(use.name->name) + "/resources/"); !done) return done;
  return {};
}

// The resources that stream output goes to, which the pass cannot read.
Result<void> Drawing::bind_streams(Pass& pass, draw::Pipeline& pipeline) {
  const Value* const given = pass.given->find("stream_output");
  if (given == nullptr) return {};
  auto streams = read_streams(*given);
  if (!streams) return std::move(streams).error().within("stream_output");
  if (given->find("Declaration") == nullptr) {
    const StageUse* last = nullptr;
    for (const StageUse& use : pass.stages)
      if (use.name->stage == Stage::vertex || use.name->stage == Stage::domain || use.name->stage == Stage::geometry) last = &use;
    if (last != nullptr && is_of_vulkan(*last)) {
      const auto module = shader::module_with_entry(*last->loaded->opened, entry_of(*last), last->name->stage);
      if (!module) return fault(*last->fields.file, std::string(last->name->name), module.error().message, module.error().code);
      auto feedback = feedback_of({*module, entry_of(*last), last->name->stage});
      if (!feedback) return fault(*last->fields.file, std::string(last->name->name), feedback.error().message, feedback.error().code);
      for (std::uint32_t slot = 0; slot < draw::kStreams; ++slot)
        if (streams->output.strides[slot] != 0) feedback->strides[slot] = streams->output.strides[slot];
      streams->output = std::move(*feedback);
    }
  }
  const auto is_bound = [](const Streams::Buffer& one) { return !one.resource->as_text()->empty(); };
  const bool counts = std::ranges::any_of(streams->output.strides, [](std::uint32_t stride) { return stride != 0; });
  if (streams->output.entries.empty() && !counts && std::ranges::any_of(streams->buffers, is_bound))
    return fault(*given, "stream_output/Declaration",
                 "expected a list of outputs for the buffers, or SPIR-V with the execution mode Xfb that captures outputs",
                 ErrorCode::missing);
  pipeline.stream_output = std::move(streams->output);
  pipeline.rasterized_stream = streams->rasterized;
  std::set<std::string_view> names;
  for (std::size_t slot = 0; slot < streams->buffers.size(); ++slot) {
    const auto& [resource, offset] = streams->buffers[slot];
    const std::string& name = *resource->as_text();
    if (name.empty()) continue;
    const std::string path = at_index("stream_output/buffers", slot);
    const auto found = std::ranges::find(memory_, name, &Drawn::Resource::name);
    if (found == memory_.end()) return fault(*resource, path, "there is no resource `" + name + '`', ErrorCode::missing);
    if (!names.insert(name).second) return fault(*resource, path, "another slot is bound to this resource");
    draw::StreamBuffer& buffer = filled_[name];
    buffer.bytes = found->bytes;
    if (offset) buffer.filled = *offset;
    pass.bound.stream_buffers[slot] = &buffer;
  }
  const auto reads = [&](const Value* resources, const std::string& where) -> Result<void> {
    if (resources == nullptr || resources->as_map() == nullptr) return {};
    for (const Value::Member& one : *resources->as_map())
      if (one.value.as_text() != nullptr && names.contains(*one.value.as_text()))
        return fault(one.value, where + one.key, "the pass writes this resource by stream output");
    return {};
  };
  if (auto done = reads(pass.given->find("resources"), "resources/"); !done) return done;
  if (auto done = reads(pass.given->find("addresses"), "addresses/"); !done) return done;
  for (const StageUse& use : pass.stages)
    if (auto done = reads(use.fields.resources, std::string(use.name->name) + "/resources/"); !done) return done;
  return {};
}

// What stream output left in the first vertex buffer of the mesh.
Result<std::uint64_t> Drawing::filled_by_streams(const Value& pass) const {
  const Value* const mesh = pass.find("mesh");
  const Value* const buffers = mesh == nullptr ? nullptr : mesh->find("buffers");
  const Value* const first =
      buffers == nullptr || buffers->as_list() == nullptr || buffers->as_list()->empty() ? nullptr : &buffers->as_list()->front();
  const Value* const data = first == nullptr ? nullptr : first->find("data");
  const auto found = data == nullptr || data->as_text() == nullptr ? filled_.end() : filled_.find(*data->as_text());
  if (found == filled_.end())
    return fault(pass, "draw/auto", "the first vertex buffer must be a resource that an earlier pass filled by stream output");
  return found->second.filled;
}

Result<void> Drawing::dispatch(Pass& pass, Drawn::Pass& drawn) {
  const auto grid = grid_of(*pass.given);
  if (!grid) return grid.error();
  StageUse& use = pass.stages.front();
  if (reader_ != nullptr) return reader_->pass({*pass.given, drawn_.passes.size() - 1, pass.stages, nullptr, pass.bound, {}, *grid});
  const auto report =
      vm::dispatch(*use.program, use.bindings->resources(), *grid, {.operations = options_.operations, .memory = options_.memory});
  if (!report) return fault(*pass.given, "", report.error().message, report.error().code);
  drawn.operations = report->operations;
  drawn.statistics.compute_runs = 1;
  const auto& threads = use.program->module().info.group_size;
  for (unsigned axis = 0; axis < 3; ++axis) drawn.statistics.compute_runs *= std::uint64_t{(*grid)[axis]} * threads[axis];
  return stopped(*pass.given, report->stop, "compute", report->fault);
}

// An empty heat map for the first target of a pass.
Result<std::optional<draw::Heat>> Drawing::begin_heat(const Pass& pass) {
  if (!heat_ || !pass.first_target) return std::optional<draw::Heat>();
  const texel::Descriptor& texture = targets_[*pass.first_target].view.texture;
  draw::Heat made;
  made.kind = *heat_;
  made.width = texture.width;
  made.height = texture.height;
  const std::uint64_t bytes = std::uint64_t{made.width} * made.height * sizeof(std::uint32_t);
  if (!heats_.contains(*pass.first_target)) {
    if (2 * bytes > run_.memory - taken_)
      return fault(*pass.given, "targets", "targets, resources and heat maps exceed " + std::to_string(run_.memory) + " bytes together",
                   ErrorCode::limit);
    taken_ += 2 * bytes;  // that of the target, and that of a pass
    heats_[*pass.first_target] = made;
    heats_[*pass.first_target].counts.resize(bytes / sizeof(std::uint32_t));
  }
  return std::optional(std::move(made));
}

Result<Drawing::Ready> Drawing::ready(Pass& pass) {
  Ready made;
  draw::Pipeline& pipeline = made.pipeline;
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
                        {Stage::pixel, pipeline.pixel, bound.pixel},
                        {Stage::mesh, pipeline.mesh, bound.mesh},
                        {Stage::amplification, pipeline.amplification, bound.amplification}};
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
    if (use.constant_vertices) pipeline.constant_vertices = use.constant_vertices;
  }
  if (vertex == nullptr && pipeline.mesh == nullptr)
    return fault(*pass.given, "vertex", "a pass must have a vertex shader, a mesh shader or a compute shader", ErrorCode::missing);

  Mesh& mesh = made.mesh;
  if (const Value* const given = pass.given->find("mesh")) {
    if (vertex == nullptr) return fault(*given, "mesh", "a pass with a mesh shader must not have a mesh");
    if (const Value* const topology = given->find("topology"); topology != nullptr && pipeline.constant_vertices)
      return fault(*topology, "mesh/topology",
                   "the geometry shader reads its vertices from constant registers: the mesh must not have a topology");
    auto read = read_mesh(*given, vertex->made->module(), *vertex->options, shared_, options_.read_document);
    if (!read) return std::move(read).error().within("mesh");
    mesh = std::move(*read);
  }
  DrawFields fields;
  if (const Value* const given = pass.given->find("draw")) {
    if (auto done = run::read_fields(*given, kDrawFields, "draw", fields); !done) return std::move(done).error().within("draw");
  }
  draw::Call& call = made.call;
  if (pipeline.mesh != nullptr) {
    const auto grid = grid_of(*pass.given);
    if (!grid) return grid.error();
    call.groups = *grid;
  }
  call.indexed = mesh.is_indexed;
  call.first = fields.first;
  call.count = fields.count.value_or(mesh.count - std::min(mesh.count, fields.first));
  if (fields.base_vertex != 0 && !mesh.is_indexed)
    return fault(*pass.given->find("draw"), "draw/base_vertex", "the mesh has no indices: set `first`, the first vertex");
  call.base_vertex = fields.base_vertex;
  call.first_instance = fields.first_instance;
  call.instances = fields.instances.value_or(mesh.instances);
  if (fields.automatic) {
    const auto filled = filled_by_streams(*pass.given);
    if (!filled) return filled.error();
    call.automatic = true;
    mesh.buffers[0].filled = *filled;
    call.count = static_cast<std::uint32_t>(*filled / std::max(1U, mesh.buffers[0].stride));
  }
  if (std::uint64_t{call.count} * call.instances > kMostVertices)
    return fault(*pass.given, "draw", "a draw must have at most " + std::to_string(kMostVertices) + " vertices in all instances",
                 ErrorCode::limit);

  const States& states = pass.states;
  pipeline.topology = mesh.primitives.topology;
  pipeline.patch_points = mesh.primitives.patch_points;
  pipeline.input = mesh.input;
  pipeline.rasterizer = states.rasterizer;
  if (!states.has_scissor) pipeline.rasterizer.scissor = !states.scissors.empty();
  pipeline.depth_stencil = states.depth_stencil;
  if (!bound.depth_stencil.texture.is_texture())
    pipeline.depth_stencil.depth = pipeline.depth_stencil.stencil = pipeline.depth_stencil.depth_bounds = false;
  pipeline.blend = states.blend;
  pipeline.conventions = conventions_of(states.conventions.value_or(shader::traits_of(pass.stages.front().loaded->opened->family).api));
  for (const StageUse& use : pass.stages) {
    if (use.name->stage != Stage::geometry || !pipeline.conventions.gathers_vertices) continue;
    pipeline.conventions.gathers_vertices = shader::traits_of(use.loaded->opened->family).api == shader::GraphicsApi::pica;
  }
  bound.vertex_buffers = mesh.buffers;
  bound.indices = mesh.indices;
  bound.viewports = states.viewports;
  bound.scissors = states.scissors;
  bound.blend_factor = states.blend_factor;
  bound.stencil_references = states.stencil_refs;
  bound.sample_mask = states.sample_mask;
  bound.depth_bounds = states.depth_bounds;
  if (auto done = bind_streams(pass, pipeline); !done) return std::move(done).error();
  if (bound.viewports.empty() && pipeline.rasterized_stream) {
    if (!pass.first_target) return fault(*pass.given, "targets", "a pass must have targets or viewports", ErrorCode::missing);
    const texel::Descriptor& texture = targets_[*pass.first_target].view.texture;
    bound.viewports.push_back({0, 0, static_cast<float>(texture.width), static_cast<float>(texture.height)});
  }
  return made;
}

Result<void> Drawing::draw(Pass& pass, Drawn::Pass& drawn) {
  const auto made = ready(pass);
  if (!made) return made.error();
  const auto& [pipeline, mesh, call] = *made;
  const draw::Bindings& bound = pass.bound;
  if (reader_ != nullptr) return reader_->pass({*pass.given, drawn_.passes.size() - 1, pass.stages, &pipeline, bound, call, call.groups});
  draw::History history;
  if (followed_) history.place = followed_->place;
  const std::size_t number = drawn_.passes.size() - 1;
  std::optional<Tracing> tracing;
  const auto pixel = std::ranges::find(pass.stages, Stage::pixel, [](const StageUse& use) { return use.name->stage; });
  if (followed_ && (followed_->trace != nullptr || followed_->recorded) && followed_->pass == number && pixel != pass.stages.end()) {
    if (auto begun = tracing.emplace().begin(*followed_, *pixel); !begun)
      return fault(*pixel->fields.file, "pixel", begun.error().message, begun.error().code);
    history.traced = followed_->event;
    history.self = &*tracing;
    history.step = [](void* self, const vm::TraceStep& step, unsigned lane) { static_cast<Tracing*>(self)->step(step, lane); };
  }
  auto heat = begin_heat(pass);
  if (!heat) return std::move(heat).error();
  const draw::Recordings recordings{.history = followed_ ? &history : nullptr, .heat = *heat ? &**heat : nullptr};
  const auto report =
      draw::run(pipeline, bound, call, {.operations = options_.operations, .memory = options_.memory}, recordings, options_.threads);
  if (!report) {
    const Value* const field = pass.given->find(report.error().path);
    return fault(field == nullptr ? *pass.given : *field, report.error().path, report.error().message, report.error().code);
  }
  if (tracing) tracing->finish(drawn_);
  drawn.statistics = report->statistics;
  drawn.operations = report->operations;
  drawn.target = pass.first_target;
  drawn.colors = pass.colors;
  drawn.depth = pass.depth;
  drawn.history = std::move(history.events);
  drawn.history_is_cut = history.is_cut;
  if (*heat) {
    drawn.heat = draw::sum_of(**heat);
    heats_[*pass.first_target].add(**heat);
  }
  drawn.has_pixel_shader = pipeline.pixel != nullptr;
  if (followed_ && pipeline.pixel != nullptr) drawn.pixel_inputs = pipeline.pixel->module().signatures.input;
  return stopped(*pass.given, report->stop, id(report->stage), report->fault);
}

Result<void> Drawing::pass(const Value& given, std::size_t number) {
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
    if (std::ranges::find(kStages, member.key, &StageName::name) != std::end(kStages)) continue;
    Nearest nearest(member.key);
    for (const std::string_view name : kPassFields) nearest.consider(name);
    for (const StageName& stage : kStages) nearest.consider(stage.name);
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
      return fault(*stage, std::string(name.name), "a pass with a compute shader must have no other shaders");
    if (auto done = prepare_stage(name, *stage, made); !done) return std::move(done).error().within(name.name);
  }
  if (auto done = bind_targets(made); !done) return done;
  if (auto done = bind_stages(made); !done) return done;
  if (const Value* const grid = given.find("grid"); grid != nullptr && !is_compute && given.find("mesh_shader") == nullptr)
    return fault(*grid, "grid", "only a pass with a compute or mesh shader may have a grid");
  if (const Value* const predication = given.find("predication")) {
    const auto skips = queries_.skips(*predication);
    if (!skips) return Error(skips.error()).within("predication");
    drawn.is_skipped = *skips && reader_ == nullptr;  // a reader gets all of them
  }
  if (!is_compute && made.first_target) drawn_.shown = *made.first_target;
  if (!drawn.is_skipped) {
    if (auto done = is_compute ? dispatch(made, drawn) : draw(made, drawn); !done) return done;
  }
  if (const Value* const queries = given.find("queries")) {
    if (auto done = queries_.add(*queries, drawn.statistics); !done) return std::move(done).error().within("queries");
  }
  return {};
}

Result<Drawn> Drawing::finish() {
  for (const std::string_view map : {"constants", "samplers"}) {
    const Value* const all = scene_.find(map);
    for (std::size_t k = 0; all != nullptr && all->as_map() != nullptr && k < all->as_map()->size(); ++k) {
      const Value::Member& one = (*all->as_map())[k];
      if (!known_.contains(&one))
        return Error{ErrorCode::missing, one.key_offset, std::string(map) + '/' + one.key, "no shader of the passes has this name"};
    }
  }
  for (std::size_t number = 0; number < targets_.size(); ++number) {
    drawn_.targets.push_back(drawn_target(targets_[number]));
    if (const auto heat = heats_.find(number); heat != heats_.end()) drawn_.targets.back().heat = std::move(heat->second);
  }
  for (Drawn::Resource& one : memory_) {
    if (const auto found = filled_.find(one.name); found != filled_.end()) one.filled = found->second.filled;
    drawn_.resources.push_back(std::move(one));
  }
  drawn_.queries = queries_.results();
  return std::move(drawn_);
}

Result<void> read_passes(const Value& scene, const SceneOptions& options, PassReader& reader,
                         const std::function<void(const SharedMemory& memory)>& begun) {
  const auto passes = passes_of(scene);
  if (!passes) return passes.error();
  const Wanted nothing;
  Drawing drawing(scene, options, nothing, &reader);
  if (auto done = drawing.load_shaders(**passes); !done) return done;
  if (auto done = drawing.read_rounding(); !done) return done;
  if (auto done = drawing.make_shared(); !done) return done;
  begun({drawing.targets(), drawing.resources()});
  for (std::size_t number = 0; number < (*passes)->size(); ++number)
    if (auto done = drawing.pass((**passes)[number], number); !done) return std::move(done).error().within(at_index("pass", number));
  if (auto done = drawing.finish(); !done) return std::move(done).error();
  return {};
}

run::RunOptions run_options(const SceneOptions& options) {
  run::RunOptions run;
  run.operations = options.operations;
  run.memory = options.memory;
  run.read_file = options.read_file;
  run.read_picture = options.read_picture;
  run.self = options.self;
  return run;
}

Result<Drawn> draw_scene(const Value& scene, const SceneOptions& options,
                         const std::function<void(std::size_t done, std::size_t total)>& progress, const Wanted& wanted) {
  const auto passes = passes_of(scene);
  if (!passes) return passes.error();
  const Value::List& list = **passes;
  Drawing drawing(scene, options, wanted);
  if (auto done = drawing.load_shaders(list); !done) return std::move(done).error();
  if (auto done = drawing.read_rounding(); !done) return std::move(done).error();
  if (auto done = drawing.make_shared(); !done) return std::move(done).error();
  for (std::size_t number = 0; number < list.size(); ++number) {
    if (progress) progress(number, list.size());
    if (auto done = drawing.pass(list[number], number); !done) return std::move(done).error().within(at_index("pass", number));
  }
  if (progress) progress(list.size(), list.size());
  return drawing.finish();
}

}  // namespace unshade::scene

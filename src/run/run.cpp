#include <unshade/run/run.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <unshade/core/mutex.hpp>
#include <unshade/core/spelling.hpp>
#include <unshade/ir/passes.hpp>
#include <unshade/ir/verify.hpp>
#include <unshade/run/bindings.hpp>
#include <unshade/run/contents.hpp>
#include <unshade/run/data.hpp>
#include <unshade/run/inputs.hpp>
#include <unshade/run/outputs.hpp>
#include <unshade/run/reflected.hpp>
#include <unshade/run/specialize.hpp>
#include <unshade/run/trace.hpp>
#include <unshade/run/values.hpp>
#include <unshade/shader/root_signature.hpp>

#include "run/arrays.hpp"

namespace unshade::run {
namespace {

constexpr std::string_view kCaseFields[] = {"entry",    "wave",    "grid",    "resources", "samplers",  "constants",        "lanes",
                                            "function", "samples", "payload", "float24",   "addresses", "repeated_elements"};

/// Lanes that run without a case.
constexpr std::uint32_t kExampleLanes = 4;

Value shown_lanes(const ir::Module& module, const vm::Lanes& lanes) {
  Value all = Value::list();
  for (std::uint32_t lane = 0; lane < lanes.count; ++lane) {
    Value one = Value::map();
    show_elements(module.signatures.output, lanes.count, lanes.outputs, lane, one);
    if (module.stage == Stage::hull) show_elements(module.signatures.patch, lanes.count, lanes.patch, lane, one);
    if (module.stage == Stage::pixel && lanes.discarded[lane]) one.add(kDiscarded, Value::boolean(true));
    all.push(std::move(one));
  }
  return all;
}

Value shown_vertices(const ir::Module& module, const vm::Lanes& lanes) {
  Value all = Value::list();
  for (const vm::Lanes::Vertex& vertex : lanes.emitted) all.push(shown_vertex(module, vertex));
  return all;
}

template <class Numbers>
Value list_of(const Numbers& numbers) {
  Value list = Value::list();
  for (const std::uint32_t one : numbers) list.push(Value::integer(one));
  return list;
}

// Vertices and primitives of all groups of a mesh shader; what an amplification shader's groups dispatch.
void show_groups(const ir::Module& module, const vm::Groups& groups, Value& result) {
  if (module.stage == Stage::amplification) {
    Value all = Value::list();
    for (const vm::Groups::Group& group : groups.made) {
      Value one = Value::map();
      one.add("group", list_of(group.id));
      one.add("dispatch", list_of(group.dispatched));
      std::vector<std::uint32_t> words((group.payload.size() + 3) / 4);
      if (!words.empty()) std::memcpy(words.data(), group.payload.data(), group.payload.size());
      one.add("payload", list_of(words));
      all.push(std::move(one));
    }
    result.add("groups", std::move(all));
    return;
  }
  Value vertices = Value::list();
  Value primitives = Value::list();
  const std::uint32_t corners = ir::corners_of(module.info.mesh_topology);
  const auto show = [](const std::vector<ir::Element>& elements, const std::vector<std::uint64_t>& values, std::uint32_t number,
                       Value& to) {
    const auto components = static_cast<std::ptrdiff_t>(vm::components_of(elements));
    const auto first = values.begin() + static_cast<std::ptrdiff_t>(number) * components;
    show_elements(elements, 1, {first, first + components}, 0, to);
  };
  for (const vm::Groups::Group& group : groups.made) {
    for (std::uint32_t number = 0; number < group.vertices; ++number) {
      Value one = Value::map();
      one.add("group", list_of(group.id));
      show(module.signatures.output, group.outputs, number, one);
      vertices.push(std::move(one));
    }
    for (std::uint32_t number = 0; number < group.primitives; ++number) {
      Value one = Value::map();
      one.add("group", list_of(group.id));
      one.add("indices", list_of(std::span(group.indices).subspan(std::size_t{number} * corners, corners)));
      show(module.signatures.patch, group.patch, number, one);
      primitives.push(std::move(one));
    }
  }
  result.add("vertices", std::move(vertices));
  result.add("primitives", std::move(primitives));
}

unsigned wave_of(const ir::Modes& modes) {
  unsigned wave = 32;
  while (wave < modes.wave_min) wave *= 2;
  while (wave > modes.wave_max) wave /= 2;
  return wave;
}

}  // namespace

std::string finding_message(const Value& finding) {
  const auto number = [&](std::string_view name) { return std::to_string(finding.find(name)->as_integer()->magnitude); };
  std::string where = "group";
  for (const Value& index : *finding.find("group")->as_list()) where += ' ' + std::to_string(index.as_integer()->magnitude);
  for (const std::string_view name : {"wave", "lane"}) where += ", " + std::string(name) + ' ' + number(name);
  std::string message;
  if (finding.find("instruction") != nullptr) message = "instruction " + number("instruction");
  if (const Value* const text = finding.find("text")) message += ": " + *text->as_text();
  if (const Value* const resource = finding.find("not_given")) {
    message += ": accesses the " + *resource->as_text() + ", which the case does not give";
  } else {
    message += *finding.find("finding")->as_text() == "undefined" ? ": uses a value that was never set" : ": accesses memory out of bounds";
  }
  return message + " (" + number("count") + " times, first in " + where + ")";
}

std::vector<std::byte> npy_of(char kind, std::span<const std::byte> bytes) {
  const std::uint64_t shape[] = {bytes.size() / 4};
  return write_npy(kind, 4, shape, bytes.first(shape[0] * 4));
}

std::vector<std::byte> npy_of(const ResultArray& array) {
  std::uint64_t bytes = array.item_bytes;
  for (const std::uint64_t size : array.shape) bytes *= size;
  return write_npy(array.kind, array.item_bytes, array.shape, std::span(array.bytes).first(static_cast<std::size_t>(bytes)));
}

Result<picture::Picture> picture_of(const ResultArray& array) {
  if (array.width == 0) return Error{ErrorCode::bad_value, 0, array.name, "only textures of one sample can be written as pictures"};
  if (array.format == 0) return Error{ErrorCode::bad_value, 0, array.name, "the texture has no DXGI format: the case must state one"};
  picture::Picture made{array.format, array.width, array.height, array.depth, array.layers, array.levels, false, array.bytes};
  const std::uint64_t bytes = picture::picture_bytes(made);
  if (bytes > made.bytes.size())
    return Error{ErrorCode::truncated, 0, array.name,
                 "found " + std::to_string(made.bytes.size()) + " bytes, the texture has " + std::to_string(bytes)};
  made.bytes.resize(static_cast<std::size_t>(bytes));
  return made;
}

std::optional<ir::F24> f24_of(std::string_view text) {
  if (text == "truncate") return ir::F24::truncate;
  if (text == "nearest") return ir::F24::nearest;
  if (text == "f32") return ir::F24::as_f32;
  return std::nullopt;
}

bool uses_f24(const ir::Module& module) {
  return std::ranges::any_of(module.functions, [](const ir::Function& function) {
    return std::ranges::any_of(function.insts, [](const ir::Inst& inst) { return inst.type == ir::Type::f24; });
  });
}

std::span<const std::string_view> case_fields() { return kCaseFields; }

struct Runnable::Data {
  explicit Data(Validated<ir::Module> from) : module(std::move(from)) {}

  /// What a shader with specialization constants was made of.
  struct Origin {
    std::vector<std::byte> file;
    std::string entry;
    shader::LowerOptions lowering;
    unsigned optimize = 1;
  };
  using Specializations = std::vector<std::pair<std::uint32_t, std::uint64_t>>;

  /// The program for a size of waves and a function of the module.
  Result<vm::Program> program(const vm::Options& machine) {
    const std::lock_guard lock(mutex);
    const std::tuple key(machine.wave, machine.function, machine.f24);
    if (const auto known = programs.find(key); known != programs.end()) return known->second;
    auto made = vm::prepare(module, machine);
    if (made) programs.emplace(key, *made);
    return made;
  }

  Validated<ir::Module> module;
  std::optional<shader::Reflection> reflection;
  std::optional<dxcontainer::RootSignature> root_signature;
  Mutex mutex;
  std::map<std::tuple<unsigned, unsigned, std::optional<ir::F24>>, vm::Program> programs;
  std::optional<Origin> origin;
  bool is_specialized = false;
  std::map<Specializations, Runnable> specialized;
};

const ir::Module& Runnable::module() const { return *data_->module; }
Result<vm::Program> Runnable::program(const vm::Options& options) const { return data_->program(options); }
const shader::Reflection* Runnable::reflection() const { return data_->reflection ? &*data_->reflection : nullptr; }

View Runnable::specialized_file() const { return data_->is_specialized ? View(data_->origin->file) : View(); }

const dxcontainer::RootSignature* Runnable::root_signature() const { return data_->root_signature ? &*data_->root_signature : nullptr; }

Runnable prepare(Validated<ir::Module> module, unsigned optimize) {
  return Runnable(std::make_shared<Runnable::Data>(ir::optimize(std::move(module), optimize)));
}

Result<Runnable> prepare(ir::Module module, unsigned optimize) {
  auto valid = ir::verified(std::move(module));
  if (!valid) return std::move(valid).error();
  return prepare(*std::move(valid), optimize);
}

Result<Runnable> prepare(const shader::Shader& shader, const shader::LowerOptions& lowering, unsigned optimize) {
  auto module = shader::lower(shader, lowering);
  if (!module) return std::move(module).error();
  auto reflection = shader::reflect(shader);
  // the program of a DXIL container has no names, but the container has
  const ResourceRows rows = reflection ? ResourceRows(*reflection) : ResourceRows();
  std::vector<std::string> names;
  for (const ir::Resource& resource : (*module)->resources) {
    const shader::Resource* const row = resource.heap ? nullptr : rows.find(resource);
    names.push_back(row != nullptr ? row->name : std::string());
  }
  Runnable made = prepare(ir::name_resources(*std::move(module), names), optimize);
  if (reflection && !reflection->specialization_constants.empty()) {
    const auto bytes = shader.file.bytes();
    made.data().origin = Runnable::Data::Origin{{bytes.begin(), bytes.end()}, std::string(lowering.entry), lowering, optimize};
    made.data().origin->lowering.entry = {};
  }
  if (reflection) made.data().reflection = std::move(*reflection);
  if (const auto bytes = shader::root_signature_of(shader)) {
    if (auto root = dxcontainer::parse_root_signature({dxcontainer::fourcc("RTS0"), 0, View(*bytes)}))
      made.data().root_signature = std::move(*root);
  }
  return made;
}

Result<Runnable> with_modes(const Runnable& shader, const ir::Modes& modes) {
  ir::Module module = shader.module();
  module.modes = modes;
  auto made = prepare(std::move(module), 0);
  if (!made) return made;
  made->data().reflection = shader.data().reflection;
  made->data().root_signature = shader.data().root_signature;
  return made;
}

std::string entry_of(const Value& given, std::string_view chosen) {
  const Value* const entry = given.as_map() == nullptr ? nullptr : given.find("entry");
  if (!chosen.empty() || entry == nullptr) return std::string(chosen);
  if (entry->as_text() != nullptr) return *entry->as_text();
  return entry->as_integer() == nullptr ? std::string() : std::to_string(entry->as_integer()->magnitude);
}

Result<Runnable> specialized(const Runnable& shader, const Value& constants) {
  constexpr std::size_t kMostKept = 16;
  Runnable::Data& data = shader.data();
  if (!data.origin) return shader;
  const auto values = specializations_of(constants, *data.reflection);
  if (!values) return values.error();
  Runnable::Data::Specializations key;
  for (const auto& [id, bits] : *values) {
    const auto known = std::ranges::find(data.reflection->specialization_constants, id, &shader::SpecializationConstant::id);
    if (known->default_value != bits) key.emplace_back(id, bits);
  }
  if (key.empty()) return shader;
  {
    const std::lock_guard lock(data.mutex);
    if (const auto known = data.specialized.find(key); known != data.specialized.end()) return known->second;
  }
  auto file = specialized_file(View(data.origin->file), *values);
  if (!file) return std::move(file).error();
  const auto opened = shader::open(View(*file));
  if (!opened) return opened.error();
  shader::LowerOptions lowering = data.origin->lowering;
  lowering.entry = data.origin->entry;
  auto made = prepare(*opened, lowering, data.origin->optimize);
  if (!made) return made;
  made->data().is_specialized = true;
  const std::lock_guard lock(data.mutex);
  if (data.specialized.size() < kMostKept) data.specialized.emplace(std::move(key), *made);
  return made;
}

Result<Value> execute(Validated<ir::Module> module, const Value& given, const RunOptions& options) {
  const bool watched = options.trace != nullptr || options.profile != nullptr || options.check;
  return execute(prepare(std::move(module), watched ? 0 : options.optimize), given, options);
}

Result<Value> execute(ir::Module module, const Value& given, const RunOptions& options) {
  auto valid = ir::verified(std::move(module));
  if (!valid) return std::move(valid).error();
  return execute(*std::move(valid), given, options);
}

namespace {

/// Whether a case leaves all inputs and the amount of work to what is generated.
bool is_generated(const Value& given) {
  constexpr std::string_view kStating[] = {"constants", "resources", "lanes", "addresses", "payload", "grid"};
  return std::ranges::none_of(kStating, [&](std::string_view field) { return given.find(field) != nullptr; });
}

}  // namespace

namespace {

/// The lanes to trace must be among those that a wave begins with: `lanes` run, in waves of `wave`.
Result<void> check_traced(const RunOptions& options, std::uint64_t lanes, std::uint32_t wave) {
  const std::uint64_t most = std::min<std::uint64_t>(lanes, wave);
  for (const std::uint32_t lane : options.trace_lanes) {
    if (lane < most) continue;
    return Error{ErrorCode::missing, 0, "",
                 "there is no lane " + std::to_string(lane) + ": the waves of this run have " + std::to_string(most) +
                     (most == 1 ? " lane" : " lanes, from 0 on")};
  }
  return {};
}

}  // namespace

Result<Value> execute(const Runnable& unspecialized, const Value& given, const RunOptions& how) {
  const Value* const constants = given.as_map() == nullptr ? nullptr : given.find("constants");
  const auto own = constants == nullptr ? Result<Runnable>(unspecialized) : specialized(unspecialized, *constants);
  if (!own) return own.error();
  const Runnable& shader = *own;
  RunOptions options = how;
  if (options.reflection == nullptr && shader.data().reflection) options.reflection = &*shader.data().reflection;
  if (options.root_signature == nullptr && shader.data().root_signature) options.root_signature = &*shader.data().root_signature;
  const ir::Module& made = shader.module();
  const Value::Map none;
  if (!given.is(Value::Kind::null) && given.as_map() == nullptr) return fault(given, "", "expected a map of the case");
  const Value::Map& fields = given.as_map() == nullptr ? none : *given.as_map();
  for (const Value::Member& member : fields) {
    if (std::ranges::find(kCaseFields, member.key) == std::end(kCaseFields)) {
      return Error{ErrorCode::bad_value, member.key_offset, member.key,
                   with_nearest("a case has no field of this name", member.key, kCaseFields)};
    }
  }
  if (const Value* const entry = given.find("entry"); entry != nullptr && entry->as_text() == nullptr && entry->as_integer() == nullptr)
    return fault(*entry, "entry", "expected the name of an entry point");
  // lanes of groups follow from the grid
  const bool in_groups = vm::runs_in_groups(made.stage);
  const std::string_view other = in_groups ? "lanes" : "grid";
  if (const Value* const wrong = given.find(other)) {
    return fault(*wrong, std::string(other),
                 other == "grid" ? "only compute, mesh and amplification shaders have a grid; this is a " + std::string(id(made.stage)) +
                                       " shader: set `lanes`"
                                 : "`lanes` is not valid for a shader that runs in thread groups: set `grid`");
  }
  const Value* const payload = given.find("payload");
  if (payload != nullptr && made.stage != Stage::mesh)
    return fault(*payload, "payload", "only mesh shaders have a payload; this is a " + std::string(id(made.stage)) + " shader");

  vm::Options machine;
  machine.wave = options.wave != 0 ? options.wave : wave_of(made.modes);
  if (const Value* const wave = given.find("wave"); wave != nullptr && options.wave == 0) {
    auto lanes = number_of(*wave, "wave");
    if (!lanes) return std::move(lanes).error();
    machine.wave = *lanes;
  }
  if (const Value* const function = given.find("function")) {
    auto number = number_of(*function, "function");
    if (!number) return std::move(number).error();
    machine.function = *number;
  }
  machine.f24 = options.f24;
  if (const Value* const rounding = given.find("float24")) {
    const auto wanted = rounding->as_text() == nullptr ? std::nullopt : f24_of(*rounding->as_text());
    if (!wanted) return fault(*rounding, "float24", "expected truncate, nearest or f32");
    if (!uses_f24(made)) return fault(*rounding, "float24", "only shaders of the PICA200 have float24 numbers");
    if (!machine.f24) machine.f24 = wanted;
  }
  auto program = shader.data().program(machine);
  if (!program) {
    // where the case says what the program does not have
    for (const auto& [field, path] : {std::pair{"wave", "wave"}, std::pair{"function", "functions"}}) {
      const Value* const wrong = given.find(field);
      if (wrong != nullptr && program.error().path == path && (options.wave == 0 || path != std::string_view("wave")))
        return fault(*wrong, field, program.error().message, program.error().code);
    }
    return std::move(program).error();
  }

  Bindings bindings(made, options);
  if (auto done = bindings.bind_case(given); !done) return std::move(done).error();

  const bool generated = is_generated(given);
  const vm::Limits limits{.operations = options.operations.value_or(generated ? kMostOfGenerated : kMostOperations),
                          .memory = options.memory,
                          .messages = options.messages};
  const vm::Schedule schedule{options.threads, options.self, options.progress};
  Watch watch(made, machine.function, options, &bindings);
  Value result = Value::map();
  Result<vm::Report> report = vm::Report{};
  if (in_groups) {
    std::array<std::uint32_t, 3> grid{1, 1, 1};
    if (const Value* const groups = given.find("grid")) {
      const Value::List* const list = groups->as_list();
      if (list == nullptr || list->empty() || list->size() > 3)
        return fault(*groups, "grid", "expected a list of one to three numbers of thread groups");
      for (std::size_t k = 0; k < list->size(); ++k) {
        auto number = number_of((*list)[k], "grid");
        if (!number) return std::move(number).error();
        grid[k] = *number;
      }
    }
    vm::Groups groups;
    if (payload != nullptr) {
      auto bytes = bytes_of(*payload, *texel::find_format("R32_FLOAT"), options);
      if (!bytes) return std::move(bytes).error().within("payload");
      groups.payload = std::move(*bytes);
    }
    const auto& size = made.info.group_size;
    if (auto done = check_traced(options, std::uint64_t{size[0]} * size[1] * size[2], program->wave()); !done) return done.error();
    report = vm::dispatch(*program, bindings.resources(), grid, limits, watch.observer(), schedule, &groups);
    if (report && made.stage != Stage::compute) {
      show_groups(made, groups, result);
      if (options.arrays != nullptr) add_groups(made, groups, *options.arrays);
    }
  } else {
    vm::Lanes lanes;
    if (const Value* const samples = given.find("samples")) {
      auto number = number_of(*samples, "samples");
      if (!number) return std::move(number).error();
      constexpr std::uint32_t kMostSamples = 16;
      if (!std::has_single_bit(*number) || *number > kMostSamples)
        return fault(*samples, "samples", "expected 1, 2, 4, 8 or 16, found " + std::to_string(*number));
      lanes.samples = *number;
    }
    const Value* rows = given.find("lanes");
    Value read;
    if (rows != nullptr && rows->as_map() != nullptr) {
      auto lanes_of_file = read_lanes(*rows, options);
      if (!lanes_of_file) return std::move(lanes_of_file).error();
      read = std::move(*lanes_of_file);
      rows = &read;
    }
    if (rows != nullptr && rows->as_list() == nullptr) return fault(*rows, "lanes", "expected a list of maps");
    lanes.count = rows == nullptr ? kExampleLanes : static_cast<std::uint32_t>(rows->as_list()->size());
    if (auto done = make_room(made, rows, options, lanes); !done) return std::move(done).error();
    // lanes of control points are those of one patch after another
    if (made.stage == Stage::hull && machine.function == 0) lanes.points = std::max(1U, made.info.output_points);
    InputNames names{options.reflection, rows == &read};
    for (std::uint32_t lane = 0; rows != nullptr && lane < lanes.count; ++lane) {
      if (auto done = give_lane(made, (*rows->as_list())[lane], lane, lanes, names); !done) {
        Error error = std::move(done).error().within("lanes[" + std::to_string(lane) + ']');
        if (rows == &read) error.offset = given.find("lanes")->text_offset;
        return error;
      }
    }
    if (rows == nullptr) make_up_inputs(made, lanes);
    if (auto done = check_traced(options, lanes.count, program->wave()); !done) return done.error();
    report = vm::run_lanes(*program, bindings.resources(), lanes, limits, watch.observer(), schedule);
    if (report) {
      if (options.arrays != nullptr) add_lanes(made, lanes, *options.arrays);
      if (made.stage == Stage::geometry) {
        result.add("vertices", shown_vertices(made, lanes));
      } else {
        result.add("lanes", shown_lanes(made, lanes));
      }
    }
  }
  watch.finish();
  if (!report) return std::move(report).error();
  result.add("stop", Value::text(vm::id(report->stop)));
  if (report->stop == vm::Stop::budget && generated) report->fault += ", on inputs that were generated";
  if (!report->fault.empty()) result.add("fault", Value::text(report->fault));
  if (report->divergent_barrier) result.add("divergent_barrier", Value::boolean(true));
  result.add("operations", Value::integer(report->operations));
  // what is generated has the format that the shader declares
  const auto mismatches = given.find("resources") == nullptr ? std::vector<std::string>() : bindings.format_mismatches();
  if (!mismatches.empty()) {
    Value& all = result.add("format_mismatches", Value::list());
    for (const std::string& one : mismatches) all.push(Value::text(one));
  }
  if (options.check) result.add("findings", watch.findings());
  result.add("resources", bindings.results());
  show_messages(made, *report, result);
  if (options.arrays != nullptr) {
    for (ResultArray& one : bindings.arrays()) options.arrays->push_back(std::move(one));
  }
  return result;
}

}  // namespace unshade::run

// Cases as scripts of Amber. src: google/amber:docs/amber_script.md
#include <algorithm>
#include <utility>

#include <unshade/run/run.hpp>
#include <unshade/run/type_layout.hpp>
#include <unshade/run/values.hpp>
#include <unshade/spirv/module.hpp>

#include "amber/write/writer.hpp"

namespace unshade::amber::writer {

using dxcontainer::ResourceKind;
using Writer = AmberWriter;

// What of a case Amber has no word for.
Result<void> Writer::refuse() const {
  switch (ir_.stage) {
    case Stage::compute:
    case Stage::vertex:
    case Stage::geometry: break;
    case Stage::pixel:
      if (const std::string why = why_not_points(ir_); !why.empty()) return cannot("cannot draw `lanes` as points: " + why);
      break;
    case Stage::hull: return cannot("`lanes` of a hull shader are control points; Amber runs whole patches");
    case Stage::domain:
      return cannot("`lanes` of a domain shader are points of the patch; Amber runs the tessellator, which generates them");
    default: return cannot("Amber has no " + std::string(id(ir_.stage)) + " shaders");
  }
  if (case_.check) return cannot("`check`: Amber does not check accesses");
  if (case_.given.find("addresses") != nullptr) return cannot("`addresses`: Amber cannot pass addresses of buffers to a shader");
  if (case_.given.find("function") != nullptr) return cannot("`function`: Amber cannot run a patch constant function alone");
  const std::string_view rows = ir_.stage == Stage::compute ? "" : ir_.stage == Stage::geometry ? "vertices" : "lanes";
  for (const Value::Member& member : case_.expect.as_map() == nullptr ? Value::Map{} : *case_.expect.as_map()) {
    if (member.key == "resources" || member.key == rows) continue;
    if (member.key == "stop" && member.value.as_text() != nullptr && *member.value.as_text() == "finished") continue;
    if (member.key == "ulp" || member.key == "absolute" || member.key == "relative" || member.key == "exact") continue;
    return cannot("`expect." + member.key + "`: Amber compares only buffers");
  }
  return {};
}

// Which resource an expectation is of.
Result<void> Writer::find_expected(const Bindings& bindings) {
  const Value* const all = case_.expect.find("resources");
  if (all == nullptr) return {};
  if (all->as_map() == nullptr) return cannot("`expect.resources` is not a map");
  if (auto done = bindings.check_names(*all->as_map(), "expect/resources"); !done) return done;
  for (const Value::Member& member : *all->as_map()) {
    const auto key = bindings.key_named(member);
    if (!key && key.error().code == ErrorCode::bad_value) return key.error();
    if (!key) return cannot("the shader has no resource " + member.key);
    if (!expected_.try_emplace(*key, Expected{&member.value, member.key}).second) return cannot("resource " + *key + " is expected twice");
  }
  return {};
}

Result<void> Writer::resources(const Bindings& bindings, const vm::Resources& resources) {
  Bound bound;
  const auto declare = [&](const ir::Resource& resource, const std::string& key, const texel::Descriptor& view) -> Result<std::string> {
    Buffer one{"buffer" + std::to_string(bound.buffers.size()), name_of(resource), &view};
    one.is_texels = resource.kind == ResourceKind::texture || resource.kind == ResourceKind::uav_typed;
    one.dimension = resource.dimension;
    const auto found = expected_.find(key);
    one.given = suite::cases::given_resource(case_, &bindings, key, found == expected_.end() ? std::string_view() : found->second.name,
                                             resource.name);
    if (found != expected_.end()) one.expected = found->second.value;
    if (auto done = add_buffer(one); !done) return std::move(done).error();
    return one.name;
  };
  if (auto done = bind(ir_, resources, runnable_.reflection(), declare, bound); !done) return done;
  bind_samplers(bound);
  return {};
}

Result<std::string> Writer::write() {
  if (auto done = refuse(); !done) return std::move(done).error();
  run::RunOptions options = options_;
  options.reflection = runnable_.reflection();
  Bindings bindings(ir_, options);
  if (auto done = bindings.bind_case(case_.given); !done) return std::move(done).error();
  if (auto done = find_expected(bindings); !done) return std::move(done).error();
  if (auto done = resources(bindings, bindings.resources()); !done) return std::move(done).error();
  const auto entry = entry_point(module_, case_.entry);
  if (!entry) return entry.error();
  const auto lanes = [&] {
    switch (ir_.stage) {
      case Stage::compute: return groups();
      case Stage::pixel: return pixels();
      case Stage::vertex: return vertices();
      default: return primitives();
    }
  };
  if (auto done = lanes(); !done) return std::move(done).error();
  Text stages = std::exchange(shaders_, {});
  if (auto done = add_shader(module_, ir_.stage, "shader", assembly_); !done) return std::move(done).error();
  Text made;
  made << "#!amber\n# " << in_line(name_) << "\n\n" << requirements() << shaders_.view() << stages.view() << buffers_.view();
  made << (ir_.stage == Stage::compute ? "\nPIPELINE compute pipeline\n" : "\nPIPELINE graphics pipeline\n") << before_.view()
       << "  ATTACH shader ENTRY_POINT " << *entry << '\n'
       << after_.view();
  if (const Value* const wave = case_.given.find("wave")) {
    const auto size = run::number_of(*wave, "wave");
    if (!size) return size.error();
    (made << "  SUBGROUP shader\n    REQUIRED_SIZE ").dec(*size) << "\n  END\n";
  }
  made << bindings_.view() << "END\n\n" << run_.view() << expects_.view();
  return made.str();
}

// How often the pipeline runs.
Result<void> Writer::groups() {
  run_ << "RUN pipeline";
  const Value* const grid = case_.given.find("grid");
  for (std::size_t k = 0; k < 3; ++k) {
    std::uint32_t groups = 1;
    if (grid != nullptr && grid->as_list() != nullptr && k < grid->as_list()->size()) {
      const auto number = run::number_of((*grid->as_list())[k], "grid");
      if (!number) return number.error();
      groups = *number;
    }
    (run_ << ' ').dec(groups);
  }
  run_ << '\n';
  return {};
}

}  // namespace unshade::amber::writer

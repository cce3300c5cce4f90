#include "draw/shaders.hpp"

#include <algorithm>
#include <utility>

namespace unshade::draw {
namespace {

using dxcontainer::SystemValue;

/// Primitives that are handed on together.
constexpr std::size_t kTogether = 2048;

std::uint64_t lanes_of(const vm::Program& program, const std::array<std::uint32_t, 3>& groups) {
  std::uint64_t made = 1;
  for (unsigned axis = 0; axis < 3; ++axis) made *= std::uint64_t{groups[axis]} * program.module().info.group_size[axis];
  return made;
}

/// Meshes of groups as primitives that share no vertex: what a primitive has is at each of its vertices, and so the same everywhere.
class Meshes {
 public:
  Meshes(Run& run, const Sink& sink)
      : run_(run),
        sink_(sink),
        vertex_components_(vm::components_of(run.pipeline.mesh->module().signatures.output)),
        primitive_components_(vm::components_of(run.pipeline.mesh->module().signatures.patch)) {
    const ir::Module& module = run.pipeline.mesh->module();
    vertices_.elements = module.signatures.output;
    vertices_.elements.insert(vertices_.elements.end(), module.signatures.patch.begin(), module.signatures.patch.end());
    vertices_.components = vertex_components_ + primitive_components_;
    primitives_.corners = ir::corners_of(module.info.mesh_topology);
    culled_ = find_component(module.signatures.patch, SystemValue::cull_primitive);
  }

  Result<void> add(const vm::Groups::Group& group) {
    const std::size_t corners = primitives_.corners;
    run_.report.statistics.mesh_primitives += group.primitives;
    for (std::size_t primitive = 0; primitive < group.primitives; ++primitive, ++number_) {
      const std::span indices(group.indices.data() + primitive * corners, corners);
      const std::span own(group.patch.data() + primitive * primitive_components_, primitive_components_);
      if (culled_ != kNone && own[culled_] != 0) continue;
      if (std::ranges::any_of(indices, [&](std::uint32_t index) { return index >= group.vertices; })) continue;  // undefined
      for (const std::uint32_t index : indices) {
        const auto* const from = group.outputs.data() + std::size_t{index} * vertex_components_;
        vertices_.values.insert(vertices_.values.end(), from, from + vertex_components_);
        vertices_.values.insert(vertices_.values.end(), own.begin(), own.end());
        primitives_.corner.push_back(vertices_.count++);
      }
      primitives_.numbers.push_back(number_);
    }
    return primitives_.count() < kTogether ? Result<void>() : hand_on();
  }
  Result<void> hand_on() {
    if (primitives_.count() == 0) return {};
    auto done = sink_(vertices_, primitives_);
    vertices_.values.clear();
    vertices_.count = 0;
    primitives_.corner.clear();
    primitives_.numbers.clear();
    return done;
  }

 private:
  Run& run_;
  const Sink& sink_;
  std::uint32_t vertex_components_, primitive_components_;
  std::uint32_t culled_ = kNone;
  std::uint32_t number_ = 0;
  Vertices vertices_;
  Primitives primitives_;
};

Result<void> dispatch(Run& run, Stage stage, const vm::Program& program, vm::Resources* resources,
                      const std::array<std::uint32_t, 3>& groups, vm::Groups& made) {
  vm::Resources none;
  if (resources == nullptr) none = vm::empty_resources(program.module());
  auto done = vm::dispatch(program, resources == nullptr ? none : *resources, groups, run.limits, {}, {}, &made);
  if (!done) return std::move(done).error();
  run.add(stage, std::move(*done));
  return {};
}

}  // namespace

Result<void> run_mesh(Run& run, std::array<std::uint32_t, 3> groups, const Sink& sink) {
  Meshes meshes(run, sink);
  const auto draw_groups = [&](const std::array<std::uint32_t, 3>& dispatched, std::vector<std::byte> payload) -> Result<void> {
    vm::Groups made;
    made.payload = std::move(payload);
    run.report.statistics.mesh_runs += lanes_of(*run.pipeline.mesh, dispatched);
    if (auto done = dispatch(run, Stage::mesh, *run.pipeline.mesh, run.bindings.mesh, dispatched, made); !done || run.stopped())
      return done;
    for (const vm::Groups::Group& group : made.made)
      if (auto done = meshes.add(group); !done || run.stopped()) return done;
    return {};
  };
  if (run.pipeline.amplification == nullptr) {
    if (auto done = draw_groups(groups, {}); !done || run.stopped()) return done;
    return meshes.hand_on();
  }
  vm::Groups amplified;
  run.report.statistics.amplification_runs += lanes_of(*run.pipeline.amplification, groups);
  if (auto done = dispatch(run, Stage::amplification, *run.pipeline.amplification, run.bindings.amplification, groups, amplified);
      !done || run.stopped())
    return done;
  for (vm::Groups::Group& group : amplified.made)
    if (auto done = draw_groups(group.dispatched, std::move(group.payload)); !done || run.stopped()) return done;
  return meshes.hand_on();
}

}  // namespace unshade::draw

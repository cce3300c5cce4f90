#include "draw/patches.hpp"

#include <algorithm>
#include <bit>

#include "draw/tessellator/tessellator.hpp"

namespace unshade::draw {
namespace {

using dxcontainer::SystemValue;
using ir::Builtin;

constexpr std::uint32_t kMostPoints = 32;
constexpr std::size_t kMostPatches = 256;

// The module that says what the hull shader is: both of its functions are of one.
const ir::Module& hull_of(const Pipeline& pipeline) {
  return (pipeline.hull != nullptr ? pipeline.hull : pipeline.patch_constants)->module();
}

std::uint32_t output_points(const Pipeline& pipeline) {
  const std::uint32_t said = hull_of(pipeline).info.output_points;
  return pipeline.hull == nullptr ? pipeline.patch_points : said;
}

/// What the hull shader gives for a batch of patches.
struct Patches {
  Vertices control_points;               ///< those of a patch after each other
  std::vector<std::uint64_t> constants;  ///< [patch * components + component]
  std::uint32_t components = 0;
};

Result<void> run_control_points(Run& run, const Vertices& vertices, const Primitives& patches, Patches& made) {
  const Pipeline& pipeline = run.pipeline;
  const ir::Module& module = pipeline.hull->module();
  const auto count = static_cast<std::uint32_t>(patches.count());
  const std::uint32_t points = output_points(pipeline);
  vm::Lanes lanes;
  lanes.count = count * points;
  lanes.vertices = pipeline.patch_points;
  lanes.points = points;
  give_vertices(lanes, vertices, links(vertices.elements, module.signatures.input, pipeline.conventions.link_by_location),
                [&](std::uint32_t lane, std::uint32_t point) { return patches.of(lane / points)[point]; });
  give(lanes, Builtin::control_point_id, kNone, [&](std::uint32_t lane) { return lane % points; });
  give(lanes, Builtin::primitive_id, kNone, [&](std::uint32_t lane) { return patches.numbers[lane / points]; });
  give(lanes, Builtin::patch_points, kNone, [&](std::uint32_t) { return pipeline.patch_points; });
  if (auto done = run.run(Stage::hull, *pipeline.hull, run.bindings.hull, lanes); !done) return done;
  made.control_points.elements = module.signatures.output;
  made.control_points.components = vm::components_of(module.signatures.output);
  for (std::uint32_t patch = 0; patch < count; ++patch) {
    made.control_points.add(lanes, patch * points, points);
    for (std::size_t k = 0; k < made.components; ++k) made.constants.push_back(lanes.patch[k * lanes.count + std::size_t{patch} * points]);
  }
  return {};
}

Result<void> run_patch_constants(Run& run, const Vertices& vertices, const Primitives& patches, Patches& made) {
  const Pipeline& pipeline = run.pipeline;
  const ir::Module& module = pipeline.patch_constants->module();
  const auto count = static_cast<std::uint32_t>(patches.count());
  vm::Lanes lanes;
  lanes.count = count;
  lanes.vertices = pipeline.patch_points;
  give_vertices(lanes, vertices, links(vertices.elements, module.signatures.input, pipeline.conventions.link_by_location),
                [&](std::uint32_t lane, std::uint32_t point) { return patches.of(lane)[point]; });
  const std::uint32_t points = output_points(pipeline);
  const std::size_t components = made.control_points.components;
  lanes.control_points.resize(points * components * count);
  for (std::uint32_t lane = 0; lane < count; ++lane)
    for (std::uint32_t point = 0; point < points; ++point)
      for (std::size_t k = 0; k < components; ++k)
        lanes.control_points[(point * components + k) * count + lane] = made.control_points.of(lane * points + point)[k];
  give(lanes, Builtin::primitive_id, kNone, [&](std::uint32_t lane) { return patches.numbers[lane]; });
  give(lanes, Builtin::patch_points, kNone, [&](std::uint32_t) { return pipeline.patch_points; });
  if (auto done = run.run(Stage::hull, *pipeline.patch_constants, run.bindings.patch_constants, lanes); !done) return done;
  made.constants.clear();
  for (std::uint32_t patch = 0; patch < count; ++patch)
    for (std::size_t k = 0; k < made.components; ++k) made.constants.push_back(lanes.patch[k * count + patch]);
  return {};
}

Result<Patches> run_hull(Run& run, const Vertices& vertices, const Primitives& patches) {
  Patches made;
  made.components = vm::components_of(hull_of(run.pipeline).signatures.patch);
  run.report.statistics.hull_runs += patches.count();
  if (run.pipeline.hull != nullptr) {
    if (auto done = run_control_points(run, vertices, patches, made); !done) return std::move(done).error();
  } else {  // points pass through
    made.control_points.elements = vertices.elements;
    made.control_points.components = vertices.components;
    for (const std::uint32_t corner : patches.corner) {
      const auto own = vertices.of(corner);
      made.control_points.values.insert(made.control_points.values.end(), own.begin(), own.end());
      ++made.control_points.count;
    }
  }
  if (run.pipeline.patch_constants != nullptr && !run.stopped()) {
    if (auto done = run_patch_constants(run, vertices, patches, made); !done) return std::move(done).error();
  }
  return made;
}

/// Where a patch's factors are among its constants.
struct FactorPlaces {
  explicit FactorPlaces(const std::vector<ir::Element>& elements) {
    std::uint32_t first = 0;
    for (const ir::Element& element : elements) {
      const std::uint32_t count = element.rows * element.columns;
      for (std::uint32_t k = 0; k < count; ++k) {
        const std::uint32_t component = first + k;
        switch (element.system_value) {
          case SystemValue::final_quad_edge_tessfactor:
          case SystemValue::final_tri_edge_tessfactor: edges.push_back(component); break;
          case SystemValue::final_quad_inside_tessfactor:
          case SystemValue::final_tri_inside_tessfactor: inside.push_back(component); break;
          case SystemValue::final_line_density_tessfactor: edges.insert(edges.begin(), component); break;
          case SystemValue::final_line_detail_tessfactor: edges.push_back(component); break;
          default: break;
        }
      }
      first += count;
    }
  }
  tessellator::TessellationFactors of(const std::uint64_t* constants) const {
    tessellator::TessellationFactors made;
    const auto real = [&](std::uint32_t component) { return std::bit_cast<float>(static_cast<std::uint32_t>(constants[component])); };
    for (std::size_t k = 0; k < std::min(edges.size(), made.edges.size()); ++k) made.edges[k] = real(edges[k]);
    for (std::size_t k = 0; k < std::min(inside.size(), made.inside.size()); ++k) made.inside[k] = real(inside[k]);
    return made;
  }
  std::vector<std::uint32_t> edges, inside;
};

// What both shaders say of the tessellator: of Direct3D the hull shader, of Vulkan either.
tessellator::Tessellation tessellation_of(const Pipeline& pipeline) {
  const ir::StageInfo& hull = hull_of(pipeline).info;
  const ir::StageInfo& domain = pipeline.domain->module().info;
  const auto said = [](auto first, auto second) { return static_cast<unsigned>(first) != 0 ? first : second; };
  tessellator::Tessellation made;
  made.domain = said(domain.domain, hull.domain);
  made.partitioning = said(hull.partitioning, domain.partitioning);
  made.output = said(hull.tessellator_output, domain.tessellator_output);
  made.most = hull.max_tess_factor;
  return made;
}

/// A point of a patch's domain.
struct DomainPoint {
  std::uint32_t patch;
  std::array<float, 2> place;
};

class DomainStage {
 public:
  DomainStage(Run& run, const Primitives& patches, const Patches& from) : run_(run), patches_(patches), from_(from) {
    const ir::Module& module = run.pipeline.domain->module();
    const bool by_location = run.pipeline.conventions.link_by_location;
    inputs_ = links(from.control_points.elements, module.signatures.input, by_location);
    constants_ = links(hull_of(run.pipeline).signatures.patch, module.signatures.patch, by_location);
    is_triangle_ = tessellation_of(run.pipeline).domain == dxcontainer::TessellatorDomain::triangle;
    made_.elements = module.signatures.output;
    made_.components = vm::components_of(made_.elements);
  }

  Vertices& vertices() { return made_; }
  Result<void> shade(std::span<const DomainPoint> points) {
    const std::uint32_t of_patch = output_points(run_.pipeline);
    const std::size_t together =
        std::clamp<std::size_t>(kMostInputs / std::max<std::size_t>(1, inputs_.size() * of_patch), 64, kMostVertices);
    for (std::size_t first = 0; first < points.size(); first += together) {
      const auto here = points.subspan(first, std::min(together, points.size() - first));
      vm::Lanes lanes;
      lanes.count = static_cast<std::uint32_t>(here.size());
      lanes.vertices = of_patch;
      give_vertices(lanes, from_.control_points, inputs_,
                    [&](std::uint32_t lane, std::uint32_t point) { return here[lane].patch * of_patch + point; });
      lanes.patch.resize(constants_.size() * lanes.count);
      for (std::size_t k = 0; k < constants_.size(); ++k) {
        for (std::uint32_t lane = 0; lane < lanes.count && constants_[k] != kNone; ++lane)
          lanes.patch[k * lanes.count + lane] = from_.constants[here[lane].patch * from_.components + constants_[k]];
      }
      auto& location = give(lanes, Builtin::domain_location);
      for (std::uint32_t lane = 0; lane < lanes.count; ++lane) {
        const auto [u, v] = here[lane].place;
        const std::array<float, 3> place{u, v, is_triangle_ ? 1 - u - v : 0};
        for (std::size_t k = 0; k < 3; ++k) location[k * lanes.count + lane] = std::bit_cast<std::uint32_t>(place[k]);
      }
      give(lanes, Builtin::primitive_id, kNone, [&](std::uint32_t lane) { return patches_.numbers[here[lane].patch]; });
      give(lanes, Builtin::patch_points, kNone, [&](std::uint32_t) { return of_patch; });
      run_.report.statistics.domain_runs += lanes.count;
      if (auto done = run_.run(Stage::domain, *run_.pipeline.domain, run_.bindings.domain, lanes); !done) return done;
      if (run_.stopped()) return {};
      made_.add(lanes, 0, lanes.count);
    }
    return {};
  }

 private:
  Run& run_;
  const Primitives& patches_;
  const Patches& from_;
  std::vector<std::uint32_t> inputs_, constants_;
  bool is_triangle_ = false;
  Vertices made_;
};

}  // namespace

Result<bool> has_tessellation(const Pipeline& pipeline) {
  const bool has_hull = pipeline.hull != nullptr || pipeline.patch_constants != nullptr;
  const auto wrong = [](std::string message) { return Error{ErrorCode::bad_value, 0, "hull", std::move(message)}; };
  if (has_hull != (pipeline.domain != nullptr)) return wrong("tessellation must have a hull and a domain shader");
  if (has_hull && pipeline.topology != Topology::patch_list) return wrong("tessellation must have a patch list");
  if (pipeline.topology == Topology::patch_list && (pipeline.patch_points == 0 || pipeline.patch_points > kMostPoints))
    return wrong("a patch must have 1 to 32 control points");
  if (!has_hull) return false;
  const std::uint32_t points = output_points(pipeline);
  if (points == 0 || points > kMostPoints) return wrong("a hull shader must have 1 to 32 output control points");
  return true;
}

std::size_t patches_of_batch(const Pipeline& pipeline) {
  const std::size_t components = std::max(1U, vm::components_of(hull_of(pipeline).signatures.input));
  return std::clamp<std::size_t>(kMostInputs / (components * pipeline.patch_points * output_points(pipeline)), 1, kMostPatches);
}

Result<void> tessellate_patches(Run& run, const Vertices& vertices, const Primitives& patches, const Sink& sink) {
  auto hull = run_hull(run, vertices, patches);
  if (!hull) return std::move(hull).error();
  if (run.stopped()) return {};
  const tessellator::Tessellation how = tessellation_of(run.pipeline);
  const FactorPlaces factors(hull_of(run.pipeline).signatures.patch);
  DomainStage domain(run, patches, *hull);
  std::vector<DomainPoint> points;
  Primitives primitives;
  const auto hand_on = [&]() -> Result<void> {
    if (auto done = domain.shade(points); !done) return done;
    if (!run.stopped() && primitives.count() != 0) {
      if (auto done = sink(domain.vertices(), primitives); !done) return done;
    }
    points.clear();
    primitives = {};
    domain.vertices().count = 0;
    domain.vertices().values.clear();
    return {};
  };
  for (std::uint32_t patch = 0; patch < patches.count() && !run.stopped(); ++patch) {
    const tessellator::Tessellated made =
        tessellator::tessellate(how, factors.of(hull->constants.data() + std::size_t{patch} * hull->components));
    const auto first = static_cast<std::uint32_t>(points.size());
    for (const auto& place : made.points) points.push_back({patch, place});
    primitives.corners = made.corners;
    for (const std::uint32_t index : made.indices) primitives.corner.push_back(first + index);
    primitives.numbers.resize(primitives.corner.size() / made.corners, patches.numbers[patch]);
    if (points.size() < kMostVertices) continue;
    if (auto done = hand_on(); !done) return done;
  }
  return run.stopped() ? Result<void>() : hand_on();
}

}  // namespace unshade::draw

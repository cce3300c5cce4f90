// Patches: both stages of tessellation, for levels that leave a patch whole.
#include <bit>

#include "suite/run/session.hpp"

namespace unshade::suite::runner {
namespace {

using dxcontainer::SystemValue;

bool is_level(const ir::Element& element) {
  switch (element.system_value) {
    case SystemValue::final_quad_edge_tessfactor:
    case SystemValue::final_quad_inside_tessfactor:
    case SystemValue::final_tri_edge_tessfactor:
    case SystemValue::final_tri_inside_tessfactor: return true;
    default: return false;
  }
}

std::vector<std::uint64_t>& builtin(vm::Lanes& lanes, ir::Builtin which) {
  lanes.builtins.resize(ir::kBuiltinCount);
  return lanes.builtins[static_cast<std::size_t>(which)];
}

}  // namespace

// A patch is one triangle if the three outer levels and the inner one are from above 0 to 1.
bool Session::patch_levels_are_one(const ir::Module& hull, const vm::Lanes& lanes, std::uint32_t points) {
  const auto& patch = hull.signatures.patch;
  for (std::size_t at = 0; at < patch.size(); ++at) {
    if (!is_level(patch[at])) continue;
    const bool inner = patch[at].rows == 2;
    for (std::uint32_t row = 0; row < (inner ? 1U : 3U); ++row) {
      const std::size_t component = vm::component_of(patch, at) + row;
      for (std::uint32_t lane = 0; lane < lanes.count; lane += points) {
        const auto level = std::bit_cast<float>(static_cast<std::uint32_t>(lanes.patch[component * lanes.count + lane]));
        if (!(level > 0 && level <= 1)) return false;
      }
    }
  }
  return true;
}

bool Session::tessellate(const ScriptPipeline& pipeline, Vertices& vertices) {
  const Attached* const control = find(pipeline, Stage::hull);
  const Attached* const evaluation = find(pipeline, Stage::domain);
  const vm::Program* const hull = program(pipeline, *control);
  const vm::Program* const domain = hull == nullptr ? nullptr : program(pipeline, *evaluation);
  if (domain == nullptr) return false;
  const ir::Module& first = hull->module();
  const ir::Module& second = domain->module();
  const std::uint32_t points = first.info.output_points;
  if (second.info.domain != dxcontainer::TessellatorDomain::triangle)
    return skip(evaluation->place, "needs the tessellator: quads and lines"), false;
  if (second.info.tessellator_output == dxcontainer::TessellatorOutput::point)
    return skip(evaluation->place, "needs the rasterizer: lines and points"), false;
  if (pipeline.patch_points == 0 || pipeline.patch_points > 32 || points == 0 || points > 32)
    return fail(control->place, "a patch must have 1 to 32 control points"), false;

  // a lane for each control point of each patch
  const auto patches = static_cast<std::uint32_t>(vertices.positions.size() / pipeline.patch_points);
  const auto in = links(vertices.elements, first.signatures.input);
  vm::Lanes control_lanes;
  control_lanes.count = patches * points;
  control_lanes.vertices = pipeline.patch_points;
  vertices.give(control_lanes, in, [&](std::uint32_t lane, std::uint32_t point) { return lane / points * pipeline.patch_points + point; });
  for (std::uint32_t lane = 0; lane < control_lanes.count; ++lane) {
    builtin(control_lanes, ir::Builtin::control_point_id).push_back(lane % points);
    builtin(control_lanes, ir::Builtin::primitive_id).push_back(lane / points);
    builtin(control_lanes, ir::Builtin::patch_points).push_back(pipeline.patch_points);
  }
  vm::Resources bound = resources(pipeline, first);
  if (!finished(vm::run_lanes(*hull, bound, control_lanes, {.operations = options_.operations}), control->place)) return false;
  if (!patch_levels_are_one(first, control_lanes, points)) return skip(control->place, "needs the tessellator: levels above 1"), false;
  Vertices controls;
  controls.take(first, control_lanes);

  // and one for each corner
  const auto from = links(controls.elements, second.signatures.input);
  const auto constants = links(first.signatures.patch, second.signatures.patch);
  vm::Lanes lanes;
  lanes.count = patches * 3;
  lanes.vertices = points;
  controls.give(lanes, from, [&](std::uint32_t lane, std::uint32_t point) { return lane / 3 * points + point; });
  lanes.patch.resize(constants.size() * lanes.count);
  for (std::uint32_t lane = 0; lane < lanes.count; ++lane) {
    const std::size_t patch = lane / 3;
    for (std::size_t k = 0; k < constants.size(); ++k)
      if (constants[k] != kNone)
        lanes.patch[k * lanes.count + lane] = control_lanes.patch[constants[k] * control_lanes.count + patch * points];
    builtin(lanes, ir::Builtin::primitive_id).push_back(patch);
    builtin(lanes, ir::Builtin::patch_points).push_back(points);
  }
  for (std::uint32_t component = 0; component < 3; ++component)
    for (std::uint32_t lane = 0; lane < lanes.count; ++lane)
      builtin(lanes, ir::Builtin::domain_location).push_back(lane % 3 == component ? std::bit_cast<std::uint32_t>(1.0F) : 0);
  bound = resources(pipeline, second);
  if (!finished(vm::run_lanes(*domain, bound, lanes, {.operations = options_.operations}), evaluation->place)) return false;
  vertices.take(second, lanes);
  vertices.triangles.clear();
  for (std::uint32_t at = 0; at < lanes.count; at += 3) vertices.triangles.push_back({at, at + 1, at + 2});
  return true;
}

}  // namespace unshade::suite::runner

// System values, which one shader has as elements of a signature and the other as built-ins, or as arrays of numbers.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include <unshade/core/stage.hpp>

#include "suite/equivalence/sides.hpp"

namespace unshade::suite::equivalence {
namespace {

using dxcontainer::SystemValue;

/// The built-in of an input that is a system value; nothing if only elements have it.
std::optional<ir::Builtin> builtin_of(const ir::Element& element, Stage stage) {
  using B = ir::Builtin;
  const bool is_pixel = stage == Stage::pixel;
  if (!is_pixel && stage != Stage::vertex) return std::nullopt;  // of others, vertices have elements
  switch (element.system_value) {
    case SystemValue::vertex_id: return B::vertex_id;
    case SystemValue::instance_id: return B::instance_id;
    case SystemValue::position: return is_pixel ? std::optional(B::position) : std::nullopt;
    case SystemValue::primitive_id: return B::primitive_id;
    case SystemValue::is_front_face: return B::front_face;
    case SystemValue::sample_index: return B::sample_index;
    case SystemValue::coverage: return B::coverage;
    case SystemValue::inner_coverage: return B::inner_coverage;
    case SystemValue::render_target_array_index: return B::render_target_array_index;
    case SystemValue::viewport_array_index: return B::viewport_array_index;
    case SystemValue::shading_rate: return B::shading_rate;
    case SystemValue::barycentrics: {
      using dxcontainer::Interpolation;
      const bool is_linear = element.interpolation == Interpolation::linear_noperspective ||
                             element.interpolation == Interpolation::linear_noperspective_centroid ||
                             element.interpolation == Interpolation::linear_noperspective_sample;
      return is_linear ? B::barycentrics_linear : B::barycentrics;
    }
    default: return std::nullopt;
  }
}

/// What Vulkan has as an array of numbers.
enum class Flat : std::uint8_t { none, clip, cull, outer, inner };
Flat flat_of(SystemValue value) {
  switch (value) {
    case SystemValue::clip_distance: return Flat::clip;
    case SystemValue::cull_distance: return Flat::cull;
    case SystemValue::final_quad_edge_tessfactor:
    case SystemValue::final_tri_edge_tessfactor:
    case SystemValue::final_line_density_tessfactor:
    case SystemValue::final_line_detail_tessfactor: return Flat::outer;
    case SystemValue::final_quad_inside_tessfactor:
    case SystemValue::final_tri_inside_tessfactor: return Flat::inner;
    default: return Flat::none;
  }
}

/// A number of an array, and the one that it is in Vulkan.
struct FlatNumber {
  Found* found;
  std::uint32_t column;
};
std::vector<FlatNumber> numbers_of(std::vector<Found>& rows, Flat which) {
  std::vector<FlatNumber> made;
  for (Found& one : rows) {
    if (one.taken || flat_of(one.row.element->system_value) != which) continue;
    for (std::uint32_t column = 0; column < one.row.element->columns; ++column) made.push_back({&one, column});
  }
  // src: Direct3D 11.3 functional specification 22.4: the density of lines, then their detail; Vulkan 1.3, "TessLevelOuter"
  std::ranges::stable_sort(
      made, {}, [](const FlatNumber& one) { return one.found->row.element->system_value == SystemValue::final_line_detail_tessfactor; });
  return made;
}

}  // namespace

void pair_built_ins(const Side& of_rows, const Side& other, std::vector<Found>& rows, std::vector<BuiltInPair>& pairs) {
  const Stage stage = of_rows.subject.shader.module().stage;
  for (Found& one : rows) {
    const auto builtin = one.taken || !one.mentioned ? std::nullopt : builtin_of(*one.row.element, stage);
    // any shader of Vulkan may read it, whether this one does or not
    if (!builtin || (!is_of_vulkan(other) && !other.mentioned.builtins.contains(*builtin))) continue;
    one.taken = true;
    pairs.push_back({one.row, *builtin});
  }
}

void pair_flat(std::vector<Found>& of_a, std::vector<Found>& of_b, std::vector<RowPair>& pairs) {
  for (const Flat which : {Flat::clip, Flat::cull, Flat::outer, Flat::inner}) {
    const std::vector<FlatNumber> first = numbers_of(of_a, which), second = numbers_of(of_b, which);
    for (std::size_t at = 0; at < std::min(first.size(), second.size()); ++at) {
      const auto& [a, own] = first[at];
      const auto& [b, others] = second[at];
      pairs.push_back({a->row, b->row, own, others, 1});
      a->taken = b->taken = true;
    }
    // Vulkan has as many factors for each domain, of which some have no effect
    if ((which != Flat::outer && which != Flat::inner) || first.empty() || second.empty()) continue;
    for (const auto* const all : {&first, &second})
      for (const FlatNumber& one : *all) one.found->taken = true;
  }
}

}  // namespace unshade::suite::equivalence

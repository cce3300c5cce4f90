#include <unshade/dxil/program/semantics.hpp>

#include <cstddef>
#include <iterator>
#include <string_view>

namespace unshade::dxil::program {

namespace {

using dxcontainer::SystemValue;

// A letter of SemanticMeaning for each point; what signature parts call it.
// src: DXC lib/DXIL/DxilSemantic.cpp; include/dxc/DXIL/DxilSigPoint.inl, INTERPRETATION-TABLE; lib/DxilContainer/
// DxilContainerAssembler.cpp, SemanticKindToSystemValue
struct SemanticRow {
  SemanticKind kind;
  std::string_view points;
  std::uint32_t since;
  SystemValue value;
};
constexpr SemanticRow kSemantics[] = {
    {SemanticKind::arbitrary, "aaaaaaaaaaa-aa", 0, SystemValue::undefined},
    {SemanticKind::vertex_id, "s-------------", 0, SystemValue::vertex_id},
    {SemanticKind::instance_id, "saaa--aaaaa---", 0, SystemValue::instance_id},
    {SemanticKind::position, "asssaasssss-s-", 0, SystemValue::position},
    {SemanticKind::render_target_array_index, "asssaasssss--s", 0, SystemValue::render_target_array_index},
    {SemanticKind::viewport_array_index, "asssaasssss--s", 0, SystemValue::viewport_array_index},
    {SemanticKind::clip_distance, "acccaaccccc-c-", 0, SystemValue::clip_distance},
    {SemanticKind::cull_distance, "acccaaccccc-c-", 0, SystemValue::cull_distance},
    {SemanticKind::output_control_point_id, "--------------", 0, SystemValue::undefined},
    {SemanticKind::domain_location, "-----n--------", 0, SystemValue::undefined},
    {SemanticKind::primitive_id, "-----n--hgg--s", 0, SystemValue::primitive_id},
    {SemanticKind::gs_instance_id, "--------------", 0, SystemValue::undefined},
    {SemanticKind::sample_index, "----------h---", 0, SystemValue::sample_index},
    {SemanticKind::is_front_face, "---------gg---", 0, SystemValue::is_front_face},
    {SemanticKind::coverage, "----------np--", 0, SystemValue::coverage},
    {SemanticKind::inner_coverage, "----------n---", 0, SystemValue::inner_coverage},
    {SemanticKind::target, "-----------t--", 0, SystemValue::target},
    {SemanticKind::depth, "-----------p--", 0, SystemValue::depth},
    {SemanticKind::depth_less_equal, "-----------p--", 0, SystemValue::depth_less_equal},
    {SemanticKind::depth_greater_equal, "-----------p--", 0, SystemValue::depth_greater_equal},
    {SemanticKind::stencil_ref, "-----------p--", 0, SystemValue::stencil_ref},
    {SemanticKind::dispatch_thread_id, "--------------", 0, SystemValue::undefined},
    {SemanticKind::group_id, "--------------", 0, SystemValue::undefined},
    {SemanticKind::group_index, "--------------", 0, SystemValue::undefined},
    {SemanticKind::group_thread_id, "--------------", 0, SystemValue::undefined},
    {SemanticKind::tess_factor, "----ff--------", 0, SystemValue::undefined},
    {SemanticKind::inside_tess_factor, "----ff--------", 0, SystemValue::undefined},
    {SemanticKind::view_id, "n----n----n---", 1, SystemValue::undefined},
    {SemanticKind::barycentrics, "----------p---", 1, SystemValue::barycentrics},
    {SemanticKind::shading_rate, "-sss--sssss--s", 4, SystemValue::shading_rate},
    {SemanticKind::cull_primitive, "----------n--p", 0, SystemValue::cull_primitive},
    {SemanticKind::start_vertex_location, "n-------------", 8, SystemValue::undefined},
    {SemanticKind::start_instance_location, "n-------------", 8, SystemValue::undefined},
};

constexpr bool semantics_in_order() {
  for (std::size_t i = 0; i < std::size(kSemantics); ++i)
    if (kSemantics[i].kind != static_cast<SemanticKind>(i) || kSemantics[i].points.size() != static_cast<std::size_t>(SignaturePoint::none))
      return false;
  return std::size(kSemantics) == static_cast<std::size_t>(SemanticKind::invalid);
}
static_assert(semantics_in_order(), "each kind must have a row, and each point a letter");

struct PointRow {
  ShaderKind kind;
  SignaturePoint input, output, patch_or_primitives;
};
constexpr PointRow kPoints[] = {
    {ShaderKind::vertex, SignaturePoint::vertex_in, SignaturePoint::vertex_out, SignaturePoint::none},
    {ShaderKind::hull, SignaturePoint::hull_in, SignaturePoint::hull_out, SignaturePoint::patch_out},
    {ShaderKind::domain, SignaturePoint::domain_in, SignaturePoint::domain_out, SignaturePoint::domain_patch_in},
    {ShaderKind::geometry, SignaturePoint::geometry_in, SignaturePoint::geometry_out, SignaturePoint::none},
    {ShaderKind::pixel, SignaturePoint::pixel_in, SignaturePoint::pixel_out, SignaturePoint::none},
    {ShaderKind::mesh, SignaturePoint::none, SignaturePoint::mesh_out, SignaturePoint::mesh_primitive_out},
};

}  // namespace

SignaturePoint signature_point(ShaderKind kind, SignatureSide side) {
  for (const PointRow& row : kPoints)
    if (row.kind == kind)
      return side == SignatureSide::input ? row.input : side == SignatureSide::output ? row.output : row.patch_or_primitives;
  return SignaturePoint::none;
}

SemanticMeaning semantic_meaning(SemanticKind kind, SignaturePoint point) {
  if (point >= SignaturePoint::none || kind >= SemanticKind::invalid) return {};
  const SemanticRow& row = kSemantics[static_cast<std::size_t>(kind)];
  return {row.points[static_cast<std::size_t>(point)], row.since};
}

dxcontainer::SystemValue system_value(SemanticKind kind, TessellatorDomain domain) {
  if (kind == SemanticKind::tess_factor || kind == SemanticKind::inside_tess_factor) {
    const bool inside = kind == SemanticKind::inside_tess_factor;
    switch (domain) {
      case TessellatorDomain::isoline: return inside ? SystemValue::undefined : SystemValue::final_line_detail_tessfactor;
      case TessellatorDomain::triangle: return inside ? SystemValue::final_tri_inside_tessfactor : SystemValue::final_tri_edge_tessfactor;
      case TessellatorDomain::quad: return inside ? SystemValue::final_quad_inside_tessfactor : SystemValue::final_quad_edge_tessfactor;
      default: return SystemValue::undefined;
    }
  }
  return kind < SemanticKind::invalid ? kSemantics[static_cast<std::size_t>(kind)].value : SystemValue::undefined;
}

}  // namespace unshade::dxil::program

namespace unshade::dxil {

std::string_view semantic_name(const MetadataElement& element, ShaderKind kind, SignatureSide side) {
  const char letter = program::semantic_meaning(element.semantic, program::signature_point(kind, side)).letter;
  return letter == program::kArbitrary || letter == program::kNotAvailable ? element.name : dxc_text(element.semantic);
}

}  // namespace unshade::dxil

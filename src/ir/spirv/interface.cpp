// Inputs and outputs: elements of signatures, and builtins.
#include <algorithm>
#include <string>

#include <unshade/core/text/semantic_name.hpp>
#include <unshade/ir/lower_spirv.hpp>

#include "ir/spirv/function.hpp"

namespace unshade::ir::lower_spirv {
namespace {

using dxcontainer::Interpolation;
using dxcontainer::SystemValue;
using spirv::BuiltIn;

std::optional<Builtin> builtin_of(BuiltIn which, Stage stage) {
  switch (which) {
    case BuiltIn::global_invocation_id: return Builtin::thread_id;
    case BuiltIn::workgroup_id: return Builtin::group_id;
    case BuiltIn::local_invocation_id: return Builtin::local_id;
    case BuiltIn::local_invocation_index: return Builtin::local_index;
    case BuiltIn::num_workgroups: return Builtin::group_count;
    case BuiltIn::subgroup_size:
    case BuiltIn::subgroup_max_size: return Builtin::wave_size;
    case BuiltIn::subgroup_local_invocation_id: return Builtin::lane;
    case BuiltIn::subgroup_id: return Builtin::wave_index;
    case BuiltIn::num_subgroups: return Builtin::wave_count;
    case BuiltIn::vertex_id:
    case BuiltIn::vertex_index: return Builtin::vertex_id;
    case BuiltIn::instance_id:
    case BuiltIn::instance_index: return Builtin::instance_id;
    case BuiltIn::base_vertex: return Builtin::base_vertex;
    case BuiltIn::base_instance: return Builtin::base_instance;
    case BuiltIn::draw_index: return Builtin::draw_index;
    case BuiltIn::primitive_id: return Builtin::primitive_id;
    case BuiltIn::tess_coord: return Builtin::domain_location;
    case BuiltIn::patch_vertices: return Builtin::patch_points;
    case BuiltIn::invocation_id: return stage == Stage::hull ? Builtin::control_point_id : Builtin::gs_instance_id;
    case BuiltIn::sample_mask: return Builtin::coverage;
    case BuiltIn::sample_id: return Builtin::sample_index;
    case BuiltIn::sample_position: return Builtin::sample_location;
    case BuiltIn::front_facing: return Builtin::front_face;
    case BuiltIn::fully_covered_ext: return Builtin::inner_coverage;
    case BuiltIn::frag_coord: return Builtin::position;
    case BuiltIn::point_coord: return Builtin::point_coord;
    case BuiltIn::bary_coord_khr: return Builtin::barycentrics;
    case BuiltIn::bary_coord_no_persp_khr: return Builtin::barycentrics_linear;
    case BuiltIn::layer: return Builtin::render_target_array_index;
    case BuiltIn::viewport_index: return Builtin::viewport_array_index;
    case BuiltIn::view_index: return Builtin::view_id;
    case BuiltIn::shading_rate_khr: return Builtin::shading_rate;
    case BuiltIn::helper_invocation: return Builtin::is_helper;
    case BuiltIn::device_index: return Builtin::device_index;
    default: return std::nullopt;
  }
}

// Levels of tessellation are those of Direct3D's domains; control stages of SPIR-V need not say which.
SystemValue system_value_of(BuiltIn which, dxcontainer::TessellatorDomain domain) {
  const bool triangles = domain == dxcontainer::TessellatorDomain::triangle;
  switch (which) {
    case BuiltIn::tess_level_outer: return triangles ? SystemValue::final_tri_edge_tessfactor : SystemValue::final_quad_edge_tessfactor;
    case BuiltIn::tess_level_inner: return triangles ? SystemValue::final_tri_inside_tessfactor : SystemValue::final_quad_inside_tessfactor;
    case BuiltIn::position: return SystemValue::position;
    case BuiltIn::clip_distance: return SystemValue::clip_distance;
    case BuiltIn::cull_distance: return SystemValue::cull_distance;
    case BuiltIn::layer: return SystemValue::render_target_array_index;
    case BuiltIn::viewport_index: return SystemValue::viewport_array_index;
    case BuiltIn::primitive_id: return SystemValue::primitive_id;
    case BuiltIn::frag_depth: return SystemValue::depth;
    case BuiltIn::sample_mask: return SystemValue::coverage;
    case BuiltIn::frag_stencil_ref_ext: return SystemValue::stencil_ref;
    case BuiltIn::primitive_shading_rate_khr: return SystemValue::shading_rate;
    case BuiltIn::cull_primitive_ext: return SystemValue::cull_primitive;
    default: return SystemValue::undefined;
  }
}

bool is_special(BuiltIn which) {
  switch (which) {
    case BuiltIn::workgroup_size:
    case BuiltIn::subgroup_eq_mask:
    case BuiltIn::subgroup_ge_mask:
    case BuiltIn::subgroup_gt_mask:
    case BuiltIn::subgroup_le_mask:
    case BuiltIn::subgroup_lt_mask: return true;
    default: return false;
  }
}

Interpolation interpolation_of(const spirv::Decorations& own, bool is_real) {
  if (own.flat || own.per_primitive || !is_real) return Interpolation::constant;
  if (own.no_perspective) {
    return own.centroid ? Interpolation::linear_noperspective_centroid
           : own.sample ? Interpolation::linear_noperspective_sample
                        : Interpolation::linear_noperspective;
  }
  return own.centroid ? Interpolation::linear_centroid : own.sample ? Interpolation::linear_sample : Interpolation::linear;
}

/// Elements of arrays of structures, which are elements of signatures each.
constexpr std::uint32_t kMostElements = 64;

/// As reflection names what has no name.
std::string unnamed(std::uint32_t id) { return '_' + std::to_string(id); }

}  // namespace

std::optional<Builtin> builtin_of_input(std::string_view text, Stage stage) {
  const auto* const row = spirv::find_enumerant(spirv::OperandKind::built_in, text);
  return row == nullptr ? std::nullopt : builtin_of(static_cast<BuiltIn>(row->value), stage);
}

Node Context::builtin_node(BuiltIn which, const spirv::Variable& variable) {
  Node node;
  if (which == BuiltIn::primitive_point_indices_ext || which == BuiltIn::primitive_line_indices_ext ||
      which == BuiltIn::primitive_triangle_indices_ext) {
    node.kind = Node::Kind::special;
    node.special = which;
  }
  if (variable.storage != StorageClass::input) return node;
  const auto found = builtin_of(which, out.stage);
  if (found) {
    node.kind = Node::Kind::builtin;
    node.builtin = *found;
  } else if (is_special(which)) {
    node.kind = Node::Kind::special;
    node.special = which;
  }
  return node;
}

namespace {

std::uint32_t locations_of(const Element& element) {
  const bool is_wide = lane_bytes(element.type) == 8 && element.columns > 2;
  return element.rows * (is_wide ? 2 : 1);
}

// `counts`: its semantic has the location as its index.
void give_location(Element& element, std::uint32_t location, bool counts) {
  element.first_register = location;
  if (counts) element.semantic_index = location;
}

}  // namespace

void Context::place_without_location() {
  for (const SignatureKind kind : {SignatureKind::input, SignatureKind::output, SignatureKind::patch}) {
    auto& list = out.signatures.of(kind);
    std::uint32_t next = 0;
    for (const Element& one : list)
      if (one.first_register != kNone) next = std::max(next, one.first_register + locations_of(one));
    for (const WithoutLocation& one : without_location) {
      if (one.signature != kind) continue;
      give_location(list[one.element], next, one.counts);
      next += locations_of(list[one.element]);
    }
  }
}

// What an input or output, or a part of it, is. `own`: its decorations; `name`: as reflection has it; `is_named`: whether the module gives
// it one.
Node Context::node_of(std::uint32_t place, const spirv::Variable& variable, const spirv::Decorations& own, const PartName& name,
                      std::optional<std::uint32_t>& location) {
  if (own.builtin) {
    Node node = builtin_node(*own.builtin, variable);
    if (node.kind != Node::Kind::none) return node;
  }
  Node node;
  const spirv::Type* whole = interface.type(place);
  if (whole == nullptr || count(place) == kNone) return node;
  if (whole->kind == TypeKind::structure) {
    node.kind = Node::Kind::structure;
    std::uint32_t number = 0;
    for (const spirv::StructMember& member : interface.members_of(*whole)) {
      const spirv::Decorations of = spirv::of_member(interface.of(member), own);
      if (of.location) location = *of.location;
      PartName part;
      part.is_named = name.is_named || !whole->name.empty() || !member.name.empty();
      part.member = member.name;
      // a block without a name is called as its type
      const bool is_type = name.full == unnamed(variable.id) && !whole->name.empty();
      part.full = (is_type ? whole->name : name.full) + '.' + (member.name.empty() ? "_m" + std::to_string(number) : member.name);
      node.children.push_back(node_of(member.type, variable, of, part, location));
      ++number;
    }
    return node;
  }
  // arrays of scalars, vectors and matrices are rows
  std::uint64_t rows = 1;
  std::vector<std::uint32_t> levels;
  std::uint32_t inner = place;
  while (interface.type(inner) != nullptr && (type(inner).kind == TypeKind::array || type(inner).kind == TypeKind::matrix)) {
    rows *= type(inner).count;
    levels.push_back(type(inner).count);
    inner = type(inner).element;
  }
  if (interface.type(inner) != nullptr && type(inner).kind == TypeKind::structure) {
    node.kind = Node::Kind::elements;
    if (whole->count > kMostElements) return Node{};
    for (std::uint32_t k = 0; k < whole->count; ++k) {
      PartName element = name;
      element.full += '[' + std::to_string(k) + ']';
      node.children.push_back(node_of(whole->element, variable, own, element, location));
    }
    return node;
  }
  const auto scalar_type = scalar(scalar_of(inner));
  // what a mesh shader gives primitives is an ordinary input of a pixel shader
  const bool per_primitive = own.per_primitive && variable.storage == StorageClass::output;
  const bool patch = own.patch || per_primitive ||
                     (own.builtin && (*own.builtin == BuiltIn::tess_level_outer || *own.builtin == BuiltIn::tess_level_inner));
  node.signature = patch ? SignatureKind::patch : variable.storage == StorageClass::input ? SignatureKind::input : SignatureKind::output;
  auto& list = out.signatures.of(node.signature);
  if (!scalar_type || rows > 0xffff || list.size() >= 0xffff) return Node{};
  node.kind = Node::Kind::element;
  node.element = static_cast<std::uint16_t>(list.size());
  Element element;
  element.variable = name.full;
  element.type = *scalar_type == Type::b1 ? Type::i32 : *scalar_type;
  element.is_signed = type(scalar_of(inner)).is_signed;
  element.columns = static_cast<std::uint8_t>(std::min(4U, type(inner).kind == TypeKind::vector ? type(inner).count : 1));
  element.rows = static_cast<std::uint32_t>(rows);
  if (levels.size() > 1) element.levels = std::move(levels);
  element.stream = own.stream.value_or(0);
  element.per_primitive = per_primitive;
  if (own.builtin) {
    element.system_value = system_value_of(*own.builtin, out.info.domain);
    if (*own.builtin == BuiltIn::frag_depth) {
      for (const spirv::EntryPointMode& one : entry.modes) {
        if (one.mode == spirv::ExecutionMode::depth_greater) element.system_value = SystemValue::depth_greater_equal;
        if (one.mode == spirv::ExecutionMode::depth_less) element.system_value = SystemValue::depth_less_equal;
      }
    }
    const auto* row = spirv::find_enumerant(spirv::OperandKind::built_in, static_cast<std::uint32_t>(*own.builtin));
    element.built_in = row != nullptr ? std::string(row->text) : std::to_string(static_cast<std::uint32_t>(*own.builtin));
    element.semantic = !own.semantic.empty() ? own.semantic
                       : !name.is_named      ? element.built_in
                       : name.member.empty() ? name.full
                                             : name.member;
  } else {
    const SemanticName hlsl = split_semantic(own.semantic);
    element.semantic = !own.semantic.empty() ? std::string(hlsl.name) : name.is_named ? name.full : "location";
    element.first_column = static_cast<std::uint8_t>(own.component.value_or(0) & 3);
    if (out.stage == Stage::pixel && variable.storage == StorageClass::output) {
      element.system_value = SystemValue::target;
      element.second_source = own.index.value_or(0) == 1;
    }
    const bool counts = own.semantic.empty() || element.system_value == SystemValue::target;
    element.semantic_index = hlsl.index.value_or(0);
    if (location) {
      give_location(element, *location, counts);
      *location += locations_of(element);
    } else {
      without_location.push_back({node.signature, node.element, counts});
    }
  }
  if (out.stage == Stage::pixel && variable.storage == StorageClass::input)
    element.interpolation = interpolation_of(own, is_float(element.type));
  list.push_back(std::move(element));
  return node;
}

void Context::describe_interface(const spirv::Variable& variable) {
  const spirv::Decorations& own = interface.of(variable);
  const bool input = variable.storage == StorageClass::input;
  const spirv::Type* whole = interface.type(variable.type);
  if (whole == nullptr) return;
  const bool one_for_all = own.builtin && input && builtin_of(*own.builtin, out.stage).has_value();
  const bool per_vertex = spirv::is_per_vertex(interface, out.stage, variable) && !one_for_all;
  std::optional<std::uint32_t> location = own.location;
  Pointer p;
  p.kind = Pointer::Kind::interface;
  p.type = variable.type;
  p.per_vertex = per_vertex;
  const PartName name{variable.name.empty() ? unnamed(variable.id) : variable.name, {}, !variable.name.empty()};
  nodes.push_back(node_of(per_vertex ? whole->element : variable.type, variable, own, name, location));
  p.node = &nodes.back();
  roots.emplace(variable.id, std::move(p));
}

}  // namespace unshade::ir::lower_spirv

namespace unshade::ir {

std::optional<Builtin> builtin_of_spirv(std::string_view built_in, Stage stage) { return lower_spirv::builtin_of_input(built_in, stage); }

}  // namespace unshade::ir

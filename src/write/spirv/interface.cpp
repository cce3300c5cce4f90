// Inputs and outputs as variables: elements of signatures by location or built-in.
// src: Vulkan 1.3, "Built-In Variables" and "Interface Matching"
#include <algorithm>

#include <unshade/spirv/grammar.hpp>

#include "write/spirv/writer.hpp"

namespace unshade::write::spirv_writer {
namespace {

using ir::SignatureKind;

bool is_distance(const ir::Element& element) {
  return element.system_value == SystemValue::clip_distance || element.system_value == SystemValue::cull_distance;
}

}  // namespace

// As its family writes it: TEXCOORD0; v1 of the PICA200.
std::string Writer::semantic_of(const ir::Element& element) const {
  const bool is_of_pica = reflection_ != nullptr && reflection_->family == shader::Family::pica;
  const bool is_plain = element.has_plain_name() || (is_of_pica && element.semantic_index == 0);
  return is_plain ? element.semantic : element.semantic + std::to_string(element.semantic_index);
}

// Names by which tools find an element again: its semantic, as DXC gives it.
void Writer::name_semantic(const Variable& variable, const ir::Element& element) {
  // of several streams there may be one position
  if (element.semantic.empty() || !semantics_.emplace(variable.id, semantic_of(element)).second) return;
  out.extension("SPV_GOOGLE_hlsl_functionality1");
  if (out.version() < 0x0001'0400) out.extension("SPV_GOOGLE_decorate_string");
  out.decorate_text(variable.id, Decoration::user_semantic, semantic_of(element));
}

Variable Writer::builtin_variable(BuiltIn which, Word type, StorageClass storage) {
  const std::pair key{word(which), word(storage)};
  const auto found = builtin_variables_.find(key);
  if (found != builtin_variables_.end()) return found->second;
  const Variable made = declare(type, storage, "");
  out.decorate(made.id, Decoration::built_in, {word(which)});
  if (which == BuiltIn::tess_level_outer || which == BuiltIn::tess_level_inner) out.decorate(made.id, Decoration::patch);
  const bool is_whole = type == out.int_type(32) || type == out.int_type(32, true);
  if (module.stage == Stage::pixel && storage == StorageClass::input && is_whole) out.decorate(made.id, Decoration::flat);
  return builtin_variables_.emplace(key, made).first->second;
}

ElementPlace Writer::place_system_value(SignatureKind kind, const ir::Element& element, std::uint32_t at, bool& is_done) {
  const StorageClass storage = kind == SignatureKind::input || (kind == SignatureKind::patch && module.stage == Stage::domain)
                                   ? StorageClass::input
                                   : StorageClass::output;
  const bool is_input = storage == StorageClass::input;
  const std::uint32_t count = vertices_of_elements(module, kind);
  ElementPlace made;
  made.type = element.type;
  made.columns = element.columns;
  made.rows = element.rows;
  const Word u32 = out.int_type(32), f32 = out.float_type(32);
  const auto per_vertex = [&](Word type) {
    made.is_per_vertex = count != 0;
    return count == 0 ? type : out.array_type(type, count);
  };
  const auto scalar = [&](BuiltIn which, Word type) {
    made.scalar = type;
    made.columns = 1;
    made.variable = builtin_variable(which, module.stage == Stage::mesh ? per_vertex(type) : type, storage);
    if (element.per_primitive && storage == StorageClass::output) out.decorate(made.variable.id, Decoration::per_primitive_ext);
  };
  const auto distances = [&](BuiltIn which) {
    constexpr std::size_t kMostElements = 64;  // each has one number at least, and there may be eight
    std::uint32_t all = 0;
    const auto& list = module.signatures.of(kind);
    if (list.size() > kMostElements) return unsupported("so many inputs or outputs beside clip and cull distances");
    for (std::uint32_t other = 0; other < list.size(); ++other) {
      if (list[other].system_value != element.system_value) continue;
      if (other == at) made.first = all;
      all += list[other].rows * list[other].columns;
    }
    out.capability(which == BuiltIn::clip_distance ? Capability::clip_distance : Capability::cull_distance);
    made.is_flat_array = true;
    made.scalar = f32;
    made.variable = builtin_variable(which, per_vertex(out.array_type(f32, all)), storage);
  };
  is_done = true;
  switch (element.system_value) {
    case SystemValue::position:
      made.scalar = f32;
      made.is_vector = true;
      if (module.stage == Stage::pixel) {
        made.variable = builtin_variable(BuiltIn::frag_coord, out.vector_type(f32, 4), storage);
        made.has_reciprocal = true;
      } else if (module.stage == Stage::vertex && is_input) {
        is_done = false;  // a vertex's attribute
      } else {
        made.variable = builtin_variable(BuiltIn::position, per_vertex(out.vector_type(f32, 4)), storage);
      }
      break;
    case SystemValue::clip_distance: distances(BuiltIn::clip_distance); break;
    case SystemValue::cull_distance: distances(BuiltIn::cull_distance); break;
    case SystemValue::render_target_array_index:
    case SystemValue::viewport_array_index:
      if (is_input && module.stage != Stage::pixel) {  // what the stage before gave: no built-in here
        is_done = false;
        break;
      }
      if (element.system_value == SystemValue::viewport_array_index) {
        if (module.stage == Stage::vertex || module.stage == Stage::domain)
          out.capability(Capability::shader_viewport_index);
        else
          out.capability(Capability::multi_viewport);
        scalar(BuiltIn::viewport_index, u32);
        break;
      }
      if (module.stage == Stage::pixel)
        out.capability(Capability::geometry);
      else if (module.stage != Stage::geometry)
        out.capability(Capability::shader_layer);
      scalar(BuiltIn::layer, u32);
      break;
    case SystemValue::primitive_id:
      if (module.stage == Stage::pixel) out.capability(Capability::geometry);
      scalar(BuiltIn::primitive_id, u32);
      break;
    case SystemValue::vertex_id:
    case SystemValue::instance_id: {
      if (module.stage != Stage::vertex) {
        is_done = false;
        break;
      }
      const bool is_vertex = element.system_value == SystemValue::vertex_id;
      scalar(is_vertex ? BuiltIn::vertex_index : BuiltIn::instance_index, u32);
      out.capability(Capability::draw_parameters);
      made.is_difference = true;
      made.base = builtin_variable(is_vertex ? BuiltIn::base_vertex : BuiltIn::base_instance, u32, storage);
      break;
    }
    case SystemValue::is_front_face:
      made.is_bool = true;
      scalar(BuiltIn::front_facing, out.bool_type());
      break;
    case SystemValue::sample_index:
      out.capability(Capability::sample_rate_shading);
      scalar(BuiltIn::sample_id, u32);
      break;
    case SystemValue::coverage:
      made.is_flat_array = true;
      made.scalar = u32;
      made.variable = builtin_variable(BuiltIn::sample_mask, out.array_type(u32, 1), storage);
      break;
    case SystemValue::depth:
    case SystemValue::depth_greater_equal:
    case SystemValue::depth_less_equal: scalar(BuiltIn::frag_depth, f32); break;
    case SystemValue::stencil_ref:
      out.capability(Capability::stencil_export_ext);
      out.extension("SPV_EXT_shader_stencil_export");
      scalar(BuiltIn::frag_stencil_ref_ext, u32);
      break;
    case SystemValue::final_quad_edge_tessfactor:
    case SystemValue::final_tri_edge_tessfactor:
    case SystemValue::final_line_detail_tessfactor:
    case SystemValue::final_line_density_tessfactor:
      made.is_flat_array = true;
      made.scalar = f32;
      made.variable = builtin_variable(BuiltIn::tess_level_outer, out.array_type(f32, 4), storage);
      // of isolines how many there are comes before how detailed they are; of one element with both, as rows
      if (element.system_value == SystemValue::final_line_detail_tessfactor && element.rows == 1) made.first = 1;
      if (element.system_value != SystemValue::final_line_detail_tessfactor &&
          element.system_value != SystemValue::final_line_density_tessfactor)
        made.first = element.semantic_index;
      break;
    case SystemValue::final_quad_inside_tessfactor:
    case SystemValue::final_tri_inside_tessfactor:
      made.is_flat_array = true;
      made.scalar = f32;
      made.variable = builtin_variable(BuiltIn::tess_level_inner, out.array_type(f32, 2), storage);
      made.first = element.semantic_index;
      break;
    case SystemValue::barycentrics: {
      out.capability(Capability::fragment_barycentric_khr);
      out.extension("SPV_KHR_fragment_shader_barycentric");
      using dxcontainer::Interpolation;
      const Interpolation how = element.interpolation;
      const bool is_linear = how == Interpolation::linear_noperspective || how == Interpolation::linear_noperspective_centroid ||
                             how == Interpolation::linear_noperspective_sample;
      made.scalar = f32;
      made.is_vector = true;
      made.columns = std::min(made.columns, 3U);
      made.variable =
          builtin_variable(is_linear ? BuiltIn::bary_coord_no_persp_khr : BuiltIn::bary_coord_khr, out.vector_type(f32, 3), storage);
      break;
    }
    case SystemValue::cull_primitive:
      made.is_bool = true;
      scalar(BuiltIn::cull_primitive_ext, out.bool_type());
      break;
    case SystemValue::shading_rate:
      out.capability(Capability::fragment_shading_rate_khr);
      out.extension("SPV_KHR_fragment_shading_rate");
      scalar(is_input ? BuiltIn::shading_rate_khr : BuiltIn::primitive_shading_rate_khr, u32);
      break;
    case SystemValue::inner_coverage:
      out.capability(Capability::fragment_fully_covered_ext);
      out.extension("SPV_EXT_fragment_fully_covered");
      made.is_bool = true;
      made.true_bits = 1;
      scalar(BuiltIn::fully_covered_ext, out.bool_type());
      break;
    case SystemValue::undefined: {
      // built-ins of SPIR-V that Direct3D has no system value for
      const auto* const row = element.built_in.empty() ? nullptr : spirv::find_enumerant(spirv::OperandKind::built_in, element.built_in);
      is_done = row != nullptr;
      if (row == nullptr) break;
      made.scalar = ir::is_float(element.type) ? type_of(element.type) : out.int_type(32, element.is_signed);
      made.is_vector = element.columns > 1;
      made.is_array = element.rows > 1;
      Word type = out.vector_type(made.scalar, element.columns);
      if (made.is_array) type = out.array_type(type, element.rows);
      made.variable = builtin_variable(static_cast<BuiltIn>(row->value), per_vertex(type), storage);
      break;
    }
    case SystemValue::target: is_done = false; break;
    default: unsupported("the system value " + std::string(id(element.system_value))); break;
  }
  return made;
}

ElementPlace Writer::place_element(SignatureKind kind, std::uint32_t at) {
  const ir::Element& element = module.signatures.of(kind)[at];
  bool is_done = false;
  ElementPlace made = place_system_value(kind, element, at, is_done);
  if (is_done) {
    if (made.variable.id != 0 && !is_distance(element) && !made.is_flat_array) name_semantic(made.variable, element);
    return made;
  }
  made = {};
  const bool is_input = kind == SignatureKind::input || (kind == SignatureKind::patch && module.stage == Stage::domain);
  const StorageClass storage = is_input ? StorageClass::input : StorageClass::output;
  made.type = element.type;
  made.columns = element.columns;
  made.rows = element.rows;
  made.scalar = ir::is_float(element.type) ? type_of(element.type) : out.int_type(ir::bit_width(element.type), element.is_signed);
  made.is_vector = element.columns > 1;
  if (ir::bit_width(element.type) == 16) {
    out.capability(Capability::storage_input_output16);
  }
  Word type = out.vector_type(made.scalar, element.columns);
  made.is_array = element.rows > 1;
  if (made.is_array) type = out.array_type(type, element.rows);
  const bool has_corners = kind == SignatureKind::input && corners_.contains(at);
  const std::uint32_t count = has_corners ? 3 : vertices_of_elements(module, kind);
  made.is_per_vertex = count != 0;
  if (made.is_per_vertex) type = out.array_type(type, count);
  made.variable = declare(type, storage, element.variable.empty() ? semantic_of(element) : element.variable);
  const Word id = made.variable.id;
  const std::uint32_t location = locations_.of(kind, at);
  for (std::uint32_t row = 0; row < element.rows; ++row) {
    std::uint32_t& columns = taken_[{storage, location + row, element.second_source}];
    if ((columns & ir::column_mask(element)) != 0) unsupported("two inputs or outputs in one place of a register");
    columns |= ir::column_mask(element);
  }
  out.decorate(id, Decoration::location, {location});
  if (element.first_column != 0) out.decorate(id, Decoration::component, {element.first_column});
  if (element.second_source) out.decorate(id, Decoration::index, {1});
  if (has_corners) {
    out.capability(Capability::fragment_barycentric_khr);
    out.extension("SPV_KHR_fragment_shader_barycentric");
    out.decorate(id, Decoration::per_vertex_khr);
  }
  if (kind == SignatureKind::patch) out.decorate(id, module.stage == Stage::mesh ? Decoration::per_primitive_ext : Decoration::patch);
  if (module.stage == Stage::geometry && !is_input && element.stream != 0) {
    out.capability(Capability::geometry_streams);
    out.decorate(id, Decoration::stream, {element.stream});
  }
  if (module.stage == Stage::pixel && is_input) {
    using dxcontainer::Interpolation;
    const Interpolation how = element.interpolation;
    if (!has_corners && (how == Interpolation::constant || !ir::is_float(element.type))) out.decorate(id, Decoration::flat);
    if (how == Interpolation::linear_noperspective || how == Interpolation::linear_noperspective_centroid ||
        how == Interpolation::linear_noperspective_sample)
      out.decorate(id, Decoration::no_perspective);
    if (how == Interpolation::linear_centroid || how == Interpolation::linear_noperspective_centroid)
      out.decorate(id, Decoration::centroid);
    if (how == Interpolation::linear_sample || how == Interpolation::linear_noperspective_sample) {
      out.capability(Capability::sample_rate_shading);
      out.decorate(id, Decoration::sample);
    }
  }
  name_semantic(made.variable, element);
  return made;
}

const ElementPlace& Writer::element(SignatureKind kind, std::uint32_t at) {
  const std::pair key{kind, at};
  const auto found = elements_.find(key);
  if (found != elements_.end()) return found->second;
  return elements_.emplace(key, place_element(kind, at)).first->second;
}

const Variable& Writer::builtin(ir::Builtin which, bool& is_bool) {
  using B = ir::Builtin;
  const auto found = builtins_.find(which);
  if (found != builtins_.end()) {
    is_bool = found->second.second;
    return found->second.first;
  }
  struct Row {
    B builtin;
    BuiltIn spirv;
    Capability capability;
  };
  static constexpr Row kRows[] = {
      {B::thread_id, BuiltIn::global_invocation_id, Capability::shader},
      {B::group_id, BuiltIn::workgroup_id, Capability::shader},
      {B::local_id, BuiltIn::local_invocation_id, Capability::shader},
      {B::local_index, BuiltIn::local_invocation_index, Capability::shader},
      {B::group_count, BuiltIn::num_workgroups, Capability::shader},
      {B::wave_size, BuiltIn::subgroup_size, Capability::group_non_uniform},
      {B::lane, BuiltIn::subgroup_local_invocation_id, Capability::group_non_uniform},
      {B::wave_index, BuiltIn::subgroup_id, Capability::group_non_uniform},
      {B::wave_count, BuiltIn::num_subgroups, Capability::group_non_uniform},
      {B::vertex_id, BuiltIn::vertex_index, Capability::shader},
      {B::instance_id, BuiltIn::instance_index, Capability::shader},
      {B::base_vertex, BuiltIn::base_vertex, Capability::draw_parameters},
      {B::base_instance, BuiltIn::base_instance, Capability::draw_parameters},
      {B::draw_index, BuiltIn::draw_index, Capability::draw_parameters},
      {B::primitive_id, BuiltIn::primitive_id, Capability::shader},
      {B::domain_location, BuiltIn::tess_coord, Capability::tessellation},
      {B::control_point_id, BuiltIn::invocation_id, Capability::tessellation},
      {B::patch_points, BuiltIn::patch_vertices, Capability::tessellation},
      {B::gs_instance_id, BuiltIn::invocation_id, Capability::geometry},
      {B::sample_index, BuiltIn::sample_id, Capability::sample_rate_shading},
      {B::sample_location, BuiltIn::sample_position, Capability::sample_rate_shading},
      {B::front_face, BuiltIn::front_facing, Capability::shader},
      {B::position, BuiltIn::frag_coord, Capability::shader},
      {B::point_coord, BuiltIn::point_coord, Capability::shader},
      {B::barycentrics, BuiltIn::bary_coord_khr, Capability::fragment_barycentric_khr},
      {B::barycentrics_linear, BuiltIn::bary_coord_no_persp_khr, Capability::fragment_barycentric_khr},
      {B::render_target_array_index, BuiltIn::layer, Capability::geometry},
      {B::viewport_array_index, BuiltIn::viewport_index, Capability::multi_viewport},
      {B::view_id, BuiltIn::view_index, Capability::multi_view},
      {B::shading_rate, BuiltIn::shading_rate_khr, Capability::fragment_shading_rate_khr},
      {B::coverage, BuiltIn::sample_mask, Capability::shader},
      {B::inner_coverage, BuiltIn::fully_covered_ext, Capability::fragment_fully_covered_ext},
      {B::device_index, BuiltIn::device_index, Capability::device_group},
  };
  const auto* const row = std::ranges::find(kRows, which, &Row::builtin);
  const ir::BuiltinInfo& info = ir::info(which);
  if (row == std::end(kRows)) {
    unsupported("the built-in `" + std::string(info.text) + '`');
    static constexpr Variable kNothing;
    return kNothing;
  }
  out.capability(row->capability);
  if (row->capability == Capability::fragment_barycentric_khr) out.extension("SPV_KHR_fragment_shader_barycentric");
  if (row->capability == Capability::fragment_shading_rate_khr) out.extension("SPV_KHR_fragment_shading_rate");
  if (which == B::primitive_id && module.stage == Stage::pixel) out.capability(Capability::geometry);
  if (row->capability == Capability::fragment_fully_covered_ext) out.extension("SPV_EXT_fragment_fully_covered");
  is_bool = info.type == Type::b1 || which == B::inner_coverage;
  Word type = out.vector_type(type_of(info.type), info.components);
  if (which == B::coverage) type = out.array_type(out.int_type(32), 1);
  if (is_bool) type = out.bool_type();
  const Variable made = builtin_variable(row->spirv, type, StorageClass::input);
  return builtins_.emplace(which, std::pair(made, is_bool)).first->second.first;
}

}  // namespace unshade::write::spirv_writer

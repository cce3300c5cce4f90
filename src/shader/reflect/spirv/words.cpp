#include "shader/reflect/spirv/words.hpp"

#include <algorithm>
#include <span>
#include <string_view>

namespace unshade::shader::reflection {

using dxcontainer::ComponentType;
using dxcontainer::SystemValue;
using spirv::BuiltIn;

namespace {

BaseType integer_type(std::uint16_t width, bool is_signed) {
  switch (width) {
    case 8: return is_signed ? BaseType::int8 : BaseType::uint8;
    case 16: return is_signed ? BaseType::int16 : BaseType::uint16;
    case 64: return is_signed ? BaseType::int64 : BaseType::uint64;
    default: return is_signed ? BaseType::int_ : BaseType::uint_;
  }
}

/// `NV` of `OutputLinesNV`; empty if there is none.
std::string_view vendor_of(std::string_view name) {
  const std::size_t last = name.find_last_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ");
  const std::string_view letters = name.substr(last == std::string_view::npos ? 0 : last + 1);
  return letters.size() < 2 ? std::string_view() : letters;
}

// How well a name fits what the module declares: the higher the better.
int fitness(const spirv::Interface& module, spirv::OperandKind kind, const spirv::Enumerant& row) {
  const std::string_view vendor = vendor_of(row.text);
  if (vendor.empty()) return 100;
  int fits = vendor == "KHR" ? 2 : vendor == "EXT" ? 1 : 0;
  const std::string prefix = "SPV_" + std::string(vendor) + '_';
  if (std::ranges::any_of(module.extensions, [&](const std::string& one) { return one.starts_with(prefix); })) fits += 10;
  // of a capability they are those that it brings
  for (const spirv::Capability capability :
       kind == spirv::OperandKind::capability ? std::span<const spirv::Capability>() : row.capabilities) {
    if (std::ranges::find(module.capabilities, capability) == module.capabilities.end()) continue;
    const auto names = spirv::find_enumerants(spirv::OperandKind::capability, static_cast<std::uint32_t>(capability));
    if (names.size() == 1 && vendor_of(names.front().text) == vendor) fits += 20;
  }
  return fits;
}

}  // namespace

SystemValue system_value_of(BuiltIn built_in) {
  switch (built_in) {
    case BuiltIn::position:
    case BuiltIn::frag_coord: return SystemValue::position;
    case BuiltIn::clip_distance: return SystemValue::clip_distance;
    case BuiltIn::cull_distance: return SystemValue::cull_distance;
    case BuiltIn::layer: return SystemValue::render_target_array_index;
    case BuiltIn::viewport_index: return SystemValue::viewport_array_index;
    case BuiltIn::vertex_id:
    case BuiltIn::vertex_index: return SystemValue::vertex_id;
    case BuiltIn::instance_id:
    case BuiltIn::instance_index: return SystemValue::instance_id;
    case BuiltIn::primitive_id: return SystemValue::primitive_id;
    case BuiltIn::front_facing: return SystemValue::is_front_face;
    case BuiltIn::sample_id: return SystemValue::sample_index;
    case BuiltIn::sample_mask: return SystemValue::coverage;
    case BuiltIn::frag_depth: return SystemValue::depth;
    case BuiltIn::frag_stencil_ref_ext: return SystemValue::stencil_ref;
    case BuiltIn::bary_coord_nv: return SystemValue::barycentrics;
    case BuiltIn::shading_rate_khr:
    case BuiltIn::primitive_shading_rate_khr: return SystemValue::shading_rate;
    case BuiltIn::cull_primitive_ext: return SystemValue::cull_primitive;
    default: return SystemValue::undefined;
  }
}

BaseType base_type_of(const spirv::Type& type) {
  switch (type.kind) {
    case spirv::TypeKind::boolean: return BaseType::bool_;
    case spirv::TypeKind::integer: return integer_type(type.width, type.is_signed);
    case spirv::TypeKind::real: return type.width == 16 ? BaseType::float16 : type.width == 64 ? BaseType::double_ : BaseType::float_;
    case spirv::TypeKind::pointer: return BaseType::pointer;
    default: return BaseType::void_;
  }
}

ComponentType component_type_of(const spirv::Type& type) {
  if (type.kind == spirv::TypeKind::boolean) return ComponentType::uint32;
  if (type.kind == spirv::TypeKind::real)
    return type.width == 16 ? ComponentType::float16 : type.width == 64 ? ComponentType::float64 : ComponentType::float32;
  if (type.kind != spirv::TypeKind::integer) return ComponentType::unknown;
  if (type.width == 16) return type.is_signed ? ComponentType::sint16 : ComponentType::uint16;
  if (type.width == 64) return type.is_signed ? ComponentType::sint64 : ComponentType::uint64;
  return type.is_signed ? ComponentType::sint32 : ComponentType::uint32;
}

ReturnType texel_return_type(const spirv::Type* texel) {
  if (texel == nullptr) return ReturnType::none;
  if (texel->kind == spirv::TypeKind::real) return texel->width == 64 ? ReturnType::double_ : ReturnType::float_;
  if (texel->kind == spirv::TypeKind::integer) return texel->is_signed ? ReturnType::sint : ReturnType::uint;
  return ReturnType::none;
}

ResourceDimension image_dimension_of(const spirv::ImageInfo& image) {
  switch (image.dim) {
    case spirv::Dim::dim_1d: return image.is_arrayed ? ResourceDimension::texture1d_array : ResourceDimension::texture1d;
    case spirv::Dim::dim_2d:
    case spirv::Dim::rect:
      if (image.is_multisampled) return image.is_arrayed ? ResourceDimension::texture2d_ms_array : ResourceDimension::texture2d_ms;
      return image.is_arrayed ? ResourceDimension::texture2d_array : ResourceDimension::texture2d;
    case spirv::Dim::dim_3d: return ResourceDimension::texture3d;
    case spirv::Dim::cube: return image.is_arrayed ? ResourceDimension::texture_cube_array : ResourceDimension::texture_cube;
    case spirv::Dim::buffer: return ResourceDimension::buffer;
    case spirv::Dim::subpass_data: return image.is_multisampled ? ResourceDimension::texture2d_ms : ResourceDimension::texture2d;
    default: return ResourceDimension::unknown;
  }
}

Interpolation interpolation_of(const spirv::Decorations& d) {
  if (d.flat || d.per_primitive) return Interpolation::constant;
  if (d.no_perspective) {
    if (d.centroid) return Interpolation::linear_noperspective_centroid;
    return d.sample ? Interpolation::linear_noperspective_sample : Interpolation::linear_noperspective;
  }
  if (d.centroid) return Interpolation::linear_centroid;
  return d.sample ? Interpolation::linear_sample : Interpolation::linear;
}

std::string enumerant_text(spirv::OperandKind kind, std::uint32_t value) {
  const spirv::Enumerant* const row = spirv::find_enumerant(kind, value);
  return row != nullptr ? std::string(row->text) : std::to_string(value);
}

std::string declared_text(const spirv::Interface& module, spirv::OperandKind kind, std::uint32_t value) {
  const auto rows = spirv::find_enumerants(kind, value);
  if (rows.empty()) return std::to_string(value);
  const auto best = std::ranges::max_element(rows, {}, [&](const spirv::Enumerant& row) { return fitness(module, kind, row); });
  return std::string(best->text);
}

}  // namespace unshade::shader::reflection

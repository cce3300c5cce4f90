#include <unshade/dxil/program/vocabulary.hpp>

#include <unshade/dxcontainer/words.hpp>

namespace unshade::dxil {

dxcontainer::ResourceKind resource_kind_of(ResourceKind kind, ResourceClass resource_class, bool has_counter) {
  using Reported = dxcontainer::ResourceKind;
  const bool is_uav = resource_class == ResourceClass::uav;
  switch (kind) {
    case ResourceKind::cbuffer: return Reported::cbuffer;
    case ResourceKind::sampler: return Reported::sampler;
    case ResourceKind::tbuffer: return Reported::tbuffer;
    case ResourceKind::raw_buffer: return is_uav ? Reported::uav_byte_address : Reported::byte_address;
    case ResourceKind::structured_buffer:
      if (!is_uav) return Reported::structured;
      return has_counter ? Reported::uav_structured_with_counter : Reported::uav_structured;
    case ResourceKind::acceleration_structure: return Reported::acceleration_structure;
    case ResourceKind::feedback_texture2d:
    case ResourceKind::feedback_texture2d_array: return Reported::uav_feedback;
    default: return is_uav ? Reported::uav_typed : Reported::texture;
  }
}

dxcontainer::ResourceDimension dimension_of(ResourceKind kind) {
  using dxcontainer::ResourceDimension;
  switch (kind) {
    case ResourceKind::typed_buffer:
    case ResourceKind::raw_buffer:
    case ResourceKind::structured_buffer: return ResourceDimension::buffer;
    case ResourceKind::feedback_texture2d: return ResourceDimension::texture2d;
    case ResourceKind::feedback_texture2d_array: return ResourceDimension::texture2d_array;
    default: break;
  }
  for (const dxcontainer::Shape& shape : dxcontainer::kShapes)
    if (shape.kind != 0 && shape.kind == static_cast<std::uint32_t>(kind)) return shape.dimension;
  return ResourceDimension::unknown;
}

Stage stage_of(ShaderKind kind) {
  const auto number = static_cast<std::uint32_t>(kind);
  switch (kind) {
    case ShaderKind::pixel:
    case ShaderKind::vertex:
    case ShaderKind::geometry:
    case ShaderKind::hull:
    case ShaderKind::domain:
    case ShaderKind::compute:
    case ShaderKind::library: return static_cast<Stage>(number + 1);
    case ShaderKind::ray_generation: return Stage::ray_generation;
    case ShaderKind::intersection: return Stage::intersection;
    case ShaderKind::any_hit: return Stage::any_hit;
    case ShaderKind::closest_hit: return Stage::closest_hit;
    case ShaderKind::miss: return Stage::miss;
    case ShaderKind::callable: return Stage::callable;
    case ShaderKind::mesh: return Stage::mesh;
    case ShaderKind::amplification: return Stage::amplification;
    case ShaderKind::node: return Stage::node;
    default: return Stage::none;
  }
}

}  // namespace unshade::dxil

#include "dxil/program/part_vocabulary.hpp"

namespace unshade::dxil {

std::uint32_t last_register_of(const ProgramResource& r) {
  constexpr std::uint32_t kUnbounded = 0xffff'ffff;
  return r.count == kUnbounded ? kUnbounded : static_cast<std::uint32_t>(std::uint64_t{r.lower_bound} + r.count - 1);
}

std::vector<const ProgramResource*> resources_in_order(const ProgramMetadata& p) {
  std::vector<const ProgramResource*> all;
  for (const auto* list : {&p.constant_buffers, &p.samplers, &p.shader_resources, &p.unordered_access})
    for (const ProgramResource& r : *list) all.push_back(&r);
  return all;
}

dxcontainer::ComponentType outer_type(ComponentType type) {
  using Outer = dxcontainer::ComponentType;
  switch (type) {
    case ComponentType::i1:
    case ComponentType::packed_s8x32:
    case ComponentType::packed_u8x32:
    case ComponentType::u32: return Outer::uint32;
    case ComponentType::i32: return Outer::sint32;
    case ComponentType::u16: return Outer::uint16;
    case ComponentType::i16: return Outer::sint16;
    case ComponentType::u64: return Outer::uint64;
    case ComponentType::i64: return Outer::sint64;
    case ComponentType::f16: return Outer::float16;
    case ComponentType::f32: return Outer::float32;
    case ComponentType::f64: return Outer::float64;
    default: return Outer::unknown;  // those of normalized values among them
  }
}

PsvResourceType psv_type(const ProgramResource& r) {
  const bool uav = r.resource_class == ResourceClass::uav;
  switch (r.resource_class) {
    case ResourceClass::cbuffer: return PsvResourceType::cbv;
    case ResourceClass::sampler: return PsvResourceType::sampler;
    default: break;
  }
  switch (r.kind) {
    case ResourceKind::structured_buffer:
      return !uav            ? PsvResourceType::srv_structured
             : r.has_counter ? PsvResourceType::uav_structured_with_counter
                             : PsvResourceType::uav_structured;
    case ResourceKind::raw_buffer:
    case ResourceKind::acceleration_structure: return uav ? PsvResourceType::uav_raw : PsvResourceType::srv_raw;
    default: return uav ? PsvResourceType::uav_typed : PsvResourceType::srv_typed;
  }
}

}  // namespace unshade::dxil

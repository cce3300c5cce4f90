#include "dxil/program/part_vocabulary.hpp"

#include <unshade/dxcontainer/vocabulary.hpp>

namespace unshade::dxil::program {

using dxcontainer::kUnbounded;

std::uint32_t last_register_of(const ProgramResource& r) {
  return r.count == kUnbounded ? kUnbounded : static_cast<std::uint32_t>(std::uint64_t{r.lower_bound} + r.count - 1);
}

std::uint32_t declared_flags(const ProgramResource& resource) {
  return (resource.globally_coherent ? 0x1U : 0) | (resource.has_counter ? 0x2U : 0) | (resource.raster_ordered ? 0x4U : 0) |
         (resource.reorder_coherent ? 0x20U : 0);
}

std::vector<const ProgramResource*> resources_in_order(const ProgramMetadata& p) {
  std::vector<const ProgramResource*> all;
  for (const auto* list : {&p.constant_buffers, &p.samplers, &p.shader_resources, &p.unordered_access})
    for (const ProgramResource& r : *list) all.push_back(&r);
  return all;
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

}  // namespace unshade::dxil::program

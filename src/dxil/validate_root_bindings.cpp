// Whether a root signature binds what PSV0 says the program uses.
#include <cstdint>
#include <string>

#include <unshade/dxcontainer/root_signature.hpp>

#include "dxcontainer/root_bindings.hpp"
#include "dxil/validate.hpp"

namespace unshade::dxil {

using dxcontainer::DescriptorRangeType;
using dxcontainer::Part;
using dxcontainer::ShaderVisibility;

namespace {

ShaderVisibility visibility_of(ShaderKind kind) {
  switch (kind) {
    case ShaderKind::vertex: return ShaderVisibility::vertex;
    case ShaderKind::hull: return ShaderVisibility::hull;
    case ShaderKind::domain: return ShaderVisibility::domain;
    case ShaderKind::geometry: return ShaderVisibility::geometry;
    case ShaderKind::pixel: return ShaderVisibility::pixel;
    case ShaderKind::amplification: return ShaderVisibility::amplification;
    case ShaderKind::mesh: return ShaderVisibility::mesh;
    default: return ShaderVisibility::all;
  }
}

DescriptorRangeType range_type(PsvResourceType type) {
  if (type >= PsvResourceType::uav_typed) return DescriptorRangeType::uav;
  if (type >= PsvResourceType::srv_typed) return DescriptorRangeType::srv;
  return type == PsvResourceType::cbv ? DescriptorRangeType::cbv : DescriptorRangeType::sampler;
}

bool fits_root_descriptor(PsvResourceType type) {
  return type != PsvResourceType::srv_typed && type != PsvResourceType::uav_typed && type != PsvResourceType::uav_structured_with_counter;
}

}  // namespace

void validate_root_bindings(const Part& root_part, const Part& psv_part, const Psv& psv, ShaderKind kind, Findings& findings) {
  const auto root = dxcontainer::parse_root_signature(root_part);
  if (!root) return;  // noted by who reads root signatures
  const dxcontainer::RootBindings bindings(*root, visibility_of(kind));
  for (std::size_t i = 0; i < psv.resources.size(); ++i) {
    const PsvResource& r = psv.resources[i];
    if (id(r.type).empty() || r.type == PsvResourceType::invalid || r.upper_bound < r.lower_bound) continue;
    std::string fault = bindings.fault({range_type(r.type), fits_root_descriptor(r.type), r.space, r.lower_bound, r.upper_bound});
    if (fault.empty()) continue;
    findings.add(rules::kDxilRootBinding, psv_resource_offset(psv_part, psv, i),
                 std::string(psv_part.name()) + "/resources[" + std::to_string(i) + ']', std::move(fault));
  }
}

}  // namespace unshade::dxil

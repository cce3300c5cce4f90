// Whether a root signature binds what the program uses.
// src: DXC lib/DxilRootSignature/DxilRootSignatureValidator.cpp, VerifyShader
#include <algorithm>
#include <cstdint>
#include <string>
#include <tuple>
#include <vector>

#include <unshade/dxcontainer/root_signature.hpp>

#include "dxil/validate.hpp"

namespace unshade::dxil {

using dxcontainer::DescriptorRange;
using dxcontainer::DescriptorRangeType;
using dxcontainer::Part;
using dxcontainer::RootParameter;
using dxcontainer::RootParameterType;
using dxcontainer::RootSignature;
using dxcontainer::ShaderVisibility;
using dxcontainer::StaticSampler;

namespace {

constexpr std::uint32_t kUnbounded = 0xffff'ffff;

/// Registers that a root signature binds for a stage.
struct Bound {
  DescriptorRangeType type;
  std::uint32_t space;
  std::uint32_t first;
  std::uint32_t last;
  bool is_root_descriptor;
};

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

// The flag that denies a stage access. src: d3d12.h, D3D12_ROOT_SIGNATURE_FLAGS
std::uint32_t denying_flag(ShaderKind kind) {
  switch (kind) {
    case ShaderKind::vertex: return 0x2;
    case ShaderKind::hull: return 0x4;
    case ShaderKind::domain: return 0x8;
    case ShaderKind::geometry: return 0x10;
    case ShaderKind::pixel: return 0x20;
    case ShaderKind::amplification: return 0x100;
    case ShaderKind::mesh: return 0x200;
    default: return 0;
  }
}

std::vector<Bound> bound_registers(const RootSignature& root, ShaderKind kind) {
  std::vector<Bound> bound;
  const auto add = [&](ShaderVisibility visibility, DescriptorRangeType type, std::uint32_t space, std::uint32_t first, std::uint32_t count,
                       bool is_root_descriptor) {
    // Compute shaders see everything.
    if (visibility != ShaderVisibility::all && visibility != visibility_of(kind) && visibility_of(kind) != ShaderVisibility::all) return;
    if (count == 0) return;
    const std::uint64_t last = std::uint64_t{first} + count - 1;
    bound.push_back(
        {type, space, first, count == kUnbounded || last > kUnbounded ? kUnbounded : static_cast<std::uint32_t>(last), is_root_descriptor});
  };
  for (const RootParameter& p : root.parameters) {
    switch (p.type) {
      case RootParameterType::descriptor_table:
        for (const DescriptorRange& r : p.ranges) add(p.visibility, r.type, r.space, r.base_register, r.count, false);
        break;
      case RootParameterType::constants: add(p.visibility, DescriptorRangeType::cbv, p.space, p.shader_register, 1, false); break;
      case RootParameterType::cbv: add(p.visibility, DescriptorRangeType::cbv, p.space, p.shader_register, 1, true); break;
      case RootParameterType::srv: add(p.visibility, DescriptorRangeType::srv, p.space, p.shader_register, 1, true); break;
      case RootParameterType::uav: add(p.visibility, DescriptorRangeType::uav, p.space, p.shader_register, 1, true); break;
    }
  }
  for (const StaticSampler& s : root.static_samplers) add(s.visibility, DescriptorRangeType::sampler, s.space, s.shader_register, 1, false);
  std::sort(bound.begin(), bound.end(),
            [](const Bound& a, const Bound& b) { return std::tie(a.type, a.space, a.first) < std::tie(b.type, b.space, b.first); });
  return bound;
}

DescriptorRangeType range_type(PsvResourceType type) {
  if (type >= PsvResourceType::uav_typed) return DescriptorRangeType::uav;
  if (type >= PsvResourceType::srv_typed) return DescriptorRangeType::srv;
  return type == PsvResourceType::cbv ? DescriptorRangeType::cbv : DescriptorRangeType::sampler;
}

// Root descriptors are addresses: nothing that needs a format or a counter.
bool fits_root_descriptor(PsvResourceType type) {
  return type != PsvResourceType::srv_typed && type != PsvResourceType::uav_typed && type != PsvResourceType::uav_structured_with_counter;
}

}  // namespace

void validate_root_bindings(const Part& root_part, const Part& psv_part, const Psv& psv, ShaderKind kind, Findings& findings) {
  const auto root = dxcontainer::parse_root_signature(root_part);
  if (!root) return;  // noted by who reads root signatures
  const std::vector<Bound> bound = bound_registers(*root, kind);
  const bool is_denied = (root->flags & denying_flag(kind)) != 0;
  for (std::size_t i = 0; i < psv.resources.size(); ++i) {
    const PsvResource& r = psv.resources[i];
    if (id(r.type).empty() || r.type == PsvResourceType::invalid || r.upper_bound < r.lower_bound) continue;
    const auto add = [&](std::string message) {
      findings.add(rules::kDxilRootBinding, psv_resource_offset(psv_part, psv, i),
                   std::string(psv_part.name()) + "/resources[" + std::to_string(i) + ']', std::move(message));
    };
    const std::string what =
        "registers " + std::to_string(r.lower_bound) + " to " + std::to_string(r.upper_bound) + " of space " + std::to_string(r.space);
    if (is_denied) {
      add("the root signature denies the stage access");
      continue;
    }
    // The range that begins last at or before the first register. Of an unbounded resource that register alone has to be bound.
    const DescriptorRangeType type = range_type(r.type);
    auto behind = std::upper_bound(bound.begin(), bound.end(), std::tie(type, r.space, r.lower_bound),
                                   [](const auto& key, const Bound& b) { return key < std::tie(b.type, b.space, b.first); });
    const std::uint32_t last = r.upper_bound == kUnbounded ? r.lower_bound : r.upper_bound;
    const bool covered = behind != bound.begin() && std::prev(behind)->type == type && std::prev(behind)->space == r.space &&
                         std::prev(behind)->last >= last;
    if (!covered) {
      add(what + " are not bound");
    } else if (std::prev(behind)->is_root_descriptor && !fits_root_descriptor(r.type)) {
      add(what + " are bound as a root descriptor, which takes raw and structured buffers alone");
    }
  }
}

}  // namespace unshade::dxil

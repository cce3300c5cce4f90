// Whether a root signature binds what PSV0 says the program uses.
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include <unshade/dxcontainer/root_signature.hpp>
#include <unshade/dxcontainer/root_signature/bindings.hpp>
#include <unshade/dxil/metadata.hpp>
#include <unshade/dxil/module.hpp>
#include <unshade/dxil/parts.hpp>

#include "dxil/validate/validate.hpp"

namespace unshade::dxil::validate {

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

namespace {

/// The names of resources, which PSV0 does not have: of the program, or of the module for reflection if the program has none.
class ResourceNames {
 public:
  ResourceNames(const dxcontainer::Container& container, const ModuleSource& modules) {
    for (const std::uint32_t code : {dxcontainer::fourcc("DXIL"), dxcontainer::fourcc("STAT")}) {
      const Part* const part = container.find(code);
      if (part == nullptr) continue;
      const auto program = parse_program(*part);
      if (!program) continue;
      const auto module = modules.module(program->bitcode);
      if (!module) continue;
      const ProgramMetadata metadata = read_program_metadata(**module);
      add(DescriptorRangeType::srv, metadata.shader_resources);
      add(DescriptorRangeType::uav, metadata.unordered_access);
      add(DescriptorRangeType::cbv, metadata.constant_buffers);
      add(DescriptorRangeType::sampler, metadata.samplers);
    }
  }

  /// Empty if it is not known.
  std::string find(DescriptorRangeType type, std::uint32_t space, std::uint32_t lower) const {
    const auto found = names_.find({type, space, lower});
    return found == names_.end() ? std::string() : found->second;
  }

 private:
  void add(DescriptorRangeType type, const std::vector<ProgramResource>& resources) {
    for (const ProgramResource& r : resources)
      if (!r.name.empty()) names_.emplace(std::tuple(type, r.space, r.lower_bound), r.name);
  }

  std::map<std::tuple<DescriptorRangeType, std::uint32_t, std::uint32_t>, std::string> names_;
};

}  // namespace

void check_root_bindings(const dxcontainer::Container& container, const Part& psv_part, const Psv& psv, ShaderKind kind, Findings& findings,
                         const ModuleSource& modules) {
  const Part& root_part = *container.find(dxcontainer::fourcc("RTS0"));
  const auto root = dxcontainer::parse_root_signature(root_part);
  if (!root) return;  // noted by who reads root signatures
  const dxcontainer::root_signature::Bindings bindings(*root, visibility_of(kind));
  std::optional<ResourceNames> names;
  for (std::size_t i = 0; i < psv.resources.size(); ++i) {
    const PsvResource& r = psv.resources[i];
    if (id(r.type).empty() || r.type == PsvResourceType::invalid || r.upper_bound < r.lower_bound) continue;
    std::string fault = bindings.fault({range_type(r.type), fits_root_descriptor(r.type), r.space, r.lower_bound, r.upper_bound});
    if (fault.empty()) continue;
    if (!names) names.emplace(container, modules);
    if (const std::string name = names->find(range_type(r.type), r.space, r.lower_bound); !name.empty()) fault += " (" + name + ')';
    findings.add(rules::kDxilRootBinding, psv_resource_offset(psv_part, psv, i),
                 std::string(psv_part.name()) + "/resources[" + std::to_string(i) + ']', std::move(fault));
  }
}

}  // namespace unshade::dxil::validate

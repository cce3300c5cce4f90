// Whether a root signature binds all that the program declares.
#include <optional>
#include <string>
#include <utility>

#include <unshade/dxbc/program/facts.hpp>
#include <unshade/dxbc/rdef.hpp>
#include <unshade/dxcontainer/root_signature.hpp>
#include <unshade/dxcontainer/root_signature/bindings.hpp>

#include "dxbc/validate/validate.hpp"

namespace unshade::dxbc::validate {

using dxcontainer::DescriptorRangeType;
using dxcontainer::Part;
using dxcontainer::ShaderVisibility;

namespace {

ShaderVisibility visibility_of(Stage stage) {
  switch (stage) {
    case Stage::vertex: return ShaderVisibility::vertex;
    case Stage::hull: return ShaderVisibility::hull;
    case Stage::domain: return ShaderVisibility::domain;
    case Stage::geometry: return ShaderVisibility::geometry;
    case Stage::pixel: return ShaderVisibility::pixel;
    default: return ShaderVisibility::all;
  }
}

DescriptorRangeType range_type(OperandType type) {
  switch (type) {
    case OperandType::constant_buffer: return DescriptorRangeType::cbv;
    case OperandType::sampler: return DescriptorRangeType::sampler;
    case OperandType::uav: return DescriptorRangeType::uav;
    default: return DescriptorRangeType::srv;
  }
}

DescriptorRangeType range_type(const Binding& binding) {
  if (binding.kind == ResourceKind::cbuffer) return DescriptorRangeType::cbv;
  if (binding.kind == ResourceKind::sampler) return DescriptorRangeType::sampler;
  return binding.is_uav() ? DescriptorRangeType::uav : DescriptorRangeType::srv;
}

/// Empty if there are none.
Rdef definitions_of(const dxcontainer::Container& container) {
  const Part* const part = container.find(dxcontainer::fourcc("RDEF"));
  if (part == nullptr) return {};
  auto definitions = parse_rdef(*part);
  return definitions ? *std::move(definitions) : Rdef{};
}

/// The name of a resource in the definitions; empty if it has none.
std::string resource_name(const Rdef& definitions, const program::DeclaredBinding& declared) {
  for (const Binding& binding : definitions.bindings)
    if (range_type(binding) == range_type(declared.type) && binding.space == declared.space && binding.bind_point <= declared.lower &&
        (binding.bind_count == 0 || declared.lower - binding.bind_point < binding.bind_count))
      return std::string(binding.name.text);
  return {};
}

}  // namespace

void check_root_bindings(const dxcontainer::Container& container, const Part& program_part, const Program& program,
                         const program::ProgramFacts& facts, Findings& findings) {
  const auto root = dxcontainer::parse_root_signature(*container.find(dxcontainer::fourcc("RTS0")));
  if (!root) return;  // noted by who reads root signatures
  const dxcontainer::root_signature::Bindings bindings(*root, visibility_of(program.stage));
  std::optional<Rdef> definitions;  // read for the first fault
  for (const program::DeclaredBinding& declared : facts.bindings) {
    if (declared.upper < declared.lower) continue;
    const bool is_buffer = declared.layout != program::Layout::typed || declared.type == OperandType::constant_buffer;
    std::string fault =
        bindings.fault({range_type(declared.type), is_buffer && !declared.has_counter, declared.space, declared.lower, declared.upper});
    if (fault.empty()) continue;
    if (!definitions) definitions = definitions_of(container);
    if (const std::string name = resource_name(*definitions, declared); !name.empty()) fault += " (" + name + ')';
    findings.add(rules::kDxbcRootBinding, program_part.data.file_offset() + std::uint64_t{4} * declared.token, program_part.name(),
                 std::move(fault));
  }
}

}  // namespace unshade::dxbc::validate

// Whether a root signature binds what the program declares.
#include <string>
#include <utility>

#include <unshade/dxcontainer/root_signature.hpp>

#include "dxbc/program_facts.hpp"
#include "dxbc/validate.hpp"
#include "dxcontainer/root_bindings.hpp"

namespace unshade::dxbc {

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

}  // namespace

void validate_root_bindings(const Part& root_part, const Part& program_part, const Program& program, const ProgramFacts& facts,
                            Findings& findings) {
  const auto root = dxcontainer::parse_root_signature(root_part);
  if (!root) return;  // noted by who reads root signatures
  const dxcontainer::RootBindings bindings(*root, visibility_of(program.stage));
  for (const DeclaredBinding& declared : facts.bindings) {
    if (declared.upper < declared.lower) continue;
    const bool is_buffer = declared.layout != Layout::typed || declared.type == OperandType::constant_buffer;
    std::string fault =
        bindings.fault({range_type(declared.type), is_buffer && !declared.has_counter, declared.space, declared.lower, declared.upper});
    if (fault.empty()) continue;
    findings.add(rules::kDxbcRootBinding, program_part.data.file_offset() + std::uint64_t{4} * declared.token, program_part.name(),
                 std::string(find_operand(declared.type)->text) + std::to_string(declared.lower) + ": " + std::move(fault));
  }
}

}  // namespace unshade::dxbc

#include <unshade/dxbc/rdef.hpp>

#include <array>
#include <span>

#include <unshade/core/archive/writer.hpp>
#include <unshade/dxcontainer/part_model.hpp>

#include "dxbc/parts/rdef_layout.hpp"

namespace unshade::dxbc {

namespace {

constexpr NamedValue kTargets[] = {
    {0x4353, "compute"}, {0x4453, "domain"},  {0x4658, "effect"}, {0x4753, "geometry"},
    {0x4853, "hull"},    {0x4c46, "library"}, {0xfffe, "vertex"}, {0xffff, "pixel"},
};
constexpr NameTable kTargetNames{kTargets};
constexpr FieldType kTargetType{FieldKind::enumeration, "target", &kTargetNames};

// src: d3dcompiler.h, D3DCOMPILE_*
constexpr NamedValue kCompileFlagBits[] = {
    {0x1, "debug"},
    {0x2, "skip_validation"},
    {0x4, "skip_optimization"},
    {0x8, "pack_matrix_row_major"},
    {0x10, "pack_matrix_column_major"},
    {0x20, "partial_precision"},
    {0x40, "force_vs_software_no_opt"},
    {0x80, "force_ps_software_no_opt"},
    {0x100, "no_preshader"},
    {0x200, "avoid_flow_control"},
    {0x400, "prefer_flow_control"},
    {0x800, "enable_strictness"},
    {0x1000, "enable_backwards_compatibility"},
    {0x2000, "ieee_strictness"},
    {0x4000, "optimization_level0"},
    {0x8000, "optimization_level3"},
    {0x40000, "warnings_are_errors"},
    {0x80000, "resources_may_alias"},
    {0x100000, "enable_unbounded_descriptor_tables"},
    {0x200000, "all_resources_bound"},
};
constexpr NameTable kCompileFlagNames{kCompileFlagBits};

// src: d3dcommon.h, D3D_SHADER_CBUFFER_FLAGS, D3D_SHADER_VARIABLE_FLAGS, D3D_SHADER_INPUT_FLAGS
constexpr NamedValue kBufferFlagBits[] = {{kBufferUserPacked, "user_packed"}};
constexpr NameTable kBufferFlagNames{kBufferFlagBits};
constexpr NamedValue kVariableFlagBits[] = {{kVariableUserPacked, "user_packed"},
                                            {kVariableUsed, "used"},
                                            {kVariableInterfacePointer, "interface_pointer"},
                                            {kVariableInterfaceParameter, "interface_parameter"}};
constexpr NameTable kVariableFlagNames{kVariableFlagBits};
constexpr NamedValue kBindingFlagBits[] = {{kBindingUserPacked, "user_packed"},
                                           {kBindingComparisonSampler, "comparison_sampler"},
                                           {0x4, "texture_component_0"},
                                           {0x8, "texture_component_1"},
                                           {kBindingUnused, "unused"}};
constexpr NameTable kBindingFlagNames{kBindingFlagBits};

/// Whether a table of `count` variables, `stride` bytes each, reads as one: names and types lie within the part, and the variables that
/// follow one another do not go back.
bool reads_as_variables(View part, std::size_t at, std::size_t count, std::size_t stride) {
  if (count > part.left(at) / stride) return false;
  std::uint32_t previous = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t record = at + i * stride;
    const auto name = part.load_unchecked<std::uint32_t>(record);
    const auto offset = part.load_unchecked<std::uint32_t>(record + 4);
    const auto type = part.load_unchecked<std::uint32_t>(record + 16);
    if (name == 0 || name >= part.size() || type == 0 || type >= part.size() || offset < previous) return false;
    previous = offset;
  }
  return true;
}

}  // namespace

constexpr FieldType kCompileFlags{FieldKind::flags, "compile flags", &kCompileFlagNames};
constexpr FieldType kBufferFlags{FieldKind::flags, "buffer flags", &kBufferFlagNames};
constexpr FieldType kVariableFlags{FieldKind::flags, "variable flags", &kVariableFlagNames};
constexpr FieldType kBindingFlags{FieldKind::flags, "binding flags", &kBindingFlagNames};

const FieldType& field_type(RdefTarget) { return kTargetType; }

std::string_view id(RdefTarget target) { return kTargetNames.find(static_cast<std::uint32_t>(target)); }

RdefStrides rdef_strides(View part) {
  RdefStrides strides;
  const auto magic = part.u32(28);
  const auto header = part.u32(32);
  if ((magic == kRdefMagic50 || magic == kRdefMagic51) && header.value_or(0) >= 60 && part.holds(0, 60)) {
    strides.header = *header;
    strides.constant_buffer = part.load_unchecked<std::uint32_t>(36);
    strides.binding = part.load_unchecked<std::uint32_t>(40);
    strides.variable = part.load_unchecked<std::uint32_t>(44);
    strides.type = part.load_unchecked<std::uint32_t>(48);
    strides.member = part.load_unchecked<std::uint32_t>(52);
    return strides;
  }
  // Some files of shader model 4 use the longer variables of 5.0 without saying so: it shows where a buffer has more than one.
  const std::size_t buffers = part.u32(4).value_or(0);
  const std::size_t count = part.u32(0).value_or(0);
  for (std::size_t i = 0; i < count && part.holds(buffers + i * strides.constant_buffer, strides.constant_buffer); ++i) {
    const std::size_t buffer = buffers + i * strides.constant_buffer;
    const auto variables = part.load_unchecked<std::uint32_t>(buffer + 4);
    const auto table = part.load_unchecked<std::uint32_t>(buffer + 8);
    if (variables < 2) continue;
    if (!reads_as_variables(part, table, 2, 24) && reads_as_variables(part, table, variables, 40)) strides.variable = 40;
    break;
  }
  return strides;
}

RdefStrides standard_strides(std::uint32_t magic) {
  if (magic == kRdefMagic50) return {60, 24, 32, 40, 36, 12};
  if (magic == kRdefMagic51) return {60, 24, 40, 40, 36, 12};
  return {};
}

Result<Rdef> parse_rdef(const dxcontainer::Part& part) { return dxcontainer::parse_model<Rdef>(part); }

void record_rdef(const dxcontainer::Part& part, Tree& tree, std::uint32_t group) { dxcontainer::record_model<Rdef>(part, tree, group); }

std::vector<std::byte> write_rdef(const Rdef& rdef) { return write_part(rdef); }

}  // namespace unshade::dxbc

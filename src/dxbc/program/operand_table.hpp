// The operand types: one row each, by their number.
#pragma once

#include <iterator>
#include <string_view>

#include <unshade/dxbc/program.hpp>

namespace unshade::dxbc::program {

// src: d3d12TokenizedProgramFormat.hpp; texts observed in fxc's listings.
inline constexpr OperandInfo kOperands[] = {
    {"temp", "r"},
    {"input", "v"},
    {"output", "o"},
    {"indexable_temp", "x"},
    {"immediate32", "l"},
    {"immediate64", "d"},
    {"sampler", "s"},
    {"resource", "t"},
    {"constant_buffer", "cb"},
    {"immediate_constant_buffer", "icb"},
    {"label", "l"},
    {"input_primitive_id", "vPrim"},
    {"output_depth", "oDepth"},
    {"null", "null"},
    {"rasterizer", "rasterizer"},
    {"output_coverage_mask", "oMask"},
    {"stream", "m"},
    {"function_body", "fb"},
    {"function_table", "ft"},
    {"interface", "fp"},
    {"function_input", "fi"},
    {"function_output", "fo"},
    {"output_control_point_id", "vOutputControlPointID"},
    {"input_fork_instance_id", "vForkInstanceID"},
    {"input_join_instance_id", "vJoinInstanceID"},
    {"input_control_point", "vicp"},
    {"output_control_point", "vocp"},
    {"input_patch_constant", "vpc"},
    {"input_domain_point", "vDomain"},
    {"this_pointer", "this"},
    {"uav", "u"},
    {"thread_group_shared_memory", "g"},
    {"input_thread_id", "vThreadID"},
    {"input_thread_group_id", "vThreadGroupID"},
    {"input_thread_id_in_group", "vThreadIDInGroup"},
    {"input_coverage_mask", "vCoverage"},
    {"input_thread_id_in_group_flattened", "vThreadIDInGroupFlattened"},
    {"input_gs_instance_id", "vGSInstanceID"},
    {"output_depth_greater_equal", "oDepthGE"},
    {"output_depth_less_equal", "oDepthLE"},
    {"cycle_counter", "vCycleCounter"},
    {"output_stencil_ref", "oStencilRef"},
    {"input_inner_coverage", "vInnerCoverage"},
};

/// The register's letters; empty for a type that is in no table.
constexpr std::string_view operand_text(OperandType type) {
  const auto index = static_cast<std::size_t>(type);
  return index < std::size(kOperands) ? kOperands[index].text : std::string_view{};
}

/// Whether shader model 5.1 declares ranges of these registers.
constexpr bool has_range(OperandType type) {
  return type == OperandType::constant_buffer || type == OperandType::resource || type == OperandType::sampler || type == OperandType::uav;
}

}  // namespace unshade::dxbc::program

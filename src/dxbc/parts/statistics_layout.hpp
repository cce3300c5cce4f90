// The one description of the statistics part.
#pragma once

#include <unshade/core/archive/archive.hpp>
#include <unshade/dxbc/statistics.hpp>

namespace unshade::dxbc {

/// Bytes: 116, or 148 in the long form.
/// Source: docs/reference/formats/stat.md; the fields are those of D3D11_SHADER_DESC in another order.
template <class Archive>
void describe(Archive& a, Statistics& s) {
  if constexpr (Archive::kReads) s.is_long = a.part().size() >= kLongStatisticsBytes;
  a.u32("instruction_count", s.instruction_count);
  a.u32("temp_register_count", s.temp_register_count);
  a.u32("define_count", s.define_count);
  a.u32("declaration_count", s.declaration_count);
  a.u32("float_instruction_count", s.float_instruction_count);
  a.u32("int_instruction_count", s.int_instruction_count);
  a.u32("uint_instruction_count", s.uint_instruction_count);
  a.u32("static_flow_control_count", s.static_flow_control_count);
  a.u32("dynamic_flow_control_count", s.dynamic_flow_control_count);
  a.u32("macro_instruction_count", s.macro_instruction_count);
  a.u32("temp_array_count", s.temp_array_count);
  a.u32("array_instruction_count", s.array_instruction_count);
  a.u32("cut_instruction_count", s.cut_instruction_count);
  a.u32("emit_instruction_count", s.emit_instruction_count);
  a.u32("texture_normal_instructions", s.texture_normal_instructions);
  a.u32("texture_load_instructions", s.texture_load_instructions);
  a.u32("texture_comparison_instructions", s.texture_comparison_instructions);
  a.u32("texture_bias_instructions", s.texture_bias_instructions);
  a.u32("texture_gradient_instructions", s.texture_gradient_instructions);
  a.u32("mov_instruction_count", s.mov_instruction_count);
  a.u32("movc_instruction_count", s.movc_instruction_count);
  a.u32("conversion_instruction_count", s.conversion_instruction_count);
  a.u32("bitwise_instruction_count", s.bitwise_instruction_count);
  a.enum32("input_primitive", s.input_primitive);
  a.enum32("output_topology", s.output_topology);
  a.u32("max_output_vertex_count", s.max_output_vertex_count);
  a.u32("texture_gather_instructions", s.texture_gather_instructions);
  a.u32("texture_lod_instructions", s.texture_lod_instructions);
  a.u32("sample_frequency", s.sample_frequency);
  if constexpr (kReadsValues<Archive>) s.is_long = a.has("instance_count");
  if (!s.is_long) return;
  a.u32("instance_count", s.instance_count);
  a.u32("control_point_count", s.control_point_count);
  a.enum32("tessellator_output", s.tessellator_output);
  a.enum32("tessellator_partitioning", s.tessellator_partitioning);
  a.enum32("tessellator_domain", s.tessellator_domain);
  a.u32("barrier_instructions", s.barrier_instructions);
  a.u32("interlocked_instructions", s.interlocked_instructions);
  a.u32("texture_store_instructions", s.texture_store_instructions);
}

}  // namespace unshade::dxbc

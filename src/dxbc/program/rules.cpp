#include "dxbc/program/rules.hpp"

namespace unshade::dxbc::program {

Stages stages_of(Opcode opcode) {
  switch (opcode) {
    case Opcode::discard:
    case Opcode::deriv_rtx:
    case Opcode::deriv_rty:
    case Opcode::deriv_rtx_coarse:
    case Opcode::deriv_rtx_fine:
    case Opcode::deriv_rty_coarse:
    case Opcode::deriv_rty_fine:
    case Opcode::sample:
    case Opcode::sample_b:
    case Opcode::sample_c:
    case Opcode::sample_cl_s:
    case Opcode::sample_b_cl_s:
    case Opcode::sample_c_cl_s:
    case Opcode::lod:
    case Opcode::eval_snapped:
    case Opcode::eval_sample_index:
    case Opcode::eval_centroid:
    case Opcode::dcl_input_ps:
    case Opcode::dcl_input_ps_sgv:
    case Opcode::dcl_input_ps_siv: return kPixel;
    case Opcode::dcl_input_sgv: return kVertex | kGeometry | kHull | kDomain;
    case Opcode::dcl_input_siv: return kGeometry | kHull | kDomain;
    case Opcode::dcl_output_siv:
    case Opcode::dcl_output_sgv: return kVertex | kGeometry | kHull | kDomain;
    case Opcode::emit:
    case Opcode::cut:
    case Opcode::emitthencut:
    case Opcode::emit_stream:
    case Opcode::cut_stream:
    case Opcode::emitthencut_stream:
    case Opcode::dcl_stream:
    case Opcode::dcl_inputprimitive:
    case Opcode::dcl_outputtopology:
    case Opcode::dcl_maxout:
    case Opcode::dcl_gsinstances: return kGeometry;
    case Opcode::hs_decls:
    case Opcode::hs_control_point_phase:
    case Opcode::hs_fork_phase:
    case Opcode::hs_join_phase:
    case Opcode::dcl_output_control_point_count:
    case Opcode::dcl_tessellator_partitioning:
    case Opcode::dcl_tessellator_output_primitive:
    case Opcode::dcl_hs_max_tessfactor:
    case Opcode::dcl_hs_fork_phase_instance_count:
    case Opcode::dcl_hs_join_phase_instance_count: return kHull;
    case Opcode::dcl_input_control_point_count:
    case Opcode::dcl_tessellator_domain: return kHull | kDomain;
    case Opcode::dcl_thread_group:
    case Opcode::dcl_tgsm_raw:
    case Opcode::dcl_tgsm_structured: return kCompute;
    default: return kEvery;
  }
}

bool is_raw_structured(Opcode opcode) {
  switch (opcode) {
    case Opcode::dcl_thread_group:
    case Opcode::dcl_tgsm_raw:
    case Opcode::dcl_tgsm_structured:
    case Opcode::dcl_resource_raw:
    case Opcode::dcl_resource_structured:
    case Opcode::dcl_uav_raw:
    case Opcode::dcl_uav_structured:
    case Opcode::ld_raw:
    case Opcode::ld_structured:
    case Opcode::store_raw:
    case Opcode::store_structured:
    case Opcode::bufinfo:
    case Opcode::sync: return true;
    default: return false;
  }
}

bool has_spare_token(Opcode opcode) {
  switch (opcode) {
    case Opcode::samplepos:
    case Opcode::sample_l_s:
    case Opcode::sample_cl_s:
    case Opcode::sample_b_cl_s:
    case Opcode::sample_d_cl_s:
    case Opcode::sample_c_cl_s:
    case Opcode::sample_c_lz_s: return true;
    default: return false;
  }
}

ResourceAccess access_of(Opcode opcode) {
  constexpr OperandTypes kT = bit(OperandType::resource);
  constexpr OperandTypes kU = bit(OperandType::uav);
  constexpr OperandTypes kG = bit(OperandType::thread_group_shared_memory);
  switch (opcode) {
    case Opcode::ld_raw:
    case Opcode::ld_raw_s: return {kT | kU | kG, false, true, false};
    case Opcode::store_raw: return {kU | kG, false, true, false};
    case Opcode::ld_structured:
    case Opcode::ld_structured_s: return {kT | kU | kG, false, false, true};
    case Opcode::store_structured: return {kU | kG, false, false, true};
    case Opcode::ld_uav_typed:
    case Opcode::ld_uav_typed_s:
    case Opcode::store_uav_typed: return {kU, true, false, false};
    case Opcode::imm_atomic_alloc:
    case Opcode::imm_atomic_consume: return {kU, false, false, true};
    case Opcode::resinfo: return {kT | kU, true, false, false};
    case Opcode::bufinfo: return {kT | kU, true, true, true};
    case Opcode::sampleinfo:
    case Opcode::samplepos: return {kT | bit(OperandType::rasterizer), true, false, false};
    default: break;
  }
  const OpcodeInfo* info = find_opcode(static_cast<std::uint32_t>(opcode));
  if (info != nullptr && info->counted == Counted::atomic) return {kU | kG, true, true, true};
  return {kT, true, false, false};
}

OperandTypes declarable_by(Opcode opcode) {
  OperandTypes sources = 0;
  OperandTypes destinations = 0;
  for (std::size_t i = 0; i < std::size(kOperandTraits); ++i) {
    const OperandTraits& traits = kOperandTraits[i];
    if (!traits.is_special) continue;
    (traits.is_destination ? destinations : sources) |= OperandTypes{1} << i;
  }
  constexpr OperandTypes kInputs = bit(OperandType::input) | bit(OperandType::input_control_point) |
                                   bit(OperandType::output_control_point) | bit(OperandType::input_patch_constant);
  switch (opcode) {
    case Opcode::dcl_input: return kInputs | sources;
    case Opcode::dcl_input_sgv:
    case Opcode::dcl_input_siv: return kInputs;
    case Opcode::dcl_input_ps:
    case Opcode::dcl_input_ps_sgv:
    case Opcode::dcl_input_ps_siv: return bit(OperandType::input);
    case Opcode::dcl_output: return bit(OperandType::output) | destinations;
    case Opcode::dcl_output_sgv:
    case Opcode::dcl_output_siv: return bit(OperandType::output);
    case Opcode::dcl_indexrange: return kInputs | bit(OperandType::output);
    case Opcode::dcl_constantbuffer: return bit(OperandType::constant_buffer);
    case Opcode::dcl_sampler: return bit(OperandType::sampler);
    case Opcode::dcl_resource:
    case Opcode::dcl_resource_raw:
    case Opcode::dcl_resource_structured: return bit(OperandType::resource);
    case Opcode::dcl_uav_typed:
    case Opcode::dcl_uav_raw:
    case Opcode::dcl_uav_structured: return bit(OperandType::uav);
    case Opcode::dcl_tgsm_raw:
    case Opcode::dcl_tgsm_structured: return bit(OperandType::thread_group_shared_memory);
    case Opcode::dcl_stream: return bit(OperandType::stream);
    default: return 0;
  }
}

bool is_componentwise(const Instruction& instruction) {
  const std::string_view shape = instruction.info->shape;
  if (!shape.starts_with('d') || shape.find_first_of("rpug") != std::string_view::npos) return false;
  switch (instruction.opcode()) {
    case Opcode::dp2:
    case Opcode::dp3:
    case Opcode::dp4:
    case Opcode::ftod:
    case Opcode::itod:
    case Opcode::utod:
    case Opcode::emit_stream:
    case Opcode::cut_stream:
    case Opcode::emitthencut_stream:
    case Opcode::eval_snapped:       // the second source is a pair of offsets
    case Opcode::eval_sample_index:  // a number
    case Opcode::check_access_fully_mapped: return false;
    default: return true;
  }
}

}  // namespace unshade::dxbc::program

#include "dxbc/program/rules.hpp"

namespace unshade::dxbc::program {

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

}  // namespace unshade::dxbc::program

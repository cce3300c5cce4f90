#include "dxbc/program/rules.hpp"

namespace unshade::dxbc::program {

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

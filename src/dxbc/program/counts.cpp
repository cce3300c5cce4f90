#include <unshade/dxbc/program/counts.hpp>

#include <algorithm>
#include <string_view>

namespace unshade::dxbc::program {

namespace {

// What follows is observed in 1,024 programs beside their statistics; docs/reference/texts/dxbc.md has the figures. fxc counts an earlier
// state of the program, so that a few differ whatever the rule.

/// What came with shader model 5 is not counted among the arithmetic, but for derivatives.
bool is_arithmetic(const Instruction& instruction) {
  return instruction.info->since < ShaderModel::sm5_0 || instruction.info->has(traits::derives);
}

/// A mov to or from an indexable register counts as an access to an array; with a modifier, or of a vertex's input, as nothing.
bool is_plain_move(const Instruction& instruction) {
  for (unsigned i = 0; i < instruction.operand_count; ++i) {
    const Operand& operand = instruction.operands[i];
    if (operand.type == OperandType::indexable_temp || operand.modifier != Modifier::none) return false;
    if (operand.type == OperandType::input && operand.dimensions > 1) return false;
  }
  return true;
}

}  // namespace

void count_instruction(const Instruction& instruction, Statistics& s, ArithmeticCounts& arithmetic) {
  const Opcode opcode = instruction.opcode();
  const auto has = [&](OperandType type) {
    return std::any_of(instruction.operands.begin(), instruction.operands.begin() + instruction.operand_count,
                       [&](const Operand& o) { return o.type == type; });
  };
  // Observed: messages count as instructions. guess, from the one program that has it: abort does not.
  const bool is_message = opcode == Opcode::customdata && instruction.custom_data() == CustomData::shader_message;
  const Counted counted = instruction.info->counted;
  const bool is_instruction =
      opcode == Opcode::customdata ? is_message : counted != Counted::dcl && counted != Counted::phase && opcode != Opcode::abort;
  if (!is_instruction) return;
  ++s.instruction_count;
  if (has(OperandType::indexable_temp)) ++s.array_instruction_count;
  // Flow control is static if a constant buffer decides.
  const auto decided = [&] { ++(has(OperandType::constant_buffer) ? s.static_flow_control_count : s.dynamic_flow_control_count); };
  switch (counted) {
    case Counted::flt:
      if (is_arithmetic(instruction)) ++s.float_instruction_count;
      if (opcode == Opcode::mad) ++arithmetic.mad;
      break;
    case Counted::sint:
      if (is_arithmetic(instruction)) ++s.int_instruction_count;
      if (opcode == Opcode::imad) ++arithmetic.imad;
      break;
    case Counted::uint:
      if (is_arithmetic(instruction)) ++s.uint_instruction_count;
      break;
    case Counted::mov:
      if (is_plain_move(instruction)) ++s.mov_instruction_count;
      break;
    case Counted::sflow:
      if (opcode != Opcode::interface_call) ++s.static_flow_control_count;
      if (opcode == Opcode::ret) ++arithmetic.ret;
      break;
    case Counted::dflow:
      if (opcode == Opcode::break_) {
        ++s.static_flow_control_count;
      } else if (opcode == Opcode::continue_) {
        ++s.static_flow_control_count;
      } else {
        decided();
      }
      break;
    case Counted::movc:
      if (opcode == Opcode::movc) ++s.movc_instruction_count;
      break;
    case Counted::conv: ++s.conversion_instruction_count; break;
    case Counted::tnormal: ++s.texture_normal_instructions; break;
    case Counted::tload:
      if (!has(OperandType::thread_group_shared_memory)) ++s.texture_load_instructions;
      break;
    case Counted::tcomp: ++s.texture_comparison_instructions; break;
    case Counted::tbias: ++s.texture_bias_instructions; break;
    case Counted::tgrad: ++s.texture_gradient_instructions; break;
    case Counted::gather: ++s.texture_gather_instructions; break;
    case Counted::lod: ++s.texture_lod_instructions; break;
    case Counted::tstore:
      if (!has(OperandType::thread_group_shared_memory)) ++s.texture_store_instructions;
      break;
    case Counted::atomic: ++s.interlocked_instructions; break;
    case Counted::barrier: ++s.barrier_instructions; break;
    case Counted::emit: ++s.emit_instruction_count; break;
    case Counted::cut: ++s.cut_instruction_count; break;
    default: break;
  }
  // Rounding counts as conversion.
  if (opcode == Opcode::frc || (opcode >= Opcode::round_ne && opcode <= Opcode::round_z)) ++s.conversion_instruction_count;
}

}  // namespace unshade::dxbc::program

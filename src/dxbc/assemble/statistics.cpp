#include "dxbc/assemble/statistics.hpp"

#include <string_view>

namespace unshade::dxbc {

namespace {

// What follows is observed in 1,024 programs beside their statistics; docs/reference/texts/dxbc.md has the figures. fxc counts an earlier
// state of the program, so that a few differ whatever the rule.

/// What came with shader model 5 is not counted among the arithmetic, but for derivatives.
bool is_arithmetic(const Instruction& instruction) {
  return instruction.info->since < ShaderModel::sm5_0 || std::string_view(instruction.info->sem).starts_with("dd");
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

Statistics count_statistics(const Program& program, const ProgramFacts& facts, FxcEra era) {
  Statistics statistics = facts.counted;
  const bool is_old = era <= FxcEra::windows8;  // leaves out mad and imad
  Instruction instruction;
  for (Decoder decoder(program); !decoder.at_end() && decoder.next(instruction);) {
    if (instruction.info == nullptr) continue;
    const Opcode opcode = instruction.opcode();
    switch (instruction.info->counted) {
      case Counted::flt:
        if (is_arithmetic(instruction) && !(is_old && opcode == Opcode::mad)) ++statistics.float_instruction_count;
        break;
      case Counted::sint:
        if (is_arithmetic(instruction) && !(is_old && opcode == Opcode::imad)) ++statistics.int_instruction_count;
        break;
      case Counted::uint:
        if (is_arithmetic(instruction)) ++statistics.uint_instruction_count;
        break;
      case Counted::mov:
        if (is_plain_move(instruction)) ++statistics.mov_instruction_count;
        break;
      default: break;
    }
    if (opcode == Opcode::ret && era == FxcEra::windows8) ++statistics.mov_instruction_count;
  }
  return statistics;
}

}  // namespace unshade::dxbc

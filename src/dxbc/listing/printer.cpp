#include "dxbc/listing/printer.hpp"

#include <bit>
#include <cmath>
#include <string_view>

#include "dxbc/listing/words.hpp"
#include "dxbc/program/enum_text.hpp"
#include "dxbc/program/token.hpp"

namespace unshade::dxbc::listing {

namespace {

// Operands that print their first index in brackets: icb[0], this[0], and of two indexes v[0][1].
bool brackets_first(const Operand& operand) {
  switch (operand.type) {
    case OperandType::immediate_constant_buffer:
    case OperandType::this_pointer: return true;
    case OperandType::input:
    case OperandType::input_control_point:
    case OperandType::output_control_point: return operand.dimensions > 1;
    default: return false;
  }
}

}  // namespace

// --- operands --------------------------------------------------------------------------------------------------------------------------

char* Printer::literals(char* at, const Operand& operand, char kind) {
  if (operand.type == OperandType::immediate64) {
    at = put(at, "d(");
    const unsigned count = operand.components == 4 ? 2 : 1;
    for (unsigned i = 0; i < count; ++i) {
      if (i != 0) at = put(at, ", ");
      const std::uint64_t bits = operand.literal[2 * i] | std::uint64_t{operand.literal[2 * i + 1]} << 32;
      at = exact_floats_ ? write_exact_double(at, bits) : write_double(at, bits, float_style_);
      if (!exact_floats_ || std::isfinite(std::bit_cast<double>(bits)))
        *at++ = 'l';  // what is not finite is hexadecimal if it must be exact
    }
    *at++ = ')';
    return at;
  }
  *at++ = 'l';
  *at++ = '(';
  const unsigned count = operand.components;
  for (unsigned i = 0; i < count; ++i) {
    if (i != 0) {
      *at++ = ',';
      if (kind != 'm') *at++ = ' ';
    }
    at = literal(at, operand.literal[i], kind);
  }
  *at++ = ')';
  return at;
}

char* Printer::index(char* at, const Instruction& instruction, const Operand& operand, unsigned i) {
  if (operand.relative[i] == kNoOperand) return write_decimal(at, operand.index[i]);
  at = this->operand(at, instruction, instruction.operands[operand.relative[i]], 'i');
  at = put(at, " + ");
  return write_decimal(at, operand.index[i]);
}

char* Printer::register_name(char* at, const Instruction& instruction, const Operand& operand, bool declaration) {
  const ShortText& plain = plain_registers_[static_cast<std::size_t>(operand.type)];
  const bool in_capitals = declaration && style_.upper_buffers && operand.type == OperandType::constant_buffer;
  const OperandInfo* info = nullptr;
  if (plain.size != 0 && !in_capitals) {
    std::memcpy(at, &plain, sizeof plain);
    at += plain.size;
  } else if (info = find_operand(operand.type); info == nullptr) {
    at = put(at, words::kUnknownOperand);
    at = write_decimal(at, static_cast<std::uint32_t>(operand.type));
  } else if (in_capitals || (is_5_1_ && program::has_range(operand.type))) {
    for (const char c : info->text) *at++ = upper(c);
  } else {
    at = put(at, info->text);
  }
  unsigned i = 0;
  if (operand.dimensions != 0 && operand.relative[0] == kNoOperand && !brackets_first(operand)) {
    at = write_number(at, operand.index[0]);
    i = 1;
  }
  for (; i < operand.dimensions; ++i) {
    *at++ = '[';
    at = index(at, instruction, operand, i);
    *at++ = ']';
  }
  return at;
}

char* Printer::lanes(char* at, const Operand& operand) {
  if (operand.components != 4) return at;
  const ShortText& text = kLanes.text[lane_key(operand.selection, operand.lanes)];
  std::memcpy(at, &text, sizeof text);
  return at + text.size;
}

char* Printer::operand(char* at, const Instruction& instruction, const Operand& operand, char kind) {
  const auto modifier = static_cast<unsigned>(operand.modifier);
  if ((modifier & 1) != 0) *at++ = '-';
  if ((modifier & 2) != 0) *at++ = '|';
  if (operand.type == OperandType::immediate32 || operand.type == OperandType::immediate64) {
    at = literals(at, operand, kind);
  } else {
    at = lanes(register_name(at, instruction, operand, false), operand);
  }
  if ((modifier & 2) != 0) *at++ = '|';
  if (operand.non_uniform) {
    *at++ = ' ';
    at = put(at, words::kNonUniform);  // guess: no listing seen has one
  }
  return at;
}

char* Printer::precision(char* at, std::uint32_t own, std::uint32_t used) {
  if (own == 0 && used == 0) return at;
  at = put(at, " {");
  at = put_named(at, own, program::kMinPrecisionNames);
  if (own != used) {
    at = put(at, words::kAs);
    at = put_named(at, used, program::kMinPrecisionNames);
  }
  *at++ = '}';
  return at;
}

// --- instructions ----------------------------------------------------------------------------------------------------------------------

char* Printer::mnemonic(char* at, const Instruction& instruction) {
  const OpcodeInfo& info = *instruction.info;
  const std::uint32_t word = instruction.token;
  const Mnemonic& text = kMnemonics[instruction.code];
  std::memcpy(at, text.text, Mnemonic::kRoom);
  at += text.size;
  switch (info.control) {
    case Control::sat:
      if (instruction.saturates()) at = put(at, words::kSaturate);
      break;
    case Control::test:
      if (!style_.short_offsets || exact_floats_ || instruction.opcode() != Opcode::discard)
        at = put(at, instruction.tests_nonzero() ? words::kNonZero : words::kZero);
      break;
    case Control::sync:
      for (const auto& suffix : words::kSyncSuffixes) {
        const bool is_narrower = &suffix == &words::kSyncGroupSuffix && program::token::kSyncUavGlobal.get(word) != 0;
        if (suffix.bit.get(word) != 0 && !is_narrower) at = put(at, suffix.text);
      }
      break;
    default: break;
  }
  if (instruction.has_texel_offsets && !style_.short_offsets) at = put(at, words::kOffsets);
  if (instruction.has_resource_dimension) at = put(at, words::kIndexable);
  if (instruction.has_texel_offsets) {
    *at++ = '(';
    at = offset(at, instruction.offsets.u);
    *at++ = ',';
    at = offset(at, instruction.offsets.v);
    *at++ = ',';
    at = offset(at, instruction.offsets.w);
    *at++ = ')';
  }
  if (instruction.has_resource_dimension) {
    *at++ = '(';
    at = put_named(at, instruction.resource_dimension, program::kResourceDimensionNames);
    if (instruction.structure_stride != 0) {
      at = put(at, ", ");
      at = put(at, words::kStride);
      at = write_decimal(at, instruction.structure_stride);
    }
    *at++ = ')';
  }
  if (instruction.has_return_types) at = return_types(at, instruction.return_types);
  if (info.control == Control::return_type) {
    const InfoType type = instruction.info_type();
    if (type == InfoType::reciprocal) at = put(at, words::kReciprocal);
    if (type == InfoType::uint) at = put(at, words::kUint);
  }
  if (const WriteMask precise = instruction.precise(); !precise.empty()) {
    *at++ = ' ';
    at = put(at, words::kPrecise);
    if (precise != WriteMask::all()) {
      *at++ = '(';
      at = put(at, precise.text());
      *at++ = ')';
    }
    *at++ = ']';
  }
  return at;
}

bool Printer::can_be_precise(const OpcodeInfo& info) { return !info.shape.empty() && info.shape.front() == 'd'; }

char* Printer::offset(char* at, int value) {
  if (value < 0) *at++ = '-';
  return write_decimal(at, static_cast<std::uint32_t>(value < 0 ? -value : value));
}

char* Printer::body(char* at, Instruction& instruction) {
  if (instruction.info == nullptr) return unknown(at, instruction);
  const OpcodeInfo& info = *instruction.info;
  if (info.counted == Counted::dcl) return declaration(at, instruction);
  if (instruction.opcode() == Opcode::customdata) return custom_data(at, instruction);
  at = mnemonic(at, instruction);
  const unsigned count = instruction.operand_count;
  if (count == 0) {
    if (instruction.opcode() != Opcode::sync) *at++ = ' ';  // observed: `ret `, but `sync_g_t`
    return at;
  }
  *at++ = ' ';
  if (instruction.opcode() == Opcode::interface_call) {
    at = operand(at, instruction, instruction.operands[0], 'i');
    *at++ = '[';
    at = write_decimal(at, instruction.words[0]);
    *at++ = ']';
    return at;
  }
  const std::uint32_t used = instruction.operands[0].min_precision;
  for (unsigned i = 0; i < count; ++i) {
    if (i != 0) {
      *at++ = ',';
      *at++ = ' ';
    }
    at = operand(at, instruction, instruction.operands[i], info.shape[i]);
    if (instruction.has_min_precision)
      at = precision(at, instruction.operands[i].min_precision, info.converts_precision(i) ? used : instruction.operands[i].min_precision);
  }
  return at;
}

char* Printer::unknown(char* at, const Instruction& instruction) {
  if (!exact_floats_) at = put(tokens(at, instruction), "  ");  // exact listings have them already
  at = put(at, "// unknown opcode ");
  return write_decimal(at, instruction.code);
}

char* Printer::tokens(char* at, const Instruction& instruction) {
  at = put(at, words::kTokens);
  for (std::uint32_t i = 0; i < instruction.length_tokens; ++i) {
    at = put(at, i == 0 ? " 0x" : ", 0x");
    at = write_hex8(at, instruction.bytes.load_unchecked<std::uint32_t>(std::size_t{4} * i));
  }
  return at;
}

}  // namespace unshade::dxbc::listing

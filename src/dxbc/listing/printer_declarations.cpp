// Declarations and custom data.
#include <algorithm>
#include <cstring>
#include <iterator>
#include <string_view>

#include "dxbc/listing/printer.hpp"
#include "dxbc/listing/words.hpp"
#include "dxbc/program/enum_text.hpp"
#include "dxbc/program/operand_table.hpp"
#include "dxbc/program/token.hpp"

namespace unshade::dxbc::listing {

char* Printer::return_types(char* at, ReturnTypes types) {
  *at++ = '(';
  for (unsigned i = 0; i < kComponents; ++i) {
    if (i != 0) *at++ = ',';
    at = put_named(at, types[i], program::kReturnTypeNames);
  }
  *at++ = ')';
  return at;
}

char* Printer::declared(char* at, const Instruction& instruction, const Operand& operand) {
  if (!(is_5_1_ && program::has_range(operand.type) && operand.dimensions == 3)) {
    at = register_name(at, instruction, operand, true);
    return operand.type == OperandType::constant_buffer ? at : lanes(at, operand);
  }
  Operand name = operand;
  name.dimensions = 1;
  at = register_name(at, instruction, name, true);
  *at++ = '[';
  at = write_decimal(at, operand.index[1]);
  *at++ = ':';
  if (operand.index[2] == 0xffff'ffffU) {
    *at++ = '*';
  } else {
    at = write_decimal(at, operand.index[2]);
  }
  *at++ = ']';
  return at;
}

char* Printer::space(char* at, const Instruction& instruction) {
  if (!is_5_1_ || instruction.word_count == 0) return at;
  at = put(at, ", ");
  at = put(at, words::kSpace);
  return write_decimal(at, instruction.words[instruction.word_count - 1U]);
}

char* Printer::declaration(char* at, const Instruction& instruction) {
  const Operand& first = instruction.operands[0];
  unsigned next = 0;
  const auto word = [&] { return instruction.words[next++]; };
  at = declared_suffix(put(at, instruction.info->text), instruction);
  const std::string_view spelling = instruction.info->spelling;
  for (std::size_t i = 0; i < spelling.size(); ++i) {
    switch (spelling[i]) {
      case 'o': at = declared(at, instruction, first); break;
      case 'v': at = precision(declared(at, instruction, first), first.min_precision, first.min_precision); break;
      case 'n': at = put_named(at, program::token::kName.get(word()), program::kNameNames); break;
      case 't': at = return_types(at, {word()}); break;
      case '{': i = spelling.find('}', i); [[fallthrough]];
      case 'w': at = write_decimal(at, word()); break;
      case 'x': at = write_decimal(put(at, program::operand_text(OperandType::indexable_temp)), word()); break;
      case 'b': at = write_decimal(put(at, program::operand_text(OperandType::function_body)), word()); break;
      case 'l':
        at = put_literal_float(put(at, "l("), word());
        *at++ = ')';
        break;
      case 'z':
        if (!is_5_1_) break;
        *at++ = '[';
        at = write_decimal(at, word());
        *at++ = ']';
        break;
      case 'S': at = space(at, instruction); break;
      case 'T':
        at = write_decimal(put(at, program::operand_text(OperandType::function_table)), word());
        at = numbers(at, instruction.data, OperandType::function_body);
        break;
      case 'I':
        at = write_decimal(put(at, program::operand_text(OperandType::interface)), word());
        *at++ = '[';
        at = put(write_decimal(at, instruction.array_length()), "][");
        at = write_decimal(at, word());
        *at++ = ']';
        at = numbers(at, instruction.data, OperandType::function_table);
        break;
      case 'c': at = declared_field(at, instruction); break;
      case '_':
        if (!is_5_1_ && style_.structured_blank) *at++ = ' ';
        break;
      case ',': at = put(at, ", "); break;
      default: *at++ = spelling[i]; break;
    }
  }
  return at;
}

// What the control adds to the mnemonic.
char* Printer::declared_suffix(char* at, const Instruction& instruction) {
  switch (instruction.info->control) {
    case Control::dim:
    case Control::uav_dim: {
      const std::uint32_t dimension = instruction.declared_dimension();
      *at++ = '_';
      at = put_named(at, dimension, program::kResourceDimensionNames);
      if (instruction.info->control == Control::uav_dim) return uav_suffix(at, instruction.token);
      if ((access::dimension(dimension) & access::multisampled) == 0) return at;
      *at++ = '(';
      at = write_decimal(at, instruction.sample_count());
      *at++ = ')';
      return at;
    }
    case Control::uav: return uav_suffix(at, instruction.token);
    case Control::dynamic: return instruction.is_dynamically_indexed() ? put(at, words::kDynamic) : at;
    default: return at;
  }
}

// The field that the control names: a word or number. Those that may be left out have a blank before them.
char* Printer::declared_field(char* at, const Instruction& instruction) {
  const std::uint32_t value = instruction.declared_value();
  if (instruction.info->control == Control::flags) return global_flags(at, value);
  if (instruction.info->control == Control::interpolation) {
    const bool is_shown = style_.upper_buffers || exact_floats_ || instruction.opcode() != Opcode::dcl_input_ps_sgv;
    if (value == 0 || !is_shown) return at;
    *at++ = ' ';
  }
  const Bits field = program::control_field(instruction.info->control);
  return field.names != nullptr ? put_named(at, value, *field.names) : write_decimal(at, value);
}

char* Printer::global_flags(char* at, std::uint32_t flags) {
  bool is_first = true;
  const auto separate = [&] {
    at = put(at, is_first ? " " : " | ");
    is_first = false;
  };
  for (const auto& flag : program::kGlobalFlags) {
    if ((flags & flag.value) == 0) continue;
    separate();
    at = put(at, flag.id);
    flags &= ~flag.value;
  }
  if (flags == 0) return at;
  separate();
  at = write_decimal(put(at, words::kUnknown), flags);
  *at++ = ')';
  return at;
}

char* Printer::uav_suffix(char* at, std::uint32_t word) {
  for (const auto& suffix : words::kUavSuffixes)
    if (suffix.bit.get(word) != 0) at = put(at, suffix.text);
  return at;
}

char* Printer::numbers(char* at, View list, OperandType type) {
  at = put(at, " = {");
  for (std::size_t i = 0; i + 4 <= list.size(); i += 4) {
    if (i != 0) at = put(at, ", ");
    at = write_decimal(put(at, program::operand_text(type)), list.load_unchecked<std::uint32_t>(i));
  }
  *at++ = '}';
  return at;
}

char* Printer::custom_data(char* at, Instruction& instruction) {
  const auto kind = instruction.custom_data();
  if (kind == CustomData::immediate_constant_buffer) {
    constexpr std::size_t kHead = words::kImmediateBuffer.size() + 3;
    at = put(at, words::kImmediateBuffer);
    at = put(at, " { ");
    const View data = instruction.data;
    for (std::size_t i = 0; i + 16 <= data.size(); i += 16) {
      if (i != 0) {
        at = put(at, ",\n");
        std::memset(at, ' ', kHead);
        at += kHead;
      }
      at = put(at, "{ ");
      for (std::size_t c = 0; c < 4; ++c) {
        if (c != 0) at = put(at, ", ");
        const auto bits = data.load_unchecked<std::uint32_t>(i + 4 * c);
        at = exact_floats_ ? write_exact_untyped(at, bits) : write_untyped(at, bits, float_style_);
      }
      *at++ = '}';
    }
    return put(at, " }");
  }
  if (kind == CustomData::shader_message) {
    if (const auto message = decode_shader_message(instruction)) {
      std::string_view kind_text = words::kUnknownMessage;
      for (const auto& known : words::kMessages)
        if (known.id == message->message_id) kind_text = known.text;
      if (kind_text == words::kUnknownMessage && !exact_floats_) at = put(tokens(at, instruction), "  // ");
      at = put(at, kind_text);
      at = put(at, " \"");
      for (const char c : message->format.substr(0, message->format.find('\0'))) {
        const auto* const escape = std::ranges::find(words::kEscapes, c, &words::Escape::character);
        if (escape != std::end(words::kEscapes)) *at++ = '\\';
        *at++ = escape != std::end(words::kEscapes) ? escape->letter : c;
      }
      *at++ = '"';
      for (unsigned i = 0; i < instruction.operand_count; ++i) {
        at = put(at, ", ");
        at = operand(at, instruction, instruction.operands[i], 'm');
      }
      return at;
    }
  }
  return put(at, words::kOtherCustomData);
}

}  // namespace unshade::dxbc::listing

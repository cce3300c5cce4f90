// Declarations and custom data.
#include <algorithm>
#include <cstring>
#include <iterator>
#include <string_view>

#include "dxbc/listing/printer.hpp"
#include "dxbc/listing/words.hpp"
#include "dxbc/program/enum_text.hpp"
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
  const std::uint32_t word = instruction.token;
  const Operand& first = instruction.operands[0];
  const auto blank = [&] { *at++ = ' '; };
  const auto comma = [&] { at = put(at, ", "); };
  const auto number = [&](std::uint32_t value) { at = write_decimal(at, value); };
  switch (instruction.opcode()) {
    case Opcode::dcl_resource: {
      at = put(at, instruction.info->text);
      *at++ = '_';
      const std::uint32_t dimension = instruction.declared_dimension();
      at = put_named(at, dimension, program::kResourceDimensionNames);
      if (dimension == 4 || dimension == 9) {
        *at++ = '(';
        number(instruction.sample_count());
        *at++ = ')';
      }
      blank();
      at = return_types(at, instruction.declared_return_types());
      blank();
      at = declared(at, instruction, first);
      return space(at, instruction);
    }
    case Opcode::dcl_uav_typed:
      at = put(at, instruction.info->text);
      *at++ = '_';
      at = put_named(at, instruction.declared_dimension(), program::kResourceDimensionNames);
      at = uav_suffix(at, word);
      blank();
      at = return_types(at, instruction.declared_return_types());
      blank();
      at = declared(at, instruction, first);
      return space(at, instruction);
    case Opcode::dcl_uav_raw:
      at = put(at, instruction.info->text);
      at = uav_suffix(at, word);
      blank();
      at = declared(at, instruction, first);
      return space(at, instruction);
    case Opcode::dcl_uav_structured:
      at = put(at, instruction.info->text);
      at = uav_suffix(at, word);
      blank();
      at = declared(at, instruction, first);
      comma();
      number(instruction.words[0]);
      return space(at, instruction);
    case Opcode::dcl_resource_structured:
      at = put(at, instruction.info->text);
      blank();
      at = declared(at, instruction, first);
      comma();
      number(instruction.words[0]);
      if (is_5_1_) return space(at, instruction);
      if (style_.structured_blank) blank();
      return at;
    case Opcode::dcl_constantbuffer:
      at = put(at, instruction.info->text);
      blank();
      at = declared(at, instruction, first);
      if (is_5_1_) {
        *at++ = '[';
        number(instruction.words[0]);
        *at++ = ']';
      }
      at = put(at, ", ");
      at = put(at, instruction.is_dynamically_indexed() ? words::kDynamicIndexed : words::kImmediateIndexed);
      return space(at, instruction);
    case Opcode::dcl_sampler:
      at = put(at, instruction.info->text);
      blank();
      at = declared(at, instruction, first);
      comma();
      at = put_named(at, instruction.sampler_mode(), program::kSamplerModeNames);
      return space(at, instruction);
    case Opcode::dcl_indexrange:
      at = put(at, instruction.info->text);
      blank();
      at = declared(at, instruction, first);
      blank();
      number(instruction.words[0]);
      return at;
    case Opcode::dcl_outputtopology:
      at = put(at, instruction.info->text);
      blank();
      at = put_named(at, instruction.output_topology(), program::kTopologyNames);
      blank();
      return at;
    case Opcode::dcl_inputprimitive:
      at = put(at, instruction.info->text);
      blank();
      at = put_named(at, instruction.input_primitive(), program::kPrimitiveNames);
      blank();
      return at;
    case Opcode::dcl_input_ps:
    case Opcode::dcl_input_ps_sgv:
    case Opcode::dcl_input_ps_siv:
      at = put(at, instruction.info->text);
      if (const auto mode = instruction.interpolation();
          mode != dxcontainer::Interpolation::undefined &&
          (style_.upper_buffers || exact_floats_ || instruction.opcode() != Opcode::dcl_input_ps_sgv)) {
        blank();
        at = put_named(at, mode, program::kInterpolationNames);
      }
      return declared_with_name(at, instruction);
    case Opcode::dcl_input:
    case Opcode::dcl_input_sgv:
    case Opcode::dcl_input_siv:
    case Opcode::dcl_output:
    case Opcode::dcl_output_sgv:
    case Opcode::dcl_output_siv: at = put(at, instruction.info->text); return declared_with_name(at, instruction);
    case Opcode::dcl_indexableTemp:
      at = put(at, instruction.info->text);
      at = put(at, " x");
      number(instruction.words[0]);
      *at++ = '[';
      number(instruction.words[1]);
      at = put(at, "], ");
      number(instruction.words[2]);
      return at;
    case Opcode::dcl_globalFlags: {
      at = put(at, instruction.info->text);
      std::uint32_t flags = instruction.global_flags();
      bool is_first = true;
      for (const auto& flag : program::kGlobalFlags) {
        if ((flags & flag.value) == 0) continue;
        at = put(at, is_first ? " " : " | ");
        at = put(at, flag.id);
        is_first = false;
        flags &= ~flag.value;
      }
      if (flags != 0) {
        at = put(at, is_first ? " " : " | ");
        at = put(at, words::kUnknown);
        number(flags);
        *at++ = ')';
      }
      return at;
    }
    case Opcode::dcl_function_body:
      at = put(at, instruction.info->text);
      at = put(at, " fb");
      number(instruction.words[0]);
      return at;
    case Opcode::dcl_function_table:
      at = put(at, instruction.info->text);
      at = put(at, " ft");
      number(instruction.words[0]);
      return numbers(at, instruction.data, "fb");
    case Opcode::dcl_interface:
      at = put(at, instruction.info->text);
      if (instruction.is_dynamically_indexed()) at = put(at, words::kDynamic);
      at = put(at, " fp");
      number(instruction.words[0]);
      *at++ = '[';
      number(instruction.array_length());
      at = put(at, "][");
      number(instruction.words[1]);
      *at++ = ']';
      return numbers(at, instruction.data, "ft");
    case Opcode::dcl_input_control_point_count:
    case Opcode::dcl_output_control_point_count:
      at = put(at, instruction.info->text);
      blank();
      number(instruction.control_points());
      return at;
    case Opcode::dcl_tessellator_domain:
      at = put(at, instruction.info->text);
      blank();
      return put_named(at, instruction.tessellator_domain(), program::kDomainNames);
    case Opcode::dcl_tessellator_partitioning:
      at = put(at, instruction.info->text);
      blank();
      return put_named(at, instruction.tessellator_partitioning(), program::kPartitioningNames);
    case Opcode::dcl_tessellator_output_primitive:
      at = put(at, instruction.info->text);
      blank();
      return put_named(at, instruction.tessellator_output(), program::kTessOutputNames);
    case Opcode::dcl_hs_max_tessfactor:
      at = put(at, instruction.info->text);
      at = put(at, " l(");
      at = put_literal_float(at, instruction.words[0]);
      *at++ = ')';
      return at;
    default:  // a register, then numbers
      at = put(at, instruction.info->text);
      blank();
      if (instruction.operand_count != 0) at = declared(at, instruction, first);
      for (unsigned i = 0; i < instruction.word_count; ++i) {
        if (is_5_1_ && i + 1U == instruction.word_count && instruction.info->shape.back() == 'S') return space(at, instruction);
        if (i != 0 || instruction.operand_count != 0) comma();
        number(instruction.words[i]);
      }
      return at;
  }
}

char* Printer::uav_suffix(char* at, std::uint32_t word) {
  for (const auto& suffix : words::kUavSuffixes)
    if (suffix.bit.get(word) != 0) at = put(at, suffix.text);
  return at;
}

char* Printer::declared_with_name(char* at, const Instruction& instruction) {
  const Operand& first = instruction.operands[0];
  *at++ = ' ';
  at = declared(at, instruction, first);
  at = precision(at, first.min_precision, first.min_precision);
  if (instruction.word_count != 0) {
    at = put(at, ", ");
    at = put_named(at, instruction.system_value_name(), program::kNameNames);
  }
  return at;
}

char* Printer::numbers(char* at, View list, std::string_view prefix) {
  at = put(at, " = {");
  for (std::size_t i = 0; i + 4 <= list.size(); i += 4) {
    if (i != 0) at = put(at, ", ");
    at = put(at, prefix);
    at = write_decimal(at, list.load_unchecked<std::uint32_t>(i));
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

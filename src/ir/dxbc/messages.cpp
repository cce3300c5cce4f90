// printf and errorf, which are custom data.
#include <string>
#include <utility>
#include <vector>

#include <unshade/core/limits.hpp>
#include <unshade/ir/message.hpp>

#include "ir/dxbc/lowering.hpp"

namespace unshade::ir::lower_dxbc {
namespace {

// The lanes of a source that are an argument: one, or all that its mask or swizzle names.
unsigned shown_lanes(const Operand& operand) {
  using dxbc::Selection;
  if (operand.components != 4) return 1;
  if (operand.type == OperandType::immediate32) return 0xf;
  switch (operand.selection) {
    case Selection::mask: return operand.lanes & 0xfU;
    case Selection::select1: return 1;
    case Selection::swizzle: return operand.swizzle().is_broadcast() ? 1 : 0xf;
    default: return 0;
  }
}

}  // namespace

// The values of an argument; none of one that has none: samplers, resources, registers that are not declared.
std::vector<Id> Lowering::shown_values(const Operand& operand, Type type) {
  std::vector<Id> made;
  const unsigned lanes = shown_lanes(operand);
  if (lanes == 0 || operand.type == OperandType::immediate64) return made;
  const Values values = source(operand, lanes, type);
  if (failed()) {
    error_.reset();
    return made;
  }
  for (const Id value : values)
    if (value != kNone) made.push_back(value);
  return made;
}

void Lowering::custom_data(Op) {
  if (in_->custom_data() != dxbc::CustomData::shader_message) return;
  // relative indexes are operands of the message too
  Instruction whole = *in_;
  const auto decoded = dxbc::decode_shader_message(whole);
  if (!decoded) return;
  const Instruction* const before = std::exchange(in_, &whole);
  const std::string_view format = decoded->format.substr(0, limits::kMessageCharacters + 1);
  FormatWriter text;
  std::vector<Type> types;
  std::vector<Id> shown;
  if (decoded->format_style != dxbc::ShaderMessage::kPrintfStyle) {
    text.add_text(format);
  } else {
    unsigned next = 0;
    FormatParts parts(format);
    while (const auto part = parts.next()) {
      // registers have no types: the conversion has
      const Type type = part->is_real() ? Type::f32 : Type::i32;
      std::vector<Id> values;
      if (part->conversion != 0 && next < decoded->operand_count) {
        const Operand& argument = operand(next++);
        if (part->conversion != 's') values = shown_values(argument, type);
      }
      if (values.empty()) {
        text.add_text(part->text);
        continue;
      }
      if (!text.add_conversion(*part, values.size())) break;
      types.insert(types.end(), values.size(), type);
      shown.insert(shown.end(), values.begin(), values.end());
    }
  }
  in_ = before;
  const auto kind = decoded->message_id == dxbc::ShaderMessage::kErrorf ? MessageKind::errorf : MessageKind::printf;
  const std::uint32_t number = messages_.add({kind, text.take(), std::move(types)}, shown);
  b().inst(Op::print, Type::void_, shown, {.extra = number});
}

}  // namespace unshade::ir::lower_dxbc

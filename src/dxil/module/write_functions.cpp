// Functions as records. src: DXC BitcodeWriter.cpp, WriteInstruction
#include <unshade/dxil/query.hpp>

#include "dxil/bitcode/records.hpp"
#include "dxil/module/record_operands.hpp"
#include "dxil/module/record_words.hpp"
#include "dxil/module/write.hpp"

namespace unshade::dxil::module {

namespace {

std::uint64_t signed_distance(std::int64_t distance) {
  return distance >= 0 ? static_cast<std::uint64_t>(distance) << 1 : static_cast<std::uint64_t>(-distance) << 1 | 1;
}

}  // namespace

void ModuleWriter::write_body(const Body& body) {
  enter(bitcode::block_id::function, kFunctionWidth);
  emit(bitcode::code::function_declare_blocks, {body.blocks.count});
  const auto& constants = numbers_.enter_function(static_cast<std::uint32_t>(&body - m_.bodies.data()));
  parameters_ = body.parameters;
  own_constants_ = static_cast<std::uint32_t>(constants.size());
  if (!constants.empty()) {
    enter(bitcode::block_id::constants, kConstantsWidth);
    write_constants(constants, constant_abbreviations_);
    leave();
  }
  if (body.metadata.count != 0) {
    enter(bitcode::block_id::metadata, kMetadataWidth);
    for (std::uint32_t i = body.metadata.first; i < body.metadata.end(); ++i)
      emit(bitcode::code::metadata_value, {type_id(m_.local_metadata[i].type), value_id(m_.local_metadata[i].value)});
    leave();
  }
  next_value_ = module_values_ + parameters_ + own_constants_;
  std::uint32_t last = kNone;
  for (std::uint32_t k = body.instructions.first; k < body.instructions.end(); ++k) {
    const Instruction& i = m_.instructions[k];
    write_instruction(body, i);
    if (i.value != kNone) ++next_value_;
    if (i.location == kNone) continue;
    if (i.location == last) {
      emit(bitcode::code::function_location_again, {});
      continue;
    }
    last = i.location;
    const Location& at = m_.locations[last];
    emit(bitcode::code::function_location, {at.line, at.column, at.scope == kNone ? 0 : metadata_id(at.scope) + 1,
                                            at.inlined_at == kNone ? 0 : metadata_id(at.inlined_at) + 1});
  }
  std::vector<Symbol> symbols;
  const auto add = [&](StringRange name, std::uint32_t id, bool is_block) {
    if (!name.empty()) symbols.push_back({m_.text(name), id, is_block});
  };
  const auto locals = static_cast<std::uint32_t>(m_.values.size());
  for (std::uint32_t i = 0; i < body.values.count; ++i) add(m_.local_values[body.values.first + i].name, value_id(locals + i), false);
  for (std::uint32_t i = 0; i < body.blocks.count; ++i) add(m_.blocks[body.blocks.first + i].name, i, true);
  write_symbols(symbols);
  write_attachments(body);
  numbers_.leave_function();
  leave();
}

void ModuleWriter::write_attachments(const Body& body) {
  if (body.attachments.empty()) return;
  enter(bitcode::block_id::attachments, kMetadataWidth);
  for (std::uint32_t i = body.attachments.first; i < body.attachments.end();) {
    const std::uint32_t instruction = m_.attachments[i].instruction;
    values_.clear();
    if (instruction != kNone) values_.push_back(instruction);
    for (; i < body.attachments.end() && m_.attachments[i].instruction == instruction; ++i) {
      values_.push_back(m_.metadata_kinds[m_.attachments[i].kind].id);
      values_.push_back(metadata_id(m_.attachments[i].node));
    }
    emit(bitcode::code::attachments_attachment, values_);
  }
  leave();
}

bool ModuleWriter::push_typed(const Body& body, std::uint32_t id) {
  push(id);
  if (value_id(id) < next_value_) return false;
  values_.push_back(type_id(m_.value(&body, id).type));
  return true;
}

void ModuleWriter::push_argument(const Body& body, const Instruction& i, std::size_t operand) {
  const std::uint32_t id = m_.operands_of(i.operands)[operand];
  if ((id & kMetadataOperand) != 0)
    values_.push_back(static_cast<std::uint32_t>(next_value_ - metadata_id(id & ~kMetadataOperand)));
  else if (parameter_type(m_, i, operand) == kNone)
    push_typed(body, id);
  else if (!is_used(m_, i, operand, operand_layout(i.opcode)))
    values_.push_back(id);
  else
    push(id);
}

void ModuleWriter::write_instruction(const Body& body, const Instruction& i) {
  const std::uint32_t code = record_code(i);
  const auto o = m_.operands_of(i.operands);
  const auto [operation, flags] = operation_code(i.opcode, i.flags);
  const auto has = [&](std::uint16_t flag) { return (i.flags & flag) != 0; };
  bool later = false;
  values_.clear();
  OperandLetters letters(bitcode::record_operands(bitcode::block_id::function, code));
  const auto add = [&](std::uint64_t value) { values_.push_back(value); };
  while (const char letter = letters.next()) {
    const std::size_t k = letters.place();
    if (has_place(letter) && k >= o.size()) break;
    switch (letter) {
      case 'v':
      case 'V': later = push_typed(body, o[k]) || later; break;
      case 'u':
      case '=':
      case '*':
      case '/':
      case '?': push(o[k]); break;
      case 's': add(signed_distance(std::int64_t{next_value_} - value_id(o[k]))); break;
      case 'a': add(value_id(o[k])); break;
      case 'b':
      case 'n': add(o[k]); break;
      case 'e': push_argument(body, i, k); break;
      case 't':
      case 'T': add(type_id(i.type)); break;
      case 'p':
      case 'P': add(type_id(i.second_type)); break;
      case 'q': add(type_id(m_.value(&body, o[k]).type)); break;
      case 'k': add(operation); break;
      case 'f':
        if (flags != 0) add(flags);
        break;
      case 'i': add(has(flag::kInBounds) ? 1 : 0); break;
      case 'd': add(i.detail); break;
      case 'g': add(list_id(i.attributes)); break;
      case 'h':
        add(std::uint64_t{i.calling_convention} << 1 | (has(flag::kTail) ? kCallTail : 0) | (has(flag::kMustTail) ? kCallMustTail : 0) |
            kCallTyped);
        break;
      case 'y': add(i.alignment_code); break;
      case 'Y': add(i.alignment_code | (has(flag::kInAlloca) ? kAllocaInAlloca : 0) | kAllocaTyped); break;
      case 'w': add(has(flag::kVolatile) ? 1 : 0); break;
      case 'r': add(static_cast<std::uint64_t>(i.ordering)); break;
      case 'R': add(static_cast<std::uint64_t>(i.failure_ordering)); break;
      case 'c': add(i.single_thread ? 0 : 1); break;
      case 'x': add(has(flag::kWeak) ? 1 : 0); break;
      case 'l': add(has(flag::kCleanup) ? 1 : 0); break;
      case '#': add(o.size() / 2); break;
      default: break;  // of instructions that the parser does not make
    }
  }
  // LLVM abbreviates no record with the type of a later value, unless the abbreviation takes any number of operands.
  std::uint32_t used = abbreviation::kUnabbreviated;
  for (std::size_t k = 0; k < instruction_abbreviations_.size(); ++k) {
    const auto& [of, operands] = instruction_abbreviations_[k];
    if (of == code && (operands == kAnyOperands || (operands == values_.size() && !later)))
      used = abbreviation::kFirst + static_cast<std::uint32_t>(k);
  }
  emit(code, values_, used);
}

}  // namespace unshade::dxil::module

// Bodies of functions: blocks, locations, and what surrounds instructions. The instructions themselves: parse_instructions.cpp.
#include <algorithm>

#include "dxil/module/parse/parse.hpp"

namespace unshade::dxil::module {

bool ModuleReader::read_body() {
  if (!begin_body()) return false;
  if (!each([this] { return body_record(); }, [this] { return body_block(); })) return false;
  return finish_body();
}

bool ModuleReader::begin_body() {
  Function& function = m_.functions[pending_bodies_[next_body_]];
  current_body_ = {};
  current_body_.function = pending_bodies_[next_body_++];
  current_body_.values.first = static_cast<std::uint32_t>(m_.local_values.size());
  current_body_.blocks.first = static_cast<std::uint32_t>(m_.blocks.size());
  current_body_.instructions.first = static_cast<std::uint32_t>(m_.instructions.size());
  current_body_.metadata.first = static_cast<std::uint32_t>(m_.local_metadata.size());
  current_body_.use_lists.first = static_cast<std::uint32_t>(m_.use_lists.size());
  body_ = &current_body_;
  // About what a body of so many bits takes: what is more than that grows.
  constexpr std::size_t kBitsPerInstruction = 44;
  const std::size_t instructions = std::size_t{cursor_.length_words()} * 32 / kBitsPerInstruction;
  make_room(m_.instructions, room_.instructions, instructions);
  make_room(m_.local_values, room_.local_values, instructions);
  make_room(m_.operands, room_.operands, 3 * instructions);
  function.body = static_cast<std::uint32_t>(m_.bodies.size());
  next_value_ = static_cast<std::uint32_t>(m_.values.size());
  open_block_ = kNone;
  last_location_ = kNone;
  forwards_.clear();
  const auto parameters = m_.parts_of(type(function.type)).subspan(1);
  for (const std::uint32_t parameter : parameters)
    if (!push(m_.local_values, {ValueKind::parameter, parameter, current_body_.parameters++, {}})) return false;
  next_value_ += current_body_.parameters;
  return true;
}

bool ModuleReader::body_block() {
  switch (cursor_.block()) {
    case bitcode::block_id::constants:
      // Their ids would change those of instructions that have been read.
      if (m_.instructions.size() != body_->instructions.first) return fail(ErrorCode::bad_value, "constants after instructions");
      if (!in("constants", kNone, &ModuleReader::read_constants)) return false;
      next_value_ = static_cast<std::uint32_t>(m_.values.size() + m_.local_values.size() - body_->values.first);
      return true;
    case bitcode::block_id::symbols: return in("symbols", kNone, &ModuleReader::read_symbols);
    case bitcode::block_id::attachments: return in("attachments", kNone, &ModuleReader::read_attachments);
    case bitcode::block_id::metadata: return in("metadata", kNone, &ModuleReader::read_metadata);
    case bitcode::block_id::use_lists: return in("use_lists", kNone, &ModuleReader::read_use_lists);
    default: return skip_block();
  }
}

bool ModuleReader::finish_body() {
  for (const Forward& forward : forwards_) {
    if (forward.id >= next_value_)
      return fail_at(ErrorCode::out_of_range, "instruction", forward.instruction,
                     "value " + std::to_string(forward.id) + " does not exist");
    if (value_at(forward.id).type != forward.type)
      return fail_at(ErrorCode::bad_value, "instruction", forward.instruction,
                     "value " + std::to_string(forward.id) + " has a different type");
  }
  if (body_->blocks.count == 0) return fail(ErrorCode::missing, "a function body without blocks");
  if (open_block_ != kNone) {
    return fail_at(ErrorCode::missing, "block", open_block_ - body_->blocks.first, "the block has no terminator");
  }
  body_->values.count = static_cast<std::uint32_t>(m_.local_values.size()) - body_->values.first;
  body_->instructions.count = static_cast<std::uint32_t>(m_.instructions.size()) - body_->instructions.first;
  body_->metadata.count = static_cast<std::uint32_t>(m_.local_metadata.size()) - body_->metadata.first;
  if (!check_metadata(m_.local_metadata, body_->metadata.first)) return false;
  const Body done = current_body_;
  body_ = nullptr;
  return push(m_.bodies, done);
}

bool ModuleReader::body_record() {
  const Operands o = cursor_.operands();
  switch (cursor_.code()) {
    case bitcode::code::function_declare_blocks: return declare_blocks(o);
    case bitcode::code::function_location: return location(o);
    case bitcode::code::function_location_again:
      if (m_.instructions.size() == body_->instructions.first) return bad_record();
      m_.instructions.back().location = last_location_;
      return true;
    default: break;
  }
  if (open_block_ == kNone) return fail(ErrorCode::bad_value, "an instruction after the last block");
  if (!spend(o.size() * sizeof(std::uint32_t))) return false;
  first_operand_ = static_cast<std::uint32_t>(m_.operands.size());
  return instruction(cursor_.code(), o);
}

bool ModuleReader::declare_blocks(Operands o) {
  if (o.empty() || o[0] == 0 || body_->blocks.count != 0) return bad_record();
  if (o[0] > 0xffff'ffff / sizeof(Block) || !spend(static_cast<std::size_t>(o[0]) * sizeof(Block))) return error_ ? false : bad_record();
  body_->blocks.count = static_cast<std::uint32_t>(o[0]);
  m_.blocks.resize(m_.blocks.size() + body_->blocks.count);
  open_block_ = body_->blocks.first;
  m_.blocks[open_block_].instructions.first = body_->instructions.first;
  return true;
}

// [line, column, scope, inlined at]
bool ModuleReader::location(Operands o) {
  if (o.size() < 4 || m_.instructions.size() == body_->instructions.first) return bad_record();
  if (o[2] > metadata_count() || o[3] > metadata_count()) return bad_reference("metadata", std::max(o[2], o[3]) - 1);
  for (const std::uint64_t id : {o[2], o[3]}) {
    if (id == 0) continue;
    const MetadataKind kind = m_.metadata_at(body_, static_cast<std::uint32_t>(id - 1)).kind;
    if (kind == MetadataKind::string || kind == MetadataKind::value) return fail(ErrorCode::bad_value, "a scope is not a metadata node");
  }
  last_location_ = static_cast<std::uint32_t>(m_.locations.size());
  m_.instructions.back().location = last_location_;
  return push(m_.locations, {static_cast<std::uint32_t>(o[0]), static_cast<std::uint32_t>(o[1]), less_one(o[2]), less_one(o[3])});
}

// --- operands ----------------------------------------------------------------------------------------------------------------------------

bool ModuleReader::later_value(Operands o, std::size_t& at, std::uint32_t& type) {
  if (at >= o.size() || o[at] > 0xffff'ffff) return bad_record();
  const std::uint32_t id = absolute(o[at++]);
  if (at >= o.size()) return bad_record();
  if (id >= kMetadataOperand) return bad_reference("value", id);
  if (!type_at(o[at++], type)) return false;
  const auto number = static_cast<std::uint32_t>(m_.instructions.size() - body_->instructions.first);
  return push(forwards_, {id, type, number}) && put_operand(id);
}

bool ModuleReader::value_id(std::uint64_t id, std::uint32_t type) {
  if (id < next_value_) {
    const auto known = static_cast<std::uint32_t>(id);
    if (value_at(known).type != type) return fail(ErrorCode::bad_value, "value " + std::to_string(id) + " has a different type");
    return put_operand(known);
  }
  if (id >= kMetadataOperand) return bad_reference("value", id);
  const auto number = static_cast<std::uint32_t>(m_.instructions.size() - body_->instructions.first);
  return push(forwards_, {static_cast<std::uint32_t>(id), type, number}) && put_operand(static_cast<std::uint32_t>(id));
}

bool ModuleReader::other_value_of(Operands o, std::size_t& at, std::uint32_t type) {
  if (at >= o.size() || o[at] > 0xffff'ffff) return bad_record();
  const std::uint32_t id = absolute(o[at++]);
  if (!is(type, TypeKind::metadata)) return value_id(id, type);
  if (id >= metadata_count()) return bad_reference("metadata", id);
  return put_operand(id | kMetadataOperand);
}

bool ModuleReader::block_at(Operands o, std::size_t& at) {
  if (at >= o.size()) return bad_record();
  if (o[at] >= body_->blocks.count) return bad_reference("block", o[at]);
  return put_operand(static_cast<std::uint32_t>(o[at++]));
}

bool ModuleReader::add_instruction(Instruction& i) {
  if (!spend(sizeof(Instruction) + sizeof(Value))) return false;
  i.operands = {first_operand_, static_cast<std::uint32_t>(m_.operands.size()) - first_operand_};
  const auto index = static_cast<std::uint32_t>(m_.instructions.size());
  if (!is(i.type, TypeKind::void_)) {
    if (!is_first_class(i.type)) return fail(ErrorCode::bad_value, "an instruction must have a first-class type");
    i.value = next_value_++;
    append(m_.local_values, room_.local_values, {ValueKind::instruction, i.type, index, {}});
  }
  append(m_.instructions, room_.instructions, i);
  if (is_terminator(i.opcode)) {
    Range& instructions = m_.blocks[open_block_++].instructions;
    instructions.count = index + 1 - instructions.first;
    if (open_block_ == body_->blocks.end()) {
      open_block_ = kNone;
    } else {
      m_.blocks[open_block_].instructions.first = index + 1;
    }
  }
  return true;
}

}  // namespace unshade::dxil::module

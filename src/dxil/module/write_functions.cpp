// Functions as records. src: DXC BitcodeWriter.cpp, WriteInstruction
#include <algorithm>

#include "dxil/bitcode/records.hpp"
#include "dxil/module/record_words.hpp"
#include "dxil/module/write.hpp"

namespace unshade::dxil::module {

namespace {

/// Abbreviations of instructions, in the order in which write_block_info() defines them.
enum InstructionAbbreviation : std::uint32_t {
  kLoad = abbreviation::kFirst,
  kBinaryPlain,
  kBinaryFlags,
  kCast,
  kRetVoid,
  kRet,
  kUnreachable,
  kGetelementptr,
};

std::uint64_t signed_distance(std::int64_t distance) {
  return distance >= 0 ? static_cast<std::uint64_t>(distance) << 1 : static_cast<std::uint64_t>(-distance) << 1 | 1;
}

}  // namespace

void ModuleWriter::write_body(const Body& body) {
  enter(bitcode::block_id::function, kFunctionWidth);
  emit(bitcode::code::function_declare_blocks, {body.blocks.count});
  if (body.metadata.count != 0) {
    enter(bitcode::block_id::metadata, kMetadataWidth);
    for (std::uint32_t i = body.metadata.first; i < body.metadata.end(); ++i)
      emit(bitcode::code::metadata_value, {type_id(m_.local_metadata[i].type), value_id(m_.local_metadata[i].value)});
    leave();
  }
  next_value_ = module_values_ + body.parameters;
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
  for (std::uint32_t i = 0; i < body.values.count; ++i) add(m_.local_values[body.values.first + i].name, module_values_ + i, false);
  for (std::uint32_t i = 0; i < body.blocks.count; ++i) add(m_.blocks[body.blocks.first + i].name, i, true);
  write_symbols(symbols);
  write_attachments(body);
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

void ModuleWriter::write_call(const Body& body, const Instruction& i) {
  constexpr std::uint64_t kTyped = 1U << 15;
  constexpr std::uint64_t kMustTail = 1U << 14;
  const auto o = m_.operands_of(i.operands);
  const Type& type = m_.types[i.second_type];
  const auto parts = m_.parts_of(type);
  values_ = {list_id(i.attributes),
             std::uint64_t{i.calling_convention} << 1 | ((i.flags & flag::kTail) != 0 ? 1U : 0U) |
                 ((i.flags & flag::kMustTail) != 0 ? kMustTail : 0) | kTyped,
             type_id(i.second_type)};
  push_typed(body, o[0]);
  for (std::size_t k = 1; k < o.size(); ++k) {
    if ((o[k] & kMetadataOperand) != 0)
      values_.push_back(static_cast<std::uint32_t>(next_value_ - metadata_id(o[k] & ~kMetadataOperand)));
    else if (k >= parts.size())
      push_typed(body, o[k]);
    else if (m_.types[parts[k]].kind == TypeKind::label)
      values_.push_back(o[k]);
    else
      push(o[k]);
  }
  emit(bitcode::code::function_call, values_);
}

void ModuleWriter::write_instruction(const Body& body, const Instruction& i) {
  const auto o = m_.operands_of(i.operands);
  std::uint32_t used = abbreviation::kUnabbreviated;
  const auto add = [&](std::uint64_t value) { values_.push_back(value); };
  const auto add_access = [&](bool atomic) {
    add(i.alignment_code);
    add((i.flags & flag::kVolatile) != 0 ? 1 : 0);
    if (!atomic) return;
    add(static_cast<std::uint64_t>(i.ordering));
    add(i.single_thread ? 0 : 1);
  };
  values_.clear();
  if (is_binary(i.opcode)) {
    const auto [operation, flags] = binary_code(i.opcode, i.flags);
    if (!push_typed(body, o[0])) used = flags != 0 ? kBinaryFlags : kBinaryPlain;
    push(o[1]);
    add(operation);
    if (flags != 0) add(flags);
    return emit(bitcode::code::function_binary, values_, used);
  }
  if (is_cast(i.opcode)) {
    if (!push_typed(body, o[0])) used = kCast;
    add(type_id(i.type));
    add(cast_code(i.opcode));
    return emit(bitcode::code::function_cast, values_, used);
  }
  switch (i.opcode) {
    case Opcode::ret:
      used = kRetVoid;
      if (!o.empty()) used = push_typed(body, o[0]) ? abbreviation::kUnabbreviated : kRet;
      return emit(bitcode::code::function_ret, values_, used);
    case Opcode::br:
      add(o[0]);
      if (o.size() == 3) {
        add(o[1]);
        push(o[2]);
      }
      return emit(bitcode::code::function_br, values_);
    case Opcode::switch_:
      add(type_id(i.second_type));
      push(o[0]);
      add(o[1]);
      for (std::size_t k = 2; k + 1 < o.size(); k += 2) {
        add(value_id(o[k]));
        add(o[k + 1]);
      }
      return emit(bitcode::code::function_switch_, values_);
    case Opcode::indirectbr:
      add(type_id(i.second_type));
      push(o[0]);
      for (const std::uint32_t block : o.subspan(1)) add(block);
      return emit(bitcode::code::function_indirectbr, values_);
    case Opcode::unreachable: return emit(bitcode::code::function_unreachable, values_, kUnreachable);
    case Opcode::phi:
      add(type_id(i.type));
      for (std::size_t k = 0; k + 1 < o.size(); k += 2) {
        add(signed_distance(std::int64_t{next_value_} - value_id(o[k])));
        add(o[k + 1]);
      }
      return emit(bitcode::code::function_phi, values_);
    case Opcode::alloca_: {
      constexpr std::uint64_t kTyped = 1U << 6;
      constexpr std::uint64_t kInAlloca = 1U << 5;
      values_ = {type_id(i.second_type), type_id(m_.value(&body, o[0]).type), value_id(o[0]),
                 i.alignment_code | ((i.flags & flag::kInAlloca) != 0 ? kInAlloca : 0) | kTyped};
      return emit(bitcode::code::function_alloca_, values_);
    }
    case Opcode::load: {
      const bool atomic = (i.flags & flag::kAtomic) != 0;
      if (!push_typed(body, o[0]) && !atomic) used = kLoad;
      add(type_id(i.type));
      add_access(atomic);
      return emit(atomic ? bitcode::code::function_load_atomic : bitcode::code::function_load, values_, used);
    }
    case Opcode::store: {
      const bool atomic = (i.flags & flag::kAtomic) != 0;
      push_typed(body, o[0]);
      push_typed(body, o[1]);
      add_access(atomic);
      return emit(atomic ? bitcode::code::function_store_atomic : bitcode::code::function_store, values_);
    }
    case Opcode::cmpxchg:
      push_typed(body, o[0]);
      push_typed(body, o[1]);
      push(o[2]);
      add((i.flags & flag::kVolatile) != 0 ? 1 : 0);
      add(static_cast<std::uint64_t>(i.ordering));
      add(i.single_thread ? 0 : 1);
      add(static_cast<std::uint64_t>(i.failure_ordering));
      add((i.flags & flag::kWeak) != 0 ? 1 : 0);
      return emit(bitcode::code::function_cmpxchg, values_);
    case Opcode::atomicrmw:
      push_typed(body, o[0]);
      push(o[1]);
      add(i.detail);
      add((i.flags & flag::kVolatile) != 0 ? 1 : 0);
      add(static_cast<std::uint64_t>(i.ordering));
      add(i.single_thread ? 0 : 1);
      return emit(bitcode::code::function_atomicrmw, values_);
    case Opcode::fence:
      add(static_cast<std::uint64_t>(i.ordering));
      add(i.single_thread ? 0 : 1);
      return emit(bitcode::code::function_fence, values_);
    case Opcode::getelementptr:
      add((i.flags & flag::kInBounds) != 0 ? 1 : 0);
      add(type_id(i.second_type));
      for (const std::uint32_t operand : o) push_typed(body, operand);
      return emit(bitcode::code::function_getelementptr, values_, kGetelementptr);
    case Opcode::icmp:
    case Opcode::fcmp: {
      push_typed(body, o[0]);
      push(o[1]);
      add(i.detail);
      const std::uint64_t flags = fast_math_bits(i.flags);
      if (flags != 0) add(flags);
      return emit(bitcode::code::function_compare, values_);
    }
    case Opcode::select:
      push_typed(body, o[1]);
      push(o[2]);
      push_typed(body, o[0]);
      return emit(bitcode::code::function_select, values_);
    case Opcode::extractelement:
      push_typed(body, o[0]);
      push_typed(body, o[1]);
      return emit(bitcode::code::function_extractelement, values_);
    case Opcode::insertelement:
      push_typed(body, o[0]);
      push(o[1]);
      push_typed(body, o[2]);
      return emit(bitcode::code::function_insertelement, values_);
    case Opcode::shufflevector:
      push_typed(body, o[0]);
      push(o[1]);
      push(o[2]);
      return emit(bitcode::code::function_shufflevector, values_);
    case Opcode::extractvalue:
      push_typed(body, o[0]);
      for (const std::uint32_t index : o.subspan(1)) add(index);
      return emit(bitcode::code::function_extractvalue, values_);
    case Opcode::insertvalue:
      push_typed(body, o[0]);
      push_typed(body, o[1]);
      for (const std::uint32_t index : o.subspan(2)) add(index);
      return emit(bitcode::code::function_insertvalue, values_);
    case Opcode::va_arg:
      add(type_id(m_.value(&body, o[0]).type));
      push(o[0]);
      add(type_id(i.type));
      return emit(bitcode::code::function_va_arg, values_);
    case Opcode::call: return write_call(body, i);
    default: return;  // the parser makes none
  }
}

}  // namespace unshade::dxil::module

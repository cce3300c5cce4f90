// Instructions: one function for each layout of records. src: LLVM 3.7, BitcodeWriter.cpp, BitcodeReader.cpp
#include "dxil/module/parse.hpp"
#include "dxil/module/record_operands.hpp"
#include "dxil/module/record_words.hpp"

namespace unshade::dxil::module {

namespace {

constexpr std::uint32_t kConventionMask = 0x1fff;
constexpr std::uint64_t kSwitchOfRanges = 0x4b5;  // [31:16] of the first operand

std::uint16_t truth(bool set, std::uint16_t flag) { return set ? flag : std::uint16_t{0}; }

}  // namespace

bool ModuleReader::instruction(std::uint32_t number, Operands o) {
  switch (number) {
    case bitcode::code::function_binary: return binary(o);
    case bitcode::code::function_cast: return cast(o);
    case bitcode::code::function_getelementptr_old:
    case bitcode::code::function_getelementptr_inbounds_old:
    case bitcode::code::function_getelementptr: return getelementptr(number, o);
    case bitcode::code::function_select_old: return select(true, o);
    case bitcode::code::function_select: return select(false, o);
    case bitcode::code::function_extractelement:
    case bitcode::code::function_insertelement:
    case bitcode::code::function_shufflevector: return vector_access(number, o);
    case bitcode::code::function_compare_old:
    case bitcode::code::function_compare: return compare(o);
    case bitcode::code::function_ret: return ret(o);
    case bitcode::code::function_br: return br(o);
    case bitcode::code::function_switch_: return switch_(o);
    case bitcode::code::function_indirectbr: return indirectbr(o);
    case bitcode::code::function_invoke: return call(true, o);
    case bitcode::code::function_call: return call(false, o);
    case bitcode::code::function_unreachable: {
      Instruction i = start(Opcode::unreachable);
      i.type = void_type();
      return i.type != kNone && add_instruction(i);
    }
    case bitcode::code::function_phi: return phi(o);
    case bitcode::code::function_landingpad_old: return landingpad(true, o);
    case bitcode::code::function_landingpad: return landingpad(false, o);
    case bitcode::code::function_alloca_: return alloca_(o);
    case bitcode::code::function_load: return load(false, o);
    case bitcode::code::function_load_atomic: return load(true, o);
    case bitcode::code::function_store_old: return store(false, true, o);
    case bitcode::code::function_store: return store(false, false, o);
    case bitcode::code::function_store_atomic_old: return store(true, true, o);
    case bitcode::code::function_store_atomic: return store(true, false, o);
    case bitcode::code::function_cmpxchg_old: return cmpxchg(true, o);
    case bitcode::code::function_cmpxchg: return cmpxchg(false, o);
    case bitcode::code::function_atomicrmw: return atomicrmw(o);
    case bitcode::code::function_fence: return fence(o);
    case bitcode::code::function_extractvalue: return aggregate_access(false, o);
    case bitcode::code::function_insertvalue: return aggregate_access(true, o);
    case bitcode::code::function_resume: {
      Instruction i = start(Opcode::resume);
      std::size_t at = 0;
      std::uint32_t type = 0;
      i.type = void_type();
      return typed_value(o, at, type) && i.type != kNone && add_instruction(i);
    }
    case bitcode::code::function_va_arg: {
      // [list's type, list, type]
      if (o.size() < 3) return bad_record();
      Instruction i = start(Opcode::va_arg);
      std::size_t at = 1;
      std::uint32_t list = 0;
      return type_at(o[0], list) && value_of(o, at, list) && type_at(o[2], i.type) && add_instruction(i);
    }
    default: return fail(ErrorCode::bad_value, "record code " + std::to_string(number) + " is not an instruction");
  }
}

// [value, value, operation, flags]
bool ModuleReader::binary(Operands o) {
  Instruction i = start(Opcode::invalid);
  std::size_t at = 0;
  if (!typed_value(o, at, i.type) || !value_of(o, at, i.type)) return false;
  if (at >= o.size() || (!is_integer(i.type) && !is_real(i.type))) return bad_record();
  const bool real = is_real(i.type);
  i.opcode = binary_opcode(o[at], real);
  if (i.opcode == Opcode::invalid) return bad_record();
  if (at + 1 < o.size()) i.flags = binary_flags(o[at], real, o[at + 1]);
  return add_instruction(i);
}

// [value, type, operation]
bool ModuleReader::cast(Operands o) {
  Instruction i = start(Opcode::invalid);
  std::size_t at = 0;
  std::uint32_t from = 0;
  if (!typed_value(o, at, from)) return false;
  if (at + 2 != o.size()) return bad_record();
  if (!type_at(o[at], i.type)) return false;
  i.opcode = cast_opcode(o[at + 1]);
  if (i.opcode == Opcode::invalid || !is_first_class(i.type)) return bad_record();
  return add_instruction(i);
}

// [inbounds, pointee, values...]; the older ones have values alone
bool ModuleReader::getelementptr(std::uint32_t number, Operands o) {
  Instruction i = start(Opcode::getelementptr);
  std::size_t at = 0;
  bool in_bounds = number == bitcode::code::function_getelementptr_inbounds_old;
  if (number == bitcode::code::function_getelementptr) {
    if (o.size() < 3) return bad_record();
    in_bounds = o[at++] != 0;
    if (!type_at(o[at++], i.second_type)) return false;
  }
  i.flags = truth(in_bounds, flag::kInBounds);
  std::uint32_t base = 0;
  if (!typed_value(o, at, base)) return false;
  const std::uint32_t pointer = scalar_of(base);
  if (!is(pointer, TypeKind::pointer)) return bad_record();
  if (i.second_type == kNone) i.second_type = m_.element_of(pointer);
  if (i.second_type != m_.element_of(pointer)) return fail(ErrorCode::bad_value, "the pointee type does not match the pointer");
  std::uint64_t lanes = is(base, TypeKind::vector) ? type(base).count : 0;
  std::uint32_t result = i.second_type;
  for (bool first = true; at < o.size(); first = false) {
    std::uint32_t index = 0;
    if (!typed_value(o, at, index)) return false;
    if (is(index, TypeKind::vector)) lanes = type(index).count;
    if (!is_integer(index)) return bad_record();
    if (!first && !step_into(result, m_.operands.back())) return false;
  }
  const std::uint32_t address_space = type(pointer).number;
  i.type = pointer_to(result, address_space);
  if (i.type == kNone) return false;
  if (lanes != 0) i.type = vector_of(i.type, lanes);
  return i.type != kNone && add_instruction(i);
}

bool ModuleReader::step_into(std::uint32_t& type_id, std::uint32_t index_value) {
  const Type& outer = type(type_id);
  if (outer.kind == TypeKind::array || outer.kind == TypeKind::vector) {
    type_id = m_.element_of(type_id);
    return true;
  }
  if (outer.kind != TypeKind::structure || index_value >= next_value_) return bad_record();
  const Value* value = &value_at(index_value);
  if (value->kind != ValueKind::constant) return bad_record();
  const Constant* c = &m_.constants[value->index];
  if (c->kind == ConstantKind::aggregate) {
    // the same member in all lanes
    const Value& lane = value_at(m_.operands[c->operands.first]);
    if (lane.kind != ValueKind::constant) return bad_record();
    c = &m_.constants[lane.index];
  }
  std::uint64_t member = c->bits;
  if (c->kind == ConstantKind::data)
    member = m_.literals[c->literals.first];
  else if (c->kind != ConstantKind::integer && c->kind != ConstantKind::null)
    return bad_record();
  if (member >= outer.parts.count) return fail(ErrorCode::out_of_range, "member " + std::to_string(member) + " does not exist");
  type_id = m_.type_parts[outer.parts.first + static_cast<std::size_t>(member)];
  return true;
}

// [aggregate, indices...] or [aggregate, value, indices...]
bool ModuleReader::aggregate_access(bool insert, Operands o) {
  Instruction i = start(insert ? Opcode::insertvalue : Opcode::extractvalue);
  std::size_t at = 0;
  std::uint32_t aggregate = 0;
  std::uint32_t value = 0;
  if (!typed_value(o, at, aggregate) || (insert && !typed_value(o, at, value))) return false;
  if (at == o.size()) return bad_record();
  std::uint32_t part = aggregate;
  for (; at < o.size(); ++at) {
    const Type& outer = type(part);
    const bool is_struct = outer.kind == TypeKind::structure;
    if (!is_struct && outer.kind != TypeKind::array) return bad_record();
    if (o[at] >= (is_struct ? outer.parts.count : outer.count) || o[at] > 0xffff'ffff)
      return fail(ErrorCode::out_of_range, "member " + std::to_string(o[at]) + " does not exist");
    part = m_.type_parts[outer.parts.first + (is_struct ? static_cast<std::size_t>(o[at]) : 0)];
    if (!put_operand(static_cast<std::uint32_t>(o[at]))) return false;
  }
  if (insert && part != value) return fail(ErrorCode::bad_value, "the value has a different type than the member");
  i.type = insert ? aggregate : part;
  return add_instruction(i);
}

// [value, value, condition]; conditions come first in the model
bool ModuleReader::select(bool old, Operands o) {
  Instruction i = start(Opcode::select);
  std::size_t at = 0;
  std::uint32_t condition = 0;
  if (!typed_value(o, at, i.type) || !value_of(o, at, i.type)) return false;
  if (old) {
    condition = integer_type(1);
    if (condition == kNone || !value_of(o, at, condition)) return false;
  } else if (!typed_value(o, at, condition)) {
    return false;
  }
  const std::uint32_t bit = scalar_of(condition);
  if (!is(bit, TypeKind::integer) || type(bit).number != 1) return bad_record();
  const std::size_t first = first_operand_;
  const std::uint32_t id = m_.operands[first + 2];
  m_.operands[first + 2] = m_.operands[first + 1];
  m_.operands[first + 1] = m_.operands[first];
  m_.operands[first] = id;
  return add_instruction(i);
}

bool ModuleReader::vector_access(std::uint32_t number, Operands o) {
  std::size_t at = 0;
  std::uint32_t vector = 0;
  std::uint32_t index = 0;
  if (!typed_value(o, at, vector)) return false;
  if (!is(vector, TypeKind::vector)) return bad_record();
  if (number == bitcode::code::function_extractelement) {  // [vector, index]
    Instruction i = start(Opcode::extractelement);
    i.type = m_.element_of(vector);
    return typed_value(o, at, index) && add_instruction(i);
  }
  if (number == bitcode::code::function_insertelement) {  // [vector, element, index]
    Instruction i = start(Opcode::insertelement);
    i.type = vector;
    return value_of(o, at, m_.element_of(vector)) && typed_value(o, at, index) && add_instruction(i);
  }
  Instruction i = start(Opcode::shufflevector);  // [vector, vector, mask]
  if (!value_of(o, at, vector) || !typed_value(o, at, index)) return false;
  if (!is(index, TypeKind::vector)) return bad_record();
  i.type = vector_of(m_.element_of(vector), type(index).count);
  return i.type != kNone && add_instruction(i);
}

// [value, value, predicate, flags]
bool ModuleReader::compare(Operands o) {
  std::size_t at = 0;
  std::uint32_t operands = 0;
  if (!typed_value(o, at, operands) || !value_of(o, at, operands)) return false;
  const bool real = is_real(operands);
  Instruction i = start(real ? Opcode::fcmp : Opcode::icmp);
  const std::size_t left = o.size() - at;
  Predicate predicate{};
  if (left == 0 || left > (real ? 2U : 1U) || !compare_predicate(o[at], i.opcode, predicate)) return bad_record();
  if (left == 2) i.flags = fast_math_flags(o[at + 1]);
  i.detail = static_cast<std::uint8_t>(predicate);
  i.type = truth_of(operands);
  return i.type != kNone && add_instruction(i);
}

bool ModuleReader::ret(Operands o) {
  Instruction i = start(Opcode::ret);
  std::size_t at = 0;
  std::uint32_t type = 0;
  if (!o.empty() && !typed_value(o, at, type)) return false;
  if (at != o.size()) return bad_record();
  i.type = void_type();
  return i.type != kNone && add_instruction(i);
}

// [block] or [block if true, block if false, condition]
bool ModuleReader::br(Operands o) {
  if (o.size() != 1 && o.size() != 3) return bad_record();
  Instruction i = start(Opcode::br);
  i.type = void_type();
  std::size_t at = 0;
  if (i.type == kNone || !block_at(o, at)) return false;
  if (o.size() == 3) {
    const std::uint32_t truth = integer_type(1);
    if (!block_at(o, at) || truth == kNone || !value_of(o, at, truth)) return false;
  }
  return add_instruction(i);
}

// [type, condition, default, (case, block)...]
bool ModuleReader::switch_(Operands o) {
  if (!o.empty() && o[0] >> 16 == kSwitchOfRanges) return fail(ErrorCode::unsupported, "a switch over ranges, of another version of LLVM");
  if (o.size() < 3 || o.size() % 2 == 0) return bad_record();
  Instruction i = start(Opcode::switch_);
  i.type = void_type();
  if (i.type == kNone || !type_at(o[0], i.second_type)) return false;
  if (!is(i.second_type, TypeKind::integer)) return bad_record();
  std::size_t at = 1;
  if (!value_of(o, at, i.second_type) || !block_at(o, at)) return false;
  while (at < o.size()) {
    // cases are not counted back from the instruction
    const std::uint64_t id = o[at++];
    if (id >= next_value_ || value_at(static_cast<std::uint32_t>(id)).kind != ValueKind::constant) return bad_reference("case", id);
    const ConstantKind kind = m_.constants[value_at(static_cast<std::uint32_t>(id)).index].kind;
    if (kind != ConstantKind::integer && kind != ConstantKind::wide_integer && kind != ConstantKind::null) return bad_reference("case", id);
    if (!value_id(id, i.second_type) || !block_at(o, at)) return false;
  }
  return add_instruction(i);
}

// [type, address, blocks...]
bool ModuleReader::indirectbr(Operands o) {
  if (o.size() < 2) return bad_record();
  Instruction i = start(Opcode::indirectbr);
  i.type = void_type();
  if (i.type == kNone || !type_at(o[0], i.second_type)) return false;
  std::size_t at = 1;
  if (!value_of(o, at, i.second_type)) return false;
  while (at < o.size())
    if (!block_at(o, at)) return false;
  return add_instruction(i);
}

// [attributes, flags, function type, function, arguments...]; invoke has two blocks after the flags
bool ModuleReader::call(bool invoke, Operands o) {
  if (o.size() < (invoke ? 4U : 3U)) return bad_record();
  Instruction i = start(invoke ? Opcode::invoke : Opcode::call);
  if (!attribute_list(o[0], i.attributes)) return false;
  const std::uint64_t bits = o[1];
  std::size_t at = 2;
  std::uint64_t blocks[2] = {};
  if (invoke) {
    for (std::uint64_t& block : blocks) block = o[at++];
    i.calling_convention = static_cast<std::uint16_t>(bits & kConventionMask);
  } else {
    i.calling_convention = static_cast<std::uint16_t>(bits >> 1 & kConventionMask);
    i.flags = static_cast<std::uint16_t>(truth((bits & kCallTail) != 0, flag::kTail) | truth((bits & kCallMustTail) != 0, flag::kMustTail));
  }
  if ((bits & (invoke ? kInvokeTyped : kCallTyped)) != 0) {
    if (at >= o.size()) return bad_record();
    if (!type_at(o[at++], i.second_type)) return false;
  }
  std::uint32_t callee = 0;
  if (!typed_value(o, at, callee)) return false;
  if (!is(callee, TypeKind::pointer)) return fail(ErrorCode::bad_value, "the callee is not a function");
  if (i.second_type == kNone) i.second_type = m_.element_of(callee);
  if (i.second_type != m_.element_of(callee) || !is(i.second_type, TypeKind::function))
    return fail(ErrorCode::bad_value, "the callee is not a function of the stated type");
  if (invoke) {
    std::size_t block = 0;
    while (block < 2)
      if (!block_at(blocks, block)) return false;
  }
  const Range parts = type(i.second_type).parts;
  if (o.size() - at < parts.count - 1) return fail(ErrorCode::bad_value, "too few arguments");
  for (std::uint32_t k = 1; k < parts.count; ++k) {
    const std::uint32_t parameter = m_.type_parts[parts.first + k];
    if (!(is(parameter, TypeKind::label) ? block_at(o, at) : value_of(o, at, parameter))) return false;
  }
  if (type(i.second_type).variadic) {
    std::uint32_t argument = 0;
    while (at < o.size())
      if (!typed_value(o, at, argument)) return false;
  } else if (at != o.size()) {
    return fail(ErrorCode::bad_value, "too many arguments");
  }
  i.type = m_.type_parts[parts.first];
  return add_instruction(i);
}

// [type, (value, block)...]: values are signed distances
bool ModuleReader::phi(Operands o) {
  if (o.empty() || o.size() % 2 == 0) return bad_record();
  Instruction i = start(Opcode::phi);
  if (!type_at(o[0], i.type)) return false;
  if (!is_first_class(i.type)) return bad_record();
  for (std::size_t at = 1; at < o.size();) {
    const std::uint64_t operand = o[at++];
    const std::uint64_t distance = (operand & 1) == 0 ? operand >> 1 : 0 - (operand >> 1);
    const std::uint32_t id = relative_ ? next_value_ - static_cast<std::uint32_t>(distance) : static_cast<std::uint32_t>(operand);
    if (!value_id(id, i.type) || !block_at(o, at)) return false;
  }
  return add_instruction(i);
}

// [type, cleanup, clauses, (kind, value)...]; the older one has a personality after the type
bool ModuleReader::landingpad(bool old, Operands o) {
  Instruction i = start(Opcode::landingpad);
  if (o.size() < (old ? 4U : 3U) || !type_at(o[0], i.type)) return error_ ? false : bad_record();
  std::size_t at = 1;
  std::uint32_t type = 0;
  if (old) {
    if (!typed_value(o, at, type)) return false;
    const std::uint32_t id = m_.operands.back();
    m_.operands.pop_back();
    if (id < m_.values.size()) m_.functions[body_->function].personality = id;
  }
  if (o.size() - at < 2) return bad_record();
  i.flags = truth(o[at] != 0, flag::kCleanup);
  const std::uint64_t clauses = o[at + 1];
  at += 2;
  for (std::uint64_t k = 0; k < clauses; ++k) {
    if (at >= o.size() || o[at] > 1) return bad_record();
    if (!put_operand(static_cast<std::uint32_t>(o[at++])) || !typed_value(o, at, type)) return false;
  }
  return add_instruction(i);
}

bool ModuleReader::alignment_code(std::uint64_t number, Instruction& i) {
  if (number > kLargestAlignment) return bad_record();
  i.alignment_code = static_cast<std::uint8_t>(number);
  return true;
}

// [type, type of the count, count, alignment and flags]
bool ModuleReader::alloca_(Operands o) {
  if (o.size() != 4) return bad_record();
  Instruction i = start(Opcode::alloca_);
  std::uint32_t type_id = 0;
  std::uint32_t count = 0;
  if (!type_at(o[0], type_id) || !type_at(o[1], count)) return false;
  i.flags = truth((o[3] & kAllocaInAlloca) != 0, flag::kInAlloca);
  if ((o[3] & kAllocaTyped) != 0) {
    i.second_type = type_id;
    i.type = pointer_to(type_id, 0);
  } else {
    if (!is(type_id, TypeKind::pointer)) return bad_record();
    i.second_type = m_.element_of(type_id);
    i.type = type_id;
  }
  if (i.type == kNone) return false;
  if (!is_first_class(i.second_type)) return bad_record();
  // the count is not counted back from the instruction
  return alignment_code(o[3] & ~(kAllocaInAlloca | kAllocaTyped), i) && value_id(o[2], count) && add_instruction(i);
}

bool ModuleReader::ordering(std::uint64_t number, Ordering& result) {
  result = ordering_of(number);
  return result != Ordering::not_atomic || bad_record();
}

// [pointer, type, alignment, volatile], atomic ones with [ordering, scope]
bool ModuleReader::load(bool atomic, Operands o) {
  Instruction i = start(Opcode::load);
  std::size_t at = 0;
  std::uint32_t pointer = 0;
  if (!typed_value(o, at, pointer)) return false;
  if (!is(pointer, TypeKind::pointer)) return bad_record();
  i.type = m_.element_of(pointer);
  const std::size_t rest = atomic ? 4 : 2;
  if (o.size() - at == rest + 1) {
    std::uint32_t loaded = 0;
    if (!type_at(o[at++], loaded)) return false;
    if (loaded != i.type) return fail(ErrorCode::bad_value, "the type does not match the pointer");
  }
  if (o.size() - at != rest || !is_first_class(i.type)) return bad_record();
  if (!alignment_code(o[at], i)) return false;
  i.flags = static_cast<std::uint16_t>(truth(o[at + 1] != 0, flag::kVolatile) | truth(atomic, flag::kAtomic));
  if (atomic) {
    if (!ordering(o[at + 2], i.ordering)) return false;
    i.single_thread = o[at + 3] == 0;
  }
  return add_instruction(i);
}

// [pointer, value, alignment, volatile], atomic ones with [ordering, scope]
bool ModuleReader::store(bool atomic, bool old, Operands o) {
  Instruction i = start(Opcode::store);
  std::size_t at = 0;
  std::uint32_t pointer = 0;
  std::uint32_t value = 0;
  if (!typed_value(o, at, pointer)) return false;
  if (!is(pointer, TypeKind::pointer)) return bad_record();
  if (!(old ? value_of(o, at, m_.element_of(pointer)) : typed_value(o, at, value))) return false;
  if (!old && value != m_.element_of(pointer)) return fail(ErrorCode::bad_value, "the type does not match the pointer");
  if (o.size() - at != (atomic ? 4U : 2U) || !is_first_class(m_.element_of(pointer))) return bad_record();
  if (!alignment_code(o[at], i)) return false;
  i.flags = static_cast<std::uint16_t>(truth(o[at + 1] != 0, flag::kVolatile) | truth(atomic, flag::kAtomic));
  if (atomic) {
    if (!ordering(o[at + 2], i.ordering)) return false;
    i.single_thread = o[at + 3] == 0;
  }
  i.type = void_type();
  return i.type != kNone && add_instruction(i);
}

// [pointer, compared, new, volatile, ordering, scope, failure ordering, weak]
bool ModuleReader::cmpxchg(bool old, Operands o) {
  Instruction i = start(Opcode::cmpxchg);
  std::size_t at = 0;
  std::uint32_t pointer = 0;
  std::uint32_t value = 0;
  if (!typed_value(o, at, pointer)) return false;
  if (!is(pointer, TypeKind::pointer)) return bad_record();
  if (old) {
    value = m_.element_of(pointer);
    if (!value_of(o, at, value)) return false;
  } else if (!typed_value(o, at, value)) {
    return false;
  }
  if (value != m_.element_of(pointer)) return fail(ErrorCode::bad_value, "the type does not match the pointer");
  if (!value_of(o, at, value)) return false;
  const std::size_t left = o.size() - at;
  if (left < 3 || left > 5) return bad_record();
  // Without `weak` the result is the value alone, which is another instruction.
  if (left < 5) return fail(ErrorCode::unsupported, "a cmpxchg of another version of LLVM");
  i.flags = static_cast<std::uint16_t>(truth(o[at] != 0, flag::kVolatile) | truth(o[at + 4] != 0, flag::kWeak) | flag::kAtomic);
  if (!ordering(o[at + 1], i.ordering) || !ordering(o[at + 3], i.failure_ordering)) return false;
  i.single_thread = o[at + 2] == 0;
  const std::uint32_t parts[] = {value, integer_type(1)};
  if (parts[1] == kNone) return false;
  i.type = intern(Type{.kind = TypeKind::structure}, parts);
  return i.type != kNone && add_instruction(i);
}

// [pointer, value, operation, volatile, ordering, scope]
bool ModuleReader::atomicrmw(Operands o) {
  Instruction i = start(Opcode::atomicrmw);
  std::size_t at = 0;
  std::uint32_t pointer = 0;
  if (!typed_value(o, at, pointer)) return false;
  if (!is(pointer, TypeKind::pointer)) return bad_record();
  i.type = m_.element_of(pointer);
  if (!value_of(o, at, i.type)) return false;
  AtomicOperation operation{};
  if (o.size() - at != 4 || !atomic_operation(o[at], operation)) return bad_record();
  i.detail = static_cast<std::uint8_t>(operation);
  i.flags = static_cast<std::uint16_t>(truth(o[at + 1] != 0, flag::kVolatile) | flag::kAtomic);
  i.single_thread = o[at + 3] == 0;
  return ordering(o[at + 2], i.ordering) && add_instruction(i);
}

// [ordering, scope]
bool ModuleReader::fence(Operands o) {
  if (o.size() != 2) return bad_record();
  Instruction i = start(Opcode::fence);
  if (!ordering(o[0], i.ordering)) return false;
  i.single_thread = o[1] == 0;
  i.type = void_type();
  return i.type != kNone && add_instruction(i);
}

}  // namespace unshade::dxil::module

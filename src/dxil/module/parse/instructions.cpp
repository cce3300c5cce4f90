// Instructions: their operands by the letters of records.def, then what follows from them for each opcode.
// src: LLVM 3.7, BitcodeWriter.cpp, BitcodeReader.cpp
#include <algorithm>
#include <array>

#include "dxil/module/parse/parse.hpp"
#include "dxil/module/record_operands.hpp"
#include "dxil/module/record_words.hpp"

namespace unshade::dxil::module {

namespace {

constexpr const char* kPointeeMismatch = "the type does not match the pointer";
constexpr std::uint64_t kSwitchOfRanges = 0x4b5;  // [31:16] of the first operand

// Of each record of a function.
constexpr std::size_t kFunctionRecords = 64;
constexpr auto kFixedOperands = [] {
  std::array<FixedOperands, kFunctionRecords> rows{};
#define BITCODE_RECORD(block, number, name, text, listed, operands) \
  if (bitcode::block_id::block == bitcode::block_id::function) rows[number] = FixedOperands(operands);
#include "dxil/bitcode/records.def"
  return rows;
}();

std::uint16_t truth(bool set, std::uint16_t flag) { return set ? flag : std::uint16_t{0}; }

}  // namespace

template <char letter>
bool ModuleReader::operand(Record& r) {
  const Operands o = r.o;
  Instruction& i = r.i;
  const auto value = [&](std::uint32_t type) { return r.types[r.values++] = type, type != kNone && value_of(o, r.at, type); };
  const auto element = [&](TypeKind outer) { return is(r.types[0], outer) ? value(m_.element_of(r.types[0])) : bad_record(); };
  const auto bit = [&](std::uint16_t flag) {
    i.flags |= truth(o[r.at++] != 0, flag);
    return true;
  };
  const auto stated = [&](std::uint32_t& type) {
    if (!type_at(o[r.at++], type)) return false;
    r.stated_type = type;
    return true;
  };
  std::uint32_t type_id = kNone;
  switch (letter) {
    case 'v':
    case 'V': return typed_value(o, r.at, r.types[r.values++]);
    case 'u': return value(r.stated_type);
    case '=': return value(r.types[0]);
    case '*': return element(TypeKind::pointer);
    case '/': return element(TypeKind::vector);
    case '?': return value(integer_type(1));
    case 'a': return value_id(o[r.at++], r.stated_type);
    case 'z': return typed_value(o, r.at, type_id) && personality();
    case 'b': return block_at(o, r.at);
    case 't': return type_at(o[r.at++], i.type);
    case 'p':
    case 'P': return stated(i.second_type);
    case 'T':
    case 'q': return stated(type_id);
    case 'k':
    case 'd': return r.operation = o[r.at++], true;
    case 'f': return r.flags = o[r.at++], r.has_flags = true;
    case 'i': return bit(flag::kInBounds);
    case 'g': return attribute_list(o[r.at++], i.attributes);
    case 'h':
    case 'H': return call_bits(letter == 'H', o[r.at++], i), true;
    case 'y': return alignment_code(o[r.at++], i);
    case 'Y':
      r.flags = o[r.at++];
      i.flags |= truth((r.flags & kAllocaInAlloca) != 0, flag::kInAlloca);
      return alignment_code(r.flags & ~(kAllocaInAlloca | kAllocaTyped), i);
    case 'w': return bit(flag::kVolatile);
    case 'x': return bit(flag::kWeak);
    case 'l': return bit(flag::kCleanup);
    case 'r': return ordering(o[r.at++], i.ordering);
    case 'R': return ordering(o[r.at++], i.failure_ordering);
    case 'c': return i.single_thread = o[r.at++] == 0, true;
    case '#': return r.count = o[r.at++], true;
    default: return bad_record();
  }
}

/// The record ends before an operand of this letter.
bool ModuleReader::missing(char letter) {
  // Without `weak` the result is the value alone, which is another instruction.
  if (letter == 'R' || letter == 'x') return fail(ErrorCode::unsupported, "a cmpxchg of another version of LLVM");
  return bad_record();
}

/// `ended`: whether the record ends before it, and may.
template <std::size_t number, std::size_t n>
bool ModuleReader::fixed_operand(Record& r, bool& ended) {
  constexpr const FixedOperands& kRow = kFixedOperands[number];
  constexpr char kLetter = kRow.operands[n].letter;
  if (kRow.operands[n].is_optional && is_absent(kLetter, kRow.letters, r.o, r.at)) return true;
  if (r.at != r.o.size()) [[likely]]
    return operand<kLetter>(r);
  constexpr bool kIsGoto = number == bitcode::code::function_br && n == 1;
  ended = kIsGoto || kLetter == 'f' || missing(kLetter);
  return false;
}

template <std::size_t number, std::size_t... n>
bool ModuleReader::fixed_operands(Record& r, std::index_sequence<n...> /*operands*/) {
  bool ended = false;
  if (!(fixed_operand<number, n>(r, ended) && ...)) return ended;
  if constexpr (constexpr auto kPlaces = kFixedOperands[number].places(); !kPlaces.in_order) {
    std::array<std::uint32_t, kPlaces.count> operands{};
    for (std::size_t k = 0; k < kPlaces.count; ++k) operands[kPlaces.of[k]] = m_.operands[first_operand_ + k];
    std::copy(operands.begin(), operands.end(), m_.operands.begin() + first_operand_);
  }
  return true;
}

/// A function for each record of a function, made from its letters: nothing is looked up while a record is read.
struct ModuleReader::OperandReaders {
  using Reader = bool (*)(ModuleReader& reader, Record& r);
  std::array<Reader, kFunctionRecords> readers{};

  template <std::size_t... number>
  explicit constexpr OperandReaders(std::index_sequence<number...>) : readers{&read<number>...} {}
  template <std::size_t number>
  static bool read(ModuleReader& reader, Record& r) {
    return reader.fixed_operands<number>(r, std::make_index_sequence<kFixedOperands[number].count>());
  }
};

bool ModuleReader::instruction(std::uint32_t number, Operands o) {
  static constexpr OperandReaders kReaders{std::make_index_sequence<kFunctionRecords>()};
  Record r{.o = o};
  r.i.offset = static_cast<std::uint32_t>(cursor_.file_offset());
  if (number == bitcode::code::function_switch_ && !o.empty() && o[0] >> 16 == kSwitchOfRanges)
    return fail(ErrorCode::unsupported, "a switch over ranges, of another version of LLVM");
  if (number < kFunctionRecords && !kReaders.readers[number](*this, r)) return false;
  switch (number) {
    case bitcode::code::function_binary: return binary(r);
    case bitcode::code::function_cast: return cast(r);
    case bitcode::code::function_getelementptr_inbounds_old: r.i.flags = flag::kInBounds; [[fallthrough]];
    case bitcode::code::function_getelementptr_old:
    case bitcode::code::function_getelementptr: return getelementptr(r);
    case bitcode::code::function_select_old:
    case bitcode::code::function_select: return select(r);
    case bitcode::code::function_extractelement:
      return is(r.types[0], TypeKind::vector) ? finish(r, Opcode::extractelement, m_.element_of(r.types[0])) : bad_record();
    case bitcode::code::function_insertelement: return finish(r, Opcode::insertelement, r.types[0]);
    case bitcode::code::function_shufflevector:
      if (!is(r.types[0], TypeKind::vector) || !is(r.types[2], TypeKind::vector)) return bad_record();
      return finish(r, Opcode::shufflevector, vector_of(m_.element_of(r.types[0]), type(r.types[2]).count));
    case bitcode::code::function_compare_old:
    case bitcode::code::function_compare: return compare(r);
    case bitcode::code::function_ret:
      if (!o.empty() && !typed_value(o, r.at, r.types[0])) return false;
      return finish(r, Opcode::ret, void_type());
    case bitcode::code::function_br: return finish(r, Opcode::br, void_type());
    case bitcode::code::function_switch_: return switch_(r);
    case bitcode::code::function_indirectbr:
      while (r.at < o.size())
        if (!block_at(o, r.at)) return false;
      return finish(r, Opcode::indirectbr, void_type());
    case bitcode::code::function_invoke: return call(Opcode::invoke, r);
    case bitcode::code::function_call: return call(Opcode::call, r);
    case bitcode::code::function_unreachable: return finish(r, Opcode::unreachable, void_type());
    case bitcode::code::function_phi: return phi(r);
    case bitcode::code::function_landingpad_old:
    case bitcode::code::function_landingpad: return landingpad(r);
    case bitcode::code::function_alloca_: return alloca_(r);
    case bitcode::code::function_load_atomic: r.i.flags |= flag::kAtomic; [[fallthrough]];
    case bitcode::code::function_load: return load(r);
    case bitcode::code::function_store_atomic_old:
    case bitcode::code::function_store_atomic: r.i.flags |= flag::kAtomic; [[fallthrough]];
    case bitcode::code::function_store_old:
    case bitcode::code::function_store: return store(r);
    case bitcode::code::function_cmpxchg_old:
    case bitcode::code::function_cmpxchg: return cmpxchg(r);
    case bitcode::code::function_atomicrmw: return atomicrmw(r);
    case bitcode::code::function_fence: return finish(r, Opcode::fence, void_type());
    case bitcode::code::function_extractvalue: return aggregate_access(Opcode::extractvalue, r);
    case bitcode::code::function_insertvalue: return aggregate_access(Opcode::insertvalue, r);
    case bitcode::code::function_resume: return finish(r, Opcode::resume, void_type());
    case bitcode::code::function_va_arg: return finish(r, Opcode::va_arg, r.i.type);
    default: return fail(ErrorCode::bad_value, "record code " + std::to_string(number) + " is not an instruction");
  }
}

bool ModuleReader::finish(Record& r, Opcode opcode, std::uint32_t result) {
  if (r.at != r.o.size()) return error_ ? false : bad_record();
  r.i.opcode = opcode;
  r.i.type = result;
  return result != kNone && add_instruction(r.i);
}

bool ModuleReader::binary(Record& r) {
  const std::uint32_t operands = r.types[0];
  const bool real = is_real(operands);
  const Opcode opcode = binary_opcode(r.operation, real);
  if ((!real && !is_integer(operands)) || opcode == Opcode::invalid) return bad_record();
  if (r.has_flags) r.i.flags = binary_flags(r.operation, real, r.flags);
  return finish(r, opcode, operands);
}

bool ModuleReader::cast(Record& r) {
  const Opcode opcode = cast_opcode(r.operation);
  if (opcode == Opcode::invalid || !is_first_class(r.i.type)) return bad_record();
  return finish(r, opcode, r.i.type);
}

bool ModuleReader::getelementptr(Record& r) {
  Instruction& i = r.i;
  const std::uint32_t pointer = scalar_of(r.types[0]);
  if (!is(pointer, TypeKind::pointer)) return bad_record();
  if (!pointee(pointer, i.second_type, "the pointee type does not match the pointer")) return false;
  std::uint64_t lanes = is(r.types[0], TypeKind::vector) ? type(r.types[0]).count : 0;
  std::uint32_t result = i.second_type;
  for (bool first = true; r.at < r.o.size(); first = false) {
    std::uint32_t index = 0;
    if (!typed_value(r.o, r.at, index)) return false;
    if (is(index, TypeKind::vector)) lanes = type(index).count;
    if (!is_integer(index)) return bad_record();
    if (!first && !step_into(result, m_.operands.back())) return false;
  }
  result = pointer_to(result, type(pointer).number);
  if (result != kNone && lanes != 0) result = vector_of(result, lanes);
  return finish(r, Opcode::getelementptr, result);
}

/// Of a pointer; fails if the record states another one.
bool ModuleReader::pointee(std::uint32_t pointer, std::uint32_t& stated, const char* mismatch) {
  const std::uint32_t element = m_.element_of(pointer);
  if (stated == kNone) stated = element;
  return stated == element || fail(ErrorCode::bad_value, mismatch);
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

bool ModuleReader::aggregate_access(Opcode opcode, Record& r) {
  const Operands o = r.o;
  if (r.at == o.size()) return bad_record();
  std::uint32_t part = r.types[0];
  for (; r.at < o.size(); ++r.at) {
    const std::uint64_t member = o[r.at];
    const Type& outer = type(part);
    const bool is_struct = outer.kind == TypeKind::structure;
    if (!is_struct && outer.kind != TypeKind::array) return bad_record();
    if (member >= (is_struct ? outer.parts.count : outer.count) || member > 0xffff'ffff)
      return fail(ErrorCode::out_of_range, "member " + std::to_string(member) + " does not exist");
    part = m_.type_parts[outer.parts.first + (is_struct ? static_cast<std::size_t>(member) : 0)];
    if (!put_operand(static_cast<std::uint32_t>(member))) return false;
  }
  const bool insert = opcode == Opcode::insertvalue;
  if (insert && part != r.types[1]) return fail(ErrorCode::bad_value, "the value has a different type than the member");
  return finish(r, opcode, insert ? r.types[0] : part);
}

bool ModuleReader::select(Record& r) {
  const std::uint32_t bit = scalar_of(r.types[2]);
  if (!is(bit, TypeKind::integer) || type(bit).number != 1) return bad_record();
  return finish(r, Opcode::select, r.types[0]);
}

bool ModuleReader::compare(Record& r) {
  const bool real = is_real(r.types[0]);
  const Opcode opcode = real ? Opcode::fcmp : Opcode::icmp;
  Predicate predicate{};
  if ((r.has_flags && !real) || !compare_predicate(r.operation, opcode, predicate)) return bad_record();
  if (r.has_flags) r.i.flags = fast_math_flags(r.flags);
  r.i.detail = static_cast<std::uint8_t>(predicate);
  return finish(r, opcode, truth_of(r.types[0]));
}

bool ModuleReader::switch_(Record& r) {
  const Operands o = r.o;
  if (!is(r.stated_type, TypeKind::integer)) return bad_record();
  while (r.at < o.size()) {
    const std::uint64_t id = o[r.at++];
    if (id >= next_value_ || value_at(static_cast<std::uint32_t>(id)).kind != ValueKind::constant) return bad_reference("case", id);
    const ConstantKind kind = m_.constants[value_at(static_cast<std::uint32_t>(id)).index].kind;
    if (kind != ConstantKind::integer && kind != ConstantKind::wide_integer && kind != ConstantKind::null) return bad_reference("case", id);
    if (!value_id(id, r.stated_type) || !block_at(o, r.at)) return false;
  }
  return finish(r, Opcode::switch_, void_type());
}

void ModuleReader::call_bits(bool invoke, std::uint64_t bits, Instruction& i) {
  i.calling_convention = static_cast<std::uint16_t>((invoke ? bits : bits >> 1) & kLargestConvention);
  if (invoke) return;
  i.flags = static_cast<std::uint16_t>(truth((bits & kCallTail) != 0, flag::kTail) | truth((bits & kCallMustTail) != 0, flag::kMustTail));
}

bool ModuleReader::call(Opcode opcode, Record& r) {
  const Operands o = r.o;
  Instruction& i = r.i;
  if (!is(r.types[0], TypeKind::pointer)) return fail(ErrorCode::bad_value, "the callee is not a function");
  constexpr const char* kNotOfType = "the callee is not a function of the stated type";
  if (!pointee(r.types[0], i.second_type, kNotOfType)) return false;
  if (!is(i.second_type, TypeKind::function)) return fail(ErrorCode::bad_value, kNotOfType);
  const Range parts = type(i.second_type).parts;
  if (o.size() - r.at < parts.count - 1) return fail(ErrorCode::bad_value, "too few arguments");
  for (std::uint32_t k = 1; k < parts.count; ++k) {
    const std::uint32_t parameter = m_.type_parts[parts.first + k];
    if (!(is(parameter, TypeKind::label) ? block_at(o, r.at) : value_of(o, r.at, parameter))) return false;
  }
  const bool variadic = type(i.second_type).variadic;
  std::uint32_t argument = 0;
  while (variadic && r.at < o.size())
    if (!typed_value(o, r.at, argument)) return false;
  if (r.at != o.size()) return fail(ErrorCode::bad_value, "too many arguments");
  return finish(r, opcode, m_.type_parts[parts.first]);
}

bool ModuleReader::phi(Record& r) {
  const Operands o = r.o;
  if (!is_first_class(r.i.type)) return bad_record();
  while (r.at < o.size()) {
    const std::uint64_t operand = o[r.at++];
    const std::uint64_t distance = (operand & 1) == 0 ? operand >> 1 : 0 - (operand >> 1);
    const std::uint32_t id = relative_ ? next_value_ - static_cast<std::uint32_t>(distance) : static_cast<std::uint32_t>(operand);
    if (!value_id(id, r.i.type) || !block_at(o, r.at)) return false;
  }
  return finish(r, Opcode::phi, r.i.type);
}

/// The value that was read last belongs to the function, not to the instruction.
bool ModuleReader::personality() {
  const std::uint32_t id = m_.operands.back();
  m_.operands.pop_back();
  if (id < m_.values.size()) m_.functions[body_->function].personality = id;
  return true;
}

bool ModuleReader::landingpad(Record& r) {
  const Operands o = r.o;
  std::uint32_t clause = 0;
  for (std::uint64_t k = 0; k < r.count; ++k) {
    if (r.at >= o.size() || o[r.at] > 1) return bad_record();
    if (!put_operand(static_cast<std::uint32_t>(o[r.at++])) || !typed_value(o, r.at, clause)) return false;
  }
  return finish(r, Opcode::landingpad, r.i.type);
}

bool ModuleReader::alignment_code(std::uint64_t number, Instruction& i) {
  if (number > kLargestAlignment) return bad_record();
  i.alignment_code = static_cast<std::uint8_t>(number);
  return true;
}

bool ModuleReader::alloca_(Record& r) {
  Instruction& i = r.i;
  std::uint32_t result = i.second_type;
  if ((r.flags & kAllocaTyped) != 0) {
    result = pointer_to(i.second_type, 0);
  } else {
    if (!is(result, TypeKind::pointer)) return bad_record();
    i.second_type = m_.element_of(result);
  }
  if (!is_first_class(i.second_type)) return bad_record();
  return finish(r, Opcode::alloca_, result);
}

bool ModuleReader::ordering(std::uint64_t number, Ordering& result) {
  result = ordering_of(number);
  return result != Ordering::not_atomic || bad_record();
}

bool ModuleReader::load(Record& r) {
  if (!is(r.types[0], TypeKind::pointer)) return bad_record();
  if (!pointee(r.types[0], r.stated_type, kPointeeMismatch)) return false;
  return is_first_class(r.stated_type) ? finish(r, Opcode::load, r.stated_type) : bad_record();
}

bool ModuleReader::store(Record& r) {
  if (!is(r.types[0], TypeKind::pointer)) return bad_record();
  if (!pointee(r.types[0], r.types[1], kPointeeMismatch)) return false;
  return is_first_class(r.types[1]) ? finish(r, Opcode::store, void_type()) : bad_record();
}

bool ModuleReader::cmpxchg(Record& r) {
  if (!pointee(r.types[0], r.types[1], kPointeeMismatch)) return false;
  r.i.flags |= flag::kAtomic;
  const std::uint32_t parts[] = {r.types[1], integer_type(1)};
  return finish(r, Opcode::cmpxchg, parts[1] == kNone ? kNone : intern(Type{.kind = TypeKind::structure}, parts));
}

bool ModuleReader::atomicrmw(Record& r) {
  AtomicOperation operation{};
  if (!atomic_operation(r.operation, operation)) return bad_record();
  r.i.detail = static_cast<std::uint8_t>(operation);
  r.i.flags |= flag::kAtomic;
  return finish(r, Opcode::atomicrmw, r.types[1]);
}

}  // namespace unshade::dxil::module

// Instructions of the assembly language: what follows each word.
#include <bit>

#include <unshade/core/spelling.hpp>

#include "dxil/assemble/parser.hpp"
#include "dxil/module/record_words.hpp"
#include "dxil/module/type_kinds.hpp"

namespace unshade::dxil::assembler {

using Operands = std::vector<std::uint32_t>;

bool TextParser::operands_of(Instruction& i, Operands& operands) {
  if (is_binary(i.opcode)) return binary(i, operands);
  if (is_cast(i.opcode)) return cast(i, operands);
  switch (i.opcode) {
    case Opcode::ret: return ret(i, operands);
    case Opcode::br: return br(i, operands);
    case Opcode::switch_: return switch_(i, operands);
    case Opcode::indirectbr: return indirectbr(i, operands);
    case Opcode::unreachable: return true;
    case Opcode::alloca_: return alloca_(i, operands);
    case Opcode::load: return load(i, operands);
    case Opcode::store: return store(i, operands);
    case Opcode::getelementptr: return getelementptr(i, operands);
    case Opcode::fence: return fence(i);
    case Opcode::cmpxchg: return cmpxchg(i, operands);
    case Opcode::atomicrmw: return atomicrmw(i, operands);
    case Opcode::icmp:
    case Opcode::fcmp: return compare(i, operands);
    case Opcode::phi: return phi(i, operands);
    case Opcode::call: return call(i, operands);
    case Opcode::select: return select(i, operands);
    case Opcode::va_arg: return variadic_argument(i, operands);
    case Opcode::extractelement:
    case Opcode::insertelement:
    case Opcode::shufflevector: return vector_operation(i, operands);
    case Opcode::extractvalue:
    case Opcode::insertvalue: return member_operation(i, operands);
    default: break;
  }
  return fail(ErrorCode::unsupported, token_.at, "exception handling is not supported");
}

// --- what ends a block -------------------------------------------------------------------------------------------------------------------

bool TextParser::ret(Instruction&, Operands& operands) {
  const std::size_t at = token_.at;
  std::uint32_t type = 0;
  if (!this->type(type)) return false;
  if (type != return_type_) return type_error(at, "the function returns another type");
  if (type_at(type).kind == TypeKind::void_) return true;
  return value(type, operands.emplace_back());
}

bool TextParser::br(Instruction&, Operands& operands) {
  if (is_word(text(TypeKind::label))) return typed_block(operands.emplace_back());
  std::uint32_t type = 0;
  std::uint32_t condition = 0;
  operands.resize(2);
  const std::size_t at = token_.at;
  if (!typed_value(type, condition)) return false;
  if (type != integer_type(1)) return type_error(at, "a condition must be an i1");
  if (!expect(',') || !typed_block(operands[0]) || !expect(',') || !typed_block(operands[1])) return false;
  operands.push_back(condition);
  return true;
}

bool TextParser::switch_(Instruction& i, Operands& operands) {
  operands.resize(2);
  const std::size_t condition_at = token_.at;
  if (!typed_value(i.second_type, operands[0]) || !expect(',') || !typed_block(operands[1]) || !expect('[')) return false;
  if (type_at(i.second_type).kind != TypeKind::integer) return type_error(condition_at, "a switch must be over an integer");
  while (!is(']')) {
    std::uint32_t type = 0;
    const std::size_t at = token_.at;
    if (!typed_constant(type, operands.emplace_back()) || !expect(',') || !typed_block(operands.emplace_back())) return false;
    if (type != i.second_type) return type_error(at, "the case value has a different type than the condition");
    const Constant* const number = constant_at(operands[operands.size() - 2]);
    const bool is_number = number != nullptr && (number->kind == ConstantKind::integer || number->kind == ConstantKind::wide_integer ||
                                                 number->kind == ConstantKind::null);
    if (!is_number) return type_error(at, "a case value must be a number");
  }
  next();
  return true;
}

bool TextParser::indirectbr(Instruction& i, Operands& operands) {
  if (!typed_value(i.second_type, operands.emplace_back()) || !expect(',') || !expect('[')) return false;
  while (!is(']')) {
    if (operands.size() > 1 && !expect(',')) return false;
    if (!typed_block(operands.emplace_back())) return false;
  }
  next();
  return true;
}

// --- arithmetic --------------------------------------------------------------------------------------------------------------------------

/// Whether a binary operation or comparison takes operands of the type.
bool TextParser::takes(Opcode opcode, std::uint32_t type, std::size_t at) {
  const TypeKind kind = type_at(scalar_of(type)).kind;
  if (opcode == Opcode::icmp)
    return kind == TypeKind::integer || kind == TypeKind::pointer || type_error(at, "`icmp` compares integers or pointers");
  if (opcode == Opcode::fcmp) return module::is_real(kind) || type_error(at, "`fcmp` compares floating-point numbers");
  const bool of_reals = module::binary_opcode(module::operation_code(opcode, 0).operation, true) == opcode;
  const bool good = of_reals ? module::is_real(kind) : kind == TypeKind::integer;
  return good || type_error(at, "the operation is not defined for this type");
}

/// Whether a type is that of the condition of a select.
bool TextParser::selects(std::uint32_t condition, std::size_t at) {
  return scalar_of(condition) == integer_type(1) || type_error(at, "a condition must be an i1 or a vector of them");
}

/// A type that values can have.
bool TextParser::value_type(std::uint32_t& type) {
  const std::size_t at = token_.at;
  return this->type(type) && (module::is_first_class(type_at(type).kind) || type_error(at, "no value has this type"));
}

bool TextParser::binary(Instruction& i, Operands& operands) {
  operands.resize(2);
  if (!flags(i.opcode, i.flags)) return false;
  const std::size_t at = token_.at;
  if (!typed_value(i.type, operands[0]) || !expect(',') || !value(i.type, operands[1])) return false;
  return takes(i.opcode, i.type, at);
}

bool TextParser::compare(Instruction& i, Operands& operands) {
  operands.resize(2);
  std::uint32_t type = 0;
  Predicate predicate{};
  if (!flags(i.opcode, i.flags) || !this->predicate(i.opcode, predicate)) return false;
  i.detail = static_cast<std::uint8_t>(predicate);
  const std::size_t at = token_.at;
  if (!typed_value(type, operands[0]) || !takes(i.opcode, type, at) || !expect(',') || !value(type, operands[1])) return false;
  i.type = truth_type(type);
  return true;
}

bool TextParser::cast(Instruction& i, Operands& operands) {
  std::uint32_t from = 0;
  return typed_value(from, operands.emplace_back()) && expect("to") && value_type(i.type);
}

bool TextParser::select(Instruction& i, Operands& operands) {
  operands.resize(3);
  std::uint32_t condition = 0;
  std::uint32_t other = 0;
  const std::size_t condition_at = token_.at;
  if (!typed_value(condition, operands[0]) || !selects(condition, condition_at) || !expect(',')) return false;
  if (!typed_value(i.type, operands[1]) || !expect(',')) return false;
  const std::size_t at = token_.at;
  if (!typed_value(other, operands[2])) return false;
  return other == i.type || type_error(at, "the two values have different types");
}

bool TextParser::phi(Instruction& i, Operands& operands) {
  if (!value_type(i.type)) return false;
  do {
    if (!operands.empty() && !is('[')) {  // metadata follows
      pending_comma_ = true;
      return true;
    }
    if (!expect('[') || !value(i.type, operands.emplace_back()) || !expect(',') || !block_operand(operands.emplace_back()) || !expect(']'))
      return false;
  } while (take(','));
  return true;
}

// --- memory ------------------------------------------------------------------------------------------------------------------------------

bool TextParser::alignment_code(std::uint8_t& code) {
  std::uint32_t alignment = 0;
  if (!this->alignment(alignment)) return false;
  code = static_cast<std::uint8_t>(std::bit_width(alignment));
  return true;
}

/// `, align 4`. A comma may belong to metadata instead.
bool TextParser::alignment_behind(Instruction& i) {
  if (!take(',')) return true;
  if (take("align")) return alignment_code(i.alignment_code);
  pending_comma_ = true;
  return true;
}

bool TextParser::ordering(Ordering& ordering) {
  for (std::uint8_t k = 1; k <= static_cast<std::uint8_t>(Ordering::seq_cst); ++k) {
    if (!take(text(static_cast<Ordering>(k)))) continue;
    ordering = static_cast<Ordering>(k);
    return true;
  }
  Nearest nearest(token_.text);
  for (std::uint8_t k = 1; k <= static_cast<std::uint8_t>(Ordering::seq_cst); ++k) nearest.consider(text(static_cast<Ordering>(k)));
  return expected("an ordering", nearest.question());
}

bool TextParser::scope_and_ordering(Instruction& i) {
  if (take("singlethread")) i.single_thread = true;
  return ordering(i.ordering);
}

bool TextParser::alloca_(Instruction& i, Operands& operands) {
  if (take("inalloca")) i.flags |= flag::kInAlloca;
  if (!value_type(i.second_type)) return false;
  i.type = pointer_to(i.second_type);
  operands.push_back(kNone);
  std::vector<std::string_view> clauses;
  while (take(',')) {
    if (token_.kind == Kind::metadata_name) {
      pending_comma_ = true;
      break;
    }
    if (is_word("align")) {
      if (!once(clauses)) return false;
      next();
      if (!alignment_code(i.alignment_code)) return false;
      continue;
    }
    std::uint32_t type = 0;
    const std::size_t at = token_.at;
    if (operands[0] != kNone) return expected("`align`");
    if (!typed_value(type, operands[0])) return false;
    if (type_at(type).kind != TypeKind::integer) return type_error(at, "a number of elements must be an integer");
  }
  if (operands[0] == kNone) operands[0] = make_plain(ConstantKind::integer, integer_type(32), 1);
  return true;
}

bool TextParser::load(Instruction& i, Operands& operands) {
  if (take("atomic")) i.flags |= flag::kAtomic;
  if (take("volatile")) i.flags |= flag::kVolatile;
  std::uint32_t pointer = 0;
  if (!value_type(i.type) || !expect(',')) return false;
  const std::size_t at = token_.at;
  if (!typed_value(pointer, operands.emplace_back())) return false;
  if (type_at(pointer).kind != TypeKind::pointer || m_.element_of(pointer) != i.type)
    return type_error(at, "the pointee type does not match");
  if ((i.flags & flag::kAtomic) != 0 && !scope_and_ordering(i)) return false;
  return alignment_behind(i);
}

bool TextParser::store(Instruction& i, Operands& operands) {
  if (take("atomic")) i.flags |= flag::kAtomic;
  if (take("volatile")) i.flags |= flag::kVolatile;
  operands.resize(2);
  std::uint32_t type = 0;
  std::uint32_t pointer = 0;
  if (!typed_value(type, operands[1]) || !expect(',')) return false;
  const std::size_t at = token_.at;
  if (!typed_value(pointer, operands[0])) return false;
  if (type_at(pointer).kind != TypeKind::pointer || m_.element_of(pointer) != type)
    return type_error(at, "the pointee type does not match");
  if ((i.flags & flag::kAtomic) != 0 && !scope_and_ordering(i)) return false;
  return alignment_behind(i);
}

bool TextParser::cmpxchg(Instruction& i, Operands& operands) {
  if (take("weak")) i.flags |= flag::kWeak;
  if (take("volatile")) i.flags |= flag::kVolatile;
  operands.resize(3);
  std::uint32_t pointer = 0;
  std::uint32_t types[2] = {};
  if (!typed_value(pointer, operands[0]) || !expect(',') || !typed_value(types[0], operands[1]) || !expect(',')) return false;
  const std::size_t at = token_.at;
  if (!typed_value(types[1], operands[2])) return false;
  if (types[0] != types[1]) return type_error(at, "the two values have different types");
  if (type_at(pointer).kind != TypeKind::pointer || m_.element_of(pointer) != types[0])
    return type_error(at, "the pointee type does not match");
  if (!scope_and_ordering(i) || !ordering(i.failure_ordering)) return false;
  types[1] = integer_type(1);
  i.type = struct_of(types);
  return true;
}

bool TextParser::atomicrmw(Instruction& i, Operands& operands) {
  if (take("volatile")) i.flags |= flag::kVolatile;
  bool found = false;
  for (std::uint8_t k = 0; k <= static_cast<std::uint8_t>(AtomicOperation::umin) && !found; ++k) {
    if (!take(text(static_cast<AtomicOperation>(k)))) continue;
    i.detail = k;
    found = true;
  }
  if (!found) {
    Nearest nearest(token_.text);
    for (std::uint8_t k = 0; k <= static_cast<std::uint8_t>(AtomicOperation::umin); ++k)
      nearest.consider(text(static_cast<AtomicOperation>(k)));
    return expected("an operation", nearest.question());
  }
  operands.resize(2);
  std::uint32_t pointer = 0;
  const std::size_t at = token_.at;
  if (!typed_value(pointer, operands[0]) || !expect(',') || !typed_value(i.type, operands[1])) return false;
  if (type_at(pointer).kind != TypeKind::pointer || m_.element_of(pointer) != i.type)
    return type_error(at, "the pointee type does not match");
  return scope_and_ordering(i);
}

bool TextParser::fence(Instruction& i) { return scope_and_ordering(i); }

bool TextParser::getelementptr(Instruction& i, Operands& operands) {
  const std::size_t at = token_.at;
  if (!flags(i.opcode, i.flags) || !type(i.second_type) || !expect(',')) return false;
  std::uint32_t operand_type = 0;
  do {
    if (token_.kind == Kind::metadata_name) {
      pending_comma_ = true;
      break;
    }
    if (!typed_value(operand_type, operands.emplace_back())) return false;
  } while (take(','));
  if (operands.empty()) return expected("a pointer");
  return pointee_at(i.second_type, operands, i.type) || type_error(at, "the indices are not valid for the type");
}

bool TextParser::variadic_argument(Instruction& i, Operands& operands) {
  std::uint32_t list = 0;
  return typed_value(list, operands.emplace_back()) && expect(',') && value_type(i.type);
}

// --- parts of values ---------------------------------------------------------------------------------------------------------------------

bool TextParser::vector_operation(Instruction& i, Operands& operands) {
  const std::size_t at = token_.at;
  std::uint32_t types[3] = {};
  std::size_t places[3] = {};
  const std::size_t count = i.opcode == Opcode::extractelement ? 2 : 3;
  for (std::size_t k = 0; k < count; ++k) {
    if (k != 0 && !expect(',')) return false;
    places[k] = token_.at;
    if (!typed_value(types[k], operands.emplace_back())) return false;
  }
  if (type_at(types[0]).kind != TypeKind::vector) return type_error(at, "expected a vector");
  i.type = types[0];
  if (i.opcode == Opcode::extractelement) i.type = m_.element_of(types[0]);
  if (i.opcode == Opcode::insertelement && types[1] != m_.element_of(types[0]))
    return type_error(places[1], "the element has a different type");
  if (i.opcode != Opcode::shufflevector && type_at(types[count - 1]).kind != TypeKind::integer)
    return type_error(places[count - 1], "an index must be an integer");
  if (i.opcode == Opcode::shufflevector) {
    if (type_at(types[2]).kind != TypeKind::vector || types[1] != types[0])
      return type_error(at, "expected two vectors of one type and a mask");
    i.type = sequence_of(TypeKind::vector, type_at(types[2]).count, m_.element_of(types[0]));
  }
  return true;
}

bool TextParser::member_operation(Instruction& i, Operands& operands) {
  const std::size_t at = token_.at;
  std::uint32_t aggregate = 0;
  std::uint32_t inserted = kNone;
  if (!typed_value(aggregate, operands.emplace_back())) return false;
  if (i.opcode == Opcode::insertvalue && (!expect(',') || !typed_value(inserted, operands.emplace_back()))) return false;
  std::vector<std::uint64_t> indices;
  while (take(',')) {
    if (token_.kind == Kind::metadata_name) {
      pending_comma_ = true;
      break;
    }
    std::uint32_t index = 0;
    const std::size_t index_at = token_.at;
    if (!number32(index, "an index")) return false;
    if (index >= kBlockMark) return fail(ErrorCode::limit, index_at, "the index is too large");
    operands.push_back(index);
    indices.push_back(index);
  }
  if (indices.empty()) return expected("`,` and an index");
  std::uint32_t member = 0;
  if (!member_of_value(aggregate, indices, member)) return type_error(at, "the indices are not valid for the type");
  if (inserted != kNone && inserted != member) return type_error(at, "the member has a different type");
  i.type = inserted == kNone ? member : aggregate;
  return true;
}

// --- calls -------------------------------------------------------------------------------------------------------------------------------

/// `(i32 %a, metadata !5)`, with the types that they have.
bool TextParser::call_arguments(AttributeList& list, Operands& operands, std::vector<std::uint32_t>& types) {
  if (!expect('(')) return false;
  while (!is(')')) {
    if (!types.empty() && !expect(',')) return false;
    if (take('.')) break;  // of a musttail call
    std::uint32_t type = 0;
    if (!this->type(type)) return false;
    types.push_back(type);
    std::vector<Attribute> attributes;
    if (!attributes_here(attributes)) return false;
    add_slot(list, static_cast<std::uint32_t>(types.size()), std::move(attributes));
    std::uint32_t operand = 0;
    const TypeKind kind = type_at(type).kind;
    const bool good = kind == TypeKind::metadata ? metadata_argument(operand)
                      : kind == TypeKind::label  ? block_operand(operand)
                                                 : value(type, operand);
    if (!good) return false;
    operands.push_back(operand);
  }
  next();
  return true;
}

bool TextParser::call(Instruction& i, Operands& operands) {
  AttributeList list;
  std::uint32_t convention = 0;
  if (!flags(i.opcode, i.flags) || !calling_convention(convention)) return false;
  i.calling_convention = static_cast<std::uint16_t>(convention);
  std::vector<Attribute> attributes;
  std::uint32_t type = 0;
  if (!attributes_here(attributes)) return false;
  add_slot(list, AttributeGroup::kReturn, std::move(attributes));
  if (!this->type(type)) return false;
  const Token callee = token_;
  operands.push_back(0);
  const bool named = callee.kind == Kind::global || callee.kind == Kind::local;
  if (named)
    next();
  else if (!constant(kNone, operands[0]))
    return false;
  std::vector<std::uint32_t> types;
  if (!call_arguments(list, operands, types)) return false;
  if (type_at(type).kind == TypeKind::pointer && type_at(m_.element_of(type)).kind == TypeKind::function) type = m_.element_of(type);
  if (type_at(type).kind == TypeKind::function) {
    const auto parts = m_.parts_of(type_at(type));
    bool good = type_at(type).variadic ? types.size() + 1 >= parts.size() : types.size() + 1 == parts.size();
    for (std::size_t k = 1; good && k < parts.size(); ++k) good = parts[k] == types[k - 1];
    if (!good) return type_error(callee.at, "the arguments do not match the function");
  } else {
    types.insert(types.begin(), type);
    type = function_type(types, false);
  }
  i.second_type = type;
  i.type = m_.parts_of(type_at(type))[0];
  const std::uint32_t pointer = pointer_to(type);
  if (callee.kind == Kind::local) {
    if (!local_operand(callee, pointer, operands[0])) return false;
  } else if (callee.kind == Kind::global) {
    if (!global_reference(callee, pointer, operands[0])) return false;
  } else if (type_of(operands[0]) != pointer) {
    return type_error(callee.at, "the function has a different type");
  }
  if (!function_attributes(list)) return false;
  i.attributes = keep_attributes(std::move(list));
  return true;
}

}  // namespace unshade::dxil::assembler

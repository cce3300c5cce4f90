// Types of the assembly language.
#include <algorithm>

#include <unshade/core/limits.hpp>

#include "dxil/assemble/parser.hpp"
#include "dxil/module/type_nesting.hpp"

namespace unshade::dxil::assembler {

namespace {

constexpr std::uint64_t kWidestInteger = (1U << 23) - 1;  // src: LLVM 3.7, DerivedTypes.h

}  // namespace

bool TextParser::type_error(std::size_t at, std::string_view what) { return fail(ErrorCode::bad_value, at, std::string(what)); }

std::uint32_t TextParser::intern(const Type& type, std::span<const std::uint32_t> parts) {
  Key key;
  key << static_cast<std::uint64_t>(type.kind) << (type.packed ? 1U : 0U) + (type.variadic ? 2U : 0U) << type.number << type.count;
  for (const std::uint32_t part : parts) key << part;
  bool added = false;
  const std::uint32_t number = types_.number(key.str(), added);
  if (!added) return interned_types_[number];
  Type made = type;
  made.parts = {static_cast<std::uint32_t>(m_.type_parts.size()), static_cast<std::uint32_t>(parts.size())};
  m_.type_parts.insert(m_.type_parts.end(), parts.begin(), parts.end());
  TypeExtent extent;
  for (const std::uint32_t part : parts) {
    extent.depth = std::max(extent.depth, type_extents_[part].depth + 1);
    extent.weight = std::min(extent.weight + type_extents_[part].weight, module::kHeaviestType + 1);
  }
  if (extent.depth > limits::kNesting) fail(ErrorCode::limit, token_.at, "types are nested too deeply");
  if (extent.weight > module::kHeaviestType) fail(ErrorCode::limit, token_.at, "the type has too many parts");
  interned_types_.push_back(static_cast<std::uint32_t>(m_.types.size()));
  m_.types.push_back(made);
  undefined_structs_.push_back(0);
  type_extents_.push_back(extent);
  type_places_.push_back(token_.at);
  return interned_types_.back();
}

std::uint32_t TextParser::plain_type(TypeKind kind) {
  Type type;
  type.kind = kind;
  return intern(type, {});
}

std::uint32_t TextParser::integer_type(std::uint32_t width) {
  Type type;
  type.kind = TypeKind::integer;
  type.number = width;
  return intern(type, {});
}

std::uint32_t TextParser::pointer_to(std::uint32_t pointee, std::uint32_t address_space) {
  Type type;
  type.kind = TypeKind::pointer;
  type.number = address_space;
  return intern(type, std::span(&pointee, 1));
}

std::uint32_t TextParser::function_type(std::span<const std::uint32_t> parts, bool variadic) {
  Type type;
  type.kind = TypeKind::function;
  type.variadic = variadic;
  return intern(type, parts);
}

std::uint32_t TextParser::sequence_of(TypeKind kind, std::uint64_t count, std::uint32_t element) {
  Type type;
  type.kind = kind;
  type.count = count;
  return intern(type, std::span(&element, 1));
}

std::uint32_t TextParser::struct_of(std::span<const std::uint32_t> parts) {
  Type type;
  type.kind = TypeKind::structure;
  return intern(type, parts);
}

std::uint32_t TextParser::truth_type(std::uint32_t of) {
  const std::uint32_t truth = integer_type(1);
  return type_at(of).kind == TypeKind::vector ? sequence_of(TypeKind::vector, type_at(of).count, truth) : truth;
}

/// `%name` or `%5`: made if it is not known yet.
std::uint32_t TextParser::named_struct(const Token& token) {
  const auto make = [&](StringRange name) {
    Type type;
    type.kind = TypeKind::structure;
    type.literal = false;
    type.opaque = true;
    type.name = name;
    m_.types.push_back(type);
    undefined_structs_.push_back(token.at + 1);
    type_extents_.emplace_back();
    type_places_.push_back(token.at);
    return static_cast<std::uint32_t>(m_.types.size() - 1);
  };
  if (token.is_number) {
    if (const auto found = struct_numbers_.find(token.number); found != struct_numbers_.end()) return found->second;
    return struct_numbers_[token.number] = make({});
  }
  const std::string_view name = name_of(token);
  if (const auto found = struct_names_.find(name); found != struct_names_.end()) return found->second;
  return struct_names_[name] = make(keep(name));
}

/// A type that values in memory can have.
bool TextParser::member(std::uint32_t& out) {
  const std::size_t at = token_.at;
  if (!type(out)) return false;
  const TypeKind kind = type_at(out).kind;
  const bool good = kind != TypeKind::void_ && kind != TypeKind::label && kind != TypeKind::metadata && kind != TypeKind::function;
  return good || type_error(at, "invalid type of a member or element");
}

bool TextParser::struct_body(std::vector<std::uint32_t>& parts) {
  if (!expect('{')) return false;
  if (take('}')) return true;
  do {
    std::uint32_t part = 0;
    if (!member(part)) return false;
    parts.push_back(part);
  } while (take(','));
  return expect('}');
}

/// After `[` or `<`.
bool TextParser::sequence_type(std::uint32_t& out, TypeKind kind, char close) {
  std::uint64_t count = 0;
  std::uint32_t element = 0;
  const std::size_t at = token_.at;
  if (!number(count, "a number of elements") || !expect("x") || !member(element) || !expect(close)) return false;
  if (kind == TypeKind::vector) {
    const TypeKind of = type_at(element).kind;
    const bool scalar = of == TypeKind::integer || of == TypeKind::pointer || (of >= TypeKind::half && of <= TypeKind::ppc_fp128);
    if (!scalar || count == 0 || count > 0xffff'ffff)
      return type_error(at, "a vector must have 1 to 4294967295 elements of integer, floating-point or pointer type");
  }
  out = sequence_of(kind, count, element);
  return true;
}

/// A type that arguments can have.
bool TextParser::parameter(std::uint32_t& out) {
  const std::size_t at = token_.at;
  if (!type(out)) return false;
  const TypeKind kind = type_at(out).kind;
  return (kind != TypeKind::void_ && kind != TypeKind::function) || type_error(at, "invalid parameter type");
}

bool TextParser::type_base(std::uint32_t& out) {
  const Token token = token_;
  if (token.kind == Kind::local) {
    next();
    out = named_struct(token);
    return true;
  }
  if (is('{')) {
    std::vector<std::uint32_t> parts;
    if (!struct_body(parts)) return false;
    out = struct_of(parts);
    return true;
  }
  if (take('[')) return sequence_type(out, TypeKind::array, ']');
  if (take('<')) {
    if (!is('{')) return sequence_type(out, TypeKind::vector, '>');
    std::vector<std::uint32_t> parts;
    if (!struct_body(parts) || !expect('>')) return false;
    Type packed;
    packed.kind = TypeKind::structure;
    packed.packed = true;
    out = intern(packed, parts);
    return true;
  }
  if (token.kind != Kind::word) return expected("a type");
  if (token.text[0] == 'i' && token.text.size() > 1 && token.text[1] >= '0' && token.text[1] <= '9') {
    std::uint64_t width = 0;
    for (const char c : token.text.substr(1)) {
      if (c < '0' || c > '9' || width > kWidestInteger) return expected("a type");
      width = width * 10 + static_cast<std::uint64_t>(c - '0');
    }
    if (width == 0 || width > kWidestInteger) return fail(ErrorCode::bad_value, token.at, "an integer must have 1 to 8388607 bits");
    next();
    out = integer_type(static_cast<std::uint32_t>(width));
    return true;
  }
  for (std::uint8_t i = 0; i < static_cast<std::uint8_t>(TypeKind::integer); ++i) {
    if (token.text != text(static_cast<TypeKind>(i))) continue;
    next();
    out = plain_type(static_cast<TypeKind>(i));
    return true;
  }
  return expected("a type");
}

bool TextParser::type(std::uint32_t& out) {
  if (!enter()) return false;
  if (!type_base(out)) return false;
  for (;;) {
    if (failed_) return false;
    const TypeKind kind = type_at(out).kind;
    if ((is('*') || is_word("addrspace")) && (kind == TypeKind::void_ || kind == TypeKind::label || kind == TypeKind::metadata))
      return type_error(token_.at, "invalid pointee type");
    if (is('(') && (kind == TypeKind::label || kind == TypeKind::metadata || kind == TypeKind::function))
      return type_error(token_.at, "invalid result type of a function");
    if (take('*')) {
      out = pointer_to(out);
    } else if (take("addrspace")) {
      std::uint32_t space = 0;
      if (!expect('(') || !number32(space, "an address space") || !expect(')') || !expect('*')) return false;
      out = pointer_to(out, space);
    } else if (take('(')) {
      std::vector<std::uint32_t> parts{out};
      bool variadic = false;
      if (!parameters(parts, variadic, [](std::uint32_t) { return true; })) return false;
      out = function_type(parts, variadic);
    } else {
      leave();
      return true;
    }
  }
}

bool TextParser::type_definition() {
  const Token token = token_;
  next();
  if (!expect('=') || !expect("type")) return false;
  const std::uint32_t id = named_struct(token);
  if (undefined_structs_[id] == 0) return fail(ErrorCode::bad_value, token.at, "the type is defined twice");
  undefined_structs_[id] = 0;
  type_places_[id] = token.at;
  if (take("opaque")) return true;
  const bool packed = take('<');
  std::vector<std::uint32_t> parts;
  if (!struct_body(parts) || (packed && !expect('>'))) return false;
  Type& made = m_.types[id];
  made.opaque = false;
  made.packed = packed;
  made.parts = {static_cast<std::uint32_t>(m_.type_parts.size()), static_cast<std::uint32_t>(parts.size())};
  m_.type_parts.insert(m_.type_parts.end(), parts.begin(), parts.end());
  return true;
}

bool TextParser::member_type(std::uint32_t of, std::span<const std::uint64_t> indices, std::uint32_t& member) const {
  for (const std::uint64_t index : indices) {
    const Type& aggregate = m_.types[of];
    if (aggregate.kind == TypeKind::structure && !aggregate.opaque && index < aggregate.parts.count) {
      of = m_.type_parts[aggregate.parts.first + static_cast<std::size_t>(index)];
    } else if (aggregate.kind == TypeKind::array || aggregate.kind == TypeKind::vector) {
      of = m_.element_of(of);
    } else {
      return false;
    }
  }
  member = of;
  return true;
}

/// The same of a value: its arrays have bounds, and vectors have no members.
bool TextParser::member_of_value(std::uint32_t of, std::span<const std::uint64_t> indices, std::uint32_t& member) const {
  for (const std::uint64_t& index : indices) {
    const Type& aggregate = m_.types[of];
    if (aggregate.kind == TypeKind::vector || (aggregate.kind == TypeKind::array && index >= aggregate.count)) return false;
    if (!member_type(of, {&index, 1}, of)) return false;
  }
  member = of;
  return true;
}

/// The type of the place that getelementptr computes: a pointer, or a vector of them. `operands`: the pointer and its indices.
bool TextParser::pointee_at(std::uint32_t of, std::span<const std::uint32_t> operands, std::uint32_t& result) {
  constexpr std::uint64_t kNoMember = ~std::uint64_t{0};  // of a structure; any element of others
  std::vector<std::uint64_t> indices;
  const std::uint32_t pointer = type_of(operands[0]);
  std::uint64_t lanes = 0;
  const auto count_lanes = [&](std::uint32_t operand) {
    const std::uint32_t type = type_of(operand);
    if (type != kNone && type_at(type).kind == TypeKind::vector) lanes = type_at(type).count;
  };
  count_lanes(operands[0]);
  for (std::size_t i = 1; i < operands.size(); ++i) {
    count_lanes(operands[i]);
    if (type_of(operands[i]) == kNone || type_at(scalar_of(type_of(operands[i]))).kind != TypeKind::integer) return false;
    if (i == 1) continue;
    const Constant* constant = constant_at(operands[i]);
    if (constant != nullptr && constant->kind == ConstantKind::aggregate && constant->operands.count > 0)
      constant = constant_at(m_.operands[constant->operands.first]);  // the same in all lanes
    std::uint64_t index = kNoMember;
    if (constant != nullptr && (constant->kind == ConstantKind::integer || constant->kind == ConstantKind::null)) index = constant->bits;
    if (constant != nullptr && constant->kind == ConstantKind::data) index = m_.literals[constant->literals.first];
    indices.push_back(index);
  }
  std::uint32_t member = 0;
  if (!member_type(of, indices, member)) return false;
  if (pointer == kNone) return false;
  std::uint32_t scalar = pointer;
  if (type_at(scalar).kind == TypeKind::vector) scalar = m_.element_of(scalar);
  if (type_at(scalar).kind != TypeKind::pointer || m_.element_of(scalar) != of) return false;
  result = pointer_to(member, type_at(scalar).number);
  if (lanes != 0) result = sequence_of(TypeKind::vector, lanes, result);
  return true;
}

}  // namespace unshade::dxil::assembler

// Constants of the module and of functions.
#include <algorithm>

#include <unshade/core/bits/sign_extended.hpp>
#include <unshade/core/limits.hpp>

#include "dxil/module/parse/parse.hpp"
#include "dxil/module/record_operands.hpp"
#include "dxil/module/record_words.hpp"

namespace unshade::dxil::module {

namespace {

// Integers have their sign in bit 0; a negative zero is the least number.
std::uint64_t unrotate(std::uint64_t value) {
  if ((value & 1) == 0) return value >> 1;
  return value == 1 ? std::uint64_t{1} << 63 : 0 - (value >> 1);
}

constexpr std::uint32_t kPlainInteger = 32;  // the width constants have before a type is set

}  // namespace

bool ModuleReader::read_constants() {
  if (body_ == nullptr && functions_begun_) return fail(ErrorCode::bad_value, "module constants after function bodies");
  const auto first = static_cast<std::uint32_t>(m_.constants.size());
  std::uint32_t current = kNone;
  if (!each_record([&] { return constant_record(current); })) return false;
  return body_ == nullptr || check_constants(first);  // the module's are checked when all its values are known
}

// Adds it as the next value. `operands` are value ids.
bool ModuleReader::constant(Constant constant, std::span<const std::uint64_t> operands, Operands literals) {
  if (!is_first_class(constant.type)) return fail(ErrorCode::bad_value, "a constant must have a first-class type");
  if (!spend(sizeof(Constant) + sizeof(Value) + operands.size() * sizeof(std::uint32_t) + literals.size() * sizeof(std::uint64_t)))
    return false;
  constant.operands = {static_cast<std::uint32_t>(m_.operands.size()), static_cast<std::uint32_t>(operands.size())};
  for (const std::uint64_t operand : operands) {
    if (operand >= kMetadataOperand) return bad_reference("value", operand);
    m_.operands.push_back(static_cast<std::uint32_t>(operand));
  }
  constant.literals = {static_cast<std::uint32_t>(m_.literals.size()), static_cast<std::uint32_t>(literals.size())};
  m_.literals.insert(m_.literals.end(), literals.begin(), literals.end());
  auto& values = body_ == nullptr ? m_.values : m_.local_values;
  append(values, {ValueKind::constant, constant.type, static_cast<std::uint32_t>(m_.constants.size()), {}});
  append(m_.constants, constant);
  return true;
}

bool ModuleReader::constant_record(std::uint32_t& current) {
  const Operands o = cursor_.operands();
  if (cursor_.code() == bitcode::code::constants_set_type) return o.empty() ? bad_record() : type_at(o[0], current);
  if (current == kNone) {
    current = integer_type(kPlainInteger);
    if (current == kNone) return false;
  }
  return cursor_.code() >= bitcode::code::constants_binary && cursor_.code() != bitcode::code::constants_data
             ? expression(cursor_.code(), current, o)
             : literal_constant(cursor_.code(), current, o);
}

bool ModuleReader::literal_constant(std::uint32_t code, std::uint32_t type_id, Operands o) {
  Constant c{.type = type_id};
  const Type& type = m_.types[type_id];
  switch (code) {
    case bitcode::code::constants_null: return constant(c, {}, {});
    case bitcode::code::constants_undef: c.kind = ConstantKind::undef; return constant(c, {}, {});
    case bitcode::code::constants_integer:
      if (o.empty() || type.kind != TypeKind::integer) return bad_record();
      c.kind = ConstantKind::integer;
      c.bits = unrotate(o[0]);
      if (type.number < 64) c.bits = static_cast<std::uint64_t>(sign_extended(c.bits, type.number));
      return constant(c, {}, {});
    case bitcode::code::constants_wide_integer: {
      if (o.empty() || type.kind != TypeKind::integer || o.size() > (std::uint64_t{type.number} + 63) / 64) return bad_record();
      c.kind = ConstantKind::wide_integer;
      if (!constant(c, {}, o)) return false;
      for (std::size_t i = m_.literals.size() - o.size(); i < m_.literals.size(); ++i) m_.literals[i] = unrotate(m_.literals[i]);
      return true;
    }
    case bitcode::code::constants_real: {
      const bool wide = type.kind >= TypeKind::x86_fp80 && type.kind <= TypeKind::ppc_fp128;
      if (type.kind < TypeKind::half || type.kind > TypeKind::ppc_fp128 || o.size() < (wide ? 2U : 1U)) return bad_record();
      c.kind = ConstantKind::real;
      if (type.kind == TypeKind::x86_fp80) {  // src: LLVM 3.7, BitcodeReader.cpp: its significand is in both
        const std::uint64_t words[] = {o[0] << 16 | (o[1] & 0xffff), o[0] >> 48};
        return constant(c, {}, words);
      }
      if (wide) return constant(c, {}, o.first(2));
      c.bits = type.kind == TypeKind::half ? o[0] & 0xffff : type.kind == TypeKind::float_ ? o[0] & 0xffff'ffff : o[0];
      return constant(c, {}, {});
    }
    case bitcode::code::constants_aggregate: {
      c.kind = ConstantKind::aggregate;
      const bool whole = type.kind == TypeKind::structure
                             ? o.size() == type.parts.count
                             : (type.kind == TypeKind::array || type.kind == TypeKind::vector) && o.size() == type.count;
      if (!whole || o.empty()) return bad_record();
      return constant(c, o, {});
    }
    case bitcode::code::constants_string:
    case bitcode::code::constants_c_string: {
      const bool terminated = code == bitcode::code::constants_c_string;
      if (type.kind != TypeKind::array || !is(m_.element_of(type_id), TypeKind::integer) || m_.types[m_.element_of(type_id)].number != 8 ||
          o.size() + (terminated ? 1 : 0) != type.count)
        return bad_record();
      c.kind = terminated ? ConstantKind::c_string : ConstantKind::string;
      return constant(c, {}, o);
    }
    case bitcode::code::constants_data: {
      c.kind = ConstantKind::data;
      if ((type.kind != TypeKind::array && type.kind != TypeKind::vector) || o.size() != type.count || o.empty()) return bad_record();
      const Type& element = m_.types[m_.element_of(type_id)];
      const bool good = element.kind == TypeKind::integer
                            ? element.number == 8 || element.number == 16 || element.number == 32 || element.number == 64
                            : element.kind == TypeKind::half || element.kind == TypeKind::float_ || element.kind == TypeKind::double_;
      if (!good) return bad_record();
      return constant(c, {}, o);
    }
    default: c.kind = ConstantKind::undef; return constant(c, {}, {});  // as LLVM takes codes it does not know
  }
}

bool ModuleReader::expression(std::uint32_t code, std::uint32_t type, Operands o) {
  Constant c{.kind = constant_kind(code), .type = type};
  if (c.kind == ConstantKind::inline_asm) return inline_assembly(c, o);
  if (c.kind == ConstantKind::undef) return constant(c, {}, {});  // as LLVM takes codes it does not know
  const std::string_view letters = bitcode::record_operands(bitcode::block_id::constants, code);
  const bool is_list = letters.find('|') != std::string_view::npos;
  const auto fewest = std::ranges::count_if(letters, [](char letter) { return letter != 'f' && letter != 'Q'; });
  if (!is_list && o.size() < static_cast<std::size_t>(fewest)) return bad_record();
  std::vector<std::uint64_t> operands;
  std::uint32_t first_type = kNone;  // of the first operand, if it is stated
  std::uint64_t operation = 0;       // of a binary operation or cast, or the predicate
  bool good = true;
  for_each_operand(letters, o, [&](char letter, std::size_t i, std::size_t place) {
    std::uint32_t stated = kNone;
    if (is_type(letter)) good = good && type_at(o[i], stated);
    if (letter == 'S') c.second_type = stated;
    if (letter == 'q' && place == 0) first_type = stated;
    if (letter == 'k' || letter == 'd') operation = o[i];
    if (letter == 'f') c.flags = binary_flags(operation, is_real(type), o[i]);
    if (letter == 'a') operands.push_back(o[i]);
    return false;
  });
  if (!good) return false;
  switch (c.kind) {
    case ConstantKind::binary:
      c.opcode = binary_opcode(operation, is_real(type));
      good = c.opcode != Opcode::invalid && (is_integer(type) || is_real(type));
      break;
    case ConstantKind::cast:
      c.opcode = cast_opcode(operation);
      good = c.opcode != Opcode::invalid;
      break;
    case ConstantKind::getelementptr: {
      if (operands.empty()) return bad_record();
      c.flags = code == bitcode::code::constants_getelementptr_inbounds ? flag::kInBounds : std::uint16_t{0};
      const std::uint32_t pointer = scalar_of(first_type);
      if (!is(pointer, TypeKind::pointer)) return bad_record();
      if (c.second_type == kNone) c.second_type = m_.element_of(pointer);
      good = c.second_type == m_.element_of(pointer);
      break;
    }
    case ConstantKind::extractelement: good = is(first_type, TypeKind::vector); break;
    case ConstantKind::insertelement:
    case ConstantKind::shufflevector: good = is(type, TypeKind::vector); break;
    case ConstantKind::compare:
      c.opcode = is_real(first_type) ? Opcode::fcmp : Opcode::icmp;
      good = compare_predicate(operation, c.opcode, c.predicate);
      break;
    case ConstantKind::block_address: c.bits = o[2]; break;
    default: break;
  }
  return good ? constant(c, operands, {}) : bad_record();
}

// [flags, length, text, length, constraints]
bool ModuleReader::inline_assembly(Constant c, Operands o) {
  if (o.size() < 3 || o[1] > o.size() - 3 || o[static_cast<std::size_t>(o[1]) + 2] != o.size() - 3 - o[1]) return bad_record();
  if (!is(c.type, TypeKind::pointer) || !is(m_.element_of(c.type), TypeKind::function)) return bad_record();
  const auto text = static_cast<std::size_t>(o[1]);
  c.flags = static_cast<std::uint16_t>(o[0] & 7);
  c.bits = text;
  std::vector<std::uint64_t> letters(o.begin() + 2, o.begin() + 2 + static_cast<std::ptrdiff_t>(text));
  letters.insert(letters.end(), o.begin() + 3 + static_cast<std::ptrdiff_t>(text), o.end());
  return constant(c, {}, letters);
}

bool ModuleReader::check_constants(std::uint32_t first) {
  const std::uint64_t values = m_.values.size() + (body_ == nullptr ? 0 : m_.local_values.size() - body_->values.first);
  const std::size_t count = m_.constants.size() - first;
  bool nested = false;
  for (std::size_t i = first; i < m_.constants.size(); ++i) {
    const auto index = static_cast<std::uint32_t>(i - first);
    const Constant& c = m_.constants[i];
    for (const std::uint32_t id : m_.operands_of(c.operands)) {
      if (id >= values) return fail_at(ErrorCode::out_of_range, "constant", index, "value " + std::to_string(id) + " does not exist");
      const ValueKind kind = value_at(id).kind;
      if (kind == ValueKind::parameter || kind == ValueKind::instruction)
        return fail_at(ErrorCode::bad_value, "constant", index, "value " + std::to_string(id) + " is not a constant");
      nested = nested || (kind == ValueKind::constant && value_at(id).index >= first);
    }
    if (!fits(c)) return fail_at(ErrorCode::bad_value, "constant", index, "the types of the operands do not match");
  }
  if (!nested) return true;

  constexpr std::uint8_t kUnseen = 0;
  constexpr std::uint8_t kOpen = 0xff;
  std::vector<std::uint8_t> depths(count, kUnseen);
  struct Step {
    std::uint32_t constant;
    std::uint32_t operand;
    std::uint8_t depth;
  };
  std::vector<Step> open;
  for (std::uint32_t root = 0; root < count; ++root) {
    if (depths[root] != kUnseen) continue;
    depths[root] = kOpen;
    open.push_back({root, 0, 1});
    while (!open.empty()) {
      const std::size_t top = open.size() - 1;
      const Range operands = m_.constants[first + open[top].constant].operands;
      if (open[top].operand < operands.count) {
        const Value& value = value_at(m_.operands[operands.first + open[top].operand++]);
        // Constants before these have been checked, and cannot refer to these.
        if (value.kind != ValueKind::constant || value.index < first) continue;
        const std::uint32_t next = value.index - first;
        if (depths[next] == kOpen) return fail_at(ErrorCode::cycle, "constant", next, "the constant contains itself");
        if (depths[next] == kUnseen) {
          if (open.size() >= limits::kNesting) return fail_at(ErrorCode::limit, "constant", next, "constants are nested too deeply");
          depths[next] = kOpen;
          open.push_back({next, 0, 1});
        } else {
          open[top].depth = std::max(open[top].depth, static_cast<std::uint8_t>(depths[next] + 1));
        }
        continue;
      }
      const Step done = open.back();
      open.pop_back();
      if (done.depth > limits::kNesting) return fail_at(ErrorCode::limit, "constant", done.constant, "constants are nested too deeply");
      depths[done.constant] = done.depth;
      if (!open.empty()) open.back().depth = std::max(open.back().depth, static_cast<std::uint8_t>(done.depth + 1));
    }
  }
  return true;
}

// What a printer or an evaluator takes for granted of an expression's operands.
bool ModuleReader::fits(const Constant& c) const {
  const auto operands = m_.operands_of(c.operands);
  const auto type_of = [&](std::size_t i) { return value_at(operands[i]).type; };
  switch (c.kind) {
    case ConstantKind::aggregate: {
      const Type& type = m_.types[c.type];
      for (std::size_t i = 0; i < operands.size(); ++i)
        if (type_of(i) != m_.type_parts[type.parts.first + (type.kind == TypeKind::structure ? i : 0)]) return false;
      return true;
    }
    case ConstantKind::binary: return type_of(0) == c.type && type_of(1) == c.type;
    case ConstantKind::getelementptr: {
      const std::uint32_t pointer = scalar_of(type_of(0));
      return is(pointer, TypeKind::pointer) && m_.element_of(pointer) == c.second_type;
    }
    case ConstantKind::select: return type_of(1) == c.type && type_of(2) == c.type;
    case ConstantKind::extractelement: return is(type_of(0), TypeKind::vector) && m_.element_of(type_of(0)) == c.type;
    case ConstantKind::insertelement: return type_of(0) == c.type && type_of(1) == m_.element_of(c.type);
    case ConstantKind::shufflevector:
      return is(type_of(0), TypeKind::vector) && type_of(0) == type_of(1) && is(type_of(2), TypeKind::vector);
    case ConstantKind::compare: return type_of(0) == type_of(1);
    case ConstantKind::block_address: return value_at(operands[0]).kind == ValueKind::function;
    default: return true;
  }
}

}  // namespace unshade::dxil::module

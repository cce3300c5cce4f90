// Values of the assembly language: constants, each kept once and in the form that LLVM gives it, and names.
#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <limits>

#include <unshade/core/limits.hpp>
#include <unshade/core/spelling.hpp>
#include <unshade/core/text/numbers.hpp>

#include "dxil/assemble/parser.hpp"
#include "dxil/listing/module.hpp"
#include "dxil/module/record_words.hpp"
#include "dxil/module/type_kinds.hpp"

namespace unshade::dxil::assembler {

namespace {

/// Elements of such types stand side by side in memory, not as constants of their own. src: LLVM 3.7, Constants.cpp
bool is_data_element(const Type& type) {
  if (type.kind == TypeKind::float_ || type.kind == TypeKind::double_) return true;
  return type.kind == TypeKind::integer && (type.number == 8 || type.number == 16 || type.number == 32 || type.number == 64);
}

std::uint64_t hex_value(std::string_view digits) {
  std::uint64_t value = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), value, 16);
  return value;
}

constexpr std::uint64_t kDoubleInfinity = std::uint64_t{0x7ff} << 52;

/// The float whose value a double's bits have; false if there is none.
bool narrow(std::uint64_t bits, std::uint64_t& narrowed) {
  constexpr unsigned kDropped = 29;
  const bool special = (bits & kDoubleInfinity) == kDoubleInfinity && (bits << 12) != 0;
  if (special) {  // NaN keeps its payload
    narrowed = bits >> 63 << 31 | 0x7f80'0000 | (bits >> kDropped & 0x7f'ffff);
    return (bits & ((1U << kDropped) - 1)) == 0 && (narrowed & 0x7f'ffff) != 0;
  }
  const auto wide = std::bit_cast<double>(bits);
  if (std::isfinite(wide) && std::fabs(wide) > static_cast<double>(std::numeric_limits<float>::max())) return false;
  const auto value = static_cast<float>(wide);
  narrowed = std::bit_cast<std::uint32_t>(value);
  return std::bit_cast<std::uint64_t>(static_cast<double>(value)) == bits;
}

}  // namespace

Opcode TextParser::opcode_of(std::string_view word) const {
  const auto found = opcodes_.find(word);
  return found == opcodes_.end() ? Opcode::invalid : found->second;
}

std::uint32_t TextParser::type_of(std::uint32_t operand) const {
  if ((operand & kLocalMark) != 0) return locals_[operand & ~kLocalMark].type;
  return m_.values[operand].type;
}

// --- making constants --------------------------------------------------------------------------------------------------------------------

std::uint32_t TextParser::make(Constant constant, std::span<const std::uint32_t> operands, std::span<const std::uint64_t> literals) {
  Key key;
  key << static_cast<std::uint64_t>(constant.kind) << constant.type << constant.bits << static_cast<std::uint64_t>(constant.opcode)
      << static_cast<std::uint64_t>(constant.predicate) << constant.flags << constant.second_type << operands.size();
  for (const std::uint32_t operand : operands) key << operand;
  for (const std::uint64_t literal : literals) key << literal;
  bool added = false;
  const std::uint32_t number = constants_.number(key.str(), added);
  if (!added) return interned_constants_[number];
  constant.operands = {static_cast<std::uint32_t>(m_.operands.size()), static_cast<std::uint32_t>(operands.size())};
  m_.operands.insert(m_.operands.end(), operands.begin(), operands.end());
  constant.literals = {static_cast<std::uint32_t>(m_.literals.size()), static_cast<std::uint32_t>(literals.size())};
  m_.literals.insert(m_.literals.end(), literals.begin(), literals.end());
  const auto id = static_cast<std::uint32_t>(m_.values.size());
  m_.values.push_back({ValueKind::constant, constant.type, static_cast<std::uint32_t>(m_.constants.size()), {}});
  std::uint32_t depth = 1;
  for (const std::uint32_t operand : operands)
    if (constant_at(operand) != nullptr) depth = std::max(depth, constant_depths_[operand - globals_] + 1);
  if (depth > limits::kNesting) fail(ErrorCode::limit, token_.at, "constants are nested too deeply");
  constant_depths_.push_back(depth);
  m_.constants.push_back(constant);
  interned_constants_.push_back(id);
  return id;
}

std::uint32_t TextParser::make_plain(ConstantKind kind, std::uint32_t type, std::uint64_t bits) {
  Constant constant;
  constant.kind = (kind == ConstantKind::integer || kind == ConstantKind::real) && bits == 0 ? ConstantKind::null : kind;
  constant.type = type;
  constant.bits = bits;
  return make(constant);
}

std::uint32_t TextParser::make_data(std::uint32_t type, std::vector<std::uint64_t>&& elements) {
  bool zero = true;
  for (const std::uint64_t element : elements) zero = zero && element == 0;
  if (zero) return make_plain(ConstantKind::null, type);
  Constant constant;
  constant.type = type;
  constant.kind = ConstantKind::data;
  const Type& element = type_at(m_.element_of(type));
  if (type_at(type).kind == TypeKind::array && element.kind == TypeKind::integer && element.number == 8) {
    constant.kind = ConstantKind::string;
    bool inner_zero = false;
    for (std::size_t i = 0; i + 1 < elements.size(); ++i) inner_zero = inner_zero || elements[i] == 0;
    if (elements.back() == 0 && !inner_zero) {
      constant.kind = ConstantKind::c_string;
      elements.pop_back();
    }
  }
  return make(constant, {}, elements);
}

std::uint32_t TextParser::make_aggregate(std::uint32_t type, std::span<const std::uint32_t> members) {
  bool null = true;
  bool undef = true;
  bool plain = true;
  for (const std::uint32_t member : members) {
    const Constant* constant = constant_at(member);
    const ConstantKind kind = constant == nullptr ? ConstantKind::aggregate : constant->kind;
    null = null && kind == ConstantKind::null;
    undef = undef && kind == ConstantKind::undef;
    plain = plain && (kind == ConstantKind::null || kind == ConstantKind::integer || kind == ConstantKind::real);
  }
  if (null) return make_plain(ConstantKind::null, type);
  if (undef) return make_plain(ConstantKind::undef, type);
  if (plain && type_at(type).kind != TypeKind::structure && is_data_element(type_at(m_.element_of(type)))) {
    const Type& element = type_at(m_.element_of(type));
    const std::uint64_t mask = element.kind == TypeKind::integer && element.number < 64 ? (std::uint64_t{1} << element.number) - 1 : ~0ULL;
    std::vector<std::uint64_t> data;
    data.reserve(members.size());
    for (const std::uint32_t member : members) data.push_back(constant_at(member)->bits & mask);
    return make_data(type, std::move(data));
  }
  Constant constant;
  constant.kind = ConstantKind::aggregate;
  constant.type = type;
  return make(constant, members);
}

// --- reading them ------------------------------------------------------------------------------------------------------------------------

bool TextParser::global_reference(std::uint32_t type, std::uint32_t& id) {
  const Token token = token_;
  next();
  return global_reference(token, type, id);
}

bool TextParser::global_reference(const Token& token, std::uint32_t type, std::uint32_t& id) {
  if (token.is_number) {
    const auto found = global_numbers_.find(token.number);
    if (found == global_numbers_.end()) return fail(ErrorCode::missing, token.at, "undefined @" + std::to_string(token.number));
    id = found->second;
  } else {
    const auto found = global_names_.find(name_of(token));
    if (found == global_names_.end()) return fail(ErrorCode::missing, token.at, "undefined @" + std::string(name_of(token)));
    id = found->second;
  }
  if (m_.values[id].type == kNone) m_.values[id].type = type;
  if (type != kNone && m_.values[id].type != type) return type_error(token.at, "the global has a different type");
  return true;
}

bool TextParser::integer(std::uint32_t type, std::uint32_t& id) {
  const std::uint32_t width = type_at(type).number;
  std::string_view digits = token_.text;
  const bool negative = digits.starts_with('-');
  if (negative || digits.starts_with('+')) digits.remove_prefix(1);
  // The value modulo 2^width, in words. The work grows by the square of the length: what is longer than the type can hold is refused.
  const std::size_t word_count = (std::size_t{width} + 63) / 64;
  if (digits.size() > width / 3 + 2) return fail(ErrorCode::bad_value, token_.at, "the number does not fit its type");
  constexpr std::uint32_t kWidestDecimal = 4096;
  if (width > kWidestDecimal && digits.size() > 19)
    return fail(ErrorCode::limit, token_.at, "decimal numbers of this width are not supported");
  std::vector<std::uint64_t> words(word_count);
  bool overflow = false;
  for (const char c : digits) {
    std::uint64_t carry = static_cast<std::uint64_t>(c - '0');
    for (std::uint64_t& word : words) {  // times 10, by halves
      const std::uint64_t low = (word & 0xffff'ffff) * 10 + carry;
      const std::uint64_t high = (word >> 32) * 10 + (low >> 32);
      word = high << 32 | (low & 0xffff'ffff);
      carry = high >> 32;
    }
    overflow = overflow || carry != 0;
  }
  const std::uint32_t rest = width % 64;
  if (rest != 0 && words.back() >> rest != 0) overflow = true;
  if (overflow) return fail(ErrorCode::bad_value, token_.at, "the number does not fit its type");
  if (negative) {
    std::uint64_t carry = 1;
    for (std::uint64_t& word : words) {
      word = ~word + carry;
      carry = carry != 0 && word == 0 ? 1 : 0;
    }
  }
  if (rest != 0) {  // sign extended
    const unsigned spare = 64 - rest;
    words.back() = static_cast<std::uint64_t>(static_cast<std::int64_t>(words.back() << spare) >> spare);
  }
  const bool zero = std::ranges::all_of(words, [](std::uint64_t word) { return word == 0; });
  if (negative && !zero && words.back() >> 63 == 0) return fail(ErrorCode::bad_value, token_.at, "the number does not fit its type");
  next();
  if (word_count == 1) {
    id = make_plain(ConstantKind::integer, type, words[0]);
    return true;
  }
  if (zero) {
    id = make_plain(ConstantKind::null, type);
    return true;
  }
  Constant constant;
  constant.kind = ConstantKind::wide_integer;
  constant.type = type;
  id = make(constant, {}, words);
  return true;
}

bool TextParser::real(std::uint32_t type, std::uint32_t& id) {
  const TypeKind kind = type_at(type).kind;
  const Token token = token_;
  std::string_view digits = token.text;
  const bool hex = token.kind == Kind::hex;
  const char form = hex && digits.size() > 2 ? digits[2] : '\0';
  const auto wrong = [&] { return fail(ErrorCode::bad_value, token.at, "the number is not valid for its type"); };
  Constant constant;
  constant.kind = ConstantKind::real;
  constant.type = type;
  switch (kind) {
    case TypeKind::half:
      if (form != 'H' || digits.size() > 7) return wrong();
      next();
      id = make_plain(ConstantKind::real, type, hex_value(digits.substr(3)));
      return true;
    case TypeKind::x86_fp80:
    case TypeKind::fp128:
    case TypeKind::ppc_fp128: {
      const bool short_form = kind == TypeKind::x86_fp80;
      if (form != (short_form ? 'K' : kind == TypeKind::fp128 ? 'L' : 'M') || digits.size() != (short_form ? 23U : 35U)) return wrong();
      const std::string_view first = digits.substr(3, short_form ? 4 : 16);
      const std::uint64_t a = hex_value(first);
      const std::uint64_t b = hex_value(digits.substr(3 + first.size()));
      const std::uint64_t words[] = {short_form ? b : a, short_form ? a : b};
      next();
      id = words[0] == 0 && words[1] == 0 ? make_plain(ConstantKind::null, type) : make(constant, {}, words);
      return true;
    }
    default: break;
  }
  std::uint64_t bits = 0;
  if (hex) {
    if (digits.size() > 18 || form == 'H' || form == 'K' || form == 'L' || form == 'M') return wrong();
    bits = hex_value(digits.substr(2));
  } else {
    if (digits.starts_with('+')) digits.remove_prefix(1);
    const auto read = as_number<double>(digits);
    if (!read) return wrong();
    const double value = *read;
    bits = std::bit_cast<std::uint64_t>(value);
    std::uint64_t nearest = 0;
    if (kind == TypeKind::float_ && std::fabs(value) <= static_cast<double>(std::numeric_limits<float>::max()) && !narrow(bits, nearest)) {
      // As LLVM does: rounded, it would not be the number of the text.
      Text suggestion;
      listing::print_real(suggestion, kind, nearest, 0);
      return fail(ErrorCode::bad_value, token.at, "the value is not exact in float; the nearest is " + suggestion.str());
    }
  }
  if (kind == TypeKind::float_ && !narrow(bits, bits)) return wrong();
  next();
  id = make_plain(ConstantKind::real, type, bits);
  return true;
}

/// Members of an aggregate, up to its closing mark.
bool TextParser::elements(std::uint32_t type, char close, std::uint32_t& id) {
  const Type aggregate = type_at(type);
  const bool structure = aggregate.kind == TypeKind::structure;
  std::vector<std::uint32_t> members;
  const std::size_t at = token_.at;
  while (!is(close)) {
    if (!members.empty() && !expect(',')) return false;
    std::uint32_t member_type = 0;
    std::uint32_t member = 0;
    const std::size_t member_at = token_.at;
    if (!typed_constant(member_type, member)) return false;
    const bool fits = structure
                          ? members.size() < aggregate.parts.count && m_.type_parts[aggregate.parts.first + members.size()] == member_type
                          : m_.element_of(type) == member_type;
    if (!fits) return type_error(member_at, "the member has a different type");
    members.push_back(member);
  }
  next();
  if (members.size() != (structure ? aggregate.parts.count : aggregate.count))
    return fail(ErrorCode::bad_value, at, "the number of members differs from the type");
  id = make_aggregate(type, members);
  return true;
}

bool TextParser::characters(std::uint32_t type, std::uint32_t& id) {
  const Type& array = type_at(type);
  if (array.kind != TypeKind::array || type_at(m_.element_of(type)).kind != TypeKind::integer || type_at(m_.element_of(type)).number != 8)
    return type_error(token_.at, "a string requires an array of i8");
  const std::string_view text = name_of(token_);
  if (text.size() != array.count) return fail(ErrorCode::bad_value, token_.at, "the length of the string differs from its type");
  std::vector<std::uint64_t> data;
  data.reserve(text.size());
  for (const char c : text) data.push_back(static_cast<unsigned char>(c));
  next();
  id = make_data(type, std::move(data));
  return true;
}

bool TextParser::flags(Opcode opcode, std::uint16_t& flags) {
  struct Word {
    std::string_view text;
    std::uint16_t flag;
  };
  // nnan and its like are all set if `fast` is.
  static constexpr Word kWords[] = {{"fast", flag::kFastMath},     {"nnan", flag::kNoNaNs},     {"ninf", flag::kNoInfs},
                                    {"nsz", flag::kNoSignedZeros}, {"arcp", flag::kReciprocal}, {"nuw", flag::kNoUnsignedWrap},
                                    {"nsw", flag::kNoSignedWrap},  {"exact", flag::kExact},     {"inbounds", flag::kInBounds}};
  const std::uint16_t valid = module::flags_of(opcode);
  std::uint32_t seen = 0;
  for (;;) {
    const Word* found = nullptr;
    if (token_.kind == Kind::word)
      for (const Word& word : kWords)
        if (word.text == token_.text) found = &word;
    if (found == nullptr) return true;
    if ((found->flag & valid) == 0)
      return fail(ErrorCode::bad_value, token_.at,
                  '`' + std::string(found->text) + "` is not a flag of `" + std::string(text(opcode)) + '`');
    const std::uint32_t bit = 1U << (found - kWords);
    if ((seen & bit) != 0) return fail(ErrorCode::bad_value, token_.at, "the flag is given twice");
    seen |= bit;
    flags |= found->flag;
    next();
  }
}

bool TextParser::predicate(Opcode opcode, Predicate& predicate) {
  const bool integers = opcode == Opcode::icmp;
  const auto first = static_cast<std::uint8_t>(integers ? Predicate::icmp_eq : Predicate::fcmp_false);
  const auto last = static_cast<std::uint8_t>(integers ? Predicate::icmp_sle : Predicate::fcmp_true);
  for (std::uint8_t i = first; i <= last; ++i) {
    if (!take(text(static_cast<Predicate>(i)))) continue;
    predicate = static_cast<Predicate>(i);
    return true;
  }
  Nearest nearest(token_.text);
  for (std::uint8_t i = first; i <= last; ++i) nearest.consider(text(static_cast<Predicate>(i)));
  return expected("a predicate", nearest.question());
}

bool TextParser::expression_operands(Constant& constant, std::vector<std::uint32_t>& operands, std::uint32_t& type) {
  const Opcode opcode = constant.opcode;
  const std::size_t at = token_.at;
  if (!expect('(')) return false;
  if (opcode == Opcode::getelementptr && (!this->type(constant.second_type) || !expect(','))) return false;
  std::uint32_t operand_type = 0;
  do {
    std::uint32_t operand = 0;
    if (!typed_constant(operand_type, operand)) return false;
    operands.push_back(operand);
  } while (take(','));
  if (is_cast(opcode) && (!expect("to") || !this->type(type))) return false;
  if (!expect(')')) return false;
  std::size_t count = 2;
  if (is_cast(opcode)) count = 1;
  if (opcode == Opcode::select || opcode == Opcode::insertelement || opcode == Opcode::shufflevector) count = 3;
  const bool good = opcode == Opcode::getelementptr ? !operands.empty() : operands.size() == count;
  return good || fail(ErrorCode::bad_value, at, "wrong number of operands in the expression");
}

bool TextParser::expression(std::uint32_t type, std::uint32_t& id, Opcode opcode) {
  const std::size_t at = token_.at;
  Constant constant;
  constant.opcode = opcode;
  next();
  if (opcode == Opcode::icmp || opcode == Opcode::fcmp) {  // flags of a comparison have no place in the record of a constant
    if (!predicate(opcode, constant.predicate)) return false;
  } else if (!flags(opcode, constant.flags)) {
    return false;
  }
  std::vector<std::uint32_t> operands;
  std::uint32_t result = kNone;
  if (!expression_operands(constant, operands, result)) return false;
  const std::uint32_t first = type_of(operands[0]);
  const auto have_one_type = [&](std::size_t a, std::size_t b) {
    return type_of(operands[a]) == type_of(operands[b]) || type_error(at, "the operands have different types");
  };
  if (is_cast(opcode)) {
    constant.kind = ConstantKind::cast;
    if (!module::is_first_class(type_at(result).kind)) return type_error(at, "a cast cannot have this type");
  } else if (is_binary(opcode)) {
    constant.kind = ConstantKind::binary;
    result = first;
    if (!have_one_type(0, 1) || !takes(opcode, first, at)) return false;
  } else {
    switch (opcode) {
      case Opcode::getelementptr:
        constant.kind = ConstantKind::getelementptr;
        if (!pointee_at(constant.second_type, operands, result)) return type_error(at, "the indices are not valid for the type");
        break;
      case Opcode::icmp:
      case Opcode::fcmp:
        constant.kind = ConstantKind::compare;
        if (!have_one_type(0, 1) || !takes(opcode, first, at)) return false;
        result = truth_type(first);
        break;
      case Opcode::select:
        constant.kind = ConstantKind::select;
        if (!have_one_type(1, 2) || !selects(first, at)) return false;
        result = type_of(operands[1]);
        break;
      case Opcode::extractelement:
        constant.kind = ConstantKind::extractelement;
        if (type_at(first).kind != TypeKind::vector) return type_error(at, "expected a vector");
        result = m_.element_of(first);
        break;
      case Opcode::insertelement:
        constant.kind = ConstantKind::insertelement;
        if (type_at(first).kind != TypeKind::vector) return type_error(at, "expected a vector");
        if (type_of(operands[1]) != m_.element_of(first)) return type_error(at, "the element has a different type");
        result = first;
        break;
      case Opcode::shufflevector: {
        constant.kind = ConstantKind::shufflevector;
        const std::uint32_t mask = type_of(operands[2]);
        if (type_at(first).kind != TypeKind::vector || type_at(mask).kind != TypeKind::vector) return type_error(at, "expected vectors");
        if (!have_one_type(0, 1)) return false;
        result = sequence_of(TypeKind::vector, type_at(mask).count, m_.element_of(first));
        break;
      }
      default: return fail(ErrorCode::unsupported, at, "unsupported constant expression");
    }
  }
  if (type != kNone && result != type) return type_error(at, "the expression has a different type");
  constant.type = result;
  id = make(constant, operands);
  return true;
}

bool TextParser::block_address(std::uint32_t, std::uint32_t&) {
  return fail(ErrorCode::unsupported, token_.at, "blockaddress is not supported");
}

bool TextParser::constant(std::uint32_t type, std::uint32_t& id) {
  if (m_.constants.size() >= kBlockMark / 2) return fail(ErrorCode::limit, token_.at, "too many constants");
  const std::size_t at = token_.at;
  if (type != kNone && !module::is_first_class(type_at(type).kind)) return type_error(at, "no value has this type");
  switch (token_.kind) {
    case Kind::global: return global_reference(type, id);
    case Kind::c_string: return type == kNone ? expected("a function") : characters(type, id);
    case Kind::integer:
      if (type == kNone || type_at(type).kind != TypeKind::integer)
        return type_error(at, "found an integer, but the type is not an integer");
      return integer(type, id);
    case Kind::real:
    case Kind::hex:
      if (type == kNone || !module::is_real(type_at(type).kind))
        return type_error(at, "found a floating-point number, but the type is not floating-point");
      return real(type, id);
    case Kind::punctuation: {
      if (type == kNone) return expected("a function");
      if (!enter()) return false;
      bool good = false;
      const Type of = type_at(type);
      if (is('[') && of.kind == TypeKind::array) {
        next();
        good = elements(type, ']', id);
      } else if (is('{') && of.kind == TypeKind::structure && !of.packed) {
        next();
        good = elements(type, '}', id);
      } else if (is('<') && of.kind == TypeKind::vector) {
        next();
        good = elements(type, '>', id);
      } else if (is('<') && of.kind == TypeKind::structure && of.packed) {
        next();
        good = expect('{') && elements(type, '}', id) && expect('>');
      } else {
        return expected("a value of its type");
      }
      leave();
      return good;
    }
    case Kind::word: break;
    default: return expected("a value");
  }
  const std::string_view word = token_.text;
  if (const Opcode opcode = opcode_of(word); opcode != Opcode::invalid) {
    if (!enter() || !expression(type, id, opcode)) return false;
    leave();
    return true;
  }
  if (type == kNone) return expected("a function");
  const Type& of = type_at(type);
  if (word == "undef") {
    id = make_plain(ConstantKind::undef, type);
  } else if (word == "zeroinitializer" || (word == "null" && of.kind == TypeKind::pointer)) {
    id = make_plain(ConstantKind::null, type);
  } else if ((word == "true" || word == "false") && of.kind == TypeKind::integer && of.number == 1) {
    id = make_plain(ConstantKind::integer, type, word == "true" ? ~std::uint64_t{0} : 0);
  } else if (word == "blockaddress") {
    return block_address(type, id);
  } else if (word == "asm") {
    return fail(ErrorCode::unsupported, at, "inline assembly is not supported");
  } else {
    return expected("a value of its type");
  }
  next();
  return true;
}

bool TextParser::typed_constant(std::uint32_t& type, std::uint32_t& id) { return this->type(type) && constant(type, id); }

bool TextParser::value(std::uint32_t type, std::uint32_t& operand) {
  if (token_.kind != Kind::local) return constant(type, operand);
  const Token token = token_;
  if (!in_body_) return expected("a constant");
  next();
  return local_operand(token, type, operand);
}

bool TextParser::typed_value(std::uint32_t& type, std::uint32_t& operand) { return this->type(type) && value(type, operand); }

}  // namespace unshade::dxil::assembler

// Names, types, constants.
#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <utility>

#include <unshade/core/bits/rounding.hpp>
#include <unshade/core/limits.hpp>
#include <unshade/core/text/characters.hpp>
#include <unshade/core/text/numbers.hpp>

#include "dxil/listing/module.hpp"

namespace unshade::dxil::listing {

namespace {

constexpr char kHexDigits[] = "0123456789ABCDEF";

/// What a name may hold without quotes.
constexpr CharacterSet kNameCharacters = CharacterSet("-.").with_name_characters();

bool needs_quotes(std::string_view name) {
  if (name[0] >= '0' && name[0] <= '9') return true;
  for (const char c : name)
    if (!kNameCharacters.has(c)) return true;
  return false;
}

/// Bits of a double for those of a float; NaN keeps its payload.
std::uint64_t widen_float(std::uint32_t bits) {
  const float value = std::bit_cast<float>(bits);
  if (!std::isnan(value)) return std::bit_cast<std::uint64_t>(static_cast<double>(value));
  return std::uint64_t{bits >> 31} << 63 | std::uint64_t{0x7ff} << 52 | std::uint64_t{bits & 0x7f'ffff} << 29;
}

void print_hex(Text& out, std::uint64_t value, unsigned digits) {
  char* at = out.grow(digits);
  for (unsigned i = 0; i < digits; ++i) at[i] = kHexDigits[value >> (4 * (digits - 1 - i)) & 0xf];
  out.commit(at + digits);
}

unsigned hex_digits(std::uint64_t value) { return value == 0 ? 1 : divide_up(static_cast<unsigned>(std::bit_width(value)), 4); }

}  // namespace

void print_escaped(Text& out, std::string_view text) {
  char* at = out.grow(3 * text.size());
  for (const char character : text) {
    const auto c = static_cast<unsigned char>(character);
    if (c >= 0x20 && c < 0x7f && c != '\\' && c != '"') {
      *at++ = character;
    } else {
      *at++ = '\\';
      *at++ = kHexDigits[c >> 4];
      *at++ = kHexDigits[c & 0xf];
    }
  }
  out.commit(at);
}

void print_name(Text& out, std::string_view name, NamePrefix prefix) {
  if (prefix != NamePrefix::none) out << static_cast<char>(prefix);
  if (name.empty()) return;
  if (!needs_quotes(name)) {
    out << name;
    return;
  }
  out << '"';
  print_escaped(out, name);
  out << '"';
}

void print_real(Text& out, TypeKind type, std::uint64_t bits, std::uint64_t high_bits) {
  switch (type) {
    case TypeKind::half:
      out << "0xH";
      print_hex(out, bits, 4);
      return;
    case TypeKind::x86_fp80:  // sign and exponent, then the significand
      out << "0xK";
      print_hex(out, high_bits, 4);
      print_hex(out, bits, 16);
      return;
    case TypeKind::fp128:
    case TypeKind::ppc_fp128:
      out << (type == TypeKind::fp128 ? "0xL" : "0xM");
      print_hex(out, bits, 16);
      print_hex(out, high_bits, 16);
      return;
    default: break;
  }
  const std::uint64_t wide = type == TypeKind::float_ ? widen_float(static_cast<std::uint32_t>(bits)) : bits;
  const auto number = std::bit_cast<double>(wide);
  if (std::isfinite(number)) {
    constexpr int kDecimals = 6;
    constexpr std::size_t kRoom = 32;
    char* at = out.grow(kRoom);
    const char* end = std::to_chars(at, at + kRoom, number, std::chars_format::scientific, kDecimals).ptr;
    double back = 0;
    read_real(at, end, back);
    if (back == number) {
      out.commit(end);
      return;
    }
  }
  out << "0x";
  print_hex(out, wide, hex_digits(wide));
}

void print_wide_integer(Text& out, std::span<const std::uint64_t> words) {
  // The work grows by the square of the width. What nobody can read in decimal is given as its bits.
  constexpr std::size_t kMostWords = 64;
  if (words.size() > kMostWords) {
    out << "0x";
    for (std::size_t i = words.size(); i-- > 0;) print_hex(out, words[i], 16);
    return;
  }
  std::vector<std::uint32_t> parts;  // little-endian
  for (const std::uint64_t word : words) {
    parts.push_back(static_cast<std::uint32_t>(word));
    parts.push_back(static_cast<std::uint32_t>(word >> 32));
  }
  if (!words.empty() && (words.back() >> 63) != 0) {
    out << '-';
    std::uint64_t carry = 1;
    for (std::uint32_t& part : parts) {
      carry += static_cast<std::uint32_t>(~part);
      part = static_cast<std::uint32_t>(carry);
      carry >>= 32;
    }
  }
  constexpr std::uint32_t kBillion = 1'000'000'000;
  std::vector<std::uint32_t> billions;  // the least first
  while (!parts.empty()) {
    std::uint64_t rest = 0;
    for (std::size_t i = parts.size(); i-- > 0;) {
      rest = rest << 32 | parts[i];
      parts[i] = static_cast<std::uint32_t>(rest / kBillion);
      rest %= kBillion;
    }
    billions.push_back(static_cast<std::uint32_t>(rest));
    while (!parts.empty() && parts.back() == 0) parts.pop_back();
  }
  if (billions.empty()) billions.push_back(0);
  out.dec(billions.back());
  for (std::size_t i = billions.size() - 1; i-- > 0;) {
    const std::uint32_t digits = billions[i];
    for (std::uint32_t unit = kBillion / 10; unit > 0 && digits < unit && unit > 1; unit /= 10) out << '0';
    out.dec(digits);
  }
}

// --- types -------------------------------------------------------------------------------------------------------------------------------

void IrPrinter::print_new_type(std::uint32_t id) {
  if (full()) return;
  if (depth_ >= limits::kIrNesting) {
    too_deep_ = true;
    return;
  }
  ++depth_;
  const std::size_t start = out_.size();
  const Type& type = module_.types[id];
  switch (type.kind) {
    case TypeKind::integer:
      out_ << text(type.kind);
      out_.dec(type.number);
      break;
    case TypeKind::function: {
      const auto parts = module_.parts_of(type);
      print_type(parts[0]);
      out_ << " (";
      for (std::size_t i = 1; i < parts.size(); ++i) {
        if (i != 1) out_ << ", ";
        print_type(parts[i]);
      }
      if (type.variadic) out_ << (parts.size() > 1 ? ", ..." : "...");
      out_ << ')';
      break;
    }
    case TypeKind::structure:
      if (type.literal) {
        print_struct_body(type);
      } else if (!type.name.empty()) {
        print_name(out_, module_.text(type.name), NamePrefix::local);
      } else {
        // A struct that only operands of its own kind refer to has no number; LLVM prints an address.
        out_ << '%';
        if (structs_.number_of[id] != kNone) {
          out_.dec(structs_.number_of[id]);
        } else {
          out_ << "\"type 0x0\"";
        }
      }
      break;
    case TypeKind::pointer:
      print_type(module_.element_of(id));
      if (type.number != 0) {
        out_ << " addrspace(";
        out_.dec(type.number) << ')';
      }
      out_ << '*';
      break;
    case TypeKind::array:
    case TypeKind::vector: {
      const bool array = type.kind == TypeKind::array;
      out_ << (array ? '[' : '<');
      out_.dec(type.count) << " x ";
      print_type(module_.element_of(id));
      out_ << (array ? ']' : '>');
      break;
    }
    default: out_ << text(type.kind); break;
  }
  --depth_;
  const std::string_view written = out_.view().substr(start);
  if (written.size() > kLongestKept || too_deep_) return;
  type_texts_[id] = {.text = texts_.keep(written), .count = static_cast<std::uint16_t>(written.size())};
}

void IrPrinter::print_struct_body(const Type& type) {
  if (type.opaque) {
    out_ << "opaque";
    return;
  }
  if (type.packed) out_ << '<';
  const auto parts = module_.parts_of(type);
  if (parts.empty()) {
    out_ << "{}";
  } else {
    out_ << "{ ";
    for (std::size_t i = 0; i < parts.size(); ++i) {
      if (i != 0) out_ << ", ";
      print_type(parts[i]);
    }
    out_ << " }";
  }
  if (type.packed) out_ << '>';
}

// --- values ------------------------------------------------------------------------------------------------------------------------------

void IrPrinter::print_long_value(std::uint32_t id) {
  if (full()) return;
  const Value& of = value(id);
  if (of.kind == ValueKind::constant) {
    print_constant(module_.constants[of.index]);
  } else if (of.kind == ValueKind::parameter || of.kind == ValueKind::instruction) {
    print_result("", id, "");
  } else if (!of.name.empty()) {
    print_name(out_, name_of(of), NamePrefix::global);
  } else {
    out_ << '@';
    out_.dec(global_slots_[id]);
  }
}

void IrPrinter::print_named(const Value& local) {
  if (full()) return;
  if (local.name.empty()) {
    out_ << "<badref>";  // outside of its function
  } else {
    print_name(out_, name_of(local), NamePrefix::local);
  }
}

void IrPrinter::keep_value(std::uint32_t id) {
  KeptText& kept = value_texts_[id];
  kept.is_long = true;  // until it is known to be short
  const std::size_t start = out_.size();
  const std::size_t limit = std::exchange(limit_, std::min(limit_, start + kLongestKept));
  print_type(value(id).type);
  out_ << ' ';
  const std::size_t value_at = out_.size();
  print_long_value(id);
  const std::string_view written = out_.view().substr(start);
  if (written.size() <= kLongestKept && !full() && !too_deep_) {
    kept = {.text = texts_.keep(written),
            .count = static_cast<std::uint16_t>(written.size()),
            .value = static_cast<std::uint16_t>(value_at - start)};
  }
  out_.truncate(start);
  limit_ = limit;
}

bool IrPrinter::is_null(const Constant& constant) const {
  switch (constant.kind) {
    case ConstantKind::null: return true;
    case ConstantKind::integer:
    case ConstantKind::real: return constant.bits == 0 && constant.literals.empty();
    case ConstantKind::data:
    case ConstantKind::string:
    case ConstantKind::c_string:
      for (const std::uint64_t literal : module_.literals_of(constant.literals))
        if (literal != 0) return false;
      return true;
    case ConstantKind::aggregate: return folded(constant) == ConstantKind::null;
    default: return false;
  }
}

ConstantKind IrPrinter::folded(const Constant& constant) const {
  bool null = true;
  bool undef = true;
  for (const std::uint32_t id : module_.operands_of(constant.operands)) {
    const Value& member = value(id);
    if (member.kind != ValueKind::constant) return ConstantKind::aggregate;
    const Constant& of = module_.constants[member.index];
    // What is folded precedes what holds it, so that members of members need no look: LLVM's writer never nests zeros.
    null = null && of.kind != ConstantKind::aggregate && is_null(of);
    undef = undef && of.kind == ConstantKind::undef;
    if (!null && !undef) return ConstantKind::aggregate;
  }
  return null ? ConstantKind::null : undef ? ConstantKind::undef : ConstantKind::aggregate;
}

std::uint32_t IrPrinter::without_zero_offsets(std::uint32_t id) const {
  // A file may state an expression that is its own operand.
  for (std::size_t i = 0; i < limits::kIrNesting; ++i) {
    if (value(id).kind != ValueKind::constant) return id;
    const Constant& of = module_.constants[value(id).index];
    const auto operands = module_.operands_of(of.operands);
    if (of.kind != ConstantKind::getelementptr || operands.empty()) return id;
    for (const std::uint32_t offset : operands.subspan(1))
      if (value(offset).kind != ValueKind::constant || !is_null(module_.constants[value(offset).index])) return id;
    id = operands[0];
  }
  return id;
}

void IrPrinter::print_zero(const Type& type) {
  switch (type.kind) {
    case TypeKind::integer: out_ << (type.number == 1 ? "false" : "0"); break;
    case TypeKind::pointer: out_ << "null"; break;
    case TypeKind::structure:
    case TypeKind::array:
    case TypeKind::vector: out_ << "zeroinitializer"; break;
    default: print_real(out_, type.kind, 0, 0); break;
  }
}

void IrPrinter::print_constant(const Constant& constant) {
  const Type& type = module_.types[constant.type];
  switch (constant.kind) {
    case ConstantKind::null: print_zero(type); return;
    case ConstantKind::undef: out_ << "undef"; return;
    case ConstantKind::integer:
      if (type.number == 1) {
        out_ << ((constant.bits & 1) != 0 ? "true" : "false");
      } else {
        out_.dec_signed(static_cast<std::int64_t>(constant.bits));
      }
      return;
    case ConstantKind::real: {
      const auto words = module_.literals_of(constant.literals);
      print_real(out_, type.kind, words.empty() ? constant.bits : words[0], words.size() > 1 ? words[1] : 0);
      return;
    }
    case ConstantKind::wide_integer: print_wide_integer(out_, module_.literals_of(constant.literals)); return;
    case ConstantKind::inline_asm: print_inline_asm(constant); return;
    default: break;
  }
  if (full()) return;
  if (depth_ >= limits::kIrNesting) {
    too_deep_ = true;
    return;
  }
  ++depth_;
  switch (constant.kind) {
    case ConstantKind::aggregate: {
      const ConstantKind kind = folded(constant);
      if (kind == ConstantKind::null) {
        print_zero(type);
      } else if (kind == ConstantKind::undef) {
        out_ << "undef";
      } else if (type.kind == TypeKind::structure) {
        if (type.packed) out_ << '<';
        print_elements(constant, '{', '}');
        if (type.packed) out_ << '>';
      } else {
        print_elements(constant, type.kind == TypeKind::array ? '[' : '<', type.kind == TypeKind::array ? ']' : '>');
      }
      break;
    }
    case ConstantKind::data:
    case ConstantKind::string:
    case ConstantKind::c_string: print_data(constant); break;
    default: print_expression(constant); break;
  }
  --depth_;
}

void IrPrinter::print_elements(const Constant& constant, char open, char close) {
  const auto members = module_.operands_of(constant.operands);
  const bool blanks = open == '{' && !members.empty();
  out_ << open;
  if (blanks) out_ << ' ';
  for (std::size_t i = 0; i < members.size() && !full(); ++i) {
    if (i != 0) out_ << ", ";
    print_typed_value(members[i]);
  }
  if (blanks) out_ << ' ';
  out_ << close;
}

void IrPrinter::print_data(const Constant& constant) {
  const Type& type = module_.types[constant.type];
  const auto literals = module_.literals_of(constant.literals);
  if (is_null(constant)) {
    out_ << "zeroinitializer";
    return;
  }
  const std::uint32_t element = module_.element_of(constant.type);
  const Type& element_type = module_.types[element];
  const bool array = type.kind == TypeKind::array;
  if (array && element_type.kind == TypeKind::integer && element_type.number == 8) {
    out_ << "c\"";
    for (const std::uint64_t literal : literals) {
      const char c = static_cast<char>(literal);
      print_escaped(out_, {&c, 1});
    }
    if (constant.kind == ConstantKind::c_string) out_ << "\\00";
    out_ << '"';
    return;
  }
  out_ << (array ? '[' : '<');
  for (std::size_t i = 0; i < literals.size() && !full(); ++i) {
    if (i != 0) out_ << ", ";
    print_type(element);
    out_ << ' ';
    if (element_type.kind != TypeKind::integer) {
      print_real(out_, element_type.kind, literals[i], 0);
    } else if (element_type.number == 1) {
      out_ << ((literals[i] & 1) != 0 ? "true" : "false");
    } else {
      const unsigned spare = element_type.number < 64 ? 64 - element_type.number : 0;
      out_.dec_signed(static_cast<std::int64_t>(literals[i] << spare) >> spare);
    }
  }
  out_ << (array ? ']' : '>');
}

void IrPrinter::print_expression(const Constant& constant) {
  const auto operands = module_.operands_of(constant.operands);
  if (constant.kind == ConstantKind::block_address) {
    // The block belongs to a function that is not the one being printed, or is: either way its number is that of the block.
    out_ << "blockaddress(";
    print_value(operands[0]);
    out_ << ", %";
    out_.dec(constant.bits) << ')';
    return;
  }
  Opcode opcode = constant.opcode;
  switch (constant.kind) {
    case ConstantKind::getelementptr: opcode = Opcode::getelementptr; break;
    case ConstantKind::select: opcode = Opcode::select; break;
    case ConstantKind::extractelement: opcode = Opcode::extractelement; break;
    case ConstantKind::insertelement: opcode = Opcode::insertelement; break;
    case ConstantKind::shufflevector: opcode = Opcode::shufflevector; break;
    default: break;
  }
  const bool folds = style_.folds_zero_offsets && constant.kind == ConstantKind::cast && opcode != Opcode::addrspacecast;
  if (folds && value(without_zero_offsets(operands[0])).type == constant.type) {
    print_value(without_zero_offsets(operands[0]));
    return;
  }
  out_ << text(opcode);
  print_flags(constant.flags);
  if (constant.kind == ConstantKind::compare) out_ << ' ' << text(constant.predicate);
  out_ << " (";
  if (constant.kind == ConstantKind::getelementptr) {
    print_type(constant.second_type);
    out_ << ", ";
  }
  for (std::size_t i = 0; i < operands.size() && !full(); ++i) {
    if (i != 0) out_ << ", ";
    print_typed_value(folds ? without_zero_offsets(operands[i]) : operands[i]);
  }
  if (constant.kind == ConstantKind::cast) {
    out_ << " to ";
    print_type(constant.type);
  }
  out_ << ')';
}

void IrPrinter::print_inline_asm(const Constant& constant) {
  constexpr std::uint16_t kSideEffect = 1;
  constexpr std::uint16_t kAlignStack = 2;
  constexpr std::uint16_t kIntelDialect = 4;
  out_ << "asm ";
  if ((constant.flags & kSideEffect) != 0) out_ << "sideeffect ";
  if ((constant.flags & kAlignStack) != 0) out_ << "alignstack ";
  if ((constant.flags & kIntelDialect) != 0) out_ << "inteldialect ";
  out_ << '"';
  const auto literals = module_.literals_of(constant.literals);
  for (std::size_t i = 0; i < literals.size(); ++i) {
    if (i == constant.bits) out_ << "\", \"";
    const char c = static_cast<char>(literals[i]);
    print_escaped(out_, {&c, 1});
  }
  if (literals.size() <= constant.bits) out_ << "\", \"";
  out_ << '"';
}

}  // namespace unshade::dxil::listing

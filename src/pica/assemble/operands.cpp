// Operands: registers, aliases, indexes, selectors, conditions, targets.
#include <array>
#include <string>

#include "pica/assemble/state.hpp"
#include "pica/characters.hpp"

namespace unshade::pica::assembler {

using namespace characters;

namespace {

bool is_register_letter(char c) {
  c = lower(c);
  return c == 'o' || c == 'v' || c == 'r' || c == 'c' || c == 'i' || c == 'b';
}

std::uint8_t index_register(std::string_view text) {
  if (same(text, "a0") || same(text, "a0.x")) return 1;
  if (same(text, "a1") || same(text, "a0.y")) return 2;
  if (same(text, "a2") || same(text, "lcnt") || same(text, "al")) return 3;
  return 0;
}

unsigned class_of(std::uint32_t reg) { return reg < kTemporary0 ? 0 : reg < kFloat0 ? 1 : reg < kInteger0 ? 2 : reg < kBool0 ? 3 : 4; }

}  // namespace

bool Assembler::register_name(Operand& out, std::string_view text, bool may_index) {
  // picasso reads the number as C does: 010 is 8; what is after it is skipped
  std::uint32_t number = 0;
  bool plain = text.size() >= 2 && is(text[1], kDigit) && (text[1] != '0' || text.size() == 2) && text.size() < 5;
  for (std::size_t i = 1; plain && i < text.size(); ++i) {
    plain = is(text[i], kDigit);
    number = number * 10 + static_cast<std::uint32_t>(text[i] - '0');
  }
  if (!plain) {
    if (text.size() < 2 || !is_register_letter(text[0]) || !is(text[1], kDigit))
      return fail(MessageKind::invalid_register, out.at, "expected a register or an alias, found " + found(out.at));
    const char* behind = at_;
    at_ = text.data() + 1;
    std::int64_t value = 0;
    if (!number_in(number, 0, 255, "the number of a register")) return false;
    value = number;
    if (at_ != behind) warn(MessageKind::ignored_text, at_, "ignored " + found(at_) + " after the number " + std::to_string(value));
    at_ = behind;
  }
  std::uint32_t count = 16;
  std::uint32_t first = 0;
  out.side = Side::none;
  switch (text[0]) {
    case 'r': first = kTemporary0; break;
    case 'c':
      first = kFloat0;
      count = kFloatConstants;
      break;
    case 'v':
      count = exact_ ? 16 : 15;
      out.side = Side::input;
      break;
    case 'o':
      count = exact_ ? 16 : unit().output_registers();
      out.side = Side::output;
      break;
    case 'i':
      first = kInteger0;
      count = 8;
      break;
    case 'b': first = kBool0; break;
    default:
      if (!is_register_letter(text[0]))
        return fail(MessageKind::invalid_register, out.at, "expected a register or an alias, found " + found(out.at));
      warn(MessageKind::upper_case_register, out.at, "this is read as v" + std::to_string(number));
      out.side = Side::input;
      count = 256;
  }
  if (number >= count)
    return fail(MessageKind::register_range, out.at,
                std::string("expected ") + text[0] + "0 to " + text[0] + std::to_string(count - 1) + ", found " + found(out.at));
  out.reg = first + number;
  if (may_index && out.index != 0 && !exact_ && class_of(out.reg) != 2)
    return fail(MessageKind::index_place, out.at, "expected a c register before an index register, found " + found(out.at));
  return true;
}

bool Assembler::index(Operand& out, std::uint32_t& offset, bool may_index) {
  const char* open = at_++;
  const char* close = at_;
  while (close != end_ && *close != ']' && *close != '\n' && *close != ';') ++close;
  if (close == end_ || *close != ']') return fail(MessageKind::syntax, open, "expected ] after the index");
  // everything between the brackets belongs to the index; the end of the line is moved there while it is read
  blanks();
  const char* from = at_;
  const char* last = close;
  while (last != from && is(last[-1], kBlank)) --last;
  const char* plus = from;
  while (plus != last && *plus != '+') ++plus;
  const char* name_end = plus;
  while (name_end != from && is(name_end[-1], kBlank)) --name_end;
  const std::string_view text(from, static_cast<std::size_t>(name_end - from));
  const std::uint8_t named = index_register(text);
  const char* digits = from;
  if (named != 0 || plus != last) {
    if (!may_index) return fail(MessageKind::index_place, from, "expected a number as index, found " + found(from));
    if (named == 0) return fail(MessageKind::invalid_index, from, "expected a0.x, a0.y or aL, found `" + std::string(text) + '`');
    out.index = named;
    if (plus == last) {
      at_ = close + 1;
      return true;
    }
    digits = plus + 1;
  }
  const char* end = end_;
  end_ = last;
  at_ = digits;
  const std::int64_t value = decimal();
  if (at_ == digits || at_ != last) warn(MessageKind::ignored_text, at_, "expected a number as index, found " + found(digits));
  end_ = end;
  if (value < 0 || value > 255)
    return fail(MessageKind::invalid_index, digits, "expected an index from 0 to 255, found " + std::to_string(value));
  offset = static_cast<std::uint32_t>(value);
  at_ = close + 1;
  return true;
}

bool Assembler::selectors(std::uint8_t& out) {
  const char* from = at_;
  unsigned bits = 0;
  unsigned last = 0;
  unsigned count = 0;
  for (; at_ != end_ && is(*at_, kName); ++at_) {
    const unsigned which = component(*at_);
    if (which > 3 || count == 4)
      return fail(MessageKind::invalid_selectors, from, "expected up to four letters of xyzw, rgba or stpq, found " + found(from));
    bits = bits << 2 | which;
    last = which;
    ++count;
  }
  if (count == 0)
    warn(MessageKind::ignored_text, from, "expected letters of xyzw, rgba or stpq, found " + found(from) + "; this is read as .x");
  for (; count < 4; ++count) bits = bits << 2 | last;
  out = static_cast<std::uint8_t>(bits);
  return true;
}

// For plain(), where the operand ends with its word and nothing was said of it.
void Assembler::remember(const Operand& operand) {
  const std::ptrdiff_t size = at_ - operand.at;
  if (end_ - operand.at < OperandMemory::kReads || size > OperandMemory::kLongest || operand.reg >= kRegisters) return;
  KnownOperand known;
  known.text = operand.at;
  known.size = static_cast<std::uint8_t>(size);
  known.reg = static_cast<std::uint8_t>(operand.reg);
  known.index = operand.index;
  known.source = static_cast<std::uint16_t>(source_bits(operand));
  known.mask = components_of(operand.selectors).reversed().bits();
  unsigned kinds = 0;
  if (operand.reg < kInteger0) kinds |= KnownOperand::kWide;
  if (operand.reg < kFloat0 && operand.index == 0) kinds |= KnownOperand::kNarrow;
  if (operand.reg < kTemporary0) kinds |= KnownOperand::kInput;
  if (operand.side == Side::output) kinds = 0;  // there is a complaint about it as a source
  if (operand.reg < kFloat0 && operand.index == 0 && !operand.negate && is_ordered(operand.selectors) && operand.side != Side::input)
    kinds |= KnownOperand::kDestination;
  known.kinds = static_cast<std::uint8_t>(kinds);
  memory_.keep(known);
}

bool Assembler::operand(Operand& out, bool may_index, const char* what) {
  const std::size_t messages = messages_.size();
  blanks();
  out.at = at_;
  if (at_end()) return fail(MessageKind::missing_parameter, at_, std::string("expected ") + what);
  if (*at_ == '-') {
    out.negate = true;
    ++at_;
  }
  const std::string_view text = name();
  if (text.empty()) return fail(MessageKind::invalid_register, out.at, std::string("expected ") + what + ", found " + found(out.at));
  std::uint32_t offset = 0;
  if (at_ != end_ && *at_ == '[') {
    if (!index(out, offset, may_index)) return false;
  }
  if (at_ != end_ && *at_ == '.') {
    ++at_;
    if (!selectors(out.selectors)) return false;
  }
  const bool looks_like_register = text.size() > 1 && is_register_letter(text[0]) && is(text[1], kDigit);
  const Alias* alias = looks_like_register && !register_aliases_ ? nullptr : aliases_.find(text);
  if (alias != nullptr) {
    out.reg = alias->reg;
    out.side = alias->side;
    out.negate = out.negate != alias->negate;
    out.selectors = compose_selectors(alias->selectors, out.selectors);
  } else if (!register_name(out, text, may_index)) {
    return false;
  }
  if (offset != 0) {
    const unsigned before = class_of(out.reg);
    out.reg += offset;
    if (class_of(out.reg) != before)
      warn(MessageKind::class_crossing, out.at, "the offset exceeds the last register of its class: " + found(out.at));
  }
  if (messages == messages_.size() && !blocks_.empty()) remember(out);
  return true;
}

bool Assembler::destination(Operand& out) {
  if (!operand(out, false, "a destination register")) return false;
  if (out.reg >= kFloat0) return fail(MessageKind::invalid_destination, out.at, "expected an o or r register, found " + found(out.at));
  if (out.negate) warn(MessageKind::unused_sign, out.at, "a destination has no sign");
  check_side(out, Side::output);
  return true;
}

/// A register of a directive, of a condition or a loop.
bool Assembler::bare_register(Operand& out, const char* what) {
  if (!operand(out, false, what)) return false;
  check_bare(out);
  return true;
}

void Assembler::check_bare(const Operand& reg) {
  if (reg.negate) warn(MessageKind::unused_sign, reg.at, "a sign has no effect here, found " + found(reg.at));
  if (reg.selectors != descriptor::kIdentity)
    warn(MessageKind::unused_selectors, reg.at, "selectors have no effect here, found " + found(reg.at));
}

void Assembler::check_side(const Operand& reg, Side wanted) {
  if (reg.reg >= kTemporary0 || reg.side == Side::none || reg.side == wanted) return;
  warn(MessageKind::other_side, reg.at,
       std::string(wanted == Side::output ? "expected an output register, found " : "expected an input register, found ") + found(reg.at) +
           (wanted == Side::output ? "; this is o" : "; this is v") + std::to_string(reg.reg));
}

bool Assembler::input_mask_ok(const Operand& a, const Operand& b, const Operand* c) {
  for (const Operand* source : {&a, &b, c})
    if (source != nullptr) check_side(*source, Side::input);
  const auto differ = [](const Operand& x, const Operand& y) { return x.reg < kTemporary0 && y.reg < kTemporary0 && x.reg != y.reg; };
  if (exact_) return true;
  if (!differ(a, b) && (c == nullptr || (!differ(b, *c) && !differ(a, *c)))) return true;
  return fail(MessageKind::input_combination, a.at, "expected no more than one input register (v0 to v15) among the sources");
}

WriteMask Assembler::mask(const Operand& destination) {
  if (!is_ordered(destination.selectors))
    warn(MessageKind::mask_order, destination.at, "the order of the components of " + found(destination.at) + " has no effect");
  return components_of(destination.selectors);
}

bool Assembler::comparison(std::uint32_t& out) {
  blanks();
  const char* from = at_;
  const std::string_view text = name();
  constexpr std::string_view kNames[] = {"eq", "ne", "lt", "le", "gt", "ge"};
  for (std::uint32_t i = 0; i < 6; ++i) {
    if (!same(text, kNames[i])) continue;
    out = i;
    return true;
  }
  if (exact_ && (same(text, "always6") || same(text, "always7"))) {
    out = text.back() == '6' ? 6 : 7;
    return true;
  }
  return fail(MessageKind::invalid_comparison, from, "expected eq, ne, lt, le, gt or ge, found " + found(from));
}

// The fields of a condition: bit 25 what cmp.x has to be, bit 24 cmp.y, bits 23:22 how they are joined.
bool Assembler::condition(std::uint32_t& out) {
  out = 3U << 24;
  unsigned seen = 0;
  unsigned first = 0;
  const auto term = [&] {
    blanks();
    const char* from = at_;
    bool inverted = false;
    for (; at_ != end_ && *at_ == '!'; ++at_) inverted = !inverted;
    const char* flag = at_;
    const std::string_view cmp = name();
    unsigned which = 2;
    if (same(cmp, "cmp") && at_ != end_ && *at_ == '.') {
      ++at_;
      const std::string_view letter = name();
      which = same(letter, "x") ? 0 : same(letter, "y") ? 1 : 2;
    }
    if (which == 2) return fail(MessageKind::invalid_condition, from, "expected cmp.x or cmp.y, found " + found(flag));
    if ((seen >> which & 1) != 0) return fail(MessageKind::invalid_condition, from, "expected the other flag: this one is already tested");
    if (seen == 0) first = which;
    seen |= 1U << which;
    if (inverted) out ^= 1U << (25 - which);
    return true;
  };
  if (at_end()) return fail(MessageKind::missing_parameter, at_, "expected a condition");
  if (!term()) return false;
  blanks();
  if (at_ != end_ && (*at_ == '&' || *at_ == '|')) {
    const char joint = *at_++;
    if (at_ != end_ && *at_ == joint) ++at_;
    if (joint == '&') out |= 1U << 22;
    return term();
  }
  if (exact_ && at_ != end_ && *at_ == '~') {
    // `cmp.x ~cmp.y`: the flag that is not tested, if its reference is 0
    ++at_;
    const unsigned tested = first;
    blanks();
    const char* from = at_;
    if (!term()) return fail(MessageKind::invalid_condition, from, "expected the flag that is not yet tested");
    out ^= 1U << (25 - (1 - tested));
    out |= (tested + 2) << 22;
    return true;
  }
  out |= (first + 2) << 22;
  return true;
}

bool Assembler::boolean(std::uint32_t& out) {
  Operand reg;
  if (!bare_register(reg, "a b register")) return false;
  if (reg.reg < kBool0 || reg.reg >= kBool0 + kBoolConstants)
    return fail(MessageKind::invalid_uniform, reg.at, "expected a b register, found " + found(reg.at));
  out = reg.reg - kBool0;
  return true;
}

// A name, left to a fixup, or `@address+num`: the fields as they are.
bool Assembler::target(std::uint32_t& fields, std::string_view& label, const char* what) {
  blanks();
  const char* from = at_;
  if (at_end()) return fail(MessageKind::missing_parameter, at_, std::string("expected ") + what);
  if (*at_ == '@') {
    ++at_;
    std::uint32_t address = 0;
    std::uint32_t count = 0;
    if (!number_in(address, 0, kProgramWords - 1, "an address")) return false;
    if (at_ != end_ && *at_ == '+') {
      ++at_;
      if (!number_in(count, 0, 0x3ff, "a count")) return false;
    }
    fields = address << 10 | count;
    label = {};
    return true;
  }
  label = name();
  if (!is_name(label)) return fail(MessageKind::invalid_name, from, std::string("expected ") + what + ", found " + found(from));
  return true;
}

}  // namespace unshade::pica::assembler

// Instructions: operands to words, descriptors shared, padding where blocks end.
#include <array>
#include <string>
#include <utility>

#include <unshade/core/spelling.hpp>

#include "pica/assemble/state.hpp"
#include "pica/characters.hpp"
#include "pica/mnemonics.hpp"

namespace unshade::pica::assembler {

using namespace characters;

namespace {

constexpr std::size_t kMostBlocks = 32;

/// Opcodes with the wide source in another place than their twins.
constexpr auto kInverted = [] {
  std::array<bool, 65> table{};
#define PICA_OP(code, id, text, format, shape, lanes, flow, stages, sem) \
  table[code] = Format::format == Format::f1i || Format::format == Format::f5i;
#include <unshade/pica/instructions.def>
#undef PICA_OP
  return table;
}();

}  // namespace

bool Assembler::statement() {
  const char* from = at_;
  if (*at_ == '.') {
    ++at_;
    const std::string_view text = name();
    if (!at_end() && !is(*at_, kBlank)) return fail(MessageKind::unknown_statement, from, "expected a directive, found " + found(from));
    blanks();
    return directive(text, from);
  }
  const std::string_view text = name();
  const Opcode opcode = at_end() || is(*at_, kBlank) ? mnemonics::find(text) : Opcode::unknown;
  if (opcode == Opcode::unknown) {
    if (same(text, "def") || same(text, "defi") || same(text, "defb"))
      return linker_constant(text.size() == 3 ? UniformType::real : lower(text[3]) == 'i' ? UniformType::integer : UniformType::boolean);
    Nearest nearest(text);
#define PICA_OP(code, id, known, format, shape, lanes, flow, stages, sem) nearest.consider(known);
#include <unshade/pica/instructions.def>
#undef PICA_OP
    return fail(MessageKind::unknown_statement, from, "expected an instruction, found " + found(from) + nearest.question());
  }
  if (blocks_.empty()) return fail(MessageKind::outside_block, from, "expected .proc before instructions");
  just_closed_ = false;
  const Unit& here = unit();
  if (!here.geometry && code_.size() > kVertexProgramWords && !exact_)
    return fail(MessageKind::program_size, from,
                "expected no more than " + std::to_string(kVertexProgramWords) + " words in a vertex shader, this is word " +
                    std::to_string(code_.size() + 1));
  if (code_.size() >= kProgramWords && !exact_)
    return fail(MessageKind::program_size, from, "expected no more than " + std::to_string(kProgramWords) + " words");
  chosen_.reset();
  blanks();
  return instruction(info(opcode));
}

bool Assembler::instruction(const OpcodeInfo& row) {
  switch (row.format) {
    case Format::f0:
      if (!finish_instruction()) return false;
      emit(opcode_bits(row.opcode));
      return true;
    case Format::f1:
    case Format::f1i: return two_sources(row.opcode);
    case Format::f1u: return row.takes('a') ? address_move() : one_source(row.opcode);
    case Format::f1c: return compare();
    case Format::f5:
    case Format::f5i: return three_sources(row.opcode);
    case Format::f4: return set_emit();
    default:
      if (flow(row)) return true;
      if (row.opens_block() && blocks_.size() < kMostBlocks) {
        // so that its .end is not complained about
        open(Block::Kind::branch, line_start_, {});
        emit(opcode_bits(row.opcode));
      }
      return false;
  }
}

bool Assembler::too_many_descriptors(std::uint32_t most, const char* of) {
  return fail(MessageKind::descriptors_full, at_, "expected no more than " + std::to_string(most) + of);
}

bool Assembler::choose_given(Opcode opcode, std::uint32_t bits, std::uint32_t care, std::uint32_t& index) {
  index = *chosen_;
  const bool is_mad = opcode == Opcode::mad || opcode == Opcode::madi;
  // A listing prints all selectors, so that all that are stated there must be those of the descriptor.
  if (exact_) care = stated_bits(info(opcode).shape);
  const char* fault = index >= descriptors_.size() || index >= kDescriptors ? "undefined descriptor "
                      : is_mad && index >= kShortDescriptors                ? "mad cannot use descriptor "
                      : ((descriptors_.value(index) ^ bits) & care) != 0    ? "the operands contradict descriptor "
                                                                            : nullptr;
  if (fault == nullptr) return true;
  return fail(MessageKind::descriptor_missing, at_, fault + std::to_string(index));
}

// The descriptor of an instruction that needs these bits; that of mad is chosen by choose_short.
bool Assembler::choose(Opcode opcode, std::uint32_t bits, std::uint32_t& index) {
  const std::uint32_t care = descriptor_care(opcode, bits);
  if (chosen_) return choose_given(opcode, bits, care, index);
  index = exact_ && descriptors_.has_stated() ? descriptors_.find_or_add(bits, care) : descriptors_.share(bits, care);
  return index < kDescriptors || too_many_descriptors(kDescriptors, " operand descriptors");
}

bool Assembler::choose_short(std::uint32_t bits, std::uint32_t& index) {
  if (!choose(Opcode::mad, bits, index)) return false;
  if (index >= kShortDescriptors) {
    const auto lower = exact_ && descriptors_.has_stated() ? std::nullopt : descriptors_.lower(index, code_);
    if (!lower) return too_many_descriptors(kShortDescriptors, " descriptors for mad");
    index = *lower;
  }
  descriptors_.used_by_mad(index);
  return true;
}

bool Assembler::two_sources(Opcode opcode) {
  Operand to;
  Operand a;
  Operand b;
  if (!destination(to) || !comma("the first source") || !operand(a, true, "the first source") || !comma("the second source") ||
      !operand(b, true, "the second source") || !finish_instruction())
    return false;
  return emit_two(opcode, to, a, b);
}

bool Assembler::emit_two(Opcode opcode, const Operand& to, const Operand& a, const Operand& b) {
  const bool named_inverted = kInverted[static_cast<std::size_t>(opcode)];
  const Opcode straight = named_inverted ? twin(opcode) : opcode;
  const bool inverted = exact_ ? named_inverted : a.reg < kFloat0 && b.reg >= kFloat0 && twin(straight) != straight;
  const Operand& wide = inverted ? b : a;
  const Operand& narrow = inverted ? a : b;
  if (wide.reg >= kInteger0) return fail(MessageKind::invalid_source, wide.at, "expected a v, r or c register, found " + found(wide.at));
  if (narrow.reg >= kFloat0) return fail(MessageKind::invalid_source, narrow.at, "expected a v or r register, found " + found(narrow.at));
  if (narrow.index != 0)
    return fail(MessageKind::index_place, narrow.at, "expected a register without an index register, found " + found(narrow.at));
  if (!input_mask_ok(a, b, nullptr)) return false;
  std::uint32_t index = 0;
  if (!choose(straight, mask_bits(to) | source_bits(a, 0) | source_bits(b, 1), index)) return false;
  emit(index | word_of_two(inverted ? twin(straight) : straight, inverted, to.reg, a.reg, b.reg, wide.index));
  return true;
}

bool Assembler::one_source(Opcode opcode) {
  Operand to;
  Operand a;
  if (!destination(to) || !comma("a source") || !operand(a, true, "a source") || !finish_instruction()) return false;
  return emit_one(opcode, to, a);
}

bool Assembler::emit_one(Opcode opcode, const Operand& to, const Operand& a) {
  if (a.reg >= kInteger0) return fail(MessageKind::invalid_source, a.at, "expected a v, r or c register, found " + found(a.at));
  std::uint32_t index = 0;
  check_side(a, Side::input);
  if (!choose(opcode, mask_bits(to) | source_bits(a, 0), index)) return false;
  emit(index | word_of_two(opcode, false, to.reg, a.reg, 0, a.index));
  return true;
}

bool Assembler::address_move() {
  blanks();
  const char* from = at_;
  if (at_end()) return fail(MessageKind::missing_parameter, at_, "expected a0.x, a0.y or a0.xy");
  name();
  if (at_ != end_ && *at_ == '.') {
    ++at_;
    name();
  }
  const std::string_view text(from, static_cast<std::size_t>(at_ - from));
  std::uint32_t bits = 0;
  if (same(text, "a0") || same(text, "a0.x")) {
    bits = 8;
  } else if (same(text, "a1") || same(text, "a0.y")) {
    bits = 4;
  } else if (same(text, "a01") || same(text, "a0.xy")) {
    bits = 12;
  } else if (!(exact_ && same(text, "a0.none"))) {
    return fail(MessageKind::invalid_destination, from, "expected a0.x, a0.y or a0.xy, found " + found(from));
  }
  Operand a;
  if (!comma("a source") || !operand(a, true, "a source") || !finish_instruction()) return false;
  if (a.reg >= kInteger0) return fail(MessageKind::invalid_source, a.at, "expected a v, r or c register, found " + found(a.at));
  check_side(a, Side::input);
  std::uint32_t index = 0;
  // with {N} the components z and w of the mask, which mean nothing, are those of the descriptor
  if (chosen_ && *chosen_ < descriptors_.size()) bits |= descriptors_.value(*chosen_) & 3;
  if (!choose(Opcode::mova, bits | source_bits(a, 0), index)) return false;
  emit(index | word_of_two(Opcode::mova, false, 0, a.reg, 0, a.index));
  return true;
}

bool Assembler::compare() {
  Operand a;
  Operand b;
  std::uint32_t x = 0;
  std::uint32_t y = 0;
  if (!operand(a, true, "the first source") || !comma("a comparison") || !comparison(x) || !comma("a comparison") || !comparison(y) ||
      !comma("the second source") || !operand(b, false, "the second source") || !finish_instruction())
    return false;
  if (a.reg >= kInteger0) return fail(MessageKind::invalid_source, a.at, "expected a v, r or c register, found " + found(a.at));
  if (b.reg >= kFloat0) return fail(MessageKind::invalid_source, b.at, "expected a v or r register, found " + found(b.at));
  check_side(a, Side::input);
  check_side(b, Side::input);
  std::uint32_t index = 0;
  if (!choose(Opcode::cmp, source_bits(a, 0) | source_bits(b, 1), index)) return false;
  emit(index | word_of_two(Opcode::cmp, false, 0, a.reg, b.reg, a.index) | y << word::kCompareY.first | x << word::kCompareX.first);
  return true;
}

bool Assembler::three_sources(Opcode opcode) {
  Operand to;
  Operand a;
  Operand b;
  Operand c;
  if (!destination(to) || !comma("the first source") || !operand(a, false, "the first source") || !comma("the second source") ||
      !operand(b, true, "the second source") || !comma("the third source") || !operand(c, true, "the third source") ||
      !finish_instruction())
    return false;
  return emit_three(opcode, to, a, b, c);
}

bool Assembler::emit_three(Opcode opcode, const Operand& to, const Operand& a, const Operand& b, const Operand& c) {
  const bool inverted = exact_ ? opcode == Opcode::madi : b.reg < kFloat0 && (c.reg >= kFloat0 || (c.index != 0 && b.index == 0));
  const Operand& wide = inverted ? c : b;
  const Operand& narrow = inverted ? b : c;
  if (a.reg >= kFloat0) return fail(MessageKind::invalid_source, a.at, "expected a v or r register, found " + found(a.at));
  if (wide.reg >= kInteger0) return fail(MessageKind::invalid_source, wide.at, "expected a v, r or c register, found " + found(wide.at));
  if (narrow.reg >= kFloat0) return fail(MessageKind::invalid_source, narrow.at, "expected a v or r register, found " + found(narrow.at));
  if (narrow.index != 0)
    return fail(MessageKind::index_place, narrow.at, "expected a register without an index register, found " + found(narrow.at));
  if (!input_mask_ok(a, b, &c)) return false;
  std::uint32_t index = 0;
  if (!choose_short(mask_bits(to) | source_bits(a, 0) | source_bits(b, 1) | source_bits(c, 2), index)) return false;
  emit(index | word_of_three(inverted, to.reg, a.reg, b.reg, c.reg, wide.index));
  return true;
}

bool Assembler::set_emit() {
  std::uint32_t vertex = 0;
  std::uint32_t bits = 0;
  if (!number_in(vertex, 0, exact_ ? 3 : 2, "the slot of a vertex")) return false;
  skip_ignored(",");
  if (at_ != end_ && *at_ == ',') {
    ++at_;
    blanks();
    while (!at_end() && *at_ != ',') {
      const char* from = at_;
      while (!at_end() && *at_ != ',' && !is(*at_, kBlank)) ++at_;
      const std::string_view flag(from, static_cast<std::size_t>(at_ - from));
      if (same(flag, "prim") || same(flag, "primitive")) {
        bits |= 1U << 23;
      } else if (same(flag, "inv") || same(flag, "invert")) {
        bits |= 1U << 22;
      } else {
        warn(MessageKind::unknown_emit_flag, from, "expected prim or inv, found " + found(from));
      }
      blanks();
    }
  }
  if (!no_more()) return false;
  Unit& here = unit();
  if (!here.geometry && !exact_) {
    here.geometry = true;
    memory_.forget();
    here.executable.stage = Stage::geometry;
  }
  emit(opcode_bits(Opcode::setemit) | bits | vertex << 24);
  return true;
}

// calls, jumps, blocks: what the letters of the row's shape ask for, in their order
bool Assembler::flow(const OpcodeInfo& row) {
  const char* from = at_;
  std::uint32_t bits = 0;
  std::string_view name;
  bool pending = false;  // an address comes later
  bool first = true;
  for (const char letter : row.shape) {
    if (!first && !comma(letter == 'p' ? "a procedure" : "a label")) return false;
    first = false;
    blanks();
    std::uint32_t value = 0;
    switch (letter) {
      case 'c':
        if (!condition(value)) return false;
        bits |= value;
        break;
      case 'b':
      case 'n':
        if (at_ != end_ && *at_ == '!') {
          if (letter == 'b')
            return fail(MessageKind::inversion, at_, "expected a b register: " + std::string(row.text) + " cannot test for false");
          bits |= 1;
          ++at_;
        }
        if (!boolean(value)) return false;
        bits |= value << 22;
        break;
      case 'i': {
        Operand reg;
        if (!bare_register(reg, "an i register")) return false;
        if (reg.reg < kInteger0 || reg.reg >= kBool0)
          return fail(MessageKind::invalid_uniform, reg.at, "expected an i register, found " + found(reg.at));
        if (reg.reg >= kInteger0 + kIntConstants && !exact_)
          warn(MessageKind::no_such_loop_uniform, reg.at, "expected i0 to i3, found " + found(reg.at));
        bits |= (reg.reg - kInteger0) << 22;
        break;
      }
      default:
        if (!target(value, name, letter == 'p' ? "a procedure" : "a label")) return false;
        bits |= value;
        pending = !name.empty();
    }
  }
  bool opens = row.opens_block();
  blanks();
  if (opens && at_ != end_ && *at_ == ',') {
    const char* behind = at_++;
    blanks();
    if (at_ != end_ && *at_ == '@') {
      std::uint32_t value = 0;
      if (!target(value, name, "an address")) return false;
      bits |= value;
      opens = false;
    } else {
      at_ = behind;
    }
  }
  if (!no_more()) return false;
  if (pending) {
    const Fixup fixup{static_cast<std::uint32_t>(code_.size()), file_, line_, column(name.data()), name};
    (row.flow == Flow::call ? calls_ : jumps_).push_back(fixup);
  }
  if (opens && !open(row.flow == Flow::loop ? Block::Kind::loop : Block::Kind::branch, from, {})) return false;
  emit(opcode_bits(row.opcode) | bits);
  return true;
}

bool Assembler::open(Block::Kind kind, const char* where, std::string_view name) {
  if (blocks_.size() >= kMostBlocks)
    return fail(MessageKind::nesting, where, "expected no more than " + std::to_string(kMostBlocks) + " nested blocks");
  blocks_.push_back({kind, static_cast<std::uint32_t>(code_.size()), 0, name, line_, column(where)});
  return true;
}

void Assembler::padding_nop() {
  if (exact_) return;
  if (options_.padding_nops) {
    emit(opcode_bits(Opcode::nop));
  } else {
    warn(MessageKind::padding_nop, line_start_, "expected a NOP before the end of the block");
  }
}

// What a block must not end with gets a NOP after it: the end of another block, a jump, a call; and what has no words gets one.
void Assembler::end_of_block(Block::Kind kind, std::uint32_t start) {
  if (just_closed_) {
    padding_nop();
    just_closed_ = false;
    return;
  }
  if (code_.empty()) return;  // an empty procedure before all code stays empty. observed: picasso 2.7.2
  const Flow last = info(decode(code_.back()).opcode).flow;
  const std::size_t words = code_.size() - start;
  if (last == Flow::jump || last == Flow::call || (kind == Block::Kind::loop && last == Flow::leave) ||
      words < (kind == Block::Kind::procedure ? 1U : 2U))
    padding_nop();
}

}  // namespace unshade::pica::assembler

#include "dxbc/listing/listing.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <string>

#include "core/characters.hpp"
#include "dxbc/listing/fxc_style.hpp"
#include "dxbc/listing/number_text.hpp"
#include "dxbc/listing/words.hpp"
#include "dxbc/program/enum_text.hpp"
#include "dxbc/program/extension.hpp"
#include "dxbc/program/operand_table.hpp"
#include "dxbc/program/token.hpp"

namespace unshade::dxbc {

namespace {

// --- lookup texts ------------------------------------------------------------------------------------------------------------------

constexpr bool has_range(OperandType type) {
  return type == OperandType::constant_buffer || type == OperandType::resource || type == OperandType::sampler || type == OperandType::uav;
}

// Eight bytes, so that a copy is one move; the last is the length.
struct ShortText {
  char text[7];
  std::uint8_t size;
};

// Lanes by the low twelve bits of an operand token: component count, selection, and mask, swizzle or component.
constexpr std::uint32_t kLaneKeyBits = (1U << (token::kSwizzleLanes.first + token::kSwizzleLanes.count)) - 1;
struct LaneTexts {
  ShortText text[kLaneKeyBits + 1];
};
constexpr LaneTexts make_lanes() {
  LaneTexts lanes{};
  for (std::uint32_t key = 0; key <= kLaneKeyBits; ++key) {
    if (token::kComponents.get(key) != 2) continue;
    ShortText& text = lanes.text[key];
    const std::uint32_t bits = token::kSwizzleLanes.get(key);
    switch (static_cast<Selection>(token::kSelection.get(key))) {
      case Selection::mask:
        for (unsigned c = 0; c < 4; ++c) {
          if ((bits >> c & 1) == 0) continue;
          if (text.size == 0) text.text[text.size++] = '.';
          text.text[text.size++] = "xyzw"[c];
        }
        break;
      case Selection::swizzle:
        text.text[text.size++] = '.';
        for (unsigned c = 0; c < 4; ++c) text.text[text.size++] = "xyzw"[(bits >> (2 * c)) & 3];
        break;
      case Selection::select1:
        text.text[text.size++] = '.';
        text.text[text.size++] = "xyzw"[bits & 3];
        break;
      case Selection::reserved: break;
    }
  }
  return lanes;
}
constexpr LaneTexts kLanes = make_lanes();

// The key of a decoded operand.
constexpr std::uint32_t lane_key(Selection selection, std::uint32_t lanes) {
  return token::kSwizzleLanes.put(token::kSelection.put(token::kComponents.put(0, 2), static_cast<std::uint32_t>(selection)), lanes);
}

// Mnemonics with room behind them, for copies of a fixed size. Declarations are longer and printed on their own.
struct Mnemonic {
  static constexpr std::size_t kRoom = 32;
  char text[kRoom];
  std::uint8_t size;
};
constexpr std::size_t kOpcodeCount = 0
#define DXBC_OP(code, id, text, shape, control, since, counted, sem) +1
#include <unshade/dxbc/opcodes.def>
#undef DXBC_OP
    ;
constexpr std::array<Mnemonic, kOpcodeCount> make_mnemonics() {
  std::array<Mnemonic, kOpcodeCount> mnemonics{};
  constexpr std::string_view kTexts[] = {
#define DXBC_OP(code, id, text, shape, control, since, counted, sem) text,
#include <unshade/dxbc/opcodes.def>
#undef DXBC_OP
  };
  for (std::size_t i = 0; i < kOpcodeCount; ++i) {
    if (kTexts[i].size() > Mnemonic::kRoom) continue;
    for (std::size_t c = 0; c < kTexts[i].size(); ++c) mnemonics[i].text[c] = kTexts[i][c];
    mnemonics[i].size = static_cast<std::uint8_t>(kTexts[i].size());
  }
  return mnemonics;
}
constexpr std::array<Mnemonic, kOpcodeCount> kMnemonics = make_mnemonics();

// Registers that print as letters, a number, and what other indexes they have in brackets; size 0 for the others. In shader model 5.1 those
// that stand for ranges have capital letters.
constexpr std::array<ShortText, 256> make_plain_registers(bool is_5_1) {
  std::array<ShortText, 256> names{};
  for (const OperandType type :
       {OperandType::temp, OperandType::input, OperandType::output, OperandType::indexable_temp, OperandType::sampler,
        OperandType::resource, OperandType::constant_buffer, OperandType::uav, OperandType::thread_group_shared_memory}) {
    ShortText& name = names[static_cast<std::size_t>(type)];
    for (const char c : operand_text(type)) name.text[name.size++] = is_5_1 && has_range(type) ? upper(c) : c;
  }
  return names;
}
constexpr std::array<ShortText, 256> kPlainRegisters[2] = {make_plain_registers(false), make_plain_registers(true)};

// Decimal numbers up to 999 with their length last.
struct SmallNumber {
  char text[3];
  std::uint8_t size;
};
constexpr std::array<SmallNumber, 1000> make_small_numbers() {
  std::array<SmallNumber, 1000> numbers{};
  for (unsigned i = 0; i < 1000; ++i) {
    SmallNumber& number = numbers[i];
    if (i >= 100) number.text[number.size++] = static_cast<char>('0' + i / 100);
    if (i >= 10) number.text[number.size++] = static_cast<char>('0' + i / 10 % 10);
    number.text[number.size++] = static_cast<char>('0' + i % 10);
  }
  return numbers;
}
constexpr std::array<SmallNumber, 1000> kSmallNumbers = make_small_numbers();

char* write_number(char* at, std::uint32_t value) {
  if (value >= kSmallNumbers.size()) return write_decimal(at, value);
  std::memcpy(at, &kSmallNumbers[value], sizeof(SmallNumber));
  return at + kSmallNumbers[value].size;
}

// What plain_line and the indentation need of an opcode. The last entry is that of opcodes in no table.
struct PlainOpcode {
  bool is_plain = false;  // only operands follow, and of the controls only saturate and test change the text
  std::uint8_t tests = 0;
  std::uint8_t saturates = 0;
  std::uint8_t operands = 0;
  std::array<char, 8> kinds{};
  std::uint8_t opens = 0;
  std::uint8_t closes = 0;
};
constexpr std::array<PlainOpcode, kOpcodeCount + 1> make_plain_opcodes() {
  std::array<PlainOpcode, kOpcodeCount + 1> plain{};
  constexpr OpcodeInfo kRows[] = {
#define DXBC_OP(code, id, text, shape, control, since, counted, sem) \
  {text, shape, Control::control, ShaderModel::since, Counted::counted, #sem},
#include <unshade/dxbc/opcodes.def>
#undef DXBC_OP
  };
  for (std::size_t i = 0; i < kOpcodeCount; ++i) {
    const OpcodeInfo& row = kRows[i];
    // dcl_input and dcl_output are printed as any operand is; of the other declarations none is
    const bool is_plain_declaration = row.shape == "o" && row.control == Control::none;
    plain[i].is_plain = row.only_operands && (row.counted != Counted::dcl || is_plain_declaration) && row.shape.size() <= 8 &&
                        row.control != Control::return_type && row.control != Control::sync;
    plain[i].tests = row.control == Control::test ? 1 : 0;
    plain[i].saturates = row.control == Control::sat ? 1 : 0;
    plain[i].operands = row.operand_count;
    for (std::size_t c = 0; c < row.shape.size() && c < 8; ++c) plain[i].kinds[c] = row.shape[c];
  }
  for (const Opcode opcode : {Opcode::if_, Opcode::else_, Opcode::loop, Opcode::switch_}) plain[static_cast<std::size_t>(opcode)].opens = 1;
  for (const Opcode opcode : {Opcode::endif, Opcode::else_, Opcode::endloop, Opcode::endswitch})
    plain[static_cast<std::size_t>(opcode)].closes = 1;
  return plain;
}
constexpr std::array<PlainOpcode, kOpcodeCount + 1> kPlainOpcodes = make_plain_opcodes();

// Bits of an opcode token that add to the mnemonic: an extension, or values marked precise.
constexpr std::uint32_t kHasSuffix = token::kExtended.put(token::kPrecise.put(0, ~0U), 1);

// An operand token without extension and with one immediate index.
constexpr std::uint32_t kOneImmediateIndexMask =
    token::kExtended.put(token::kIndexRepresentation[2].put(
                             token::kIndexRepresentation[1].put(token::kIndexRepresentation[0].put(token::kDimensions.put(0, 3), 7), 7), 7),
                         1);
constexpr std::uint32_t kOneImmediateIndex = token::kDimensions.put(0, 1);
constexpr std::uint32_t kIndexedOrExtended = kOneImmediateIndexMask;

// Operands that print their first index in brackets: icb[0], this[0], and of two indexes v[0][1].
bool brackets_first(const Operand& operand) {
  switch (operand.type) {
    case OperandType::immediate_constant_buffer:
    case OperandType::this_pointer: return true;
    case OperandType::input:
    case OperandType::input_control_point:
    case OperandType::output_control_point: return operand.dimensions > 1;
    default: return false;
  }
}

// Most characters a line takes for each token of its instruction (a double is two tokens and 320 digits at most), and at all.
constexpr std::size_t kRoomPerToken = 192;
constexpr std::size_t kRoomPerLine = 1024;

class Lister {
 public:
  Lister(const Program& program, Text& out, const ProgramListingOptions& options, StatementCheck* check)
      : program_(program),
        out_(out),
        options_(options),
        is_5_1_(program.is_5_1()),
        style_(fxc_style(options.fxc)),
        float_style_{style_.ties_to_even, style_.upper_buffers, style_.all_digits},
        plain_registers_(kPlainRegisters[is_5_1_ ? 1 : 0]),
        check_(check) {}

  void profile() {
    const std::uint32_t version = program_.tokens.u32(0).value_or(0);
    if (options_.exact_floats && !token::is_plain_version(version)) {
      out_ << words::kVersion << " 0x";
      out_.hex(version, 8) << "  // ";
    }
    out_ << profile_prefix(program_.stage) << '_';
    out_.dec(program_.major) << '_';
    out_.dec(program_.minor) << '\n';
  }

  // One instruction, with indentation and line end.
  void line(Instruction& instruction) {
    const Opcode opcode = instruction.opcode();
    const PlainOpcode& flow = kPlainOpcodes[std::min<std::size_t>(instruction.code, kOpcodeCount)];
    depth_ -= flow.closes && depth_ != 0;
    const bool has_source = options_.debug != nullptr && instruction.info != nullptr && instruction.info->counted != Counted::dcl &&
                            opcode != Opcode::customdata;
    if (has_source) options_.debug->before(out_, 4 * instruction.first_token);
    if (options_.offsets) print_offset(instruction);
    if (options_.bytes) print_bytes(instruction);
    char* at = out_.grow(2 * std::size_t{kDeepest} + kRoomPerToken * instruction.length_tokens + kRoomPerLine);
    char* const text = indentation(at, depth_);
    at = body(text, instruction);
    if (check_ != nullptr && !check_->gives(is_5_1_, {text, static_cast<std::size_t>(at - text)}, instruction.bytes))
      at = tokens(text, at, instruction);
    if (has_source) {
      out_.commit(at);
      options_.debug->after(out_, 4 * instruction.first_token, 4 * instruction.length_tokens);
      out_ << '\n';
    } else {
      *at++ = '\n';
      out_.commit(at);
    }
    depth_ += flow.opens && depth_ < kDeepest;
  }

  // The next instruction straight from its tokens, if it is of the common kind: operands that are literals or registers with indexes that
  // are immediate or read one register. False, with nothing printed, where it is not; then line() prints it. A test holds the two to the
  // same text.
  bool plain_line(Decoder& decoder, Instruction& scratch) {
    const View tokens = decoder.tokens();
    const std::size_t offset = std::size_t{4} * decoder.position();
    const auto word = tokens.load_unchecked<std::uint32_t>(offset);
    const std::uint32_t code = token::kOpcode.get(word);
    const std::uint32_t length = token::kLength.get(word);
    // Operands are read eight tokens at a time.
    if (code >= kOpcodeCount || length == 0 || !tokens.holds(offset, std::size_t{4} * (length + 8))) return false;
    const PlainOpcode& plain = kPlainOpcodes[code];
    if (!plain.is_plain) return false;

    const unsigned depth = depth_ - (plain.closes != 0 && depth_ != 0 ? 1 : 0);
    char* at = out_.grow(2 * std::size_t{kDeepest} + kRoomPerToken * length + kRoomPerLine);
    at = indentation(at, depth);
    const std::byte* from = tokens.data() + offset + 4;
    std::uint32_t left = length - 1;
    if ((word & kHasSuffix) == 0) {
      std::memcpy(at, kMnemonics[code].text, Mnemonic::kRoom);
      at += kMnemonics[code].size;
      std::memcpy(at, words::kSaturate.data(), words::kSaturate.size());
      at += words::kSaturate.size() * (token::kSaturate.get(word) & plain.saturates);
      if (plain.tests != 0) at = put(at, token::kNonZero.get(word) != 0 ? words::kNonZero : words::kZero);
    } else {
      scratch.token = word;
      scratch.code = code;
      scratch.info = find_opcode(code);
      clear_extensions(scratch);
      for (bool extended = token::kExtended.get(word) != 0; extended;) {
        if (left == 0) return false;
        std::uint32_t extension = 0;
        std::memcpy(&extension, from, sizeof extension);
        from += 4;
        --left;
        decode_extension(scratch, extension);
        extended = token::kExtended.get(extension) != 0;
      }
      at = mnemonic(at, scratch);
    }
    *at++ = ' ';
    for (unsigned i = 0; i < plain.operands; ++i) {
      if (i != 0) {
        std::memcpy(at, ", ", 2);
        at += 2;
      }
      at = plain_operand(at, from, left, plain.kinds[i]);
      if (at == nullptr) return false;
    }
    *at++ = '\n';
    out_.commit(at);
    depth_ = depth + (plain.opens != 0 && depth < kDeepest ? 1 : 0);
    decoder.skip(length);
    return true;
  }
  /// Whether plain_line may be used at all.
  bool allows_plain() const {
    return options_.debug == nullptr && !options_.offsets && !options_.bytes && !options_.exact_floats && !style_.short_offsets &&
           std::endian::native == std::endian::little;
  }

  void only_body(Instruction& instruction) {
    out_.commit(body(out_.grow(kRoomPerToken * instruction.length_tokens + kRoomPerLine), instruction));
  }

 private:
  static constexpr unsigned kDeepest = 64;  // src: the deepest nesting of flow control that shader models allow

  // Instructions of one token, all of them deep inside, would take 33 times their bytes: what is deeper than kShallow has a bound. Real
  // programs do not reach it: theirs are three tokens and more.
  static constexpr unsigned kShallow = 16;
  static constexpr std::size_t kDeepPerByte = 8;

  char* indentation(char* at, unsigned depth) {
    if (depth > kShallow) {
      if (deep_left_ < 2 * std::size_t{depth}) {
        depth = kShallow;
      } else {
        deep_left_ -= 2 * std::size_t{depth};
      }
    }
    const std::size_t indent = 2 * std::size_t{depth};
    for (std::size_t i = 0; i < indent; i += 8) std::memcpy(at + i, "        ", 8);
    return at + indent;
  }

  // An operand at `from`, of which `left` tokens remain; null where it is not plain.
  char* plain_operand(char* at, const std::byte*& from, std::uint32_t& left, char kind) {
    std::array<std::uint32_t, 8> tokens;
    std::memcpy(tokens.data(), from, sizeof tokens);
    const std::uint32_t word = tokens[0];
    const ShortText& name = plain_registers_[token::kOperandType.get(word)];
    unsigned used = 2;
    if (name.size != 0 && (word & kOneImmediateIndexMask) == kOneImmediateIndex) {  // r1.xyz: most operands
      std::memcpy(at, &name, sizeof name);
      at = write_number(at + name.size, tokens[1]);
      const ShortText& lanes = kLanes.text[word & kLaneKeyBits];
      std::memcpy(at, &lanes, sizeof lanes);
      at += lanes.size;
    } else if (name.size != 0) {
      at = plain_indexed(at, tokens, used, name);
    } else if (token::kOperandType.get(word) == static_cast<std::uint32_t>(OperandType::immediate32) && (word & kIndexedOrExtended) == 0) {
      const unsigned components = token::kComponents.get(word);
      const unsigned count = components == 2 ? 4 : components;
      if (components == 3) return nullptr;
      std::memcpy(at, "l(", 2);
      at += 2;
      for (unsigned i = 0; i < count; ++i) {
        if (i != 0) {
          std::memcpy(at, ", ", 2);
          at += kind == 'm' ? 1 : 2;
        }
        at = literal(at, tokens[1 + i], kind);
      }
      *at++ = ')';
      used = 1 + count;
    } else {
      return nullptr;
    }
    if (used > left) return nullptr;
    from += std::size_t{4} * used;
    left -= used;
    return at;
  }

  // A register with a modifier, further indexes, or one that reads a register: -cb0[r1.x + 4].xyz. Null where there is more to it.
  char* plain_indexed(char* at, const std::array<std::uint32_t, 8>& tokens, unsigned& used, const ShortText& name) {
    const std::uint32_t word = tokens[0];
    const unsigned dimensions = token::kDimensions.get(word);
    if (dimensions == 0) return nullptr;
    // v[0][1] begins with a bracket
    if (dimensions > 1 && token::kOperandType.get(word) == static_cast<std::uint32_t>(OperandType::input)) return nullptr;
    used = 1;
    unsigned modifier = 0;
    if (token::kExtended.get(word) != 0) {
      constexpr std::uint32_t kOnlyModifier = token::kModifier.put(token::kExtendedType.put(0, ~0U), 3);
      const std::uint32_t extension = tokens[used++];
      if ((extension & ~kOnlyModifier) != 0 || token::kExtendedType.get(extension) != token::kExtendedOperandModifier) return nullptr;
      modifier = token::kModifier.get(extension);
    }
    *at = '-';
    at += modifier & 1U;
    *at = '|';
    at += modifier >> 1;
    std::memcpy(at, &name, sizeof name);
    at += name.size;
    for (unsigned i = 0; i < dimensions; ++i) {
      const std::uint32_t representation = token::kIndexRepresentation[i].get(word);
      const bool bracket = i != 0 || representation != token::kImmediate32;
      if (bracket) *at++ = '[';
      std::uint32_t immediate = 0;
      if (used >= tokens.size()) return nullptr;
      if (representation != token::kRelative) immediate = tokens[used++];
      if (representation != token::kImmediate32) {
        // r1.x behind the immediate; both lie within the eight tokens
        if (representation > token::kImmediate32PlusRelative || representation == token::kImmediate64 || used > 6) return nullptr;
        const std::uint32_t inner = tokens[used];
        const ShortText& inner_name = plain_registers_[token::kOperandType.get(inner)];
        if (inner_name.size == 0 || (inner & kOneImmediateIndexMask) != kOneImmediateIndex) return nullptr;
        std::memcpy(at, &inner_name, sizeof inner_name);
        at = write_number(at + inner_name.size, tokens[used + 1]);
        const ShortText& lanes = kLanes.text[inner & kLaneKeyBits];
        std::memcpy(at, &lanes, sizeof lanes);
        at += lanes.size;
        std::memcpy(at, " + ", 4);
        at += 3;
        used += 2;
      }
      at = write_number(at, immediate);
      if (bracket) *at++ = ']';
    }
    const ShortText& lanes = kLanes.text[word & kLaneKeyBits];
    std::memcpy(at, &lanes, sizeof lanes);
    at += lanes.size;
    *at = '|';
    return at + (modifier >> 1);
  }

  void print_offset(const Instruction& instruction) {
    out_ << "0x";
    out_.hex(instruction.bytes.file_offset(), 6) << "  ";
  }
  void print_bytes(const Instruction& instruction) {
    const std::size_t shown = std::min<std::size_t>(instruction.length_tokens, 4);
    for (std::size_t i = 0; i < shown; ++i) out_.hex(instruction.bytes.load_unchecked<std::uint32_t>(4 * i), 8) << ' ';
    out_.repeat(' ', (4 - shown) * 9) << (instruction.length_tokens > shown ? "... " : "    ");
  }

  static char* put(char* at, std::string_view text) {
    std::memcpy(at, text.data(), text.size());
    return at + text.size();
  }
  static char* put_named(char* at, std::uint32_t value, const NameTable& names) {
    const auto name = names.find(value);
    if (!name.empty()) return put(at, name);
    at = put(at, words::kUnknown);
    at = write_decimal(at, value);
    *at++ = ')';
    return at;
  }

  // --- operands --------------------------------------------------------------------------------------------------------------------

  char* put_literal_float(char* at, std::uint32_t bits) {
    return options_.exact_floats ? write_exact_float(at, bits) : write_float(at, bits, float_style_);
  }

  // A literal component in an operand of this letter of the shape.
  char* literal(char* at, std::uint32_t bits, char kind) {
    if (kind == 'f') {
      if (bits == 0 && !options_.exact_floats) {
        std::memcpy(at, "0.000000", 8);
        return at + 8;
      }
      return put_literal_float(at, bits);
    }
    if (bits < kSmallNumbers.size()) return write_number(at, bits);  // as an integer and as what has no type
    if (kind == 'm') return options_.exact_floats ? write_exact_untyped(at, bits) : write_untyped(at, bits, float_style_);
    return write_integer(at, bits);
  }

  char* literals(char* at, const Operand& operand, char kind) {
    if (operand.type == OperandType::immediate64) {
      at = put(at, "d(");
      const unsigned count = operand.components == 4 ? 2 : 1;
      for (unsigned i = 0; i < count; ++i) {
        if (i != 0) at = put(at, ", ");
        const std::uint64_t bits = operand.literal[2 * i] | std::uint64_t{operand.literal[2 * i + 1]} << 32;
        at = options_.exact_floats ? write_exact_double(at, bits) : write_double(at, bits, float_style_);
      }
      *at++ = ')';
      return at;
    }
    *at++ = 'l';
    *at++ = '(';
    const unsigned count = operand.components;
    for (unsigned i = 0; i < count; ++i) {
      if (i != 0) {
        *at++ = ',';
        if (kind != 'm') *at++ = ' ';
      }
      at = literal(at, operand.literal[i], kind);
    }
    *at++ = ')';
    return at;
  }

  char* index(char* at, const Instruction& instruction, const Operand& operand, unsigned i) {
    if (operand.relative[i] == kNoOperand) return write_decimal(at, operand.index[i]);
    at = this->operand(at, instruction, instruction.operands[operand.relative[i]], 'i');
    at = put(at, " + ");
    return write_decimal(at, operand.index[i]);
  }

  char* register_name(char* at, const Instruction& instruction, const Operand& operand, bool declaration) {
    const ShortText& plain = plain_registers_[static_cast<std::size_t>(operand.type)];
    const bool in_capitals = declaration && style_.upper_buffers && operand.type == OperandType::constant_buffer;
    const OperandInfo* info = nullptr;
    if (plain.size != 0 && !in_capitals) {
      std::memcpy(at, &plain, sizeof plain);
      at += plain.size;
    } else if (info = find_operand(operand.type); info == nullptr) {
      at = put(at, words::kUnknownOperand);
      at = write_decimal(at, static_cast<std::uint32_t>(operand.type));
    } else if (in_capitals || (is_5_1_ && has_range(operand.type))) {
      for (const char c : info->text) *at++ = upper(c);
    } else {
      at = put(at, info->text);
    }
    unsigned i = 0;
    if (operand.dimensions != 0 && operand.relative[0] == kNoOperand && !brackets_first(operand)) {
      at = write_number(at, operand.index[0]);
      i = 1;
    }
    for (; i < operand.dimensions; ++i) {
      *at++ = '[';
      at = index(at, instruction, operand, i);
      *at++ = ']';
    }
    return at;
  }

  static char* lanes(char* at, const Operand& operand) {
    if (operand.components != 4) return at;
    const ShortText& text = kLanes.text[lane_key(operand.selection, operand.lanes)];
    std::memcpy(at, &text, sizeof text);
    return at + text.size;
  }

  char* operand(char* at, const Instruction& instruction, const Operand& operand, char kind) {
    const auto modifier = static_cast<unsigned>(operand.modifier);
    if ((modifier & 1) != 0) *at++ = '-';
    if ((modifier & 2) != 0) *at++ = '|';
    if (operand.type == OperandType::immediate32 || operand.type == OperandType::immediate64) {
      at = literals(at, operand, kind);
    } else {
      at = lanes(register_name(at, instruction, operand, false), operand);
    }
    if ((modifier & 2) != 0) *at++ = '|';
    if (operand.non_uniform) {
      *at++ = ' ';
      at = put(at, words::kNonUniform);  // guess: no listing seen has one
    }
    return at;
  }

  // Whether a source is converted to the destination's precision. Where the types differ anyway (conversions, comparisons, addresses of
  // textures and memory, conditions) it is not, and only its own precision is printed.
  static bool takes_precision(const OpcodeInfo& info, unsigned operand) {
    switch (info.counted) {
      case Counted::mov: return true;
      case Counted::movc: return operand != 1;
      case Counted::flt:
      case Counted::sint:
      case Counted::uint: return info.shape.front() == 'd' && !is_comparison(info.sem);
      default: return false;
    }
  }
  static bool is_comparison(std::string_view sem) {
    return sem.ends_with("eq") || sem.ends_with("ne") || sem.ends_with("lt") || sem.ends_with("ge");
  }

  // ` {min16f}`; for a source that is used in another precision ` {min16f as def32}`.
  static char* precision(char* at, std::uint32_t own, std::uint32_t used) {
    if (own == 0 && used == 0) return at;
    at = put(at, " {");
    at = put_named(at, own, kMinPrecisionNames);
    if (own != used) {
      at = put(at, words::kAs);
      at = put_named(at, used, kMinPrecisionNames);
    }
    *at++ = '}';
    return at;
  }

  // --- declarations ----------------------------------------------------------------------------------------------------------------

  static char* return_types(char* at, std::uint32_t types) {
    *at++ = '(';
    for (unsigned i = 0; i < 4; ++i) {
      if (i != 0) *at++ = ',';
      at = put_named(at, (types >> (4 * i)) & 15U, kReturnTypeNames);
    }
    *at++ = ')';
    return at;
  }

  // The register of a declaration; in shader model 5.1 with the bounds of its range: T0[2:5].
  char* declared(char* at, const Instruction& instruction, const Operand& operand) {
    if (!(is_5_1_ && has_range(operand.type) && operand.dimensions == 3)) {
      at = register_name(at, instruction, operand, true);
      return operand.type == OperandType::constant_buffer ? at : lanes(at, operand);
    }
    Operand name = operand;
    name.dimensions = 1;
    at = register_name(at, instruction, name, true);
    *at++ = '[';
    at = write_decimal(at, operand.index[1]);
    *at++ = ':';
    if (operand.index[2] == 0xffff'ffffU) {
      *at++ = '*';
    } else {
      at = write_decimal(at, operand.index[2]);
    }
    *at++ = ']';
    return at;
  }

  char* space(char* at, const Instruction& instruction) {
    if (!is_5_1_ || instruction.word_count == 0) return at;
    at = put(at, ", ");
    at = put(at, words::kSpace);
    return write_decimal(at, instruction.words[instruction.word_count - 1U]);
  }

  char* declaration(char* at, const Instruction& instruction) {
    const std::uint32_t word = instruction.token;
    const Operand& first = instruction.operands[0];
    const auto blank = [&] { *at++ = ' '; };
    const auto comma = [&] { at = put(at, ", "); };
    const auto number = [&](std::uint32_t value) { at = write_decimal(at, value); };
    switch (instruction.opcode()) {
      case Opcode::dcl_resource: {
        at = put(at, instruction.info->text);
        *at++ = '_';
        const std::uint32_t dimension = token::kDimension.get(word);
        at = put_named(at, dimension, kResourceDimensionNames);
        if (dimension == 4 || dimension == 9) {
          *at++ = '(';
          number(token::kSampleCount.get(word));
          *at++ = ')';
        }
        blank();
        at = return_types(at, instruction.words[0]);
        blank();
        at = declared(at, instruction, first);
        return space(at, instruction);
      }
      case Opcode::dcl_uav_typed:
        at = put(at, instruction.info->text);
        *at++ = '_';
        at = put_named(at, token::kDimension.get(word), kResourceDimensionNames);
        at = uav_suffix(at, word);
        blank();
        at = return_types(at, instruction.words[0]);
        blank();
        at = declared(at, instruction, first);
        return space(at, instruction);
      case Opcode::dcl_uav_raw:
        at = put(at, instruction.info->text);
        at = uav_suffix(at, word);
        blank();
        at = declared(at, instruction, first);
        return space(at, instruction);
      case Opcode::dcl_uav_structured:
        at = put(at, instruction.info->text);
        at = uav_suffix(at, word);
        blank();
        at = declared(at, instruction, first);
        comma();
        number(instruction.words[0]);
        return space(at, instruction);
      case Opcode::dcl_resource_structured:
        at = put(at, instruction.info->text);
        blank();
        at = declared(at, instruction, first);
        comma();
        number(instruction.words[0]);
        if (is_5_1_) return space(at, instruction);
        if (style_.structured_blank) blank();
        return at;
      case Opcode::dcl_constantbuffer:
        at = put(at, instruction.info->text);
        blank();
        at = declared(at, instruction, first);
        if (is_5_1_) {
          *at++ = '[';
          number(instruction.words[0]);
          *at++ = ']';
        }
        at = put(at, ", ");
        at = put(at, token::kDynamicIndexed.get(word) != 0 ? words::kDynamicIndexed : words::kImmediateIndexed);
        return space(at, instruction);
      case Opcode::dcl_sampler:
        at = put(at, instruction.info->text);
        blank();
        at = declared(at, instruction, first);
        comma();
        at = put_named(at, token::kSamplerMode.get(word), kSamplerModeNames);
        return space(at, instruction);
      case Opcode::dcl_indexrange:
        at = put(at, instruction.info->text);
        blank();
        at = declared(at, instruction, first);
        blank();
        number(instruction.words[0]);
        return at;
      case Opcode::dcl_outputtopology:
        at = put(at, instruction.info->text);
        blank();
        at = put_named(at, token::kTopology.get(word), kTopologyNames);
        blank();
        return at;
      case Opcode::dcl_inputprimitive:
        at = put(at, instruction.info->text);
        blank();
        at = put_named(at, token::kPrimitive.get(word), kPrimitiveNames);
        blank();
        return at;
      case Opcode::dcl_input_ps:
      case Opcode::dcl_input_ps_sgv:
      case Opcode::dcl_input_ps_siv:
        at = put(at, instruction.info->text);
        if (const std::uint32_t mode = token::kInterpolation.get(word);
            mode != 0 && (style_.upper_buffers || options_.exact_floats || instruction.opcode() != Opcode::dcl_input_ps_sgv)) {
          blank();
          at = put_named(at, mode, kInterpolationNames);
        }
        return declared_with_name(at, instruction);
      case Opcode::dcl_input:
      case Opcode::dcl_input_sgv:
      case Opcode::dcl_input_siv:
      case Opcode::dcl_output:
      case Opcode::dcl_output_sgv:
      case Opcode::dcl_output_siv: at = put(at, instruction.info->text); return declared_with_name(at, instruction);
      case Opcode::dcl_indexableTemp:
        at = put(at, instruction.info->text);
        at = put(at, " x");
        number(instruction.words[0]);
        *at++ = '[';
        number(instruction.words[1]);
        at = put(at, "], ");
        number(instruction.words[2]);
        return at;
      case Opcode::dcl_globalFlags: {
        at = put(at, instruction.info->text);
        std::uint32_t flags = token::kGlobalFlags.get(word);
        bool is_first = true;
        for (const auto& flag : kGlobalFlags) {
          if ((flags & flag.value) == 0) continue;
          at = put(at, is_first ? " " : " | ");
          at = put(at, flag.id);
          is_first = false;
          flags &= ~flag.value;
        }
        if (flags != 0) {
          at = put(at, is_first ? " " : " | ");
          at = put(at, words::kUnknown);
          number(flags);
          *at++ = ')';
        }
        return at;
      }
      case Opcode::dcl_function_body:
        at = put(at, instruction.info->text);
        at = put(at, " fb");
        number(instruction.words[0]);
        return at;
      case Opcode::dcl_function_table:
        at = put(at, instruction.info->text);
        at = put(at, " ft");
        number(instruction.words[0]);
        return numbers(at, instruction.data, "fb");
      case Opcode::dcl_interface:
        at = put(at, instruction.info->text);
        if (token::kDynamicIndexed.get(word) != 0) at = put(at, words::kDynamic);
        at = put(at, " fp");
        number(instruction.words[0]);
        *at++ = '[';
        number(instruction.words[2] >> 16);
        at = put(at, "][");
        number(instruction.words[1]);
        *at++ = ']';
        return numbers(at, instruction.data, "ft");
      case Opcode::dcl_input_control_point_count:
      case Opcode::dcl_output_control_point_count:
        at = put(at, instruction.info->text);
        blank();
        number(token::kControlPoints.get(word));
        return at;
      case Opcode::dcl_tessellator_domain:
        at = put(at, instruction.info->text);
        blank();
        return put_named(at, token::kDomain.get(word), kDomainNames);
      case Opcode::dcl_tessellator_partitioning:
        at = put(at, instruction.info->text);
        blank();
        return put_named(at, token::kPartitioning.get(word), kPartitioningNames);
      case Opcode::dcl_tessellator_output_primitive:
        at = put(at, instruction.info->text);
        blank();
        return put_named(at, token::kTessOutput.get(word), kTessOutputNames);
      case Opcode::dcl_hs_max_tessfactor:
        at = put(at, instruction.info->text);
        at = put(at, " l(");
        at = put_literal_float(at, instruction.words[0]);
        *at++ = ')';
        return at;
      default:  // a register, then numbers
        at = put(at, instruction.info->text);
        blank();
        if (instruction.operand_count != 0) at = declared(at, instruction, first);
        for (unsigned i = 0; i < instruction.word_count; ++i) {
          if (is_5_1_ && i + 1U == instruction.word_count && instruction.info->shape.back() == 'S') return space(at, instruction);
          if (i != 0 || instruction.operand_count != 0) comma();
          number(instruction.words[i]);
        }
        return at;
    }
  }

  static char* uav_suffix(char* at, std::uint32_t word) {
    for (const auto& suffix : words::kUavSuffixes)
      if (suffix.bit.get(word) != 0) at = put(at, suffix.text);
    return at;
  }

  char* declared_with_name(char* at, const Instruction& instruction) {
    const Operand& first = instruction.operands[0];
    *at++ = ' ';
    at = declared(at, instruction, first);
    at = precision(at, first.min_precision, first.min_precision);
    if (instruction.word_count != 0) {
      at = put(at, ", ");
      at = put_named(at, token::kName.get(instruction.words[0]), kNameNames);
    }
    return at;
  }

  // ` = {fb0, fb1}`
  char* numbers(char* at, View list, std::string_view prefix) {
    at = put(at, " = {");
    for (std::size_t i = 0; i + 4 <= list.size(); i += 4) {
      if (i != 0) at = put(at, ", ");
      at = put(at, prefix);
      at = write_decimal(at, list.load_unchecked<std::uint32_t>(i));
    }
    *at++ = '}';
    return at;
  }

  // --- custom data -----------------------------------------------------------------------------------------------------------------

  char* custom_data(char* at, Instruction& instruction) {
    const auto kind = static_cast<CustomData>(token::kCustomDataClass.get(instruction.token));
    if (kind == CustomData::immediate_constant_buffer) {
      constexpr std::size_t kHead = words::kImmediateBuffer.size() + 3;
      at = put(at, words::kImmediateBuffer);
      at = put(at, " { ");
      const View data = instruction.data;
      for (std::size_t i = 0; i + 16 <= data.size(); i += 16) {
        if (i != 0) {
          at = put(at, ",\n");
          std::memset(at, ' ', kHead);
          at += kHead;
        }
        at = put(at, "{ ");
        for (std::size_t c = 0; c < 4; ++c) {
          if (c != 0) at = put(at, ", ");
          const auto bits = data.load_unchecked<std::uint32_t>(i + 4 * c);
          at = options_.exact_floats ? write_exact_untyped(at, bits) : write_untyped(at, bits, float_style_);
        }
        *at++ = '}';
      }
      return put(at, " }");
    }
    if (kind == CustomData::shader_message) {
      if (const auto message = decode_shader_message(instruction)) {
        std::string_view kind_text = words::kUnknownMessage;
        for (const auto& known : words::kMessages)
          if (known.id == message->message_id) kind_text = known.text;
        at = put(at, kind_text);
        at = put(at, " \"");
        at = put(at, message->format);
        *at++ = '"';
        for (unsigned i = 0; i < instruction.operand_count; ++i) {
          at = put(at, ", ");
          at = operand(at, instruction, instruction.operands[i], 'm');
        }
        return at;
      }
    }
    at = put(at, "// customdata ");
    at = put_named(at, static_cast<std::uint32_t>(kind), kCustomDataClassNames);
    at = put(at, ", ");
    at = write_decimal(at, instruction.length_tokens);
    return put(at, " tokens");
  }

  char* unknown(char* at, const Instruction& instruction) {
    at = put(at, "// unknown opcode ");
    at = write_decimal(at, instruction.code);
    if (options_.exact_floats) return at;  // its tokens are said already
    *at++ = ':';
    for (std::uint32_t i = 0; i < instruction.length_tokens; ++i) {
      at = put(at, " 0x");
      at = hex8(at, instruction.bytes.load_unchecked<std::uint32_t>(std::size_t{4} * i));
    }
    return at;
  }
  static char* hex8(char* at, std::uint32_t value) {
    for (int shift = 28; shift >= 0; shift -= 4) *at++ = "0123456789abcdef"[(value >> shift) & 15U];
    return at;
  }

  // What the text would not give back: its tokens, with the first line of the text behind them.
  char* tokens(char* text, const char* end, const Instruction& instruction) {
    const std::string_view all(text, static_cast<std::size_t>(end - text));
    const std::string said(all.substr(0, all.find('\n')));
    char* at = put(text, words::kTokens);
    for (std::uint32_t i = 0; i < instruction.length_tokens; ++i) {
      at = put(at, i == 0 ? " 0x" : ", 0x");
      at = hex8(at, instruction.bytes.load_unchecked<std::uint32_t>(std::size_t{4} * i));
    }
    if (!said.starts_with("//"))
      at = put(at, "  // ");
    else
      at = put(at, "  ");
    return put(at, said);
  }

  // --- instructions ----------------------------------------------------------------------------------------------------------------

  char* mnemonic(char* at, const Instruction& instruction) {
    const OpcodeInfo& info = *instruction.info;
    const std::uint32_t word = instruction.token;
    const Mnemonic& text = kMnemonics[instruction.code];
    std::memcpy(at, text.text, Mnemonic::kRoom);
    at += text.size;
    switch (info.control) {
      case Control::sat:
        if (token::kSaturate.get(word) != 0) at = put(at, words::kSaturate);
        break;
      case Control::test:
        if (!style_.short_offsets || options_.exact_floats || instruction.opcode() != Opcode::discard)
          at = put(at, token::kNonZero.get(word) != 0 ? words::kNonZero : words::kZero);
        break;
      case Control::sync:
        for (const auto& suffix : words::kSyncSuffixes)
          if (suffix.bit.get(word) != 0) at = put(at, suffix.text);
        break;
      default: break;
    }
    if (instruction.has_texel_offsets && !style_.short_offsets) at = put(at, words::kOffsets);
    if (instruction.has_resource_dimension) at = put(at, words::kIndexable);
    if (instruction.has_texel_offsets) {
      *at++ = '(';
      at = offset(at, instruction.offsets.u);
      *at++ = ',';
      at = offset(at, instruction.offsets.v);
      *at++ = ',';
      at = offset(at, instruction.offsets.w);
      *at++ = ')';
    }
    if (instruction.has_resource_dimension) {
      *at++ = '(';
      at = put_named(at, instruction.resource_dimension, kResourceDimensionNames);
      if (instruction.structure_stride != 0) {
        at = put(at, ", ");
        at = put(at, words::kStride);
        at = write_decimal(at, instruction.structure_stride);
      }
      *at++ = ')';
    }
    if (instruction.has_return_types) at = return_types(at, instruction.return_types);
    if (info.control == Control::return_type) {
      const std::uint32_t type = token::kReturnType.get(word);
      // sampleinfo knows float and uint only. src: D3D10_SB_INSTRUCTION_RETURN_TYPE
      const bool is_sample_info = instruction.opcode() == Opcode::sampleinfo;
      if (type == 1) at = put(at, is_sample_info ? words::kUint : words::kReciprocal);
      if (type == 2) at = put(at, words::kUint);
    }
    if (const std::uint32_t precise = token::kPrecise.get(word); precise != 0 && can_be_precise(info)) {
      *at++ = ' ';
      at = put(at, words::kPrecise);
      if (precise != 15) {
        *at++ = '(';
        const ShortText& mask = kLanes.text[lane_key(Selection::mask, precise)];
        std::memcpy(at, mask.text + 1, 4);
        at += mask.size - 1;
        *at++ = ')';
      }
      *at++ = ']';
    }
    return at;
  }

  static bool can_be_precise(const OpcodeInfo& info) { return !info.shape.empty() && info.shape.front() == 'd'; }

  static char* offset(char* at, int value) {
    if (value < 0) *at++ = '-';
    return write_decimal(at, static_cast<std::uint32_t>(value < 0 ? -value : value));
  }

  char* body(char* at, Instruction& instruction) {
    if (instruction.info == nullptr) return unknown(at, instruction);
    const OpcodeInfo& info = *instruction.info;
    if (info.counted == Counted::dcl) return declaration(at, instruction);
    if (instruction.opcode() == Opcode::customdata) return custom_data(at, instruction);
    at = mnemonic(at, instruction);
    const unsigned count = instruction.operand_count;
    if (count == 0) {
      if (instruction.opcode() != Opcode::sync) *at++ = ' ';  // observed: `ret `, but `sync_g_t`
      return at;
    }
    *at++ = ' ';
    if (instruction.opcode() == Opcode::interface_call) {
      at = operand(at, instruction, instruction.operands[0], 'i');
      *at++ = '[';
      at = write_decimal(at, instruction.words[0]);
      *at++ = ']';
      return at;
    }
    const std::uint32_t used = instruction.operands[0].min_precision;
    for (unsigned i = 0; i < count; ++i) {
      if (i != 0) {
        *at++ = ',';
        *at++ = ' ';
      }
      at = operand(at, instruction, instruction.operands[i], info.shape[i]);
      if (instruction.has_min_precision)
        at = precision(at, instruction.operands[i].min_precision,
                       info.shape[i] != 'd' && takes_precision(info, i) ? used : instruction.operands[i].min_precision);
    }
    return at;
  }

  const Program& program_;
  Text& out_;
  const ProgramListingOptions& options_;
  const bool is_5_1_;
  const FxcStyle style_;
  const FloatStyle float_style_;
  const std::array<ShortText, 256>& plain_registers_;
  StatementCheck* check_;
  unsigned depth_ = 0;
  std::size_t deep_left_ = kDeepPerByte * program_.tokens.size() + 4096;  // characters of indentation
};

}  // namespace

Result<void> list_program(const Program& program, std::string_view part_name, Text& out, const ProgramListingOptions& options,
                          StatementCheck* check) {
  Lister lister(program, out, options, check);
  lister.profile();
  Decoder decoder(program);
  Instruction instruction;
  const bool allows_plain = lister.allows_plain();
  while (!decoder.at_end()) {
    if (allows_plain && lister.plain_line(decoder, instruction)) continue;
    if (!decoder.next(instruction)) return Error(decoder.error()).within(part_name);
    lister.line(instruction);
  }
  return {};
}

void list_instruction(Instruction& instruction, const Program& program, Text& out, const ProgramListingOptions& options) {
  Lister(program, out, options, nullptr).only_body(instruction);
}

}  // namespace unshade::dxbc

#include "dxbc/listing/listing.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <string>

#include "dxbc/listing/printer.hpp"
#include "dxbc/listing/text_tables.hpp"
#include "dxbc/listing/words.hpp"
#include "dxbc/program/extension.hpp"
#include "dxbc/program/token.hpp"

namespace unshade::dxbc::listing {

namespace {

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
  for (std::size_t i = 0; i < kOpcodeCount; ++i) {
    const OpcodeInfo& row = program::kOpcodes[i];
    // dcl_input and dcl_output are printed as any operand is; of the other declarations none is
    const bool is_plain_declaration = row.shape == "o" && row.control == Control::none;
    plain[i].is_plain = row.only_operands && (row.counted != Counted::dcl || is_plain_declaration) && row.shape.size() <= 8 &&
                        row.control != Control::return_type && row.control != Control::sync;
    plain[i].tests = row.control == Control::test ? 1 : 0;
    plain[i].saturates = row.control == Control::sat ? 1 : 0;
    plain[i].operands = row.operand_count;
    for (std::size_t c = 0; c < row.shape.size() && c < 8; ++c) plain[i].kinds[c] = row.shape[c];
    plain[i].opens = row.has(traits::opens) ? 1 : 0;
    plain[i].closes = row.has(traits::closes) ? 1 : 0;
  }
  return plain;
}
constexpr std::array<PlainOpcode, kOpcodeCount + 1> kPlainOpcodes = make_plain_opcodes();

// Bits of an opcode token that add to the mnemonic: an extension, or values marked precise.
constexpr std::uint32_t kHasSuffix = program::token::kExtended.put(program::token::kPrecise.put(0, ~0U), 1);

// An operand token without extension and with one immediate index.
constexpr std::uint32_t kOneImmediateIndexMask =
    program::token::kExtended.put(program::token::kIndexRepresentation[2].put(
                                      program::token::kIndexRepresentation[1].put(
                                          program::token::kIndexRepresentation[0].put(program::token::kDimensions.put(0, 3), 7), 7),
                                      7),
                                  1);
constexpr std::uint32_t kOneImmediateIndex = program::token::kDimensions.put(0, 1);
constexpr std::uint32_t kIndexedOrExtended = kOneImmediateIndexMask;

class Lister {
 public:
  Lister(const Program& program, Text& out, const ProgramListingOptions& options, StatementCheck* check)
      : program_(program),
        out_(out),
        options_(options),
        printer_(program, options),
        plain_registers_(printer_.plain_registers()),
        check_(check) {}

  void profile() {
    const std::uint32_t version = program_.tokens.u32(0).value_or(0);
    if (options_.exact_floats && !program::token::is_plain_version(version)) {
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
    if (options_.origins != nullptr)
      options_.origins->push_back({out_.size(), instruction.bytes.file_offset(), 4 * instruction.length_tokens});
    if (options_.offsets) print_offset(instruction);
    if (options_.bytes) print_bytes(instruction);
    char* at = out_.grow(2 * std::size_t{kDeepest} + kRoomPerToken * instruction.length_tokens + kRoomPerLine);
    char* const text = indentation(at, depth_);
    at = printer_.body(text, instruction);
    if (check_ != nullptr && !check_->gives(program_.is_5_1(), {text, static_cast<std::size_t>(at - text)}, instruction.bytes))
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
  // are immediate or read one register. False, with nothing printed, if it is not; then line() prints it. A test holds the two to the
  // same text.
  bool plain_line(Decoder& decoder, Instruction& scratch) {
    const View tokens = decoder.tokens();
    const std::size_t offset = std::size_t{4} * decoder.position();
    const auto word = tokens.load_unchecked<std::uint32_t>(offset);
    const std::uint32_t code = program::token::kOpcode.get(word);
    const std::uint32_t length = program::token::kLength.get(word);
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
      at += words::kSaturate.size() * (program::token::kSaturate.get(word) & plain.saturates);
      if (plain.tests != 0) at = put(at, program::token::kNonZero.get(word) != 0 ? words::kNonZero : words::kZero);
    } else {
      scratch.token = word;
      scratch.code = code;
      scratch.info = find_opcode(code);
      program::clear_extensions(scratch);
      for (bool extended = program::token::kExtended.get(word) != 0; extended;) {
        if (left == 0) return false;
        std::uint32_t extension = 0;
        std::memcpy(&extension, from, sizeof extension);
        from += 4;
        --left;
        program::decode_extension(scratch, extension);
        extended = program::token::kExtended.get(extension) != 0;
      }
      at = printer_.mnemonic(at, scratch);
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
    return options_.debug == nullptr && options_.origins == nullptr && !options_.offsets && !options_.bytes && !options_.exact_floats &&
           !printer_.style().short_offsets && std::endian::native == std::endian::little;
  }

  void only_body(Instruction& instruction) {
    out_.commit(printer_.body(out_.grow(kRoomPerToken * instruction.length_tokens + kRoomPerLine), instruction));
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

  // An operand at `from`, of which `left` tokens remain; null if it is not plain.
  char* plain_operand(char* at, const std::byte*& from, std::uint32_t& left, char kind) {
    std::array<std::uint32_t, 8> tokens;
    std::memcpy(tokens.data(), from, sizeof tokens);
    const std::uint32_t word = tokens[0];
    const ShortText& name = plain_registers_[program::token::kOperandType.get(word)];
    unsigned used = 2;
    if (name.size != 0 && (word & kOneImmediateIndexMask) == kOneImmediateIndex) {  // r1.xyz: most operands
      std::memcpy(at, &name, sizeof name);
      at = write_number(at + name.size, tokens[1]);
      const ShortText& lanes = kLanes.text[word & kLaneKeyBits];
      std::memcpy(at, &lanes, sizeof lanes);
      at += lanes.size;
    } else if (name.size != 0) {
      at = plain_indexed(at, tokens, used, name);
    } else if (program::token::kOperandType.get(word) == static_cast<std::uint32_t>(OperandType::immediate32) &&
               (word & kIndexedOrExtended) == 0) {
      const unsigned components = program::token::kComponents.get(word);
      const unsigned count = components == 2 ? 4 : components;
      if (components == 3) return nullptr;
      std::memcpy(at, "l(", 2);
      at += 2;
      for (unsigned i = 0; i < count; ++i) {
        if (i != 0) {
          std::memcpy(at, ", ", 2);
          at += kind == 'm' ? 1 : 2;
        }
        at = printer_.literal(at, tokens[1 + i], kind);
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

  // A register with a modifier, further indexes, or one that reads a register: -cb0[r1.x + 4].xyz. Null if there is more to it.
  char* plain_indexed(char* at, const std::array<std::uint32_t, 8>& tokens, unsigned& used, const ShortText& name) {
    const std::uint32_t word = tokens[0];
    const unsigned dimensions = program::token::kDimensions.get(word);
    if (dimensions == 0) return nullptr;
    // v[0][1] begins with a bracket
    if (dimensions > 1 && program::token::kOperandType.get(word) == static_cast<std::uint32_t>(OperandType::input)) return nullptr;
    used = 1;
    unsigned modifier = 0;
    if (program::token::kExtended.get(word) != 0) {
      constexpr std::uint32_t kOnlyModifier = program::token::kModifier.put(program::token::kExtendedType.put(0, ~0U), 3);
      const std::uint32_t extension = tokens[used++];
      if ((extension & ~kOnlyModifier) != 0 || program::token::kExtendedType.get(extension) != program::token::kExtendedOperandModifier)
        return nullptr;
      modifier = program::token::kModifier.get(extension);
    }
    *at = '-';
    at += modifier & 1U;
    *at = '|';
    at += modifier >> 1;
    std::memcpy(at, &name, sizeof name);
    at += name.size;
    for (unsigned i = 0; i < dimensions; ++i) {
      const std::uint32_t representation = program::token::kIndexRepresentation[i].get(word);
      const bool bracket = i != 0 || representation != program::token::kImmediate32;
      if (bracket) *at++ = '[';
      std::uint32_t immediate = 0;
      if (used >= tokens.size()) return nullptr;
      if (representation != program::token::kRelative) immediate = tokens[used++];
      if (representation != program::token::kImmediate32) {
        // r1.x after the immediate; both lie within the eight tokens
        if (representation > program::token::kImmediate32PlusRelative || representation == program::token::kImmediate64 || used > 6)
          return nullptr;
        const std::uint32_t inner = tokens[used];
        const ShortText& inner_name = plain_registers_[program::token::kOperandType.get(inner)];
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

  // Instructions that the text cannot represent: their tokens, followed by the first line of the text.
  char* tokens(char* text, const char* end, const Instruction& instruction) {
    const std::string_view all(text, static_cast<std::size_t>(end - text));
    const std::string said(all.substr(0, all.find('\n')));
    char* at = Printer::tokens(text, instruction);
    if (!said.starts_with("//"))
      at = put(at, "  // ");
    else
      at = put(at, "  ");
    return put(at, said);
  }

  const Program& program_;
  Text& out_;
  const ProgramListingOptions& options_;
  Printer printer_;
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

}  // namespace unshade::dxbc::listing

namespace unshade::dxbc {

void list_instruction(Instruction& instruction, const Program& program, Text& out, const ProgramListingOptions& options) {
  listing::Lister(program, out, options, nullptr).only_body(instruction);
}

}  // namespace unshade::dxbc

#include <unshade/dxbc/program.hpp>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstring>
#include <string>

#include <unshade/core/limits.hpp>

#include "dxbc/program/enum_text.hpp"
#include "dxbc/program/extension.hpp"
#include "dxbc/program/opcode_table.hpp"
#include "dxbc/program/operand_table.hpp"
#include "dxbc/program/token.hpp"

namespace unshade::dxbc {

namespace {

using program::kOpcodes;

constexpr bool rows_stand_in_order() {
  std::uint32_t expected = 0;
#define DXBC_OP(code, id, text, shape, control, since, counted, stages, traits, access, lanes, sem) \
  if (expected++ != code) return false;
#include <unshade/dxbc/opcodes.def>
#undef DXBC_OP
  return true;
}
static_assert(rows_stand_in_order(), "opcodes.def: rows must be in the order of their codes, without gaps");

constexpr bool texts_are_unique() {
  for (std::size_t i = 0; i < std::size(kOpcodes); ++i)
    for (std::size_t j = i + 1; j < std::size(kOpcodes); ++j)
      if (kOpcodes[i].text == kOpcodes[j].text) return false;
  return true;
}
static_assert(texts_are_unique(), "opcodes.def: mnemonics must be unique");

/// What rows say of their operands in shape, traits and access, and of derivatives in traits and stages, must agree.
constexpr bool columns_agree(const OpcodeInfo& row) {
  const auto takes = [&](std::string_view letters) { return row.shape.find_first_of(letters) != std::string_view::npos; };
  const auto at_most_one = [&](std::uint32_t words) { return std::has_single_bit(row.traits & words) || !row.has(words); };
  const bool samples = row.has(traits::samples | traits::gathers);
  const bool needs_quad = row.has(traits::implicit | traits::derives);
  return (takes("ruo") || row.has(traits::attribute)) == (row.access != access::none) && (!samples || takes("p")) &&
         (!takes("p") || samples || row.has(traits::implicit)) && (!needs_quad || row.stages == stages::ps) &&
         (!row.has(traits::literal) || row.shape.size() == 1) && (!row.has(traits::to_stream) || row.shape == "d") &&
         (!row.has(traits::gives_double) || row.shape.starts_with('d')) && at_most_one(traits::samples | traits::gathers) &&
         (!row.has(traits::offsets) || (row.control == Control::texel && (row.access & access::t) != 0)) &&
         (!row.has(traits::integers) || (row.access & access::typed) != 0) && at_most_one(traits::negates | traits::modifies) &&
         (!row.has(traits::negates | traits::modifies) || !takes("ruplo")) && (!row.has(traits::selects) || row.has(traits::modifies)) &&
         (!row.has(traits::attribute) || (row.shape.starts_with("df") && row.stages == stages::ps));
}
static_assert(std::ranges::all_of(program::kOpcodes, columns_agree), "opcodes.def: shape, traits, access and stages must agree");

/// Each operand has a letter that its kind can have, and addresses are of resources.
constexpr bool lanes_fit(const OpcodeInfo& row) {
  if (row.lanes.empty()) return true;
  if (row.lanes.size() != row.shape.size() || !row.only_operands) return false;
  for (std::size_t i = 0; i < row.lanes.size(); ++i) {
    const char role = row.shape[i];
    const bool is_written = role == 'd' || role == 'u';
    const bool is_other = role == 'r' || role == 'p' || role == 'l';
    const std::string_view letters = role == 'p' ? ".s" : is_other ? "." : is_written ? ".14nph" : ".1234vpwctga";
    if (letters.find(row.lanes[i]) == std::string_view::npos) return false;
    if (std::string_view("ctga").find(row.lanes[i]) != std::string_view::npos && row.access == access::none) return false;
    if ((role == 'g') != (row.lanes[i] == 'p' || row.lanes[i] == 'w') && !is_written && !is_other) return false;
  }
  return true;
}
static_assert(std::ranges::all_of(program::kOpcodes, lanes_fit), "opcodes.def: lanes must fit the shape");

/// A declaration prints what its shape has, and the field of its control if that names one.
constexpr bool spelling_fits(const OpcodeInfo& row) {
  if (row.counted != Counted::dcl) return row.spelling.empty();
  const auto spelled = [&](std::string_view letters) {
    std::ptrdiff_t count = 0;
    bool is_name = false;
    for (const char c : row.spelling) {
      if (!is_name && letters.find(c) != std::string_view::npos) ++count;
      is_name = c == '{' || (is_name && c != '}');
    }
    return count;
  };
  const auto has = [&](char letter) { return std::ranges::count(row.shape, letter); };
  return spelled("ov") == has('o') && spelled("n") == has('n') && spelled("t") == has('t') && spelled("w{xbl") == has('w') &&
         spelled("zS") == has('S') && spelled("T") == has('T') && spelled("I") == has('I') &&
         (spelled("c") != 0) == (program::control_field(row.control).count != 0);
}
static_assert(std::ranges::all_of(program::kOpcodes, spelling_fits), "opcodes.def: spelling must fit the shape and the control");

struct StageRow {
  std::string_view id;
  std::string_view prefix;
};
constexpr StageRow kStages[] = {{"pixel", "ps"}, {"vertex", "vs"}, {"geometry", "gs"}, {"hull", "hs"}, {"domain", "ds"}, {"compute", "cs"}};

}  // namespace

std::string_view id(Stage stage) {
  const auto index = static_cast<std::size_t>(stage);
  return index < std::size(kStages) ? kStages[index].id : std::string_view{};
}

std::string_view profile_prefix(Stage stage) {
  const auto index = static_cast<std::size_t>(stage);
  return index < std::size(kStages) ? kStages[index].prefix : std::string_view{"xs"};
}

std::span<const OpcodeInfo> opcode_table() { return kOpcodes; }

bool OpcodeInfo::converts_precision(unsigned operand) const {
  if (operand >= shape.size() || shape[operand] == 'd') return false;
  switch (counted) {
    case Counted::mov: return true;
    case Counted::movc: return operand != 1;
    case Counted::flt:
    case Counted::sint:
    case Counted::uint: return shape.front() == 'd' && !has(traits::compares);
    default: return false;
  }
}

const OpcodeInfo* find_opcode(std::uint32_t code) { return code < std::size(kOpcodes) ? &kOpcodes[code] : nullptr; }

const OperandInfo* find_operand(OperandType type) {
  const auto index = static_cast<std::size_t>(type);
  return index < std::size(program::kOperands) ? &program::kOperands[index] : nullptr;
}

Result<Program> parse_program(const dxcontainer::Part& part) {
  const auto version = part.data.u32(0);
  const auto length = part.data.u32(4);
  const auto fault = [&](ErrorCode code, std::size_t offset, std::string_view field, std::string message) {
    return Error{code, part.data.file_offset() + offset, std::string(part.name()) + '/' + std::string(field), std::move(message)};
  };
  if (!version) return fault(ErrorCode::truncated, 0, "version", "no version token");
  if (!length) return fault(ErrorCode::truncated, 4, "length_tokens", "no length token");
  if (*length < 2) return fault(ErrorCode::bad_value, 4, "length_tokens", "a program must have at least two tokens");
  if (*length > part.data.size() / 4) {
    return fault(ErrorCode::truncated, 4, "length_tokens",
                 std::to_string(*length) + " tokens stated, but the part only has " + std::to_string(part.data.size() / 4));
  }
  Program program;
  program.tokens = part.data.clamped(0, std::size_t{4} * *length);
  program.stage = static_cast<Stage>(program::token::kStage.get(*version));
  program.major = static_cast<std::uint8_t>(program::token::kMajor.get(*version));
  program.minor = static_cast<std::uint8_t>(program::token::kMinor.get(*version));
  return program;
}

Decoder::Decoder(const Program& program)
    : tokens_(program.tokens), count_(static_cast<std::uint32_t>(program.tokens.size() / 4)), at_(2), is_5_1_(program.is_5_1()) {}

Decoder::Decoder(const Program& program, View instructions)
    : tokens_(instructions), count_(static_cast<std::uint32_t>(instructions.size() / 4)), at_(0), is_5_1_(program.is_5_1()) {}

bool Decoder::fail(ErrorCode code, std::uint32_t token, std::string path, std::string message) {
  error_ = {code, tokens_.file_offset() + std::uint64_t{4} * token,
            "instructions[" + std::to_string(index_) + ']' + (path.empty() ? "" : "/" + path), std::move(message)};
  return false;
}

namespace {

// Reads tokens of one instruction. A read beyond its end gives 0 and marks the cursor bad: one test at the end is enough.
struct Cursor {
  View tokens;
  std::uint32_t at;
  std::uint32_t end;
  bool bad = false;

  std::uint32_t next() {
    if (at >= end) {
      bad = true;
      return 0;
    }
    return tokens.load_unchecked<std::uint32_t>(std::size_t{4} * at++);
  }
};

enum class OperandFault : std::uint8_t { none, too_many, too_deep };

// By the two bits of the component count: 0, 1, 4, n (reserved).
constexpr std::uint8_t kComponentCounts[] = {0, 1, 4, 3};
// Which of the bits [11:4] are lanes, by component count (only 4 has any), then by selection: mask, swizzle, one component, reserved.
constexpr std::uint8_t kLaneBits[] = {0, 0, 0, 0, 0, 0, 0, 0, 0xf, 0xff, 0x3, 0, 0, 0, 0, 0};
static_assert(program::token::kComponents.first == 0 && program::token::kSelection.first == program::token::kComponents.count);
static_assert(program::token::kMaskLanes.first == program::token::kSwizzleLanes.first &&
              program::token::kSelectLane.first == program::token::kSwizzleLanes.first);

// What an operand token says by itself, and where the operand is, written in two stores: which kind of operand comes next is hard to
// foresee, so there are no branches; and the listing reads these bytes at once.
inline void decode_operand_token(Operand& operand, std::uint32_t word, std::uint32_t first_token, std::uint32_t token_count) {
  static_assert(sizeof(OperandType) == 1 && offsetof(Operand, type) == 0 && offsetof(Operand, components) == 1 &&
                offsetof(Operand, selection) == 2 && offsetof(Operand, lanes) == 3 && offsetof(Operand, modifier) == 4 &&
                offsetof(Operand, min_precision) == 5 && offsetof(Operand, non_uniform) == 6 && offsetof(Operand, dimensions) == 7 &&
                offsetof(Operand, relative) == 8 && offsetof(Operand, index_64) == 11 && offsetof(Operand, first_token) == 12 &&
                offsetof(Operand, token_count) == 14);
  const std::uint32_t components = program::token::kComponents.get(word);
  const std::uint32_t selection = program::token::kSelection.get(word);
  const std::uint32_t lanes = program::token::kSwizzleLanes.get(word) & kLaneBits[4 * components + selection];
  if constexpr (std::endian::native == std::endian::little) {
    const std::uint64_t head[2] = {std::uint64_t{program::token::kOperandType.get(word)} |
                                       std::uint64_t{kComponentCounts[components]} << 8 |
                                       std::uint64_t{components == 2 ? selection : 0} << 16 | std::uint64_t{lanes} << 24 |
                                       std::uint64_t{program::token::kDimensions.get(word)} << 56,
                                   0x00ff'ffffU | std::uint64_t{first_token & 0xffffU} << 32 | std::uint64_t{token_count} << 48};
    std::memcpy(static_cast<void*>(&operand), head, sizeof head);
  } else {
    operand.type = static_cast<OperandType>(program::token::kOperandType.get(word));
    operand.components = kComponentCounts[components];
    operand.selection = components == 2 ? static_cast<Selection>(selection) : Selection::mask;
    operand.lanes = static_cast<std::uint8_t>(lanes);
    operand.modifier = Modifier::none;
    operand.min_precision = 0;
    operand.non_uniform = false;
    operand.dimensions = static_cast<std::uint8_t>(program::token::kDimensions.get(word));
    operand.relative = {kNoOperand, kNoOperand, kNoOperand};
    operand.index_64 = 0;
    operand.first_token = static_cast<std::uint16_t>(first_token);
    operand.token_count = static_cast<std::uint16_t>(token_count);
  }
}

// How many literal dwords follow an operand token, by type and the two bits of the component count. Four components of immediate64
// are two doubles. src: d3d12TokenizedProgramFormat.hpp, D3D10_SB_OPERAND_TYPE_IMMEDIATE64
struct LiteralCounts {
  std::uint8_t count[256][4];
};
constexpr LiteralCounts make_literal_counts() {
  LiteralCounts counts{};
  for (unsigned components = 0; components < 4; ++components) {
    counts.count[static_cast<unsigned>(OperandType::immediate32)][components] = kComponentCounts[components];
    counts.count[static_cast<unsigned>(OperandType::immediate64)][components] = components == 2 ? 4 : 2;
  }
  return counts;
}
constexpr LiteralCounts kLiteralCounts = make_literal_counts();

inline unsigned literal_count(std::uint32_t operand_token) {
  return kLiteralCounts.count[program::token::kOperandType.get(operand_token)][program::token::kComponents.get(operand_token)];
}

OperandFault decode_operand(Cursor& cursor, Instruction& instruction, unsigned slot, unsigned depth) {
  Operand& operand = instruction.operands[slot];
  const std::uint32_t first = cursor.at;
  const std::uint32_t word = cursor.next();
  decode_operand_token(operand, word, first - instruction.first_token, 0);
  for (bool extended = program::token::kExtended.get(word) != 0; extended && !cursor.bad;) {
    const std::uint32_t extension = cursor.next();
    if (program::token::kExtendedType.get(extension) == program::token::kExtendedOperandModifier) {
      operand.modifier = static_cast<Modifier>(program::token::kModifier.get(extension) & 3U);
      operand.min_precision = static_cast<std::uint8_t>(program::token::kMinPrecision.get(extension));
      operand.non_uniform = program::token::kNonUniform.get(extension) != 0;
      instruction.has_min_precision |= operand.min_precision != 0;
    }
    extended = program::token::kExtended.get(extension) != 0;
  }
  const unsigned literals = literal_count(word);
  for (unsigned i = 0; i < literals; ++i) operand.literal[i] = cursor.next();
  for (unsigned i = 0; i < operand.dimensions; ++i) {
    const std::uint32_t representation = program::token::kIndexRepresentation[i].get(word);
    operand.index[i] = 0;
    if (representation == program::token::kImmediate32 || representation == program::token::kImmediate32PlusRelative) {
      operand.index[i] = cursor.next();
    } else if (representation == program::token::kImmediate64 || representation == program::token::kImmediate64PlusRelative) {
      cursor.next();  // the high half comes first. src: d3d12TokenizedProgramFormat.hpp; no file seen has such an index
      operand.index[i] = cursor.next();
      operand.index_64 = static_cast<std::uint8_t>(operand.index_64 | 1U << i);
    }
    if (representation >= program::token::kRelative && representation <= program::token::kImmediate64PlusRelative) {
      if (depth == 0) return OperandFault::too_deep;
      if (instruction.total_operands >= Instruction::kMaxOperands) return OperandFault::too_many;
      const unsigned inner = instruction.total_operands++;
      operand.relative[i] = static_cast<std::uint8_t>(inner);
      if (const auto fault = decode_operand(cursor, instruction, inner, depth - 1); fault != OperandFault::none) return fault;
    }
  }
  operand.token_count = static_cast<std::uint16_t>(cursor.at - first);
  return OperandFault::none;
}

// Bits of an operand token that say that more follows it than literals and immediate 32-bit indexes.
constexpr std::uint32_t kNotPlain = ~((1U << program::token::kIndexRepresentation[0].first) - 1);
constexpr std::uint32_t kMostPlainTokens = 1 + 4 + 3;

// Decodes operands from slot 0 on as long as they are plain: nearly all are, and then the operand token alone tells the length. Literals
// and indexes are copied whole, however many there are: beyond those that count they hold tokens of what follows. Returns how many.
inline unsigned decode_plain_operands(Cursor& cursor, Instruction& instruction, unsigned count) {
  if (std::endian::native != std::endian::little) return 0;
  if (!cursor.tokens.holds(std::size_t{4} * cursor.at, std::size_t{4} * (cursor.end - cursor.at + kMostPlainTokens))) return 0;
  // Locals, since stores into operands may alias everything else.
  const std::byte* at = cursor.tokens.data() + std::size_t{4} * cursor.at;
  std::uint32_t left = cursor.end - cursor.at;
  std::uint32_t position = cursor.at - instruction.first_token;
  Operand* operand = instruction.operands.data();
  unsigned slot = 0;
  for (; slot < count; ++slot, ++operand) {
    std::uint32_t word = 0;
    std::memcpy(&word, at, sizeof word);
    const unsigned literals = literal_count(word);
    const unsigned tokens = 1 + literals + program::token::kDimensions.get(word);
    if ((word & kNotPlain) != 0 || tokens > left) break;
    decode_operand_token(*operand, word, position, tokens);
    std::memcpy(operand->literal.data(), at + 4, sizeof operand->literal);
    std::memcpy(operand->index.data(), at + 4 + std::size_t{4} * literals, sizeof operand->index);
    at += std::size_t{4} * tokens;
    left -= tokens;
    position += tokens;
  }
  cursor.at = cursor.end - left;
  return slot;
}

}  // namespace

bool Decoder::next(Instruction& instruction) {
  const auto word = tokens_.load_unchecked<std::uint32_t>(std::size_t{4} * at_);
  instruction.token = word;
  instruction.code = program::token::kOpcode.get(word);
  instruction.info = find_opcode(instruction.code);
  instruction.first_token = at_;
  program::clear_extensions(instruction);
  instruction.has_min_precision = false;
  instruction.head_tokens_ = 1;
  instruction.operand_count = 0;
  instruction.total_operands = 0;
  instruction.word_count = 0;
  instruction.data = {};

  const bool custom = instruction.opcode() == Opcode::customdata;
  std::uint32_t length = program::token::kLength.get(word);
  if (custom) {
    const auto stated = tokens_.u32(std::size_t{4} * at_ + 4);
    if (!stated) return fail(ErrorCode::truncated, at_, "length", "custom data without its length");
    length = *stated;
    if (length < 2) return fail(ErrorCode::bad_value, at_ + 1, "length", "custom data must have at least 2 tokens");
  }
  // Tables that outgrow the seven bits of the length have it in a token of its own. src: DXC ShaderBinary.cpp
  const bool long_form = program::token::kExtended.get(word) != 0 &&
                         (instruction.opcode() == Opcode::dcl_function_table || instruction.opcode() == Opcode::dcl_interface);
  if (long_form) {
    const auto stated = tokens_.u32(std::size_t{4} * at_ + 4);
    if (!stated) return fail(ErrorCode::truncated, at_, "length", "a long instruction without its length");
    length = *stated;
  }
  if (length == 0) return fail(ErrorCode::bad_value, at_, "length", "an instruction of length 0");
  if (length > count_ - at_) {
    return fail(ErrorCode::truncated, at_, "length",
                std::to_string(length) + " tokens stated, but only " + std::to_string(count_ - at_) + " left in the program");
  }
  instruction.length_tokens = length;
  instruction.bytes =
      View({tokens_.data() + std::size_t{4} * at_, std::size_t{4} * length}, tokens_.file_offset() + std::uint64_t{4} * at_);
  const std::uint32_t end = at_ + length;
  if (custom) {
    instruction.data = instruction.bytes.clamped(8, instruction.bytes.size());
  } else if (instruction.info == nullptr) {
    instruction.data = instruction.bytes.clamped(4, instruction.bytes.size());
  } else {
    Cursor cursor{tokens_, at_ + (long_form ? 2U : 1U), end};
    for (bool extended = program::token::kExtended.get(word) != 0 && !long_form; extended && !cursor.bad;) {
      const std::uint32_t extension = cursor.next();
      program::decode_extension(instruction, extension);
      extended = program::token::kExtended.get(extension) != 0;
    }
    if (cursor.bad) return fail(ErrorCode::truncated, at_, "extended", "the extended tokens exceed the instruction");
    instruction.head_tokens_ = cursor.at - at_;
    if (!decode_operands(instruction, cursor.at, end)) return false;
  }
  at_ = end;
  ++index_;
  return true;
}

bool Decoder::decode_operands(Instruction& instruction, std::uint32_t at, std::uint32_t end) {
  const std::string_view shape = instruction.info->shape;
  Cursor cursor{tokens_, at, end};
  instruction.operand_count = instruction.info->operand_count;
  instruction.total_operands = instruction.operand_count;
  unsigned slot = 0;
  const auto check = [&](OperandFault fault) {
    const auto path = [&] { return "operands[" + std::to_string(slot == 0 ? 0 : slot - 1) + ']'; };
    if (cursor.bad) return fail(ErrorCode::truncated, std::min(cursor.at, end), path(), "the operand exceeds the instruction");
    if (fault == OperandFault::too_deep) return fail(ErrorCode::limit, cursor.at, path(), "indexes are nested too deeply");
    if (fault == OperandFault::too_many) return fail(ErrorCode::limit, cursor.at, path(), "too many operands in indexes");
    return true;
  };
  if (instruction.info->only_operands) {
    slot = decode_plain_operands(cursor, instruction, instruction.operand_count);
    while (slot < instruction.operand_count) {
      const OperandFault fault = decode_operand(cursor, instruction, slot, limits::kOperandNesting);
      ++slot;
      if (cursor.bad || fault != OperandFault::none) return check(fault);
    }
    return true;
  }
  const auto word = [&] {
    const std::uint32_t value = cursor.next();
    if (instruction.word_count < instruction.words.size()) instruction.words[instruction.word_count++] = value;
  };
  // Declarations begin with the register they declare.
  const unsigned plain = shape.starts_with('o') ? decode_plain_operands(cursor, instruction, 1) : 0;
  slot = plain;
  for (const char c : shape.substr(plain)) {
    OperandFault fault = OperandFault::none;
    switch (c) {
      case 'w':
      case 'n':
      case 't': word(); break;
      case 'S':
        if (is_5_1_) word();
        break;
      case 'T': {  // count, then as many function bodies
        word();    // the table's own number
        const std::uint32_t count = cursor.next();
        if (cursor.bad || count > end - cursor.at)
          return fail(ErrorCode::truncated, cursor.at, "count", "the function bodies exceed the instruction");
        instruction.data = tokens_.clamped(std::size_t{4} * cursor.at, std::size_t{4} * count);
        cursor.at += count;
        break;
      }
      case 'I': {  // number, call sites, table count [15:0] and array length [31:16], tables
        word();
        word();
        word();
        if (cursor.bad) break;
        const std::uint32_t count = instruction.words[2] & 0xffffU;
        if (count > end - cursor.at) return fail(ErrorCode::truncated, cursor.at, "count", "the function tables exceed the instruction");
        instruction.data = tokens_.clamped(std::size_t{4} * cursor.at, std::size_t{4} * count);
        cursor.at += count;
        break;
      }
      case 'F':
        word();
        fault = decode_operand(cursor, instruction, slot++, limits::kOperandNesting);
        break;
      case 'X': break;
      default: fault = decode_operand(cursor, instruction, slot++, limits::kOperandNesting); break;
    }
    if (!check(fault)) return false;
  }
  return true;
}

Result<ShaderMessage> decode_shader_message(Instruction& instruction) {
  // After the two tokens of every custom data: message id, format style, characters without the zero, operands, tokens of the
  // operands; then the operands, then the format with its zero. src: d3d12TokenizedProgramFormat.hpp, shader message declaration.
  const View data = instruction.data;
  const auto fault = [&](std::size_t offset, std::string path, std::string message) {
    return Error{ErrorCode::truncated, data.file_offset() + offset, "message/" + std::move(path), std::move(message)};
  };
  constexpr std::size_t kHeadBytes = 20;
  if (data.size() < kHeadBytes) return fault(0, "head", "a shader message must have a header of five tokens");
  ShaderMessage message;
  message.message_id = data.load_unchecked<std::uint32_t>(0);
  message.format_style = data.load_unchecked<std::uint32_t>(4);
  const auto characters = data.load_unchecked<std::uint32_t>(8);
  message.operand_count = data.load_unchecked<std::uint32_t>(12);
  const auto operand_tokens = data.load_unchecked<std::uint32_t>(16);
  if (message.operand_count > Instruction::kMaxOperands) return fault(12, "operand_count", "too many operands");
  if (!data.holds(kHeadBytes, std::size_t{4} * operand_tokens)) return fault(16, "operand_tokens", "the operands exceed the custom data");
  const std::size_t text_at = kHeadBytes + std::size_t{4} * operand_tokens;
  if (!data.holds(text_at, characters)) return fault(8, "characters", "the format string exceeds the custom data");
  message.format = data.clamped(text_at, characters).text();
  instruction.operand_count = static_cast<std::uint8_t>(message.operand_count);
  instruction.total_operands = instruction.operand_count;
  // Positions inside operands count from the instruction's first token.
  Cursor cursor{instruction.bytes, 7, 7 + operand_tokens};
  const std::uint32_t first = instruction.first_token;
  instruction.first_token = 0;
  for (unsigned i = 0; i < message.operand_count; ++i) {
    const auto bad = decode_operand(cursor, instruction, i, limits::kOperandNesting);
    if (bad != OperandFault::none || cursor.bad) {
      instruction.first_token = first;
      return fault(kHeadBytes, "operands[" + std::to_string(i) + ']', "the operand exceeds the message");
    }
  }
  instruction.first_token = first;
  return message;
}

}  // namespace unshade::dxbc

// Decoding and printing of single Direct3D 9 instructions.
#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <utility>

#include <unshade/core/lanes.hpp>
#include <unshade/dxbc/level9/sm2_tokens.hpp>
#include <unshade/dxbc/sm2.hpp>

namespace unshade::dxbc::sm2 {

enum class Opcode : std::uint16_t {
#define SM2_OP(code, id, text, shape, lanes, slots, unit, block, vs, ps, gradient, sem) id = code,
#include <unshade/dxbc/level9/sm2_opcodes.def>
};

namespace {

/// Letters of sources that the column of lanes has words for.
constexpr bool has_lanes(char letter) { return letter == 's' || letter == 'q' || letter == 'p'; }

/// The next word of a column of lanes; the last one holds for all that follow.
constexpr SourceLanes take_lanes(std::string_view& words) {
  const std::size_t blank = words.find(' ');
  const std::string_view word = words.substr(0, blank);
  if (blank != std::string_view::npos) words.remove_prefix(blank + 1);
  SourceLanes lanes;
  lanes.follows_mask = word.ends_with('m');
  if (word == "t") lanes.fixed = WriteMask::all();
  constexpr std::string_view kLetters = "xyzw";
  for (unsigned component = 0; component < kComponents; ++component)
    if (word.find(kLetters[component]) != std::string_view::npos) lanes.fixed = lanes.fixed | WriteMask::of(component);
  return lanes;
}

/// What shape and lanes say, token by token.
constexpr OpcodeInfo expanded(OpcodeInfo info) {
  bool is_required = true;
  std::string_view lanes = info.lanes;
  for (const char c : info.shape) {
    if (c == '[') is_required = false;
    if (c == ' ' || c == '[' || c == ']') continue;
    if (has_lanes(c)) info.reads[info.token_count] = take_lanes(lanes);
    info.tokens[info.token_count++] = c;
    if (is_required) ++info.required_count;
  }
  return info;
}

constexpr OpcodeInfo kRows[] = {
#define SM2_OP(code, id, text, shape, lanes, slots, unit, block, vs, ps, gradient, sem) \
  expanded({code, #id, text, shape, lanes, slots, Unit::unit, Block::block, models::vs, models::ps, Gradient::gradient, #sem}),
#include <unshade/dxbc/level9/sm2_opcodes.def>
};
constexpr std::size_t kRowCount = std::size(kRows);
constexpr std::size_t kCodes = kRows[kRowCount - 1].code + 1U;
constexpr std::uint8_t kNoRow = 0xff;

static_assert(kRowCount < kNoRow);
static_assert(
    [] {
      for (std::size_t i = 1; i < kRowCount; ++i)
        if (kRows[i].code <= kRows[i - 1].code) return false;
      return true;
    }(),
    "codes must ascend and be unique");

/// What a row says of its operands, in shape and lanes, and of its stages must agree.
constexpr bool columns_agree(const OpcodeInfo& row) {
  std::size_t words = row.lanes.empty() ? 0 : 1;
  for (const char c : row.lanes) words += c == ' ' ? 1 : 0;
  std::size_t sources = 0;
  bool writes = false;
  for (std::size_t i = 0; i < row.token_count; ++i) {
    const char letter = row.tokens[i];
    if (!OpcodeInfo::is_operand(letter) && std::string_view("ufib").find(letter) == std::string_view::npos) return false;
    sources += has_lanes(letter) ? 1 : 0;
    writes |= letter == 'd' || letter == 'A' || letter == 'P';
    if (has_lanes(letter) && !row.reads[i].follows_mask && row.reads[i].fixed.empty()) return false;
    if (row.reads[i].follows_mask && !writes) return false;
  }
  const bool has_stage = !row.vs.empty() || !row.ps.empty();
  const bool is_in_pixels = row.vs.empty() || row.gradient == Gradient::none;
  const bool closes = row.block == Block::close || row.block == Block::both;
  return words <= sources && (words == 0) == (sources == 0) && has_stage && is_in_pixels && (!closes || row.token_count == 0);
}
static_assert(std::ranges::all_of(kRows, columns_agree), "sm2_opcodes.def: shape, lanes, block, stages and gradient must agree");

/// Row of each code, kNoRow for none.
constexpr auto kRowOfCode = [] {
  std::array<std::uint8_t, kCodes> rows{};
  rows.fill(kNoRow);
  for (std::size_t i = 0; i < kRowCount; ++i) rows[kRows[i].code] = static_cast<std::uint8_t>(i);
  return rows;
}();

constexpr auto kOpcodeValues = [] {
  std::array<NamedValue, kRowCount + 2> values{};
  for (std::size_t i = 0; i < kRowCount; ++i) values[i] = {kRows[i].code, kRows[i].id};
  values[kRowCount] = {kCommentCode, "comment"};
  values[kRowCount + 1] = {kEndCode, "end"};
  return values;
}();

constexpr NamedValue kUsages[] = {
    {0, "position"}, {1, "blendweight"}, {2, "blendindices"}, {3, "normal"}, {4, "psize"}, {5, "texcoord"}, {6, "tangent"},
    {7, "binormal"}, {8, "tessfactor"},  {9, "positiont"},    {10, "color"}, {11, "fog"},  {12, "depth"},   {13, "sample"},
};
constexpr NamedValue kTextureTypes[] = {{0, "unknown"}, {2, "2d"}, {3, "cube"}, {4, "volume"}};

/// Suffixes by the comparison in an instruction's controls.
constexpr std::string_view kComparisons[] = {"", "_gt", "_eq", "_ge", "_lt", "_ne", "_le", ""};

/// The letters before a register's number, by register type; empty if it takes more than that.
constexpr std::string_view kPrefixes[32] = {
    "r", "v", "c", "", "", "oD", "", "i", "oC", "", "s", "c", "c", "c", "b", "", "r", "", "l", "p",
};

char* append(char* out, std::string_view text) {
  for (const char c : text) *out++ = c;  // a few characters: quicker than a call
  return out;
}

char* append_number(char* out, std::uint32_t value) {
  if (value < 10) {
    *out = static_cast<char>('0' + value);
    return out + 1;
  }
  return std::to_chars(out, out + 10, value).ptr;
}

char* append_register(char* out, RegisterType type, std::uint32_t index, Version version) {
  const auto numbered = [&](std::string_view prefix) { return append_number(append(out, prefix), index); };
  const std::string_view prefix = kPrefixes[static_cast<std::size_t>(type) & 31];
  switch (type) {
    case RegisterType::address_or_texture: return numbered(version.is_pixel() ? "t" : "a");
    case RegisterType::rasterizer_output: {
      constexpr std::string_view kNames[] = {"oPos", "oFog", "oPts"};
      return index < std::size(kNames) ? append(out, kNames[index]) : numbered("oRast");
    }
    case RegisterType::texcoord_or_output: return numbered(version.major() >= 3 ? "o" : "oT");
    case RegisterType::depth_output: return append(out, "oDepth");
    case RegisterType::loop: return append(out, "aL");
    case RegisterType::miscellaneous: {
      constexpr std::string_view kNames[] = {"vPos", "vFace"};
      return index < std::size(kNames) ? append(out, kNames[index]) : numbered("vMisc");
    }
    case RegisterType::constant2: index += 2048; break;
    case RegisterType::constant3: index += 4096; break;
    case RegisterType::constant4: index += 6144; break;
    default: break;
  }
  if (!prefix.empty()) return numbered(prefix);
  out = append_number(append(out, "unknown("), static_cast<std::uint32_t>(type));
  *out++ = ')';
  return append_number(out, index);
}

/// fxc shortens a swizzle only when all its components are the same one.
char* append_swizzle(char* out, Swizzle swizzle) {
  if (swizzle.is_identity()) return out;
  *out++ = '.';
  return append(out, swizzle.text().substr(0, swizzle.is_broadcast() ? 1 : kComponents));
}

char* append_mask(char* out, WriteMask mask) {
  if (mask == WriteMask::all()) return out;
  *out++ = '.';
  return append(out, mask.text());
}

/// Room that no operand's text exceeds.
constexpr std::size_t kOperandRoom = 96;

char* append_operand(char* out, const Operand& operand, Version version) {
  std::string_view suffix;
  if (!operand.is_destination) {
    switch (operand.modifier) {
      case SourceModifier::none: break;
      case SourceModifier::negate: *out++ = '-'; break;
      case SourceModifier::bias: suffix = "_bias"; break;
      case SourceModifier::bias_negate:
        *out++ = '-';
        suffix = "_bias";
        break;
      case SourceModifier::sign: suffix = "_bx2"; break;
      case SourceModifier::sign_negate:
        *out++ = '-';
        suffix = "_bx2";
        break;
      case SourceModifier::complement: out = append(out, "1-"); break;
      case SourceModifier::x2: suffix = "_x2"; break;
      case SourceModifier::x2_negate:
        *out++ = '-';
        suffix = "_x2";
        break;
      case SourceModifier::divide_by_z: suffix = "_dz"; break;
      case SourceModifier::divide_by_w: suffix = "_dw"; break;
      case SourceModifier::absolute: suffix = "_abs"; break;
      case SourceModifier::absolute_negate:
        *out++ = '-';
        suffix = "_abs";
        break;
      case SourceModifier::logical_not: *out++ = '!'; break;
      default: suffix = "_unknown"; break;
    }
  }
  out = append_register(out, operand.type, operand.index, version);
  if (operand.relative) {
    *out++ = '[';
    out = append_register(out, register_type(operand.relative_token), kRegisterBits.get(operand.relative_token), version);
    out = append_swizzle(out, Swizzle(kSwizzleBits.get(operand.relative_token)));
    *out++ = ']';
  }
  if (operand.is_destination) return append_mask(out, operand.write_mask);
  out = append(out, suffix);
  return append_swizzle(out, operand.swizzle);
}

/// As printf's %.9g of Microsoft's C runtime before 2015, which every fxc prints level 9 with: it rounds half away from zero, what it
/// rounds are the first 17 significant digits, and exponents have three digits.
char* append_float(char* out, std::uint32_t bits) {
  const float value = std::bit_cast<float>(bits);
  if ((bits & 0x8000'0000U) != 0) *out++ = '-';
  if (std::isnan(value) || std::isinf(value)) {
    // guess: that runtime's spellings
    constexpr std::uint32_t kDefaultNan = 0xffc0'0000U;
    return append(out, std::isinf(value) ? "1.#INF" : bits == kDefaultNan ? "1.#IND" : "1.#QNAN");
  }
  // Most numbers of a shader are small integers.
  const float magnitude = std::fabs(value);
  if (magnitude < 1e6F && std::trunc(magnitude) == magnitude) return append_number(out, static_cast<std::uint32_t>(magnitude));

  constexpr int kExactDigits = 17;
  constexpr int kDigits = 9;
  char exact[32];  // d.dddddddddddddddde[+-]xx
  const char* const end =
      std::to_chars(exact, exact + sizeof exact, static_cast<double>(magnitude), std::chars_format::scientific, kExactDigits - 1).ptr;
  int exponent = 0;
  for (const char* at = exact + kExactDigits + 3; at != end; ++at) exponent = exponent * 10 + (*at - '0');
  if (exact[kExactDigits + 2] == '-') exponent = -exponent;
  char digits[kDigits];
  digits[0] = exact[0];
  std::memcpy(digits + 1, exact + 2, kDigits - 1);
  if (exact[kDigits + 1] >= '5') {
    int i = kDigits - 1;
    while (i >= 0 && digits[i] == '9') digits[i--] = '0';
    if (i >= 0) {
      ++digits[i];
    } else {
      digits[0] = '1';
      ++exponent;
    }
  }
  int count = kDigits;
  while (count > 1 && digits[count - 1] == '0') --count;

  constexpr int kLeastFixed = -4;
  const auto put = [&](int from, int to) {
    for (int i = from; i < to; ++i) *out++ = i < count ? digits[i] : '0';
  };
  if (exponent < kLeastFixed || exponent >= kDigits) {
    put(0, 1);
    if (count > 1) *out++ = '.';
    put(1, count);
    *out++ = 'e';
    *out++ = exponent < 0 ? '-' : '+';
    const int shown = std::abs(exponent);
    *out++ = '0';  // a float's exponent has two digits
    *out++ = static_cast<char>('0' + shown / 10);
    *out++ = static_cast<char>('0' + shown % 10);
  } else if (exponent < 0) {
    out = append(out, "0.");
    for (int i = -1; i > exponent; --i) *out++ = '0';
    put(0, count);
  } else {
    put(0, exponent + 1);
    if (count > exponent + 1) *out++ = '.';
    put(exponent + 1, count);
  }
  return out;
}

Operand decode_operand(std::uint32_t token, bool is_destination) {
  Operand operand;
  operand.token = token;
  operand.type = register_type(token);
  operand.is_destination = is_destination;
  operand.relative = kRelativeBit.get(token) != 0;
  operand.index = static_cast<std::uint16_t>(kRegisterBits.get(token));
  if (is_destination) {
    operand.write_mask = WriteMask(kWriteMaskBits.get(token));
    operand.result_modifier = static_cast<std::uint8_t>(kResultModifierBits.get(token));
  } else {
    operand.swizzle = Swizzle(kSwizzleBits.get(token));
    operand.modifier = static_cast<SourceModifier>(kSourceModifierBits.get(token));
  }
  return operand;
}

/// The address register that relative addressing means in shader model 1, which has no token for it: a0.x.
constexpr std::uint32_t kImpliedAddress = 0xb000'0000U;

Version version_of(std::uint32_t context) { return Version{context}; }

void print_operand_token(Text& out, View bytes, std::uint32_t context, bool is_destination) {
  Operand operand = decode_operand(static_cast<std::uint32_t>(little_endian(bytes)), is_destination);
  const bool relative = std::exchange(operand.relative, false);
  print(out, operand, version_of(context));
  if (relative) out << " (relative)";
}

constexpr Bits kInstructionFields[] = {kOpcodeBits, kControlBits, kLengthBits, kPredicatedBit, kCoissueBit};
constexpr Bits kCommentFields[] = {kOpcodeBits, kCommentLengthBits};
constexpr Bits kUsageFields[] = {kUsageBits, kUsageIndexBits, kTextureTypeBits};
constexpr Bits kDestinationFields[] = {kRegisterBits,       kTypeHighBits,    kRelativeBit, kWriteMaskBits,
                                       kResultModifierBits, kResultShiftBits, kTypeLowBits, kOperandBit};
constexpr Bits kSourceFields[] = {kRegisterBits, kTypeHighBits, kRelativeBit, kSwizzleBits, kSourceModifierBits, kTypeLowBits, kOperandBit};

}  // namespace

const NameTable kOpcodeNames{kOpcodeValues};
const NameTable kUsageNames{kUsages};
const NameTable kTextureTypeNames{kTextureTypes};

const FieldType kVersionToken{FieldKind::custom, "version token", nullptr, {}, [](Text& out, View bytes, std::uint32_t) {
                                print(out, Version{static_cast<std::uint32_t>(little_endian(bytes))});
                              }};
const FieldType kInstructionToken{FieldKind::bits, "instruction token", nullptr, kInstructionFields};
const FieldType kCommentToken{FieldKind::bits, "comment token", nullptr, kCommentFields};
const FieldType kUsageToken{FieldKind::bits, "usage token", nullptr, kUsageFields};
const FieldType kDestinationToken{FieldKind::custom, "destination token", nullptr, kDestinationFields,
                                  [](Text& out, View bytes, std::uint32_t context) { print_operand_token(out, bytes, context, true); }};
const FieldType kSourceToken{FieldKind::custom, "source token", nullptr, kSourceFields,
                             [](Text& out, View bytes, std::uint32_t context) { print_operand_token(out, bytes, context, false); }};

const OpcodeInfo* find_opcode(std::uint32_t code) {
  if (code >= kCodes || kRowOfCode[code] == kNoRow) return nullptr;
  return &kRows[kRowOfCode[code]];
}

void print(Text& out, Version version) {
  if (version.is_pixel() || version.is_vertex()) {
    out << (version.is_pixel() ? 'p' : 'v') << "s_";
  } else {
    out << "unknown(0x";
    out.hex(version.token >> 16, 4) << ")_";
  }
  out.dec(version.major()) << '_';
  if (version.minor() == 0xff) {
    out << "sw";
  } else if (version.minor() == 1 && version.major() == 2) {
    out << 'x';
  } else {
    out.dec(version.minor());
  }
}

void print(Text& out, const Operand& operand, Version version) { out.commit(append_operand(out.grow(kOperandRoom), operand, version)); }

Cursor::Cursor(View program) : program_(program) {
  if (const auto token = program.u32(0)) {
    version_.token = *token;
  } else {
    state_ = State::truncated;
  }
}

bool Cursor::next(Instruction& instruction) {
  if (state_ != State::running) return false;
  if (!program_.holds(at_, 4)) {
    state_ = State::truncated;
    return false;
  }
  const auto token = program_.load_unchecked<std::uint32_t>(at_);
  const std::uint32_t code = kOpcodeBits.get(token);
  if (code == kEndCode) {
    state_ = State::ended;
    return false;
  }
  const OpcodeInfo* const info = find_opcode(code);
  std::uint32_t body_tokens = 0;
  if (code == kCommentCode) {
    body_tokens = kCommentLengthBits.get(token);
  } else if (version_.major() >= 2) {
    body_tokens = kLengthBits.get(token);
  } else if (info != nullptr && info->unit == Unit::none) {
    body_tokens = info->token_count;  // the numbers of a definition may look like any token
  } else {
    // Shader model 1 states no length: operands are the tokens with the highest bit set.
    while (program_.holds(at_ + 4 + std::size_t{body_tokens} * 4, 4) &&
           kOperandBit.get(program_.load_unchecked<std::uint32_t>(at_ + 4 + std::size_t{body_tokens} * 4)) != 0) {
      ++body_tokens;
    }
  }
  const auto body = program_.sub(std::size_t{at_} + 4, std::size_t{body_tokens} * 4);
  if (!body) {
    state_ = State::truncated;
    return false;
  }
  instruction = {at_, token, body_tokens + 1, info, *body};
  at_ += (body_tokens + 1) * 4;
  return true;
}

void decode(const Instruction& instruction, Version version, Operands& operands) {
  operands.count = 0;
  operands.predicate.reset();
  operands.tokens_used = 0;
  if (instruction.info == nullptr) return;
  const View body = instruction.body;
  const std::size_t size = body.size();
  std::size_t at = 0;
  const auto more = [&] { return size - at >= 4; };
  const auto take = [&] {
    const auto token = body.load_unchecked<std::uint32_t>(at);
    at += 4;
    return token;
  };
  for (std::size_t i = 0; i < instruction.info->token_count && more(); ++i) {
    const char kind = instruction.info->tokens[i];
    if (!OpcodeInfo::is_operand(kind)) {
      at += 4;  // stays in the body
      continue;
    }
    const bool is_destination = OpcodeInfo::is_destination(kind);
    Operand& operand = operands.items[operands.count++];
    operand = decode_operand(take(), is_destination);
    if (operand.relative) operand.relative_token = version.major() >= 2 && more() ? take() : kImpliedAddress;
    if (is_destination && kPredicatedBit.get(instruction.token) != 0 && more()) operands.predicate = decode_operand(take(), false);
  }
  operands.tokens_used = static_cast<std::uint32_t>(at / 4);
}

void print(Text& out, const Instruction& instruction, const Operands& operands, Version version) {
  const OpcodeInfo* const info = instruction.info;
  if (info == nullptr) {
    out << "unknown(0x";
    out.hex(instruction.code()) << ')';
    for (std::size_t at = 0; at < instruction.body.size(); at += 4) {
      out << (at == 0 ? " 0x" : ", 0x");
      out.hex(instruction.body.load_unchecked<std::uint32_t>(at), 8);
    }
    return;
  }
  constexpr std::size_t kNameRoom = 64;
  char* at = out.grow(kNameRoom + 6 * kOperandRoom);
  if (operands.predicate) {
    *at++ = '(';
    at = append_operand(at, *operands.predicate, version);
    at = append(at, ") ");
  }
  at = append(at, info->text);
  const View body = instruction.body;
  const auto opcode = static_cast<Opcode>(info->code);
  const std::uint32_t control = kControlBits.get(instruction.token);
  switch (opcode) {
    case Opcode::dcl:
      if (operands.count != 0 && body.size() >= 8) {
        const auto usage_token = body.load_unchecked<std::uint32_t>(0);
        const RegisterType type = operands.items[0].type;
        if (type == RegisterType::sampler) {
          const std::string_view name = kTextureTypeNames.find(kTextureTypeBits.get(usage_token));
          *at++ = '_';
          at = append(at, name.empty() ? "unknown" : name);
        } else if (!version.is_pixel() || (version.major() >= 3 && type == RegisterType::input)) {
          const std::string_view name = kUsageNames.find(kUsageBits.get(usage_token));
          *at++ = '_';
          at = append(at, name.empty() ? "unknown" : name);
          if (const auto index = kUsageIndexBits.get(usage_token); index != 0) at = append_number(at, index);
        }
      }
      break;
    case Opcode::texld:
      if (control == 1) *at++ = 'p';
      if (control == 2) *at++ = 'b';
      break;
    case Opcode::ifc:
    case Opcode::breakc:
    case Opcode::setp: at = append(at, kComparisons[control & 7]); break;
    default: break;
  }
  if (operands.count != 0 && operands.items[0].is_destination) {
    const auto modifier = operands.items[0].result_modifier;
    if ((modifier & kSaturate) != 0) at = append(at, "_sat");
    if ((modifier & kPartialPrecision) != 0) at = append(at, "_pp");
    if ((modifier & kCentroid) != 0) at = append(at, "_centroid");
  }
  for (std::size_t i = 0; i < operands.count; ++i) {
    at = append(at, i == 0 ? " " : ", ");
    // observed: no components after a sampler that is declared or a constant that is defined
    Operand operand = operands.items[i];
    if (info->unit == Unit::none && (operand.type == RegisterType::sampler || !info->declares())) operand.write_mask = WriteMask::all();
    at = append_operand(at, operand, version);
  }
  if (info->defines()) {
    for (std::size_t from = 4; from < body.size() && from <= 16; from += 4) {
      const auto bits = body.load_unchecked<std::uint32_t>(from);
      at = append(at, ", ");
      const char kind = info->tokens[1];
      if (kind == 'f') {
        at = append_float(at, bits);
      } else if (kind == 'i') {
        at = std::to_chars(at, at + 11, static_cast<std::int32_t>(bits)).ptr;
      } else {
        at = append(at, bits != 0 ? "true" : "false");  // guess
      }
    }
  }
  out.commit(at);
}

Result<void> check(View program) {
  Cursor cursor(program);
  Instruction instruction;
  while (cursor.next(instruction)) {
  }
  if (cursor.state() == Cursor::State::ended) return {};
  return Error{ErrorCode::truncated, program.file_offset() + std::min<std::size_t>(cursor.position(), program.size()), "tokens",
               "the token stream has no end token"};
}

}  // namespace unshade::dxbc::sm2

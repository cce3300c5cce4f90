// Statements: mnemonics with their suffixes, extensions, custom data.
#include "dxbc/assemble/program.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <span>
#include <string>

#include <unshade/core/lanes.hpp>
#include <unshade/core/limits.hpp>
#include <unshade/core/text/characters.hpp>
#include <unshade/dxbc/program/rules.hpp>

#include "dxbc/assemble/lookup.hpp"
#include "dxbc/listing/lines.hpp"
#include "dxbc/listing/words.hpp"
#include "dxbc/program/enum_text.hpp"
#include "dxbc/program/token.hpp"

namespace unshade::dxbc::assembler {

namespace {

constexpr std::string_view kStatement = "an instruction or declaration";

/// What RenderDoc calls sampleinfo, and says for a result of floats.
constexpr std::string_view kFloatOrUint = "sample_info";
constexpr std::string_view kFloat = "_float";

/// The line that RenderDoc puts before a listing. observed: in published ones
constexpr std::string_view kShaderHash = "Shader hash ";

constexpr std::size_t kTokenDigits = 8;

/// ps_4_1: the two letters are the caller's to check.
bool is_profile(std::string_view text) {
  return text.size() == 6 && text[2] == '_' && (text[3] == '4' || text[3] == '5') && text[4] == '_' && (text[5] == '0' || text[5] == '1');
}
/// ps_2_x
bool is_level9_profile(std::string_view text) {
  return text.size() == 6 && (text.starts_with("ps_") || text.starts_with("vs_")) && text[3] >= '1' && text[3] <= '3' && text[4] == '_';
}

}  // namespace

// --- the whole -------------------------------------------------------------------------------------------------------------------------

bool ProgramAssembler::more() {
  for (;;) {
    const bool is_stepped_over =
        scan_.rest().starts_with(listing::words::kLine) || (profile_at_ == nullptr && scan_.rest().starts_with(kShaderHash));
    if (!scan_.at_line_end() && !is_stepped_over) return true;
    if (scan_.at_end() || scan_.messages().full()) return false;
    scan_.skip_line();
  }
}

void ProgramAssembler::assume_version(std::uint32_t version) {
  is_5_1_ =
      program::token::kMajor.get(version) > 5 || (program::token::kMajor.get(version) == 5 && program::token::kMinor.get(version) >= 1);
  tokens_.assign({version, 0});
}

void ProgramAssembler::skip_level9() {
  if (!more()) return;
  const char* from = scan_.at();
  const bool is_level9 = is_level9_profile(scan_.name());
  scan_.set(from);
  if (!is_level9) return;
  has_level9_ = true;
  for (;;) {
    scan_.skip_line();
    if (!more() || at_part_statement() || scan_.rest().starts_with(listing::words::kVersion)) return;
    from = scan_.at();
    const bool found = is_profile(scan_.name());
    scan_.set(from);
    if (found) return;
  }
}

bool ProgramAssembler::profile() {
  skip_level9();
  if (more()) skip_numbering();
  constexpr std::string_view kExpected = "a profile: ps, vs, gs, hs, ds or cs, _, and 4_0, 4_1, 5_0 or 5_1";
  if (!more()) return scan_.fail(MessageKind::no_profile, kExpected);
  const char* from = scan_.at();
  profile_at_ = from;
  std::uint32_t version = 0;
  if (scan_.take(listing::words::kVersion)) {
    if (!scan_.number(version, "a version token")) return false;
    assume_version(version);
    const auto said = comment();
    std::string means(profile_prefix(static_cast<Stage>(program::token::kStage.get(version))));
    means += '_' + std::to_string(program::token::kMajor.get(version)) + '_' + std::to_string(program::token::kMinor.get(version));
    return said.empty() || said == means ||
           scan_.messages().report(MessageKind::disagreement, said.data(), "the version token is " + means);
  }
  const std::string_view text = scan_.name();
  for (std::uint16_t stage = 0; !id(static_cast<Stage>(stage)).empty(); ++stage) {
    if (!text.starts_with(profile_prefix(static_cast<Stage>(stage)))) continue;
    if (!is_profile(text)) break;
    version = program::token::kStage.put(version, stage);
    version = program::token::kMajor.put(version, static_cast<std::uint32_t>(text[3] - '0'));
    version = program::token::kMinor.put(version, static_cast<std::uint32_t>(text[5] - '0'));
    assume_version(version);
    return true;
  }
  std::string lower_case(text);
  for (char& c : lower_case) c = lower(c);
  if (is_profile(lower_case) && lower_case != text)
    return scan_.messages().report(MessageKind::no_profile, from, "the profile must be in small letters: `" + lower_case + '`');
  scan_.set(from);
  return scan_.fail(MessageKind::no_profile, kExpected);
}

void ProgramAssembler::statements() {
  constexpr std::size_t kTextPerToken = 4;  // observed: five characters to a token and more
  tokens_.reserve(tokens_.size() + scan_.rest().size() / kTextPerToken);
  if (!scan_.at_line_end()) scan_.fail(MessageKind::syntax, "the end of the line");
  scan_.skip_line();
  while (more() && !at_part_statement()) {
    skip_numbering();
    starts_.push_back({scan_.at(), tokens_.size()});
    if (statement() && !scan_.at_line_end()) scan_.fail(MessageKind::syntax, "the end of the line");
    if (starts_.back().token == tokens_.size()) starts_.pop_back();  // custom data that the text does not have
    scan_.skip_line();
  }
}

// What listings put before a statement: its number, `12:` (RenderDoc; fxc /Ni), its offset, `0x0001a4` (dis --offsets), its first tokens,
// `01000035 ` (dis --bytes). No statement begins with a digit, and no mnemonic is eight hexadecimal digits.
void ProgramAssembler::skip_numbering() {
  const auto hex_digits = [&](std::size_t from) {
    std::size_t count = 0;
    while (hex_digit(scan_.peek(from + count)) >= 0) ++count;
    return count;
  };
  const auto at_token = [&] { return hex_digits(0) == kTokenDigits && scan_.peek(kTokenDigits) == ' '; };
  for (unsigned numbers = 0; numbers < 2 && is_digit(scan_.peek()) && !at_token(); ++numbers) {
    if (scan_.take("0x")) {
      for (std::size_t count = hex_digits(0); count != 0; --count) scan_.next();
    } else {
      while (is_digit(scan_.peek())) scan_.next();
    }
    scan_.take_next(':');
    scan_.blanks();
  }
  bool has_tokens = false;
  for (; at_token(); scan_.blanks()) {
    for (std::size_t i = 0; i < kTokenDigits; ++i) scan_.next();
    has_tokens = true;
  }
  if (has_tokens && scan_.take("...")) scan_.blanks();
}

bool ProgramAssembler::at_part_statement() const {
  if (scan_.peek() != '.') return false;
  for (const auto word : {listing::words::kPart, listing::words::kStatistic, listing::words::kCompileFlags, listing::words::kPacked,
                          listing::words::kDigest, listing::words::kAfter, listing::words::kTrailing})
    if (scan_.rest().starts_with(word) && !is_name_character(scan_.peek(word.size()))) return true;
  return false;
}

std::vector<std::uint32_t> ProgramAssembler::take() {
  tokens_[1] = static_cast<std::uint32_t>(tokens_.size());
  return std::move(tokens_);
}

bool ProgramAssembler::statement() {
  if (scan_.peek() == '.') return raw_tokens();
  Mnemonic found;
  if (!mnemonic(found)) return false;
  if (found.at == nullptr) return true;  // custom data
  if (find_opcode(found.code)->counted == Counted::dcl) return declaration(found);
  return instruction(found);
}

// `.tokens 0x0500003e, 0x...`: one instruction as it is.
bool ProgramAssembler::raw_tokens() {
  const char* const at = scan_.at();
  if (!scan_.take(listing::words::kTokens)) return scan_.fail(MessageKind::unknown_instruction, kStatement);
  const std::size_t first = tokens_.size();
  do {
    std::uint32_t value = 0;
    if (!scan_.number(value, "a token")) return false;
    push(value);
  } while (scan_.take_next(','));
  const auto said = comment();
  const std::span<const std::uint32_t> statement = std::span<const std::uint32_t>(tokens_).subspan(first);
  // More or fewer would be read as part of the statements after them.
  if (!listing::is_one_instruction(statement, tokens_[0]))
    return scan_.messages().report(MessageKind::instruction_length, at,
                                   std::to_string(statement.size()) + " tokens, which must be one whole instruction");
  return said.empty() || listing::is_listing_of(said, statement, tokens_[0]) ||
         scan_.messages().report(MessageKind::disagreement, said.data(), "the tokens encode a different instruction than the comment");
}

// What the comment at the end of the line says.
std::string_view ProgramAssembler::comment() {
  scan_.blanks();
  if (!scan_.rest().starts_with("//")) return {};
  std::string_view text = scan_.rest().substr(2);
  text = text.substr(0, text.find_first_of("\r\n"));
  while (text.starts_with(' ')) text.remove_prefix(1);
  while (text.ends_with(' ')) text.remove_suffix(1);
  return text;
}

// The longest row whose text the word begins with, up to an underscore; the rest are suffixes.
bool ProgramAssembler::mnemonic(Mnemonic& mnemonic) {
  const char* from = scan_.at();
  const std::string_view word = scan_.name();
  if (word == kFloatOrUint) {
    scan_.set(from);
    return scan_.messages().report(MessageKind::unknown_instruction, from,
                                   "`sample_info` does not tell the type of its result: write `sampleinfo` for float or `sampleinfo_uint`");
  }
  constexpr std::size_t kLongest = 64;  // no mnemonic with its suffixes is longer
  std::size_t size = word.size() <= kLongest ? word.size() : 0;
  while (size != 0) {
    if (const auto code = find_mnemonic(word.substr(0, size))) {
      mnemonic = {from, *code, word.substr(size)};
      return true;
    }
    const auto underscore = word.rfind('_', size - 1);
    size = underscore == std::string_view::npos ? 0 : underscore;
  }
  if (word == kFloatOrUint) {
    scan_.set(from);
    return scan_.messages().report(MessageKind::unknown_instruction, from,
                                   "`sample_info` does not tell the type of its result: write `sampleinfo` for float or `sampleinfo_uint`");
  }
  if (word == listing::words::kImmediateBuffer) return immediate_buffer();
  if (word == listing::words::kOtherCustomData.substr(0, word.size()) && !word.empty()) {
    scan_.set(from);
    if (scan_.take(listing::words::kOtherCustomData)) return other_custom_data(from);
    return scan_.fail(MessageKind::unknown_instruction, kStatement);
  }
  for (const auto& known : listing::words::kMessages)
    if (word == known.text) return message(known.id);
  scan_.set(from);
  return scan_.fail(MessageKind::unknown_instruction, kStatement, mnemonic_meant(word));
}

// --- custom data -----------------------------------------------------------------------------------------------------------------------

// `dcl_immediateConstantBuffer { { 1.0, 0, 0, 0}, { ... } }`, over as many lines as it takes.
bool ProgramAssembler::immediate_buffer() {
  const std::size_t first = tokens_.size();
  push(program::token::kCustomDataClass.put(static_cast<std::uint32_t>(Opcode::customdata),
                                            static_cast<std::uint32_t>(CustomData::immediate_constant_buffer)));
  push(0);
  if (!scan_.expect('{')) return false;
  scan_.blanks_and_lines();
  while (!scan_.take('}')) {
    if (!scan_.expect('{')) return false;
    for (unsigned i = 0; i < 4; ++i) {
      scan_.blanks_and_lines();
      if (i != 0 && !comma()) return false;
      scan_.blanks_and_lines();
      std::uint32_t bits = 0;
      if (!scan_.literal(bits, 'm', options_.guess_rounded)) return false;
      push(bits);
    }
    scan_.blanks_and_lines();
    if (!scan_.expect('}')) return false;
    scan_.blanks_and_lines();
    if (!scan_.take(',') && scan_.peek() != '}') return scan_.fail(MessageKind::syntax, "`,` or `}`");
    scan_.blanks_and_lines();
  }
  tokens_[first + 1] = static_cast<std::uint32_t>(tokens_.size() - first);
  return true;
}

// `undecipherable custom data`, without the data, or with all its tokens after it, as 3Dmigoto adds them.
bool ProgramAssembler::other_custom_data(const char* at) {
  const std::size_t first = tokens_.size();
  while (!scan_.at_line_end()) {
    std::uint32_t value = 0;
    if (!scan_.number(value, "a token of the custom data, such as 0x00000035")) return false;
    push(value);
  }
  if (tokens_.size() == first) {
    scan_.messages().report(MessageKind::custom_data_left_out, at, "the listing does not have this custom data: it is left out");
    return true;
  }
  const std::span<const std::uint32_t> statement = std::span<const std::uint32_t>(tokens_).subspan(first);
  return listing::is_one_instruction(statement, tokens_[0]) ||
         scan_.messages().report(MessageKind::instruction_length, at,
                                 std::to_string(statement.size()) + " tokens, which must be one whole instruction");
}

// `printf "%0 is not %1", r0.x, r1.y`
bool ProgramAssembler::message(std::uint32_t id) {
  const std::size_t first = tokens_.size();
  push(program::token::kCustomDataClass.put(static_cast<std::uint32_t>(Opcode::customdata),
                                            static_cast<std::uint32_t>(CustomData::shader_message)));
  for (const std::uint32_t value : {0U, id, listing::words::kMessageStyle, 0U, 0U, 0U}) push(value);
  if (!scan_.expect('"')) return false;
  const std::string_view rest = scan_.rest();
  const auto line_end = rest.substr(0, rest.find('\n')).rfind('"');
  // operands hold no quotes: the last one on the line ends the format
  if (line_end == std::string_view::npos) return scan_.fail(MessageKind::syntax, "the text of a message and a closing `\"`");
  // Quotes are not escaped, so that a comment with quotes may be part of the format.
  for (std::size_t quote = rest.find('"'); quote < line_end; quote = rest.find('"', quote + 1)) {
    const std::string_view after = rest.substr(quote + 1, line_end - quote);
    const std::size_t next = std::min(after.find_first_not_of(" \t"), after.size());
    const std::size_t comment = after.find("//", next);
    if (comment == std::string_view::npos || (comment != next && after[next] != ',') || after.find('"') < comment) continue;
    return scan_.messages().report(MessageKind::syntax, after.data() + comment,
                                   "a comment after a message must have no quotes: the message could end at the last of them");
  }
  const std::string_view text = rest.substr(0, line_end);
  std::string format;
  if (!message_format(text, format)) return false;
  scan_.set(rest.data() + line_end + 1);
  const std::size_t operands = tokens_.size();
  std::uint32_t count = 0;
  for (; scan_.take_next(','); ++count)
    if (!operand('m', limits::kOperandNesting)) return false;
  tokens_[first + 4] = static_cast<std::uint32_t>(format.size());
  tokens_[first + 5] = count;
  tokens_[first + 6] = static_cast<std::uint32_t>(tokens_.size() - operands);
  // characters, a zero, and zeros up to a token
  for (std::size_t i = 0; i <= format.size(); i += 4) {
    std::uint32_t packed = 0;
    for (std::size_t c = i; c < i + 4 && c < format.size(); ++c)
      packed |= static_cast<std::uint32_t>(static_cast<unsigned char>(format[c])) << (8 * (c - i));
    push(packed);
  }
  tokens_[first + 1] = static_cast<std::uint32_t>(tokens_.size() - first);
  return true;
}

// The characters between the quotes of a message.
bool ProgramAssembler::message_format(std::string_view text, std::string& format) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\\') {
      format += text[i];
      continue;
    }
    const char letter = i + 1 < text.size() ? text[++i] : '\0';
    const auto* const escape = std::ranges::find(listing::words::kEscapes, letter, &listing::words::Escape::letter);
    if (escape == std::end(listing::words::kEscapes)) {
      scan_.set(text.data() + i - (letter == '\0' ? 0 : 1));
      return scan_.fail(MessageKind::syntax, "one of the escapes \\n, \\r, \\t, \\b and \\\\");
    }
    format += escape->character;
  }
  return true;
}

// --- instructions ----------------------------------------------------------------------------------------------------------------------

bool ProgramAssembler::suffixes(const Mnemonic& mnemonic, std::uint32_t& word, bool& has_offsets, bool& is_indexable) {
  const OpcodeInfo& info = *find_opcode(mnemonic.code);
  std::string_view rest = mnemonic.suffixes;
  const auto take = [&](std::string_view text) {
    if (!rest.starts_with(text)) return false;
    rest.remove_prefix(text.size());
    return true;
  };
  switch (info.control) {
    case Control::sat:
      if (take(listing::words::kSaturate)) word = program::token::kSaturate.put(word, 1);
      break;
    case Control::test:
      // discard has no suffix in listings of the DirectX SDK, for either; non-zero is the usual one
      if (take(listing::words::kNonZero) || rest.empty())
        word = program::token::kNonZero.put(word, 1);
      else
        take(listing::words::kZero);
      break;
    case Control::sync:
      for (const auto& suffix : listing::words::kSyncSuffixes) {
        const std::string_view before = rest;
        if (!take(suffix.text)) continue;
        if (&suffix == listing::words::kSyncSuffixes && !rest.starts_with("_u")) {  // it is only said beside what it is part of
          rest = before;
          break;
        }
        word = suffix.bit.put(word, 1);
      }
      break;
    default:
      has_offsets = take(listing::words::kOffsets);
      is_indexable = take(listing::words::kIndexable);
      // of resinfo_uint; after an extension it comes later
      if (info.control == Control::return_type && !rest.empty() && !is_indexable) {
        if (take(listing::words::kReciprocal) || take(listing::words::kReciprocalDocumented))
          word = program::token::kReturnType.put(word, 1);
        else if (take(listing::words::kUint))
          word = program::token::kReturnType.put(word, mnemonic.code == static_cast<std::uint32_t>(Opcode::sampleinfo) ? 1 : 2);
      }
      break;
  }
  if (rest.empty()) return true;
  scan_.set(rest.data());
  return scan_.fail(MessageKind::invalid_suffix, "a valid suffix of " + std::string(info.text));
}

// (1,0,-1)(texture2d)(float,float,float,float)
bool ProgramAssembler::extensions(std::size_t first, std::uint32_t& word, bool has_offsets, bool is_indexable) {
  std::size_t last = first;
  const auto extend = [&](std::uint32_t extension) {
    tokens_[last] = program::token::kExtended.put(tokens_[last], 1);
    last = tokens_.size();
    push(extension);
  };
  tokens_[first] = word;
  // older listings: sample(1,0,0)
  const bool short_offsets = !has_offsets && scan_.peek() == '(' && (is_digit(scan_.peek(1)) || scan_.peek(1) == '-');
  if (has_offsets || short_offsets) {
    if (!scan_.expect('(')) return false;
    std::uint32_t extension = program::token::kExtendedSampleControls;
    for (const Bits& bits : {program::token::kOffsetU, program::token::kOffsetV, program::token::kOffsetW}) {
      if (bits.first != program::token::kOffsetU.first && !comma()) return false;
      scan_.blanks();
      const bool negative = scan_.take('-');
      std::uint32_t value = 0;
      if (!scan_.number_up_to(value, negative ? 8 : 7, "a texel offset")) return false;
      extension = bits.put(extension, negative ? 0U - value : value);
    }
    if (!scan_.expect(')')) return false;
    extend(extension);
  }
  // RenderDoc: sample_l(texture2d)(float,float,float,float), and after sample_indexable(1,0,0) there may be nothing
  if ((is_indexable && scan_.peek() == '(') || at_dimension()) {
    if (!scan_.expect('(')) return false;
    std::uint32_t dimension = 0;
    if (!named(program::kResourceDimensionNames, dimension, "a dimension", 31)) return false;
    std::uint32_t extension = program::token::kExtendedDimension.put(program::token::kExtendedResourceDimension, dimension);
    if (scan_.take_next(',')) {
      scan_.blanks();
      std::uint32_t stride = 0;
      if (!scan_.take(listing::words::kStride)) return scan_.fail(MessageKind::syntax, "`stride=`");
      if (!scan_.number_up_to(stride, (1U << program::token::kExtendedStride.count) - 1, "a stride in bytes")) return false;
      extension = program::token::kExtendedStride.put(extension, stride);
    }
    if (!scan_.expect(')')) return false;
    extend(extension);
  }
  if (scan_.peek() == '(') {
    std::uint32_t types = 0;
    if (!return_types(types)) return false;
    extend(program::token::kExtendedReturnTypes.put(program::token::kExtendedResourceReturnTypes, types));
  }
  word = tokens_[first];
  return true;
}

// Whether a resource's dimension in parentheses follows.
bool ProgramAssembler::at_dimension() {
  const char* const from = scan_.at();
  const bool found = scan_.take('(') && find_value(program::kResourceDimensionNames, scan_.name());
  scan_.set(from);
  return found;
}

bool ProgramAssembler::return_type_suffix(const Mnemonic& mnemonic, std::uint32_t& word) {
  if (find_opcode(mnemonic.code)->control != Control::return_type) return true;
  if (scan_.take(listing::words::kReciprocal) || scan_.take(listing::words::kReciprocalDocumented)) {
    word = program::token::kReturnType.put(word, 1);
  } else if (scan_.take(listing::words::kUint)) {
    // sampleinfo knows float and uint only. src: D3D10_SB_INSTRUCTION_RETURN_TYPE
    word = program::token::kReturnType.put(word, mnemonic.code == static_cast<std::uint32_t>(Opcode::sampleinfo) ? 1 : 2);
  } else {
    scan_.take(kFloat);
  }
  return true;
}

// [precise] or [precise(xz)]
bool ProgramAssembler::precise(std::uint32_t& word) {
  scan_.blanks();
  if (!scan_.take(listing::words::kPrecise)) return true;
  std::uint32_t mask = 15;
  if (scan_.take('(')) {
    const auto letters = scan_.letters();
    const auto lanes = WriteMask::parse(letters);
    if (!lanes || lanes->empty()) {
      scan_.set(letters.data());
      return scan_.fail(MessageKind::invalid_components, "a mask of x, y, z and w");
    }
    mask = lanes->bits();
    if (!scan_.expect(')')) return false;
  }
  word = program::token::kPrecise.put(word, mask);
  return scan_.expect(']');
}

bool ProgramAssembler::instruction(const Mnemonic& mnemonic) {
  const std::size_t first = tokens_.size();
  const OpcodeInfo& info = *find_opcode(mnemonic.code);
  std::uint32_t word = mnemonic.code;
  push(word);
  bool has_offsets = false;
  bool is_indexable = false;
  if (!mnemonic.suffixes.empty() || info.control == Control::test) {
    const char* const behind = scan_.at();
    if (!suffixes(mnemonic, word, has_offsets, is_indexable)) return false;
    scan_.set(behind);
  }
  if (scan_.peek() == '(') {
    if (!extensions(first, word, has_offsets, is_indexable)) return false;
    return_type_suffix(mnemonic, word);
  } else if (has_offsets) {
    return scan_.fail(MessageKind::syntax, "`(`");
  } else if (is_indexable) {
    return_type_suffix(mnemonic, word);  // RenderDoc writes ld_indexable, sample_indexable and resinfo_indexable for all that is none
  }
  scan_.blanks();
  if (scan_.peek() == '[' && !precise(word)) return false;

  if (mnemonic.code == static_cast<std::uint32_t>(Opcode::interface_call)) {
    // fp0[r0.x + 1][2]: the last index is the function's number, which precedes the operand
    push(0);
    const std::size_t token = tokens_.size();
    if (!operand('i', limits::kOperandNesting)) return false;
    const std::uint32_t dimensions = program::token::kDimensions.get(tokens_[token]);
    if (dimensions < 2 || program::token::kIndexRepresentation[dimensions - 1].get(tokens_[token]) != program::token::kImmediate32)
      return scan_.fail(MessageKind::invalid_index, "the number of a function");
    tokens_[token] =
        program::token::kIndexRepresentation[dimensions - 1].put(program::token::kDimensions.put(tokens_[token], dimensions - 1), 0);
    tokens_[token - 1] = tokens_.back();
    tokens_.pop_back();
    return finish(first, word);
  }
  bool reads_resource = false;
  used_.clear();
  const std::size_t destination = tokens_.size();
  for (unsigned i = 0; i < info.shape.size(); ++i) {
    const char kind = info.shape[i];
    if (i != 0 && !comma()) return false;
    const std::size_t token = tokens_.size();
    const std::size_t used = used_.size();
    if (!operand(kind, limits::kOperandNesting)) return false;
    for (std::size_t u = used; u < used_.size(); ++u) used_[u].is_converted = used_[u].token == token && info.converts_precision(i);
    reads_resource |= kind == 'r' && program::token::kOperandType.get(tokens_[token]) == static_cast<std::uint32_t>(OperandType::resource);
  }
  if (!used_.empty() && !used_precisions(info, destination)) return false;
  // observed: if there are offsets, the token is theirs; samplepos of the rasterizer has none either
  if (reads_resource && !has_offsets && find_opcode(mnemonic.code)->has(traits::spare)) push(0);
  return finish(first, word);
}

bool ProgramAssembler::finish(std::size_t first, std::uint32_t word) {
  const std::size_t length = tokens_.size() - first;
  if (length >= std::size_t{1} << program::token::kLength.count)
    return scan_.fail(MessageKind::instruction_length, "an instruction of at most 127 tokens");
  tokens_[first] = program::token::kLength.put(word, static_cast<std::uint32_t>(length));
  return true;
}

}  // namespace unshade::dxbc::assembler

namespace unshade::dxbc {

ProgramAssembly assemble_program(std::string_view text, const AssemblerOptions& options) {
  ProgramAssembly assembly;
  assembler::Messages messages(text);
  assembler::ProgramAssembler program(text, messages, options);
  if (program.profile()) {
    if (program.has_level9()) messages.report(MessageKind::level9_left_out, text.data(), "the level 9 code before the program is left out");
    program.statements();
    if (program.more()) program.scanner().fail(MessageKind::unknown_instruction, assembler::kStatement);
    assembly.tokens = program.take();
  }
  assembly.ok = !messages.failed();
  assembly.messages = messages.take();
  return assembly;
}

}  // namespace unshade::dxbc

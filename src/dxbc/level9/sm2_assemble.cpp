// The assembler knows no name of its own: it asks the printer what each register, modifier and instruction is called, once for a program.

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include <unshade/core/bits/little_endian.hpp>
#include <unshade/core/lanes.hpp>
#include <unshade/core/text/characters.hpp>
#include <unshade/core/text/numbers.hpp>
#include <unshade/core/value.hpp>
#include <unshade/dxbc/level9/sm2_assemble.hpp>
#include <unshade/dxbc/level9/sm2_tokens.hpp>
#include <unshade/dxbc/sm2.hpp>

namespace unshade::dxbc::sm2 {

namespace {

constexpr std::string_view kCommentWord = "comment";
constexpr std::string_view kTokensWord = "tokens";
constexpr unsigned kRegisterTypes = 32;
constexpr unsigned kModifiers = 14;
constexpr unsigned kResultModifiers = 8;
constexpr std::uint32_t kOperandMark = 0x8000'0000U;

std::optional<std::uint32_t> number_of(std::string_view text, int base = 10) {
  std::uint32_t value = 0;
  const char* const end = text.data() + text.size();
  const auto done = std::from_chars(text.data(), end, value, base);
  if (text.empty() || done.ec != std::errc{} || done.ptr != end) return std::nullopt;
  return value;
}

/// The versions that Version::is_known() knows: stages, majors, minors.
constexpr std::uint32_t kVersionStages[] = {0xffff, 0xfffe};
constexpr std::uint32_t kVersionMajors = 3;
constexpr std::uint32_t kVersionMinors[] = {0, 1, 2, 3, 4, 0xff};
constexpr std::size_t kKnownVersions = std::size(kVersionStages) * kVersionMajors * std::size(kVersionMinors);
constexpr Version known_version(std::size_t row) {
  const std::uint32_t stage = kVersionStages[row / (kVersionMajors * std::size(kVersionMinors))];
  const auto major = static_cast<std::uint32_t>(row / std::size(kVersionMinors) % kVersionMajors) + 1;
  return {stage << 16 | major << 8 | kVersionMinors[row % std::size(kVersionMinors)]};
}
static_assert([] {
  std::size_t known = 0;
  for (const std::uint32_t stage : kVersionStages)
    for (std::uint32_t model = 0; model <= 0xfff; ++model) known += Version{stage << 16 | model}.is_known() ? 1 : 0;
  for (std::size_t row = 0; row < kKnownVersions; ++row) known -= known_version(row).is_known() ? 1 : 0;
  return known == 0;
}());

std::optional<Version> version_of(std::string_view word) {
  for (std::size_t row = 0; row < kKnownVersions; ++row) {
    Text text;
    print(text, known_version(row));
    if (text.view() == word) return known_version(row);
  }
  return std::nullopt;
}

/// The names of registers and usages in programs of a version.
class Names {
 public:
  explicit Names(Version version) : version_(version) {
    for (unsigned type = 0; type < kRegisterTypes; ++type) add_register(static_cast<RegisterType>(type));
    Operand plain;
    const std::string bare = operand_text(plain);
    for (unsigned i = 0; i < kModifiers; ++i) {
      plain.modifier = static_cast<SourceModifier>(i);
      const std::string text = operand_text(plain);
      const auto at = text.find(bare);
      modifiers_.push_back({text.substr(0, at), text.substr(at + bare.size())});
    }
    for (std::uint32_t code = 0; code < 0x100; ++code)
      if (const OpcodeInfo* const info = find_opcode(code)) add_opcode(*info);
  }

  struct Head {
    const OpcodeInfo* info;
    std::uint32_t control;
    std::uint32_t usage;  // the token of a dcl
  };
  /// Instructions of a name, less the result modifiers in it.
  std::span<const Head> heads(std::string_view word, std::uint32_t& result_modifier) const {
    for (std::uint32_t i = kResultModifiers; i-- > 0;) {
      const std::string& suffix = result_suffixes_[i];
      if (!word.ends_with(suffix)) continue;
      const auto found = heads_.find(word.substr(0, word.size() - suffix.size()));
      if (found == heads_.end()) continue;
      result_modifier = i;
      return found->second;
    }
    return {};
  }

  /// The tokens of an operand, two with relative addressing.
  bool operand(std::string_view text, bool is_destination, std::uint32_t result_modifier, std::vector<std::uint32_t>& tokens) const {
    if (is_destination) {
      const auto dot = text.find('.');
      std::uint32_t mask = dot == std::string_view::npos ? 0xf : 0;
      if (dot != std::string_view::npos) {
        for (const char c : text.substr(dot + 1)) {
          const auto component = find_component(c);
          if (!component || mask >> *component != 0) return false;
          mask |= 1U << *component;
        }
      }
      std::uint32_t token = 0;
      if (!reg(text.substr(0, dot), token)) return false;
      tokens.push_back(kResultModifierBits.put(kWriteMaskBits.put(token, mask), result_modifier));
      return true;
    }
    for (std::uint32_t i = kModifiers; i-- > 0;) {
      const auto& [before, behind] = modifiers_[i];
      if (!text.starts_with(before)) continue;
      std::string_view rest = text.substr(before.size());
      Swizzle swizzle;
      if (const auto dot = rest.rfind('.'); dot != std::string_view::npos && rest.find(']', dot) == std::string_view::npos) {
        const std::string_view letters = rest.substr(dot + 1);
        const auto parsed = letters.size() == 1 || letters.size() == kComponents ? Swizzle::parse(letters) : std::nullopt;
        if (!parsed) continue;
        swizzle = *parsed;
        rest = rest.substr(0, dot);
      }
      if (!rest.ends_with(behind)) continue;
      rest.remove_suffix(behind.size());
      std::optional<std::uint32_t> relative;
      if (rest.ends_with(']')) {
        const auto open = rest.find('[');
        if (open == std::string_view::npos) continue;
        std::vector<std::uint32_t> inner;
        if (!operand(rest.substr(open + 1, rest.size() - open - 2), false, inner)) continue;
        relative = inner.front();
        rest = rest.substr(0, open);
      }
      std::uint32_t token = 0;
      if (!reg(rest, token)) continue;
      token = kSourceModifierBits.put(kSwizzleBits.put(token, swizzle.bits()), i);
      tokens.push_back(kRelativeBit.put(token, relative ? 1 : 0));
      if (relative && version_.major() >= 2) tokens.push_back(*relative);
      return true;
    }
    return false;
  }

 private:
  struct RegisterName {
    std::string text;  // without its number
    bool numbered;
    std::uint32_t first;  // number of the register with index 0, or the index of one without numbers
    RegisterType type;
  };

  // Inside brackets: no brackets again.
  bool operand(std::string_view text, bool, std::vector<std::uint32_t>& tokens) const {
    if (text.find('[') != std::string_view::npos) return false;
    return operand(text, false, 0, tokens);
  }

  std::string operand_text(const Operand& operand) const {
    Text text;
    print(text, operand, version_);
    return std::string(text.view());
  }

  void add_register(RegisterType type) {
    constexpr std::uint16_t kNamed = 3;  // at most so many of a type have names of their own
    for (std::uint16_t index = 0; index < kNamed; ++index) {
      Operand operand;
      operand.type = type;
      operand.index = index;
      std::string text = operand_text(operand);
      std::size_t end = text.size();
      while (end > 0 && is_digit(text[end - 1])) --end;
      if (end == text.size()) {
        registers_.push_back({std::move(text), false, index, type});
        continue;
      }
      const auto number = number_of(std::string_view(text).substr(end));
      if (!number || text.find('(') != std::string::npos) return;
      text.resize(end);
      return registers_.push_back({std::move(text), true, *number - index, type});
    }
  }

  void add_opcode(const OpcodeInfo& info) {
    const auto head = [&](std::uint32_t control, const Operands& operands) {
      Text text;
      print(text, Instruction{0, kControlBits.put(info.code, control), 1, &info, {}}, operands, version_);
      return std::string(text.view().substr(0, text.view().find(' ')));
    };
    const Operands none{};
    constexpr std::uint32_t kControls = 8;
    for (std::uint32_t control = 0; control < kControls; ++control) {
      auto& same = heads_[head(control, none)];
      if (std::none_of(same.begin(), same.end(), [&](const Head& h) { return h.info == &info; }))
        same.push_back({&info, control, kOperandMark});
    }
    if (info.declares()) {
      constexpr std::uint32_t kUsageIndexes = 16;
      const std::string name = std::string(info.text) + '_';
      for (const NamedValue& usage : kUsageNames.values)
        for (std::uint32_t i = 0; i < kUsageIndexes; ++i)
          heads_[name + std::string(usage.id) + (i == 0 ? "" : std::to_string(i))].push_back(
              {&info, 0, kUsageIndexBits.put(kUsageBits.put(kOperandMark, usage.value), i)});
      for (const NamedValue& texture : kTextureTypeNames.values)
        heads_[name + std::string(texture.id)].push_back({&info, 0, kTextureTypeBits.put(kOperandMark, texture.value)});
    }
    if (!result_suffixes_.empty() || info.token_count == 0 || !OpcodeInfo::is_destination(info.tokens[0])) return;
    for (std::uint32_t i = 0; i < kResultModifiers; ++i) {
      Operands operands{};
      operands.count = 1;
      operands.items[0].is_destination = true;
      operands.items[0].result_modifier = static_cast<std::uint8_t>(i);
      result_suffixes_.push_back(head(0, operands).substr(head(0, none).size()));
    }
  }

  bool reg(std::string_view text, std::uint32_t& token) const {
    constexpr std::uint32_t kIndexes = 2048;
    for (const RegisterName& name : registers_) {
      std::uint32_t index = name.first;
      if (name.numbered) {
        if (text.size() <= name.text.size() || !text.starts_with(name.text)) continue;
        const auto number = number_of(text.substr(name.text.size()));
        if (!number || *number < name.first || *number - name.first >= kIndexes) continue;
        index = *number - name.first;
      } else if (text != name.text) {
        continue;
      }
      const auto type = static_cast<std::uint32_t>(name.type);
      token = kTypeHighBits.put(kTypeLowBits.put(kRegisterBits.put(kOperandMark, index), type & 7), type >> 3);
      return true;
    }
    return false;
  }

  Version version_;
  std::vector<RegisterName> registers_;
  std::vector<std::pair<std::string, std::string>> modifiers_;
  std::vector<std::string> result_suffixes_;
  std::map<std::string, std::vector<Head>, std::less<>> heads_;
};

template <std::size_t row>
const Names& names_of_row() {
  static const Names names(known_version(row));
  return names;
}

/// Of a known version, made when it is first asked for: that takes longer than most programs.
const Names& names_of(Version version) {
  constexpr auto kNames = []<std::size_t... row>(std::index_sequence<row...>) {
    return std::array<const Names& (*)(), sizeof...(row)>{&names_of_row<row>...};
  }(std::make_index_sequence<kKnownVersions>());
  std::size_t row = 0;
  while (row + 1 < kKnownVersions && known_version(row).token != version.token) ++row;
  return kNames[row]();
}

std::vector<std::string_view> split(std::string_view text) {
  std::vector<std::string_view> pieces;
  while (!text.empty()) {
    const auto comma = std::min(text.find(','), text.size());
    pieces.push_back(trimmed(text.substr(0, comma)));
    text.remove_prefix(std::min(comma + 1, text.size()));
  }
  return pieces;
}

/// A number of def, defi or defb by the letter of its shape.
std::optional<std::uint32_t> constant(std::string_view text, char kind) {
  const char* const end = text.data() + text.size();
  if (kind == 'f') {
    float value = 0;
    const auto done = read_real(text.data(), end, value);
    if (done.ec != std::errc{} || done.ptr != end) return std::nullopt;
    return std::bit_cast<std::uint32_t>(value);
  }
  if (kind == 'i') {
    std::int32_t value = 0;
    const auto done = std::from_chars(text.data(), end, value);
    if (done.ec != std::errc{} || done.ptr != end) return std::nullopt;
    return static_cast<std::uint32_t>(value);
  }
  if (text != "true" && text != "false") return std::nullopt;
  return text == "true" ? 1 : 0;
}

/// The tokens of an instruction's line; false if it is none.
bool assemble(std::string_view line, const Names& names, Version version, std::vector<std::uint32_t>& tokens) {
  const auto blank = std::min(line.find(' '), line.size());
  std::uint32_t result_modifier = 0;
  const auto pieces = split(trimmed(line.substr(blank)));
  for (const Names::Head& head : names.heads(line.substr(0, blank), result_modifier)) {
    tokens.assign(1, kControlBits.put(head.info->code, head.control));
    std::size_t piece = 0;
    bool ok = true;
    for (std::size_t i = 0; i < head.info->token_count && ok; ++i) {
      const char kind = head.info->tokens[i];
      if (kind == 'u') {
        tokens.push_back(head.usage);
        continue;
      }
      if (piece == pieces.size()) {
        ok = i >= head.info->required_count;
        break;
      }
      const std::string_view text = pieces[piece++];
      if (OpcodeInfo::is_operand(kind)) {
        const bool is_destination = OpcodeInfo::is_destination(kind);
        ok = names.operand(text, is_destination, is_destination && i <= 1 ? result_modifier : 0, tokens);
      } else if (const auto number = constant(text, kind)) {
        tokens.push_back(*number);
      } else {
        ok = false;
      }
    }
    if (!ok || piece != pieces.size() || (pieces.empty() && head.info->token_count != 0)) continue;
    if (version.major() >= 2) tokens[0] = kLengthBits.put(tokens[0], static_cast<std::uint32_t>(tokens.size() - 1));
    return true;
  }
  return false;
}

void append_hex(Text& out, View bytes) {
  for (const std::byte byte : bytes.bytes()) out.hex(std::to_integer<unsigned>(byte), 2);
}

}  // namespace

bool print_program(Text& out, View program) {
  Cursor cursor(program);
  const Version version = cursor.version();
  if (!version.is_known()) return false;
  print(out, version);
  out << '\n';
  const Names& names = names_of(version);
  Instruction instruction;
  Operands operands;
  std::vector<std::uint32_t> tokens;
  Text line;
  while (cursor.next(instruction)) {
    if (instruction.is_comment() && kOperandBit.get(instruction.token) == 0) {
      out << kCommentWord << ' ';
      append_hex(out, instruction.body);
      out << '\n';
      continue;
    }
    line.truncate(0);
    decode(instruction, version, operands);
    print(line, instruction, operands, version);
    bool same =
        assemble(line.view(), names, version, tokens) && tokens.size() == instruction.length_tokens && tokens[0] == instruction.token;
    for (std::size_t i = 1; same && i < tokens.size(); ++i) same = tokens[i] == instruction.body.load_unchecked<std::uint32_t>(4 * (i - 1));
    if (same) {
      out << line.view() << '\n';
      continue;
    }
    (out << kTokensWord << " 0x").hex(instruction.token, 8);
    for (std::size_t at = 0; at < instruction.body.size(); at += 4)
      (out << " 0x").hex(instruction.body.load_unchecked<std::uint32_t>(at), 8);
    out << '\n';
  }
  return cursor.state() == Cursor::State::ended && program.u32(cursor.position()) == kEndCode && program.size() == cursor.position() + 4U;
}

std::uint64_t hex_bytes(std::string_view text) {
  std::uint64_t digits = 0;
  while (!text.empty()) {
    const auto end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.starts_with(kCommentWord)) digits += line.size() - std::min(line.size(), kCommentWord.size() + 1);
  }
  return digits / 2;
}

Result<std::vector<std::byte>> assemble_program(std::string_view text) {
  std::vector<std::byte> bytes;
  std::optional<Version> version;
  const Names* names = nullptr;
  std::vector<std::uint32_t> tokens;
  std::size_t number = 0;
  while (!text.empty()) {
    ++number;
    const auto end = std::min(text.find('\n'), text.size());
    const std::string_view line = trimmed(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.empty()) continue;
    const auto fail = [&](const char* message) { return Error{ErrorCode::bad_value, 0, std::to_string(number), message}; };
    const auto blank = std::min(line.find(' '), line.size());
    const std::string_view word = line.substr(0, blank);
    std::string_view rest = trimmed(line.substr(blank));
    if (!version) {
      version = version_of(line);
      if (!version) return fail("expected a version such as vs_2_0 or ps_2_x");
      names = &names_of(*version);
      append_little_endian<std::uint32_t>(bytes, version->token);
    } else if (word == kCommentWord) {
      std::vector<std::byte> body;
      constexpr std::size_t kMostTokens = 0x7fff;
      if (!from_hex(rest, body) || body.size() % 4 != 0 || body.size() / 4 > kMostTokens)
        return fail("expected tokens in hexadecimal digits");
      append_little_endian<std::uint32_t>(bytes, kCommentLengthBits.put(kCommentCode, static_cast<std::uint32_t>(body.size() / 4)));
      bytes.insert(bytes.end(), body.begin(), body.end());
    } else if (word == kTokensWord) {
      while (!rest.empty()) {
        const auto next = std::min(rest.find(' '), rest.size());
        const auto token = rest.starts_with("0x") ? number_of(rest.substr(2, next - 2), 16) : std::nullopt;
        if (!token) return fail("expected numbers such as 0x02000001");
        append_little_endian<std::uint32_t>(bytes, *token);
        rest = trimmed(rest.substr(next));
      }
    } else if (assemble(line, *names, *version, tokens)) {
      append_all_little_endian<std::uint32_t>(bytes, tokens);
    } else {
      return fail("expected an instruction");
    }
  }
  if (!version) return Error{ErrorCode::missing, 0, "1", "expected a version such as vs_2_0 or ps_2_x"};
  append_little_endian<std::uint32_t>(bytes, kEndCode);
  return bytes;
}

}  // namespace unshade::dxbc::sm2

#include <unshade/spirv/listing.hpp>

#include <algorithm>
#include <charconv>
#include <cstring>
#include <optional>
#include <string>

#include <unshade/core/limits.hpp>

#include "spirv/grammar/number_text.hpp"
#include "spirv/grammar/operands.hpp"
#include "spirv/text/friendly_names.hpp"
#include "spirv/text/header.hpp"

namespace unshade::spirv {

namespace {

// The column of opcodes, with ` = ` before them.
constexpr std::size_t kIndent = 15;
constexpr std::size_t kResultWidth = kIndent - 3;

constexpr std::size_t kLongestOpcode = [] {
  std::size_t most = 0;
#define SPIRV_OP(code, id, text, group, since, capabilities, operands) most = std::max(most, sizeof "Op" text);
#include <unshade/spirv/opcodes.def>
#undef SPIRV_OP
  return most;
}();

// Escape sequences of terminals. src: observed of spirv-dis --color
constexpr std::string_view kReset = "\x1b[0m";
constexpr std::string_view kGrey = "\x1b[1;30m";
constexpr std::string_view kRed = "\x1b[31m";
constexpr std::string_view kGreen = "\x1b[32m";
constexpr std::string_view kYellow = "\x1b[33m";
constexpr std::string_view kBlue = "\x1b[34m";

class Lister {
 public:
  Lister(const IdTable& ids, const text::FriendlyNames* names, Text& out, const ListingOptions& options)
      : ids_(ids), names_(names), out_(out), options_(options), module_(ids.module()) {
    has_ambiguous_ = options.exact && names != nullptr && names->has_numbers();
    is_plain_ = !options.color && !has_ambiguous_ && (names == nullptr || names->longest() <= limits::kNameCharacters);
  }

  void list() {
    if (options_.header) text::print_header(ids_, options_.exact, out_);
    for (const Instruction instruction : module_) {
      const OpcodeInfo* const info = instruction.info();
      if (options_.comments && info != nullptr) headings(instruction, *info);
      if (options_.origins != nullptr) {
        options_.origins->push_back(
            {out_.size(), module_.bytes().file_offset() + std::uint64_t{4} * instruction.first_word(), 4 * instruction.word_count()});
      }
      line(instruction, info);
      out_ << '\n';
    }
  }

  /// Without a line end.
  void line(const Instruction& instruction, const OpcodeInfo* info) {
    const std::size_t start = out_.size();
    const std::uint32_t result_at = info == nullptr || !info->has_result ? 0 : info->has_type ? 2 : 1;
    Decoded decoded = Decoded::too_short;
    if (info != nullptr && result_at < instruction.word_count()) {
      is_lossy_ = false;
      decoded = is_plain_ ? plain_operands(instruction, *info, result_at) : all_operands(instruction, *info, result_at);
    }
    // The assembler ends an instruction with its last operand, and asks for those that are missing: such are words from their start.
    const bool is_words = decoded == Decoded::too_short || decoded == Decoded::too_long;
    if (is_words) {
      out_.truncate(start);
      if (options_.indent) out_.repeat(' ', kIndent);
      for (std::uint32_t i = 0; i < instruction.word_count(); ++i) {
        if (i != 0) out_ << ' ';
        print_word(instruction.word(i));
      }
    }
    if (options_.comments || options_.exact || options_.offsets) behind(instruction, is_words ? nullptr : info, result_at);
  }

 private:
  Decoded all_operands(const Instruction& instruction, const OpcodeInfo& info, std::uint32_t result_at) {
    char* const at = out_.grow(room(1));
    out_.commit(put_start(at, instruction, info, result_at));
    return grammar::each_operand(instruction, &info, ids_, [&](const Operand& operand) { print(instruction, operand); });
  }

  // Most operands are ids and small numbers: those at the start are written without looking at room for each, and without the general walk,
  // which goes on with what is left.
  Decoded plain_operands(const Instruction& instruction, const OpcodeInfo& info, std::uint32_t result_at) {
    const std::uint32_t end = instruction.word_count();
    char* at = put_start(out_.grow(room(end)), instruction, info, result_at);
    const OperandRule* rule = info.operands.data();
    const OperandRule* const last = rule + info.operands.size();
    std::uint32_t word = 1;
    for (; word < end && rule != last; ++word) {
      if (is_id(rule->kind)) {
        if (rule->kind != OperandKind::id_result) {
          *at++ = ' ';
          *at++ = '%';
          at = put_id(at, instruction.word(word));
        }
      } else if (rule->kind == OperandKind::literal_integer) {
        *at++ = ' ';
        at = put_number(at, instruction.word(word));
      } else {
        break;
      }
      if (rule->quantifier != Quantifier::any) ++rule;
    }
    out_.commit(at);
    return grammar::each_operand(instruction, {rule, last}, word, ids_, [&](const Operand& operand) { print(instruction, operand); });
  }

  /// Characters of a line with so many ids and numbers, before its comments.
  std::size_t room(std::size_t words) const {
    constexpr std::size_t kNumber = 10;
    constexpr std::size_t kStart = 2 * kIndent + kLongestOpcode + 2 * (kReset.size() + kRed.size());
    const std::size_t name = names_ != nullptr ? std::max(names_->longest(), kNumber) : kNumber;
    return kStart + text::FriendlyNames::kSlack + (words + 1) * (name + 2);
  }

  /// `%17 = OpLoad`, or the opcode at its column.
  char* put_start(char* at, const Instruction& instruction, const OpcodeInfo& info, std::uint32_t result_at) const {
    if (result_at != 0) {
      if (options_.color) at = put(at, kBlue);
      const std::uint32_t id = instruction.word(result_at);
      if (options_.indent) {
        // As many blanks as the longest would need, then the name after those it leaves.
        std::memset(at, ' ', kResultWidth);
        const std::size_t size = id_size(id) + 1;
        if (size < kResultWidth) at += kResultWidth - size;
      }
      *at++ = '%';
      at = put_id(at, id);
      if (options_.color) at = put(at, kReset);
      at = put(at, " = ");
    } else if (options_.indent) {
      std::memset(at, ' ', kIndent);
      at += kIndent;
    }
    *at++ = 'O';
    *at++ = 'p';
    return put(at, info.text);
  }

  static char* put(char* at, std::string_view text) {
    std::memcpy(at, text.data(), text.size());
    return at + text.size();
  }
  static char* put_number(char* at, std::uint32_t value) { return std::to_chars(at, at + 10, value).ptr; }
  std::size_t id_size(std::uint32_t id) const {
    const std::string_view name = names_ != nullptr ? names_->find(id) : std::string_view{};
    if (!name.empty()) return name.size();
    std::size_t digits = 1;
    for (; id >= 10; id /= 10) ++digits;
    return digits;
  }
  char* put_id(char* at, std::uint32_t id) const {
    if (names_ == nullptr) return put_number(at, id);
    const std::string_view name = names_->find(id);
    if (name.empty()) return put_number(at, id);
    // Nearly all names are copied in one step of a fixed size: there is room after both.
    constexpr std::size_t kStep = text::FriendlyNames::kSlack;
    std::memcpy(at, name.data(), kStep);
    if (name.size() > kStep) std::memcpy(at + kStep, name.data() + kStep, name.size() - kStep);
    return at + name.size();
  }

  void print_id(std::uint32_t id) {
    if (names_ != nullptr) {
      if (const std::string_view name = names_->find(id); !name.empty()) {
        out_ << name;
        return;
      }
    }
    out_.dec(id);
  }

  void print_word(std::uint32_t word) {
    out_ << "!0x";
    out_.hex(word, 8);
  }

  void print_words(const Instruction& instruction, const Operand& operand) {
    for (std::uint32_t i = 0; i < operand.words; ++i) {
      if (i != 0) out_ << ' ';
      print_word(instruction.word(operand.word + i));
    }
  }

  void print(const Instruction& instruction, const Operand& operand) {
    if (operand.kind == OperandKind::id_result) return;
    out_ << ' ';
    // After a word the assembler no longer knows what to expect: numbers stand for themselves only as words.
    if (is_lossy_) return print_words(instruction, operand);
    const std::uint32_t word = instruction.word(operand.word);
    switch (operand.kind) {
      case OperandKind::id_result_type:
      case OperandKind::id_ref:
      case OperandKind::id_scope:
      case OperandKind::id_memory_semantics:
        if (has_ambiguous_ && names_->is_ambiguous(word)) return lossy(instruction, operand);
        color(kYellow);
        out_ << '%';
        print_id(word);
        break;
      case OperandKind::literal_integer:
        color(kRed);
        out_.dec(word);
        color(kReset);
        break;
      case OperandKind::literal_float:
        color(kRed);
        grammar::print_number(out_, word, {32, true, false});
        color(kReset);
        break;
      case OperandKind::literal_number: {
        const std::uint64_t bits = literal_bits(instruction, operand);
        if (options_.exact && !grammar::is_canonical(bits, operand.number)) return lossy(instruction, operand);
        color(kRed);
        if (!grammar::print_number(out_, bits, operand.number)) return lossy(instruction, operand);
        color(kReset);
        break;
      }
      case OperandKind::literal_string: print_string(instruction, operand); break;
      case OperandKind::extended_instruction:
        color(kRed);
        if (operand.extended != nullptr) {
          out_ << operand.extended->text;
        } else {
          out_.dec(word);
        }
        break;
      case OperandKind::spec_constant_opcode:
        color(kRed);
        out_ << operand.opcode->text;
        break;
      case OperandKind::unknown: return lossy(instruction, operand);
      default:
        if (operand.enumerant != nullptr) {
          out_ << operand.enumerant->text;
        } else if (word == 0 && find_enumerant(operand.kind, 0) == nullptr) {
          lossy(instruction, operand);
        } else {
          print_mask(out_, operand.kind, word);
        }
        break;
    }
    color(kReset);
  }

  void print_string(const Instruction& instruction, const Operand& operand) {
    const std::string_view text = literal_string(instruction, operand.word, buffer_);
    if (options_.exact && !grammar::is_padded(instruction.word(operand.word + operand.words - 1U))) return lossy(instruction, operand);
    out_ << '"';
    color(kGreen);
    std::size_t from = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
      if (text[i] != '"' && text[i] != '\\') continue;
      out_ << text.substr(from, i - from) << '\\';
      from = i;
    }
    out_ << text.substr(from);
    color(kReset);
    out_ << '"';
  }

  void lossy(const Instruction& instruction, const Operand& operand) {
    print_words(instruction, operand);
    is_lossy_ = true;
  }

  void headings(const Instruction& instruction, const OpcodeInfo& info) {
    if (info.opcode == Opcode::function) {
      heading("Function ");
      print_id(instruction.word(2));
      out_ << '\n';
    }
    if (!seen_annotation_ && info.group == OpcodeGroup::annotation && !info.has_result) {
      seen_annotation_ = true;
      heading("Annotations\n");
    }
    if (!seen_debug_ && info.group == OpcodeGroup::debug) {
      seen_debug_ = true;
      heading("Debug Information\n");
    }
    if (!seen_type_ && generates_type(info.opcode)) {
      seen_type_ = true;
      heading("Types, variables and constants\n");
    }
  }
  void heading(std::string_view text) {
    out_ << '\n';
    if (options_.indent) out_.repeat(' ', kIndent);
    out_ << "; " << text;
  }

  /// The comments at the end of a line.
  void behind(const Instruction& instruction, const OpcodeInfo* info, std::uint32_t result_at) {
    if (info != nullptr && instruction.word_count() > 1) {
      // Lines that give a name: the result's, or the first operand's.
      const std::uint32_t id = instruction.word(std::max(1U, result_at));
      const bool is_name = info->opcode == Opcode::name;
      if ((options_.comments && is_name) || (options_.exact && names_ != nullptr && (is_name || has_given_name(id, instruction)))) {
        out_ << "  ; id %";
        out_.dec(id);
      }
    }
    if (options_.offsets) {
      color(kGrey);
      out_ << " ; 0x";
      out_.hex(std::uint64_t{4} * instruction.first_word(), 8);
      color(kReset);
    }
  }

  /// Whether the line gives its id a name that is not its number.
  bool has_given_name(std::uint32_t id, const Instruction& instruction) const {
    if (!names_->is_named_by(id, instruction)) return false;
    char number[10];
    return names_->find(id) != std::string_view(number, static_cast<std::size_t>(put_number(number, id) - number));
  }

  void color(std::string_view sequence) {
    if (options_.color) out_ << sequence;
  }

  const IdTable& ids_;
  const text::FriendlyNames* names_;
  Text& out_;
  const ListingOptions& options_;
  const Module& module_;
  std::string buffer_;
  bool is_plain_ = false;       // no colours, no name so long that a line could take much room
  bool has_ambiguous_ = false;  // FriendlyNames::is_ambiguous() may hold
  bool is_lossy_ = false;       // the rest of the instruction goes out as words
  bool seen_annotation_ = false;
  bool seen_debug_ = false;
  bool seen_type_ = false;
};

}  // namespace

void list_module(const Module& module, Text& out, const ListingOptions& options) {
  const IdTable ids(module);
  std::optional<text::FriendlyNames> names;
  if (options.friendly_names) names.emplace(ids);
  // Names make most of the difference between modules; this is what the usual ones need.
  out.grow(8 * module.bytes().size());
  Lister(ids, names ? &*names : nullptr, out, options).list();
}

void list_instruction(const Instruction& instruction, const IdTable& ids, Text& out) {
  constexpr ListingOptions kPlain{.friendly_names = false, .indent = false};
  Lister(ids, nullptr, out, kPlain).line(instruction, instruction.info());
}

}  // namespace unshade::spirv

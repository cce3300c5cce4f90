#include <unshade/spirv/assembler.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <optional>
#include <string>
#include <utility>

#include <unshade/core/spelling.hpp>
#include <unshade/core/text/line_counter.hpp>
#include <unshade/spirv/module.hpp>

#include "spirv/grammar/instruction_words.hpp"
#include "spirv/grammar/number_text.hpp"
#include "spirv/grammar/operands.hpp"
#include "spirv/text/header.hpp"
#include "spirv/text/id_names.hpp"
#include "spirv/text/lexer.hpp"

namespace unshade::spirv {

namespace {

// The type and definition of an id.
struct Known {
  NumberType number{};     // of a type
  std::uint32_t type = 0;  // of a value
  ExtendedSet set = ExtendedSet::none;
  bool is_defined = false;
};

class Assembler {
 public:
  Assembler(std::string_view text, bool preserve, const text::HeaderText* header, std::vector<ByteOrigin>* origins)
      : text_(text), lexer_(text), lines_(text), origins_(origins), header_(header), names_(text, preserve) {
    for (text::Token& token : ahead_) token = next();
    words_.reserve(kHeaderWords + text.size() / 16);
    words_.resize(kHeaderWords);
  }

  bool run() {
    // Words end at zero bytes: what is after one would be passed over.
    if (const std::size_t zero = text_.find('\0'); zero != std::string_view::npos)
      return fail_at({{}, zero}, ErrorCode::bad_value, "expected text, found a zero byte");
    if (const text::IdNames::Fault& fault = names_.fault(); !fault.message.empty())
      return fail_at({{}, fault.offset}, ErrorCode::bad_value, fault.message);
    // The bound grows with the ids that the text gives no number.
    if (header_ != nullptr && header_->has_bound && !header_->is_bound_exact && names_.largest_kept() >= header_->header.bound)
      return fail_at({{}, header_->bound_at}, ErrorCode::bad_value,
                     "the bound must be above the largest id %" + std::to_string(names_.largest_kept()));
    while (!current().is_end() && !error_) {
      first_ = words_.size();
      if (origins_ != nullptr) {
        const auto place = lines_.at(current().offset);
        origins_->push_back({4 * first_, place.line, place.column});
      }
      if (!current().is_immediate()) {
        instruction();
      } else {
        immediates(true);
      }
      if (!error_) learn();
    }
    return !error_;
  }

  Error take_error() { return std::move(*error_); }
  std::vector<std::uint32_t>& words() { return words_; }
  std::uint32_t bound() const { return names_.bound(); }

 private:
  // --- tokens --------------------------------------------------------------------------------------------------------------------
  const text::Token& current() const { return ahead_[0]; }
  void advance() {
    ahead_[0] = ahead_[1];
    ahead_[1] = ahead_[2];
    ahead_[2] = next();
  }
  /// After the first instruction no comment tells of the header.
  text::Token next() {
    const text::Token token = lexer_.next();
    if (token.offset != 0 && has_begun_ && !lexer_.comment_lines().empty()) {
      const std::string_view line = text::find_header_line(lexer_.comment_lines());
      if (!line.empty())
        fail_at({{}, static_cast<std::size_t>(line.data() - text_.data())}, ErrorCode::bad_value,
                "expected the lines of the header before the first instruction");
    }
    has_begun_ = true;
    return token;
  }
  bool begins_instruction() const {
    const text::Token& token = current();
    return token.is_end() || token.is_opcode() || (token.is_id() && ahead_[1].text == "=" && ahead_[2].is_opcode());
  }
  bool fail(ErrorCode code, std::string message) { return fail_at(current(), code, std::move(message)); }
  bool fail_at(const text::Token& token, ErrorCode code, std::string message) {
    if (!error_) error_ = Error{code, token.offset, line_and_column(text_, token.offset), std::move(message)};
    return false;
  }
  /// A token for a message.
  static std::string shown(const text::Token& token) {
    constexpr std::size_t kMost = 40;
    if (token.is_end()) return "the end of the text";
    std::string text("'");
    text.append(token.text.substr(0, kMost));
    text.append(token.text.size() > kMost ? "...'" : "'");
    return text;
  }

  /// `; did you mean ...?`, or nothing.
  static std::string opcode_meant(std::string_view text) {
    constexpr std::uint32_t kMostOpcode = 0xffff;
    Nearest nearest(text);
    for (std::uint32_t opcode = 0; opcode <= kMostOpcode; ++opcode)
      if (const OpcodeInfo* const info = find_opcode(opcode)) nearest.consider("Op" + std::string(info->text));
    return nearest.question();
  }
  static std::string enumerant_meant(OperandKind kind, std::string_view text) {
    if (!is_enumeration(kind)) return {};
    for (;;) {
      const std::size_t bar = text.find('|');
      if (find_enumerant(kind, text.substr(0, bar)) == nullptr || bar == std::string_view::npos) {
        Nearest nearest(text.substr(0, bar));
        for (const Enumerant& one : enumerants(kind)) nearest.consider(one.text);
        return nearest.question();
      }
      text.remove_prefix(bar + 1);
    }
  }
  static std::string extended_meant(ExtendedSet set, std::string_view text) {
    constexpr std::uint32_t kMostNumber = 1023;  // of the sets in the tables
    Nearest nearest(text);
    for (std::uint32_t number = 0; number <= kMostNumber; ++number)
      if (const ExtendedInfo* const info = find_extended(set, number)) nearest.consider(info->text);
    return nearest.question();
  }

  // --- instructions --------------------------------------------------------------------------------------------------------------
  bool instruction() {
    text::Token result;
    const text::Token start = current();
    if (!start.is_opcode()) {
      if (!start.is_id()) return fail(ErrorCode::bad_value, "expected an opcode or a result id, found " + shown(start));
      if (!text::is_id_name(start.text.substr(1)))
        return fail(ErrorCode::bad_value, "expected letters, digits and underscores in an id, found " + shown(start));
      result = start;
      advance();
      if (current().text != "=") return fail(ErrorCode::missing, "expected '=' after a result id, found " + shown(current()));
      advance();
      if (!current().is_opcode()) return fail(ErrorCode::bad_value, "expected an opcode, found " + shown(current()));
    }
    const text::Token opcode = current();
    const OpcodeInfo* const info = find_opcode(opcode.text.substr(2));
    if (info == nullptr) return fail(ErrorCode::bad_value, "unknown instruction " + shown(opcode) + opcode_meant(opcode.text));
    if (info->has_result && result.is_end()) return fail(ErrorCode::missing, "expected a result id before " + shown(opcode));
    if (!info->has_result && !result.is_end())
      return fail_at(result, ErrorCode::bad_value, "expected no result id before " + std::string(opcode.text) + ", which has no result");
    advance();
    words_.push_back(0);
    info_ = info;
    set_ = ExtendedSet::none;
    if (!operands(result, opcode)) return false;
    const std::size_t count = words_.size() - first_;
    if (count > grammar::kMostWords)
      return fail_at(opcode, ErrorCode::limit, std::to_string(count) + " words; an instruction must have at most 65535");
    words_[first_] = static_cast<std::uint32_t>(count) << 16 | static_cast<std::uint32_t>(info->opcode);
    return true;
  }

  bool operands(const text::Token& result, const text::Token& opcode) {
    grammar::Expected expected(info_->operands);
    while (const OperandRule* const rule = expected.next()) {
      if (rule->kind == OperandKind::id_result) {
        words_.push_back(names_.number(result.text.substr(1)));
        continue;
      }
      // An optional operand does not reach over to a line that begins with a word of its own.
      const bool is_optional = rule->quantifier != Quantifier::one;
      if (begins_instruction() || (is_optional && current().is_immediate() && current().begins_line)) {
        if (is_optional) return true;
        return fail(ErrorCode::missing, std::string(opcode.text) + ": expected " + expectation(*rule) + ", found " + shown(current()));
      }
      if (current().is_immediate()) {
        // The grammar ends here: only the result is still known to have its place.
        if (!immediate()) return false;
        if (info_->has_type && words_.size() - first_ == 2) words_.push_back(names_.number(result.text.substr(1)));
        return immediates(false);
      }
      if (words_.size() - first_ > grammar::kMostWords) return fail(ErrorCode::limit, "the instruction exceeds 65535 words");
      if (!operand(*rule, rule->kind, expected)) return false;
    }
    return true;
  }

  static std::string expectation(const OperandRule& rule) {
    std::string text = rule.name;
    std::ranges::replace(text, '_', ' ');
    return text + " (" + std::string(text_of(rule.kind)) + ")";
  }

  bool operand(const OperandRule& rule, OperandKind kind, grammar::Expected& expected) {
    const text::Token& token = current();
    const auto bad = [&] {
      return fail(ErrorCode::bad_value, "expected " + expectation(rule) + ", found " + shown(token) + enumerant_meant(kind, token.text));
    };
    switch (kind) {
      case OperandKind::id_result_type:
      case OperandKind::id_ref:
      case OperandKind::id_scope:
      case OperandKind::id_memory_semantics:
        if (!id()) return bad();
        if (is_extended(info_->opcode) && words_.size() - first_ == 4) set_ = known_.get(words_.back()).set;
        return true;
      case OperandKind::literal_integer: return number({32, false, false}, rule);
      case OperandKind::literal_float: return number({32, true, false}, rule);
      case OperandKind::literal_number: return number(literal_type(), rule);
      case OperandKind::literal_string: return string() || bad();
      case OperandKind::pair_literal_id: return number(literal_type(), rule) && second(rule, OperandKind::id_ref, expected);
      case OperandKind::pair_id_literal:
        return operand(rule, OperandKind::id_ref, expected) && second(rule, OperandKind::literal_integer, expected);
      case OperandKind::pair_id_id: return operand(rule, OperandKind::id_ref, expected) && second(rule, OperandKind::id_ref, expected);
      case OperandKind::extended_instruction: return extended(expected);
      case OperandKind::spec_constant_opcode: {
        const OpcodeInfo* const found = find_opcode(token.text);
        if (found == nullptr || !found->has(traits::constant)) return bad();
        words_.push_back(static_cast<std::uint32_t>(found->opcode));
        // Its type and result are those of the instruction around it.
        if (!expected.push(found->operands.subspan(2))) return bad();
        break;
      }
      default: {
        std::uint32_t value = 0;
        if (!enumeration(kind, value, expected)) return bad();
        words_.push_back(value);
        break;
      }
    }
    advance();
    return true;
  }

  /// The second of a pair. Words can be here too.
  bool second(const OperandRule& rule, OperandKind kind, grammar::Expected& expected) {
    if (begins_instruction()) return fail(ErrorCode::missing, "expected " + expectation(rule) + ", found " + shown(current()));
    if (current().is_immediate()) return immediate();
    return operand(rule, kind, expected);
  }

  bool id() {
    const text::Token& token = current();
    if (!token.is_id() || !text::is_id_name(token.text.substr(1))) return false;
    words_.push_back(names_.number(token.text.substr(1)));
    advance();
    return true;
  }

  NumberType literal_type() {
    const std::size_t count = words_.size() - first_;
    if (count < 2) return {};
    const std::uint32_t first = words_[first_ + 1];
    if (info_->opcode != Opcode::switch_) return known_.get(first).number;
    return grammar::switch_type(known_.get(known_.get(first).type).number);
  }

  bool number(NumberType type, const OperandRule& rule) {
    const text::Token& token = current();
    if (type.width == 0) return fail(ErrorCode::bad_value, "expected a numeric type for " + shown(token));
    std::uint64_t bits = 0;
    const std::string wanted = std::to_string(type.width) + "-bit " +
                               (type.is_float    ? "float"
                                : type.is_signed ? "integer"
                                                 : "unsigned integer");
    switch (grammar::read_number(token.text, type, bits)) {
      case grammar::NumberFault::none: break;
      case grammar::NumberFault::syntax:
        return fail(ErrorCode::bad_value, "expected " + expectation(rule) + ", a " + wanted + ", found " + shown(token));
      case grammar::NumberFault::range: return fail(ErrorCode::out_of_range, shown(token) + " does not fit in a " + wanted);
      case grammar::NumberFault::negative: return fail(ErrorCode::out_of_range, shown(token) + " is negative, expected a " + wanted);
      case grammar::NumberFault::width: return fail(ErrorCode::unsupported, "a " + wanted + " has no spelling");
    }
    words_.push_back(static_cast<std::uint32_t>(bits));
    if (type.words() == 2) words_.push_back(static_cast<std::uint32_t>(bits >> 32));
    advance();
    return true;
  }

  bool string() {
    const std::string_view text = current().text;
    if (text.size() < 2 || text.front() != '"' || text.back() != '"') return false;
    std::uint32_t word = 0;
    unsigned shift = 0;
    const auto put = [&](char c) {
      word |= std::uint32_t{static_cast<unsigned char>(c)} << shift;
      shift += 8;
      if (shift == 32) {
        words_.push_back(word);
        word = 0;
        shift = 0;
      }
    };
    bool is_escaping = false;
    for (const char c : text.substr(1, text.size() - 2)) {
      if (c == '\\' && !is_escaping) {
        is_escaping = true;
        continue;
      }
      put(c);
      is_escaping = false;
    }
    words_.push_back(word);
    advance();
    return true;
  }

  bool enumeration(OperandKind kind, std::uint32_t& value, grammar::Expected& expected) {
    std::string_view text = current().text;
    if (!is_mask(kind)) {
      const Enumerant* const found = find_enumerant(kind, text);
      if (found == nullptr) return false;
      value = found->value;
      return expected.push(found->operands);
    }
    for (;;) {
      const std::size_t bar = text.find('|');
      const Enumerant* const found = find_enumerant(kind, text.substr(0, bar));
      if (found == nullptr) return false;
      value |= found->value;
      if (bar == std::string_view::npos) break;
      text.remove_prefix(bar + 1);
    }
    // What follows is in the order of bits, so that the lowest one's has to be on top.
    for (std::uint32_t bit = 0x8000'0000; bit != 0; bit >>= 1) {
      if ((value & bit) == 0) continue;
      const Enumerant* const found = find_enumerant(kind, bit);
      if (found != nullptr && !expected.push(found->operands)) return false;
    }
    return true;
  }

  bool extended(grammar::Expected& expected) {
    static constexpr OperandRule kIds[] = {{OperandKind::id_ref, Quantifier::any, "operand"}};
    const text::Token& token = current();
    if (set_ == ExtendedSet::none)
      return fail(ErrorCode::missing, "expected an instruction set imported with OpExtInstImport before " + shown(token));
    const ExtendedInfo* const found = find_extended(set_, token.text);
    std::uint32_t number = 0;
    if (found != nullptr) {
      number = found->number;
    } else if (!is_non_semantic(set_) || !grammar::read_unsigned(token.text, number)) {
      return fail(ErrorCode::bad_value, "the imported set has no instruction " + shown(token) + extended_meant(set_, token.text));
    }
    words_.push_back(number);
    if (!expected.push(found != nullptr ? found->operands : std::span<const OperandRule>(kIds))) return false;
    advance();
    return true;
  }

  // --- words as they are ---------------------------------------------------------------------------------------------------------
  bool immediate() {
    std::uint32_t word = 0;
    if (!grammar::read_unsigned(current().text.substr(1), word))
      return fail(ErrorCode::bad_value, "expected a 32-bit number after !, found " + shown(current()));
    words_.push_back(word);
    advance();
    return true;
  }

  /// Numbers, texts, ids and words, up to the next instruction; `is_start`: they begin one themselves.
  bool immediates(bool is_start) {
    bool is_first = is_start;
    while (!begins_instruction()) {
      const text::Token& token = current();
      if (token.is_immediate()) {
        if (token.begins_line && !is_first) return true;
        if (!immediate()) return false;
        is_first = false;
        continue;
      }
      // As spirv-as reads what follows a word: floats have a point, signed integers a minus.
      const NumberType type{32, token.text.find('.') != std::string_view::npos, token.text.starts_with('-')};
      std::uint64_t bits = 0;
      if (grammar::read_number(token.text, type, bits) == grammar::NumberFault::none) {
        words_.push_back(static_cast<std::uint32_t>(bits));
        advance();
      } else if (!string() && !id()) {
        return fail(ErrorCode::bad_value, "expected a number, a string, an id or a word with !, found " + shown(token));
      }
    }
    return true;
  }

  // --- what instructions tell of ids ---------------------------------------------------------------------------------------------
  /// Of the instructions in the words since first_.
  void learn() {
    for (std::size_t at = first_; at < words_.size();) {
      const std::size_t count = words_[at] >> 16;
      if (count == 0 || count > words_.size() - at) return;
      const Instruction made(reinterpret_cast<const std::byte*>(words_.data() + at), 0, false);
      at += count;
      const OpcodeInfo* const info = made.info();
      if (info == nullptr || !info->has_result) continue;
      const std::uint32_t result_at = info->has_type ? 2 : 1;
      if (count <= result_at) continue;
      // Of several definitions the first counts, as when reading.
      Known& entry = known_[made.word(result_at)];
      if (entry.is_defined) continue;
      entry.is_defined = true;
      if (info->has_type) entry.type = made.word(1);
      entry.number = grammar::number_type(made);
      if (made.opcode() == Opcode::ext_inst_import && grammar::string_words(made, 2) != 0) {
        std::string buffer;
        entry.set = find_set(literal_string(made, 2, buffer));
      }
    }
  }

  std::string_view text_;
  text::Lexer lexer_;
  bool has_begun_ = false;  // the first token has been read
  LineCounter lines_;
  std::vector<ByteOrigin>* origins_;
  const text::HeaderText* header_;
  text::IdNames names_;
  std::array<text::Token, 3> ahead_;
  std::optional<Error> error_;
  std::vector<std::uint32_t> words_;
  std::size_t first_ = 0;             // where the instruction's words begin
  const OpcodeInfo* info_ = nullptr;  // its row
  ExtendedSet set_ = ExtendedSet::none;
  IdMap<Known> known_;
};

struct Environment {
  std::string_view name;
  std::uint32_t version;
};
// src: spirv-as --help; the versions are those that each environment takes at most
constexpr Environment kEnvironments[] = {
    {"vulkan1.1spv1.4", 0x0001'0400},
    {"vulkan1.0", 0x0001'0000},
    {"vulkan1.1", 0x0001'0300},
    {"vulkan1.2", 0x0001'0500},
    {"vulkan1.3", 0x0001'0600},
    {"spv1.0", 0x0001'0000},
    {"spv1.1", 0x0001'0100},
    {"spv1.2", 0x0001'0200},
    {"spv1.3", 0x0001'0300},
    {"spv1.4", 0x0001'0400},
    {"spv1.5", 0x0001'0500},
    {"spv1.6", 0x0001'0600},
    {"opencl1.2embedded", 0x0001'0000},
    {"opencl1.2", 0x0001'0000},
    {"opencl2.0embedded", 0x0001'0000},
    {"opencl2.0", 0x0001'0000},
    {"opencl2.1embedded", 0x0001'0000},
    {"opencl2.1", 0x0001'0000},
    {"opencl2.2embedded", 0x0001'0200},
    {"opencl2.2", 0x0001'0200},
    {"opengl4.0", 0x0001'0000},
    {"opengl4.1", 0x0001'0000},
    {"opengl4.2", 0x0001'0000},
    {"opengl4.3", 0x0001'0000},
    {"opengl4.5", 0x0001'0000},
};

}  // namespace

std::optional<std::uint32_t> target_version(std::string_view environment) {
  for (const Environment& row : kEnvironments)
    if (row.name == environment) return row.version;
  return std::nullopt;
}

std::string target_environments(std::string_view separator) {
  std::string names;
  for (const Environment& row : kEnvironments) {
    if (!names.empty()) names += separator;
    names += row.name;
  }
  return names;
}

Result<std::vector<std::byte>> assemble(std::string_view text, const AssemblerOptions& options, std::vector<ByteOrigin>* origins) {
  auto stated = text::read_header(text);
  if (!stated && options.header_comments) {
    Error error = std::move(stated).error();
    error.path = line_and_column(text, error.offset);
    return error;
  }
  const std::optional<text::HeaderText> header = stated ? *stated : std::nullopt;
  const bool preserve =
      options.numbering == Numbering::preserve || (options.numbering == Numbering::automatic && (!stated || header.has_value()));
  Assembler assembler(text, preserve, preserve && options.header_comments && header ? &*header : nullptr, origins);
  if (!assembler.run()) return assembler.take_error();
  std::vector<std::uint32_t>& words = assembler.words();
  words[0] = kMagic;
  words[1] = kNewestVersion;
  words[2] = text::kOwnGenerator;
  words[3] = assembler.bound();
  words[4] = 0;
  bool is_big_endian = false;
  if (header && options.header_comments) {
    words[1] = header->header.version;
    words[2] = header->header.generator;
    words[3] = header->is_bound_exact ? header->header.bound : std::max(header->header.bound, words[3]);
    words[4] = header->header.schema;
    is_big_endian = header->is_big_endian;
  }
  if (options.version) words[1] = *options.version;
  std::vector<std::byte> bytes(4 * words.size());
  if (is_big_endian == (std::endian::native == std::endian::big)) {
    std::memcpy(bytes.data(), words.data(), bytes.size());
  } else {
    for (std::size_t i = 0; i < words.size(); ++i) {
      const std::uint32_t word = words[i] << 24 | (words[i] & 0xff00) << 8 | (words[i] >> 8 & 0xff00) | words[i] >> 24;
      std::memcpy(bytes.data() + 4 * i, &word, 4);
    }
  }
  return bytes;
}

bool assembles_to(std::string_view text, View module) {
  const auto made = assemble(text);
  return made && std::ranges::equal(*made, module.bytes());
}

}  // namespace unshade::spirv

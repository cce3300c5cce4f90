// Walks the operands of an instruction as the grammar lays them out. The one place that knows how; listing, tree and validator are sinks of
// it.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>

#include <unshade/spirv/module.hpp>

namespace unshade::spirv::grammar {

/// Words of the zero-terminated text that begins at `word`; 0 when it does not end within the instruction.
std::uint32_t string_words(const Instruction& instruction, std::uint32_t word);

/// Whether the last word of a text has nothing but zeros after the first zero.
inline bool is_padded(std::uint32_t last) {
  for (unsigned shift = 0; shift < 32; shift += 8)
    if ((last >> shift & 0xff) == 0) return last >> shift == 0;
  return false;
}

/// What OpTypeInt or OpTypeFloat defines; width 0 for other instructions, for those too short and for more than 64 bits, which nothing
/// reads.
NumberType number_type(const Instruction& instruction);
/// Of the literals of an OpSwitch, by the type of its selector, which is to be an integer.
inline NumberType switch_type(NumberType selector) { return selector.is_float ? NumberType{} : selector; }

/// The rules that are still to be met, the next on top. Enumerants, bits and extended instructions put theirs on top of the rest.
class Expected {
 public:
  explicit Expected(std::span<const OperandRule> rules) { push(rules); }

  bool push(std::span<const OperandRule> rules) {
    if (rules.empty()) return true;
    if (size_ == ranges_.size()) return false;
    ranges_[size_++] = {rules.data(), rules.data() + rules.size()};
    return true;
  }
  /// The next rule, or nullptr. One for `any` stays.
  const OperandRule* next() {
    while (size_ != 0) {
      Range& top = ranges_[size_ - 1];
      if (top.first == top.last) {
        --size_;
        continue;
      }
      return top.first->quantifier == Quantifier::any ? top.first : top.first++;
    }
    return nullptr;
  }
  /// Whether something that has to be there is missing.
  bool is_satisfied() const {
    for (std::size_t i = size_; i-- > 0;)
      for (const OperandRule* rule = ranges_[i].first; rule != ranges_[i].last; ++rule)
        if (rule->quantifier == Quantifier::one) return false;
    return true;
  }

 private:
  struct Range {
    const OperandRule* first = nullptr;
    const OperandRule* last = nullptr;
  };
  // A mask has 32 bits, each with a range; below them the instruction's own and those of what it names. No enumerant's operands have
  // operands of their own, but room is left for a few.
  std::array<Range, 48> ranges_;
  std::size_t size_ = 0;
};

/// Calls sink(operand) for each operand in order. `rules` are those from word `at` on.
template <class Sink>
Decoded each_operand(const Instruction& instruction, std::span<const OperandRule> rules, std::uint32_t at, const IdTable& ids,
                     Sink&& sink) {
  const std::uint32_t end = instruction.word_count();
  const auto unknown_rest = [&] {
    for (; at < end; ++at) {
      Operand operand;
      operand.kind = OperandKind::unknown;
      operand.word = static_cast<std::uint16_t>(at);
      operand.words = 1;
      operand.name = "word";
      sink(operand);
    }
    return Decoded::in_part;
  };
  static constexpr OperandRule kIds[] = {{OperandKind::id_ref, Quantifier::any, "operand"}};
  Expected expected(rules);
  Operand operand;
  const auto give = [&](OperandKind kind, const char* name, std::uint32_t words) {
    operand.kind = kind;
    operand.word = static_cast<std::uint16_t>(at);
    operand.words = static_cast<std::uint16_t>(words);
    operand.name = name;
    sink(operand);
    at += words;
    operand.enumerant = nullptr;
    operand.opcode = nullptr;
    operand.extended = nullptr;
    operand.number = {};
  };
  // The type of a literal is that of the constant, or of what a switch selects by. Both are before it, or it is none.
  const auto literal = [&](const char* name) {
    std::uint32_t type_id = instruction.word(1);
    if (instruction.opcode() == Opcode::switch_) type_id = ids.stands_before(type_id, instruction) ? ids.type_of(type_id) : 0;
    NumberType type = ids.stands_before(type_id, instruction) ? ids.number_type(type_id) : NumberType{};
    if (instruction.opcode() == Opcode::switch_) type = switch_type(type);
    if (type.words() == 0 || type.words() > end - at) return false;
    operand.number = type;
    give(OperandKind::literal_number, name, type.words());
    return true;
  };
  while (at < end) {
    const OperandRule* const rule = expected.next();
    if (rule == nullptr) {
      unknown_rest();
      return Decoded::too_long;
    }
    const std::uint32_t word = instruction.word(at);
    switch (rule->kind) {
      case OperandKind::id_result_type:
      case OperandKind::id_result:
      case OperandKind::id_scope:
      case OperandKind::id_memory_semantics:
      case OperandKind::literal_integer:
      case OperandKind::literal_float:
      case OperandKind::id_ref: give(rule->kind, rule->name, 1); break;
      case OperandKind::literal_string: {
        const std::uint32_t words = string_words(instruction, at);
        if (words == 0) return unknown_rest();
        give(rule->kind, rule->name, words);
        break;
      }
      case OperandKind::literal_number:
        if (!literal(rule->name)) return unknown_rest();
        break;
      case OperandKind::pair_literal_id:
        if (!literal(rule->name)) return unknown_rest();
        if (at == end) return Decoded::too_short;
        give(OperandKind::id_ref, rule->name, 1);
        break;
      case OperandKind::pair_id_literal:
      case OperandKind::pair_id_id:
        give(OperandKind::id_ref, rule->name, 1);
        if (at == end) return Decoded::too_short;
        give(rule->kind == OperandKind::pair_id_id ? OperandKind::id_ref : OperandKind::literal_integer, rule->name, 1);
        break;
      case OperandKind::extended_instruction: {
        const std::uint32_t import = instruction.word(3);
        const ExtendedSet set = ids.stands_before(import, instruction) ? ids.set(import) : ExtendedSet::none;
        operand.extended = is_numbered(set) ? nullptr : find_extended(set, word);
        if (operand.extended == nullptr && !is_non_semantic(set)) return unknown_rest();
        if (!expected.push(operand.extended != nullptr ? operand.extended->operands : std::span<const OperandRule>(kIds)))
          return unknown_rest();
        give(rule->kind, rule->name, 1);
        break;
      }
      case OperandKind::spec_constant_opcode:
        operand.opcode = find_opcode(word);
        if (operand.opcode != nullptr && !operand.opcode->has(traits::constant)) operand.opcode = nullptr;
        // Its first operands, the type and the result, are those of the instruction around it.
        if (operand.opcode == nullptr || !expected.push(operand.opcode->operands.subspan(2))) return unknown_rest();
        give(rule->kind, rule->name, 1);
        break;
      default:
        if (is_mask(rule->kind)) {
          std::uint32_t known = word;
          for (std::uint32_t bit = 0x8000'0000; known != 0 && bit != 0; bit >>= 1) {
            if ((word & bit) == 0) continue;
            const Enumerant* const enumerant = find_enumerant(rule->kind, bit);
            if (enumerant == nullptr || !expected.push(enumerant->operands)) return unknown_rest();
            known ^= bit;
          }
          give(rule->kind, rule->name, 1);
          break;
        }
        operand.enumerant = find_enumerant(rule->kind, word);
        if (operand.enumerant == nullptr || !expected.push(operand.enumerant->operands)) return unknown_rest();
        give(rule->kind, rule->name, 1);
        break;
    }
  }
  return expected.is_satisfied() ? Decoded::whole : Decoded::too_short;
}

/// The same for all of an instruction; `info` is its row, nullptr for unknown opcodes.
template <class Sink>
Decoded each_operand(const Instruction& instruction, const OpcodeInfo* info, const IdTable& ids, Sink&& sink) {
  const Decoded decoded = each_operand(instruction, info != nullptr ? info->operands : std::span<const OperandRule>{}, 1, ids, sink);
  return info == nullptr ? Decoded::in_part : decoded;
}

}  // namespace unshade::spirv::grammar

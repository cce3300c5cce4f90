// What the operands of bitcode records are: those of dxil/bitcode/records.def and <unshade/dxil/debug_nodes.def>.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include <unshade/dxil/module.hpp>

#include "dxil/bitcode/records.hpp"

namespace unshade::dxil::module {

// Bits of the second operand of calls and invokes, the letters h and H: [0] tail, [13:1] calling convention, [14] musttail, [15] the
// function's type follows; of an invoke [12:0] calling convention, [13] the function's type follows.
inline constexpr std::uint64_t kCallTail = 1U << 0;
inline constexpr std::uint64_t kCallMustTail = 1U << 14;
inline constexpr std::uint64_t kCallTyped = 1U << 15;
inline constexpr std::uint64_t kInvokeTyped = 1U << 13;
// Bits of the last operand of an alloca, the letter Y: [4:0] alignment, [5] inalloca, [6] the type is that of the element.
inline constexpr std::uint64_t kAllocaInAlloca = 1U << 5;
inline constexpr std::uint64_t kAllocaTyped = 1U << 6;

/// Some of the letters in the operands of dxil/bitcode/records.def.
class Letters {
 public:
  explicit constexpr Letters(std::string_view letters) {
    for (const char letter : letters) words_[word(letter)] |= bit(letter);
  }
  constexpr bool has(char letter) const { return (words_[word(letter)] & bit(letter)) != 0; }

 private:
  static constexpr std::size_t word(char letter) { return static_cast<unsigned char>(letter) / 64 % 2; }
  static constexpr std::uint64_t bit(char letter) { return std::uint64_t{1} << (static_cast<unsigned char>(letter) % 64); }
  std::array<std::uint64_t, 2> words_{};
};
inline constexpr Letters kTypeLetters("tTpPSqQ");
inline constexpr Letters kPlacedLetters("vVu=*/?sabne");
/// Those of operands that a record may lack.
inline constexpr Letters kOptionalLetters("TSQP");
constexpr bool is_type(char letter) { return kTypeLetters.has(letter); }
constexpr bool has_place(char letter) { return kPlacedLetters.has(letter); }

/// The letters of a record's operands one by one, those that come as often as need be without end.
class OperandLetters {
 public:
  explicit constexpr OperandLetters(std::string_view letters) : letters_(letters) {}

  /// 0 at the end.
  constexpr char next() {
    if (at_ < letters_.size() && letters_[at_] == '|') repeated_ = ++at_;
    if (at_ == letters_.size()) at_ = repeated_;
    if (at_ >= letters_.size()) return 0;
    place_ = next_place_;
    if (letters_[at_] >= '0' && letters_[at_] <= '9') place_ = static_cast<std::size_t>(letters_[at_++] - '0');
    const char letter = letters_[at_++];
    if (has_place(letter)) next_place_ = place_ < next_place_ ? next_place_ : place_ + 1;
    return letter;
  }
  /// Whether the next letter is one of those that come once.
  constexpr bool is_fixed() const { return at_ < letters_.size() && letters_[at_] != '|' && !repeats(); }
  /// Index of the operand in the model's instruction or constant; of operands that it does not hold, that of the next one.
  constexpr std::size_t place() const { return place_; }
  constexpr bool repeats() const { return repeated_ != std::string_view::npos; }

 private:
  std::string_view letters_;
  std::size_t at_ = 0;
  std::size_t repeated_ = std::string_view::npos;
  std::size_t place_ = 0;
  std::size_t next_place_ = 0;
};

/// The operands of a record that come once.
struct FixedOperands {
  struct Operand {
    char letter = 0;
    std::uint8_t place = 0;
    bool has_place = false;
    bool is_optional = false;
  };
  std::array<Operand, 8> operands{};
  std::size_t count = 0;
  std::string_view letters;  ///< of all operands

  /// Where the model has those that it holds, in the order of the record.
  struct Places {
    std::array<std::uint8_t, 8> of{};
    std::size_t count = 0;
    bool in_order = true;
  };
  constexpr Places places() const {
    Places places;
    for (std::size_t n = 0; n < count; ++n) {
      if (!operands[n].has_place) continue;
      places.in_order = places.in_order && operands[n].place == places.count;
      places.of[places.count++] = operands[n].place;
    }
    return places;
  }

  FixedOperands() = default;
  explicit constexpr FixedOperands(std::string_view all) : letters(all) {
    OperandLetters cursor(all);
    while (cursor.is_fixed()) {
      const char letter = cursor.next();
      operands[count++] = {letter, static_cast<std::uint8_t>(cursor.place()), has_place(letter), kOptionalLetters.has(letter)};
    }
  }
};

/// Whether a record lacks the operand of the letter, of which `letters` are all; it would be the one at `i`.
inline bool is_absent(char letter, std::string_view letters, std::span<const std::uint64_t> record, std::size_t i) {
  if (!kOptionalLetters.has(letter)) return false;
  const std::size_t left = record.size() - i;
  if (letter == 'T' || letter == 'S') return left % 2 == 0;
  if (letter == 'Q') return left == 1;
  return letter == 'P' && (record[1] & (letters[1] == 'H' ? kInvokeTyped : kCallTyped)) == 0;
}

/// Calls `visit(letter, i, place)` with each operand of a record, which says whether a type follows that only values have that come later.
template <class Visit>
void for_each_operand(std::string_view letters, std::span<const std::uint64_t> record, Visit&& visit) {
  OperandLetters cursor(letters);
  for (std::size_t i = 0; i < record.size(); ++i) {
    char letter = cursor.next();
    while (letter != 0 && is_absent(letter, letters, record, i)) letter = cursor.next();
    if (letter == 0) return;
    if (visit(letter, i, cursor.place()) && i + 1 < record.size()) visit('t', ++i, cursor.place());
  }
}

/// Calls `visit` with the positions of operands of a record of constants that are values, in their order in memory.
template <class Visit>
void for_each_constant_operand(std::uint32_t code, std::span<const std::uint64_t> record, Visit&& visit) {
  for_each_operand(bitcode::record_operands(bitcode::block_id::constants, code), record, [&](char letter, std::size_t i, std::size_t) {
    if (letter == 'a') visit(i);
    return false;
  });
}

/// Of a record of constants, undef for codes that LLVM 3.7 does not know; and the code of a kind, which others are variants of.
ConstantKind constant_kind(std::uint32_t code);
std::uint32_t constant_code(ConstantKind kind);
/// The code of an instruction's record.
std::uint32_t record_code(const Instruction& instruction);

/// The code of a node's record, and of one that is distinct if that has another.
std::uint32_t node_code(const Metadata& node);
/// Operands of a node that are metadata, in their order in memory, which is that in which they are numbered. For a tuple: none, all are.
std::span<const std::uint8_t> node_operand_order(MetadataKind kind);
/// Those of them that are not always strings.
std::span<const std::uint8_t> node_link_order(MetadataKind kind);

/// How many operands of a node may be metadata, in the order in which LLVM keeps them.
std::size_t linked_count(const Metadata& node);
/// Position of the one at `i` of those in the record, and what is added to its id there: 1 if it may be null.
struct Link {
  std::size_t operand = 0;
  std::uint64_t bias = 0;
};
Link link_of(const Metadata& node, std::size_t i);
/// Its id; kNone if it is null.
std::uint32_t linked(const Module& module, const Metadata& node, std::size_t i);
/// Leaves new ids in the record of a node. `number`: the new id of one.
template <class Number>
void renumber_links(const Module& module, const Metadata& node, std::span<std::uint64_t> record, Number&& number) {
  for (std::size_t i = 0; i < linked_count(node); ++i)
    if (const std::uint32_t id = linked(module, node, i); id != kNone)
      record[link_of(node, i).operand] = number(id) + link_of(node, i).bias;
}

}  // namespace unshade::dxil::module

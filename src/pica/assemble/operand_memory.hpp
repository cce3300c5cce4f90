// What operands were found to mean, by their text: programs say the same few over and over.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "pica/packed_text.hpp"

namespace unshade::pica::assembler {

/// An operand as instructions need it, and the text it was read from.
struct KnownOperand {
  // what it may be
  static constexpr std::uint8_t kNarrow = 1;       ///< a source that is v or r, without an index register
  static constexpr std::uint8_t kWide = 2;         ///< a source that is v, r or c
  static constexpr std::uint8_t kInput = 4;        ///< v, or o
  static constexpr std::uint8_t kDestination = 8;  ///< o or r, and nothing to complain of

  std::uint64_t head = 0;
  std::uint64_t tail = 0;
  const char* text = nullptr;
  std::uint16_t source = 0;  ///< sign and selectors: the nine bits that a descriptor has for a source
  std::uint8_t reg = 0;      ///< in the space of operands
  std::uint8_t index = 0;    ///< as pica::Index
  std::uint8_t mask = 0;     ///< of a destination, as in descriptors
  std::uint8_t kinds = 0;
  std::uint8_t size = 0;  ///< of the text
};

/// One operand for each hash of a text; the later takes the place of the earlier.
class OperandMemory {
 public:
  /// Texts longer than this are not kept.
  static constexpr std::ptrdiff_t kLongest = 32;
  /// Characters that may be read from a text's start on, whatever its length.
  static constexpr std::ptrdiff_t kReads = 16;

  /// The operand of these characters; nullptr, or one that may be nothing if it is not known. May read kReads characters.
  const KnownOperand* find(const char* text, unsigned size) const {
    if (size < 8) {
      const std::uint64_t all = packed::first(packed::load8(text), size);
      const KnownOperand& known = operands_[slot(all)];
      return known.head == all ? &known : nullptr;
    }
    const Key key = key_of(text, size);
    const KnownOperand& known = operands_[slot(key.head ^ std::rotl(key.tail, 29))];
    if (((known.head ^ key.head) | (known.tail ^ key.tail) | (known.size ^ size)) != 0) return nullptr;
    if (size > 16 && std::memcmp(known.text + 8, text + 8, size - 16) != 0) return nullptr;
    return &known;
  }
  /// Keeps an operand by its text, which is borrowed, has no more than kLongest characters, and kReads characters to read.
  void keep(KnownOperand operand) {
    const Key key = key_of(operand.text, operand.size);
    operand.head = key.head;
    operand.tail = key.tail;
    operands_[slot(operand.size < 8 ? key.head : key.head ^ std::rotl(key.tail, 29))] = operand;
    is_empty_ = false;
  }
  /// For when names get another meaning.
  void forget() {
    if (is_empty_) return;
    operands_ = {};
    is_empty_ = true;
  }

 private:
  static constexpr unsigned kSlotBits = 8;

  /// The first eight characters and the last; of a shorter text all of it.
  struct Key {
    std::uint64_t head = 0;
    std::uint64_t tail = 0;
  };
  static Key key_of(const char* text, unsigned size) {
    if (size >= 8) return {packed::load8(text), packed::load8(text + (size - 8))};
    return {packed::first(packed::load8(text), size), 0};
  }
  static std::size_t slot(std::uint64_t mixed) { return static_cast<std::size_t>(mixed * 0x9e37'79b9'7f4a'7c15 >> (64 - kSlotBits)); }

  std::array<KnownOperand, std::size_t{1} << kSlotBits> operands_{};
  bool is_empty_ = true;
};

}  // namespace unshade::pica::assembler

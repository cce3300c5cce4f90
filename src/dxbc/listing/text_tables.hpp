// Texts that a listing copies whole: lanes, mnemonics, registers and small numbers, each with its length.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

#include <unshade/core/lanes.hpp>
#include <unshade/core/text.hpp>
#include <unshade/core/text/characters.hpp>
#include <unshade/dxbc/program.hpp>

#include "dxbc/listing/number_text.hpp"
#include "dxbc/listing/words.hpp"
#include "dxbc/program/opcode_table.hpp"
#include "dxbc/program/operand_table.hpp"
#include "dxbc/program/token.hpp"

namespace unshade::dxbc::listing {

// Eight bytes, so that a copy is one move; the last is the length.
struct ShortText {
  char text[7];
  std::uint8_t size;
};

// Lanes by the low twelve bits of an operand token: component count, selection, and mask, swizzle or component.
inline constexpr std::uint32_t kLaneKeyBits = (1U << (program::token::kSwizzleLanes.first + program::token::kSwizzleLanes.count)) - 1;
struct LaneTexts {
  ShortText text[kLaneKeyBits + 1];
};
constexpr LaneTexts make_lanes() {
  LaneTexts lanes{};
  for (std::uint32_t key = 0; key <= kLaneKeyBits; ++key) {
    if (program::token::kComponents.get(key) != 2) continue;
    ShortText& text = lanes.text[key];
    const std::uint32_t bits = program::token::kSwizzleLanes.get(key);
    const auto letters = [&]() -> std::string_view {
      switch (static_cast<Selection>(program::token::kSelection.get(key))) {
        case Selection::mask: return WriteMask(bits).text();
        case Selection::swizzle: return Swizzle(bits).text();
        case Selection::select1: return kComponentLetters.substr(bits & 3, 1);
        default: return {};
      }
    }();
    if (!letters.empty()) text.text[text.size++] = '.';
    for (const char c : letters) text.text[text.size++] = c;
  }
  return lanes;
}
inline constexpr LaneTexts kLanes = make_lanes();

// The key of a decoded operand.
constexpr std::uint32_t lane_key(Selection selection, std::uint32_t lanes) {
  return program::token::kSwizzleLanes.put(
      program::token::kSelection.put(program::token::kComponents.put(0, 2), static_cast<std::uint32_t>(selection)), lanes);
}

// Mnemonics with room after them, for copies of a fixed size. Declarations are longer and printed on their own.
struct Mnemonic {
  static constexpr std::size_t kRoom = 32;
  char text[kRoom];
  std::uint8_t size;
};
using program::kOpcodeCount;
constexpr std::array<Mnemonic, kOpcodeCount> make_mnemonics() {
  std::array<Mnemonic, kOpcodeCount> mnemonics{};
  for (std::size_t i = 0; i < kOpcodeCount; ++i) {
    const std::string_view text = program::kOpcodes[i].text;
    if (text.size() > Mnemonic::kRoom) continue;
    for (std::size_t c = 0; c < text.size(); ++c) mnemonics[i].text[c] = text[c];
    mnemonics[i].size = static_cast<std::uint8_t>(text.size());
  }
  return mnemonics;
}
inline constexpr std::array<Mnemonic, kOpcodeCount> kMnemonics = make_mnemonics();

// Registers that print as letters, a number, and what other indexes they have in brackets; size 0 for the others. In shader model 5.1 those
// that stand for ranges have capital letters.
constexpr std::array<ShortText, 256> make_plain_registers(bool is_5_1) {
  std::array<ShortText, 256> names{};
  for (const OperandType type :
       {OperandType::temp, OperandType::input, OperandType::output, OperandType::indexable_temp, OperandType::sampler,
        OperandType::resource, OperandType::constant_buffer, OperandType::uav, OperandType::thread_group_shared_memory}) {
    ShortText& name = names[static_cast<std::size_t>(type)];
    for (const char c : program::operand_text(type)) name.text[name.size++] = is_5_1 && program::has_range(type) ? upper(c) : c;
  }
  return names;
}
inline constexpr std::array<ShortText, 256> kPlainRegisters[2] = {make_plain_registers(false), make_plain_registers(true)};

// Decimal numbers up to 999 with their length last.
struct SmallNumber {
  char text[3];
  std::uint8_t size;
};
constexpr std::array<SmallNumber, 1000> make_small_numbers() {
  std::array<SmallNumber, 1000> numbers{};
  for (unsigned i = 0; i < 1000; ++i) {
    SmallNumber& number = numbers[i];
    if (i >= 100) number.text[number.size++] = static_cast<char>('0' + i / 100);
    if (i >= 10) number.text[number.size++] = static_cast<char>('0' + i / 10 % 10);
    number.text[number.size++] = static_cast<char>('0' + i % 10);
  }
  return numbers;
}
inline constexpr std::array<SmallNumber, 1000> kSmallNumbers = make_small_numbers();

inline char* write_number(char* at, std::uint32_t value) {
  if (value >= kSmallNumbers.size()) return write_decimal(at, value);
  std::memcpy(at, &kSmallNumbers[value], sizeof(SmallNumber));
  return at + kSmallNumbers[value].size;
}

inline char* put(char* at, std::string_view text) {
  std::memcpy(at, text.data(), text.size());
  return at + text.size();
}
/// `value`: a number or an enumerator.
template <class Value>
inline char* put_named(char* at, Value named, const NameTable& names) {
  const auto value = static_cast<std::uint32_t>(named);
  const auto name = names.find(value);
  if (!name.empty()) return put(at, name);
  at = put(at, words::kUnknown);
  at = write_decimal(at, value);
  *at++ = ')';
  return at;
}

}  // namespace unshade::dxbc::listing

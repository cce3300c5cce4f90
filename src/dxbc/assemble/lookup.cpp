#include "dxbc/assemble/lookup.hpp"

#include <array>
#include <cstddef>
#include <iterator>

#include <unshade/core/spelling.hpp>
#include <unshade/core/text/characters.hpp>

#include "dxbc/assemble/spellings.hpp"
#include "dxbc/program/opcode_table.hpp"
#include "dxbc/program/operand_table.hpp"

namespace unshade::dxbc::assembler {

namespace {

// Open addressing in tables made when the code is compiled: twice as many slots as rows, or more.
constexpr std::uint32_t hash(std::string_view text) {
  std::uint32_t value = static_cast<std::uint32_t>(text.size());
  for (const char c : text) value = value * 31 + static_cast<unsigned char>(c);
  return value ^ value >> 9;
}

template <std::size_t Slots>
struct TextIndex {
  static constexpr std::uint16_t kEmpty = 0xffff;
  std::array<std::uint16_t, Slots> row{};

  template <class TextOf>
  constexpr TextIndex(std::size_t count, TextOf text_of) {
    row.fill(kEmpty);
    for (std::size_t i = 0; i < count; ++i) {
      std::size_t slot = hash(text_of(i)) % Slots;
      while (row[slot] != kEmpty) {
        if (text_of(row[slot]) == text_of(i)) break;  // the first row of a text is found
        slot = (slot + 1) % Slots;
      }
      if (row[slot] == kEmpty) row[slot] = static_cast<std::uint16_t>(i);
    }
  }
  template <class TextOf>
  std::uint16_t find(std::string_view text, TextOf text_of) const {
    std::size_t slot = hash(text) % Slots;
    while (row[slot] != kEmpty && text_of(row[slot]) != text) slot = (slot + 1) % Slots;
    return row[slot];
  }
};

constexpr auto mnemonic_text(std::size_t row) { return program::kOpcodes[row].text; }
constexpr TextIndex<1024> kMnemonicIndex(program::kOpcodeCount, mnemonic_text);

constexpr auto register_text(std::size_t row) { return program::kOperands[row].text; }
constexpr TextIndex<256> kRegisterIndex(std::size(program::kOperands), register_text);

}  // namespace

std::optional<std::uint32_t> find_mnemonic(std::string_view text) {
  const auto row = kMnemonicIndex.find(text, mnemonic_text);
  if (row == kMnemonicIndex.kEmpty) return find_other_mnemonic(text);
  // what has a spelling of its own
  if (row == static_cast<std::uint16_t>(Opcode::customdata)) return std::nullopt;
  return row;
}

std::string mnemonic_meant(std::string_view word) {
  constexpr std::size_t kLongest = 64;  // no mnemonic with its suffixes is longer
  if (word.size() > kLongest) return {};
  // the whole word, or what is before its suffixes: smaple_indexable
  for (std::size_t size = word.size(); size != 0 && size != std::string_view::npos; size = word.rfind('_', size - 1)) {
    Nearest nearest(word.substr(0, size));
    for (std::size_t row = 0; row < program::kOpcodeCount; ++row) nearest.consider(mnemonic_text(row));
    if (!nearest.name().empty()) return "; did you mean `" + nearest.name() + std::string(word.substr(size)) + "`?";
  }
  return {};
}

std::string name_meant(const NameTable& names, std::string_view name) {
  Nearest nearest(name);
  for (const auto& named : names.values) nearest.consider(named.id);
  return nearest.question();
}

std::optional<OperandType> find_register(std::string_view letters) {
  char small[2];
  if (letters.size() <= 2 && !letters.empty() && letters[0] >= 'A' && letters[0] <= 'Z') {
    for (std::size_t i = 0; i < letters.size(); ++i) small[i] = lower(letters[i]);
    letters = {small, letters.size()};
  }
  const auto row = kRegisterIndex.find(letters, register_text);
  return row == kRegisterIndex.kEmpty ? find_other_register(letters) : std::optional(static_cast<OperandType>(row));
}

std::optional<std::uint32_t> find_value(const NameTable& names, std::string_view name) {
  for (const auto& named : names.values)
    if (named.id == name) return named.value;
  return find_other_value(names, name);
}

}  // namespace unshade::dxbc::assembler

// Rows of the tables by their texts.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include <unshade/core/tree.hpp>
#include <unshade/dxbc/program.hpp>

namespace unshade::dxbc::assembler {

/// The opcode of a mnemonic without suffixes.
std::optional<std::uint32_t> find_mnemonic(std::string_view text);

/// The operand type that these letters of a register stand for; if several types do (`l`), the first one. Capital letters are what
/// shader model 5.1 and declarations print for ranges.
std::optional<OperandType> find_register(std::string_view letters);

/// The value of a name of a table.
std::optional<std::uint32_t> find_value(const NameTable& names, std::string_view name);

/// Letters of `xyzw` in their order, as a mask; nothing for other texts.
constexpr std::optional<std::uint32_t> mask_of(std::string_view letters) {
  constexpr std::string_view kLetters = "xyzw";
  std::uint32_t mask = 0;
  for (const char c : letters) {
    const auto lane = kLetters.find(c);
    if (lane == std::string_view::npos || (mask >> lane) != 0) return std::nullopt;
    mask |= 1U << lane;
  }
  return mask;
}

}  // namespace unshade::dxbc::assembler

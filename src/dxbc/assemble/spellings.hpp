// Spellings of other disassemblers and of Microsoft's documentation, beside those of the tables that fxc's listing is printed from.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include <unshade/core/tree.hpp>
#include <unshade/dxbc/program.hpp>

namespace unshade::dxbc::assembler {

/// The opcode of a mnemonic.
std::optional<std::uint32_t> find_other_mnemonic(std::string_view text);
/// The type of a register, by its letters.
std::optional<OperandType> find_other_register(std::string_view letters);
/// The value of a word of this table.
std::optional<std::uint32_t> find_other_value(const NameTable& names, std::string_view word);

}  // namespace unshade::dxbc::assembler

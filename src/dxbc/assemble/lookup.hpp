// Rows of the tables by their texts.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <unshade/core/tree.hpp>
#include <unshade/dxbc/program.hpp>

namespace unshade::dxbc::assembler {

/// The opcode of a mnemonic without suffixes.
std::optional<std::uint32_t> find_mnemonic(std::string_view text);
/// `; did you mean ...?`, or nothing: of a mnemonic that is none, also one with suffixes.
std::string mnemonic_meant(std::string_view word);
/// The same of a name that a table lacks.
std::string name_meant(const NameTable& names, std::string_view name);

/// The operand type that these letters of a register stand for; if several types do (`l`), the first one. Capital letters are what
/// shader model 5.1 and declarations print for ranges.
std::optional<OperandType> find_register(std::string_view letters);

/// The value of a name of a table.
std::optional<std::uint32_t> find_value(const NameTable& names, std::string_view name);

}  // namespace unshade::dxbc::assembler

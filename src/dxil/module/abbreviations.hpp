// Which abbreviation of a block a record is written with.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <unshade/dxil/bitstream.hpp>

namespace unshade::dxil::module {

using Abbreviation = std::vector<AbbreviationOperand>;

/// Whether a character takes 6 bits.
constexpr bool is_char6(std::uint64_t c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' || c == '_';
}

/// The shortest of those that can hold the record; LLVM's writer comes to the same.
std::uint32_t choose(std::span<const Abbreviation> all, std::uint32_t code, std::span<const std::uint64_t> operands);

}  // namespace unshade::dxil::module

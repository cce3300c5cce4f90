// Numbers as the assembly text spells them.
#pragma once

#include <cstdint>
#include <string_view>

#include <unshade/core/text.hpp>
#include <unshade/spirv/module.hpp>

namespace unshade::spirv::grammar {

/// Appends a literal: integers in decimal; floats with as many digits as tell them apart, in hexadecimal if they are halves, subnormal,
/// infinite or not a number. False, with nothing appended, for widths that the text has no spelling for.
bool print_number(Text& out, std::uint64_t bits, NumberType type);

/// Whether reading the printed number gives the same words again: bits above a narrow number's width are as they have to be.
bool is_canonical(std::uint64_t bits, NumberType type);

enum class NumberFault : std::uint8_t { none, syntax, range, negative, width };

/// Reads a number of a type, as the text spells it: decimal, 0x, for floats 0x1.8p+3 as well. `bits` are those of the words, narrow signed
/// integers with their sign in all of the word.
NumberFault read_number(std::string_view text, NumberType type, std::uint64_t& bits);

/// An unsigned integer of 32 bits, in decimal, 0x or with a leading zero in octal; a plus may stand before it. The whole text.
bool read_unsigned(std::string_view text, std::uint32_t& value);

}  // namespace unshade::spirv::grammar

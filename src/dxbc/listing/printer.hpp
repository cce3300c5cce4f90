// Decoded instructions as fxc prints them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

#include <unshade/dxbc/listing.hpp>
#include <unshade/dxbc/program.hpp>

#include "dxbc/listing/fxc_style.hpp"
#include "dxbc/listing/number_text.hpp"
#include "dxbc/listing/text_tables.hpp"

namespace unshade::dxbc::listing {

// Most characters a line takes for each token of its instruction (a double is two tokens and 320 digits at most), and at all.
inline constexpr std::size_t kRoomPerToken = 192;
inline constexpr std::size_t kRoomPerLine = 1024;

/// Writes instructions into memory that has kRoomPerToken characters for each of their tokens and kRoomPerLine more. Every function returns
/// the end of what it wrote.
class Printer {
 public:
  Printer(const Program& program, const ProgramListingOptions& options)
      : exact_floats_(options.exact_floats),
        is_5_1_(program.is_5_1()),
        style_(fxc_style(options.fxc)),
        float_style_{style_.ties_to_even, style_.upper_buffers, style_.all_digits},
        plain_registers_(kPlainRegisters[is_5_1_ ? 1 : 0]) {}

  /// An instruction without indentation or line end.
  char* body(char* at, Instruction& instruction);
  /// `.tokens 0x0100003e, ...`: for what has no other text.
  static char* tokens(char* at, const Instruction& instruction);
  /// Its mnemonic with all suffixes.
  char* mnemonic(char* at, const Instruction& instruction);

  /// A literal component in an operand of this letter of the shape.
  char* literal(char* at, std::uint32_t bits, char kind) {
    if (kind == 'f') {
      if (bits == 0 && !exact_floats_) {
        std::memcpy(at, "0.000000", 8);
        return at + 8;
      }
      return put_literal_float(at, bits);
    }
    if (bits < kSmallNumbers.size()) return write_number(at, bits);  // as an integer and as what has no type
    if (kind == 'm') return exact_floats_ ? write_exact_untyped(at, bits) : write_untyped(at, bits, float_style_);
    return write_integer(at, bits);
  }

  const FxcStyle& style() const { return style_; }
  const std::array<ShortText, 256>& plain_registers() const { return plain_registers_; }

 private:
  char* put_literal_float(char* at, std::uint32_t bits) {
    return exact_floats_ ? write_exact_float(at, bits) : write_float(at, bits, float_style_);
  }

  char* literals(char* at, const Operand& operand, char kind);
  char* index(char* at, const Instruction& instruction, const Operand& operand, unsigned i);
  char* register_name(char* at, const Instruction& instruction, const Operand& operand, bool declaration);
  static char* lanes(char* at, const Operand& operand);
  char* operand(char* at, const Instruction& instruction, const Operand& operand, char kind);
  // ` {min16f}`; for a source that is used in another precision ` {min16f as def32}`.
  static char* precision(char* at, std::uint32_t own, std::uint32_t used);
  static bool can_be_precise(const OpcodeInfo& info);
  static char* offset(char* at, int value);
  char* unknown(char* at, const Instruction& instruction);

  static char* return_types(char* at, ReturnTypes types);
  // The register of a declaration; in shader model 5.1 with the bounds of its range: T0[2:5].
  char* declared(char* at, const Instruction& instruction, const Operand& operand);
  char* space(char* at, const Instruction& instruction);
  char* declaration(char* at, const Instruction& instruction);
  static char* declared_suffix(char* at, const Instruction& instruction);
  static char* uav_suffix(char* at, std::uint32_t word);
  char* declared_field(char* at, const Instruction& instruction);
  static char* global_flags(char* at, std::uint32_t flags);
  // ` = {fb0, fb1}`
  static char* numbers(char* at, View list, OperandType type);
  char* custom_data(char* at, Instruction& instruction);

  const bool exact_floats_;
  const bool is_5_1_;
  const FxcStyle style_;
  const FloatStyle float_style_;
  const std::array<ShortText, 256>& plain_registers_;
};

inline char* write_hex8(char* at, std::uint32_t value) {
  for (int shift = 28; shift >= 0; shift -= 4) *at++ = "0123456789abcdef"[(value >> shift) & 15U];
  return at;
}

}  // namespace unshade::dxbc::listing

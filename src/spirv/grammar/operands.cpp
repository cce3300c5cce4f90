#include "spirv/grammar/operands.hpp"

namespace unshade::spirv::grammar {
namespace {

/// What NumberType::fraction_bits is for an encoding and the width that it must have.
struct EncodedFloat {
  FPEncoding encoding;
  std::uint32_t width;
  std::uint8_t fraction_bits;
};
// src: SPV_KHR_bfloat16, SPV_EXT_float8, SPV_EXT_ocp_microscaling_types
constexpr EncodedFloat kEncodedFloats[] = {
    {FPEncoding::b_float16khr, 16, 7}, {FPEncoding::float8e4m3ext, 8, 3}, {FPEncoding::float8e5m2ext, 8, 2},
    {FPEncoding::float6e2m3ext, 6, 3}, {FPEncoding::float6e3m2ext, 6, 2}, {FPEncoding::float4e2m1ext, 4, 1},
};
std::uint8_t fraction_bits(FPEncoding encoding, std::uint32_t width) {
  for (const EncodedFloat& one : kEncodedFloats)
    if (one.encoding == encoding && one.width == width) return one.fraction_bits;
  return NumberType::kNoFraction;
}

}  // namespace

NumberType number_type(const Instruction& instruction) {
  const bool is_float = instruction.opcode() == Opcode::type_float;
  if (!is_float && instruction.opcode() != Opcode::type_int) return {};
  const std::uint32_t width = instruction.word(2);
  if (instruction.word_count() < (is_float ? 3U : 4U) || width > 64) return {};
  NumberType type{static_cast<std::uint8_t>(width), is_float, !is_float && instruction.word(3) != 0};
  if (is_float && instruction.word_count() > 3) type.fraction_bits = fraction_bits(static_cast<FPEncoding>(instruction.word(3)), width);
  return type;
}

std::uint32_t string_words(const Instruction& instruction, std::uint32_t word) {
  for (std::uint32_t at = word; at < instruction.word_count(); ++at) {
    // A word with a zero byte: borrows reach only bytes that are zero, or lie above one.
    const std::uint32_t value = instruction.word(at);
    if (((value - 0x0101'0101U) & ~value & 0x8080'8080U) != 0) return at + 1 - word;
  }
  return 0;
}

}  // namespace unshade::spirv::grammar

// Numbers as memory has them, and as lanes of the interpreter have them: f16 as f32, i8 and i16 sign-extended.
#pragma once

#include <bit>
#include <cstdint>

#include <unshade/ir/extra.hpp>
#include <unshade/ir/types.hpp>

namespace unshade::texel {

/// Those of memory from those of a lane, and back.
std::uint64_t to_memory(ir::Type type, std::uint64_t lane);
std::uint64_t from_memory(ir::Type type, std::uint64_t bits);
/// A float rounded to what f16 can hold: as lanes hold it, from the bits of an f32. A NaN keeps its sign and the bits of its payload that
/// f16 has, if any of them is set.
std::uint32_t rounded_to_f16(std::uint32_t bits, ir::Rounding rounding);
/// The bits of a number as f32.
inline std::uint32_t f32_bits(double value) { return std::bit_cast<std::uint32_t>(static_cast<float>(value)); }

}  // namespace unshade::texel

// Where HLSL puts what is declared in a constant buffer.
// src: the page "Packing Rules for Constant Variables" of the HLSL reference; observed: what follows an array, a matrix or a structure
// begins in its last register if it fits there
#pragma once

#include <cstdint>

#include <unshade/core/bits/rounding.hpp>

namespace unshade::shader {

/// Bytes of a register of constants.
inline constexpr std::uint64_t kConstantRegister = 16;

/// Where a scalar or vector begins after so many bytes: at a multiple of its numbers, and in one register if it fits into one.
constexpr std::uint64_t packed_vector_at(std::uint64_t after, std::uint64_t number_bytes, std::uint64_t bytes) {
  after = round_up(after, number_bytes);
  return after % kConstantRegister + bytes > kConstantRegister ? round_up(after, kConstantRegister) : after;
}
/// The same of an array, a matrix or a structure, and of each element of an array.
constexpr std::uint64_t packed_aggregate_at(std::uint64_t after) { return round_up(after, kConstantRegister); }

}  // namespace unshade::shader

// How large functions of the IR may become in comparison with the program that they are made from: few bytes can ask for
// very much. The largest program of the corpus becomes 6,422 instructions, and none needs more than 1,470 phis on the way.
#pragma once

#include <algorithm>
#include <cstddef>

#include <unshade/core/limits.hpp>

namespace unshade::ir {

/// What each instruction of a program may become on average.
inline constexpr std::size_t kSizePerInstruction = 64;

/// How many instructions, and how many blocks, a program of so many may have once calls are inlined. Calls multiply: where each of four
/// functions calls the next sixteen times, 1.5 kB are 65,536 copies of the last.
constexpr std::size_t most_inlined(std::size_t count) {
  return count + std::min((std::size_t{1} << 14) + kSizePerInstruction * count, std::size_t{1} << 20);
}

/// How many instructions a program of so many may be lowered to: an instruction on arrays is one for each element.
constexpr std::size_t most_lowered(std::size_t count) {
  return std::min((std::size_t{1} << 20) + kSizePerInstruction * count, limits::kIrInstructions);
}

/// Whether there are more instructions than `most`, or more operands than so many have: a phi of an array has one for each element and
/// predecessor.
constexpr bool are_larger(std::size_t instructions, std::size_t operands, std::size_t most) {
  constexpr std::size_t kOperandsOfOne = 4;
  return instructions > most || operands / kOperandsOfOne > most;
}

/// How many phis the variables of a function with so many other instructions may need: one for each variable and place where paths meet,
/// before most come to nothing.
constexpr std::size_t most_phis(std::size_t count) {
  return std::min((std::size_t{1} << 18) + kSizePerInstruction * count, limits::kIrPhis);
}

}  // namespace unshade::ir

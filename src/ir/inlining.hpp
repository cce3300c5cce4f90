// How large a program may become when bodies of functions are copied to where they are called.
#pragma once

#include <cstddef>

namespace unshade::ir {

/// Calls multiply: where each of four functions calls the next sixteen times, 1.5 kB are 65,536 copies of the last. What a program may
/// become is therefore in proportion to the instructions that it has; small programs may become kInlinedBase in any case.
inline constexpr std::size_t kInlinedPerInstruction = 64;
inline constexpr std::size_t kInlinedBase = std::size_t{1} << 14;

/// How many instructions, and how many blocks, a program with so many instructions may have once calls are inlined.
constexpr std::size_t most_inlined(std::size_t instructions) { return kInlinedBase + kInlinedPerInstruction * instructions; }

}  // namespace unshade::ir

// What the watched build of the loop does around each operation: profile, trace, and the shadow of undefined values.
#pragma once

#include <cstdint>

#include "vm/access.hpp"
#include "vm/program.hpp"

namespace unshade::vm {

/// As a wave begins.
void begin_watch(const Run& run, Wave& wave);
/// After an operation, by its number in Data::code.
void observe(Run& run, Wave& wave, std::uint32_t code, const LaneMask& exec);
/// Before lanes leave a block, by its number in Data::blocks.
void observe_end(Run& run, Wave& wave, std::uint32_t block, const LaneMask& exec);
/// After the copy of an edge.
inline void observe_copy(Wave& wave, const Copy& copy, const LaneMask& lanes) {
  for (unsigned word = 0; !wave.undefined.empty() && word < (copy.wide ? 2U : 1U); ++word) {
    LaneMask& to = wave.undefined[copy.to + word];
    to = (to & ~lanes) | (wave.undefined[copy.from + word] & lanes);
  }
}

}  // namespace unshade::vm

// A wave from its begin to its end.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "vm/access.hpp"

namespace unshade::vm {

/// Begins a wave of so many lanes, which all wait at the first block.
void start_wave(const Run& run, Wave& wave, unsigned lanes);
/// Runs until all lanes have ended, or wait at a barrier of the group: true then.
bool advance(Run& run, Wave& wave);
/// Runs steps, with what lanes need of each instruction that is no kernel.
void run_steps(Run& run, Wave& wave, std::uint32_t first, std::uint32_t count, const LaneMask& exec);
/// Ends the run as one that exceeds its budget. `block`: that was executed last, or kNone.
void stop_by_budget(Run& run, const Wave& wave, std::uint32_t block);

template <class Word>
void fill_lanes(std::byte* to, Word value, unsigned count) {
  for (unsigned at = 0; at < count; ++at) std::memcpy(to + at * sizeof value, &value, sizeof value);
}

}  // namespace unshade::vm

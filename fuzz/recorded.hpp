// What has to hold of the recording of a kernel.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace unshade::fuzz {

inline constexpr std::size_t kRecordedLanes = 16;

/// On operands, a kernel and its recordings give the same bits: the kernels of each instruction set and of waves of few lanes, and both
/// recordings where they can be compared. `number` is of a kernel that there is; operand k of lane i is words[k * kRecordedLanes + i], as
/// it stands in memory; those that are left out are 0. Empty if it holds, else what is broken.
std::string fault_of_recording(std::size_t number, std::uint32_t extra, bool flushes, std::span<const std::uint64_t> words);

}  // namespace unshade::fuzz

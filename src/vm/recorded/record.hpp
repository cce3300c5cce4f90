// Recordings of kernels: what each computes, as a list of operations over lanes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include <unshade/ir/recorded/recording.hpp>

namespace unshade::vm {

/// Who flushes the denormals of f32 in programs that do so.
enum class Flushing : std::uint8_t {
  by_mode,   ///< the processor, if its mode says so: FTZ and DAZ of x86
  by_rules,  ///< the recording, in arithmetic that keeps them: for such programs alone
};

struct KernelRecording {
  ir::recorded::Recording recording;
  bool keeps_denormals = false;  ///< the kernel runs with the mode off, whatever the program's is: arithmetic of f64
};
using RecordKernel = KernelRecording (*)(std::uint32_t extra);

/// Of a kernel by its number (kernel_number(), pair_number()), with an extra field of the operation: Code::extra. Nothing if there is no
/// such kernel.
std::optional<KernelRecording> record_kernel(std::size_t number, std::uint32_t extra, Flushing flushing);

/// A value that the extra field of a kernel's operation may have, by any number; 0 if it has none.
std::uint32_t extra_of_kernel(std::size_t number, std::uint32_t choice);

/// Its name as programs print it, such as `f_to_s.i32.f32`, with a rounding if it is not the usual one; of a pair the second operation with
/// the first in parentheses: `fmax.f32 (fsub.f32) _`.
std::string kernel_name(std::size_t number);

}  // namespace unshade::vm

#pragma once

#include <unshade/core/value.hpp>

#include "cli/io/printer.hpp"

namespace unshade::cli::stepping {

/// An instruction of a trace, as run::RunOptions::trace has it: `  12  mul r3.xy, r4.xyzw, r5.xyzw  ; 0: r3.x = 1.5, r3.y = 2.0 | 1:
/// ...`
void print_step(const Value& step, Printer& out);

}  // namespace unshade::cli::stepping

// Counts of instructions as fxc makes them for STAT.
#pragma once

#include <unshade/dxbc/program.hpp>
#include <unshade/dxbc/program/facts.hpp>

namespace unshade::dxbc::program {

/// Adds an instruction to its counts. If only some compilers count it, it also goes into `arithmetic`.
void count_instruction(const Instruction& instruction, Statistics& counted, ArithmeticCounts& arithmetic);

}  // namespace unshade::dxbc::program

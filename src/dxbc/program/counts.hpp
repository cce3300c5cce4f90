// Counts of instructions as fxc makes them for STAT.
#pragma once

#include <unshade/dxbc/program.hpp>

#include "dxbc/program/facts.hpp"

namespace unshade::dxbc::program {

/// Adds an instruction to the counts it goes into. What is counted in some compilers only goes into `arithmetic` as well.
void count_instruction(const Instruction& instruction, Statistics& counted, ArithmeticCounts& arithmetic);

}  // namespace unshade::dxbc::program

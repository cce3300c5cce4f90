// The third step of prepare(): code, accesses, edges and blocks.
#pragma once

#include "vm/prepare/allocate.hpp"
#include "vm/prepare/select.hpp"
#include "vm/program.hpp"

namespace unshade::vm {

/// Makes all of a program's data but the steps, which schedule() makes, in the order of the IR.
void emit(Program::Data& data, const Selection& selection, const Allocation& allocation);

}  // namespace unshade::vm

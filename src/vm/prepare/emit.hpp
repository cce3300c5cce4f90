// The fourth step of prepare(): code, accesses, steps, blocks, and edges with their copies.
#pragma once

#include "vm/prepare/allocate.hpp"
#include "vm/prepare/operations.hpp"
#include "vm/prepare/select.hpp"
#include "vm/program.hpp"

namespace unshade::vm {

/// Makes all of a program's lists but its constants, in the order of the operations.
void emit(Program::Data& data, const Selection& selection, const Operations& operations, const Allocation& allocation);

}  // namespace unshade::vm

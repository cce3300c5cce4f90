// The fourth step of prepare(): code, accesses, steps, blocks, and edges with their copies.
#pragma once

#include <cstdint>

#include "vm/prepare/allocate.hpp"
#include "vm/prepare/operations.hpp"
#include "vm/prepare/select.hpp"
#include "vm/program.hpp"

namespace unshade::vm {

/// Which results of loads of several are made: all, or the first ones up to the last that something uses.
enum class Results : std::uint8_t { all, used };

/// Makes all of a program's lists but its constants, in the order of the operations.
void emit(Program::Data& data, const Selection& selection, const Operations& operations, const Allocation& allocation, Results results);

}  // namespace unshade::vm

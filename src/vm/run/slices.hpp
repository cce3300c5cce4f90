// Slices of a grid or of lanes, which threads run at once with the results of one: docs/internals/ir.md, "Threads".
#pragma once

#include <cstdint>

#include "vm/run/engine.hpp"

namespace unshade::vm {

/// Whether no unit can see what another writes, and no result depends on the order of units: stores may wait until all units before are
/// done. Decided by the rows of ops.def.
bool runs_apart(const Run& run);

/// Runs all units, on several threads if the schedule says so and the program allows it.
void run_all(Engine& engine, std::uint64_t units, const Schedule& schedule);

}  // namespace unshade::vm

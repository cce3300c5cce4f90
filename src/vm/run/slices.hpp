// Slices of a grid or of lanes, which threads run at once with the results of one: docs/internals/ir.md, "Threads".
#pragma once

#include <cstdint>
#include <optional>

#include "vm/memory/pages.hpp"
#include "vm/run/engine.hpp"

namespace unshade::vm {

/// Memory in which a unit may see what another wrote. Empty: stores may wait until all units before are done. Nothing: a result depends on
/// the order of units in another way, so that one thread runs them. Decided by the rows of ops.def.
std::optional<SharedMemory> shared_by_units(const Run& run);

/// Runs all units, on several threads if the schedule says so and the program allows it.
void run_all(Engine& engine, std::uint64_t units, const Schedule& schedule);

}  // namespace unshade::vm

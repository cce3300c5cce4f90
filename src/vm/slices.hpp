// Slices of a grid or of lanes, which threads run at once with the results of one: docs/internals/ir.md, "Threads".
#pragma once

#include <cstdint>
#include <vector>

#include "vm/access.hpp"

namespace unshade::vm {

/// What runs waves: a run, and the waves of a group, or one for lanes that run alone.
struct Engine {
  Run run;
  std::vector<Wave> waves;

  Engine(const Program::Data& data, Resources& resources, const Limits& limits, const Observer& observer)
      : run(data, resources, limits, observer) {}
};

/// Bytes that an engine of so many waves takes.
std::uint64_t engine_bytes(const Program::Data& program, std::uint64_t waves);
/// Makes the waves of an engine, and runs the preamble.
void make_waves(Engine& engine, std::uint64_t count);
/// Computes what all waves share, from the constant buffers as they are now.
void run_preamble(Engine& engine);
/// Of lanes that run alone, how many are a unit: kMostLanes, or fewer so that those of a patch stay together.
std::uint64_t lanes_of_unit(const Lanes& lanes);
/// Runs units one after the other until the report says stop: thread groups by their number, or lanes_of_unit() of lanes that run alone.
void run_units(Engine& engine, std::uint64_t first, std::uint64_t count);

/// Whether no unit can see what another writes, and no result depends on the order of units: stores may wait until all units before are
/// done. Decided by the rows of ops.def.
bool runs_apart(const Run& run);

/// Runs all units, on several threads if the schedule says so and the program allows it.
void run_all(Engine& engine, std::uint64_t units, const Schedule& schedule);

}  // namespace unshade::vm

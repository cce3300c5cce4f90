// Thread groups and the lanes that run alone, in waves.
#pragma once

#include <cstdint>

#include <unshade/ir/module.hpp>

#include "vm/program.hpp"
#include "vm/run/engine.hpp"

namespace unshade::vm {

/// Of a group: those of Direct3D have 1,024 at most.
inline constexpr std::uint64_t kMostThreads = 4096;

/// Of a group; of more than kMostThreads, more than that.
std::uint64_t threads_of(const Program::Data& program);

/// What a group of a mesh shader makes.
struct GroupSize {
  explicit GroupSize(const ir::Module& module);
  std::uint64_t bytes() const { return (vertices * vertex + primitives * primitive) * 8 + primitives * corners * 4; }

  std::uint64_t vertices = 0, primitives = 0;            ///< at most
  std::uint64_t vertex = 0, primitive = 0, corners = 0;  ///< components
};

/// Of lanes that run alone, how many are a unit: kMostLanes, or fewer so that those of a patch stay together.
std::uint64_t lanes_of_unit(const Lanes& lanes);
/// Runs units one after the other until the report says stop: thread groups by their number, or lanes_of_unit() of lanes that run alone.
void run_units(Engine& engine, std::uint64_t first, std::uint64_t count);

}  // namespace unshade::vm

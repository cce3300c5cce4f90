// What runs waves, and what waves share.
#pragma once

#include <cstdint>
#include <vector>

#include "vm/access.hpp"

namespace unshade::vm {

/// A run, and the waves of a group, or one for lanes that run alone.
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

}  // namespace unshade::vm

#include "vm/run/engine.hpp"

#include <utility>

#include <unshade/core/bits/rounding.hpp>
#include <unshade/vm/machine.hpp>

#include "vm/program.hpp"
#include "vm/run/groups.hpp"
#include "vm/run/wave.hpp"

namespace unshade::vm {

Run::Run(const Program::Data& data, Resources& bound, const Limits& bounds, const Observer& watched)
    : program(data), resources(bound), limits(bounds), observer(watched), log(bounds.messages) {
  payload.resize(data.payload_bytes);
  if (watched.profile != nullptr) traffic = std::make_unique<Traffic>();
  bind();
}

void Run::bind() {
  plans.reset();
  texel_places.clear();
  table.assign(1, nullptr);
  row_base.clear();
  resources.rows.resize(program.module.resources.size());
  for (auto& row : resources.rows) {
    row_base.push_back(static_cast<std::uint32_t>(table.size()));
    for (texel::Descriptor& one : row) table.push_back(&one);
  }
  heap_base = static_cast<std::uint32_t>(table.size());
  for (texel::Descriptor& one : resources.heap) table.push_back(&one);
  sampler_heap_base = static_cast<std::uint32_t>(table.size());
  for (texel::Descriptor& one : resources.sampler_heap) table.push_back(&one);
  addresses_base = static_cast<std::uint32_t>(table.size());
  for (AddressedBuffer& one : resources.addresses) table.push_back(&one.view);
}

std::uint64_t engine_bytes(const Program::Data& program, std::uint64_t waves) {
  const std::uint64_t slots = std::uint64_t{program.slots} * program.slot_bytes;
  const std::uint64_t memory = std::uint64_t{program.private_initial.size()} * program.width;
  return (slots + memory) * waves + program.group_bytes + program.payload_bytes;
}

void make_waves(Engine& engine, std::uint64_t count) {
  const Program::Data& program = engine.run.program;
  if (runs_in_groups(program.module.stage) && threads_of(program) != 0 && threads_of(program) <= kMostThreads) {
    // a wave of fewer lanes than its rows have reads all of them, wherever it begins
    const std::size_t lanes = threads_of(program) + std::size_t{program.width};
    engine.run.threads.resize(3 * lanes);
    for (std::uint32_t lane = 0; lane < lanes; ++lane) {
      const auto place = ir::thread_of_lane(program.module.info, lane);
      for (std::size_t k = 0; k < 3; ++k) engine.run.threads[k * lanes + lane] = place[k];
    }
  }
  engine.waves.resize(count);
  // rows end with a whole chunk
  const std::size_t bytes = program.private_initial.size() * program.width;
  for (Wave& wave : engine.waves) wave.private_memory.resize(bytes == 0 ? 0 : bytes + std::size_t{4} * kChunk);
  if (count == 0) return;
  Wave& first = engine.waves.front();
  first.slots.resize(program.slots * program.slot_bytes);
  const auto lanes = static_cast<unsigned>(program.slot_bytes / 4);
  for (const Program::Data::Constant& constant : program.constants) {
    std::byte* const to = lane_at(program, first, constant.slot, 0, constant.wide);
    if (constant.wide) {
      fill_lanes(to, constant.bits, lanes);
    } else {
      fill_lanes(to, static_cast<std::uint32_t>(constant.bits), lanes);
    }
  }
  run_preamble(engine);
}

void run_preamble(Engine& engine) {
  Wave& first = engine.waves.front();
  {
    const FlushMode mode(engine.run.program.flushes);
    run_steps(engine.run, first, 0, engine.run.program.preamble_steps, LaneMask::first(engine.run.program.width));
  }
  // the watched build makes these accesses again where they stand, if they are reached
  engine.run.missed = {};
  for (std::size_t at = 1; at < engine.waves.size(); ++at) engine.waves[at].slots = first.slots;
}

}  // namespace unshade::vm

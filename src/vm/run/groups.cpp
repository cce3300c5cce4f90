#include "vm/run/groups.hpp"

#include <algorithm>
#include <span>
#include <utility>

#include <unshade/vm/machine.hpp>

#include "vm/run/wave.hpp"

namespace unshade::vm {

using ir::kNone;

std::uint64_t threads_of(const Program::Data& program) {
  const auto& size = program.module.info.group_size;
  const std::uint64_t layer = std::uint64_t{size[0]} * size[1];
  return layer > kMostThreads ? layer * std::min(size[2], 1U) : layer * size[2];
}

GroupSize::GroupSize(const ir::Module& module) {
  if (module.stage != Stage::mesh) return;
  vertices = module.info.max_vertices;
  primitives = module.info.max_primitives;
  vertex = components_of(module.signatures.output);
  primitive = components_of(module.signatures.patch);
  corners = ir::corners_of(module.info.mesh_topology);
}

std::uint64_t lanes_of_unit(const Lanes& lanes) {
  const std::uint32_t points = std::clamp(lanes.points, 1U, kMostLanes);
  return kMostLanes / points * points;
}

namespace {

void begin_group(Run& run) {
  std::ranges::fill(run.payload, std::byte{});
  if (run.to == nullptr) return;
  std::copy_n(run.to->payload.begin(), std::min(run.to->payload.size(), run.payload.size()), run.payload.begin());
  const GroupSize size(run.program.module);
  run.made_bytes += sizeof(Groups::Group) + run.payload.size();
  if (run.made_bytes + size.bytes() > run.limits.memory)
    return run.fault("the outputs of the groups take more memory than the limit allows");
  run.made = &run.to->made.emplace_back();
  run.made->id = run.group;
  run.made->outputs.resize(size.vertices * size.vertex);
  run.made->patch.resize(size.primitives * size.primitive);
  run.made->indices.resize(size.primitives * size.corners);
}

void end_group(Run& run) {
  if (run.made == nullptr) return;
  Groups::Group& made = *std::exchange(run.made, nullptr);
  const GroupSize size(run.program.module);
  made.outputs.resize(made.vertices * size.vertex);
  made.patch.resize(made.primitives * size.primitive);
  made.indices.resize(made.primitives * size.corners);
  made.outputs.shrink_to_fit();
  made.patch.shrink_to_fit();
  made.indices.shrink_to_fit();
  run.made_bytes += (made.outputs.size() + made.patch.size()) * 8 + made.indices.size() * 4;
  if (run.program.module.stage == Stage::amplification) made.payload = run.payload;
}

// Of a group, in operations: a grid of many groups that do nothing takes time too.
std::uint64_t cost_of_start(const Program::Data& program, std::uint64_t waves) {
  constexpr std::uint64_t kOfWave = 8, kBytes = 64;
  const std::uint64_t of_wave = kOfWave + program.private_initial.size() * program.width / kBytes;
  return (program.group_bytes + program.payload_bytes) / kBytes + waves * of_wave;
}

// A wave that begins with the lane `first`. `number`: in its group, or of all.
void start_numbered(Run& run, Wave& wave, std::uint64_t number, std::uint64_t first, std::uint64_t end) {
  wave.index = static_cast<std::uint32_t>(number);
  wave.first_lane = static_cast<std::uint32_t>(first);
  const auto here = static_cast<unsigned>(std::min<std::uint64_t>(run.program.wave, end - first));
  start_wave(run, wave, here);
  if (run.alone == nullptr) return;
  for (unsigned lane = 0; lane < here && first + lane < run.alone->helper.size(); ++lane) {
    if (run.alone->helper[first + lane]) wave.helper.add(lane);
  }
}

void finish_wave(Run& run, const Wave& wave) {
  if (run.alone == nullptr) return;
  Lanes& lanes = *run.alone;
  for_each_lane(wave.helper, [&](unsigned lane) {
    const std::size_t at = wave.first_lane + lane;
    if (at >= lanes.helper.size() || !lanes.helper[at]) lanes.discarded[at] = true;
  });
}

// Whether waves wait at different barriers. Those that have ended wait at none.
bool is_divergent(std::span<const Wave> waves) {
  std::uint32_t place = kNone;
  for (const Wave& wave : waves) {
    if (wave.finished) continue;
    if (place != kNone && wave.barrier != place) return true;
    place = wave.barrier;
  }
  return false;
}

// Lanes of a group, or alone, in waves: one after the other, or in turns if they wait for each other.
// `wave_number`: of the first wave.
void run_lanes(Engine& engine, std::uint64_t first, std::uint64_t end, std::uint64_t wave_number) {
  Run& run = engine.run;
  const std::uint64_t step = run.program.wave;
  if (!run.program.waits) {
    Wave& wave = engine.waves.front();
    for (std::uint64_t at = first; at < end && run.report.stop == Stop::finished; at += step) {
      start_numbered(run, wave, wave_number + (at - first) / step, at, end);
      while (!wave.finished && run.report.stop == Stop::finished) advance(run, wave);
      finish_wave(run, wave);
    }
    return;
  }
  const std::span<Wave> waves(engine.waves.data(), (end - first + step - 1) / step);
  for (std::size_t at = 0; at < waves.size(); ++at) start_numbered(run, waves[at], wave_number + at, first + at * step, end);
  for (bool waiting = true; waiting && run.report.stop == Stop::finished;) {
    waiting = false;
    for (Wave& wave : waves) {
      if (!wave.finished) waiting = advance(run, wave) || waiting;
      if (run.report.stop != Stop::finished) break;
    }
    if (waiting && run.alone == nullptr && is_divergent(waves)) run.report.divergent_barrier = true;
  }
  for (const Wave& wave : waves) finish_wave(run, wave);
}

void run_group(Engine& engine, std::uint64_t number) {
  Run& run = engine.run;
  const Program::Data& program = run.program;
  const std::uint64_t threads = threads_of(program);
  const std::uint64_t row = number / run.groups[0];
  run.group = {static_cast<std::uint32_t>(number % run.groups[0]), static_cast<std::uint32_t>(row % run.groups[1]),
               static_cast<std::uint32_t>(row / run.groups[1])};
  std::ranges::fill(run.group_memory, std::byte{});
  begin_group(run);
  run.starts += cost_of_start(program, (threads + program.wave - 1) / program.wave);
  if (run.is_over_budget()) return stop_by_budget(run, engine.waves.front(), kNone);
  run_lanes(engine, 0, threads, 0);
  end_group(run);
}

void run_alone(Engine& engine, std::uint64_t number) {
  const std::uint64_t lanes = lanes_of_unit(*engine.run.alone);
  const std::uint64_t waves = (lanes + engine.run.program.wave - 1) / engine.run.program.wave;
  run_lanes(engine, number * lanes, std::min<std::uint64_t>(engine.run.alone->count, (number + 1) * lanes), number * waves);
}

}  // namespace

void run_units(Engine& engine, std::uint64_t first, std::uint64_t count) {
  Run& run = engine.run;
  for (std::uint64_t unit = first; unit < first + count && run.report.stop == Stop::finished; ++unit) {
    if (run.alone != nullptr) {
      run_alone(engine, unit);
    } else {
      run_group(engine, unit);
    }
  }
}

}  // namespace unshade::vm

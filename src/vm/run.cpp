// Runs waves: of the blocks in which lanes wait, the first in the order runs, with all lanes that wait there. Lanes that left a loop wait
// after it until none is inside: there is no stack, and nothing special for break, continue or return.
#include <algorithm>
#include <bit>
#include <span>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#include <unshade/vm/machine.hpp>

#include "vm/access.hpp"
#include "vm/observe.hpp"
#include "vm/program.hpp"
#include "vm/slices.hpp"

namespace unshade::vm {
namespace {

using ir::kNone;

void wait_at(Wave& wave, std::uint32_t block, const LaneMask& lanes) {
  wave.pending[block] = wave.pending[block] | lanes;
  wave.waiting[block / 64] |= std::uint64_t{1} << (block % 64);
}

std::uint32_t first_waiting(const Wave& wave) {
  for (std::size_t word = 0; word < wave.waiting.size(); ++word) {
    if (wave.waiting[word] != 0)
      return static_cast<std::uint32_t>(word * 64 + static_cast<std::size_t>(std::countr_zero(wave.waiting[word])));
  }
  return kNone;
}

// The copies of an edge for all lanes of a wave, `kBytes` at a time; lanes that did not begin may get anything.
template <std::size_t kBytes>
void copy_slots(const Program::Data& program, Wave& wave, const Edge& edge) {
  std::byte* const slots = wave.slots.data();
  for (const Copy *copy = program.copies.data() + edge.first_copy, *const end = copy + edge.copy_count; copy != end; ++copy) {
    const std::byte* const from = slots + copy->from * program.slot_bytes;
    std::byte* const to = slots + copy->to * program.slot_bytes;
    const std::size_t bytes = program.slot_bytes * (copy->wide ? 2 : 1);
    for (std::size_t at = 0; at < bytes; at += kBytes) std::memcpy(to + at, from + at, kBytes);
  }
}

template <bool Observed>
void copy_values(Run& run, Wave& wave, const Edge& edge, const LaneMask& lanes) {
  const Program::Data& program = run.program;
  if (!Observed && lanes == wave.lanes)
    return program.width == kNarrow ? copy_slots<kNarrow * 4>(program, wave, edge) : copy_slots<kChunk * 4>(program, wave, edge);
  for (std::uint32_t at = edge.first_copy; at < edge.first_copy + edge.copy_count; ++at) {
    const Copy& copy = program.copies[at];
    for_each_lane(lanes,
                  [&](unsigned lane) { set_bits(run, wave, copy.to, lane, copy.wide, get_bits(run, wave, copy.from, lane, copy.wide)); });
    if constexpr (Observed) observe_copy(wave, copy, lanes);
  }
}

template <bool Observed>
void take_edge(Run& run, Wave& wave, const Edge& edge, const LaneMask& lanes) {
  if (!lanes.any()) return;
  copy_values<Observed>(run, wave, edge, lanes);
  wait_at(wave, edge.block, lanes);
}

LaneMask holds(Run& run, Wave& wave, std::uint16_t slot, const LaneMask& exec) {
  LaneMask made;
#if defined(__SSE2__)
  // a true b1 is all ones, so that its sign is that of a float
  for (unsigned lane = 0; lane < run.program.width; lane += 4) {
    const auto* const four = reinterpret_cast<const float*>(lane_at(run.program, wave, slot, lane, false));
    made.words[lane / 64] |= static_cast<std::uint64_t>(_mm_movemask_ps(_mm_loadu_ps(four))) << (lane % 64);
  }
  return made & exec;
#else
  for_each_lane(exec, [&](unsigned lane) {
    if (get32(run, wave, slot, lane) != 0) made.add(lane);
  });
  return made;
#endif
}

// The edge that all lanes take; null if they go different ways, or may have to.
const Edge* only_edge(Run& run, Wave& wave, const BlockCode& block, const LaneMask& exec) {
  const Edge* const edges = run.program.edges.data() + block.first_edge;
  if (block.waits) return nullptr;
  if (block.end == BlockCode::End::jump) return edges;
  if (block.end != BlockCode::End::branch) return nullptr;
  const LaneMask taken = holds(run, wave, block.condition, exec);
  return taken == exec ? edges : taken.any() ? nullptr : edges + 1;
}

template <bool Observed>
void end_block(Run& run, Wave& wave, const BlockCode& block, const LaneMask& exec) {
  const Edge* const edges = run.program.edges.data() + block.first_edge;
  switch (block.end) {
    case BlockCode::End::jump: return take_edge<Observed>(run, wave, edges[0], exec);
    case BlockCode::End::branch: {
      const LaneMask taken = holds(run, wave, block.condition, exec);
      take_edge<Observed>(run, wave, edges[0], taken);
      return take_edge<Observed>(run, wave, edges[1], exec & ~taken);
    }
    case BlockCode::End::switch_: {
      LaneMask rest = exec;
      for (std::uint32_t at = 1; at < block.edge_count && rest.any(); ++at) {
        const std::uint64_t value = run.program.cases[block.first_case + at - 1];
        LaneMask equal;
        for_each_lane(rest, [&](unsigned lane) {
          if (get_bits(run, wave, block.condition, lane, block.wide) == value) equal.add(lane);
        });
        take_edge<Observed>(run, wave, edges[at], equal);
        rest = rest & ~equal;
      }
      return take_edge<Observed>(run, wave, edges[0], rest);
    }
    case BlockCode::End::unreachable:
      run.fault("a lane reached an `unreachable` terminator");
      wave.ended = wave.ended | exec;
      return;
    case BlockCode::End::stop: wave.ended = wave.ended | exec; return;
  }
}

template <class Word>
void fill(std::byte* to, Word value, unsigned count) {
  for (unsigned at = 0; at < count; ++at) std::memcpy(to + at * sizeof value, &value, sizeof value);
}

// What has the same operands in all lanes is done by one, whose result all get.
void run_access(Run& run, Wave& wave, const Access& access, const LaneMask& exec) {
  if (!access.once || wave.lane_count == 1) return access.function(run, wave, access, exec);
  const unsigned lane = exec.lowest();
  LaneMask one;
  one.add(lane);
  access.function(run, wave, access, one);
  const bool wide = is_wide(access.type);
  for (unsigned member = 0; member < access.results; ++member) {
    const unsigned slot = access.first_result + member * (wide ? 2U : 1U);
    const std::uint64_t bits = get_bits(run, wave, slot, lane, wide);
    std::byte* const to = lane_at(run.program, wave, slot, 0, wide);
    if (wide) {
      fill(to, bits, run.program.width);
    } else {
      fill(to, static_cast<std::uint32_t>(bits), run.program.width);
    }
  }
}

// `block`: that was executed last, or kNone.
void stop_by_budget(Run& run, const Wave& wave, std::uint32_t block) {
  if (run.report.stop != Stop::finished) return;
  run.report.stop = Stop::budget;
  std::string& what = run.report.fault;
  const auto number = [&](const char* before, std::uint64_t value) { (what += before) += std::to_string(value); };
  number("the run took more than ", run.limits.operations);
  what += " operations";
  if (run.alone != nullptr) {
    number(wave.lane_count == 1 ? ": stopped in lane " : ": stopped in lanes ", wave.first_lane);
    if (wave.lane_count != 1) number(" to ", wave.first_lane + wave.lane_count - 1);
  } else {
    number(": stopped in thread group ", run.group[0]);
    number(" ", run.group[1]);
    number(" ", run.group[2]);
  }
  if (block == kNone) return;
  const ir::Function& function = *run.program.function;
  const ir::Id last = function.blocks[function.order[block]].last;
  if (last < function.sources.size() && function.sources[last].instruction != kNone)
    number(", instruction ", function.sources[last].instruction);
}

void run_steps(Run& run, Wave& wave, std::uint32_t first, std::uint32_t count, const LaneMask& exec) {
  const Program::Data& program = run.program;
  std::byte* const slots = wave.slots.data();
  for (const Step *step = program.steps.data() + first, *const end = step + count; step != end; ++step) {
    switch (step->kind) {
      case Step::Kind::kernel: step->kernel(program.scheduled.data() + step->first, step->count, slots, program.chunks); break;
      case Step::Kind::inputs: transfer_inputs(run, wave, {program.transfers.data() + step->first, step->count}, exec); break;
      case Step::Kind::outputs: transfer_outputs(run, wave, {program.transfers.data() + step->first, step->count}, exec); break;
      case Step::Kind::access: run_access(run, wave, program.accesses[step->first], exec); break;
    }
  }
}

// Until all lanes have ended, or wait at a barrier of the group: true then.
template <bool Observed>
bool run_wave(Run& run, Wave& wave) {
  const Program::Data& program = run.program;
  const FlushMode mode(program.flushes);
  std::uint32_t number = kNone;  // of the block that `exec` goes on with; kNone: where lanes wait
  LaneMask exec;
  std::uint32_t next = kNone;  // where others wait
  for (;;) {
    if (number == kNone) {
      number = first_waiting(wave);
      wave.settled = number == kNone;
      if (wave.settled) break;
      exec = std::exchange(wave.pending[number], {});
      wave.waiting[number / 64] &= ~(std::uint64_t{1} << (number % 64));
      next = first_waiting(wave);
    }
    const std::uint32_t here = number;
    const BlockCode& block = program.blocks[here];
    if constexpr (Observed) {
      for (std::uint32_t at = block.first; at < block.first + block.count; ++at) {
        const Code& code = program.code[at];
        if (code.kernel == kAccess) {
          run_access(run, wave, program.accesses[code.extra], exec);
        } else {
          program.kernels[code.kernel](&code, 1, wave.slots.data(), program.chunks);
        }
        observe(run, wave, at, exec);
        if (run.report.stop != Stop::breakpoint) continue;
        wave.finished = true;
        return false;
      }
      observe_end(run, wave, here, exec);
    } else {
      run_steps(run, wave, block.first_step, block.step_count, exec);
    }
    // of the blocks in which lanes wait the first runs: that is where these go, if all go there and no others wait before or in it
    const Edge* const edge = only_edge(run, wave, block, exec);
    const bool goes_on = edge != nullptr && edge->block < next;
    if (goes_on) {
      copy_values<Observed>(run, wave, *edge, exec);
      number = edge->block;
    } else {
      end_block<Observed>(run, wave, block, exec);
      number = kNone;
    }
    run.operations += block.count + 1;
    if (run.is_over_budget()) stop_by_budget(run, wave, here);
    if (run.report.stop != Stop::finished) break;
    // helpers alone have nothing more to do
    if (wave.helper.any() && !(wave.lanes & ~wave.ended & ~wave.helper).any()) break;
    if (block.waits && first_waiting(wave) != kNone) {
      wave.barrier = here;
      return true;
    }
  }
  wave.finished = true;
  return false;
}

bool advance(Run& run, Wave& wave) { return is_watched(run.observer) ? run_wave<true>(run, wave) : run_wave<false>(run, wave); }

void start(const Run& run, Wave& wave, unsigned lanes) {
  const Program::Data& program = run.program;
  wave.lanes = LaneMask::first(lanes);
  wave.lane_count = lanes;
  wave.helper = {};
  wave.ended = {};
  wave.finished = false;
  if (!wave.settled) {
    wave.pending.assign(program.blocks.size(), {});
    wave.waiting.assign(program.blocks.size() / 64 + 1, 0);
  }
  wave.settled = false;
  wait_at(wave, 0, wave.lanes);
  if (is_watched(run.observer)) begin_watch(run, wave);
  for (std::size_t word = 0; word < program.private_initial.size() / 4; ++word) {
    std::uint32_t value = 0;
    std::memcpy(&value, program.private_initial.data() + word * 4, 4);
    fill(wave.private_memory.data() + word * 4 * program.width, value, program.width);
  }
}

/// Of a group: those of Direct3D have 1,024 at most.
constexpr std::uint64_t kMostThreads = 4096;

/// Of a group; of more than kMostThreads, more than that.
std::uint64_t threads_of(const Program::Data& program) {
  const auto& size = program.module.info.group_size;
  const std::uint64_t layer = std::uint64_t{size[0]} * size[1];
  return layer > kMostThreads ? layer * std::min(size[2], 1U) : layer * size[2];
}

// --- what groups of mesh and amplification shaders make --------------------------------------------------------------------------------

struct GroupSize {
  explicit GroupSize(const ir::Module& module) {
    if (module.stage != Stage::mesh) return;
    vertices = module.info.max_vertices;
    primitives = module.info.max_primitives;
    vertex = components_of(module.signatures.output);
    primitive = components_of(module.signatures.patch);
    corners = ir::corners_of(module.info.mesh_topology);
  }
  std::uint64_t bytes() const { return (vertices * vertex + primitives * primitive) * 8 + primitives * corners * 4; }

  std::uint64_t vertices = 0, primitives = 0;            ///< at most
  std::uint64_t vertex = 0, primitive = 0, corners = 0;  ///< components
};

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
void start(Run& run, Wave& wave, std::uint64_t number, std::uint64_t first, std::uint64_t end) {
  wave.index = static_cast<std::uint32_t>(number);
  wave.first_lane = static_cast<std::uint32_t>(first);
  const auto here = static_cast<unsigned>(std::min<std::uint64_t>(run.program.wave, end - first));
  start(run, wave, here);
  if (run.alone == nullptr) return;
  for (unsigned lane = 0; lane < here && first + lane < run.alone->helper.size(); ++lane) {
    if (run.alone->helper[first + lane]) wave.helper.add(lane);
  }
}

void finish(Run& run, const Wave& wave) {
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
      start(run, wave, wave_number + (at - first) / step, at, end);
      while (!wave.finished && run.report.stop == Stop::finished) advance(run, wave);
      finish(run, wave);
    }
    return;
  }
  const std::span<Wave> waves(engine.waves.data(), (end - first + step - 1) / step);
  for (std::size_t at = 0; at < waves.size(); ++at) start(run, waves[at], wave_number + at, first + at * step, end);
  for (bool waiting = true; waiting && run.report.stop == Stop::finished;) {
    waiting = false;
    for (Wave& wave : waves) {
      if (!wave.finished) waiting = advance(run, wave) || waiting;
      if (run.report.stop != Stop::finished) break;
    }
    if (waiting && run.alone == nullptr && is_divergent(waves)) run.report.divergent_barrier = true;
  }
  for (const Wave& wave : waves) finish(run, wave);
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

// That exist at once to run so many lanes.
std::uint64_t waves_of(const Program::Data& program, std::uint64_t lanes) {
  return program.waits ? std::max<std::uint64_t>(1, (lanes + program.wave - 1) / program.wave) : 1;
}

Result<void> check_memory(const Program::Data& program, std::uint64_t waves, const Limits& limits) {
  const std::uint64_t bytes = engine_bytes(program, waves);
  if (bytes <= limits.memory) return {};
  return Error{ErrorCode::limit, 0, "memory",
               std::to_string(waves) + " waves and the memory of a group take " + std::to_string(bytes) + " bytes of " +
                   std::to_string(limits.memory)};
}

}  // namespace

std::string_view id(Stop stop) {
  switch (stop) {
    case Stop::finished: return "finished";
    case Stop::budget: return "budget";
    case Stop::breakpoint: return "breakpoint";
    default: return "fault";
  }
}

std::string_view id(Misuse misuse) { return misuse == Misuse::undefined ? "undefined" : "out-of-bounds"; }

Run::Run(const Program::Data& data, Resources& bound, const Limits& bounds, const Observer& watched)
    : program(data), resources(bound), limits(bounds), observer(watched), log(bounds.messages) {
  payload.resize(data.payload_bytes);
  bind();
}

void Run::bind() {
  plans.reset();
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
  engine.waves.resize(count);
  for (Wave& wave : engine.waves) wave.private_memory.resize(program.private_initial.size() * program.width);
  if (count == 0) return;
  Wave& first = engine.waves.front();
  first.slots.resize(program.slots * program.slot_bytes);
  const auto lanes = static_cast<unsigned>(program.slot_bytes / 4);
  for (const Program::Data::Constant& constant : program.constants) {
    std::byte* const to = lane_at(program, first, constant.slot, 0, constant.wide);
    if (constant.wide) {
      fill(to, constant.bits, lanes);
    } else {
      fill(to, static_cast<std::uint32_t>(constant.bits), lanes);
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

Runner::Runner(Program program, Resources& resources, const Limits& limits, const Observer& observer)
    : program_(std::move(program)), engine_(std::make_unique<Engine>(program_.data(), resources, limits, observer)) {
  engine_->run.group_memory.resize(program_.data().group_bytes);
}
Runner::Runner(Runner&&) noexcept = default;
Runner::~Runner() = default;

void Runner::bind() {
  engine_->run.bind();
  if (!engine_->waves.empty()) run_preamble(*engine_);
}

Result<void> Runner::make_room(std::uint64_t waves) {
  if (auto fits = check_memory(engine_->run.program, waves, engine_->run.limits); !fits) return fits;
  make_waves(*engine_, waves);
  return {};
}

void Runner::begin() {
  engine_->run.operations = engine_->run.starts = 0;
  engine_->run.report = {};
  engine_->run.log.clear();
}

Result<Report> Runner::dispatch(std::array<std::uint32_t, 3> groups, const Schedule& schedule, Groups* made) {
  Engine& engine = *engine_;
  const Program::Data& data = engine.run.program;
  const std::uint64_t threads = threads_of(data);
  if (threads == 0 || threads > kMostThreads) {
    const auto& size = data.module.info.group_size;
    return Error{ErrorCode::limit, 0, "group_size",
                 "expected 1 to " + std::to_string(kMostThreads) + " threads, found " + std::to_string(size[0]) + " x " +
                     std::to_string(size[1]) + " x " + std::to_string(size[2])};
  }
  const std::uint64_t waves = waves_of(data, threads);
  if (engine.waves.size() != waves) {
    if (auto made_room = make_room(waves); !made_room) return std::move(made_room).error();
  }
  begin();
  engine.run.groups = groups;
  engine.run.alone = nullptr;
  engine.run.emitted = nullptr;
  engine.run.to = nullptr;
  engine.run.made_bytes = 0;
  if (made != nullptr && data.module.stage != Stage::compute) {
    constexpr std::uint64_t kMost = 65536;  // of each: keeps sums in range
    const GroupSize size(data.module);
    if (size.vertices > kMost || size.primitives > kMost || size.bytes() > engine.run.limits.memory)
      return Error{ErrorCode::limit, 0, "memory", "the outputs of a group are larger than the limit"};
    made->made.clear();
    engine.run.to = made;
  }
  // more than 2^64 groups do not end in any case
  const std::uint64_t plane = std::uint64_t{groups[0]} * groups[1];
  const bool fits = plane == 0 || groups[2] <= ~std::uint64_t{0} / plane;
  run_all(engine, fits ? plane * groups[2] : ~std::uint64_t{0}, schedule);
  engine.run.report.operations = engine.run.operations;
  engine.run.log.move_to(engine.run.report);
  return std::move(engine.run.report);
}

Result<Report> Runner::run(Lanes& lanes, const Schedule& schedule) {
  Engine& engine = *engine_;
  const std::uint32_t inputs = engine.run.program.inputs;
  const std::uint64_t outputs = engine.run.program.outputs, patch = engine.run.program.patch;
  if (lanes.inputs.size() != std::uint64_t{inputs} * lanes.vertices * lanes.count) {
    return Error{
        ErrorCode::bad_value, 0, "inputs",
        std::to_string(lanes.inputs.size()) + " values, expected " + std::to_string(std::uint64_t{inputs} * lanes.vertices * lanes.count)};
  }
  if ((outputs + patch) * lanes.count * 8 > engine.run.limits.memory)
    return Error{ErrorCode::limit, 0, "memory", "the outputs are larger than the limit"};
  const std::uint64_t waves = waves_of(engine.run.program, std::min<std::uint64_t>(lanes.count, lanes_of_unit(lanes)));
  if (engine.waves.size() < waves) {
    if (auto made_room = make_room(waves); !made_room) return std::move(made_room).error();
  }
  begin();
  engine.run.groups = {1, 1, 1};
  engine.run.group = {};
  engine.run.alone = &lanes;
  engine.run.emitted = &lanes.emitted;
  engine.run.to = nullptr;
  std::ranges::fill(engine.run.group_memory, std::byte{});
  lanes.outputs.assign(outputs * lanes.count, 0);
  lanes.patch.resize(patch * lanes.count);
  lanes.discarded.assign(lanes.count, false);
  lanes.emitted.clear();
  run_all(engine, (std::uint64_t{lanes.count} + lanes_of_unit(lanes) - 1) / lanes_of_unit(lanes), schedule);
  // a shader may emit in several places, and waves reach those of one lane after another's
  if (!std::ranges::is_sorted(lanes.emitted, {}, &Lanes::Vertex::lane)) std::ranges::stable_sort(lanes.emitted, {}, &Lanes::Vertex::lane);
  engine.run.report.operations = engine.run.operations;
  engine.run.log.move_to(engine.run.report);
  return std::move(engine.run.report);
}

Result<Report> dispatch(const Program& program, Resources& resources, std::array<std::uint32_t, 3> groups, const Limits& limits,
                        const Observer& observer, const Schedule& schedule, Groups* made) {
  return Runner(program, resources, limits, observer).dispatch(groups, schedule, made);
}

Result<Report> run_lanes(const Program& program, Resources& resources, Lanes& lanes, const Limits& limits, const Observer& observer,
                         const Schedule& schedule) {
  return Runner(program, resources, limits, observer).run(lanes, schedule);
}

}  // namespace unshade::vm

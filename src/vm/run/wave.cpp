// Runs waves: of the blocks in which lanes wait, the first in the order runs, with all lanes that wait there. Lanes that left a loop wait
// after it until none is inside: there is no stack, and nothing special for break, continue or return.
#include "vm/run/wave.hpp"

#include <bit>
#include <string>
#include <utility>

#include <unshade/vm/machine.hpp>

#include "vm/observe.hpp"
#include "vm/program.hpp"

namespace unshade::vm {

using ir::kNone;

namespace {

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
  const Copy* const copies = program.copies.data() + edge.first_copy;
  program.rows->copy(rows_of(program, wave), copies, edge.copy_count, lanes.bits(), program.width);
  if constexpr (Observed) {
    for (const Copy* copy = copies; copy != copies + edge.copy_count; ++copy) observe_copy(wave, *copy, lanes);
  }
}

template <bool Observed>
void take_edge(Run& run, Wave& wave, const Edge& edge, const LaneMask& lanes) {
  if (!lanes.any()) return;
  copy_values<Observed>(run, wave, edge, lanes);
  wait_at(wave, edge.block, lanes);
}

// A true b1 is all ones.
LaneMask holds(Run& run, Wave& wave, std::uint16_t slot, const LaneMask& exec) {
  LaneMask made;
  run.program.rows->negative(lane_at(run.program, wave, slot, 0, false), run.program.width, made.bits());
  return made & exec;
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
      fill_lanes(to, bits, run.program.width);
    } else {
      fill_lanes(to, static_cast<std::uint32_t>(bits), run.program.width);
    }
  }
}

}  // namespace

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
      case Step::Kind::kernel: step->kernel(program.code.data() + step->first, step->count, slots, program.chunks); break;
      case Step::Kind::inputs: transfer_inputs(run, wave, {program.transfers.data() + step->first, step->count}, exec); break;
      case Step::Kind::outputs: transfer_outputs(run, wave, {program.transfers.data() + step->first, step->count}, exec); break;
      case Step::Kind::access: run_access(run, wave, program.accesses[step->first], exec); break;
    }
  }
}

namespace {

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
    run.operations += block.operations + 1;
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

}  // namespace

bool advance(Run& run, Wave& wave) { return is_watched(run.observer) ? run_wave<true>(run, wave) : run_wave<false>(run, wave); }

void start_wave(const Run& run, Wave& wave, unsigned lanes) {
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
    fill_lanes(wave.private_memory.data() + word * 4 * program.width, value, program.width);
  }
}

}  // namespace unshade::vm

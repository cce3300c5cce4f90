#include "vm/observe.hpp"

#include <algorithm>
#include <array>
#include <span>

namespace unshade::vm {
namespace {

using ir::kNone;
using ir::Op;

ir::Source source_of(const ir::Function& function, ir::Id id) { return id < function.sources.size() ? function.sources[id] : ir::Source{}; }

void report(const Run& run, const Wave& wave, Misuse what, ir::Id id, const LaneMask& lanes) {
  run.observer.misuse(run.observer.self, {what, id, source_of(*run.program.function, id), run.group, wave.index, lanes.words});
}

/// The slots of an operation's operands and of its results.
struct CodeSlots {
  std::array<std::uint16_t, 5> inline_operands{};
  std::span<const std::uint16_t> operands;  ///< the first slot of each
  std::uint16_t first_result = 0;
  unsigned result_words = 0;  ///< slots of all results
};

// Those of Data::code[at], which is no pair. `slots` must not move.
void find_slots(const Program::Data& program, std::uint32_t at, CodeSlots& slots) {
  const ir::Function& function = *program.function;
  const ir::Id id = program.origin[at];
  const Code& code = program.code[at];
  if (code.kernel == kAccess) {
    const Access& access = program.accesses[code.extra];
    slots.operands = access.operands;
    slots.first_result = access.first_result;
  } else {
    slots.inline_operands = {code.a, code.b, code.c, code.more, static_cast<std::uint16_t>(code.extra)};
    slots.operands = std::span(slots.inline_operands).first(std::min<std::size_t>(function.operands_of(id).size(), 5));
    slots.first_result = code.d;
  }
  for (unsigned member = 0; member < function.insts[id].results; ++member)
    slots.result_words += is_wide(ir::result_type(function, id, member)) ? 2 : 1;
}

// A value that is computed from undefined values is undefined. It must not be stored, nor decide a branch or an address.
void check(Run& run, Wave& wave, std::uint32_t at, const LaneMask& exec) {
  const ir::Id id = run.program.origin[at];
  const Op op = run.program.function->insts[id].op;
  if (const LaneMask missed = run.missed & exec & ~wave.helper; missed.any()) report(run, wave, Misuse::out_of_bounds, id, missed);
  CodeSlots slots;
  find_slots(run.program, at, slots);
  LaneMask undefined;
  if (op == Op::select) {
    const auto& condition = slots.operands[0];
    LaneMask chosen;
    for_each_lane(exec, [&](unsigned lane) {
      if (wave.undefined[slots.operands[get32(run, wave, condition, lane) != 0 ? 1 : 2]].has(lane)) chosen.add(lane);
    });
    undefined = wave.undefined[condition] | chosen;
  } else {
    for (const std::uint16_t slot : slots.operands) undefined = undefined | wave.undefined[slot];
  }
  undefined = undefined & exec;
  const ir::Effects effects = ir::info(op).effects;
  if (has(effects, ir::Effects::reads) || has(effects, ir::Effects::writes)) {
    if (undefined = undefined & ~wave.helper; undefined.any()) report(run, wave, Misuse::undefined, id, undefined);
    undefined = {};
  }
  for (unsigned word = 0; word < slots.result_words; ++word) {
    LaneMask& to = wave.undefined[slots.first_result + word];
    to = (to & ~exec) | undefined;
  }
}

void count(Run& run, Wave& wave, std::uint32_t at, const ir::Source& source, const LaneMask& exec) {
  Profile& profile = *run.observer.profile;
  if (source.instruction != kNone) {
    profile.bytes[source.instruction] += run.traffic->bytes;
    profile.ranges[source.instruction] += run.traffic->ranges;
  }
  *run.traffic = {};
  // operations of one instruction follow each other
  const bool same = wave.last_instruction == source.instruction && at > wave.last_code;
  wave.last_instruction = source.instruction;
  wave.last_code = at;
  if (same || source.instruction == kNone) return;
  profile.waves[source.instruction] += 1;
  profile.lanes[source.instruction] += exec.count();
}

// The lanes that go each way at the end of a block.
std::vector<LaneMask> ways_of(const Run& run, Wave& wave, const BlockCode& block, const LaneMask& exec) {
  std::vector<LaneMask> made(block.edge_count);
  for_each_lane(exec, [&](unsigned lane) {
    std::uint32_t way = 0;
    if (block.end == BlockCode::End::branch) {
      way = get32(run, wave, block.condition, lane) != 0 ? 0 : 1;
    } else {
      const auto cases = std::span(run.program.cases).subspan(block.first_case, block.edge_count - 1);
      const auto found = std::ranges::find(cases, get_bits(run, wave, block.condition, lane, block.wide));
      way = found == cases.end() ? 0 : static_cast<std::uint32_t>(found - cases.begin()) + 1;
    }
    made[way].add(lane);
  });
  return made;
}

bool decides(const BlockCode& block) { return block.end == BlockCode::End::branch || block.end == BlockCode::End::switch_; }

/// What decides at the end of a block.
ir::Id decision_of(const Run& run, std::uint32_t block) {
  const ir::Function& function = *run.program.function;
  return function.blocks[function.order[block]].last;
}

std::vector<bool> executed_by(const Program::Data& program) {
  std::vector<bool> executed;
  for (const ir::Id id : program.origin) {
    const std::uint32_t instruction = source_of(*program.function, id).instruction;
    if (instruction == kNone) continue;
    if (executed.size() <= instruction) executed.resize(instruction + std::size_t{1});
    executed[instruction] = true;
  }
  return executed;
}

// Which instructions and branches are counted.
void begin_profile(const Run& run, Profile& profile) {
  if (!profile.counted.empty()) return;
  const ir::Function& function = *run.program.function;
  profile.counted = executed_by(run.program);
  if (profile.counted.empty()) profile.counted.resize(1);
  for (std::uint32_t block = 0; block < run.program.blocks.size(); ++block) {
    const BlockCode& code = run.program.blocks[block];
    if (!decides(code)) continue;
    const ir::Id id = decision_of(run, block);
    if (const std::uint32_t instruction = source_of(function, id).instruction; instruction != kNone)
      profile.branches.emplace(id, Profile::Branch{instruction, std::vector<std::uint64_t>(code.edge_count)});
  }
  profile.waves.resize(profile.counted.size());
  profile.lanes.resize(profile.counted.size());
  profile.bytes.resize(profile.counted.size());
  profile.ranges.resize(profile.counted.size());
}

bool is_breakpoint(const Observer& observer, const ir::Source& source) {
  return observer.hit != nullptr && source.instruction < observer.breakpoints.size() && observer.breakpoints[source.instruction];
}

// Whether the next operation is not of the same instruction and block.
bool completes(const Run& run, std::uint32_t at, const ir::Source& source) {
  const std::vector<ir::Id>& origin = run.program.origin;
  const ir::Function& function = *run.program.function;
  return at + 1 >= origin.size() || source_of(function, origin[at + 1]).instruction != source.instruction ||
         function.block_of[origin[at + 1]] != function.block_of[origin[at]];
}

// `call`: of the observer.
void trace(Run& run, Wave& wave, std::uint32_t at, ir::Id id, const ir::Source& source, const LaneMask& exec,
           bool (*call)(void*, const TraceStep&)) {
  const ir::Function& function = *run.program.function;
  const unsigned results = function.insts[id].results;
  std::vector<std::uint64_t> values(results * std::size_t{TraceStep::kStride});
  CodeSlots slots;
  find_slots(run.program, at, slots);
  unsigned slot = slots.first_result;
  for (unsigned member = 0; member < results; ++member) {
    const ir::Type type = ir::result_type(function, id, member);
    for_each_lane(exec, [&](unsigned lane) {
      values[member * TraceStep::kStride + lane] = value_bits(type, get_bits(run, wave, slot, lane, is_wide(type)));
    });
    slot += is_wide(type) ? 2 : 1;
  }
  std::vector<Printed> printed;
  if (function.insts[id].op == Op::print) {
    for_each_lane(exec & ~wave.helper,
                  [&](unsigned lane) { printed.push_back(printed_by(run, wave, run.program.accesses[run.program.code[at].extra], lane)); });
  }
  const FlushMode mode(false);  // of whoever watches
  const bool goes_on = call(run.observer.self, {id, source, run.group, wave.index, results, values.empty() ? nullptr : values.data(),
                                                exec.words, completes(run, at, source), wave.first_lane, printed});
  if (!goes_on && run.report.stop == Stop::finished) run.report.stop = Stop::breakpoint;
}

}  // namespace

void Profile::add(const Profile& other) {
  const auto add_counts = [](std::vector<std::uint64_t>& to, const std::vector<std::uint64_t>& from) {
    if (to.size() < from.size()) to.resize(from.size());
    for (std::size_t at = 0; at < from.size(); ++at) to[at] += from[at];
  };
  add_counts(waves, other.waves);
  add_counts(lanes, other.lanes);
  add_counts(bytes, other.bytes);
  add_counts(ranges, other.ranges);
  if (counted.size() < other.counted.size()) counted.resize(other.counted.size());
  for (std::size_t at = 0; at < other.counted.size(); ++at) counted[at] = counted[at] || other.counted[at];
  for (const auto& [id, branch] : other.branches) {
    Branch& own = branches.emplace(id, Branch{branch.instruction, std::vector<std::uint64_t>(branch.waves.size())}).first->second;
    for (std::size_t way = 0; way < own.waves.size() && way < branch.waves.size(); ++way) own.waves[way] += branch.waves[way];
  }
}

void begin_watch(const Run& run, Wave& wave) {
  wave.last_instruction = kNone;
  wave.undefined.clear();
  if (run.observer.profile != nullptr) begin_profile(run, *run.observer.profile);
  if (run.observer.misuse == nullptr) return;
  wave.undefined.resize(run.program.slots + std::size_t{2});
  for (const Program::Data::Constant& constant : run.program.constants) {
    for (unsigned word = 0; constant.undefined && word < (constant.wide ? 2U : 1U); ++word)
      wave.undefined[constant.slot + word] = LaneMask::first(kMostLanes);
  }
}

void observe(Run& run, Wave& wave, std::uint32_t code, const LaneMask& exec) {
  const ir::Id id = run.program.origin[code];
  const ir::Source source = source_of(*run.program.function, id);
  if (run.observer.profile != nullptr) count(run, wave, code, source, exec);
  if (run.observer.misuse != nullptr) check(run, wave, code, exec);
  if (run.observer.accessed != nullptr) {
    const ir::Effects effects = ir::info(run.program.function->insts[id].op).effects;
    const LaneMask lanes = exec & ~wave.helper;
    const bool accesses =
        has(effects, ir::Effects::reads) || has(effects, ir::Effects::writes) || run.program.function->insts[id].op == Op::cbuffer_load;
    if (accesses && lanes.any()) run.observer.accessed(run.observer.self, id, (lanes & ~run.missed).any());
  }
  if (run.observer.trace != nullptr) trace(run, wave, code, id, source, exec, run.observer.trace);
  if (is_breakpoint(run.observer, source)) trace(run, wave, code, id, source, exec, run.observer.hit);
  run.missed = {};
}

std::vector<bool> Program::executed() const {
  const auto watched = watched_data(*data_);
  return watched ? executed_by(**watched) : std::vector<bool>();
}

void observe_end(Run& run, Wave& wave, std::uint32_t block, const LaneMask& exec) {
  const BlockCode& code = run.program.blocks[block];
  if (!decides(code)) return;
  if (run.observer.profile != nullptr) {
    const auto branch = run.observer.profile->branches.find(decision_of(run, block));
    if (branch != run.observer.profile->branches.end()) {
      const std::vector<LaneMask> ways = ways_of(run, wave, code, exec);
      for (std::size_t way = 0; way < ways.size() && way < branch->second.waves.size(); ++way)
        branch->second.waves[way] += ways[way].any() ? 1 : 0;
    }
  }
  if (run.observer.misuse == nullptr) return;
  const LaneMask undefined = wave.undefined[code.condition] & exec & ~wave.helper;
  if (!undefined.any()) return;
  report(run, wave, Misuse::undefined, decision_of(run, block), undefined);
}

}  // namespace unshade::vm

// Operations between lanes, and what a lane knows of itself. Lanes of the running block act together.
#include "vm/access.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <optional>

#include <unshade/ir/numeric/nan.hpp>

namespace unshade::vm {
namespace {

using ir::Builtin;
using ir::Op;
using ir::Reduction;
using ir::Type;
using ir::numeric::canonical_bits;

constexpr std::uint32_t kTrue = 0xffff'ffff;

// Lanes that take part in a wave operation: no helpers, unless the operation says so.
LaneMask acting(const Wave& wave, const Access& access, const LaneMask& exec) {
  return has(access.flags, ir::Flags::helpers) ? exec : exec & ~wave.helper;
}

// --- what a lane knows -------------------------------------------------------------------------------------------------------------------

/// What all lanes of a wave know alike; nothing of what each knows of itself.
std::optional<std::uint32_t> known_by_all(const Run& run, const Wave& wave, const ir::BuiltinExtra& extra) {
  const auto& size = run.program.module.info.group_size;
  const unsigned component = extra.component % 3;
  const std::uint32_t threads = size[0] * size[1] * size[2];
  switch (extra.builtin) {
    case Builtin::thread_id:
    case Builtin::local_id:
    case Builtin::local_index:
    case Builtin::lane:
    case Builtin::is_helper:
    case Builtin::control_point_id:
    case Builtin::vertex_id: return std::nullopt;
    case Builtin::group_id: return run.group[component];
    case Builtin::group_count: return run.groups[component];
    case Builtin::wave_size: return run.program.wave;
    case Builtin::wave_index: return wave.index;
    case Builtin::wave_count: return (threads + run.program.wave - 1) / run.program.wave;
    case Builtin::patch_points: return run.alone != nullptr ? run.alone->vertices : 0;
    case Builtin::coverage: return 1;
    case Builtin::front_face: return kTrue;
    default: return 0;
  }
}

/// What a lane knows of itself.
std::uint32_t known(const Run& run, const Wave& wave, const ir::BuiltinExtra& extra, unsigned lane) {
  const auto& size = run.program.module.info.group_size;
  const std::uint32_t number = wave.first_lane + lane;
  const unsigned component = extra.component % 3;
  const auto place = [&] { return ir::thread_of_lane(run.program.module.info, number); };
  switch (extra.builtin) {
    case Builtin::thread_id: return run.group[component] * size[component] + place()[component];
    case Builtin::local_id: return place()[component];
    case Builtin::local_index: {
      const auto [x, y, z] = place();
      return (z * size[1] + y) * size[0] + x;
    }
    case Builtin::lane: return lane;
    case Builtin::is_helper: return wave.helper.has(lane) ? kTrue : 0;
    case Builtin::control_point_id: return run.alone != nullptr ? number % std::max(1U, run.alone->points) : 0;
    default: return run.alone != nullptr ? number : 0;  // vertex_id
  }
}

// All of them have 32 bits.
void builtin(Run& run, Wave& wave, const Access& access, const LaneMask& exec) {
  const ir::BuiltinExtra extra(access.extra);
  const auto number = static_cast<std::size_t>(extra.builtin);
  if (run.alone != nullptr && number < run.alone->builtins.size() && !run.alone->builtins[number].empty()) {
    const std::vector<std::uint64_t>& given = run.alone->builtins[number];
    return for_each_lane(exec, [&](unsigned lane) {
      const std::size_t at = std::size_t{extra.component} * run.alone->count + wave.first_lane + lane;
      set_bits(run, wave, access.first_result, lane, false, at < given.size() ? lane_bits(access.type, given[at]) : 0);
    });
  }
  if (const auto of_all = known_by_all(run, wave, extra)) return fill_row(run, wave, access.first_result, *of_all, exec);
  const bool is_of_group = extra.builtin == Builtin::thread_id || extra.builtin == Builtin::local_id;
  if (!is_of_group || run.threads.empty() || run.alone != nullptr)
    return for_each_lane(exec,
                         [&](unsigned lane) { set_bits(run, wave, access.first_result, lane, false, known(run, wave, extra, lane)); });
  // the places of all threads of a group are known
  const unsigned component = extra.component % 3;
  const std::uint32_t* const from = run.threads.data() + component * (run.threads.size() / 3) + wave.first_lane;
  const std::uint32_t base = extra.builtin == Builtin::thread_id ? run.group[component] * run.program.module.info.group_size[component] : 0;
  std::array<std::uint32_t, kMostLanes> words;
  for (unsigned lane = 0; lane < run.program.width; ++lane) words[lane] = from[lane] + base;
  run.program.rows->copy_row(lane_at(run.program, wave, access.first_result, 0, false), reinterpret_cast<const std::byte*>(words.data()),
                             exec.bits(), run.program.width);
}

void demote(Run& run, Wave& wave, const Access& access, const LaneMask& exec) {
  for_each_lane(exec, [&](unsigned lane) {
    if (access.operands.empty() || get32(run, wave, access.operands[0], lane) != 0) wave.helper.add(lane);
  });
}

void barrier(Run& run, Wave& wave, const Access& access, const LaneMask& exec) {
  // the block's end does the waiting
  if ((access.extra & ir::kSyncGroup) != 0 && !(exec == (wave.lanes & ~wave.ended))) run.report.divergent_barrier = true;
}

void clock(Run& run, Wave& wave, const Access& access, const LaneMask& exec) {
  for_each_lane(exec, [&](unsigned lane) {
    set_bits(run, wave, access.first_result, lane, false, run.operations & 0xffff'ffff);
    set_bits(run, wave, access.first_result + 1U, lane, false, run.operations >> 32);
  });
}

void interface_slot(Run& run, Wave& wave, const Access& access, const LaneMask& exec) {
  for_each_lane(exec, [&](unsigned lane) { set_bits(run, wave, access.first_result, lane, false, 0); });
}

void trap(Run& run, Wave&, const Access& access, const LaneMask&) {
  run.fault("the program stopped itself (trap " + std::to_string(access.extra) + ")");
}

// What helper lanes do has no effect.
void print(Run& run, Wave& wave, const Access& access, const LaneMask& exec) {
  if (!run.log.is_kept()) return;
  const std::size_t characters = run.program.module.messages[access.extra].text.size();
  for_each_lane(exec & ~wave.helper, [&](unsigned lane) {
    if (run.log.count(run.group, wave.first_lane + lane)) run.log.keep(printed_by(run, wave, access, lane), characters);
  });
}

// --- quads -------------------------------------------------------------------------------------------------------------------------------

// Lane of the quad: bit 0 is x, bit 1 is y. A neighbour that does not run counts as the lane itself: the difference is 0.
std::uint64_t of_lane(Run& run, Wave& wave, const Access& access, const LaneMask& exec, unsigned lane, unsigned self) {
  return get_bits(run, wave, access.operands[0], exec.has(lane) ? lane : self, is_wide(access.type));
}

template <class Real>
Real real_of(std::uint64_t bits) {
  if constexpr (sizeof(Real) == 8) {
    return std::bit_cast<double>(bits);
  } else {
    return std::bit_cast<float>(static_cast<std::uint32_t>(bits));
  }
}

// Of a number that is moved; computed ones have ir::numeric::canonical_bits().
template <class Real>
std::uint64_t bits_of(Real value) {
  if constexpr (sizeof(Real) == 8) {
    return std::bit_cast<std::uint64_t>(value);
  } else {
    return std::bit_cast<std::uint32_t>(value);
  }
}

// src: Direct3D 11.3 functional specification 22.5.2-5: coarse: of the top row, and of the left column; fine: of the own row and column
void derivative(Run& run, Wave& wave, const Access& access, const LaneMask& exec) {
  const bool y = access.op == Op::ddy || access.op == Op::ddy_fine;
  const bool fine = access.op == Op::ddx_fine || access.op == Op::ddy_fine;
  const bool wide = is_wide(access.type);
  std::array<std::uint64_t, kMostLanes> made{};
  for_each_lane(exec, [&](unsigned lane) {
    const unsigned quad = lane & ~3U;
    const unsigned step = y ? 2 : 1;
    const unsigned own = y ? lane & 1U : lane & 2U;
    const unsigned first = quad | (fine ? own : 0);
    const std::uint64_t a = of_lane(run, wave, access, exec, first, lane);
    const std::uint64_t b = of_lane(run, wave, access, exec, first | step, exec.has(first) ? first : lane);
    made[lane] = wide ? canonical_bits(real_of<double>(b) - real_of<double>(a)) : canonical_bits(real_of<float>(b) - real_of<float>(a));
    if (access.type == Type::f16) made[lane] = texel::rounded_to_f16(static_cast<std::uint32_t>(made[lane]), ir::Rounding::nearest_even);
    if (!exec.has(first) || !exec.has(first | step)) made[lane] = 0;
  });
  for_each_lane(exec, [&](unsigned lane) { set_bits(run, wave, access.first_result, lane, wide, made[lane]); });
}

template <class From>
void exchange(Run& run, Wave& wave, const Access& access, const LaneMask& exec, From from) {
  const bool wide = is_wide(access.type);
  std::array<std::uint64_t, kMostLanes> made{};
  for_each_lane(exec, [&](unsigned lane) {
    const unsigned other = from(lane);
    made[lane] = other < kMostLanes && exec.has(other) ? get_bits(run, wave, access.operands[0], other, wide) : 0;
  });
  for_each_lane(exec, [&](unsigned lane) { set_bits(run, wave, access.first_result, lane, wide, made[lane]); });
}

void quad_swap(Run& run, Wave& wave, const Access& access, const LaneMask& exec) {
  exchange(run, wave, access, exec, [&](unsigned lane) { return lane ^ (access.extra == 0 ? 1U : access.extra == 1 ? 2U : 3U); });
}
void quad_read(Run& run, Wave& wave, const Access& access, const LaneMask& exec) {
  exchange(run, wave, access, exec, [&](unsigned lane) { return (lane & ~3U) | (get32(run, wave, access.operands[1], lane) & 3U); });
}
void quad_vote(Run& run, Wave& wave, const Access& access, const LaneMask& exec) {
  std::array<std::uint32_t, kMostLanes> made{};
  for_each_lane(exec, [&](unsigned lane) {
    bool any = false;
    bool all = true;
    for (unsigned other = lane & ~3U; other <= (lane | 3U); ++other) {
      if (!exec.has(other)) continue;
      const bool holds = get32(run, wave, access.operands[0], other) != 0;
      any = any || holds;
      all = all && holds;
    }
    made[lane] = (access.op == Op::quad_any ? any : all) ? kTrue : 0;
  });
  for_each_lane(exec, [&](unsigned lane) { set_bits(run, wave, access.first_result, lane, false, made[lane]); });
}

// --- waves -------------------------------------------------------------------------------------------------------------------------------

void set_all(Run& run, Wave& wave, const Access& access, const LaneMask& exec, std::uint64_t value) {
  for_each_lane(exec, [&](unsigned lane) { set_bits(run, wave, access.first_result, lane, is_wide(access.type), value); });
}

void wave_vote(Run& run, Wave& wave, const Access& access, const LaneMask& exec) {
  bool any = false;
  bool all = true;
  for_each_lane(acting(wave, access, exec), [&](unsigned lane) {
    const bool holds = get32(run, wave, access.operands[0], lane) != 0;
    any = any || holds;
    all = all && holds;
  });
  for_each_lane(exec, [&](unsigned lane) {
    set_bits(run, wave, access.first_result, lane, false, (access.op == Op::wave_any ? any : all) ? kTrue : 0);
  });
}

unsigned first_of(const LaneMask& mask) {
  return mask.words[0] != 0   ? static_cast<unsigned>(std::countr_zero(mask.words[0]))
         : mask.words[1] != 0 ? 64 + static_cast<unsigned>(std::countr_zero(mask.words[1]))
                              : 0;
}

// Equality of values: of floats as numbers.
bool same(Type type, std::uint64_t a, std::uint64_t b) {
  if (type == Type::f64) return real_of<double>(a) == real_of<double>(b);
  if (ir::is_float(type)) return real_of<float>(a) == real_of<float>(b);
  return a == b;
}

void wave_all_equal(Run& run, Wave& wave, const Access& access, const LaneMask& exec) {
  const LaneMask active = acting(wave, access, exec);
  const bool wide = is_wide(access.type);
  const std::uint64_t first = get_bits(run, wave, access.operands[0], first_of(active), wide);
  bool all = true;
  for_each_lane(active, [&](unsigned lane) { all = all && same(access.type, first, get_bits(run, wave, access.operands[0], lane, wide)); });
  for_each_lane(exec, [&](unsigned lane) { set_bits(run, wave, access.first_result, lane, false, all ? kTrue : 0); });
}

void put_mask(Run& run, Wave& wave, const Access& access, unsigned lane, const LaneMask& mask) {
  for (unsigned word = 0; word < 4; ++word) {
    set_bits(run, wave, access.first_result + word, lane, false, mask.words[word / 2] >> (word % 2 * 32) & 0xffff'ffff);
  }
}

void wave_ballot(Run& run, Wave& wave, const Access& access, const LaneMask& exec) {
  LaneMask holds;
  for_each_lane(acting(wave, access, exec), [&](unsigned lane) {
    if (get32(run, wave, access.operands[0], lane) != 0) holds.add(lane);
  });
  for_each_lane(exec, [&](unsigned lane) { put_mask(run, wave, access, lane, holds); });
}

void wave_first(Run& run, Wave& wave, const Access& access, const LaneMask& exec) {
  const unsigned first = first_of(acting(wave, access, exec));
  for_each_lane(exec, [&](unsigned lane) { set_bits(run, wave, access.first_result, lane, false, lane == first ? kTrue : 0); });
}

void wave_read_lane(Run& run, Wave& wave, const Access& access, const LaneMask& exec) {
  exchange(run, wave, access, exec, [&](unsigned lane) { return get32(run, wave, access.operands[1], lane); });
}

void wave_read_first(Run& run, Wave& wave, const Access& access, const LaneMask& exec) {
  set_all(run, wave, access, exec, get_bits(run, wave, access.operands[0], first_of(acting(wave, access, exec)), is_wide(access.type)));
}

std::uint64_t truncated(Type type, std::uint64_t value) {
  switch (type) {
    case Type::i8: return static_cast<std::uint32_t>(static_cast<std::int8_t>(value));
    case Type::i16: return static_cast<std::uint32_t>(static_cast<std::int16_t>(value));
    case Type::i32:
    case Type::b1: return value & 0xffff'ffff;
    default: return value;
  }
}

template <class Real>
std::uint64_t combined_real(Reduction how, std::uint64_t a, std::uint64_t b) {
  const Real x = real_of<Real>(a);
  const Real y = real_of<Real>(b);
  switch (how) {
    case Reduction::fadd: return canonical_bits(x + y);
    case Reduction::fmul: return canonical_bits(x * y);
    case Reduction::fmin: return bits_of<Real>(y < x || x != x ? y : x);
    default: return bits_of<Real>(y > x || x != x ? y : x);
  }
}

std::uint64_t combined(Reduction how, Type type, std::uint64_t a, std::uint64_t b) {
  const bool wide = is_wide(type);
  const auto value = [&](std::uint64_t bits) {
    return wide ? static_cast<std::int64_t>(bits) : std::int64_t{static_cast<std::int32_t>(bits)};
  };
  switch (how) {
    case Reduction::iadd: return truncated(type, a + b);
    case Reduction::imul: return truncated(type, a * b);
    case Reduction::smin: return value(b) < value(a) ? b : a;
    case Reduction::smax: return value(b) > value(a) ? b : a;
    case Reduction::umin: return std::min(a, b);
    case Reduction::umax: return std::max(a, b);
    case Reduction::and_: return a & b;
    case Reduction::or_: return a | b;
    case Reduction::xor_: return a ^ b;
    default: break;
  }
  if (type == Type::f64) return combined_real<double>(how, a, b);
  const std::uint64_t made = combined_real<float>(how, a, b);
  return type == Type::f16 ? texel::rounded_to_f16(static_cast<std::uint32_t>(made), ir::Rounding::nearest_even) : made;
}

// What combining nothing gives.
std::uint64_t identity(Reduction how, Type type) {
  const bool wide = is_wide(type);
  const unsigned bits = ir::bit_width(type);
  const std::uint64_t top = std::uint64_t{1} << (bits - 1);
  switch (how) {
    case Reduction::imul: return 1;
    case Reduction::and_:
    case Reduction::umin: return wide ? ~std::uint64_t{0} : 0xffff'ffff;
    case Reduction::smin: return top - 1;
    case Reduction::smax: return truncated(type, top);
    case Reduction::fmul: return wide ? bits_of(1.0) : bits_of(1.0F);
    case Reduction::fmin: return wide ? 0x7ff0'0000'0000'0000 : 0x7f80'0000;
    case Reduction::fmax: return wide ? 0xfff0'0000'0000'0000 : 0xff80'0000;
    default: return 0;
  }
}

// Values of the lanes of `active` that `with(lane, other)` lets take part, lanes ascending.
template <class With>
void combine(Run& run, Wave& wave, const Access& access, const LaneMask& exec, const LaneMask& active, With with) {
  const ir::ReductionExtra extra(access.extra);
  const bool wide = is_wide(access.type);
  std::array<std::uint64_t, kMostLanes> made{};
  for_each_lane(exec, [&](unsigned lane) {
    std::uint64_t sum = identity(extra.op, access.type);
    bool first = true;
    for_each_lane(active, [&](unsigned other) {
      if (!with(lane, other)) return;
      const std::uint64_t value = get_bits(run, wave, access.operands[0], other, wide);
      sum = first ? value : combined(extra.op, access.type, sum, value);
      first = false;
    });
    made[lane] = sum;
  });
  for_each_lane(exec, [&](unsigned lane) { set_bits(run, wave, access.first_result, lane, wide, made[lane]); });
}

void wave_reduce(Run& run, Wave& wave, const Access& access, const LaneMask& exec) {
  const unsigned shift = std::min<unsigned>(ir::ReductionExtra(access.extra).cluster_log2, 31);
  combine(run, wave, access, exec, acting(wave, access, exec),
          [&](unsigned lane, unsigned other) { return lane >> shift == other >> shift; });
}

void wave_scan(Run& run, Wave& wave, const Access& access, const LaneMask& exec) {
  const ir::ReductionExtra extra(access.extra);
  combine(run, wave, access, exec, acting(wave, access, exec),
          [&](unsigned lane, unsigned other) { return other < lane || (other == lane && extra.inclusive); });
}

void wave_multi_scan(Run& run, Wave& wave, const Access& access, const LaneMask& exec) {
  const ir::ReductionExtra extra(access.extra);
  combine(run, wave, access, exec, acting(wave, access, exec), [&](unsigned lane, unsigned other) {
    const bool in_mask = (get32(run, wave, access.operands[1 + other / 32], lane) >> (other % 32) & 1) != 0;
    return in_mask && (other < lane || (other == lane && extra.inclusive));
  });
}

void wave_match(Run& run, Wave& wave, const Access& access, const LaneMask& exec) {
  const LaneMask active = acting(wave, access, exec);
  const bool wide = is_wide(access.type);
  std::array<LaneMask, kMostLanes> made;
  for_each_lane(exec, [&](unsigned lane) {
    LaneMask equal;
    const std::uint64_t mine = get_bits(run, wave, access.operands[0], lane, wide);
    for_each_lane(active, [&](unsigned other) {
      if (get_bits(run, wave, access.operands[0], other, wide) == mine) equal.add(other);
    });
    made[lane] = equal;
  });
  for_each_lane(exec, [&](unsigned lane) { put_mask(run, wave, access, lane, made[lane]); });
}

}  // namespace

Printed printed_by(const Run& run, Wave& wave, const Access& access, unsigned lane) {
  const ir::Function& function = *run.program.function;
  const auto& types = run.program.module.messages[access.extra].types;
  Printed made;
  made.message = access.extra;
  if (access.inst < function.sources.size()) made.source = function.sources[access.inst];
  made.group = run.group;
  made.lane = wave.first_lane + lane;
  made.values.reserve(types.size());
  for (std::size_t at = 0; at < types.size(); ++at)
    made.values.push_back(value_bits(types[at], get_bits(run, wave, access.operands[at], lane, is_wide(types[at]))));
  return made;
}

AccessFunction lane_function(Op op) {
  switch (op) {
    case Op::builtin: return builtin;
    case Op::demote: return demote;
    case Op::barrier: return barrier;
    case Op::clock: return clock;
    case Op::interface_slot: return interface_slot;
    case Op::trap: return trap;
    case Op::print: return print;
    case Op::ddx:
    case Op::ddy:
    case Op::ddx_fine:
    case Op::ddy_fine: return derivative;
    case Op::quad_swap: return quad_swap;
    case Op::quad_read: return quad_read;
    case Op::quad_any:
    case Op::quad_all: return quad_vote;
    case Op::wave_any:
    case Op::wave_all: return wave_vote;
    case Op::wave_all_equal: return wave_all_equal;
    case Op::wave_ballot: return wave_ballot;
    case Op::wave_first: return wave_first;
    case Op::wave_read_lane: return wave_read_lane;
    case Op::wave_read_first: return wave_read_first;
    case Op::wave_reduce: return wave_reduce;
    case Op::wave_scan: return wave_scan;
    case Op::wave_match: return wave_match;
    case Op::wave_multi_scan: return wave_multi_scan;
    default: return nullptr;
  }
}

}  // namespace unshade::vm

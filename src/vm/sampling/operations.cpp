// Operations that sample: what their operands are, and derivatives within quads.
#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include <unshade/ir/numeric/nan.hpp>
#include <unshade/texel/samples.hpp>

#include "vm/access.hpp"
#include "vm/memory/stores.hpp"
#include "vm/sampling/feedback.hpp"
#include "vm/sampling/filter.hpp"
#include "vm/sampling/plans.hpp"

namespace unshade::vm::sampling {
namespace {

using ir::Op;
using ir::TextureExtra;

/// Waves of fewer lanes are not worth the start.
constexpr unsigned kWideWave = 8;
/// Texels that an offset may have, of lanes that are sampled together.
constexpr std::uint32_t kMostOffset = 64;

float get_float(const Run& run, Wave& wave, unsigned slot, unsigned lane) { return std::bit_cast<float>(get32(run, wave, slot, lane)); }

Vector get_vector(const Run& run, Wave& wave, std::span<const std::uint16_t> slots, unsigned lane) {
  Vector made{};
  for (std::size_t k = 0; k < slots.size(); ++k) made[k] = get_float(run, wave, slots[k], lane);
  return made;
}

std::array<std::int32_t, 3> get_offset(const Run& run, Wave& wave, std::span<const std::uint16_t> slots, unsigned lane) {
  std::array<std::int32_t, 3> made{};
  for (std::size_t k = 0; k < slots.size(); ++k) made[k] = static_cast<std::int32_t>(get32(run, wave, slots[k], lane));
  return made;
}

// How the coordinates change across the quad of a lane: coarse derivatives, one for the quad. Zero if a lane of them does not run, and in
// stages whose lanes form no quads.
struct Change {
  Vector dx{}, dy{};
};
Change change_in_quad(const Run& run, Wave& wave, std::span<const std::uint16_t> place, const LaneMask& exec, unsigned lane) {
  Change made;
  const Stage stage = run.program.module.stage;
  const bool has_quads = stage == Stage::pixel || stage == Stage::compute || stage == Stage::mesh || stage == Stage::amplification;
  const unsigned first = lane & ~3U;
  if (!has_quads || !exec.has(first)) return made;
  for (std::size_t k = 0; k < place.size(); ++k) {
    const auto at = [&](unsigned other) { return get_float(run, wave, place[k], other); };
    if (exec.has(first + 1)) made.dx[k] = at(first + 1) - at(first);
    if (exec.has(first + 2)) made.dy[k] = at(first + 2) - at(first);
  }
  return made;
}

void give(Run& run, Wave& wave, const Access& access, unsigned lane, const Sampled& sampled) {
  const bool has_status = TextureExtra(access.extra).has_status;
  const unsigned values = access.results - (has_status ? 1U : 0U);
  for (unsigned member = 0; member < values; ++member)
    put(run, wave, access, lane, member, typed_value(access.type, sampled.texel, member));
  if (has_status) set_bits(run, wave, result_slot(access, values), lane, false, sampled.is_mapped ? kMapped : 0);
}

void tell(const Run& run, const Wave& wave, unsigned lane, const texel::Descriptor& texture, float level) {
  if (wave.helper.has(lane) || !texture.is_texture()) return;
  const float most = static_cast<float>(texture.levels - 1);
  run.observer.sampled(run.observer.self, {wave.index, lane, level > 0 ? std::min(level, most) : 0});
}

// What an operation samples, and at which level.
struct Sampling {
  Request request;
  Footprint covered{};
  float level = 0;
};
// `texture`: the number of its handle among the operands, which the sampler's follows.
Sampling read_sampling(Run& run, Wave& wave, const Access& access, const TextureSlots& slots, const LaneMask& exec, unsigned lane,
                       std::size_t texture, bool implicit) {
  const TextureExtra extra(access.extra);
  const unsigned dimensions = extra.dimension_count();
  const auto place = std::span(slots.coordinates).first(dimensions);
  Sampling made{{descriptor(run, wave, access, lane, texture), descriptor(run, wave, access, lane, texture + 1).sampler, extra}};
  Request& request = made.request;
  request.place = get_vector(run, wave, place, lane);
  if (extra.is_array()) request.element = get_float(run, wave, slots.coordinates[dimensions], lane);
  const float bias = extra.has_bias ? get_float(run, wave, slots.bias, lane) : 0;
  if (extra.has_lod) made.covered.level = get_float(run, wave, slots.lod, lane);
  if (implicit || extra.has_gradient) {
    Change change;
    if (extra.has_gradient) {
      change.dx = get_vector(run, wave, std::span(slots.ddx).first(dimensions), lane);
      change.dy = get_vector(run, wave, std::span(slots.ddy).first(dimensions), lane);
    } else {
      change = change_in_quad(run, wave, place, exec, lane);
    }
    made.covered = footprint(request.texture, request.sampler, extra, request.place, change.dx, change.dy);
  }
  if (extra.has_offset) request.offset = get_offset(run, wave, std::span(slots.offsets).first(dimensions), lane);
  if (extra.has_reference) request.reference = get_float(run, wave, slots.reference, lane);
  made.level = clamp_level(request.sampler, made.covered.level + request.sampler.lod_bias + bias);
  if (extra.has_min_lod) made.level = std::max(made.level, get_float(run, wave, slots.min_lod, lane));
  return made;
}

// --- many lanes at once
// --------------------------------------------------------------------------------------------------------------------

// The slot of an operand from a lane on.
const float* floats_at(const Run& run, Wave& wave, std::uint16_t slot, unsigned lane) {
  return reinterpret_cast<const float*>(lane_at(run.program, wave, slot, lane, false));
}

// Whether all lanes that run have one value; then it.
std::optional<std::uint32_t> only_value(const Run& run, Wave& wave, std::uint16_t slot, const LaneMask& exec) {
  const std::uint32_t value = get32(run, wave, slot, exec.lowest());
  bool is_same = true;
  for_each_lane(exec, [&](unsigned lane) { is_same = is_same && get32(run, wave, slot, lane) == value; });
  return is_same ? std::optional(value) : std::nullopt;
}

// What an operation samples many lanes of, if all of them have one texture and sampler that are read so.
struct WideSampling {
  const WidePlan& plan;
  const texel::Descriptor& texture;
  const WideFunctions& functions;
  const TextureSlots& slots;
  std::array<std::int32_t, 2> offset{};
};
std::optional<WideSampling> find_wide_sampling(Run& run, Wave& wave, const Access& access, const TextureSlots& slots,
                                               const LaneMask& exec) {
  using dxcontainer::ResourceDimension;
  const TextureExtra extra(access.extra);
  const bool is_flat = extra.dimension == ResourceDimension::texture2d || extra.dimension == ResourceDimension::texture2d_array;
  if (!is_flat || run.program.width < kWideWave || access.type != ir::Type::f32 || extra.has_gradient || run.observer.sampled != nullptr ||
      wave.lane_count == 1)
    return std::nullopt;
  if (!only_value(run, wave, access.operands[0], exec) || !only_value(run, wave, access.operands[1], exec)) return std::nullopt;
  const texel::Descriptor& texture = descriptor(run, wave, access, exec.lowest(), 0);
  const texel::Sampler& sampler = descriptor(run, wave, access, exec.lowest(), 1).sampler;
  if (run.plans == nullptr) run.plans = std::make_shared<Plans>(run.program.accesses.size());
  const WidePlan* const plan = run.plans->find(static_cast<std::size_t>(&access - run.program.accesses.data()), texture, sampler);
  if (plan == nullptr) return std::nullopt;
  WideSampling made{*plan, texture, wide_functions(run.program.isa), slots};
  for (std::size_t k = 0; extra.has_offset && k < made.offset.size(); ++k) {
    const auto value = only_value(run, wave, slots.offsets[k], exec);
    if (!value || *value + kMostOffset > 2 * kMostOffset) return std::nullopt;
    made.offset[k] = static_cast<std::int32_t>(*value);
  }
  return made;
}

// Samples kWideLanes lanes from `first` on, of which `exec` has bits; `levels`: theirs. False: nothing was done.
bool sample_lanes(Run& run, Wave& wave, const Access& access, const WideSampling& what, unsigned first, std::uint32_t exec,
                  const float* levels) {
  std::array<std::uint32_t, kWideLanes> active{};
  for (unsigned lane = 0; lane < kWideLanes; ++lane) active[lane] = (exec >> lane & 1) != 0 ? ~0U : 0;
  std::array<float, std::size_t{4} * kWideLanes> texels;
  std::array<float, kWideLanes> references{};
  const auto floats = [&](std::uint16_t slot) { return slot != TextureSlots::kAbsent ? floats_at(run, wave, slot, first) : nullptr; };
  WideLanes lanes{.u = floats(what.slots.coordinates[0]),
                  .v = floats(what.slots.coordinates[1]),
                  .element = floats(what.slots.coordinates[2]),
                  .level = levels,
                  .bias = floats(what.slots.bias),
                  .min_lod = floats(what.slots.min_lod),
                  .reference = floats(what.slots.reference),
                  .offset = {what.offset[0], what.offset[1]},
                  .active = active.data(),
                  .to = texels.data()};
  if (lanes.reference != nullptr) {
    for (unsigned lane = 0; lane < kWideLanes; ++lane)
      references[lane] = active[lane] != 0 ? texel::quantized(what.texture.format, lanes.reference[lane]) : 0;
    lanes.reference = references.data();
  }
  if (!what.functions.sample(what.plan, lanes)) return false;
  const bool has_status = TextureExtra(access.extra).has_status;
  const unsigned values = access.results - (has_status ? 1U : 0U);
  const bool all = exec == (1U << kWideLanes) - 1;
  for (unsigned member = 0; member < access.results; ++member) {
    std::byte* const to = lane_at(run.program, wave, access.first_result + member, first, false);
    const float* const from = texels.data() + std::size_t{member & 3} * kWideLanes;
    for (unsigned lane = 0; lane < kWideLanes; ++lane) {
      if (!all && active[lane] == 0) continue;
      if (member < values) {
        std::memcpy(to + std::size_t{4} * lane, from + lane, 4);
      } else {
        std::memcpy(to + std::size_t{4} * lane, &kMapped, 4);
      }
    }
  }
  return true;
}

// Samples what it can; the lanes that are left.
LaneMask sample_many(Run& run, Wave& wave, const Access& access, const TextureSlots& slots, const LaneMask& exec) {
  const auto what = find_wide_sampling(run, wave, access, slots, exec);
  if (!what) return exec;
  LaneMask left;
  const Stage stage = run.program.module.stage;
  const bool has_quads = stage == Stage::pixel || stage == Stage::compute || stage == Stage::mesh || stage == Stage::amplification;
  std::array<float, kWideQuadLanes> levels{};
  for (unsigned first = 0; first < run.program.width; first += kWideQuadLanes) {
    const unsigned lanes = std::min(kWideQuadLanes, run.program.width - first);
    const auto here = static_cast<std::uint32_t>(exec.words[first / 64] >> (first % 64));
    if (here == 0) continue;
    bool fits = true;
    if (access.op == Op::sample_implicit)
      fits = what->functions.levels(what->plan, floats_at(run, wave, slots.coordinates[0], first),
                                    floats_at(run, wave, slots.coordinates[1], first), has_quads ? here : 0, lanes, levels.data());
    if (slots.lod != TextureSlots::kAbsent) std::memcpy(levels.data(), floats_at(run, wave, slots.lod, first), std::size_t{4} * lanes);
    for (unsigned at = 0; at < lanes; at += kWideLanes) {
      const std::uint32_t own = here >> at & ((1U << kWideLanes) - 1);
      if (own == 0 || (fits && sample_lanes(run, wave, access, *what, first + at, own, levels.data() + at))) continue;
      left.words[(first + at) / 64] |= std::uint64_t{own} << ((first + at) % 64);
    }
  }
  return left;
}

void sample_texture(Run& run, Wave& wave, const Access& access, const LaneMask& exec) {
  const TextureSlots& slots = access.texture;
  for_each_lane(sample_many(run, wave, access, slots, exec), [&](unsigned lane) {
    const Sampling read = read_sampling(run, wave, access, slots, exec, lane, 0, access.op == Op::sample_implicit);
    if (run.observer.sampled != nullptr) tell(run, wave, lane, read.request.texture, read.level);
    give(run, wave, access, lane, sample(read.request, read.level, read.covered));
  });
}

void write_feedback(Run& run, Wave& wave, const Access& access, const LaneMask& exec) {
  const TextureExtra extra(access.extra);
  const TextureSlots& slots = access.texture;
  std::vector<texel::TexelPlace> texels;
  for_each_lane(exec & ~wave.helper, [&](unsigned lane) {
    const texel::Descriptor& map = descriptor(run, wave, access, lane, 0);
    if (!map.feedback) return run.missed.add(lane);
    const Sampling read = read_sampling(run, wave, access, slots, exec, lane, 1, !extra.has_lod && !extra.has_gradient);
    texels.clear();
    find_texels(read.request, read.level, read.covered, texels);
    for (const texel::TexelPlace& texel : texels)
      for_each_region(map, read.request.texture, texel, [&](std::byte* at) {
        if (*map.feedback == dxcontainer::SamplerFeedback::min_mip) {
          change(run, {.to = at, .value = {texel.level}, .op = ir::AtomicOp::umin, .type = ir::Type::i8});
        } else {
          constexpr std::byte kSampled{0xff};
          write_bytes(run, at, &kSampled, 1);
        }
      });
  });
}

void gather_texels(Run& run, Wave& wave, const Access& access, const LaneMask& exec) {
  const TextureExtra extra(access.extra);
  const TextureSlots& slots = access.texture;
  const unsigned dimensions = extra.dimension_count();
  for_each_lane(exec, [&](unsigned lane) {
    const texel::Descriptor& texture = descriptor(run, wave, access, lane, 0);
    const texel::Sampler& sampler = descriptor(run, wave, access, lane, 1).sampler;
    Request request{texture, sampler, extra};
    request.place = get_vector(run, wave, std::span(slots.coordinates).first(dimensions), lane);
    if (extra.is_array()) request.element = get_float(run, wave, slots.coordinates[dimensions], lane);
    std::array<std::array<std::int32_t, 3>, 4> offsets{};
    const unsigned count = extra.has_offset && extra.four_offsets ? 4 : 1;
    for (std::size_t k = 0; extra.has_offset && k < count; ++k)
      offsets[k] = get_offset(run, wave, std::span(slots.offsets).subspan(k * dimensions, dimensions), lane);
    if (extra.has_reference) request.reference = get_float(run, wave, slots.reference, lane);
    give(run, wave, access, lane, gather(request, std::span(offsets).first(count)));
  });
}

// src: 22.5.6
void query_level(Run& run, Wave& wave, const Access& access, const LaneMask& exec) {
  const TextureExtra extra(access.extra);
  const TextureSlots& slots = access.texture;
  const auto coordinates = std::span(slots.coordinates).first(extra.dimension_count());
  for_each_lane(exec, [&](unsigned lane) {
    const texel::Descriptor& texture = descriptor(run, wave, access, lane, 0);
    const texel::Sampler& sampler = descriptor(run, wave, access, lane, 1).sampler;
    float clamped = 0, plain = 0;
    if (texture.is_texture()) {
      const Vector place = get_vector(run, wave, coordinates, lane);
      const Change change = change_in_quad(run, wave, coordinates, exec, lane);
      plain = footprint(texture, sampler, extra, place, change.dx, change.dy).level + sampler.lod_bias;
      clamped = clamp_level(sampler, plain);
      clamped = sampler.mip == texel::Filter::point ? static_cast<float>(choose_levels(texture, sampler, clamped).first)
                                                    : std::clamp(clamped, 0.0F, static_cast<float>(texture.levels - 1));
    }
    set_bits(run, wave, access.first_result, lane, false, ir::numeric::canonical_bits(clamped));
    set_bits(run, wave, access.first_result + 1U, lane, false, ir::numeric::canonical_bits(plain));
  });
}

void sample_position(Run& run, Wave& wave, const Access& access, const LaneMask& exec) {
  const bool of_target = access.operands.size() == 1;
  const std::uint32_t of_targets = run.alone != nullptr ? run.alone->samples : 1;
  for_each_lane(exec, [&](unsigned lane) {
    const std::uint32_t samples = of_target ? of_targets : descriptor(run, wave, access, lane).samples;
    const auto pattern = texel::sample_pattern(samples);
    const std::uint32_t number = get32(run, wave, access.operands.back(), lane);
    for (unsigned axis = 0; axis < 2; ++axis) {
      const float place = number < pattern.size() ? static_cast<float>(pattern[number][axis]) / 16 : 0;
      set_bits(run, wave, access.first_result + axis, lane, false, std::bit_cast<std::uint32_t>(place));
    }
  });
}

}  // namespace
}  // namespace unshade::vm::sampling

namespace unshade::vm {

AccessFunction sample_function(ir::Op op) {
  switch (op) {
    case ir::Op::sample:
    case ir::Op::sample_implicit: return sampling::sample_texture;
    case ir::Op::gather: return sampling::gather_texels;
    case ir::Op::query_lod: return sampling::query_level;
    case ir::Op::sampler_feedback: return sampling::write_feedback;
    case ir::Op::sample_position: return sampling::sample_position;
    default: return nullptr;
  }
}

}  // namespace unshade::vm

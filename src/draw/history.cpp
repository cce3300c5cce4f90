#include "draw/history.hpp"

#include <algorithm>
#include <bit>
#include <utility>

namespace unshade::draw {

std::string_view id(Fate fate) {
  constexpr std::string_view kWords[] = {
      "written",       "blend result",  "logic operation", "write mask",        "facing",      "clip",
      "clip distance", "cull distance", "scissor",         "sample mask",       "early depth", "early stencil",
      "depth bounds",  "discard",       "coverage",        "alpha to coverage", "late depth",  "late stencil"};
  static_assert(std::size(kWords) == static_cast<std::size_t>(Fate::late_stencil) + 1);
  return kWords[static_cast<std::size_t>(fate)];
}

Coverage Recorder::followed(std::uint32_t x, std::uint32_t y) const {
  const PixelPlace& place = history_.place;
  if ((place.x & ~1U) != x || (place.y & ~1U) != y) return 0;
  const Coverage samples = place.sample ? Coverage{1} << (*place.sample & 15) : Coverage{0xffff};
  return samples << (16 * ((place.x & 1) + 2 * (place.y & 1)));
}

std::uint32_t Recorder::push(const Triangle& triangle) {
  if (history_.events.size() == History::kMostEvents) {
    history_.is_cut = true;
    return kNone;
  }
  HistoryEvent made;
  made.primitive = triangle.number;
  made.is_front = triangle.is_front;
  for (unsigned k = 0; k < triangle.corners; ++k) {
    const auto pixels = [](std::int64_t parts) { return static_cast<double>(parts) / static_cast<double>(kSubpixels); };
    made.corners.push_back({pixels(triangle.x[k]), pixels(triangle.y[k])});
  }
  history_.events.push_back(std::move(made));
  states_.resize(history_.events.size());
  return static_cast<std::uint32_t>(history_.events.size() - 1);
}

void Recorder::add(const Triangle& triangle, Fate fate) {
  const std::uint32_t event = push(triangle);
  if (event != kNone) history_.events[event].fate = fate;
}

std::uint32_t Recorder::begin(const Quad& quad, Coverage samples, const Triangle& triangle) {
  const Coverage covered = samples & followed(quad.x, quad.y);
  if (covered == 0 || triangle.layer != history_.place.layer) return kNone;
  const std::uint32_t event = push(triangle);
  if (event == kNone) return kNone;
  const unsigned bit = static_cast<unsigned>(std::countr_zero(covered));
  history_.events[event].covered = static_cast<std::uint16_t>(quad.covered_of(bit / 16));
  history_.events[event].sample = bit % 16;
  return event;
}

std::uint32_t Recorder::of_sample(const Quad& whole, const Quad& one) {
  if (whole.event == kNone || (one.live & followed(whole.x, whole.y)) == 0) return kNone;
  std::uint32_t event = whole.event;
  if (std::exchange(divided_, whole.event) == whole.event) {
    if (history_.events.size() == History::kMostEvents) return kNone;
    history_.events.push_back(HistoryEvent(history_.events[event]));
    states_.push_back(State(states_[event]));
    event = static_cast<std::uint32_t>(history_.events.size() - 1);
  }
  history_.events[event].sample = one.sample;
  return event;
}

bool Recorder::follows(const Quad& quad, unsigned pixel) const {
  return quad.event != kNone && pixel == (history_.place.x & 1) + 2 * (history_.place.y & 1);
}

void Recorder::narrow(const Quad& quad, Coverage live, Fate fate) {
  if (quad.event == kNone || states_[quad.event].lost || (live & followed(quad.x, quad.y)) != 0) return;
  states_[quad.event].lost = true;
  history_.events[quad.event].fate = fate;
}

void Recorder::before(const Quad& quad, unsigned pixel, unsigned sample, float depth, const std::byte* texel, const DepthStencil& tests) {
  if (!follows(quad, pixel) || history_.events[quad.event].sample != sample) return;
  HistoryEvent& event = history_.events[quad.event];
  if (tests.depth_bits() != 0) event.depth = depth;
  if (texel == nullptr) return;
  const auto [held, stencil] = tests.held(texel);
  if (held) event.depth_target = {*held, *held};
  if (stencil) event.stencil_target = {*stencil, *stencil};
}

void Recorder::after(const Quad& quad, unsigned pixel, unsigned sample, const std::byte* texel, const DepthStencil& tests,
                     DepthResult result) {
  if (!follows(quad, pixel)) return;
  if (result != DepthResult::passed && (!history_.place.sample || *history_.place.sample == sample)) states_[quad.event].failed = result;
  HistoryEvent& event = history_.events[quad.event];
  if (event.sample != sample || texel == nullptr) return;
  const auto [held, stencil] = tests.held(texel);
  if (held && event.depth_target) event.depth_target.value().after = *held;
  if (stencil && event.stencil_target) event.stencil_target.value().after = *stencil;
}

Fate Recorder::lost_to(const Quad& quad, bool early) const {
  if (quad.event != kNone && states_[quad.event].failed == DepthResult::bounds_failed) return Fate::depth_bounds;
  const bool stencil = quad.event != kNone && states_[quad.event].failed == DepthResult::stencil_failed;
  return early ? (stencil ? Fate::early_stencil : Fate::early_depth) : stencil ? Fate::late_stencil : Fate::late_depth;
}

vm::Observer Recorder::observer(std::span<const Quad> quads, unsigned wave) {
  vm::Observer made;
  if (!history_.traced || history_.step == nullptr) return made;
  const auto found = std::ranges::find(quads, static_cast<std::uint32_t>(*history_.traced), &Quad::event);
  if (found == quads.end()) return made;
  const auto lane = static_cast<std::uint32_t>(found - quads.begin()) * 4 + (history_.place.x & 1) + 2 * (history_.place.y & 1);
  traced_wave_ = lane / wave;
  traced_lane_ = lane % wave;
  made.self = this;
  made.trace = [](void* self, const vm::TraceStep& step) {
    const Recorder& own = *static_cast<Recorder*>(self);
    if (step.wave == own.traced_wave_) own.history_.step(own.history_.self, step, own.traced_lane_);
    return true;
  };
  return made;
}

void Recorder::shaded(const Quad& quad, std::uint32_t first_lane, const PixelStage& pixels) {
  if (quad.event == kNone) return;
  const std::uint32_t lane = first_lane + (history_.place.x & 1) + 2 * (history_.place.y & 1);
  HistoryEvent& event = history_.events[quad.event];
  event.inputs = pixels.inputs(lane);
  for (unsigned target = 0; target < std::max<std::size_t>(1, std::min<std::size_t>(bindings_.targets.size(), kTargets)); ++target)
    event.outputs.push_back(pixels.color(lane, target));
}

std::optional<std::pair<unsigned, unsigned>> Recorder::shown(const Quad& quad) const {
  if (quad.event == kNone || states_[quad.event].lost) return std::nullopt;
  return std::pair((history_.place.x & 1) + 2 * (history_.place.y & 1), history_.events[quad.event].sample);
}

void Recorder::targets_before(const Quad& quad, Coverage live, const std::array<const std::byte*, kTargets>& texels) {
  HistoryEvent& event = history_.events[quad.event];
  event.landed = static_cast<std::uint16_t>(live >> (16 * ((history_.place.x & 1) + 2 * (history_.place.y & 1))) & 0xffff);
  for (std::size_t target = 0; target < std::min<std::size_t>(bindings_.targets.size(), kTargets); ++target) {
    auto& change = event.targets.emplace_back();
    if (texels[target] != nullptr) change.before = change.after = texel::load_texel(bindings_.targets[target].format, texels[target]);
  }
}

void Recorder::targets_after(const Quad& quad, const BlendState& blend, const PixelStage& pixels,
                             const std::array<const std::byte*, kTargets>& texels) {
  HistoryEvent& event = history_.events[quad.event];
  bool writes = false, changes = false, blends = false, combines = false, any = false;
  for (std::size_t target = 0; target < event.targets.size(); ++target) {
    if (texels[target] == nullptr || !pixels.has_target(static_cast<unsigned>(target))) continue;
    auto& change = event.targets[target];
    change.after = texel::load_texel(bindings_.targets[target].format, texels[target]);
    const TargetBlend& state = blend.targets[target];
    any = true;
    writes = writes || state.write_mask != 0;
    changes = changes || change.after != change.before;
    blends = blends || state.blend;
    combines = combines || state.logic;
  }
  if (!any) return;
  event.fate = !writes    ? Fate::write_mask
               : changes  ? Fate::written
               : combines ? Fate::logic_operation
               : blends   ? Fate::blend_result
                          : Fate::written;
}

}  // namespace unshade::draw

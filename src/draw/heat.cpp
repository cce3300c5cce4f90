#include "draw/heat.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include <unshade/core/bits/nearest.hpp>

namespace unshade::draw {
const HeatRow& info(HeatKind kind) { return *std::ranges::find(kHeatRows, kind, &HeatRow::kind); }
std::optional<HeatKind> find_heat(std::string_view id) {
  const auto* const found = std::ranges::find(kHeatRows, id, &HeatRow::id);
  return found == std::end(kHeatRows) ? std::nullopt : std::optional(found->kind);
}

void Heat::add(std::uint32_t x, std::uint32_t y, std::uint32_t count) {
  if (x >= width || y >= height) return;
  std::uint32_t& to = counts[std::size_t{y} * width + x];
  if (info(kind).takes_largest) {
    to = std::max(to, count);
  } else {
    to += std::min(count, std::numeric_limits<std::uint32_t>::max() - to);
  }
}

void Heat::add(const Heat& other) {
  for (std::uint32_t y = 0; y < other.height; ++y)
    for (std::uint32_t x = 0; x < other.width; ++x) add(x, y, other.counts[std::size_t{y} * other.width + x]);
}

HeatSum sum_of(const Heat& heat) {
  const HeatRow& row = info(heat.kind);
  HeatSum made;
  for (const std::uint32_t count : heat.counts) {
    if (count == 0) continue;
    const double number = row.number(count);
    made.least = made.pixels == 0 ? number : std::min(made.least, number);
    made.most = std::max(made.most, number);
    made.total += number;
    ++made.pixels;
  }
  return made;
}

void HeatCounter::add(std::uint32_t lane, std::uint32_t count) {
  const Quad& quad = running_.quads[lane / 4];
  if (running_.triangles[quad.triangle].layer == heat_.layer) heat_.add(quad.x + lane % 2, quad.y + lane % 4 / 2, count);
}

// Helper lanes cost what they cost, but no pixel shows them.
bool HeatCounter::is_counted(std::uint32_t lane) const {
  return lane / 4 < running_.quads.size() && running_.quads[lane / 4].live_of(lane % 4) != 0;
}

void HeatCounter::step(const vm::TraceStep& step) {
  if (!step.completes) return;
  for (unsigned lane = 0; lane < running_.wave; ++lane) {
    const std::uint32_t of_all = step.wave * running_.wave + lane;
    const bool is_active = (step.active[lane / 64] >> (lane % 64) & 1) != 0;
    if (is_counted(of_all) && is_active == (heat_.kind == HeatKind::instructions)) add(of_all, 1);
  }
}

vm::Observer HeatCounter::begin(std::span<const Triangle> triangles, std::span<const Quad> quads, unsigned wave) {
  running_ = {triangles, quads, wave};
  vm::Observer made;
  made.self = this;
  const auto lanes = static_cast<std::uint32_t>(quads.size() * 4);
  for (std::uint32_t lane = 0; heat_.kind == HeatKind::runs && lane < lanes; ++lane)
    if (is_counted(lane)) add(lane, 1);
  if (heat_.kind == HeatKind::instructions || heat_.kind == HeatKind::divergence) {
    made.trace = [](void* self, const vm::TraceStep& step) {
      static_cast<HeatCounter*>(self)->step(step);
      return true;
    };
  }
  if (heat_.kind == HeatKind::level) {
    made.sampled = [](void* self, const vm::SampleStep& sample) {
      HeatCounter& own = *static_cast<HeatCounter*>(self);
      const std::uint32_t lane = sample.wave * own.running_.wave + sample.lane;
      const HeatRow& row = info(HeatKind::level);
      if (own.is_counted(lane))
        own.add(lane,
                static_cast<std::uint32_t>(static_cast<std::int64_t>(nearest_integral(sample.level * static_cast<float>(row.parts)))) +
                    row.base);
    };
  }
  return made;
}

bool HeatCounter::is_broken(std::uint32_t lane, const PixelStage& pixels) const {
  const auto is_finite = [](std::uint32_t bits) { return std::isfinite(std::bit_cast<float>(bits)); };
  for (unsigned target = 0; target < std::min<std::size_t>(bindings_.targets.size(), kTargets); ++target) {
    const texel::Descriptor& to = bindings_.targets[target];
    if (!to.is_texture() || !pixels.has_target(target) || to.format.is_integer()) continue;
    if (!std::ranges::all_of(pixels.color(lane, target), is_finite)) return true;
  }
  const auto depth = pixels.depth(lane);
  return depth && !is_finite(*depth);
}

void HeatCounter::landed(const Triangle& triangle, const Quad& quad, Coverage live, std::uint32_t first_lane, const PixelStage* pixels) {
  if (heat_.kind != HeatKind::overdraw && heat_.kind != HeatKind::nan) return;
  if (triangle.layer != heat_.layer) return;
  for (unsigned pixel = 0; pixel < 4; ++pixel) {
    if ((live >> (16 * pixel) & 0xffff) == 0) continue;
    if (heat_.kind == HeatKind::nan && (pixels == nullptr || !is_broken(first_lane + pixel, *pixels))) continue;
    heat_.add(quad.x + pixel % 2, quad.y + pixel / 2, 1);
  }
}

}  // namespace unshade::draw

#include "draw/fragments.hpp"

#include <algorithm>
#include <bit>
#include <cfloat>
#include <cstring>

#include <unshade/ir/numeric/nan.hpp>

namespace unshade::draw {
namespace {

/// Quads before one that is stored whose memory is fetched.
constexpr std::size_t kQuadsAhead = 8;

float float_of(std::uint64_t bits) { return std::bit_cast<float>(static_cast<std::uint32_t>(bits)); }

// Where the bytes of a format of four UNORM bytes are, if colors are stored in it as they are.
std::optional<std::array<std::uint32_t, 4>> word_of(const TargetBlend& blend, const RasterizerState& state, const Surface& target) {
  if (!target.is_texture() || !target.has_memory() || blend.blend || blend.logic || (blend.write_mask & 0xf) != 0xf ||
      state.lines == LineMode::alpha_antialiased || std::endian::native != std::endian::little)
    return std::nullopt;
  const texel::Format& format = target.format();
  if (format.encoding != texel::Encoding::unorm || format.srgb || format.block != texel::Block::none || format.bytes() != 4)
    return std::nullopt;
  std::array<std::uint32_t, 4> made{};
  for (unsigned k = 0; k < 4; ++k) {
    const auto& [first, bits] = format.components[k];
    if (bits != 8 || first % 8 != 0) return std::nullopt;
    made[k] = first;
  }
  return made;
}

}  // namespace

Surface::Surface(const texel::Descriptor& texture) {
  if (!texture.is_texture()) return;
  texture_ = &texture;
  if (texel::texture_bytes(texture) > texture.memory()) return;
  base_ = texel::texel_at(texture, {});
  const auto step = [&](const texel::TexelPlace& place) {
    const std::byte* const next = texel::texel_at(texture, place);
    return next == nullptr ? std::size_t{0} : static_cast<std::size_t>(next - base_);
  };
  column_ = step({.x = 1});
  row_ = step({.y = 1});
  layer_ = step({.layer = 1});
  sample_ = step({.sample = 1});
}

Frame::Frame(const Pipeline& pipeline_of, const Bindings& bindings_of, const Extent& extent_of)
    : pipeline(pipeline_of),
      bindings(bindings_of),
      extent(extent_of),
      state(pipeline_of.rasterizer),
      pattern(texel::sample_pattern(state.forced_samples != 0 ? state.forced_samples : extent.samples)),
      tests(pipeline_of.depth_stencil, bindings_of.depth_stencil, bindings_of.depth_bounds),
      depth(bindings_of.depth_stencil.texture) {
  for (std::size_t at = 0; at < std::min<std::size_t>(bindings.targets.size(), kTargets); ++at) targets.emplace_back(bindings.targets[at]);
  for (std::size_t at = 0; at < targets.size(); ++at) words.push_back(word_of(pipeline.blend.targets[at], state, targets[at]));
}

// Whether clip distances may be below 0 within a triangle. They are not if all vertices have numbers from 0 on, and shares of them are
// numbers from 0 on too: where nothing was divided, and no 1/w is so much larger than others that sums of them lose these.
bool Fragments::may_clip(const Scenery& scenery, const Triangle& triangle) const {
  if (triangle.divided || frame_.state.conservative) return true;
  const auto [least, most] = std::ranges::minmax(triangle.inverse);
  if (!(least > 0) || !(most < least * 0x1p20)) return true;
  for (const std::uint32_t component : frame_.clip) {
    for (const std::uint32_t vertex : triangle.vertices) {
      const float distance = float_of(scenery.vertices.of(vertex)[component]);
      if (!(distance >= 0 && distance <= FLT_MAX)) return true;
    }
  }
  return false;
}

// Makes wide_ that of a triangle with an area.
void Fragments::use(const Scenery& scenery, std::uint32_t triangle) {
  if (wide_of_ == triangle) return;
  wide_of_ = triangle;
  wide_ = wide_of(scenery.triangles[triangle]);
  clips_ = !frame_.clip.empty() && may_clip(scenery, scenery.triangles[triangle]);
}

// The samples at which no clip distance is below 0.
Coverage Fragments::clipped(const Scenery& scenery, std::uint32_t triangle_at, std::uint32_t x, std::uint32_t y, Coverage covered) {
  if (frame_.clip.empty()) return covered;
  const Triangle& triangle = scenery.triangles[triangle_at];
  const bool is_area = is_wide(triangle);
  if (is_area) use(scenery, triangle_at);
  if (is_area && !clips_) return covered;
  for (unsigned sample = 0; sample < frame_.pattern.size(); ++sample) {
    if ((covered >> sample & 0x0001'0001'0001'0001) == 0) continue;
    const std::int64_t px = std::int64_t{x} * kSubpixels + sample_offset(frame_.pattern[sample][0]);
    const std::int64_t py = std::int64_t{y} * kSubpixels + sample_offset(frame_.pattern[sample][1]);
    wide::Shares shares;
    find_shares(triangle, is_area ? &wide_ : nullptr, {px, px + kSubpixels, px, px + kSubpixels},
                {py, py, py + kSubpixels, py + kSubpixels}, shares);
    for (unsigned pixel = 0; pixel < 4; ++pixel) {
      for (const std::uint32_t component : frame_.clip) {
        double distance = 0;
        for (unsigned k = 0; k < 3; ++k)
          distance += shares.space[k][pixel] * static_cast<double>(float_of(scenery.vertices.of(triangle.vertices[k])[component]));
        if (!(distance >= 0)) covered &= ~(Coverage{1} << (16 * pixel + sample));
      }
    }
  }
  return covered;
}

Result<void> Fragments::test_found(const Scenery& scenery) {
  Result<void> done;
  for (std::size_t at = 0; at < found_.size() && done && !run_.stopped(); ++at) done = test(scenery, found_[at]);
  found_.clear();
  return done;
}

// Tests before the pixel shader, which runs for what passed with others.
Result<void> Fragments::test(const Scenery& scenery, Quad quad) {
  const Triangle& triangle = scenery.triangles[quad.triangle];
  const Coverage covered = quad.covered;
  // samples of the targets; if the rasterizer has others, all samples of a pixel
  const auto in_targets = [&](Coverage samples) {
    return frame_.state.forced_samples != 0 ? whole_pixels(samples, frame_.extent.samples) : samples;
  };
  if (recorder_ != nullptr) quad.event = recorder_->begin(quad, in_targets(covered), triangle);
  quad.covered = clipped(scenery, quad.triangle, quad.x, quad.y, covered);
  quad.live = in_targets(quad.covered);
  if (recorder_ != nullptr) recorder_->narrow(quad, quad.live, Fate::clip_distance);
  quad.live &= std::uint64_t{frame_.bindings.sample_mask & 0xffff} * 0x0001'0001'0001'0001;
  if (recorder_ != nullptr) recorder_->narrow(quad, quad.live, Fate::sample_mask);
  if (!pixels_ || pixels_->tests_early()) quad.live = tested(scenery, quad, quad.live, 0, false);
  if (quad.live != 0 && !pixels_ && heat_) heat_->landed(triangle, quad, quad.live, 0, nullptr);
  if (quad.live == 0 || !pixels_) return {};
  for (unsigned sample = 0; sample < (pixels_->is_per_sample() ? frame_.extent.samples : 1); ++sample) {
    Quad one = quad;
    if (pixels_->is_per_sample()) {
      one.live &= Coverage{0x0001'0001'0001'0001} << sample;
      one.sample = static_cast<std::uint8_t>(sample);
      if (one.live == 0) continue;
      if (recorder_ != nullptr) one.event = recorder_->of_sample(quad, one);
    }
    if (pixels_->is_ordered() && !running_.insert({one.x, one.y, one.sample}).second) {
      if (auto done = shade(scenery); !done || run_.stopped()) return done;
      running_.insert({one.x, one.y, one.sample});
    }
    quads_.push_back(one);
    if (quads_.size() < kQuads) continue;
    if (auto done = shade(scenery); !done || run_.stopped()) return done;
  }
  return {};
}

Result<void> Fragments::flush(const Scenery& scenery) {
  Result<void> done = test_found(scenery);
  if (done && !run_.stopped()) done = shade(scenery);
  wide_of_ = kNone;
  return done;
}

// Runs the pixel shader, and what follows.
Result<void> Fragments::shade(const Scenery& scenery) {
  if (quads_.empty()) return {};
  const std::uint32_t mask = frame_.state.forced_samples != 0 ? ~0U : frame_.bindings.sample_mask;
  const unsigned wave = frame_.pipeline.pixel->wave();
  vm::Observer observer = recorder_ != nullptr ? recorder_->observer(quads_, wave) : vm::Observer{};
  if (heat_) {
    const vm::Observer counting = heat_->begin(scenery.triangles, quads_, wave);
    if (observer.trace == nullptr) observer = counting;
  }
  if (auto done = pixels_->shade(run_, scenery.vertices, scenery.triangles, quads_, frame_.pattern, mask, observer); !done) return done;
  if (!run_.stopped()) {
    words_.resize(frame_.targets.size());
    for (unsigned target = 0; target < frame_.targets.size(); ++target)
      if (frame_.words[target] && pixels_->has_target(target)) pixels_->unorm_bytes(target, *frame_.words[target], words_[target]);
    // nothing after the shader can end a fragment
    const bool is_plain = recorder_ == nullptr && !heat_ && pixels_->tests_early() && !pixels_->has_coverage() &&
                          !frame_.pipeline.blend.alpha_to_coverage && !pixels_->any_discarded();
    for (std::size_t at = 0; at < quads_.size(); ++at) {
      const Quad& quad = quads_[at];
      const auto lane = static_cast<std::uint32_t>(at * 4);
      if (at + kQuadsAhead < quads_.size()) {
        const Quad& ahead = quads_[at + kQuadsAhead];
        for (const Surface& target : frame_.targets) target.prefetch(ahead.x, ahead.y, scenery.triangles[ahead.triangle].layer);
      }
      is_plain ? write(quad, scenery.triangles[quad.triangle], quad.live, lane) : finish(scenery, quad, lane);
    }
  }
  quads_.clear();
  running_.clear();
  return {};
}

// Depths of the samples of a quad that are asked for.
void Fragments::find_depths(const Scenery& scenery, const Quad& quad, Coverage samples) {
  const Triangle& triangle = scenery.triangles[quad.triangle];
  const Coverage of_any = samples | samples >> 16 | samples >> 32 | samples >> 48;
  if (is_wide(triangle)) use(scenery, quad.triangle);
  for (auto left = static_cast<std::uint32_t>(of_any & 0xffff); left != 0; left &= left - 1) {
    const auto sample = static_cast<unsigned>(std::countr_zero(left));
    const texel::SamplePlace& place = frame_.pattern[sample];
    const std::int64_t x = std::int64_t{quad.x} * kSubpixels + sample_offset(place[0]);
    const std::int64_t y = std::int64_t{quad.y} * kSubpixels + sample_offset(place[1]);
    float* const to = depths_.data() + std::size_t{4} * sample;
    if (is_wide(triangle)) {
      wide::functions().depths(wide_, static_cast<double>(x), static_cast<double>(y), to);
      continue;
    }
    for (unsigned pixel = 0; pixel < 4; ++pixel)
      to[pixel] = static_cast<float>(depth_at(triangle, x + pixel % 2 * kSubpixels, y + pixel / 2 * kSubpixels));
  }
}

// Depth and stencil tests: those that pass.
Coverage Fragments::tested(const Scenery& scenery, const Quad& quad, Coverage samples, std::uint32_t first_lane, bool shaded) {
  const Triangle& triangle = scenery.triangles[quad.triangle];
  Coverage passed = samples;
  if (frame_.tests.is_on()) {
    const Viewport& viewport = frame_.bindings.viewports[triangle.viewport];
    const Conventions& conventions = frame_.pipeline.conventions;
    const float range = viewport.max_depth - viewport.min_depth;
    const auto [low, high] =
        std::minmax({viewport.min_depth + conventions.clip_near * range, viewport.min_depth + conventions.clip_far * range});
    const bool has_own = shaded && pixels_->has_depth();
    if (!has_own && frame_.tests.depth_bits() != 0) find_depths(scenery, quad, samples);
    const auto within = [low, high](float depth) { return depth > low ? std::min(depth, high) : low; };  // NaN too
    std::byte* const first = frame_.depth.has_memory() ? frame_.depth.at(quad.x, quad.y, triangle.layer, 0) : nullptr;
    const bool is_plain = first != nullptr && frame_.tests.is_plain() && recorder_ == nullptr && !has_own;
    for (Coverage left = is_plain ? samples : 0; left != 0; left &= left - 1) {
      const auto bit = static_cast<unsigned>(std::countr_zero(left));
      const float depth = within(depths_[std::size_t{4} * (bit % 16) + bit / 16]);
      if (!frame_.tests.test_plain(first + frame_.depth.from_first(bit / 16, bit % 16), depth)) passed &= ~(Coverage{1} << bit);
    }
    for (Coverage left = is_plain ? 0 : samples; left != 0; left &= left - 1) {
      const auto bit = static_cast<unsigned>(std::countr_zero(left));
      const unsigned pixel = bit / 16;
      const auto own = shaded ? pixels_->depth(first_lane + pixel) : std::nullopt;
      float depth = own ? std::bit_cast<float>(*own) : 0;
      if (!own && frame_.tests.depth_bits() != 0) depth = depths_[std::size_t{4} * (bit % 16) + pixel];
      depth = within(depth);
      const auto reference = shaded ? pixels_->stencil_reference(first_lane + pixel) : std::nullopt;
      std::byte* const at = frame_.depth.at(quad.x + pixel % 2, quad.y + pixel / 2, triangle.layer, bit % 16);
      if (recorder_ != nullptr) recorder_->before(quad, pixel, bit % 16, depth, at, frame_.tests);
      const DepthResult result = at == nullptr
                                     ? DepthResult::depth_failed
                                     : frame_.tests.test(at, depth, triangle.is_front,
                                                         reference ? static_cast<std::uint8_t>(*reference)
                                                                   : frame_.bindings.stencil_references[triangle.is_front ? 0 : 1]);
      if (recorder_ != nullptr) recorder_->after(quad, pixel, bit % 16, at, frame_.tests, result);
      if (result != DepthResult::passed) passed &= ~(Coverage{1} << bit);
    }
  }
  if (recorder_ != nullptr) recorder_->narrow(quad, passed, recorder_->lost_to(quad, !shaded));
  const Coverage counted = frame_.state.forced_samples == 0 ? passed : quad.covered & whole_pixels(passed, kMostSamples);
  run_.report.statistics.samples_passed += static_cast<unsigned>(std::popcount(counted));
  return passed;
}

// What follows the pixel shader.
void Fragments::finish(const Scenery& scenery, const Quad& quad, std::uint32_t first_lane) {
  const Triangle& triangle = scenery.triangles[quad.triangle];
  Coverage live = quad.live;
  if (recorder_ != nullptr) recorder_->shaded(quad, first_lane, *pixels_);
  const auto keep = [&](Fate fate, auto mask_of) {
    for (unsigned pixel = 0; pixel < 4; ++pixel) live &= ~(Coverage{~mask_of(first_lane + pixel) & 0xffff} << (16 * pixel));
    if (recorder_ != nullptr) recorder_->narrow(quad, live, fate);
  };
  keep(Fate::discard, [&](std::uint32_t lane) { return pixels_->is_discarded(lane) ? 0U : 0xffffU; });
  keep(Fate::coverage, [&](std::uint32_t lane) { return pixels_->coverage(lane).value_or(0xffff); });
  // src: 17.18: not if the shader writes coverage; also of targets with one sample
  if (frame_.pipeline.blend.alpha_to_coverage && !pixels_->has_coverage()) {
    keep(Fate::alpha_to_coverage, [&](std::uint32_t lane) {
      return alpha_coverage(float_of(color_of(quad, triangle, lane - first_lane, lane, 0)[3]), frame_.extent.samples);
    });
  }
  if (!pixels_->tests_early()) live = tested(scenery, quad, live, first_lane, true);
  if (live == 0) return;
  if (heat_) heat_->landed(triangle, quad, live, first_lane, &*pixels_);
  const auto shown = recorder_ != nullptr ? recorder_->shown(quad) : std::nullopt;
  if (!shown) return write(quad, triangle, live, first_lane);
  std::array<const std::byte*, kTargets> texels{};
  for (std::size_t target = 0; target < frame_.targets.size(); ++target) {
    if (frame_.targets[target].is_texture())
      texels[target] = frame_.targets[target].at(quad.x + shown->first % 2, quad.y + shown->first / 2, triangle.layer, shown->second);
  }
  recorder_->targets_before(quad, live, texels);
  write(quad, triangle, live, first_lane);
  recorder_->targets_after(quad, frame_.pipeline.blend, *pixels_, texels);
}

// What the shader gave for a target: of antialiased lines the first one's alpha, times the share of the pixel. src: 3.4.4
Color Fragments::color_of(const Quad& quad, const Triangle& triangle, unsigned pixel, std::uint32_t lane, unsigned target) const {
  Color made = pixels_->color(lane, target);
  if (target == 0 && triangle.corners == 2 && frame_.state.lines == LineMode::alpha_antialiased) {
    const double share = share_of_line(triangle, quad.x + pixel % 2, quad.y + pixel / 2);
    made[3] = ir::numeric::canonical_bits(static_cast<float>(static_cast<double>(float_of(made[3])) * share));
  }
  return made;
}

// Colors into the targets.
void Fragments::write(const Quad& quad, const Triangle& triangle, Coverage live, std::uint32_t first_lane) {
  const BlendState& blend = frame_.pipeline.blend;
  for (unsigned target = 0; target < frame_.targets.size(); ++target) {
    const Surface& to = frame_.targets[target];
    if (!to.is_texture() || !pixels_->has_target(target)) continue;
    if (frame_.words[target]) {
      write_words(quad, triangle, live, first_lane, target);
      continue;
    }
    for (unsigned pixel = 0; pixel < 4; ++pixel) {
      auto samples = static_cast<std::uint32_t>(live >> (16 * pixel) & all_samples(frame_.extent.samples));
      if (samples == 0) continue;
      const Color color = color_of(quad, triangle, pixel, first_lane + pixel, target);
      const Color second = pixels_->second_source(first_lane + pixel, target);
      for (; samples != 0; samples &= samples - 1) {
        std::byte* const at =
            to.at(quad.x + pixel % 2, quad.y + pixel / 2, triangle.layer, static_cast<unsigned>(std::countr_zero(samples)));
        if (at != nullptr) write_color(blend.targets[target], frame_.bindings.blend_factor, to.format(), color, second, at);
      }
    }
  }
}

// The same of colors that are words as they are stored.
void Fragments::write_words(const Quad& quad, const Triangle& triangle, Coverage live, std::uint32_t first_lane, unsigned target) {
  const Surface& to = frame_.targets[target];
  std::byte* const first = to.at(quad.x, quad.y, triangle.layer, 0);
  if (first == nullptr) return;  // no such layer
  const std::uint32_t* const words = words_[target].data() + first_lane;
  for (; live != 0; live &= live - 1) {
    const auto bit = static_cast<unsigned>(std::countr_zero(live));
    std::memcpy(first + to.from_first(bit / 16, bit % 16), words + bit / 16, 4);
  }
}

void Fragments::report_to(Report& to) {
  to.operations += run_.report.operations;
  to.statistics.add(run_.report.statistics);
  if (to.stop == vm::Stop::finished && run_.stopped()) {
    to.stop = run_.report.stop;
    to.stage = run_.report.stage;
    to.fault = run_.report.fault;
  }
  run_.report.operations = 0;
  run_.report.statistics = {};
}

}  // namespace unshade::draw

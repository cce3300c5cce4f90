// A draw: batches of primitives go through the stages, quads of them through the pixel shader and into the targets, in the order of the
// primitives.
#include <algorithm>
#include <bit>
#include <cmath>
#include <set>

#include "draw/blend.hpp"
#include "draw/depth_stencil.hpp"
#include "draw/geometry.hpp"
#include "draw/history.hpp"
#include "draw/input_assembler.hpp"
#include "draw/mesh.hpp"
#include "draw/patches.hpp"
#include "draw/pixels.hpp"
#include "draw/stream_output.hpp"
#include "draw/vertex.hpp"

namespace unshade::draw {
namespace {

using dxcontainer::SystemValue;

/// Primitives that go through the stages together.
constexpr std::size_t kBatch = 2048;

Error wrong(const char* path, std::string message) { return {ErrorCode::bad_value, 0, path, std::move(message)}; }

// Sizes that all targets share.
struct Extent {
  std::uint32_t width = kMostPixels, height = kMostPixels, samples = 1;
  bool any = false;
};

Result<Extent> extent_of(const Bindings& bindings) {
  Extent made;
  const auto add = [&](const vm::Descriptor& one) {
    if (!one.is_texture()) return true;
    if (made.any && one.samples != made.samples) return false;
    made.samples = one.samples;
    made.width = std::min(made.width, one.width);
    made.height = std::min(made.height, one.height);
    made.any = true;
    return std::has_single_bit(one.samples) && one.samples <= kMostSamples;
  };
  bool fits = add(bindings.depth_stencil.texture);
  for (const vm::Descriptor& target : bindings.targets) fits = fits && add(target);
  if (!fits) return wrong("targets", "targets must have the same number of samples: 1, 2, 4, 8 or 16");
  return made;
}

class Draw {
 public:
  Draw(Run& run, const Extent& extent, History* history)
      : run_(run),
        extent_(extent),
        state_(run.pipeline.rasterizer),
        pattern_(vm::sample_pattern(state_.forced_samples != 0 ? state_.forced_samples : extent.samples)),
        tests_(run.pipeline.depth_stencil, run.bindings.depth_stencil, run.bindings.depth_bounds) {
    if (history != nullptr) recorder_.emplace(*history, run.bindings);
  }

  /// Draws a batch.
  Result<void> add(const Vertices& vertices, const Primitives& primitives);

 private:
  struct Layout {
    std::uint32_t position = kNone, viewport = kNone, layer = kNone;
    std::vector<std::uint32_t> clip, cull;  ///< components of distances
  };
  Result<void> begin(const Vertices& vertices);
  void set_up_primitive(const Vertices& vertices, std::span<const std::uint32_t> corners, std::uint32_t number,
                        const RasterizerState& state, std::vector<Triangle>& to);
  void explain(const Vertices& vertices, std::span<const std::uint32_t> corners, std::uint32_t number, std::size_t first);
  bool reaches(const Triangle& triangle, bool scissor) const;
  bool is_culled(const Vertices& vertices, std::span<const std::uint32_t> corners, const std::vector<std::uint32_t>& distances) const;
  Bounds bounds_of(const Triangle& triangle, bool scissor) const;
  Coverage clipped(const Vertices& vertices, const Triangle& triangle, std::uint32_t x, std::uint32_t y, Coverage covered) const;
  Result<void> add_quad(const Vertices& vertices, std::size_t at, std::uint32_t x, std::uint32_t y, Coverage covered);
  Result<void> flush(const Vertices& vertices);
  void finish(const Quad& quad, std::uint32_t first_lane);
  Coverage tested(const Quad& quad, Coverage samples, std::uint32_t first_lane, bool shaded);
  void write(const Quad& quad, Coverage live, std::uint32_t first_lane);
  Color color_of(const Quad& quad, unsigned pixel, std::uint32_t lane, unsigned target) const;
  std::byte* texel(const vm::Descriptor& target, const Quad& quad, unsigned pixel, unsigned sample) const {
    return vm::texel_at(target, {quad.x + pixel % 2, quad.y + pixel / 2, 0, triangles_[quad.triangle].layer, 0, sample});
  }

  Run& run_;
  const Extent extent_;
  const RasterizerState& state_;
  const std::span<const vm::SamplePlace> pattern_;  ///< of coverage; the targets have Extent::samples
  const DepthStencil tests_;
  std::optional<Layout> layout_;
  std::optional<PixelStage> pixels_;
  std::optional<Recorder> recorder_;
  std::vector<Triangle> triangles_;
  std::vector<Quad> quads_;
  std::set<std::array<std::uint32_t, 3>> running_;  ///< places and samples of quads_, if their order matters
};

Result<void> Draw::begin(const Vertices& vertices) {
  Layout made;
  made.position = find_component(vertices.elements, SystemValue::position);
  made.viewport = find_component(vertices.elements, SystemValue::viewport_array_index);
  made.layer = find_component(vertices.elements, SystemValue::render_target_array_index);
  std::uint32_t first = 0;
  for (const ir::Element& element : vertices.elements) {
    if (element.system_value == SystemValue::position && element.columns != 4) made.position = kNone;
    for (std::uint32_t k = 0; k < element.rows * element.columns; ++k) {
      if (element.system_value == SystemValue::clip_distance) made.clip.push_back(first + k);
      if (element.system_value == SystemValue::cull_distance) made.cull.push_back(first + k);
    }
    first += element.rows * element.columns;
  }
  layout_ = std::move(made);
  if (run_.pipeline.pixel == nullptr) return {};
  auto pixels = PixelStage::make(run_.pipeline, vertices.elements);
  if (!pixels) return std::move(pixels).error();
  pixels_ = std::move(*pixels);
  if (state_.forced_samples != 0 && (pixels_->is_per_sample() || pixels_->has_depth()))
    return wrong("rasterizer", "with a forced sample count, the pixel shader must not run for each sample, nor write depth");
  return {};
}

float real_of(std::uint64_t bits) { return std::bit_cast<float>(static_cast<std::uint32_t>(bits)); }

// Whether a distance is below 0, or not a number, at all vertices.
bool Draw::is_culled(const Vertices& vertices, std::span<const std::uint32_t> corners, const std::vector<std::uint32_t>& distances) const {
  return std::ranges::any_of(distances, [&](std::uint32_t component) {
    return std::ranges::none_of(corners, [&](std::uint32_t vertex) { return real_of(vertices.of(vertex)[component]) >= 0; });
  });
}

void Draw::set_up_primitive(const Vertices& vertices, std::span<const std::uint32_t> corners, std::uint32_t number,
                            const RasterizerState& state, std::vector<Triangle>& to) {
  Triangle like;
  like.corners = static_cast<std::uint32_t>(corners.size());
  std::array<Position, 3> positions{};
  like.vertices.fill(corners[0]);
  for (unsigned k = 0; k < corners.size(); ++k) {
    like.vertices[k] = corners[k];
    for (unsigned axis = 0; axis < 4; ++axis) positions[k][axis] = real_of(vertices.of(corners[k])[layout_->position + axis]);
  }
  like.primitive = like.vertices;
  like.leading = corners[0];
  like.number = number;
  const auto index = [&](std::uint32_t component, std::size_t count) {
    if (component == kNone) return std::uint32_t{0};
    const auto value = static_cast<std::uint32_t>(vertices.of(like.leading)[component]);
    return value < count ? value : 0;
  };
  const auto& viewports = run_.bindings.viewports;
  like.viewport = index(layout_->viewport, viewports.size());
  like.layer = index(layout_->layer, ~std::uint32_t{0});
  const Clipped polygon = clip(viewports[like.viewport], run_.pipeline.conventions, state.depth_clip, positions, like.corners);
  if (&to == &triangles_) {
    ++run_.report.statistics.clipper_in;
    if (polygon.count >= like.corners) run_.report.statistics.clipper_out += polygon.count - like.corners + 1;
  }
  set_up(polygon, viewports[like.viewport], run_.pipeline.conventions, state, tests_.depth_bits(), like, to);
}

// Whether the pixel of the history is covered.
bool Draw::reaches(const Triangle& triangle, bool scissor) const {
  Bounds bounds = bounds_of(triangle, scissor);
  const PixelPlace& place = recorder_->place();
  const std::uint32_t x = place.x & ~1U, y = place.y & ~1U;
  bounds.left = std::max<std::int64_t>(bounds.left, x);
  bounds.top = std::max<std::int64_t>(bounds.top, y);
  bounds.right = std::min<std::int64_t>(bounds.right, std::int64_t{x} + 2);
  bounds.bottom = std::min<std::int64_t>(bounds.bottom, std::int64_t{y} + 2);
  bool covered = false;
  if (triangle.layer == place.layer && bounds.left < bounds.right && bounds.top < bounds.bottom) {
    each_quad_of(triangle, state_, pattern_, bounds, [&](std::uint32_t qx, std::uint32_t qy, Coverage samples) {
      if (state_.forced_samples != 0) samples = whole_pixels(samples, extent_.samples);
      covered = covered || (samples & recorder_->followed(qx, qy)) != 0;
      return !covered;
    });
  }
  return covered;
}

// Tells the history of a primitive that would reach the pixel but for culling, clipping or the scissor.
void Draw::explain(const Vertices& vertices, std::span<const std::uint32_t> corners, std::uint32_t number, std::size_t first) {
  for (std::size_t at = first; at < triangles_.size(); ++at)
    if (reaches(triangles_[at], state_.scissor)) return;
  RasterizerState open = state_;
  open.cull = Cull::none;
  struct Reason {
    Fate fate;
    bool holds, unclipped, scissor;
  };
  const Reason reasons[] = {
      {Fate::clip_distance, is_culled(vertices, corners, layout_->clip), false, state_.scissor},
      {Fate::cull_distance, is_culled(vertices, corners, layout_->cull), false, state_.scissor},
      {Fate::facing, true, false, state_.scissor},
      {Fate::scissor, state_.scissor, false, false},
      {Fate::clip, true, true, false},
  };
  for (const Reason& reason : reasons) {
    if (!reason.holds) continue;
    open.depth_clip = state_.depth_clip && !reason.unclipped;
    std::vector<Triangle> made;
    set_up_primitive(vertices, corners, number, open, made);
    const auto found = std::ranges::find_if(made, [&](const Triangle& one) { return reaches(one, reason.scissor); });
    if (found != made.end()) return recorder_->add(*found, reason.fate);
  }
}

Bounds Draw::bounds_of(const Triangle& triangle, bool with_scissor) const {
  const Viewport& viewport = run_.bindings.viewports[triangle.viewport];
  const auto parts = [](double pixels) {
    return static_cast<std::int64_t>(std::nearbyint(std::clamp(pixels, -32768.0, 32768.0) * static_cast<double>(kSubpixels)));
  };
  Bounds made;
  made.low_x = parts(static_cast<double>(viewport.x));
  made.low_y = parts(static_cast<double>(viewport.y));
  made.high_x = parts(static_cast<double>(viewport.x) + static_cast<double>(viewport.width));
  made.high_y = parts(static_cast<double>(viewport.y) + static_cast<double>(viewport.height));
  if (made.high_y < made.low_y) std::swap(made.low_y, made.high_y);  // Vulkan turns pictures by a negative height
  made.is_fractional = ((made.low_x | made.low_y | made.high_x | made.high_y) & (kSubpixels - 1)) != 0;
  const auto down = [](std::int64_t parts_of) { return parts_of >> 8; };
  made.left = std::max<std::int64_t>(0, down(made.low_x));
  made.top = std::max<std::int64_t>(0, down(made.low_y));
  made.right = std::min<std::int64_t>(extent_.width, down(made.high_x + kSubpixels - 1));
  made.bottom = std::min<std::int64_t>(extent_.height, down(made.high_y + kSubpixels - 1));
  if (with_scissor) {
    const auto& scissors = run_.bindings.scissors;
    const Scissor scissor = triangle.viewport < scissors.size() ? scissors[triangle.viewport] : Scissor{};
    made.left = std::max<std::int64_t>(made.left, scissor.left);
    made.top = std::max<std::int64_t>(made.top, scissor.top);
    made.right = std::min<std::int64_t>(made.right, scissor.right);
    made.bottom = std::min<std::int64_t>(made.bottom, scissor.bottom);
  }
  return made;
}

// The samples at which no clip distance is below 0.
Coverage Draw::clipped(const Vertices& vertices, const Triangle& triangle, std::uint32_t x, std::uint32_t y, Coverage covered) const {
  if (layout_->clip.empty()) return covered;
  for (unsigned bit = 0; bit < 64; ++bit) {
    if ((covered >> bit & 1) == 0) continue;
    const unsigned pixel = bit / 16;
    const vm::SamplePlace& place = pattern_[bit % 16];
    const Shares shares = shares_at(triangle, std::int64_t{x + pixel % 2} * kSubpixels + sample_offset(place[0]),
                                    std::int64_t{y + pixel / 2} * kSubpixels + sample_offset(place[1]));
    for (const std::uint32_t component : layout_->clip) {
      double distance = 0;
      for (unsigned k = 0; k < 3; ++k)
        distance += shares.space[k] * static_cast<double>(real_of(vertices.of(triangle.vertices[k])[component]));
      if (!(distance >= 0)) covered &= ~(Coverage{1} << bit);
    }
  }
  return covered;
}

Result<void> Draw::add(const Vertices& vertices, const Primitives& primitives) {
  if (!layout_) {
    if (auto begun = begin(vertices); !begun) return begun;
  }
  if (primitives.corners > 3) return wrong("topology", "primitives with adjacency, and patches, must have a shader that takes them");
  if (state_.conservative && primitives.corners != 3) return wrong("rasterizer", "conservative rasterization must have triangles");
  triangles_.clear();
  if (layout_->position == kNone) return {};  // undefined: nothing is seen
  for (std::size_t primitive = 0; primitive < primitives.count(); ++primitive) {
    const std::size_t first = triangles_.size();
    const auto corners = primitives.of(primitive);
    if (!is_culled(vertices, corners, layout_->clip) && !is_culled(vertices, corners, layout_->cull))
      set_up_primitive(vertices, corners, primitives.numbers[primitive], state_, triangles_);
    if (recorder_) explain(vertices, corners, primitives.numbers[primitive], first);
    for (std::size_t at = first; at < triangles_.size(); ++at) {
      Result<void> done;
      each_quad_of(triangles_[at], state_, pattern_, bounds_of(triangles_[at], state_.scissor),
                   [&](std::uint32_t x, std::uint32_t y, Coverage covered) {
                     // parts of a triangle touch the same pixels on both sides of the edge between them: the first has them
                     for (std::size_t part = first; state_.conservative && part < at; ++part)
                       covered &= ~quad_of(triangles_[part], state_, pattern_, bounds_of(triangles_[part], state_.scissor), x, y);
                     if (covered != 0) done = add_quad(vertices, at, x, y, covered);
                     return done && !run_.stopped();
                   });
      if (!done || run_.stopped()) return done;
    }
  }
  return flush(vertices);
}

Result<void> Draw::add_quad(const Vertices& vertices, std::size_t at, std::uint32_t x, std::uint32_t y, Coverage covered) {
  const Triangle& triangle = triangles_[at];
  Quad quad{x, y, static_cast<std::uint32_t>(at), covered};
  // samples of the targets; if the rasterizer has others, all samples of a pixel
  const auto in_targets = [&](Coverage samples) { return state_.forced_samples != 0 ? whole_pixels(samples, extent_.samples) : samples; };
  if (recorder_) quad.event = recorder_->begin(quad, in_targets(covered), triangle);
  quad.covered = clipped(vertices, triangle, x, y, covered);
  quad.live = in_targets(quad.covered);
  if (recorder_) recorder_->narrow(quad, quad.live, Fate::clip_distance);
  quad.live &= std::uint64_t{run_.bindings.sample_mask & 0xffff} * 0x0001'0001'0001'0001;
  if (recorder_) recorder_->narrow(quad, quad.live, Fate::sample_mask);
  if (!pixels_ || pixels_->tests_early()) quad.live = tested(quad, quad.live, 0, false);
  if (quad.live == 0 || !pixels_) return {};
  for (unsigned sample = 0; sample < (pixels_->is_per_sample() ? extent_.samples : 1); ++sample) {
    Quad one = quad;
    if (pixels_->is_per_sample()) {
      one.live &= Coverage{0x0001'0001'0001'0001} << sample;
      one.sample = static_cast<std::uint8_t>(sample);
      if (one.live == 0) continue;
      if (recorder_) one.event = recorder_->of_sample(quad, one);
    }
    if (pixels_->is_ordered() && !running_.insert({one.x, one.y, one.sample}).second) {
      if (auto done = flush(vertices); !done || run_.stopped()) return done;
      running_.insert({one.x, one.y, one.sample});
    }
    quads_.push_back(one);
    if (quads_.size() < kQuads) continue;
    if (auto done = flush(vertices); !done || run_.stopped()) return done;
  }
  return {};
}

Result<void> Draw::flush(const Vertices& vertices) {
  if (quads_.empty()) return {};
  const std::uint32_t mask = state_.forced_samples != 0 ? ~0U : run_.bindings.sample_mask;
  const vm::Observer observer = recorder_ ? recorder_->observer(quads_, run_.pipeline.pixel->wave()) : vm::Observer{};
  if (auto done = pixels_->shade(run_, vertices, triangles_, quads_, pattern_, mask, observer); !done) return done;
  if (!run_.stopped())
    for (std::size_t at = 0; at < quads_.size(); ++at) finish(quads_[at], static_cast<std::uint32_t>(at * 4));
  quads_.clear();
  running_.clear();
  return {};
}

// Depth and stencil tests: those that pass.
Coverage Draw::tested(const Quad& quad, Coverage samples, std::uint32_t first_lane, bool shaded) {
  Coverage passed = samples;
  const DepthStencilTarget& target = run_.bindings.depth_stencil;
  if (tests_.is_on()) {
    const Triangle& triangle = triangles_[quad.triangle];
    const Viewport& viewport = run_.bindings.viewports[triangle.viewport];
    const Conventions& conventions = run_.pipeline.conventions;
    const float range = viewport.max_depth - viewport.min_depth;
    const auto [low, high] =
        std::minmax({viewport.min_depth + conventions.clip_near * range, viewport.min_depth + conventions.clip_far * range});
    for (unsigned bit = 0; bit < 64; ++bit) {
      if ((samples >> bit & 1) == 0) continue;
      const unsigned pixel = bit / 16;
      const auto own = shaded ? pixels_->depth(first_lane + pixel) : std::nullopt;
      float depth = own ? std::bit_cast<float>(*own) : 0;
      if (!own && tests_.depth_bits() != 0) {
        const vm::SamplePlace& place = pattern_[bit % 16];
        depth = static_cast<float>(shares_at(triangle, std::int64_t{quad.x + pixel % 2} * kSubpixels + sample_offset(place[0]),
                                             std::int64_t{quad.y + pixel / 2} * kSubpixels + sample_offset(place[1]))
                                       .depth);
      }
      depth = depth > low ? std::min(depth, high) : low;  // NaN too
      const auto reference = shaded ? pixels_->stencil_reference(first_lane + pixel) : std::nullopt;
      std::byte* const at = texel(target.texture, quad, pixel, bit % 16);
      if (recorder_) recorder_->before(quad, pixel, bit % 16, depth, at, tests_);
      const DepthResult result = at == nullptr
                                     ? DepthResult::depth_failed
                                     : tests_.test(at, depth, triangle.is_front,
                                                   reference ? static_cast<std::uint8_t>(*reference) : run_.bindings.stencil_reference);
      if (recorder_) recorder_->after(quad, pixel, bit % 16, at, tests_, result);
      if (result != DepthResult::passed) passed &= ~(Coverage{1} << bit);
    }
  }
  if (recorder_) recorder_->narrow(quad, passed, recorder_->lost_to(quad, !shaded));
  const Coverage counted = state_.forced_samples == 0 ? passed : quad.covered & whole_pixels(passed, kMostSamples);
  run_.report.statistics.samples_passed += static_cast<unsigned>(std::popcount(counted));
  return passed;
}

// What follows the pixel shader.
void Draw::finish(const Quad& quad, std::uint32_t first_lane) {
  Coverage live = quad.live;
  if (recorder_) recorder_->shaded(quad, first_lane, *pixels_);
  const auto keep = [&](Fate fate, auto mask_of) {
    for (unsigned pixel = 0; pixel < 4; ++pixel) live &= ~(Coverage{~mask_of(first_lane + pixel) & 0xffff} << (16 * pixel));
    if (recorder_) recorder_->narrow(quad, live, fate);
  };
  keep(Fate::discard, [&](std::uint32_t lane) { return pixels_->is_discarded(lane) ? 0U : 0xffffU; });
  keep(Fate::coverage, [&](std::uint32_t lane) { return pixels_->coverage(lane).value_or(0xffff); });
  // src: 17.18: not if the shader writes coverage; also of targets with one sample
  if (run_.pipeline.blend.alpha_to_coverage && !pixels_->has_coverage()) {
    keep(Fate::alpha_to_coverage,
         [&](std::uint32_t lane) { return alpha_coverage(real_of(color_of(quad, lane - first_lane, lane, 0)[3]), extent_.samples); });
  }
  if (!pixels_->tests_early()) live = tested(quad, live, first_lane, true);
  if (live == 0) return;
  const auto shown = recorder_ ? recorder_->shown(quad) : std::nullopt;
  if (!shown) return write(quad, live, first_lane);
  std::array<const std::byte*, kTargets> texels{};
  for (unsigned target = 0; target < std::min<std::size_t>(run_.bindings.targets.size(), kTargets); ++target)
    if (run_.bindings.targets[target].is_texture())
      texels[target] = texel(run_.bindings.targets[target], quad, shown->first, shown->second);
  recorder_->targets_before(quad, live, texels);
  write(quad, live, first_lane);
  recorder_->targets_after(quad, run_.pipeline.blend, *pixels_, texels);
}

// What the shader gave for a target: of antialiased lines the first one's alpha, times the share of the pixel. src: 3.4.4
Color Draw::color_of(const Quad& quad, unsigned pixel, std::uint32_t lane, unsigned target) const {
  Color made = pixels_->color(lane, target);
  const Triangle& triangle = triangles_[quad.triangle];
  if (target == 0 && triangle.corners == 2 && state_.lines == LineMode::alpha_antialiased) {
    const double share = share_of_line(triangle, quad.x + pixel % 2, quad.y + pixel / 2);
    made[3] = std::bit_cast<std::uint32_t>(static_cast<float>(static_cast<double>(real_of(made[3])) * share));
  }
  return made;
}

// Colors into the targets.
void Draw::write(const Quad& quad, Coverage live, std::uint32_t first_lane) {
  const BlendState& blend = run_.pipeline.blend;
  for (unsigned target = 0; target < std::min<std::size_t>(run_.bindings.targets.size(), kTargets); ++target) {
    const vm::Descriptor& to = run_.bindings.targets[target];
    if (!to.is_texture() || !pixels_->has_target(target)) continue;
    for (unsigned pixel = 0; pixel < 4; ++pixel) {
      const auto samples = static_cast<std::uint32_t>(live >> (16 * pixel) & 0xffff);
      if (samples == 0) continue;
      const Color color = color_of(quad, pixel, first_lane + pixel, target);
      const Color second = pixels_->color(first_lane + pixel, 1);
      for (unsigned sample = 0; sample < extent_.samples; ++sample) {
        std::byte* const at = (samples >> sample & 1) != 0 ? texel(to, quad, pixel, sample) : nullptr;
        if (at != nullptr) write_color(blend.targets[target], run_.bindings.blend_factor, to.format, color, second, at);
      }
    }
  }
}

}  // namespace

Result<Report> run(const Pipeline& pipeline, const Bindings& bindings, const Call& call, const vm::Limits& limits, History* history) {
  auto extent = extent_of(bindings);
  if (!extent) return std::move(extent).error();
  const bool rasterizes = pipeline.rasterized_stream.has_value();
  if (bindings.viewports.empty() && rasterizes) return wrong("viewports", "a draw must have a viewport");
  for (const Viewport& one : bindings.viewports)
    for (const float number : {one.x, one.y, one.width, one.height, one.min_depth, one.max_depth})
      if (!std::isfinite(number) || std::abs(number) > 32768.0F) return wrong("viewports", "numbers must be from -32768 to 32768");
  if (call.indexed && bindings.indices.size != 1 && bindings.indices.size != 2 && bindings.indices.size != 4)
    return wrong("indices", "an index must have 1, 2 or 4 bytes");
  for (const vm::Descriptor& one : bindings.targets)
    if (one.is_texture() && (one.format.bytes() == 0 || one.format.block != vm::Block::none))
      return wrong("targets", "a target's format must not be block-compressed");

  const RasterizerState& state = pipeline.rasterizer;
  if (pipeline.depth_stencil.depth_bounds && !(bindings.depth_bounds[0] <= bindings.depth_bounds[1]))
    return wrong("depth_bounds", "the least depth must not be above the largest");
  if (state.conservative && state.wireframe) return wrong("rasterizer", "conservative rasterization must have the fill mode SOLID");
  if (state.forced_samples != 0) {
    if (state.forced_samples > kMostSamples || !std::has_single_bit(state.forced_samples) || state.forced_samples == 2)
      return wrong("rasterizer", "the forced sample count must be 0, 1, 4, 8 or 16");
    if (state.forced_samples > 1 && extent->samples > 1)
      return wrong("rasterizer", "with a forced sample count above 1, targets must have one sample");
    if (bindings.depth_stencil.texture.is_texture())
      return wrong("rasterizer", "with a forced sample count, there must be no target of depth");
  }

  auto streams = StreamWriter::make(pipeline, bindings);
  if (!streams) return std::move(streams).error();
  if (pipeline.rasterized_stream && *pipeline.rasterized_stream >= kStreams)
    return wrong("rasterized_stream", "streams are numbered from 0 to 3");
  Call own = call;
  if (call.automatic) {
    if (bindings.vertex_buffers.empty() || !bindings.vertex_buffers[0].filled || bindings.vertex_buffers[0].stride == 0)
      return wrong("automatic", "vertex buffer 0 must be one that stream output filled, with a stride");
    own.indexed = false;
    own.first = 0;
    own.count =
        static_cast<std::uint32_t>(std::min<std::uint64_t>(*bindings.vertex_buffers[0].filled / bindings.vertex_buffers[0].stride, ~0U));
  }

  const auto tessellates = has_tessellation(pipeline);
  if (!tessellates) return tessellates.error();
  const bool with_adjacency = pipeline.geometry != nullptr && takes_adjacency(pipeline.geometry->module());

  Run made(pipeline, bindings, limits);
  Draw draw(made, *extent, history);
  const StreamSink pass_on = [&](std::uint32_t stream, const Vertices& vertices, const Primitives& primitives) -> Result<void> {
    if (streams->takes(stream)) {
      if (auto done = streams->write(stream, vertices, primitives, made.report.statistics.streams); !done) return done;
    }
    return stream == pipeline.rasterized_stream ? draw.add(vertices, primitives) : Result<void>();
  };
  const Sink assembled = [&](const Vertices& vertices, const Primitives& primitives) {
    return pipeline.geometry != nullptr ? run_geometry(made, vertices, primitives, pass_on) : pass_on(0, vertices, primitives);
  };
  if (pipeline.mesh != nullptr) {
    if (pipeline.vertex != nullptr || pipeline.hull != nullptr || pipeline.domain != nullptr || pipeline.geometry != nullptr ||
        !pipeline.stream_output.entries.empty())
      return wrong("mesh", "a mesh shader takes the place of the stages before the rasterizer, and of stream output");
    const Sink drawn = [&](const Vertices& vertices, const Primitives& primitives) { return draw.add(vertices, primitives); };
    if (auto done = run_mesh(made, call.groups, drawn); !done) return std::move(done).error();
    return made.report;
  }
  Assembler assembler(pipeline, bindings, own, pipeline.patch_points, with_adjacency);
  const std::size_t most = *tessellates ? patches_of_batch(pipeline) : pipeline.topology == Topology::patch_list ? kBatch / 8 : kBatch;
  while (!made.stopped()) {
    const Batch batch = assembler.next(most);
    if (batch.primitives.count() == 0) break;
    made.report.statistics.primitives += batch.primitives.count();
    auto vertices = shade_vertices(made, own, batch.vertices);
    if (!vertices) return std::move(vertices).error();
    if (made.stopped()) break;
    const auto done =
        *tessellates ? tessellate_patches(made, *vertices, batch.primitives, assembled) : assembled(*vertices, batch.primitives);
    if (!done) return done.error();
  }
  made.report.statistics.vertices = assembler.vertices();
  return made.report;
}

}  // namespace unshade::draw

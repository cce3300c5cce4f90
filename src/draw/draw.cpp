// A draw: batches of primitives go through the stages, quads of them through the pixel shader and into the targets, in the order of the
// primitives.
#include <algorithm>
#include <bit>
#include <cmath>

#include <unshade/core/parallel.hpp>

#include "draw/fragments.hpp"
#include "draw/history.hpp"
#include "draw/input_assembler.hpp"
#include "draw/patches.hpp"
#include "draw/pixels.hpp"
#include "draw/shaders.hpp"
#include "draw/stream_output.hpp"

namespace unshade::draw {
namespace {

using dxcontainer::SystemValue;

/// Primitives that go through the stages together.
constexpr std::size_t kBatch = 2048;

Error wrong(const char* path, std::string message) { return {ErrorCode::bad_value, 0, path, std::move(message)}; }

Result<Extent> extent_of(const Bindings& bindings) {
  Extent made;
  const auto add = [&](const texel::Descriptor& one) {
    if (!one.is_texture()) return true;
    if (made.any && one.samples != made.samples) return false;
    made.samples = one.samples;
    made.width = std::min(made.width, one.width);
    made.height = std::min(made.height, one.height);
    made.any = true;
    return std::has_single_bit(one.samples) && one.samples <= kMostSamples;
  };
  bool fits = add(bindings.depth_stencil.texture);
  for (const texel::Descriptor& target : bindings.targets) fits = fits && add(target);
  if (!fits) return wrong("targets", "targets must have the same number of samples: 1, 2, 4, 8 or 16");
  return made;
}

/// Parts of the screen whose fragments run apart. Their number is the same whatever the number of threads, and so which lanes share a wave.
constexpr unsigned kParts = 8;

class Draw {
 public:
  Draw(Run& run, const Extent& extent, const Recordings& recordings, unsigned threads)
      : run_(run), frame_(run.pipeline, run.bindings, extent), state_(frame_.state), threads_(threads), heat_(recordings.heat) {
    if (heat_ != nullptr) heat_->counts.resize(std::size_t{heat_->width} * heat_->height);
    if (recordings.history != nullptr) recorder_.emplace(*recordings.history, run.bindings);
  }

  /// Draws a batch.
  Result<void> add(const Vertices& vertices, const Primitives& primitives);

 private:
  struct Layout {
    std::uint32_t position = kNone, viewport = kNone, layer = kNone, point_size = kNone;
    std::vector<std::uint32_t> cull;  ///< components of distances
  };
  Result<void> begin(const Vertices& vertices);
  void set_up_primitive(const Vertices& vertices, std::span<const std::uint32_t> corners, std::uint32_t number,
                        const RasterizerState& state, std::vector<Triangle>& to);
  void explain(const Vertices& vertices, std::span<const std::uint32_t> corners, std::uint32_t number, std::size_t first);
  bool reaches(const Triangle& triangle, bool scissor) const;
  bool is_culled(const Vertices& vertices, std::span<const std::uint32_t> corners, const std::vector<std::uint32_t>& distances) const;
  Bounds bounds_of(const Triangle& triangle, bool scissor) const;
  Result<void> rasterize(const Vertices& vertices, std::size_t first, unsigned part);
  Result<void> run_parts(const Vertices& vertices, std::size_t first);

  Run& run_;
  Frame frame_;
  const RasterizerState& state_;
  unsigned threads_;
  Heat* const heat_;
  std::optional<Layout> layout_;
  std::optional<Recorder> recorder_;
  std::vector<Triangle> triangles_;
  std::vector<std::uint32_t> first_of_;  ///< by triangle: the first that its primitive was divided into
  std::vector<std::uint32_t> parts_of_;  ///< by triangle: bits of the parts that it may reach
  std::vector<Fragments> parts_;         ///< kParts, or one if the order of all fragments can be seen
};

Result<void> Draw::begin(const Vertices& vertices) {
  Layout made;
  made.position = find_component(vertices.elements, SystemValue::position);
  made.viewport = find_component(vertices.elements, SystemValue::viewport_array_index);
  made.layer = find_component(vertices.elements, SystemValue::render_target_array_index);
  std::uint32_t first = 0;
  for (const ir::Element& element : vertices.elements) {
    if (element.system_value == SystemValue::position && element.columns != 4) made.position = kNone;
    if (element.built_in == "PointSize") made.point_size = first;
    for (std::uint32_t k = 0; k < element.rows * element.columns; ++k) {
      if (element.system_value == SystemValue::clip_distance) frame_.clip.push_back(first + k);
      if (element.system_value == SystemValue::cull_distance) made.cull.push_back(first + k);
    }
    first += element.rows * element.columns;
  }
  layout_ = std::move(made);
  std::optional<PixelStage> pixels;
  if (run_.pipeline.pixel != nullptr) {
    auto stage = PixelStage::make(run_.pipeline, vertices.elements, recorder_.has_value());
    if (!stage) return std::move(stage).error();
    pixels = std::move(*stage);
    if (state_.forced_samples != 0 && (pixels->is_per_sample() || pixels->has_depth()))
      return wrong("rasterizer", "with a forced sample count, the pixel shader must not run for each sample, nor write depth");
  }
  const bool in_order = recorder_ || (pixels && pixels->is_ordered());
  if (pixels && pixels->is_ordered()) run_.memory_changes();
  for (unsigned part = 0; part < (in_order ? 1 : kParts); ++part)
    parts_.emplace_back(frame_, run_.limits, pixels, recorder_ ? &*recorder_ : nullptr, heat_);
  return {};
}

float real_of(std::uint64_t bits) { return std::bit_cast<float>(static_cast<std::uint32_t>(bits)); }

/// Sides of points, in pixels. src: VkPhysicalDeviceLimits, pointSizeRange, of which devices choose the ends
constexpr float kLeastPoint = 1, kMostPoint = 8192;

// Half the side of a point, in parts of a pixel. A shader that writes no size, which is undefined, leaves 0: then it is one pixel.
std::int64_t reach_of(float size) {
  const float within = size > kLeastPoint ? std::min(size, kMostPoint) : kLeastPoint;  // NaN too
  return static_cast<std::int64_t>(std::nearbyint(within * static_cast<float>(kSubpixels / 2)));
}

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
    if (layout_->point_size != kNone) like.reach[k] = reach_of(real_of(vertices.of(corners[k])[layout_->point_size]));
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
  set_up(polygon, viewports[like.viewport], run_.pipeline.conventions, state, frame_.tests.depth_bits(), like, to);
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
    each_quad_of(triangle, state_, frame_.pattern, bounds, Tiles{}, [&](std::uint32_t qx, std::uint32_t qy, Coverage samples) {
      if (state_.forced_samples != 0) samples = whole_pixels(samples, frame_.extent.samples);
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
      {Fate::clip_distance, is_culled(vertices, corners, frame_.clip), false, state_.scissor},
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
  made.right = std::min<std::int64_t>(frame_.extent.width, down(made.high_x + kSubpixels - 1));
  made.bottom = std::min<std::int64_t>(frame_.extent.height, down(made.high_y + kSubpixels - 1));
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

Result<void> Draw::add(const Vertices& vertices, const Primitives& primitives) {
  if (!layout_) {
    if (auto begun = begin(vertices); !begun) return begun;
  }
  if (primitives.corners > 3) return wrong("topology", "primitives with adjacency, and patches, must have a shader that takes them");
  if (state_.conservative && primitives.corners != 3) return wrong("rasterizer", "conservative rasterization must have triangles");
  triangles_.clear();
  first_of_.clear();
  if (layout_->position == kNone) return {};  // undefined: nothing is seen
  for (std::size_t primitive = 0; primitive < primitives.count(); ++primitive) {
    const std::size_t first = triangles_.size();
    const auto corners = primitives.of(primitive);
    if (!is_culled(vertices, corners, frame_.clip) && !is_culled(vertices, corners, layout_->cull))
      set_up_primitive(vertices, corners, primitives.numbers[primitive], state_, triangles_);
    first_of_.resize(triangles_.size(), static_cast<std::uint32_t>(first));
    if (!recorder_) continue;
    // events are in the order of primitives
    explain(vertices, corners, primitives.numbers[primitive], first);
    if (auto done = rasterize(vertices, first, 0); !done || parts_[0].stopped()) {
      parts_[0].report_to(run_.report);
      return done;
    }
  }
  return run_parts(vertices, recorder_ ? triangles_.size() : 0);
}

// The quads of the triangles from `first` on, in a part of the screen.
Result<void> Draw::rasterize(const Vertices& vertices, std::size_t first, unsigned part) {
  const Scenery scenery{vertices, triangles_};
  const Tiles tiles{part, static_cast<unsigned>(parts_.size())};
  Fragments& to = parts_[part];
  for (std::size_t at = first; at < triangles_.size(); ++at) {
    if (at < parts_of_.size() && (parts_of_[at] >> part & 1) == 0) continue;
    Result<void> done;
    each_quad_of(triangles_[at], state_, frame_.pattern, bounds_of(triangles_[at], state_.scissor), tiles,
                 [&](std::uint32_t x, std::uint32_t y, Coverage covered) {
                   // parts of a triangle touch the same pixels on both sides of the edge between them: the first has them
                   for (std::size_t own = first_of_[at]; state_.conservative && own < at; ++own)
                     covered &= ~quad_of(triangles_[own], state_, frame_.pattern, bounds_of(triangles_[own], state_.scissor), x, y);
                   if (covered != 0) done = to.add(scenery, static_cast<std::uint32_t>(at), x, y, covered);
                   return done && !to.stopped();
                 });
    if (!done || to.stopped()) return done;
  }
  return {};
}

// All parts, by as many threads as there may be.
Result<void> Draw::run_parts(const Vertices& vertices, std::size_t first) {
  parts_of_.clear();
  for (std::size_t at = first; at < triangles_.size() && first == 0; ++at)
    parts_of_.push_back(parts_reached(triangles_[at], bounds_of(triangles_[at], state_.scissor), static_cast<unsigned>(parts_.size())));
  Result<void> done;
  const auto run_part = [&](std::size_t part) {
    Result<void> made = rasterize(vertices, first, static_cast<unsigned>(part));
    if (made && !parts_[part].stopped()) made = parts_[part].flush({vertices, triangles_});
    return made;
  };
  in_order(parts_.size(), std::min<std::size_t>(threads_, parts_.size()), run_part, [&](std::size_t part, Result<void> made) {
    parts_[part].report_to(run_.report);
    run_.check_budget(Stage::pixel);
    if (done && !made) done = std::move(made);
    return true;
  });
  return done;
}

}  // namespace

Result<Report> run(const Pipeline& pipeline, const Bindings& bindings, const Call& call, const vm::Limits& limits,
                   const Recordings& recordings, unsigned threads) {
  if (recordings.heat != nullptr && info(recordings.heat->kind).watches && recordings.history != nullptr && recordings.history->traced)
    return wrong("heat", "a traced event and a heat map of `" + std::string(info(recordings.heat->kind).id) + "` are mutually exclusive");
  auto extent = extent_of(bindings);
  if (!extent) return std::move(extent).error();
  const bool rasterizes = pipeline.rasterized_stream.has_value();
  if (bindings.viewports.empty() && rasterizes) return wrong("viewports", "a draw must have a viewport");
  for (const Viewport& one : bindings.viewports)
    for (const float number : {one.x, one.y, one.width, one.height, one.min_depth, one.max_depth})
      if (!std::isfinite(number) || std::abs(number) > 32768.0F) return wrong("viewports", "viewports must be within -32768 to 32768");
  if (call.indexed && bindings.indices.size != 1 && bindings.indices.size != 2 && bindings.indices.size != 4)
    return wrong("indices", "an index must have 1, 2 or 4 bytes");
  for (const texel::Descriptor& one : bindings.targets)
    if (one.is_texture() && (one.format.bytes() == 0 || one.format.block != texel::Block::none))
      return wrong("targets", "a target's format must not be block-compressed");

  // src: Direct3D 11.3 functional specification 17.8
  for (std::size_t k = 0; k < bindings.targets.size() && k < kTargets; ++k) {
    const TargetBlend& blend = pipeline.blend.targets[k];
    if (!blend.logic || !bindings.targets[k].is_texture()) continue;
    const std::string target = "target " + std::to_string(k) + ": ";
    if (blend.blend) return wrong("blend", target + "LogicOpEnable and BlendEnable are mutually exclusive");
    if (bindings.targets[k].format.encoding != texel::Encoding::uint)
      return wrong("blend", target + "with LogicOpEnable, the target must have a UINT format");
  }

  const RasterizerState& state = pipeline.rasterizer;
  if (pipeline.depth_stencil.depth_bounds && !(bindings.depth_bounds[0] <= bindings.depth_bounds[1]))
    return wrong("depth_bounds", "the least depth must not be above the largest");
  if (state.conservative && state.fill != Fill::solid)
    return wrong("rasterizer", "conservative rasterization must have the fill mode SOLID");
  if (state.forced_samples != 0) {
    if (state.forced_samples > kMostSamples || !std::has_single_bit(state.forced_samples) || state.forced_samples == 2)
      return wrong("rasterizer", "the forced sample count must be 0, 1, 4, 8 or 16");
    if (state.forced_samples > 1 && extent->samples > 1)
      return wrong("rasterizer", "with a forced sample count above 1, targets must have one sample");
    if (bindings.depth_stencil.texture.is_texture())
      return wrong("rasterizer", "with a forced sample count, there must be no depth target");
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
  Draw draw(made, *extent, recordings, threads);
  const StreamSink pass_on = [&](std::uint32_t stream, const Vertices& vertices, const Primitives& primitives) -> Result<void> {
    if (streams->takes(stream)) {
      if (auto done = streams->write(stream, vertices, primitives, made.report.statistics.streams); !done) return done;
    }
    return stream == pipeline.rasterized_stream ? draw.add(vertices, primitives) : Result<void>();
  };
  std::optional<SizedPrimitives> sized;
  std::optional<ConstantGeometry> constant_geometry;
  if (const auto& how = pipeline.constant_vertices) {
    if (pipeline.geometry == nullptr || *tessellates || call.automatic)
      return wrong("geometry", "vertices in constants are only for a geometry shader without tessellation, and not for an automatic draw");
    auto found = sized_primitives(*how, bindings, own);
    if (!found) return std::move(found).error();
    sized = *found;
    constant_geometry.emplace(made, *how);
  }
  const Sink assembled = [&](const Vertices& vertices, const Primitives& primitives) {
    if (constant_geometry) return constant_geometry->run(made, vertices, primitives, pass_on);
    return pipeline.geometry != nullptr ? run_geometry(made, vertices, primitives, pass_on) : pass_on(0, vertices, primitives);
  };
  if (pipeline.mesh != nullptr) {
    if (pipeline.vertex != nullptr || pipeline.hull != nullptr || pipeline.domain != nullptr || pipeline.geometry != nullptr ||
        !pipeline.stream_output.entries.empty())
      return wrong("mesh", "a mesh shader replaces the stages before the rasterizer, and stream output: leave them out");
    const Sink drawn = [&](const Vertices& vertices, const Primitives& primitives) { return draw.add(vertices, primitives); };
    if (auto done = run_mesh(made, call.groups, drawn); !done) return std::move(done).error();
    return made.report;
  }
  Assembler assembler(pipeline, bindings, own, pipeline.patch_points, with_adjacency, sized);
  const std::size_t most = *tessellates                                         ? patches_of_batch(pipeline)
                           : sized || pipeline.topology == Topology::patch_list ? kBatch / 8
                                                                                : kBatch;
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

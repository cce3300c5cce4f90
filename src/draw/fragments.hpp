// From quads to the targets: tests, the pixel shader, blending.
#pragma once

#include <optional>
#include <set>
#include <span>
#include <vector>

#include "draw/heat.hpp"
#include "draw/history.hpp"
#include "draw/merger/blend.hpp"
#include "draw/merger/depth_stencil.hpp"
#include "draw/pixels.hpp"

namespace unshade::draw {

/// The first level of a texture, whose steps from texel to texel are found once.
class Surface {
 public:
  Surface() = default;
  explicit Surface(const texel::Descriptor& texture);

  bool is_texture() const { return texture_ != nullptr; }
  const texel::Format& format() const { return texture_->format; }
  /// Null if it is out of bounds.
  std::byte* at(std::uint32_t x, std::uint32_t y, std::uint32_t layer, std::uint32_t sample) const {
    if (base_ == nullptr || x >= texture_->width || y >= texture_->height || layer >= texture_->layers || sample >= texture_->samples)
      return base_ != nullptr ? nullptr : texel::texel_at(*texture_, {x, y, 0, layer, 0, sample});
    return base_ + x * column_ + y * row_ + layer * layer_ + sample * sample_;
  }
  /// From a texel to the sample of a pixel of its quad, in bytes, if all of it has memory.
  std::size_t from_first(unsigned pixel, unsigned sample) const { return pixel % 2 * column_ + pixel / 2 * row_ + sample * sample_; }
  bool has_memory() const { return base_ != nullptr; }
  /// Begins to fetch a quad.
  void prefetch([[maybe_unused]] std::uint32_t x, [[maybe_unused]] std::uint32_t y, [[maybe_unused]] std::uint32_t layer) const {
#if defined(__GNUC__)
    if (base_ == nullptr) return;
    for (unsigned row = 0; row < 2; ++row)
      if (const std::byte* const first = at(x, y + row, layer, 0)) __builtin_prefetch(first, 1);
#endif
  }

 private:
  const texel::Descriptor* texture_ = nullptr;
  std::byte* base_ = nullptr;  ///< null: not all of the texture has memory
  std::size_t column_ = 0, row_ = 0, layer_ = 0, sample_ = 0;
};

/// Sizes that all targets share.
struct Extent {
  std::uint32_t width = kMostPixels, height = kMostPixels, samples = 1;
  bool any = false;
};

/// What all fragments of a draw share.
struct Frame {
  Frame(const Pipeline& pipeline_of, const Bindings& bindings_of, const Extent& extent_of);

  const Pipeline& pipeline;
  const Bindings& bindings;
  Extent extent;
  const RasterizerState& state;
  std::span<const texel::SamplePlace> pattern;  ///< of coverage; the targets have Extent::samples
  DepthStencil tests;
  Surface depth;
  std::vector<Surface> targets;
  std::vector<std::optional<std::array<std::uint32_t, 4>>> words;  ///< by target: of UNORM bytes that are stored as they are, where each is
  std::vector<std::uint32_t> clip;                                 ///< components of clip distances
};

/// Triangles of a batch, and the vertices that they are of.
struct Scenery {
  const Vertices& vertices;
  std::span<const Triangle> triangles;
};

/// The fragments of a part of the screen, in the order of the primitives. Parts share no pixel, so that threads may run them.
class Fragments {
 public:
  /// `pixels`: none for depth and stencil alone. `recorder`, `heat`: may be null.
  Fragments(const Frame& frame, const vm::Limits& limits, const std::optional<PixelStage>& pixels, Recorder* recorder, Heat* heat)
      : frame_(frame), run_(frame.pipeline, frame.bindings, limits), pixels_(pixels), recorder_(recorder) {
    if (heat != nullptr) heat_.emplace(*heat, frame.bindings);
    if (pixels_) run_.prepare(*frame.pipeline.pixel, frame.bindings.pixel);
  }

  Result<void> add(const Scenery& scenery, std::uint32_t triangle, std::uint32_t x, std::uint32_t y, Coverage covered) {
    const Quad quad{x, y, triangle, covered};
    if (recorder_ != nullptr) return test(scenery, quad);  // whose events are in the order of primitives
    // the memory that is tested is fetched while other quads are found
    if (frame_.tests.is_on()) frame_.depth.prefetch(x, y, scenery.triangles[triangle].layer);
    found_.push_back(quad);
    return found_.size() < kQuads ? Result<void>() : test_found(scenery);
  }
  /// Runs what is left. Must be called before the scenery changes.
  Result<void> flush(const Scenery& scenery);
  /// Whether the pixel shader stopped.
  bool stopped() const { return run_.stopped(); }
  /// Adds what was counted since the last call, and why it stopped.
  void report_to(Report& to);

 private:
  Result<void> test_found(const Scenery& scenery);
  Result<void> test(const Scenery& scenery, Quad quad);
  Result<void> shade(const Scenery& scenery);
  void use(const Scenery& scenery, std::uint32_t triangle);
  bool may_clip(const Scenery& scenery, const Triangle& triangle) const;
  Coverage clipped(const Scenery& scenery, std::uint32_t triangle_at, std::uint32_t x, std::uint32_t y, Coverage covered);
  void finish(const Scenery& scenery, const Quad& quad, std::uint32_t first_lane);
  void find_depths(const Scenery& scenery, const Quad& quad, Coverage samples);
  Coverage tested(const Scenery& scenery, const Quad& quad, Coverage samples, std::uint32_t first_lane, bool shaded);
  void write(const Quad& quad, const Triangle& triangle, Coverage live, std::uint32_t first_lane);
  void write_words(const Quad& quad, const Triangle& triangle, Coverage live, std::uint32_t first_lane, unsigned target);
  Color color_of(const Quad& quad, const Triangle& triangle, unsigned pixel, std::uint32_t lane, unsigned target) const;

  const Frame& frame_;
  Run run_;
  std::optional<PixelStage> pixels_;
  Recorder* recorder_;
  std::optional<HeatCounter> heat_;
  std::vector<Quad> found_;                        ///< not yet tested
  std::vector<Quad> quads_;                        ///< to be shaded
  std::vector<std::vector<std::uint32_t>> words_;  ///< by target, what quads_ store, by lane
  wide::Triangle wide_{};                          ///< of the triangle whose number it is
  std::uint32_t wide_of_ = kNone;
  bool clips_ = false;                              ///< whether clip distances may be below 0 in it
  std::array<float, 64> depths_{};                  ///< of the quad that is tested: [4 * sample + pixel]
  std::set<std::array<std::uint32_t, 3>> running_;  ///< places and samples of quads_, if their order matters
};

}  // namespace unshade::draw

// Follows a pixel through a draw.
#pragma once

#include <unshade/draw/history.hpp>
#include <unshade/draw/pipeline.hpp>

#include "draw/merger/depth_stencil.hpp"
#include "draw/pixels.hpp"

namespace unshade::draw {

/// Adds to a history. All calls but begin() and add() do nothing for kNone, and for pixels that are not the one that is followed.
class Recorder {
 public:
  Recorder(History& history, const Bindings& bindings) : history_(history), bindings_(bindings) {}

  const PixelPlace& place() const { return history_.place; }
  /// The samples that are followed, of a coverage of four pixels.
  Coverage followed(std::uint32_t x, std::uint32_t y) const;
  /// A primitive that does not reach the pixel.
  void add(const Triangle& triangle, Fate fate);
  /// A primitive that covers it; kNone if the quad does not have the pixel, or covers nothing of it.
  /// `samples`: those of the targets that it covers.
  std::uint32_t begin(const Quad& quad, Coverage samples, const Triangle& triangle);
  /// Of a quad that runs for each of its samples: the event of one of them, a new one but for the first.
  std::uint32_t of_sample(const Quad& whole, const Quad& one);

  /// Says what the rest of the samples was lost to, if none of `live` is followed.
  void narrow(const Quad& quad, Coverage live, Fate fate);
  /// A test of a sample: before() before it, after() after it.
  void before(const Quad& quad, unsigned pixel, unsigned sample, float depth, const std::byte* texel, const DepthStencil& tests);
  void after(const Quad& quad, unsigned pixel, unsigned sample, const std::byte* texel, const DepthStencil& tests, DepthResult result);
  /// What the last test of the pixel that failed says.
  Fate lost_to(const Quad& quad, bool early) const;
  /// Watches the wave of the event that is traced, if one of the quads is its. Holds until the next call.
  vm::Observer observer(std::span<const Quad> quads, unsigned wave);
  void shaded(const Quad& quad, std::uint32_t first_lane, const PixelStage& pixels);
  /// What the targets hold before and after writing.
  void targets_before(const Quad& quad, Coverage live, const std::array<const std::byte*, kTargets>& texels);
  void targets_after(const Quad& quad, const BlendState& blend, const PixelStage& pixels,
                     const std::array<const std::byte*, kTargets>& texels);
  /// The pixel and sample of which texels are told; nothing if the quad is not followed, or lost.
  std::optional<std::pair<unsigned, unsigned>> shown(const Quad& quad) const;

 private:
  struct State {
    bool lost = false;
    DepthResult failed = DepthResult::passed;
  };
  std::uint32_t push(const Triangle& triangle);
  bool follows(const Quad& quad, unsigned pixel) const;

  History& history_;
  const Bindings& bindings_;
  std::uint32_t traced_wave_ = 0, traced_lane_ = 0;  ///< that observer() watches
  std::vector<State> states_;                        ///< by event
  std::uint32_t divided_ = kNone;                    ///< the event of the quad that of_sample() saw last
};

}  // namespace unshade::draw

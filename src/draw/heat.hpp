// Counts for a heat map while a draw runs.
#pragma once

#include <span>

#include <unshade/draw/heat.hpp>
#include <unshade/draw/pipeline.hpp>

#include "draw/pixels.hpp"

namespace unshade::draw {

class HeatCounter {
 public:
  /// `heat`: has its counts.
  HeatCounter(Heat& heat, const Bindings& bindings) : heat_(heat), bindings_(bindings) {}

  /// Counts the lanes of quads that are about to run. What it gives must watch them; it holds until the next call.
  vm::Observer begin(std::span<const Triangle> triangles, std::span<const Quad> quads, unsigned wave);
  /// A quad of which `live` passed all tests. `pixels`: null without a pixel shader.
  void landed(const Triangle& triangle, const Quad& quad, Coverage live, std::uint32_t first_lane, const PixelStage* pixels);

 private:
  /// What runs until the next begin().
  struct Running {
    std::span<const Triangle> triangles;
    std::span<const Quad> quads;
    unsigned wave = 0;
  };
  void add(std::uint32_t lane, std::uint32_t count);
  bool is_counted(std::uint32_t lane) const;
  void step(const vm::TraceStep& step);
  bool is_broken(std::uint32_t lane, const PixelStage& pixels) const;

  Heat& heat_;
  const Bindings& bindings_;
  Running running_;
};

}  // namespace unshade::draw

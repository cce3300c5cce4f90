// The pixel shader: quads become lanes, with inputs interpolated.
#pragma once

#include <algorithm>
#include <span>

#include "draw/raster/primitive.hpp"
#include "draw/raster/raster.hpp"
#include "draw/stage.hpp"

namespace unshade::draw {

/// Quads that run together.
inline constexpr std::size_t kQuads = 256;
inline constexpr std::uint8_t kAllSamples = 0xff;

/// Four pixels that a primitive covers in part.
struct Quad {
  std::uint32_t x = 0, y = 0;  ///< of the upper left pixel, even
  std::uint32_t triangle = 0;  ///< of the batch
  Coverage covered = 0;        ///< by the triangle: samples of the rasterizer
  Coverage live = 0;           ///< samples of the targets that no test failed yet
  std::uint8_t sample = kAllSamples;
  std::uint32_t event = kNone;  ///< of the history; kNone: the pixel that it follows is not here

  std::uint32_t live_of(unsigned pixel) const { return static_cast<std::uint32_t>(live >> (16 * pixel) & 0xffff); }
  std::uint32_t covered_of(unsigned pixel) const { return static_cast<std::uint32_t>(covered >> (16 * pixel) & 0xffff); }
};

/// What the pixel shader gave for a lane.
class PixelStage {
 public:
  /// `before`: the elements of the stage that made the vertices. `all_inputs`: those too that the shader does not read.
  static Result<PixelStage> make(const Pipeline& pipeline, const std::vector<ir::Element>& before, bool all_inputs);

  bool is_per_sample() const { return per_sample_; }
  /// Whether tests before the shader give what tests after it would, or are asked for.
  bool tests_early() const { return tests_early_; }
  /// Whether it writes memory: fragments of a pixel run in the order of the primitives.
  bool is_ordered() const { return is_ordered_; }
  /// `sample_mask`: that which coverage and centroids take into account.
  Result<void> shade(Run& run, const Vertices& vertices, std::span<const Triangle> triangles, std::span<const Quad> quads,
                     std::span<const texel::SamplePlace> pattern, std::uint32_t sample_mask, const vm::Observer& observer = {});
  /// Whether a lane of those that ran last was discarded.
  bool any_discarded() const { return std::ranges::find(lanes_.discarded, true) != lanes_.discarded.end(); }
  /// The colors of all lanes for a target of UNORM bytes, of which byte k is at bit shift[k].
  void unorm_bytes(unsigned target, const std::array<std::uint32_t, 4>& shift, std::vector<std::uint32_t>& to) const;
  bool has_depth() const { return depth_ != kNone; }
  bool has_coverage() const { return coverage_ != kNone; }
  bool is_discarded(std::uint32_t lane) const { return lanes_.discarded[lane]; }
  bool has_target(unsigned target) const { return has_target_[target]; }
  std::array<std::uint32_t, 4> color(std::uint32_t lane, unsigned target) const { return values(target_[target], lane); }
  /// What blending multiplies the color by with factors of `src1`: of the same location, in Direct3D of the second target.
  std::array<std::uint32_t, 4> second_source(std::uint32_t lane, unsigned target) const { return values(second_source_[target], lane); }
  /// What the shader was given, by component.
  std::vector<std::uint64_t> inputs(std::uint32_t lane) const;
  /// An output of one component, if the shader has it.
  std::optional<std::uint32_t> depth(std::uint32_t lane) const { return output(depth_, lane); }
  std::optional<std::uint32_t> coverage(std::uint32_t lane) const { return output(coverage_, lane); }
  std::optional<std::uint32_t> stencil_reference(std::uint32_t lane) const { return output(stencil_reference_, lane); }

 private:
  struct Input {
    std::uint32_t from = kNone;  ///< component of the vertices
    bool constant = false;
    bool noperspective = false;
    enum class Where : std::uint8_t { centre, centroid, sample } where = Where::centre;
  };
  /// Quads that run, for inputs that the shader evaluates itself.
  struct Running {
    const PixelStage& stage;
    const Vertices& vertices;
    std::span<const Triangle> triangles;
    std::span<const Quad> quads;
    std::span<const texel::SamplePlace> pattern;
    std::uint32_t sample_mask;
  };
  /// An output of less than 32 bits.
  struct Narrow {
    std::uint32_t component = 0;
    ir::Type type{};
    bool is_signed = false;
  };
  void widen_outputs();
  std::uint64_t value_at(const Input& input, const Triangle& triangle, const Vertices& vertices, std::int64_t px, std::int64_t py) const;
  static std::uint64_t evaluated(const Running& running, std::uint32_t lane, std::uint32_t component, ir::ElementExtra::Place place,
                                 std::int32_t x, std::int32_t y);
  static std::uint64_t of_vertex(const Running& running, std::uint32_t lane, std::uint32_t component, std::uint32_t vertex);
  std::optional<std::uint32_t> output(std::uint32_t component, std::uint32_t lane) const;
  /// 0 of components that the shader does not have.
  std::array<std::uint32_t, 4> values(const std::array<std::uint32_t, 4>& components, std::uint32_t lane) const;
  class Places;
  bool uses(ir::Builtin which) const { return (used_builtins_ >> static_cast<unsigned>(which) & 1) != 0; }
  void set_inputs(Places& places, const Triangle& triangle, const Vertices& vertices, std::uint32_t first);
  void set_quad(const Run& run, Places& places, std::size_t at, const Triangle& triangle, const Vertices& vertices, std::uint32_t first);

  const vm::Program* program_ = nullptr;
  std::vector<Input> inputs_;
  std::array<std::vector<wide::Input>, 3> of_vertices_;  ///< those that vertices have, by Input::where; the first has constant ones too
  bool has_varying_at_[3]{};                             ///< whether one of them is not constant
  std::uint32_t in_position_ = kNone, in_front_ = kNone, in_primitive_ = kNone, in_sample_ = kNone, in_barycentrics_ = kNone;
  std::uint32_t primitive_of_vertices_ = kNone;  ///< what a geometry or mesh shader gave as the number of the primitive
  Input::Where position_where_ = Input::Where::centre;
  std::vector<Narrow> narrow_;
  std::array<std::array<std::uint32_t, 4>, kTargets> target_{}, second_source_{};
  std::array<bool, kTargets> has_target_{};
  std::uint32_t depth_ = kNone, coverage_ = kNone, stencil_reference_ = kNone;
  bool has_more_inputs_ = false;  ///< than vertices have
  bool per_sample_ = false;
  std::uint64_t used_builtins_ = 0;  ///< bits of ir::Builtin
  bool tests_early_ = false;
  bool is_ordered_ = false;
  vm::Lanes lanes_;
};

}  // namespace unshade::draw

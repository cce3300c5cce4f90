// The states of the pipeline's fixed parts, in Direct3D's words. src: Direct3D 11.3 functional specification 15, 17
#pragma once

#include <array>
#include <cstdint>

#include <unshade/vm/sampler.hpp>

namespace unshade::draw {

enum class Topology : std::uint8_t {
  point_list,
  line_list,
  line_strip,
  triangle_list,
  triangle_strip,
  triangle_fan,  ///< of Vulkan
  line_list_adjacency,
  line_strip_adjacency,
  triangle_list_adjacency,
  triangle_strip_adjacency,
  patch_list,
};

/// A part of the targets, in pixels from the upper left. Depth of the clip volume's near and far plane is mapped onto a range.
struct Viewport {
  float x = 0, y = 0;
  float width = 0, height = 0;
  float min_depth = 0, max_depth = 1;
};
/// Pixels that may be drawn: right and bottom are exclusive.
struct Scissor {
  std::int32_t left = 0, top = 0, right = 0, bottom = 0;
};

enum class Cull : std::uint8_t { none, front, back };

/// Which pixels and samples a line covers. src: D3D12_LINE_RASTERIZATION_MODE
enum class LineMode : std::uint8_t {
  aliased,               ///< pixels whose diamond it leaves, with all their samples
  alpha_antialiased,     ///< pixels that a rectangle of 1 pixel touches: the alpha of target 0 is multiplied by the share of the pixel
  quadrilateral_wide,    ///< samples in a rectangle of 1.4 pixels
  quadrilateral_narrow,  ///< of 1 pixel
};

struct RasterizerState {
  bool wireframe = false;  ///< the edges of triangles as lines
  Cull cull = Cull::back;
  bool front_counter_clockwise = false;  ///< on the screen
  std::int32_t depth_bias = 0;
  float depth_bias_clamp = 0;
  float slope_scaled_depth_bias = 0;
  bool depth_clip = true;  ///< false: depth is clamped instead
  bool scissor = false;
  LineMode lines = LineMode::aliased;
  bool conservative = false;         ///< triangles cover all samples of each pixel that they touch
  std::uint32_t forced_samples = 0;  ///< coverage has the standard pattern of 1, 4, 8 or 16 samples, whatever the targets have; 0: theirs
};

enum class StencilOp : std::uint8_t { keep, zero, replace, increment_saturate, decrement_saturate, invert, increment, decrement };

struct StencilFace {
  StencilOp fail = StencilOp::keep;
  StencilOp depth_fail = StencilOp::keep;
  StencilOp pass = StencilOp::keep;
  vm::Comparison comparison = vm::Comparison::always;  ///< reference (comparison) stored value
  std::uint8_t read_mask = 0xff, write_mask = 0xff;
};

struct DepthStencilState {
  bool depth = true;
  bool depth_write = true;
  vm::Comparison comparison = vm::Comparison::less;  ///< depth of the pixel (comparison) stored depth
  bool depth_bounds = false;  ///< samples where what the target holds is outside of Bindings::depth_bounds are left out
  bool stencil = false;
  StencilFace front{}, back{};
};

enum class BlendFactor : std::uint8_t {
  zero,
  one,
  src_color,
  inv_src_color,
  src_alpha,
  inv_src_alpha,
  dest_alpha,
  inv_dest_alpha,
  dest_color,
  inv_dest_color,
  src_alpha_sat,
  blend_factor,
  inv_blend_factor,
  src1_color,
  inv_src1_color,
  src1_alpha,
  inv_src1_alpha,
  alpha_factor,
  inv_alpha_factor,
};
enum class BlendOp : std::uint8_t { add, subtract, rev_subtract, min, max };
enum class LogicOp : std::uint8_t {
  clear,
  set,
  copy,
  copy_inverted,
  noop,
  invert,
  and_,
  nand,
  or_,
  nor,
  xor_,
  equiv,
  and_reverse,
  and_inverted,
  or_reverse,
  or_inverted,
};

struct TargetBlend {
  bool blend = false;
  BlendFactor src = BlendFactor::one, dest = BlendFactor::zero;
  BlendOp op = BlendOp::add;
  BlendFactor src_alpha = BlendFactor::one, dest_alpha = BlendFactor::zero;
  BlendOp op_alpha = BlendOp::add;
  bool logic = false;  ///< of targets of UINT, instead of blending
  LogicOp logic_op = LogicOp::noop;
  std::uint8_t write_mask = 0xf;  ///< bit 0 is red
};

inline constexpr unsigned kTargets = 8;

struct BlendState {
  bool alpha_to_coverage = false;
  std::array<TargetBlend, kTargets> targets{};
};

/// What differs between interfaces of graphics. The defaults are Direct3D's.
struct Conventions {
  bool y_down = false;                ///< clip space's y points down the screen
  float clip_near = 0, clip_far = 1;  ///< the clip volume's depth, in units of w
  bool link_by_location = false;      ///< stages are linked by registers, not by semantics
  bool coverage_of_sample = false;    ///< a shader that runs for each sample is told of that sample's coverage, not of the pixel's
  static constexpr Conventions vulkan() { return {true, 0, 1, true, true}; }
  static constexpr Conventions pica() { return {false, -1, 0, false, false}; }
};

}  // namespace unshade::draw

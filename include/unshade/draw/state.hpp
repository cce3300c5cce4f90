// The states of the pipeline's fixed parts, in Direct3D's words. src: Direct3D 11.3 functional specification 15, 17
#pragma once

#include <array>
#include <cstdint>

#include <unshade/texel/sampler.hpp>

namespace unshade::draw {

/// How vertices become primitives. src: D3D12_PRIMITIVE_TOPOLOGY; VkPrimitiveTopology
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
  float x = 0, y = 0;  ///< of its upper left corner
  float width = 0, height = 0;
  float min_depth = 0, max_depth = 1;
};
/// Pixels that may be drawn: right and bottom are exclusive.
struct Scissor {
  std::int32_t left = 0, top = 0, right = 0, bottom = 0;
};

/// What is drawn of triangles. src: D3D12_FILL_MODE, and VkPolygonMode for points
enum class Fill : std::uint8_t {
  solid,
  wireframe,  ///< their edges, as lines
  points,     ///< their corners, as points, where these are not clipped
};

/// Triangles that are left out, by the side that is seen. src: D3D12_CULL_MODE
enum class Cull : std::uint8_t { none, front, back };

/// Which pixels and samples a line covers. src: D3D12_LINE_RASTERIZATION_MODE
enum class LineMode : std::uint8_t {
  aliased,               ///< pixels whose diamond it leaves, with all their samples
  alpha_antialiased,     ///< pixels that a rectangle of 1 pixel touches: the alpha of target 0 is multiplied by the share of the pixel
  quadrilateral_wide,    ///< samples in a rectangle of 1.4 pixels
  quadrilateral_narrow,  ///< of 1 pixel
};

struct RasterizerState {
  Fill fill = Fill::solid;
  Cull cull = Cull::back;
  bool front_counter_clockwise = false;  ///< on the screen
  std::int32_t depth_bias = 0;           ///< in the least differences of depths that the target can hold. src: 15.10
  float depth_bias_clamp = 0;            ///< above 0: the largest bias; below 0: the smallest; 0: none
  float slope_scaled_depth_bias = 0;     ///< times the larger change of depth from a pixel to the next
  bool depth_clip = true;                ///< false: depth is clamped instead
  bool scissor = false;
  LineMode lines = LineMode::aliased;
  bool conservative = false;         ///< triangles cover all samples of each pixel that they touch
  std::uint32_t forced_samples = 0;  ///< coverage has the standard pattern of 1, 4, 8 or 16 samples, whatever the targets have; 0: theirs
};

/// What is stored; increments and decrements wrap around if they do not saturate. src: D3D12_STENCIL_OP
enum class StencilOp : std::uint8_t { keep, zero, replace, increment_saturate, decrement_saturate, invert, increment, decrement };

struct StencilFace {
  StencilOp fail = StencilOp::keep;                          ///< if the stencil test fails
  StencilOp depth_fail = StencilOp::keep;                    ///< if it passes, and the depth test fails
  StencilOp pass = StencilOp::keep;                          ///< if both pass
  texel::Comparison comparison = texel::Comparison::always;  ///< reference (comparison) stored value
  std::uint8_t read_mask = 0xff, write_mask = 0xff;
};

struct DepthStencilState {
  bool depth = true;
  bool depth_write = true;
  texel::Comparison comparison = texel::Comparison::less;  ///< depth of the pixel (comparison) stored depth
  bool depth_bounds = false;  ///< samples where what the target holds is outside of Bindings::depth_bounds are left out
  bool stencil = false;
  StencilFace front{}, back{};
};

/// What a color is multiplied by; `src1` is the second output of the pixel shader, ir::Element::second_source. src: D3D12_BLEND
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
/// `subtract` is source - target, `rev_subtract` target - source; min and max take no factors. src: D3D12_BLEND_OP
enum class BlendOp : std::uint8_t { add, subtract, rev_subtract, min, max };
/// s: the bits of the source, d: those of the target; `and_reverse` is s & ~d, `or_inverted` ~s | d. src: D3D12_LOGIC_OP
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

/// Render targets of a draw. src: D3D12_SIMULTANEOUS_RENDER_TARGET_COUNT
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
  bool coverage_of_sample = false;    ///< a shader that runs for each sample gets that sample's coverage, not the pixel's
  /// Inputs of a geometry shader are the outputs of all vertices of its primitive, one register after the other.
  bool gathers_vertices = false;
  static constexpr Conventions vulkan() { return {true, 0, 1, true, true, false}; }
  static constexpr Conventions pica() { return {false, -1, 0, false, false, true}; }
};

}  // namespace unshade::draw

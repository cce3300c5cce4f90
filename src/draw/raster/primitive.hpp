// From clip space to the screen: clipping, the viewport, culling, depth bias.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include <unshade/draw/state.hpp>

#include "draw/wide/wide.hpp"

namespace unshade::draw {

/// Parts of a pixel that positions are rounded to. src: Direct3D 11.3 functional specification 3.2.4.1, 15.16.1
inline constexpr std::int64_t kSubpixels = 256;
/// Targets have at most so many pixels in a row or column. src: D3D11_REQ_TEXTURE2D_U_OR_V_DIMENSION
inline constexpr std::uint32_t kMostPixels = 16384;

using Position = std::array<float, 4>;

/// A vertex of what clipping left of a primitive.
struct ClipVertex {
  std::array<double, 4> position{};
  std::array<double, 3> shares{};  ///< of the primitive's vertices: the sums of their values by these are the vertex's
};

/// What is left of a primitive of one to three vertices: a convex polygon, a line or a point. `divided`: if it is not the primitive itself.
struct Clipped {
  std::array<ClipVertex, 12> vertices;
  unsigned count = 0;
  bool divided = false;
  std::array<double, 3> w{};  ///< of the primitive's vertices
};

/// Clips by the near and far plane (unless depth_clip is off) and, if positions would leave the range of the rasterizer, by planes
/// far outside of the viewport. Positions that are not finite leave nothing. src: 15.4
Clipped clip(const Viewport& viewport, const Conventions& conventions, bool depth_clip, std::array<Position, 3> positions,
             unsigned corners);

/// A triangle, line or point on the screen.
struct Triangle {
  std::uint32_t corners = 3;
  /// Vertices of the primitive, in the order in which shares of them are.
  std::array<std::uint32_t, 3> vertices{};
  std::array<std::uint32_t, 3> primitive{};  ///< the primitive's vertices in its order, the leading one first
  std::uint32_t leading = 0;
  std::array<std::int64_t, 3> x{}, y{};                   ///< in parts of a pixel, clockwise on the screen
  std::array<double, 3> depth{}, inverse{};               ///< in the viewport's range, biased; 1/w
  std::array<std::array<double, 3>, 3> shares{}, flat{};  ///< of the primitive's vertices in each corner, if divided
  bool divided = false;
  bool is_front = false;
  double area = 0;           ///< twice; 0 of lines, points, and triangles that conservative rasterization alone shows
  std::uint32_t number = 0;  ///< SV_PrimitiveID
  std::uint32_t viewport = 0;
  std::uint32_t layer = 0;
  /// Half the side of each vertex of the primitive as a point, in parts of a pixel; of a point the first.
  std::array<std::int64_t, 3> reach{kSubpixels / 2, kSubpixels / 2, kSubpixels / 2};

  /// Twice the area of the triangle that a place makes with the edge opposite to a corner, exactly.
  std::int64_t edge(unsigned corner, std::int64_t px, std::int64_t py) const {
    const unsigned a = (corner + 1) % 3;
    const unsigned b = (corner + 2) % 3;
    return (x[b] - x[a]) * (py - y[a]) - (y[b] - y[a]) * (px - x[a]);
  }
};

/// What a place in a triangle has of each vertex of the primitive.
struct Shares {
  std::array<double, 3> flat;   ///< on the screen: noperspective
  std::array<double, 3> space;  ///< with perspective
  double depth;
  double inverse;  ///< 1/w
};
Shares shares_at(const Triangle& triangle, std::int64_t px, std::int64_t py);
/// Its depth alone.
double depth_at(const Triangle& triangle, std::int64_t px, std::int64_t py);

/// Whether wide_of() can be asked.
inline bool is_wide(const Triangle& triangle) { return triangle.corners == 3 && triangle.area != 0; }
/// What the functions of wide.hpp need of it.
wide::Triangle wide_of(const Triangle& triangle);
/// Its shares at four places; `wide`: wide_of() it, or null.
void find_shares(const Triangle& triangle, const wide::Triangle* wide, const std::array<std::int64_t, 4>& x,
                 const std::array<std::int64_t, 4>& y, wide::Shares& to);

/// The smallest depth above 0 that a buffer holds, or that of a float buffer for depths of a size. bits: 32 of float, and 0 of no buffer,
/// which is like one of float.
double depth_unit(unsigned bits, double most);

/// Divides by w, transforms to the viewport, rounds, culls, adds the depth bias: the triangles of a clipped polygon, its edges as lines, or
/// the line or point, added to a list. Lines and points are neither culled nor biased, but edges are. `like`: vertices, number and indices.
/// src: 15.6, 15.10 to 15.13
void set_up(const Clipped& polygon, const Viewport& viewport, const Conventions& conventions, const RasterizerState& state,
            unsigned depth_bits, const Triangle& like, std::vector<Triangle>& triangles);

}  // namespace unshade::draw

#include "draw/raster/primitive.hpp"

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <initializer_list>

namespace unshade::draw {
namespace {

/// Positions on the screen that the rasterizer has, in pixels: products of two differences of them in parts of a pixel fit into 50 bits.
/// src: D3D11_VIEWPORT_BOUNDS_MAX
constexpr double kGuard = 32767;

/// Of vertices on the screen: 1/w is finite. What is computed for a new vertex may be less by its rounding.
constexpr double kLeastW = FLT_MIN;

/// What is at least 0 inside: a plane's coefficients of x, y, z, w.
using Plane = std::array<double, 4>;

double distance(const Plane& plane, double offset, const ClipVertex& vertex) {
  double sum = offset;
  for (unsigned k = 0; k < 4; ++k) sum += plane[k] * vertex.position[k];
  return sum;
}

// Where an edge crosses a plane: from its end inside, so that polygons on both sides of the edge agree.
ClipVertex crossing(const ClipVertex& inside, double in, const ClipVertex& outside, double out) {
  const double t = in / (in - out);
  ClipVertex made;
  for (unsigned k = 0; k < 4; ++k) made.position[k] = inside.position[k] + (outside.position[k] - inside.position[k]) * t;
  for (unsigned k = 0; k < 3; ++k) made.shares[k] = inside.shares[k] + (outside.shares[k] - inside.shares[k]) * t;
  return made;
}

void clip_by(const Plane& plane, Clipped& polygon, double offset = 0) {
  std::array<double, 12> distances{};
  bool any_out = false;
  for (unsigned k = 0; k < polygon.count; ++k) {
    distances[k] = distance(plane, offset, polygon.vertices[k]);
    any_out = any_out || distances[k] < 0;
  }
  if (!any_out) return;
  const Clipped whole = polygon;
  polygon.count = 0;
  polygon.divided = true;
  const auto add = [&](const ClipVertex& vertex) {
    if (polygon.count < polygon.vertices.size()) polygon.vertices[polygon.count++] = vertex;
  };
  // a line has one edge, a polygon one after each vertex
  const unsigned edges = whole.count == 2 ? 1 : whole.count;
  for (unsigned k = 0; k < whole.count; ++k) {
    const unsigned next = (k + 1) % whole.count;
    if (distances[k] >= 0) add(whole.vertices[k]);
    if (k >= edges) continue;
    if (distances[k] >= 0 && distances[next] < 0) add(crossing(whole.vertices[k], distances[k], whole.vertices[next], distances[next]));
    if (distances[k] < 0 && distances[next] >= 0) add(crossing(whole.vertices[next], distances[next], whole.vertices[k], distances[k]));
  }
}

// The viewport's scale and the centre of clip space, on the screen.
struct Transform {
  Transform(const Viewport& viewport, const Conventions& conventions)
      : scale_x(static_cast<double>(viewport.width) / 2),
        scale_y(static_cast<double>(viewport.height) / (conventions.y_down ? 2 : -2)),
        centre_x(static_cast<double>(viewport.x) + static_cast<double>(viewport.width) / 2),
        centre_y(static_cast<double>(viewport.y) + static_cast<double>(viewport.height) / 2) {}
  double scale_x, scale_y, centre_x, centre_y;
};

// src: 15.10
double depth_bias(const Triangle& triangle, const RasterizerState& state, unsigned depth_bits) {
  if (state.depth_bias == 0 && state.slope_scaled_depth_bias == 0.0F) return 0;
  const double most = std::max({std::abs(triangle.depth[0]), std::abs(triangle.depth[1]), std::abs(triangle.depth[2])});
  double bias = state.depth_bias * depth_unit(depth_bits, most);
  if (state.slope_scaled_depth_bias != 0.0F) {
    const auto pixels = [](std::int64_t parts) { return static_cast<double>(parts) / static_cast<double>(kSubpixels); };
    const double ax = pixels(triangle.x[1] - triangle.x[0]), ay = pixels(triangle.y[1] - triangle.y[0]);
    const double bx = pixels(triangle.x[2] - triangle.x[0]), by = pixels(triangle.y[2] - triangle.y[0]);
    const double a = triangle.depth[1] - triangle.depth[0], b = triangle.depth[2] - triangle.depth[0];
    const double area = ax * by - ay * bx;
    const double slope = std::max(std::abs((a * by - b * ay) / area), std::abs((b * ax - a * bx) / area));
    if (!std::isnan(slope)) bias += static_cast<double>(state.slope_scaled_depth_bias) * slope;  // of one without area
  }
  const double clamp = static_cast<double>(state.depth_bias_clamp);
  if (clamp > 0) return std::min(bias, clamp);
  if (clamp < 0) return std::max(bias, clamp);
  return bias;
}

// Whether an edge of what clipping left is a part of an edge of the triangle: a vertex opposite to it has no share in it.
bool is_original(const ClipVertex& from, const ClipVertex& to) {
  for (unsigned k = 0; k < 3; ++k)
    if (from.shares[k] == 0 && to.shares[k] == 0) return true;
  return false;
}

}  // namespace

Clipped clip(const Viewport& viewport, const Conventions& conventions, bool depth_clip, std::array<Position, 3> positions,
             unsigned corners) {
  Clipped made;
  for (unsigned k = 0; k < corners; ++k) {
    ClipVertex& to = made.vertices[k];
    for (unsigned axis = 0; axis < 4; ++axis) {
      if (!std::isfinite(positions[k][axis])) return {};
      to.position[axis] = static_cast<double>(positions[k][axis]);
    }
    to.shares[k] = 1;
    made.w[k] = to.position[3];
  }
  made.count = corners;
  if (depth_clip) {
    clip_by({0, 0, 1, -static_cast<double>(conventions.clip_near)}, made);
    clip_by({0, 0, -1, static_cast<double>(conventions.clip_far)}, made);
  }
  clip_by({0, 0, 0, 1}, made, -kLeastW);
  for (unsigned k = 0; k < made.count; ++k) made.vertices[k].position[3] = std::max(made.vertices[k].position[3], kLeastW);
  const Transform to(viewport, conventions);
  clip_by({to.scale_x, 0, 0, kGuard + to.centre_x}, made);
  clip_by({-to.scale_x, 0, 0, kGuard - to.centre_x}, made);
  clip_by({0, to.scale_y, 0, kGuard + to.centre_y}, made);
  clip_by({0, -to.scale_y, 0, kGuard - to.centre_y}, made);
  return made;
}

double depth_unit(unsigned bits, double most) {
  if (bits != 0 && bits < 32) return 1 / static_cast<double>((1U << bits) - 1);
  int exponent = 0;
  static_cast<void>(std::frexp(static_cast<float>(most), &exponent));  // most = 0.5... * 2^exponent
  return most > 0 ? std::ldexp(1.0, exponent - 1 - 23) : 0;
}

void set_up(const Clipped& polygon, const Viewport& viewport, const Conventions& conventions, const RasterizerState& state,
            unsigned depth_bits, const Triangle& like, std::vector<Triangle>& triangles) {
  if (polygon.count < like.corners) return;
  struct Corner {
    std::int64_t x, y;
    double depth, inverse;
    std::array<double, 3> shares, flat;  // with perspective, and on the screen
  };
  const Transform to(viewport, conventions);
  const double near = static_cast<double>(viewport.min_depth);
  const double range = static_cast<double>(viewport.max_depth) - near;
  std::array<Corner, 12> corners{};
  for (unsigned k = 0; k < polygon.count; ++k) {
    const auto& [position, shares] = polygon.vertices[k];
    Corner& made = corners[k];
    made.inverse = 1 / std::max(position[3], kLeastW);
    const auto rounded = [](double pixels) {
      const double within = pixels > -kGuard - 1 ? std::min(pixels, kGuard + 1) : -kGuard - 1;  // NaN too
      return static_cast<std::int64_t>(std::nearbyint(within * static_cast<double>(kSubpixels)));
    };
    made.x = rounded(position[0] * made.inverse * to.scale_x + to.centre_x);
    made.y = rounded(position[1] * made.inverse * to.scale_y + to.centre_y);
    made.depth = near + position[2] * made.inverse * range;
    made.shares = shares;
    for (unsigned vertex = 0; vertex < 3; ++vertex) made.flat[vertex] = shares[vertex] * polygon.w[vertex] * made.inverse;
  }
  const auto with_corners = [&](std::initializer_list<unsigned> own, bool is_front) {
    Triangle made = like;
    made.corners = static_cast<std::uint32_t>(own.size());
    made.is_front = is_front;
    made.divided = polygon.divided;
    unsigned corner = 0;
    for (const unsigned k : own) {
      made.x[corner] = corners[k].x;
      made.y[corner] = corners[k].y;
      made.depth[corner] = corners[k].depth;
      made.inverse[corner] = corners[k].inverse;
      made.shares[corner] = corners[k].shares;
      made.flat[corner] = corners[k].flat;
      ++corner;
    }
    return made;
  };
  if (like.corners == 1) return triangles.push_back(with_corners({0}, true));
  if (like.corners == 2) return triangles.push_back(with_corners({0, 1}, true));
  // The winding of the whole decides, not that of parts that rounding may have turned.
  std::int64_t whole = 0;
  for (unsigned k = 0; k < polygon.count; ++k) {
    const Corner& a = corners[k];
    const Corner& b = corners[(k + 1) % polygon.count];
    whole += a.x * b.y - b.x * a.y;
  }
  // one without area is drawn as lines or points, or if all that a triangle touches is, and shows its back. src: 15.11.1
  if (whole == 0 && state.fill == Fill::solid && !state.conservative) return;
  const bool clockwise = whole >= 0;  // as y points down
  const bool is_front = whole != 0 && clockwise != state.front_counter_clockwise;
  if (state.cull == (is_front ? Cull::front : Cull::back)) return;
  for (unsigned k = 1; k + 1 < polygon.count; ++k) {
    Triangle made = with_corners({0, clockwise ? k : k + 1, clockwise ? k + 1 : k}, is_front);
    const double bias = depth_bias(made, state, depth_bits);
    if (state.fill == Fill::points) {
      const auto add_corner = [&](unsigned corner) {
        const auto& shares = polygon.vertices[corner].shares;
        const auto own = std::ranges::find(shares, 1.0);
        if (own == shares.end()) return;
        Triangle point = with_corners({corner}, is_front);
        const auto vertex = static_cast<std::size_t>(own - shares.begin());
        if (!point.divided) point.vertices.fill(like.vertices[vertex]);
        point.reach.fill(like.reach[vertex]);
        for (double& depth : point.depth) depth += bias;
        triangles.push_back(point);
      };
      if (k == 1) add_corner(0);
      if (k == 1) add_corner(1);
      add_corner(k + 1);
      continue;
    }
    if (state.fill == Fill::wireframe) {
      const auto add_edge = [&](unsigned from, unsigned to_corner) {
        if (!is_original(polygon.vertices[from], polygon.vertices[to_corner])) return;
        Triangle line = with_corners({from, to_corner}, is_front);
        if (!line.divided) line.vertices = {like.vertices[from], like.vertices[to_corner], like.vertices[to_corner]};
        for (double& depth : line.depth) depth += bias;
        triangles.push_back(line);
      };
      if (k == 1) add_edge(0, 1);
      add_edge(k, k + 1);
      if (k + 2 == polygon.count) add_edge(k + 1, 0);
      continue;
    }
    const std::int64_t area = made.edge(0, made.x[0], made.y[0]);
    if (area < 0 || (area == 0 && whole != 0)) continue;
    made.area = static_cast<double>(area);
    if (!made.divided && !clockwise) std::swap(made.vertices[1], made.vertices[2]);
    for (double& depth : made.depth) depth += bias;
    triangles.push_back(made);
  }
}

namespace {

// The shares of a triangle's corners in a place, on the screen.
std::array<double, 3> corners_at(const Triangle& triangle, std::int64_t px, std::int64_t py) {
  if (triangle.corners == 3 && triangle.area != 0) {
    std::array<double, 3> made{};
    for (unsigned k = 0; k < 3; ++k) made[k] = static_cast<double>(triangle.edge(k, px, py)) / triangle.area;
    return made;
  }
  if (triangle.corners == 2) {
    // the nearest place on the line
    const std::int64_t dx = triangle.x[1] - triangle.x[0], dy = triangle.y[1] - triangle.y[0];
    const std::int64_t length = dx * dx + dy * dy;
    const std::int64_t along = std::clamp<std::int64_t>((px - triangle.x[0]) * dx + (py - triangle.y[0]) * dy, 0, length);
    if (length != 0)
      return {static_cast<double>(length - along) / static_cast<double>(length), static_cast<double>(along) / static_cast<double>(length),
              0};
  }
  return {1, 0, 0};
}

// By differences, so that what is the same at all corners stays exactly that.
double between(const std::array<double, 3>& of, const std::array<double, 3>& own) {
  return of[0] + (of[1] - of[0]) * own[1] + (of[2] - of[0]) * own[2];
}

}  // namespace

double depth_at(const Triangle& triangle, std::int64_t px, std::int64_t py) {
  return between(triangle.depth, corners_at(triangle, px, py));
}

Shares shares_at(const Triangle& triangle, std::int64_t px, std::int64_t py) {
  Shares made{};
  const std::array<double, 3> own = corners_at(triangle, px, py);
  made.depth = between(triangle.depth, own);
  made.inverse = between(triangle.inverse, own);
  std::array<double, 3> space = own;
  bool is_even = true;
  for (unsigned k = 1; k < triangle.corners; ++k) is_even = is_even && triangle.inverse[k] == triangle.inverse[0];
  if (!is_even)
    for (unsigned k = 0; k < 3; ++k) space[k] = own[k] * triangle.inverse[k] / made.inverse;
  if (!triangle.divided) {
    made.flat = own;
    made.space = space;
    return made;
  }
  for (unsigned corner = 0; corner < triangle.corners; ++corner) {
    for (unsigned vertex = 0; vertex < 3; ++vertex) {
      made.flat[vertex] += own[corner] * triangle.flat[corner][vertex];
      made.space[vertex] += space[corner] * triangle.shares[corner][vertex];
    }
  }
  return made;
}

wide::Triangle wide_of(const Triangle& triangle) {
  wide::Triangle made;
  made.is_even = triangle.inverse[1] == triangle.inverse[0] && triangle.inverse[2] == triangle.inverse[0];
  made.divided = triangle.divided;
  made.area = triangle.area;
  for (unsigned k = 0; k < 3; ++k) {
    made.x[k] = static_cast<double>(triangle.x[k]);
    made.y[k] = static_cast<double>(triangle.y[k]);
    made.depth[k] = triangle.depth[k];
    made.inverse[k] = triangle.inverse[k];
    if (!triangle.divided) continue;
    std::ranges::copy(triangle.shares[k], made.shares[k]);
    std::ranges::copy(triangle.flat[k], made.flat[k]);
  }
  return made;
}

void find_shares(const Triangle& triangle, const wide::Triangle* wide, const std::array<std::int64_t, 4>& x,
                 const std::array<std::int64_t, 4>& y, wide::Shares& to) {
  if (wide != nullptr) {
    std::array<double, 4> px{}, py{};
    for (unsigned pixel = 0; pixel < 4; ++pixel) {
      px[pixel] = static_cast<double>(x[pixel]);
      py[pixel] = static_cast<double>(y[pixel]);
    }
    return wide::functions().shares(*wide, px.data(), py.data(), to);
  }
  for (unsigned pixel = 0; pixel < 4; ++pixel) {
    const Shares here = shares_at(triangle, x[pixel], y[pixel]);
    for (unsigned k = 0; k < 3; ++k) {
      to.flat[k][pixel] = here.flat[k];
      to.space[k][pixel] = here.space[k];
    }
    to.depth[pixel] = here.depth;
    to.inverse[pixel] = here.inverse;
  }
}

}  // namespace unshade::draw

#include "draw/tessellator/tessellator.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <span>

namespace unshade::draw::tessellator {
namespace {

using dxcontainer::TessellatorDomain;
using dxcontainer::TessellatorOutput;
using dxcontainer::TessellatorPartitioning;

/// Numbers of 16 bits below 1.
using Fixed = std::uint32_t;
constexpr Fixed kOne = 0x10000;
constexpr Fixed kHalf = 0x8000;
constexpr Fixed kThird = 0x5555;
constexpr Fixed kTwoThirds = 0xaaaa;

Fixed fixed_of(float value) { return static_cast<Fixed>(std::nearbyint(static_cast<double>(value) * kOne)); }
constexpr Fixed ceiling(Fixed value) { return (value + kOne - 1) & ~(kOne - 1); }
constexpr Fixed reciprocal(std::uint32_t whole) { return whole == 0 ? 0 : (2 * kOne / whole + 1) / 2; }
// A rule that rounds to nearest gives each number of the reference's table.
static_assert(reciprocal(3) == 0x5555 && reciprocal(6) == 0x2aab && reciprocal(39) == 0x690 && reciprocal(63) == 0x410);

constexpr std::uint32_t without_top_bit(std::uint32_t value) { return value == 0 ? 0 : value & ~std::bit_floor(value); }

/// How a side is divided by a factor: into an odd or an even number of segments, of which two grow as the factor does.
struct Division {
  Division() = default;
  Division(float of, bool is_odd) : odd(is_odd), factor(fixed_of(of)) {
    Fixed half = (factor + 1) / 2;
    points = odd ? ceiling(kHalf + half) * 2 / kOne : ceiling(half) * 2 / kOne + 1;
    if (odd || half == kHalf) half += kHalf;  // 1 counts as even then
    const Fixed floor = half & ~(kOne - 1);
    const Fixed ceil = ceiling(half);
    fraction = half - floor;
    half_points = ceil / kOne;
    if (ceil == floor) {
      split = half_points + 1;
    } else if (odd) {
      split = floor == kOne ? 0 : without_top_bit(floor / kOne - 1) * 2 + 1;
    } else {
      split = without_top_bit(floor / kOne) * 2 + 1;
    }
    floor_step = reciprocal(floor * 2 / kOne - (odd ? 1 : 0));
    ceil_step = reciprocal(ceil * 2 / kOne - (odd ? 1 : 0));
  }

  /// The place of a point, counted from either end.
  Fixed place(std::uint32_t point) const {
    const bool mirrored = point >= half_points;
    if (mirrored) point = half_points * 2 - point - (odd ? 1 : 0);
    if (point == half_points) return kHalf;
    const Fixed on_floor = (point > split ? point - 1 : point) * floor_step;
    const Fixed on_ceil = point * ceil_step;
    const Fixed made = (on_floor * (kOne - fraction) + on_ceil * fraction + kHalf) / kOne;
    return mirrored ? kOne - made : made;
  }

  bool odd = false;
  Fixed factor = kOne;
  std::uint32_t points = 2;
  std::uint32_t half_points = 1;  ///< of one half, without the one in the middle
  std::uint32_t split = 0;        ///< the point of the half that a segment is divided at
  Fixed fraction = 0;
  Fixed floor_step = 0, ceil_step = 0;
};

// Where on a half of 33 points point i ends up when a side is divided as far as it can be: in the order in which points are added.
constexpr std::array<std::uint8_t, 33> kOrder{0, 32, 16, 8,  17, 4,  18, 9,  19, 2,  20, 10, 21, 5,  22, 11, 23,
                                              1, 24, 12, 25, 6,  26, 13, 27, 3,  28, 14, 29, 7,  30, 15, 31};

enum class Diagonals : std::uint8_t { inside_to_outside, inside_to_outside_except_middle, mirrored };

using Side = std::vector<std::uint32_t>;  ///< points from a corner to the next, both included
using Ring = std::vector<Side>;

class Tessellator {
 public:
  explicit Tessellator(const Tessellation& how) : how_(how) {
    whole_ = how.partitioning != TessellatorPartitioning::fractional_odd && how.partitioning != TessellatorPartitioning::fractional_even;
    odd_ = how.partitioning == TessellatorPartitioning::fractional_odd;
    least_ = how.partitioning == TessellatorPartitioning::fractional_even ? 2.0F : 1.0F;
    most_ = odd_ ? 63.0F : 64.0F;
    if (how.most >= least_) most_ = std::min(most_, how.most);
  }

  Tessellated run(const TessellationFactors& factors) {
    const bool lines = how_.domain == TessellatorDomain::isoline;
    const unsigned edges = lines ? 2 : how_.domain == TessellatorDomain::triangle ? 3 : 4;
    made_.corners = how_.output == TessellatorOutput::point ? 1 : how_.output == TessellatorOutput::line || lines ? 2 : 3;
    for (unsigned edge = 0; edge < edges; ++edge)
      if (!(factors.edges[edge] > 0)) return std::move(made_);
    if (lines) {
      draw_lines(factors.edges[0], factors.edges[1]);
    } else {
      draw_area(factors, edges);
    }
    return std::move(made_);
  }

 private:
  float bounded(float value, float least) const { return std::min(most_, value > least ? value : least); }
  Division outer(float factor) const {
    factor = bounded(factor, least_);
    if (whole_) factor = std::ceil(factor);
    return {factor, whole_ ? static_cast<int>(factor) % 2 != 0 : odd_};
  }
  Division inner(float factor, float least) const {
    factor = bounded(factor, least);
    if (whole_) factor = std::ceil(factor);
    Division made(factor, whole_ ? static_cast<int>(factor) % 2 != 0 && factor != 1 : odd_);
    made.points = std::max(made.points, made.odd ? 4U : 3U);  // a frame, if without a width
    return made;
  }
  std::uint32_t add(Fixed u, Fixed v) {
    made_.points.push_back({static_cast<float>(u) / kOne, static_cast<float>(v) / kOne});
    return static_cast<std::uint32_t>(made_.points.size() - 1);
  }
  void triangle(std::uint32_t a, std::uint32_t b, std::uint32_t c) {
    const bool clockwise = how_.output != TessellatorOutput::triangle_counter_clockwise;
    for (const std::uint32_t one : {a, clockwise ? b : c, clockwise ? c : b}) made_.indices.push_back(one);
  }

  void draw_lines(float density, float detail);
  void draw_area(const TessellationFactors& factors, unsigned edges);
  // A ring from the points of its sides without their ends, in their order.
  void add_ring(Ring sides) {
    for (std::size_t side = 0; side < sides.size(); ++side) {
      const Side& next = sides[(side + 1) % sides.size()];
      sides[side].push_back(side + 1 == sides.size() ? sides[0][0] : next[0]);
    }
    rings_.push_back(std::move(sides));
  }
  void place_triangle(const std::array<Division, 4>& outside, const Division& inside);
  void place_quad(const std::array<Division, 4>& outside, const std::array<Division, 2>& inside);
  void connect(unsigned edges, const std::array<Division, 4>& outside, const std::array<Division, 2>& inside);
  void stitch_transition(const Side& inside, const Division& inner, const Side& outside, const Division& outer);
  void stitch(bool trapezoid, Diagonals diagonals, const Side& inside, const Side& outside);

  Tessellation how_;
  bool whole_, odd_;
  float least_, most_;
  std::vector<Ring> rings_;
  Tessellated made_;
};

void Tessellator::draw_lines(float density, float detail) {
  const Division along = outer(detail);
  const float lines = std::ceil(std::clamp(density, 1.0F, 64.0F));
  const Division across(lines, static_cast<int>(lines) % 2 != 0);
  for (std::uint32_t line = 0; line + 1 < across.points; ++line) {  // none at V = 1
    for (std::uint32_t point = 0; point < along.points; ++point) {
      const std::uint32_t index = add(along.place(point), across.place(line));
      if (how_.output == TessellatorOutput::point) {
        made_.indices.push_back(index);
      } else if (point != 0) {
        made_.indices.push_back(index - 1);
        made_.indices.push_back(index);
      }
    }
  }
}

void Tessellator::draw_area(const TessellationFactors& factors, unsigned edges) {
  std::array<Division, 4> outside;
  constexpr float kEpsilon = 1.0F / kOne;
  const float enough = 1 + kEpsilon / 2;
  bool frame = edges == 4 && (factors.inside[0] > enough || factors.inside[1] > enough);
  for (unsigned edge = 0; edge < edges; ++edge) {
    outside[edge] = outer(factors.edges[edge]);
    frame = frame || bounded(factors.edges[edge], least_) > enough;
  }
  // if a factor is above 1 there is a frame inside, for it must not come at once
  const float least = odd_ && frame ? 1 + kEpsilon : least_;
  const std::array<Division, 2> inside{inner(factors.inside[0], least), inner(factors.inside[edges == 4 ? 1 : 0], least)};
  bool is_least = (whole_ || odd_) && inside[0].factor == kOne && inside[1].factor == kOne;
  for (unsigned edge = 0; edge < edges; ++edge) is_least = is_least && outside[edge].factor == kOne;
  if (is_least && edges == 3) {
    for (const auto& [u, v] : {std::pair{0U, kOne}, {0U, 0U}, {kOne, 0U}}) add(u, v);
  } else if (is_least) {
    for (const auto& [u, v] : {std::pair{0U, 0U}, {kOne, 0U}, {kOne, kOne}, {0U, kOne}}) add(u, v);
  } else if (edges == 3) {
    place_triangle(outside, inside[0]);
  } else {
    place_quad(outside, inside);
  }
  if (made_.corners != 3) {
    for (std::uint32_t point = made_.corners - 1; point < made_.points.size(); ++point) {
      if (made_.corners == 2) made_.indices.push_back(point - 1);
      made_.indices.push_back(point);
    }
  } else if (is_least) {
    triangle(0, 1, edges == 3 ? 2 : 3);
    if (edges == 4) triangle(1, 2, 3);
  } else {
    connect(edges, outside, inside);
  }
}

// Clockwise from V = 1, spiralling to the centre.
void Tessellator::place_triangle(const std::array<Division, 4>& outside, const Division& inside) {
  Ring edge_points(3);
  for (unsigned edge = 0; edge < 3; ++edge) {
    const std::uint32_t end = outside[edge].points - 1;
    for (std::uint32_t p = 0; p < end; ++p) {
      const Fixed place = outside[edge].place(edge == 1 ? p : end - p);
      edge_points[edge].push_back(edge == 0 ? add(0, place) : add(place, edge == 2 ? kOne - place : 0));
    }
  }
  add_ring(std::move(edge_points));
  for (std::uint32_t ring = 1; ring < inside.points / 2; ++ring) {
    const std::uint32_t end = inside.points - 1 - ring;
    // two thirds of the way to the middle of a side, in barycentric space; along the side half of that is lost
    const Fixed across = (inside.place(ring) * kTwoThirds + kHalf) / kOne;
    const Fixed lost = (across + 1) / 2;
    Ring sides(3);
    for (unsigned edge = 0; edge < 3; ++edge) {
      for (std::uint32_t p = ring; p < end; ++p) {
        const Fixed along = inside.place(edge == 1 ? p : end - (p - ring)) - lost;
        sides[edge].push_back(edge == 0 ? add(across, along) : edge == 1 ? add(along, across) : add(along, kOne - along - across));
      }
    }
    add_ring(std::move(sides));
  }
  if (!inside.odd) {
    const std::uint32_t centre = add(kThird, kThird);
    rings_.push_back(Ring(3, Side{centre}));
  }
}

// Clockwise from U = 0, V = 1, spiralling to the centre.
void Tessellator::place_quad(const std::array<Division, 4>& outside, const std::array<Division, 2>& inside) {
  const auto& [u, v] = inside;
  Ring edge_points(4);
  for (unsigned edge = 0; edge < 4; ++edge) {
    const std::uint32_t end = outside[edge].points - 1;
    for (std::uint32_t p = 0; p < end; ++p) {
      const Fixed place = outside[edge].place(edge == 1 || edge == 2 ? p : end - p);
      edge_points[edge].push_back(edge % 2 == 1 ? add(place, edge == 3 ? kOne : 0) : add(edge == 2 ? kOne : 0, place));
    }
  }
  add_ring(std::move(edge_points));
  const std::uint32_t rings = std::min(u.points, v.points) / 2;
  for (std::uint32_t ring = 1; ring < rings; ++ring) {
    Ring sides(4);
    for (unsigned edge = 0; edge < 4; ++edge) {
      const bool along_u = edge % 2 == 1;
      const Division& along = along_u ? u : v;
      const Division& across = along_u ? v : u;
      const std::uint32_t end = along.points - 1 - ring;
      const Fixed fixed = across.place(edge < 2 ? ring : across.points - 1 - ring);
      for (std::uint32_t p = ring; p < end; ++p) {
        const Fixed place = along.place(edge == 1 || edge == 2 ? p : end - (p - ring));
        sides[edge].push_back(along_u ? add(place, fixed) : add(fixed, place));
      }
    }
    add_ring(std::move(sides));
  }
  // an even number of segments ends in a row of points, which is both sides of the last ring
  const bool along_u = u.points > v.points;
  if ((along_u ? v : u).odd) return;
  Side row;
  if (along_u) {
    for (std::uint32_t p = rings; p <= u.points - 1 - rings; ++p) row.push_back(add(u.place(p), kHalf));
  } else {
    for (std::uint32_t p = v.points - 1 - rings; p + 1 > rings; --p) row.push_back(add(kHalf, v.place(p)));
  }
  const Side back(row.rbegin(), row.rend());
  const Side first{row.front()};
  const Side last{row.back()};
  rings_.push_back(along_u ? Ring{first, row, last, back} : Ring{row, last, back, first});
}

void Tessellator::connect(unsigned edges, const std::array<Division, 4>& outside, const std::array<Division, 2>& inside) {
  for (std::size_t ring = 1; ring < rings_.size(); ++ring) {
    for (unsigned edge = 0; edge < edges; ++edge) {
      const Side& in = rings_[ring][edge];
      const Side& out = rings_[ring - 1][edge];
      if (ring == 1) {
        stitch_transition(in, inside[(edge + 1) % 2], out, outside[edge]);
      } else {
        stitch(true, Diagonals::mirrored, in, out);
      }
    }
  }
  // what is left of an odd number of segments: a triangle, or a row of quads
  const Ring& last = rings_.back();
  const auto& [u, v] = inside;
  const auto reversed = [](const Side& side) { return Side(side.rbegin(), side.rend()); };
  if (edges == 3) {
    if (u.odd) triangle(last[0][0], last[1][0], last[2][0]);
  } else if (u.points > v.points) {
    if (v.odd) stitch(false, Diagonals::inside_to_outside, reversed(last[3]), last[1]);
  } else if (u.odd) {
    stitch(false, v.odd ? Diagonals::inside_to_outside_except_middle : Diagonals::inside_to_outside, reversed(last[2]), last[0]);
  }
}

// Two sides of any factors: points are passed in the order in which growing factors add them.
void Tessellator::stitch_transition(const Side& inside, const Division& inner, const Side& outside, const Division& outer) {
  const std::uint32_t inner_half = inner.half_points - (inner.odd ? 1 : 0);
  const std::uint32_t outer_half = outer.half_points - (outer.odd ? 1 : 0);
  std::size_t in = 0, out = 0;
  const auto pass_outside = [&] {
    triangle(outside[out], outside[out + 1], inside[in]);
    ++out;
  };
  const auto pass_inside = [&] {
    triangle(inside[in], outside[out], inside[in + 1]);
    ++in;
  };
  if (kOrder[0] < outer_half) pass_outside();
  for (std::size_t i = 1; i < kOrder.size(); ++i) {
    if (kOrder[i] < inner_half) pass_inside();
    if (kOrder[i] < outer_half) pass_outside();
  }
  if (inner.odd && outer.odd) {
    triangle(inside[in], outside[out], inside[in + 1]);
    triangle(inside[in + 1], outside[out], outside[out + 1]);
    ++in;
    ++out;
  } else if (outer.odd) {
    triangle(inside[in], outside[out], outside[out + 1]);
    ++out;
  } else if (inner.odd) {
    triangle(inside[in], outside[out], inside[in + 1]);
    ++in;
  }
  for (std::size_t i = kOrder.size() - 1; i >= 1; --i) {
    if (kOrder[i] < outer_half) pass_outside();
    if (kOrder[i] < inner_half) pass_inside();
  }
  if (kOrder[0] < outer_half) pass_outside();
}

// Two sides of one factor, of which the outer one, if they are a trapezoid, has a segment more at each end.
void Tessellator::stitch(bool trapezoid, Diagonals diagonals, const Side& inside, const Side& outside) {
  std::size_t in = 0, out = 0;
  if (trapezoid) {
    triangle(outside[0], outside[1], inside[0]);
    ++out;
  }
  const std::size_t segments = inside.size() - 1;
  const std::size_t middle = inside.size() / 2 - (diagonals == Diagonals::inside_to_outside_except_middle ? 1 : 0);
  for (std::size_t p = 0; p < segments; ++p, ++in, ++out) {
    const bool from_outside = diagonals == Diagonals::mirrored ? p < middle : diagonals != Diagonals::inside_to_outside && p == middle;
    if (from_outside) {
      triangle(outside[out], inside[in + 1], inside[in]);
      triangle(outside[out], outside[out + 1], inside[in + 1]);
    } else if (diagonals == Diagonals::inside_to_outside_except_middle) {
      triangle(outside[out], outside[out + 1], inside[in]);
      triangle(inside[in], outside[out + 1], inside[in + 1]);
    } else {
      triangle(inside[in], outside[out], outside[out + 1]);
      triangle(inside[in], outside[out + 1], inside[in + 1]);
    }
  }
  if (trapezoid) triangle(outside[out], outside[out + 1], inside[in]);
}

}  // namespace

Tessellated tessellate(const Tessellation& how, const TessellationFactors& factors) { return Tessellator(how).run(factors); }

}  // namespace unshade::draw::tessellator

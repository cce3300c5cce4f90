// What fragments compute for four pixels or more at once, with the bits of shares_at(), depth_at(), Rasterizer::quad() and store_texel(),
// which stay the definitions. Files for other instruction sets than the least include this header: it has plain data alone.
#pragma once

#include <cstdint>

namespace unshade::draw::wide {

/// A triangle with an area on the screen, in numbers that doubles hold exactly.
struct Triangle {
  double x[3], y[3];  ///< in parts of a pixel
  double area;        ///< twice
  double depth[3], inverse[3];
  bool is_even;                     ///< 1/w is the same at all corners
  bool divided;                     ///< then these count:
  double shares[3][3], flat[3][3];  ///< of the primitive's vertices in each corner
};

/// Four pixels of a quad, as shares_at() has them. [vertex][pixel]
struct Shares {
  double flat[3][4], space[3][4], depth[4], inverse[4];
};

/// An input of the pixel shader, by its component.
struct Input {
  std::uint32_t from;  ///< component of the vertices
  std::uint32_t to;    ///< of the inputs
  bool constant, noperspective;
};

/// Edges of a polygon: a place is inside if x * a + y * b + c is not negative for all; whole numbers below 2^52.
struct Edges {
  static constexpr unsigned kMost = 8, kMostSamples = 16;
  unsigned count, samples;
  double a[kMost], b[kMost], c[kMost];
  double to_sample[kMost][kMostSamples];
};

struct Functions {
  /// Shares at four places, in parts of a pixel.
  void (*shares)(const Triangle& triangle, const double* x, const double* y, Shares& to);
  /// Depths of the pixels of a quad as f32, of which the upper left one is evaluated at a place.
  void (*depths)(const Triangle& triangle, double x, double y, float* to);
  /// The values of inputs in the pixels of `quads` quads that follow each other. `vertices`: components of the vertices of the shares, then
  /// of the leading one; `to`: [component * stride + lane].
  void (*interpolate)(const std::uint64_t* const* vertices, const Input* inputs, unsigned count, const Shares* shares, unsigned quads,
                      std::uint64_t* to, std::uint64_t stride);
  /// Samples that are inside, of the quad whose upper left corner is at a place in parts of a pixel: bit 16 * pixel + sample.
  std::uint64_t (*coverage)(const Edges& edges, double x, double y);
  /// Words of four UNORM bytes of colors: f32 of [k][lane]; byte k is at bit shift[k].
  void (*unorm_bytes)(const std::uint64_t* const* colors, const std::uint32_t* shift, unsigned lanes, std::uint32_t* to);
};

/// Those for the instruction sets that this machine and build have, the best last.
struct Available {
  const Functions* of[2];
  unsigned count;
};
Available available_functions();
/// The best.
const Functions& functions();

}  // namespace unshade::draw::wide

// Fragments for the instruction set that a file is compiled for. Included by least.cpp and avx2.cpp, which define UNSHADE_WIDE, the name of
// the table. Sums, products and quotients are those of primitive.cpp, pixels.cpp and texel/formats.cpp in the same order, so that the bits are
// the same.
#include <cstdint>
#include <cstring>

#include <unshade/ir/numeric/lanes.hpp>
#include <unshade/ir/numeric/nan.hpp>

#include "draw/wide/wide.hpp"

namespace unshade::draw::wide {
namespace {

namespace numeric = ir::numeric;
using numeric::select;
using Real = numeric::F64<4>;
constexpr std::size_t kPart = Real::kPartLanes, kParts = Real::kParts;

template <class To, class Part>
UNSHADE_LANES auto converted(Part part) {
  return numeric::inner::part_convert<To, kPart>(part);
}
template <class To, class Part>
UNSHADE_LANES auto same_bits(Part part) {
  return numeric::inner::part_cast<typename numeric::inner::PartOf<To, kPart>::type>(part);
}

// Rounded to f32: `to` gets four floats.
UNSHADE_LANES void store_floats(const Real& v, float* to) {
  for (std::size_t i = 0; i < kParts; ++i) {
    const auto made = converted<float>(v.parts[i]);
    std::memcpy(to + i * kPart, &made, sizeof made);
  }
}
// The bits of f32 in words of 64 bits, as results.
UNSHADE_LANES void store_bits(const Real& v, std::uint64_t* to) {
  for (std::size_t i = 0; i < kParts; ++i) {
    const auto single = numeric::inner::part_canonical<float>(converted<float>(v.parts[i]));
    const auto made = converted<std::uint64_t>(same_bits<std::uint32_t>(single));
    std::memcpy(to + i * kPart, &made, sizeof made);
  }
}
UNSHADE_LANES Real floats_of_bits(const std::uint64_t* from) {
  Real made;
  for (std::size_t i = 0; i < kParts; ++i) {
    typename numeric::inner::PartOf<std::uint64_t, kPart>::type words;
    std::memcpy(&words, from + i * kPart, sizeof words);
    made.parts[i] = converted<double>(same_bits<float>(converted<std::uint32_t>(words)));
  }
  return made;
}

// Triangle::edge() over the area. A sum with 0 makes -0 what whole numbers have.
UNSHADE_LANES Real corner_share(const Triangle& triangle, int corner, const Real& x, const Real& y) {
  const int a = (corner + 1) % 3, b = (corner + 2) % 3;
  const Real edge = (y - triangle.y[a]) * (triangle.x[b] - triangle.x[a]) - (x - triangle.x[a]) * (triangle.y[b] - triangle.y[a]);
  return (edge + 0.0) / triangle.area;
}
// between() of primitive.cpp
UNSHADE_LANES Real between(const double* of, const Real& second, const Real& third) {
  return Real(of[0]) + Real(of[1] - of[0]) * second + Real(of[2] - of[0]) * third;
}

void shares(const Triangle& triangle, const double* x, const double* y, Shares& to) {
  const Real px = Real::load(x), py = Real::load(y);
  Real own[3], space[3];
  for (int k = 0; k < 3; ++k) space[k] = own[k] = corner_share(triangle, k, px, py);
  const Real inverse = between(triangle.inverse, own[1], own[2]);
  between(triangle.depth, own[1], own[2]).store(to.depth);
  inverse.store(to.inverse);
  if (!triangle.is_even)
    for (int k = 0; k < 3; ++k) space[k] = own[k] * triangle.inverse[k] / inverse;
  for (int vertex = 0; vertex < 3; ++vertex) {
    if (!triangle.divided) {
      own[vertex].store(to.flat[vertex]);
      space[vertex].store(to.space[vertex]);
      continue;
    }
    Real flat(0.0), deep(0.0);
    for (int corner = 0; corner < 3; ++corner) {
      flat = flat + own[corner] * triangle.flat[corner][vertex];
      deep = deep + space[corner] * triangle.shares[corner][vertex];
    }
    flat.store(to.flat[vertex]);
    deep.store(to.space[vertex]);
  }
}

// From the upper left pixel of a quad, in parts of a pixel.
constexpr double kColumns[4] = {0, 256, 0, 256}, kRows[4] = {0, 0, 256, 256};

void depths(const Triangle& triangle, double x, double y, float* to) {
  const Real px = Real::load(kColumns) + x, py = Real::load(kRows) + y;
  store_floats(between(triangle.depth, corner_share(triangle, 1, px, py), corner_share(triangle, 2, px, py)), to);
}

double real_of(std::uint64_t bits) {
  const auto word = static_cast<std::uint32_t>(bits);
  float made;
  std::memcpy(&made, &word, sizeof made);
  return static_cast<double>(made);
}

void interpolate(const std::uint64_t* const* vertices, const Input* inputs, unsigned count, const Shares* shares, unsigned quads,
                 std::uint64_t* to, std::uint64_t stride) {
  for (const Input *input = inputs, *const end = inputs + count; input != end; ++input) {
    std::uint64_t* const row = to + input->to * stride;
    const std::uint64_t own[3] = {vertices[0][input->from], vertices[1][input->from], vertices[2][input->from]};
    if (input->constant || (own[0] == own[1] && own[0] == own[2])) {
      const std::uint64_t value = input->constant ? vertices[3][input->from] : own[0];
      for (unsigned lane = 0; lane < 4 * quads; ++lane) row[lane] = value;
      continue;
    }
    const double first = real_of(own[0]);
    const Real start(first), second(real_of(own[1]) - first), third(real_of(own[2]) - first);
    for (unsigned quad = 0; quad < quads; ++quad) {
      const auto& share = input->noperspective ? shares[quad].flat : shares[quad].space;
      store_bits(start + second * Real::load(share[1]) + third * Real::load(share[2]), row + std::size_t{4} * quad);
    }
  }
}

UNSHADE_LANES std::uint64_t signs(const Real& v) {
  std::uint64_t made = 0;
  for (int pixel = 0; pixel < 4; ++pixel) made |= bits(v).lane(pixel) >> 63 << (16 * pixel);
  return made;
}

std::uint64_t coverage(const Edges& edges, double x, double y) {
  const Real px = Real::load(kColumns) + x, py = Real::load(kRows) + y;
  Real here[Edges::kMost];
  for (unsigned k = 0; k < edges.count; ++k) here[k] = px * edges.a[k] + py * edges.b[k] + edges.c[k];
  std::uint64_t made = 0;
  for (unsigned sample = 0; sample < edges.samples; ++sample) {
    // of sums of whole numbers, none of which is -0, the sign says whether they are negative
    numeric::U64<4> negative(0);
    for (unsigned k = 0; k < edges.count; ++k) negative = negative | bits(here[k] + edges.to_sample[k][sample]);
    made |= (signs(as_float(negative)) ^ 0x0001'0001'0001'0001) << sample;
  }
  return made;
}

void unorm_bytes(const std::uint64_t* const* colors, const std::uint32_t* shift, unsigned lanes, std::uint32_t* to) {
  for (unsigned lane = 0; lane < lanes; lane += 4) {
    typename numeric::inner::PartOf<std::uint32_t, kPart>::type words[kParts];
    for (int k = 0; k < 4; ++k) {
      const Real value = floats_of_bits(colors[k] + lane);
      const Real positive = select(value > 0.0, value, 0.0);  // NaN too
      const Real scaled = select(positive > 1.0, 1.0, positive) * 255.0 + 0.5;
      for (std::size_t i = 0; i < kParts; ++i) {
        const auto byte = same_bits<std::uint32_t>(converted<std::int32_t>(scaled.parts[i])) << shift[k];
        words[i] = k == 0 ? byte : words[i] | byte;
      }
    }
    std::memcpy(to + lane, words, sizeof words);
  }
}

}  // namespace

extern const Functions UNSHADE_WIDE;
const Functions UNSHADE_WIDE = {shares, depths, interpolate, coverage, unorm_bytes};

}  // namespace unshade::draw::wide

#include "vm/sampling/level_of_detail.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <unshade/ir/numeric/math.hpp>
#include <unshade/ir/numeric/rules.hpp>

#include "vm/sampling/address.hpp"
#include "vm/sampling/cube.hpp"

namespace unshade::vm::sampling {
namespace {

namespace numeric = ir::numeric;
using dxcontainer::ResourceDimension;

// log2 of a number of any magnitude, by the rule that shaders have: the same on every machine.
float log2_of(double value) {
  if (!(value > 0)) return -std::numeric_limits<float>::infinity();
  if (std::isinf(value)) return std::numeric_limits<float>::infinity();
  int exponent = 0;
  const double mantissa = std::frexp(value, &exponent) * 2;  // from 1 to 2
  const auto fraction = numeric::Rule<ir::Op::flog2>::apply<ir::Type::f32>(numeric::F32<1>(static_cast<float>(mantissa))).lane(0);
  return static_cast<float>(exponent - 1) + fraction;
}

double dot(const Vector& a, const Vector& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

// The axes of the ellipse that the vectors span, as squares of their lengths.
struct Ellipse {
  double major = 0, minor = 0;        ///< squared
  double determinant = 0;             ///< area of what the vectors span
  std::array<double, 2> direction{};  ///< of the major axis, of length 1, in the plane of the first two components
};

Ellipse ellipse_of(const Vector& dx, const Vector& dy) {
  const double x = dot(dx, dx), y = dot(dy, dy), cosine = dot(dx, dy);
  Ellipse made;
  made.major = std::max(x, y);
  made.minor = std::min(x, y);
  const Vector cross{dx[1] * dy[2] - dx[2] * dy[1], dx[2] * dy[0] - dx[0] * dy[2], dx[0] * dy[1] - dx[1] * dy[0]};
  const double area = dot(cross, cross);
  made.determinant = std::sqrt(area);
  const Vector& longer = x > y ? dx : dy;
  const double length = std::sqrt(made.major);
  if (length > 0) made.direction = {longer[0] / length, longer[1] / length};
  // Parallel, perpendicular and missing vectors stay as they are.
  const double sum = x + y;
  const double root = std::sqrt(std::max(0.0, (x - y) * (x - y) + 4 * cosine * cosine));
  if (x == 0 || y == 0 || cosine == 0 || area == 0 || !std::isfinite(sum * sum) || !(root > 0)) return made;
  // The eigenvalues of the matrix of the two; the direction belongs to the larger.
  made.major = (sum + root) / 2;
  made.minor = area / made.major;
  const double a = dx[1] * dx[1] + dy[1] * dy[1];
  const double b = -2 * (dx[0] * dx[1] + dy[0] * dy[1]);
  const double c = dx[0] * dx[0] + dy[0] * dy[0];
  const double p = a - c;
  const double t = std::sqrt(p * p + b * b);
  if (t > 0) made.direction = {std::sqrt(std::max(0.0, (t - p) / (2 * t))) * (b < 0 ? 1 : -1), std::sqrt(std::max(0.0, (t + p) / (2 * t)))};
  return made;
}

Footprint anisotropic(const Ellipse& ellipse, const texel::Sampler& sampler, double width, double height) {
  Footprint made;
  if (!(ellipse.major > 0)) {
    made.level = log2_of(ellipse.major);
    return made;
  }
  const double most = std::clamp<double>(sampler.max_anisotropy, 1, 16);
  const double length = std::sqrt(ellipse.major);
  double ratio = ellipse.major / ellipse.determinant;
  double minor = ellipse.determinant / length;
  if (!(ratio <= most)) {
    ratio = most;
    minor = length / ratio;
  }
  if (minor < 1) ratio = std::max(1.0, ratio * minor);
  made.level = log2_of(minor);
  made.samples = static_cast<unsigned>(std::clamp(std::ceil(ratio), 1.0, 16.0));
  made.line = {ellipse.direction[0] * length / width, ellipse.direction[1] * length / height};
  return made;
}

}  // namespace

Footprint footprint(const texel::Descriptor& texture, const texel::Sampler& sampler, const ir::TextureExtra& extra, const Vector& place,
                    const Vector& dx, const Vector& dy) {
  Vector x = dx, y = dy;
  const double width = sampler.normalized ? texture.width : 1, height = sampler.normalized ? texture.height : 1,
               depth = sampler.normalized ? texture.depth : 1;
  if (dxcontainer::is_cube(extra.dimension)) {
    const unsigned face = face_of(place);
    const OnFace at = on_face(face, place);
    const auto projected = [&](const Vector& change) -> Vector {
      const OnFace by = on_face(face, change);
      const double square = at.major * at.major;
      return {(at.major * by.u - at.u * by.major) / square * 0.5 * width, (at.major * by.v - at.v * by.major) / square * 0.5 * width, 0};
    };
    x = projected(dx);
    y = projected(dy);
  } else {
    const Vector size{width, extra.dimension_count() >= 2 ? height : 0, extra.dimension_count() >= 3 ? depth : 0};
    for (unsigned k = 0; k < 3; ++k) {
      x[k] *= size[k];
      y[k] *= size[k];
    }
  }
  const Ellipse ellipse = ellipse_of(x, y);
  const bool is_flat = extra.dimension == ResourceDimension::texture2d || extra.dimension == ResourceDimension::texture2d_array;
  if (sampler.anisotropic && is_flat) return anisotropic(ellipse, sampler, width, height);
  Footprint made;
  made.level = 0.5F * log2_of(ellipse.major);
  return made;
}

float clamp_level(const texel::Sampler& sampler, float level) {
  // the other operand if one is NaN; a smallest level above the largest wins
  const float below = std::isnan(level) ? sampler.max_lod : std::min(sampler.max_lod, level);
  return std::max(sampler.min_lod, below);
}

Levels choose_levels(const texel::Descriptor& texture, const texel::Sampler& sampler, float clamped) {
  Levels made;
  made.magnified = clamped <= 0;
  const auto last = static_cast<std::int64_t>(texture.levels) - 1;
  const std::int64_t fixed = std::clamp<std::int64_t>(to_fixed(clamped), 0, last * kOne);
  if (sampler.mip == texel::Filter::linear) {
    made.first = static_cast<std::uint32_t>(fixed >> kFractionBits);
    made.second = static_cast<std::uint32_t>(std::min<std::int64_t>(made.first + std::int64_t{1}, last));
    made.weight = static_cast<double>(fixed & (kOne - 1)) / static_cast<double>(kOne);
  } else {
    made.first = static_cast<std::uint32_t>(std::min<std::int64_t>((fixed + kOne / 2) >> kFractionBits, last));
  }
  return made;
}

}  // namespace unshade::vm::sampling

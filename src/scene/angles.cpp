#include "scene/angles.hpp"

#include <cmath>
#include <cstdint>

#include <unshade/ir/numeric/rules.hpp>

namespace unshade::scene {
namespace {

namespace numeric = ir::numeric;
using Lane = numeric::F64<1>;

/// A number of some 106 bits: an exact sum, where `high` is the double nearest to it.
struct Sum {
  double high = 0, low = 0;
};

Sum exact_sum(double a, double b) {
  const double sum = a + b;
  const double b_part = sum - a;
  return {sum, (a - (sum - b_part)) + (b - b_part)};
}
Sum exact_product(double a, double b) {
  const double product = a * b;
  return {product, numeric::ffma<ir::Type::f64>(Lane(a), Lane(b), Lane(-product)).lane(0)};
}
Sum operator-(const Sum& a) { return {-a.high, -a.low}; }
Sum operator+(const Sum& a, const Sum& b) {
  const Sum high = exact_sum(a.high, b.high);
  const Sum low = exact_sum(a.low, b.low);
  const Sum most = exact_sum(high.high, high.low + low.high);
  return exact_sum(most.high, most.low + low.low);
}
Sum operator*(const Sum& a, const Sum& b) {
  const Sum high = exact_product(a.high, b.high);
  return exact_sum(high.high, high.low + (a.high * b.low + a.low * b.high));
}
Sum operator/(const Sum& a, const Sum& b) {
  const double most = a.high / b.high;
  const Sum rest = a + -(Sum{most, 0} * b);
  return exact_sum(most, rest.high / b.high);
}

/// An angle within pi/4 of a multiple of pi/2.
struct Reduced {
  Sum rest;
  unsigned quadrant = 0;
};
Reduced reduced(double angle) {
  constexpr double kTwoByPi = 0x1.45f306dc9c883p-1;
  constexpr double kHalfPi[] = {0x1.921fb54442d18p+0, 0x1.1a62633145c07p-54, -0x1.f1976b7ed8fbcp-110};
  const double count = std::nearbyint(angle * kTwoByPi);
  Sum rest{angle, 0};
  for (const double part : kHalfPi) rest = rest + exact_product(-count, part);
  return {rest, static_cast<unsigned>(static_cast<std::int64_t>(count) & 3)};
}

/// The sum of r^n / n! for n = first, first + 2, ..., with signs that alternate: sine or cosine of r.
Sum series(const Sum& r, int first) {
  const Sum square = -(r * r);
  Sum term = first == 0 ? Sum{1, 0} : r;
  Sum sum = term;
  for (int n = first + 1; n < 28; n += 2) {
    term = term * square / Sum{static_cast<double>(n * (n + 1)), 0};
    sum = sum + term;
  }
  return sum;
}
Sum sine_of(const Reduced& angle, unsigned quadrants) {
  const unsigned quadrant = angle.quadrant + quadrants;
  const Sum made = series(angle.rest, quadrant % 2 == 0 ? 1 : 0);
  return quadrant / 2 % 2 == 0 ? made : -made;
}

bool is_small(double angle) { return std::fabs(angle) < 0x1p20; }

}  // namespace

double sine(double angle) {
  if (angle == 0) return angle;  // of its sign
  return is_small(angle) ? sine_of(reduced(angle), 0).high : numeric::fsin<ir::Type::f64>(Lane(angle)).lane(0);
}
double cosine(double angle) {
  return is_small(angle) ? sine_of(reduced(angle), 1).high : numeric::fcos<ir::Type::f64>(Lane(angle)).lane(0);
}
double tangent(double angle) {
  if (angle == 0) return angle;
  if (!is_small(angle)) return numeric::ftan<ir::Type::f64>(Lane(angle)).lane(0);
  const Reduced small = reduced(angle);
  return (sine_of(small, 0) / sine_of(small, 1)).high;
}

}  // namespace unshade::scene

// Reals to the nearest integral value.
#pragma once

#include <cmath>
#include <concepts>

namespace unshade {

/// The nearest integral value, of two the one farther from zero. Not std::round() nor std::lround(): mingw-w64 10 gives 1 of the greatest
/// number below 1/2.
template <std::floating_point T>
T nearest_integral(T value) {
  const T whole = std::trunc(value);
  const T rest = value - whole;  // exact
  return rest >= T{0.5} ? whole + 1 : rest <= T{-0.5} ? whole - 1 : whole;
}

}  // namespace unshade

// Sizes and offsets up to a multiple, and how many of something hold them.
#pragma once

#include <concepts>
#include <type_traits>

namespace unshade {

/// The least multiple of `multiple` that is not below `value`.
template <std::unsigned_integral T>
constexpr T round_up(T value, std::type_identity_t<T> multiple) {
  const T rest = static_cast<T>(value % multiple);
  return rest == 0 ? value : static_cast<T>(value + (multiple - rest));
}

/// How many of `size` hold `value`: the quotient, rounded up.
template <std::unsigned_integral T>
constexpr T divide_up(T value, std::type_identity_t<T> size) {
  return static_cast<T>(value / size + (value % size != 0 ? 1 : 0));
}

}  // namespace unshade

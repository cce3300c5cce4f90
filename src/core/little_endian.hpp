// Integers as bytes, the lowest first.
#pragma once

#include <cstddef>
#include <vector>

namespace unshade {

/// Writes the bytes of T to `at`.
template <class T>
void store_little_endian(std::byte* at, T value) {
  for (std::size_t i = 0; i < sizeof(T); ++i) at[i] = static_cast<std::byte>(value >> (8 * i));
}
/// Adds the bytes of T.
template <class T>
void append_little_endian(std::vector<std::byte>& to, T value) {
  for (std::size_t i = 0; i < sizeof(T); ++i) to.push_back(static_cast<std::byte>(value >> (8 * i)));
}

}  // namespace unshade

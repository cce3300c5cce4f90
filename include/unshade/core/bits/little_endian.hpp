// Integers as bytes, the lowest first.
#pragma once

#include <array>
#include <cstddef>
#include <span>
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
  std::array<std::byte, sizeof(T)> bytes;
  store_little_endian(bytes.data(), value);
  to.insert(to.end(), bytes.begin(), bytes.end());
}
/// Adds those of each.
template <class T>
void append_all_little_endian(std::vector<std::byte>& to, std::span<const T> values) {
  const std::size_t from = to.size();
  to.resize(from + values.size_bytes());
  for (std::size_t i = 0; i < values.size(); ++i) store_little_endian(to.data() + from + i * sizeof(T), values[i]);
}

}  // namespace unshade

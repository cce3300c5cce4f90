// Signed integers of few bits.
#pragma once

#include <cstdint>

namespace unshade {

/// The value of the lowest `width` bits, 1 to 64, as a signed integer; bits above are ignored.
constexpr std::int64_t sign_extended(std::uint64_t bits, unsigned width) {
  const unsigned unused = 64 - width;
  return static_cast<std::int64_t>(bits << unused) >> unused;
}

}  // namespace unshade

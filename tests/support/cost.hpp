// What looking at a file may cost.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <string>

#include "fuzz/properties.hpp"
#include "support/memory.hpp"

namespace unshade::test {

/// Memory at once: as many times the file as the property says, and this much more for the fixed costs of small files.
inline constexpr std::size_t kMemoryBase = std::size_t{1} << 20;

/// Of one property of one file: a bound on what hangs, far above what it takes. Sanitizers make everything several times slower.
#ifdef __SANITIZE_ADDRESS__
inline constexpr double kSeconds = 8.0;
#else
inline constexpr double kSeconds = 1.0;
#endif

struct Cost {
  double seconds = 0;
  double memory = 0;  ///< share of what is allowed
};

/// Every property of the file, within a second and the memory allowed each. Returns the worst of them.
inline Cost expect_properties_at_fair_cost(View file, const std::string& what) {
  using Clock = std::chrono::steady_clock;
  Cost worst;
  for (const auto& property : fuzz::properties()) {
    const std::size_t before = live_bytes();
    reset_peak();
    const auto start = Clock::now();
    const std::string fault = property.holds(file);
    const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
    const std::size_t taken = peak_bytes() - before;
    const std::size_t allowed = property.memory_per_byte * file.size() + kMemoryBase;
    EXPECT_EQ(fault, "") << property.name << ": " << what;
    EXPECT_LT(seconds, kSeconds) << property.name << ": " << what;
    EXPECT_LE(taken, allowed) << property.name << ": " << what << ", a file of " << file.size() << " bytes";
    worst.seconds = std::max(worst.seconds, seconds);
    worst.memory = std::max(worst.memory, static_cast<double>(taken) / static_cast<double>(allowed));
  }
  return worst;
}

}  // namespace unshade::test

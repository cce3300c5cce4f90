// What looking at a file may cost.
#pragma once

#include <gtest/gtest.h>

#include <time.h>

#include <algorithm>
#include <exception>
#include <string>
#include <vector>

#include <unshade/dxcontainer/digest.hpp>

#include "fuzz/properties.hpp"
#include "support/memory.hpp"

namespace unshade::test {

/// Memory at once: as many times the file as the property says, and this much more for the fixed costs of small files.
inline constexpr std::size_t kMemoryBase = std::size_t{1} << 20;

/// Processor time of this thread, in seconds.
inline double processor_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// What an MD5 of 8 MiB takes in this build on this machine: the measure for what a property may take. So a slow machine, a sanitizer
/// or a build without optimisation moves both, and only a cost that is out of proportion stands out.
inline double digest_seconds() {
  static const double seconds = [] {
    const std::vector<std::byte> bytes(std::size_t{8} << 20);
    const double start = processor_seconds();
    EXPECT_NE(dxcontainer::md5(View(bytes)), dxcontainer::Digest{});
    return processor_seconds() - start;
  }();
  return seconds;
}

/// Of one property of one file, in digests of 8 MiB each: a bound on what hangs, far above what any takes. Allocations take longer under
/// wine, digests do not.
#ifdef _WIN32
inline constexpr double kDigests = 600;
#else
inline constexpr double kDigests = 150;
#endif

struct Cost {
  double time = 0;    ///< share of what is allowed
  double memory = 0;  ///< share of what is allowed
};

/// Every property of the file, within the time and the memory allowed each. Returns the worst of them.
inline Cost expect_properties_at_fair_cost(View file, const std::string& what) {
  Cost worst;
  const double allowed_seconds = kDigests * digest_seconds();
  for (const auto& property : fuzz::properties()) {
    const std::size_t before = live_bytes();
    reset_peak();
    const double start = processor_seconds();
    std::string fault;
    try {
      fault = property.holds(file);
    } catch (const std::exception& thrown) {
      fault = std::string("it throws ") + thrown.what();
    }
    const double time = (processor_seconds() - start) / allowed_seconds;
    const std::size_t taken = peak_bytes() - before;
    const std::size_t allowed = property.memory_per_byte * file.size() + kMemoryBase;
    EXPECT_EQ(fault, "") << property.name << ": " << what;
    EXPECT_LT(time, 1) << property.name << ": " << what;
    EXPECT_LE(taken, allowed) << property.name << ": " << what << ", a file of " << file.size() << " bytes";
    worst.time = std::max(worst.time, time);
    worst.memory = std::max(worst.memory, static_cast<double>(taken) / static_cast<double>(allowed));
  }
  return worst;
}

}  // namespace unshade::test

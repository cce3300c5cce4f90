// Which random programs a test tries. UNSHADE_RANDOM_PROGRAMS=1000000 makes it a long run, and UNSHADE_RANDOM_FIRST=N a piece of one that
// begins with seed N.
#pragma once

#include <cstdint>
#include <cstdlib>

namespace unshade::vm::test {

/// Seeds from `first` up to `end`.
struct RandomSeeds {
  std::uint32_t first, end;

  /// `standard`: programs, if the environment asks for no other number.
  explicit RandomSeeds(std::uint32_t standard)
      : first(from_environment("UNSHADE_RANDOM_FIRST", 0)), end(first + from_environment("UNSHADE_RANDOM_PROGRAMS", standard)) {}

 private:
  static std::uint32_t from_environment(const char* name, std::uint32_t standard) {
    const char* const wanted = std::getenv(name);
    return wanted == nullptr ? standard : static_cast<std::uint32_t>(std::strtoul(wanted, nullptr, 10));
  }
};

}  // namespace unshade::vm::test

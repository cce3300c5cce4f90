#include <unshade/find/sketch.hpp>

#include <algorithm>
#include <limits>
#include <utility>

namespace unshade::find {

namespace {

/// Mixes all bits of a number. src: Steele, Lea, Flood, Fast splittable pseudorandom number generators, 2014 (SplitMix64)
constexpr std::uint64_t mixed(std::uint64_t x) {
  x = (x ^ x >> 30) * 0xbf58'476d'1ce4'e5b9;
  x = (x ^ x >> 27) * 0x94d0'49bb'1331'11eb;
  return x ^ x >> 31;
}

constexpr std::uint64_t kGolden = 0x9e37'79b9'7f4a'7c15;
/// Runs whose steps are taken side by side, since each step waits for the one before.
constexpr std::size_t kAtOnce = 8;
/// Of so many runs it is known that they were there: the same again changes nothing.
constexpr std::size_t kKnownRuns = 256;

using Least = std::array<std::uint64_t, kSketchHashes>;

/// One more step for each hash function.
void take(std::array<std::uint64_t, kAtOnce> runs, Least& least) {
  for (std::uint64_t& value : least) {
    for (std::uint64_t& run : runs) {
      run = mixed(run + kGolden);
      value = std::min(value, run);
    }
  }
}

}  // namespace

Sketch sketch_of(std::span<const std::uint32_t> opcodes) {
  Least least;
  least.fill(std::numeric_limits<std::uint64_t>::max());
  std::array<std::uint64_t, kKnownRuns> known;
  for (std::size_t i = 0; i < kKnownRuns; ++i) known[i] = i ^ 1;  // which belongs elsewhere
  std::array<std::uint64_t, kAtOnce> values{};
  std::size_t held = 0;
  const std::size_t runs = opcodes.size() < kGram ? 1 : opcodes.size() - kGram + 1;
  for (std::size_t at = 0; at < runs; ++at) {
    std::uint64_t value = 0;
    for (const std::uint32_t opcode : opcodes.subspan(at, std::min(kGram, opcodes.size()))) value = mixed(value + kGolden + opcode);
    if (std::exchange(known[value % kKnownRuns], value) == value) continue;
    values[held++] = value;
    if (held != kAtOnce) continue;
    take(values, least);
    held = 0;
  }
  if (held != 0) {
    // the first one again, where there are fewer
    std::fill(values.begin() + static_cast<std::ptrdiff_t>(held), values.end(), values[0]);
    take(values, least);
  }
  Sketch sketch;
  for (std::size_t i = 0; i < kSketchHashes; ++i) sketch[i] = static_cast<std::uint16_t>(least[i] & 0xffff);
  return sketch;
}

double similarity(const Sketch& a, const Sketch& b) {
  std::size_t same = 0;
  for (std::size_t i = 0; i < kSketchHashes; ++i) same += a[i] == b[i] ? 1 : 0;
  return static_cast<double>(same) / static_cast<double>(kSketchHashes);
}

}  // namespace unshade::find

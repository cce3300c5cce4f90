#include <unshade/find/sketch.hpp>

#include <algorithm>
#include <limits>

namespace unshade::find {

namespace {

/// Mixes all bits of a number. src: Steele, Lea, Flood, Fast splittable pseudorandom number generators, 2014 (SplitMix64)
constexpr std::uint64_t mixed(std::uint64_t x) {
  x = (x ^ x >> 30) * 0xbf58'476d'1ce4'e5b9;
  x = (x ^ x >> 27) * 0x94d0'49bb'1331'11eb;
  return x ^ x >> 31;
}

/// Runs whose steps are taken side by side, since each step waits for the one before.
constexpr std::size_t kAtOnce = 8;

}  // namespace

Sketch sketch_of(std::span<const std::uint32_t> opcodes) {
  std::array<std::uint64_t, kSketchHashes> least;
  least.fill(std::numeric_limits<std::uint64_t>::max());
  const std::size_t runs = opcodes.size() < kGram ? 1 : opcodes.size() - kGram + 1;
  for (std::size_t first = 0; first < runs; first += kAtOnce) {
    const std::size_t count = std::min(kAtOnce, runs - first);
    std::array<std::uint64_t, kAtOnce> values{};
    for (std::size_t i = 0; i < kAtOnce; ++i) {
      // the last one again, where there are fewer
      const std::size_t at = first + std::min(i, count - 1);
      for (const std::uint32_t opcode : opcodes.subspan(at, std::min(kGram, opcodes.size())))
        values[i] = mixed(values[i] + 0x9e37'79b9'7f4a'7c15 + opcode);
    }
    // one more step for each hash function
    for (std::uint64_t& value : least) {
      for (std::uint64_t& run : values) {
        run = mixed(run + 0x9e37'79b9'7f4a'7c15);
        value = std::min(value, run);
      }
    }
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

// Nanoseconds a lane of the numeric rules, 16 lanes at a time, on each instruction set that the interpreter has: items_per_second is lanes.
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include <benchmark/benchmark.h>

#include "numeric_kernels.hpp"

namespace unshade::bench {
namespace {

// Operands of a type: numbers that most functions have results for.
std::vector<std::byte> operands(std::string_view type, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<std::byte> bytes;
  const auto append = [&](const auto& value) {
    const auto raw = std::bit_cast<std::array<std::byte, sizeof value>>(value);
    bytes.insert(bytes.end(), raw.begin(), raw.end());
  };
  for (std::size_t i = 0; i < kNumericLanes; ++i) {
    const double number = std::uniform_real_distribution(0.01, 0.99)(random);
    if (type == "f64") append(number);
    if (type == "f32") append(static_cast<float>(number));
    if (type == "f16" || type == "f24") append(static_cast<float>(std::round(number * 512) / 512));
    if (type == "i32") append(static_cast<std::uint32_t>(random() >> random() % 31));
    if (type == "i64") append(static_cast<std::uint64_t>(random()) << 20 | 1);
  }
  return bytes;
}

void add(const char* isa, NumericKernels kernels) {
  for (std::size_t i = 0; i < kernels.count; ++i) {
    const NumericKernel& kernel = kernels.first[i];
    benchmark::RegisterBenchmark((std::string("numeric/") + isa + "/" + kernel.name).c_str(), [&kernel](benchmark::State& state) {
      const std::string_view name = kernel.name;
      const auto type = name.substr(name.find(' ') + 1);
      const auto a = operands(type, 1);
      const auto b = operands(type, 2);
      std::vector<std::byte> result(a.size());
      for (auto step : state) {
        kernel.run(a.data(), b.data(), result.data());
        benchmark::ClobberMemory();
      }
      const auto lanes = static_cast<double>(state.iterations()) * kNumericLanes;
      state.SetItemsProcessed(static_cast<std::int64_t>(lanes));
      state.counters["ns_per_lane"] = benchmark::Counter(lanes * 1e-9, benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
    });
  }
}

const bool kAdded = [] {
  add("sse2", numeric_kernels_sse2());
  if (__builtin_cpu_supports("avx2")) add("avx2", numeric_kernels_avx2());
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl"))
    add("avx512", numeric_kernels_avx512());
  return true;
}();

}  // namespace
}  // namespace unshade::bench

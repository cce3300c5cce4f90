// Loops over rules of numeric, compiled for each instruction set from numeric_kernels.inl.
#pragma once

#include <cstddef>

namespace unshade::bench {

inline constexpr std::size_t kNumericLanes = 1024;

struct NumericKernel {
  const char* name;
  void (*run)(const void* a, const void* b, void* result);  // kNumericLanes lanes each
};
struct NumericKernels {
  const NumericKernel* first;
  std::size_t count;
};
NumericKernels numeric_kernels_sse2();
NumericKernels numeric_kernels_avx2();
NumericKernels numeric_kernels_avx512();

}  // namespace unshade::bench

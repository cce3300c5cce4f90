#include "numeric_kernels.inl"

namespace unshade::bench {
NumericKernels numeric_kernels_avx512() { return {kKernels, sizeof kKernels / sizeof kKernels[0]}; }
}  // namespace unshade::bench

// The kernels that this build has, and of these what the machine can run.
#include <unshade/vm/machine.hpp>

#include "vm/program.hpp"

namespace unshade::vm {

extern const Kernel* const kKernels_narrow;
extern const RowFunctions kRows_least;
#if defined(__SSE2__)
// The processor flushes denormals while a program runs that asks for it.
extern const Kernel* const kKernels_sse2;
#else
extern const Kernel* const kKernels_portable;
extern const Kernel* const kKernels_flushing;
extern const Kernel* const kKernels_narrow_flushing;
#endif
#if defined(UNSHADE_HAS_AVX_KERNELS)
extern const Kernel* const kKernels_avx2;
extern const Kernel* const kKernels_avx512;
extern const RowFunctions kRows_avx2;
extern const RowFunctions kRows_avx512;
#endif

namespace {

#if defined(__SSE2__)
constexpr Isa kLeast = Isa::sse2;
#else
constexpr Isa kLeast = Isa::portable;
#endif

bool runs(Isa isa) {
#if defined(UNSHADE_HAS_AVX_KERNELS)
  if (isa == Isa::avx2) return __builtin_cpu_supports("avx2") != 0;
  if (isa == Isa::avx512)
    return __builtin_cpu_supports("avx512f") != 0 && __builtin_cpu_supports("avx512dq") != 0 && __builtin_cpu_supports("avx512bw") != 0 &&
           __builtin_cpu_supports("avx512vl") != 0;
#endif
  return isa == kLeast;
}

}  // namespace

std::string_view id(Isa isa) {
  switch (isa) {
    case Isa::portable: return "portable";
    case Isa::sse2: return "sse2";
    case Isa::avx2: return "avx2";
    default: return "avx512";
  }
}

std::vector<Isa> available_isas() {
  std::vector<Isa> found;
  for (const Isa isa : {kLeast, Isa::avx2, Isa::avx512}) {
    if (runs(isa)) found.push_back(isa);
  }
  return found;
}

const Kernel* kernels_of(Isa isa, [[maybe_unused]] bool flushes) {
  if (!runs(isa)) return nullptr;
#if defined(UNSHADE_HAS_AVX_KERNELS)
  if (isa == Isa::avx2) return kKernels_avx2;
  if (isa == Isa::avx512) return kKernels_avx512;
#endif
#if defined(__SSE2__)
  return kKernels_sse2;
#else
  return flushes ? kKernels_flushing : kKernels_portable;
#endif
}

const RowFunctions& row_functions([[maybe_unused]] Isa isa) {
#if defined(UNSHADE_HAS_AVX_KERNELS)
  if (isa == Isa::avx2) return kRows_avx2;
  if (isa == Isa::avx512) return kRows_avx512;
#endif
  return kRows_least;
}

const Kernel* narrow_kernels([[maybe_unused]] bool flushes) {
#if !defined(__SSE2__)
  if (flushes) return kKernels_narrow_flushing;
#endif
  return kKernels_narrow;
}

}  // namespace unshade::vm

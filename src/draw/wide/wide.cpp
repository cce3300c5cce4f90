#include "draw/wide/wide.hpp"

namespace unshade::draw::wide {

extern const Functions kFunctions_least;
#if defined(UNSHADE_HAS_AVX_KERNELS)
extern const Functions kFunctions_avx2;
#endif

Available available_functions() {
  Available made{{&kFunctions_least, nullptr}, 1};
#if defined(UNSHADE_HAS_AVX_KERNELS)
  if (__builtin_cpu_supports("avx2") != 0) made.of[made.count++] = &kFunctions_avx2;
#endif
  return made;
}

const Functions& functions() {
  static const Available available = available_functions();
  return *available.of[available.count - 1];
}

}  // namespace unshade::draw::wide

// The same for programs that flush denormals of f32, which these processors do not by themselves.
#define UNSHADE_FLUSH_DENORMALS
#define UNSHADE_KERNELS kKernels_flushing
#include "vm/kernels.inl"

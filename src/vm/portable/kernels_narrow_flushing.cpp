// The same for waves of few lanes.
#define UNSHADE_FLUSH_DENORMALS
#define UNSHADE_KERNELS kKernels_narrow_flushing
#define UNSHADE_KERNEL_LANES kNarrow
#include "vm/kernels.inl"

// Kernels of waves of few lanes, for the least instruction set.
#define UNSHADE_KERNELS kKernels_narrow
#define UNSHADE_KERNEL_LANES kNarrow
#include "vm/kernels.inl"

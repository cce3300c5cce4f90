// Kernels of an instruction set: sse2.
#define UNSHADE_KERNELS kKernels_sse2
#include "vm/kernels.inl"

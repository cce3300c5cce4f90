// Kernels of an instruction set: avx2.
#define UNSHADE_KERNELS kKernels_avx2
#include "vm/kernels.inl"

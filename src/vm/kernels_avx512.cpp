// Kernels of an instruction set: avx512.
#define UNSHADE_KERNELS kKernels_avx512
#include "vm/kernels.inl"

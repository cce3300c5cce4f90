// Kernels of processors other than x86, in vectors of 16 bytes if they have them.
#define UNSHADE_KERNELS kKernels_portable
#include "vm/kernels.inl"

// Sampling of many lanes at once: avx512.
#define UNSHADE_WIDE kWide_avx512
#include "vm/sampling/wide.inl"

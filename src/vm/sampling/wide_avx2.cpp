// Sampling of many lanes at once: avx2.
#define UNSHADE_WIDE kWide_avx2
#include "vm/sampling/wide.inl"

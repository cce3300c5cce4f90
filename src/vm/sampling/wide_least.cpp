// Sampling of many lanes at once, for the least instruction set.
#define UNSHADE_WIDE kWide_least
#include "vm/sampling/wide.inl"

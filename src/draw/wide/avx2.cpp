// Fragments of four pixels at once: avx2.
#define UNSHADE_WIDE kFunctions_avx2
#include "draw/wide/wide.inl"

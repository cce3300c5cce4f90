// Rows of many lanes at once: avx2.
#define UNSHADE_ROWS kRows_avx2
#include "vm/memory/rows.inl"

// Rows of many lanes at once: avx512.
#define UNSHADE_ROWS kRows_avx512
#include "vm/memory/rows.inl"

// Rows of many lanes at once, for the least instruction set.
#define UNSHADE_ROWS kRows_least
#include "vm/memory/rows.inl"

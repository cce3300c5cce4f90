// Fragments of four pixels at once, for the least instruction set.
#define UNSHADE_WIDE kFunctions_least
#include "draw/wide/wide.inl"

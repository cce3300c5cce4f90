// Recordings of kernels that leave denormals to the processor's mode.
#define UNSHADE_RECORDED
#define UNSHADE_RECORDINGS kRecordings_by_mode
#include "vm/recorded/record.inl"

// Recordings of kernels that flush denormals of f32 by themselves.
#define UNSHADE_RECORDED
#define UNSHADE_FLUSH_DENORMALS
#define UNSHADE_RECORDINGS kRecordings_by_rules
#include "vm/recorded/record.inl"

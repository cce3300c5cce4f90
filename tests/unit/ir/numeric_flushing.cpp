// The rules that flush denormals of f32 where the processor cannot.
#define UNSHADE_FLUSH_DENORMALS
#include "unit/ir/numeric_results.inl"

namespace unshade::ir::numeric {
void run_flushing(const Inputs& inputs, const Results& results) { Runner<16>{inputs, results}.all(); }
}  // namespace unshade::ir::numeric

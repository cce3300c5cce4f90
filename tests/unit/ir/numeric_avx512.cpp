#include "unit/ir/numeric_results.inl"

namespace unshade::ir::numeric {
void run_avx512(const Inputs& inputs, const Results& results) { Runner<16>{inputs, results}.all(); }
}  // namespace unshade::ir::numeric

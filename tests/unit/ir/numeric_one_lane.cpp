#include "unit/ir/numeric_results.inl"

namespace unshade::ir::numeric {
void run_one_lane(const Inputs& inputs, const Results& results) { Runner<1>{inputs, results}.all(); }
}  // namespace unshade::ir::numeric

// Statistics of a token program as fxc counts them.
#pragma once

#include <unshade/dxbc/program.hpp>
#include <unshade/dxbc/statistics.hpp>

#include "dxbc/listing/fxc_style.hpp"
#include "dxbc/program/facts.hpp"

namespace unshade::dxbc {

/// A recount of everything. `facts` are those of the same program; what some counts take in changed with the compiler's versions.
Statistics count_statistics(const Program& program, const ProgramFacts& facts, FxcEra era);

}  // namespace unshade::dxbc

// Statistics of a token program as fxc counts them.
#pragma once

#include <unshade/dxbc/program/facts.hpp>
#include <unshade/dxbc/statistics.hpp>

#include "dxbc/listing/fxc_style.hpp"

namespace unshade::dxbc::assembler {

/// What STAT holds of a program. What some counts take in changed with the compiler's versions.
Statistics statistics_of(const program::ProgramFacts& facts, listing::FxcEra era);

}  // namespace unshade::dxbc::assembler

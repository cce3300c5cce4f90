// A module for reflection that lags behind its program: what runtimes go by wins.
#pragma once

#include <unshade/dxil/metadata.hpp>
#include <unshade/dxil/psv.hpp>
#include <unshade/dxil/rdat.hpp>

namespace unshade::shader::reflection {

/// Whether PSV0 or RDAT, which are read anyway, state registers, elements or properties of entry points otherwise than a module does.
/// Either may be null.
bool states_otherwise(const dxil::ProgramMetadata& reflection, const dxil::Psv* psv, const dxil::Rdat* rdat);

/// Gives resources the registers that the program has for the same class and id.
void take_registers(dxil::ProgramMetadata& reflection, const dxil::ProgramMetadata& program);

}  // namespace unshade::shader::reflection

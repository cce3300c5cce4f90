// The header before bitcode, by what its metadata say.
#pragma once

#include <unshade/dxil/metadata.hpp>
#include <unshade/dxil/parts.hpp>

namespace unshade::dxil::parts {

/// Sets what `dx.version` and `dx.shaderModel` say.
void set_versions(Program& program, const ProgramMetadata& metadata);
/// A program part as dxc writes it.
Program program_of(const ProgramMetadata& metadata, View bitcode);

}  // namespace unshade::dxil::parts

// Execution modes of SPIR-V in the reflection model: as texts, and as what they say of a stage.
#pragma once

#include <unshade/shader/reflection.hpp>
#include <unshade/spirv/interface.hpp>

namespace unshade::shader::reflection {

/// Fills what modes give. The entry point has its stage, inputs and outputs.
void add_modes(const spirv::Interface& module, const spirv::EntryPoint& from, EntryPoint& entry);

}  // namespace unshade::shader::reflection

// The uniforms of an executable with their constants, and its signatures.
#pragma once

#include <unshade/ir/module.hpp>
#include <unshade/pica/shbin.hpp>

namespace unshade::ir::lower_pica {

/// Adds the resource of the uniforms, and the elements of inputs and outputs.
void describe_interface(const pica::Executable& executable, Module& module);

}  // namespace unshade::ir::lower_pica

// The uniforms of an executable with their constants, and its signatures.
#pragma once

#include <cstdint>
#include <map>

#include <unshade/ir/module.hpp>
#include <unshade/pica/shbin.hpp>

namespace unshade::ir::lower_pica {

/// The words of the uniforms that an executable gives itself, by their bytes in the constant buffer.
std::map<std::uint32_t, std::uint32_t> given_words(const pica::Executable& executable);

/// Adds the resource of the uniforms, and the elements of inputs and outputs.
void describe_interface(const pica::Executable& executable, Module& module);

}  // namespace unshade::ir::lower_pica

// What assembling a text and putting it into a container have in common.
#pragma once

#include <string_view>

#include <unshade/dxil/assemble.hpp>

namespace unshade::dxil {

/// Bitcode, or a message. `module` is what was read; `like` as for parse_module_text().
Assembly assemble_module(std::string_view text, Module& module, const Module* like);
Assembly failed_assembly(const Error& error);

}  // namespace unshade::dxil

// What assembling a text and putting it into a container have in common.
#pragma once

#include <string_view>
#include <vector>

#include <unshade/dxil/assemble.hpp>

#include "dxil/listing/comments.hpp"

namespace unshade::dxil::assembler {

/// Bitcode, or a message. `module` is what was read; `like` as for parse_module_text(); `comments`: gets those of the text, or null.
Assembly assemble_module(std::string_view text, Module& module, const Module* like,
                         std::vector<listing::PlacedComment>* comments = nullptr);
/// parse_module_text(), and the comments of the text.
bool parse_commented_text(std::string_view text, Module& module, Message& message, const Module* like,
                          std::vector<listing::PlacedComment>* comments);
Assembly failed_assembly(const Error& error);

}  // namespace unshade::dxil::assembler

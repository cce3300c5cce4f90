// DXIL text back to bitcode: LLVM 3.7's assembly language as dxc prints it, and bitcode as dxc writes it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include <unshade/core/message.hpp>
#include <unshade/core/result.hpp>
#include <unshade/dxcontainer/container.hpp>
#include <unshade/dxil/module.hpp>

namespace unshade::dxil {

/// The rule of warnings: a comment of the listing's own form says something else than the program, so one of both was edited. Errors have
/// the id of an error code: bad_value for what is not the language, missing for what is referred to and not defined, limit, unsupported.
inline constexpr std::string_view kCommentRule = "as.comment-differs";

/// The module that a text describes, numbered in the order of the text; constants of functions are among those of the module.
/// Stops at the first error, which `message` describes. `like`: a module that the text is about, or null. What a text cannot say and does
/// not state in the comments of an exact listing is then as it is there: the list of metadata kinds, and which flags are beside `fast`.
bool parse_module_text(std::string_view text, Module& module, Message& message, const Module* like = nullptr);

/// Bitcode of a module that parse_module_text made: values, types, attributes and metadata numbered and abbreviated as dxc's writer does.
/// Errors: limit; bad_value for a module that contradicts itself.
Result<std::vector<std::byte>> write_module(const Module& module);

/// Bitcode of a text. docs/reference/texts/dxil.md says what of it matters. Comments of a listing that do not fit the program are warned
/// of.
Assembly assemble(std::string_view text);

/// A container for the program of a text: make_container() of <unshade/dxil/derive.hpp>.
Assembly assemble_container(std::string_view text);

/// A container with the program of the text in place of the one that its listing shows: ILDB, or DXIL if there is none. What the text
/// does not say is as it was there, and a text that says what the program did leaves its very bits. The header before the bitcode says
/// what `dx.version` and `dx.shaderModel` do. Beside ILDB, DXIL is made anew by stripping it; without debug information in the text, DXIL
/// alone is replaced and ILDB goes. HASH, the name of the debug file and the container's digest follow. Comments of the listing have to be
/// those of the program that was there, or of the one that comes: an edited one is an error, as nothing reads it.
Assembly assemble_into(std::string_view text, const dxcontainer::Container& container);

}  // namespace unshade::dxil

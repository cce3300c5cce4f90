// DXIL text back to bitcode: LLVM 3.7's assembly language as dxc prints it, and bitcode as dxc writes it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <unshade/core/result.hpp>
#include <unshade/dxcontainer/container.hpp>
#include <unshade/dxil/module.hpp>

namespace unshade::dxil {

/// What is wrong with a text. Reading stops at the first fault; warnings stand beside a program.
struct AssemblerMessage {
  ErrorCode code = ErrorCode::bad_value;  ///< bad_value: not the language; missing: what is referred to is nowhere; limit; unsupported
  std::uint32_t line = 0;                 ///< from 1; 0: the text as a whole
  std::uint32_t column = 0;               ///< from 1, in bytes
  std::string text;                       ///< one sentence: what was expected, what was found
  bool is_warning = false;                ///< of the rule kCommentRule: the text is assembled
};

/// A comment of the listing's own form says something else than the program: somebody edited the one and not the other.
inline constexpr std::string_view kCommentRule = "as.comment-differs";

/// `3:14: error[bad-value]: text`, without the file's name in front.
std::string to_string(const AssemblerMessage& message);

struct Assembly {
  bool ok = false;
  std::vector<std::byte> file;  ///< bitcode, or the container it was put into
  std::vector<AssemblerMessage> messages;
  std::vector<std::string> notes;  ///< what the user should know of what came out; sentences without a full stop
};

/// The module that a text describes, numbered in the order of the text; constants of functions stand among those of the module.
/// `message` says what is wrong if there is none. `like`: a module that the text is about, or null. What a text cannot say and does not
/// state in the comments of an exact listing is then as it is there: the list of metadata kinds, and which flags stand beside `fast`.
bool parse_module_text(std::string_view text, Module& module, AssemblerMessage& message, const Module* like = nullptr);

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

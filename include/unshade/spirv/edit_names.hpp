// Other names and other bindings in a SPIR-V module. What an edit is not about stays, word for word, in the byte order of the file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <unshade/core/result.hpp>
#include <unshade/spirv/module.hpp>

namespace unshade::spirv {

/// What comes of an edit.
struct ModuleEdit {
  std::vector<std::byte> bytes;    ///< the whole module
  std::vector<std::string> notes;  ///< what could not follow, and why that does no harm
};

/// What gets another name.
enum class Named : std::uint8_t {
  entry,     ///< an entry point; OpName of its function follows if it is the same
  input,     ///< a variable or block member that is taken in; semantics of HLSL too
  output,    ///< one that is given out
  patch,     ///< either, with Patch
  resource,  ///< a variable with a binding, a push constant block; the block's name follows if it is made of the variable's
  variable,  ///< a member of such a block, or of a struct inside of it if the block has none so called; a specialization constant
};

struct Rename {
  Named what = Named::resource;
  /// Members: `block.member` by the name of the variable or its type, or `member` if one block has it. `_12` for an id that has no name.
  /// An entry point: empty for the only one.
  std::string_view from;
  std::string_view to;
};

/// All at once, so that two may change names. `found`, if it is given, gets a bit for each request.
/// Errors: missing if nothing has the name and nobody wants to know of `found`; bad_value if a name is taken or empty, or it is
/// that of a built-in; limit, for a name that no instruction has room for.
Result<ModuleEdit> rename(const Module& module, std::span<const Rename> renames, std::vector<bool>* found = nullptr);

/// Gives what is bound at a binding another one: all variables there, aliases of each other.
struct Rebind {
  std::uint32_t from = 0;
  std::uint32_t from_set = 0;
  std::uint32_t to = 0;
  std::optional<std::uint32_t> to_set;  ///< absent: stays
};

/// All at once, so that two may change places. A variable without a set is in set 0, and gets one if it leaves that.
/// Errors: missing if nothing is bound there; bad_value if something else is bound already; unsupported if a decoration group
/// says the binding.
Result<ModuleEdit> rebind(const Module& module, std::span<const Rebind> rebinds);

}  // namespace unshade::spirv

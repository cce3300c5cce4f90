// Other names and other bindings in a SPIR-V module. What an edit is not about stays, word for word, in the byte order of the file.
#pragma once

#include <span>
#include <vector>

#include <unshade/core/edit.hpp>
#include <unshade/core/result.hpp>
#include <unshade/spirv/module.hpp>

namespace unshade::spirv {

using unshade::Edited;
using unshade::NameKind;
using unshade::Rebind;
using unshade::Rename;

/// entry: OpName of its function follows if it is the same. input, output: a variable or block member, semantics of HLSL too. patch:
/// either, with Patch. resource: a variable with a binding, a push constant block; the block's name follows if it is made of the
/// variable's. variable: a member of such a block, or of a struct inside of it if the block has none so called; a specialization constant.
/// Members are `block.member` by the name of the variable or its type, or `member` if one block has it. `_12` is an id that has no name.
/// All at once, so that two may change names. `found`, if it is given, gets a bit for each request.
/// Errors: missing if nothing has the name and nobody wants to know of `found`; bad_value if a name is taken or empty, or it is
/// that of a built-in; unsupported for nodes; limit, for a name that no instruction has room for.
Result<Edited> rename(const Module& module, std::span<const Rename> renames, std::vector<bool>* found = nullptr);

/// Moves all variables that are bound at a binding, aliases of each other. The kind is 0, spaces are sets.
/// All at once, so that two may change places. A variable without a set is in set 0, and gets one if it leaves that.
/// Errors: missing if nothing is bound there; bad_value if something else is bound already; unsupported if a decoration group
/// says the binding.
Result<Edited> rebind(const Module& module, std::span<const Rebind> rebinds);

}  // namespace unshade::spirv

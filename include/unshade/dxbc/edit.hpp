// Edits of a container's DXBC parts: other names, other registers. They give parts, not files: whoever writes the container puts them in
// (dxcontainer/edit.hpp). What an edit is not about stays as it is, byte for byte.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <unshade/core/edit.hpp>
#include <unshade/core/result.hpp>
#include <unshade/dxcontainer/container.hpp>
#include <unshade/dxcontainer/edit.hpp>

namespace unshade::dxbc {

using dxcontainer::EditedPart;
using dxcontainer::PartEdits;

using unshade::NameKind;
using unshade::Rebind;
using unshade::Rename;

/// Of semantics `from` has the index, or none for all of the name; letters count alike. Of variables it is `name`, or `buffer.name`; of
/// arrays of resources one element (`tex[1]`), or `tex` for all.
/// All at once, so that two may change names. Places are those that fxc would give the texts, if the part was laid out so; else what is
/// new follows the rest.
/// Errors: missing if nothing has the name; bad_value if a name would be duplicate, has no form that HLSL knows, or is that of a
/// system value; unsupported for entry points and nodes, of which these parts name none; those of the parts' parsers.
Result<PartEdits> rename(const dxcontainer::Container& container, std::span<const Rename> renames);

/// Ranges move whole and are named by their first register.
/// All at once, so that two may change places: in declarations, in the operands of all instructions, in RDEF, the level 9 part, and what
/// the instances of linked classes are bound to (IFCE).
/// Errors: missing if no range begins there; bad_value if two ranges would overlap, for registers that the shader model does not
/// have, and for spaces before 5.1; unsupported if a register is indexed by a class instance and nothing tells of classes, and if
/// textures of one instance would part.
Result<PartEdits> rebind(const dxcontainer::Container& container, std::span<const Rebind> rebinds);

}  // namespace unshade::dxbc

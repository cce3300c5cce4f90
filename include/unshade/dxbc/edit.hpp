// Edits of a container's DXBC parts: other names, other registers. They give parts, not files: whoever writes the container puts them in
// (dxcontainer/edit.hpp). What an edit is not about stays as it is, byte for byte.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <unshade/core/result.hpp>
#include <unshade/dxcontainer/container.hpp>
#include <unshade/dxcontainer/edit.hpp>

namespace unshade::dxbc {

using dxcontainer::EditedPart;
using dxcontainer::NameKind;
using dxcontainer::PartEdits;

struct Rename {
  NameKind what = NameKind::resource;
  /// Semantics: with their index, or without it for all of the name; letters count alike. Variables: `name`, or `buffer.name`. Arrays of
  /// resources: one element (`tex[1]`), or `tex` for all.
  std::string_view from;
  std::string_view to;  ///< a semantic without digits at its end keeps the index
};

/// All at once, so that two may change names. Places are those that fxc would give the texts, if the part was laid out so; else what is
/// new follows the rest.
/// Errors: missing if nothing has the name; bad_value if a name would stand twice, has no form that HLSL knows, or is that of a
/// system value; unsupported for entry points and nodes, of which these parts name none; those of the parts' parsers.
Result<PartEdits> rename(const dxcontainer::Container& container, std::span<const Rename> renames);

/// Gives what is bound at a register another one. Ranges move whole and are named by their first register.
struct Rebind {
  char letter = 't';  ///< `t`, `s`, `u`, `b`
  std::uint32_t from = 0;
  std::uint32_t from_space = 0;
  std::uint32_t to = 0;
  std::optional<std::uint32_t> to_space;  ///< absent: stays
};

/// All at once, so that two may change places: in declarations, in the operands of all instructions, in RDEF, the level 9 part, and what
/// the instances of linked classes are bound to (IFCE).
/// Errors: missing if no range begins there; bad_value if two ranges would overlap, for registers that the shader model does not
/// have, and for spaces before 5.1; unsupported if a register is indexed by a class instance and nothing tells of classes, and if
/// textures of one instance would part.
Result<PartEdits> rebind(const dxcontainer::Container& container, std::span<const Rebind> rebinds);

}  // namespace unshade::dxbc

// Other names and other uniform registers in SHBIN files. Programs share their code between executables, so edits are of the whole file.
#pragma once

#include <span>
#include <string>
#include <vector>

#include <unshade/core/edit.hpp>
#include <unshade/core/result.hpp>
#include <unshade/pica/shbin.hpp>

namespace unshade::pica {

using unshade::Rebind;
using unshade::Rename;

/// Entry points are labels: an empty `from` is that of the only executable's entry. Inputs are named with a register's number, or without;
/// uniforms are resources and variables alike.
/// In all executables that have the name; all at once, so that two may change names. A name that is as long as the old one takes its place
/// in the table of texts; another makes the writer lay the file out anew, as picasso does. Returns whether anything changed.
/// Errors: missing if nothing has the name; bad_value if it is taken, is none, or is the second for one thing; unsupported for outputs and
/// nodes.
Result<bool> rename(Shbin& shbin, std::span<const Rename> renames);
Result<bool> rename(Object& object, std::span<const Rename> renames);

/// Uniform registers, which have no spaces. What has a name moves whole, and is named by its first register.
/// All at once, so that two may change places: in the uniform records, constants, operands of all instructions, and the place of a fixed
/// geometry shader's vertices. These move whole too, up to the next register with a name or a value: no file says how many registers a
/// vertex has. `notes`: what may have escaped, such as indexes that reach beyond a name's registers. Errors: missing if nothing uses the
/// register; bad_value if two would overlap, or lie beyond the last register; unsupported for registers that the hardware always writes
/// (b15 and the vertices of variable geometry shaders), and that it may write (geometry shaders' objects).
Result<bool> rebind(Shbin& shbin, std::span<const Rebind> rebinds, std::vector<std::string>& notes);
Result<bool> rebind(Object& object, std::span<const Rebind> rebinds, std::vector<std::string>& notes);

}  // namespace unshade::pica

// Other names and other uniform registers in SHBIN files. Programs share their code between executables, so edits are of the whole file.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <unshade/core/result.hpp>
#include <unshade/pica/shbin.hpp>

namespace unshade::pica {

/// What gets another name.
enum class Named : std::uint8_t {
  label,    ///< entry points among them
  input,    ///< a name of v registers
  uniform,  ///< a name of c, i or b registers
};

struct Rename {
  Named what = Named::uniform;
  std::string_view from;  ///< of a label: empty for that of the only executable's entry; of an input: with a register's number, or without
  std::string_view to;
};

/// In all executables that have the name; all at once, so that two may change names. A name that is as long as the old one takes its place
/// in the table of texts; another makes the writer lay the file out anew, as picasso does. Returns whether anything changed.
/// Errors: missing if nothing has the name; bad_value if it is taken, or empty.
Result<bool> rename(Shbin& shbin, std::span<const Rename> renames);
Result<bool> rename(Object& object, std::span<const Rename> renames);

/// Gives uniform registers other numbers. What has a name moves whole, and is named by its first register.
struct Rebind {
  char letter = 'c';  ///< `c`, `i`, `b`
  std::uint32_t from = 0;
  std::uint32_t to = 0;
};

/// All at once, so that two may change places: in the uniform records, constants, operands of all instructions, and the place of a fixed
/// geometry shader's vertices. `notes`: what may have escaped, such as indexes that reach beyond a name's registers.
/// Errors: missing if nothing uses the register; bad_value if two would overlap, or lie beyond the last register.
Result<bool> rebind(Shbin& shbin, std::span<const Rebind> rebinds, std::vector<std::string>& notes);
Result<bool> rebind(Object& object, std::span<const Rebind> rebinds, std::vector<std::string>& notes);

}  // namespace unshade::pica

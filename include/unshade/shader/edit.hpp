// Edits of a file of any family. Each leaves what it is not about as it is, byte for byte; an edit that changes nothing gives the same
// bytes, a wrong digest included. Digests, hashes and sizes are computed again only if something changed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include <unshade/core/edit.hpp>
#include <unshade/core/result.hpp>
#include <unshade/core/view.hpp>
#include <unshade/shader/shader.hpp>

namespace unshade::shader {

using unshade::Edited;
using unshade::Rebind;
using unshade::Rename;
using unshade::Strip;

/// Errors: unsupported for a family without anything to strip.
Result<Edited> strip(const Shader& shader, const Strip& options);

/// How to sign a container.
enum class Sign : std::uint8_t {
  keep,            ///< right: of the variant that it is of, if it is of one, else standard
  standard,        ///< as compilers and validators compute it
  debug,           ///< the debug variant
  bypass,          ///< the sentinel of a shader that is not to be checked: byte 01 sixteen times
  preview_bypass,  ///< the same for previews: byte 02 sixteen times
  zero,            ///< none
};

/// Gives a container another digest, and with `hash` makes the HASH of DXIL right. Errors: unsupported for files that are no container.
Result<Edited> sign(const Shader& shader, Sign how, bool hash = false);

/// Adds, replaces or takes out one part of a container.
struct PartChange {
  enum class What : std::uint8_t {
    add,      ///< where compilers put one of its kind
    replace,  ///< the first of its kind
    remove,   ///< all of its kind
  };
  What what = What::add;
  std::uint32_t fourcc = 0;
  std::span<const std::byte> data{};  ///< borrowed
};

/// One after the other. Errors: missing if there is no such part; bad_value if one to be added is there already; unsupported for
/// files that are no container.
Result<Edited> change_parts(const Shader& shader, std::span<const PartChange> changes);

/// Gives a field of the tree (annotate()) another value, in the form in which print_value() shows it: a number, a name of its enumeration,
/// names of flags with `|` between them, `name=value` for fields of bits, letters of a mask, text without quotes, hexadecimal digits for
/// bytes. Its size stays, and so does all else; a digest or HASH that was right is made right again. Errors: missing if there is no such
/// field; unsupported for groups and for values that are not written as they are shown; bad_value if the text is no value of the field, or
/// if the file would not open any more.
Result<Edited> set_field(const Shader& shader, std::string_view path, std::string_view value);

/// Errors: missing if nothing has the name; bad_value if the new one is taken or cannot be written; unsupported.
Result<Edited> rename(const Shader& shader, std::span<const Rename> renames);

/// All at once, so that two may change places. Declarations, instructions, resource definitions, PSV0 and RDAT follow together.
/// Errors: missing if nothing is bound there; bad_value if two would overlap; unsupported.
Result<Edited> rebind(const Shader& shader, std::span<const Rebind> rebinds);

}  // namespace unshade::shader

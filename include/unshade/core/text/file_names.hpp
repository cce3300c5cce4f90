// Names of files that are made of texts in files, the same on every system.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace unshade {

/// A name made of a text is no longer, in bytes, which leaves room for a number and an ending: file systems take 255.
inline constexpr std::size_t kMostFileNameBytes = 240;

/// Whether Windows takes a name, whatever its ending, for a device: `con`, `NUL.txt`, `COM1`, `lpt9.bin`.
/// src: learn.microsoft.com, "Naming Files, Paths, and Namespaces"
bool names_device(std::string_view name);

/// A text as the name of a file or folder that Linux, macOS and Windows take: `_` for characters that Windows refuses (`\`, `/`, `:`, `<`,
/// `>`, `"`, `|`, `?`, `*`, control characters), for bytes that are not UTF-8, and for dots and spaces at the beginning, which hide a file,
/// and at the end, which Windows drops; before the name of a device; too long names are cut before their ending. Empty if the text is.
std::string portable_file_name(std::string_view text);

/// What paths have in common that lead to the same file where capital and small letters are the same (Latin, Greek and Cyrillic letters).
std::string folded_path(std::string_view path);

}  // namespace unshade

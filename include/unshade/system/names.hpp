// Names of files by their letters: `/` is between folders; Windows takes `\` as well, and has drives.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace unshade::system {

bool is_separator(char letter);
/// A name as a command line gives it, with `/` between its folders; `\\?\` and `\\.\`, after which Windows takes `\` alone, stay.
std::string with_slashes(std::string name);
/// How many letters a drive takes at the begin of a name: 2 on Windows for `C:`, else 0.
std::size_t drive_letters(std::string_view path);
/// Where the last part of a name begins.
std::size_t last_part(std::string_view path);
/// Whether a name does not depend on the current folder.
bool is_absolute(std::string_view path);

}  // namespace unshade::system

// Paths: the names of files with those of the folders that they are in, by their letters.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace unshade {

/// Whose rules paths follow. On POSIX `/` separates folders. Windows takes `\` too, and has drives (`C:/a`), servers (`//server/share/a`)
/// and verbatim paths (`\\?\C:\a`, `\\.\a`), which have `\` alone. src: learn.microsoft.com, "File path formats on Windows systems"
enum class PathRules : unsigned char { posix, windows };

/// Those of the system that this is compiled for.
#ifdef _WIN32
inline constexpr PathRules kPathRules = PathRules::windows;
#else
inline constexpr PathRules kPathRules = PathRules::posix;
#endif

namespace paths {

bool is_separator(char letter, PathRules rules = kPathRules);
/// How many letters a drive takes at the beginning of a path: 2 for `C:`, else 0.
std::size_t drive_letters(std::string_view path, PathRules rules = kPathRules);
/// How many letters stand before the first folder, with their separator: of `/`, `C:`, `C:/`, `//server/share/`, `\\?\C:\`. No `..` leads
/// above it.
std::size_t root_letters(std::string_view path, PathRules rules = kPathRules);
/// Whether a path does not depend on the current folder.
bool is_absolute(std::string_view path, PathRules rules = kPathRules);
/// Where the last part of a path begins.
std::size_t last_part(std::string_view path, PathRules rules = kPathRules);
/// The last part: the name of a file in its folder.
std::string_view name_of(std::string_view path, PathRules rules = kPathRules);
/// What stands before the last part: a folder with a separator at its end; empty for the current one.
std::string_view folder_of(std::string_view path, PathRules rules = kPathRules);
/// A path that a file names: itself if it is absolute or has a drive, else in the folder of that file.
std::string beside(std::string_view file, std::string_view path, PathRules rules = kPathRules);
/// With `/` between folders, as a command line gives it; verbatim paths stay.
std::string with_slashes(std::string path, PathRules rules = kPathRules);
/// The same text for each way to write a path: with_slashes(), without `.`, and with `..` at the beginning only.
std::string plain(std::string_view path, PathRules rules = kPathRules);
/// As a URI reference: `file:///a`, `file:///C:/a`, `file://server/share/a`, or `folder/a` for what is not absolute. What RFC 3986 does not
/// allow in a path is percent-encoded, byte by byte.
/// src: RFC 8089, section 2 and appendix E
std::string uri_of(std::string_view path, PathRules rules = kPathRules);

}  // namespace paths

}  // namespace unshade

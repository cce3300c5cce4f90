// Folders of the operating system, and where paths lead. Names are UTF-8, and may be longer than the 260 letters that Windows gives
// programs which do not ask for more. What fails sets errno.
#pragma once

#include <string>
#include <vector>

#include <unshade/system/file.hpp>

namespace unshade::system {

/// Something in a folder.
struct FolderEntry {
  std::string name;
  FileKind kind = FileKind::other;  ///< of a link: other
  bool is_link = false;             ///< symbolic, or a junction of Windows
};

/// Whether a path leads to a folder, through links.
bool is_folder(const std::string& path);
/// Whether there is anything, through links.
bool is_there(const std::string& path);
/// Adds what is in a folder, in no order. False on a fault, with what came before it.
bool list_folder(const std::string& path, std::vector<FolderEntry>& into);
/// Makes a folder, and those above it, where they are missing. False on a fault.
bool make_folders(const std::string& path);

/// The path of something in a folder.
std::string path_in(const std::string& folder, const std::string& name);
/// An absolute path without `.` and `..`, by its letters alone.
std::string whole_path(const std::string& path);
/// The same without links, as far as it leads to something. whole_path() on a fault.
std::string real_path(const std::string& path);
/// Whether an absolute path leads below a folder. Both as real_path() or whole_path() has them.
bool is_below(const std::string& path, const std::string& folder);
/// Whether two paths lead to one file, or will.
bool is_same_file(const std::string& a, const std::string& b);

}  // namespace unshade::system

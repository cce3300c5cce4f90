#include <unshade/system/folder.hpp>

#include <cerrno>
#include <utility>

#include <unshade/core/text/paths.hpp>

#include "system/windows/windows.hpp"

namespace unshade::system {

namespace {

bool is_link(const WIN32_FIND_DATAW& found) {
  return (found.dwFileAttributes & FILE_ATTRIBUTE_REPARSE_POINT) != 0 &&
         (found.dwReserved0 == IO_REPARSE_TAG_SYMLINK || found.dwReserved0 == IO_REPARSE_TAG_MOUNT_POINT);
}

/// What Windows says of a path, without the mark of verbatim paths where it is not needed.
std::string shown(std::wstring_view path) {
  constexpr std::wstring_view kServer = L"\\\\?\\UNC\\";
  constexpr std::wstring_view kDrive = L"\\\\?\\";
  if (path.starts_with(kServer)) return "//" + paths::with_slashes(windows::narrow(path.substr(kServer.size())));
  if (path.starts_with(kDrive) && path.substr(kDrive.size() + 1).starts_with(L':')) path.remove_prefix(kDrive.size());
  return paths::with_slashes(windows::narrow(path));
}

/// The path of what is open without links; empty if it has none.
std::string path_of_handle(HANDLE handle) {
  std::wstring made(static_cast<std::size_t>(::GetFinalPathNameByHandleW(handle, nullptr, 0, 0)), L'\0');
  if (made.empty()) return {};
  made.resize(::GetFinalPathNameByHandleW(handle, made.data(), static_cast<DWORD>(made.size()), 0));
  return shown(made);
}

}  // namespace

bool list_folder(const std::string& path, std::vector<FolderEntry>& into) {
  WIN32_FIND_DATAW found{};
  const HANDLE handle =
      ::FindFirstFileExW(windows::api_name(path_in(path, "*")).c_str(), FindExInfoBasic, &found, FindExSearchNameMatch, nullptr, 0);
  if (handle == INVALID_HANDLE_VALUE) return windows::set_errno();
  do {
    const std::wstring_view name = found.cFileName;
    if (name == L"." || name == L"..") continue;
    const bool leads_on = is_link(found);
    const bool is_folder = (found.dwFileAttributes & FILE_ATTRIBUTE_DIRECTORY) != 0;
    into.push_back({windows::narrow(name), leads_on ? FileKind::other : is_folder ? FileKind::folder : FileKind::regular, leads_on});
  } while (::FindNextFileW(handle, &found) != 0);
  const DWORD error = ::GetLastError();
  ::FindClose(handle);
  return error == ERROR_NO_MORE_FILES || windows::set_errno(error);
}

bool make_folders(const std::string& path) {
  const auto make = [](const std::string& one) { return ::CreateDirectoryW(windows::api_name(one).c_str(), nullptr) != 0; };
  if (path.empty() || make(path)) return true;
  const DWORD error = ::GetLastError();
  if (is_folder(path)) return true;
  if (error != ERROR_PATH_NOT_FOUND) return windows::set_errno(error == ERROR_ALREADY_EXISTS ? ERROR_DIRECTORY : error);
  // the last part may end in separators
  std::size_t end = path.size();
  while (end != 0 && paths::is_separator(path[end - 1])) --end;
  const std::string above(paths::folder_of(std::string_view(path).substr(0, end)));
  return above.size() < end && above.size() > paths::root_letters(path) && make_folders(above) ? make(path) || windows::set_errno()
                                                                                               : windows::set_errno(error);
}

std::string whole_path(const std::string& path) {
  std::string made = shown(windows::absolute(windows::wide(path)));
  while (made.size() > paths::root_letters(made) && made.ends_with('/')) made.pop_back();
  return made;
}

std::string real_path(const std::string& path) {
  std::string rest;
  for (std::string above = whole_path(path);;) {
    const HANDLE handle =
        ::CreateFileW(windows::api_name(above).c_str(), FILE_READ_ATTRIBUTES, FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE,
                      nullptr, OPEN_EXISTING, FILE_FLAG_BACKUP_SEMANTICS, nullptr);
    if (handle != INVALID_HANDLE_VALUE) {
      const std::string real = path_of_handle(handle);
      ::CloseHandle(handle);
      return real.empty() ? whole_path(path) : rest.empty() ? real : path_in(real, rest);
    }
    const std::size_t last = paths::last_part(above);
    if (last == above.size() || last == 0) return whole_path(path);
    rest = rest.empty() ? above.substr(last) : path_in(above.substr(last), rest);
    above.resize(last);
    while (above.size() > paths::root_letters(above) && paths::is_separator(above.back())) above.pop_back();
  }
}

}  // namespace unshade::system

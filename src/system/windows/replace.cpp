#include <unshade/system/replace.hpp>

#include <cstddef>
#include <vector>

#include "system/windows/windows.hpp"

namespace unshade::system {

namespace {

using windows::set_errno;

bool is_read_only(const std::wstring& name) {
  const DWORD attributes = ::GetFileAttributesW(name.c_str());
  return attributes != INVALID_FILE_ATTRIBUTES && (attributes & FILE_ATTRIBUTE_READONLY) != 0;
}

/// As rename() of POSIX, also over a file that is open, if all who have it open share its removal. Windows 10 has it, on NTFS.
/// src: learn.microsoft.com, FILE_RENAME_INFO; FileRenameInfoEx is 22, and its first member a set of flags
bool rename_as_posix(const std::wstring& from, const std::wstring& to) {
  constexpr DWORD kReplaces = 1;
  constexpr DWORD kPosix = 2;
  constexpr auto kRenameInfoEx = static_cast<FILE_INFO_BY_HANDLE_CLASS>(22);
  const HANDLE handle = ::CreateFileW(from.c_str(), DELETE | SYNCHRONIZE, FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, nullptr,
                                      OPEN_EXISTING, FILE_FLAG_OPEN_REPARSE_POINT, nullptr);
  if (handle == INVALID_HANDLE_VALUE) return false;
  const std::size_t bytes = sizeof(FILE_RENAME_INFO) + to.size() * sizeof(wchar_t);
  std::vector<std::max_align_t> memory(bytes / sizeof(std::max_align_t) + 1);
  auto* const wanted = reinterpret_cast<FILE_RENAME_INFO*>(memory.data());
  *reinterpret_cast<DWORD*>(wanted) = kReplaces | kPosix;
  wanted->RootDirectory = nullptr;
  wanted->FileNameLength = static_cast<DWORD>(to.size() * sizeof(wchar_t));
  to.copy(wanted->FileName, to.size());
  const bool done = ::SetFileInformationByHandle(handle, kRenameInfoEx, wanted, static_cast<DWORD>(bytes)) != 0;
  ::CloseHandle(handle);
  return done;
}

/// The same where Windows is older, or the file system another: a file that is open can be renamed, and is gone when it is closed.
bool replace_open(const std::wstring& from, const std::wstring& to) {
  const std::wstring aside = to + L'.' + windows::wide(windows::random_letters());
  if (is_read_only(to) || ::MoveFileExW(to.c_str(), aside.c_str(), 0) == 0) return false;
  if (::MoveFileExW(from.c_str(), to.c_str(), 0) == 0) {
    ::MoveFileExW(aside.c_str(), to.c_str(), 0);
    return false;
  }
  ::DeleteFileW(aside.c_str());
  return true;
}

}  // namespace

unsigned new_file_rights() { return 0666; }

bool may_write(const std::string& path) { return is_read_only(windows::api_name(path)) ? set_errno(ERROR_ACCESS_DENIED) : true; }

File make_beside(const std::string& path, unsigned rights, std::string& name) {
  constexpr int kTries = 100;
  const DWORD attributes = (rights & 0222U) == 0 ? FILE_ATTRIBUTE_READONLY : FILE_ATTRIBUTE_NORMAL;
  for (int i = 0; i < kTries; ++i) {
    name = path + '.' + windows::random_letters();
    const HANDLE handle = ::CreateFileW(windows::api_name(name).c_str(), GENERIC_WRITE, FILE_SHARE_READ | FILE_SHARE_DELETE, nullptr,
                                        CREATE_NEW, attributes, nullptr);
    if (handle != INVALID_HANDLE_VALUE) return windows::file_of(handle);
    if (::GetLastError() != ERROR_FILE_EXISTS) break;
  }
  set_errno();
  name.clear();
  return {};
}

bool replace_file(const std::string& from, const std::string& to) {
  const std::wstring source = windows::api_name(from);
  const std::wstring target = windows::api_name(to);
  if (rename_as_posix(source, target) || ::MoveFileExW(source.c_str(), target.c_str(), MOVEFILE_REPLACE_EXISTING) != 0) return true;
  const DWORD error = ::GetLastError();
  return error == ERROR_ACCESS_DENIED && replace_open(source, target) ? true : set_errno(error);
}

bool remove_file(const char* path) {
  const std::wstring name = windows::api_name(path);
  if (::DeleteFileW(name.c_str()) != 0) return true;
  const DWORD error = ::GetLastError();
  // POSIX asks for the rights of the folder alone
  if (error == ERROR_ACCESS_DENIED && is_read_only(name) && ::SetFileAttributesW(name.c_str(), FILE_ATTRIBUTE_NORMAL) != 0 &&
      ::DeleteFileW(name.c_str()) != 0)
    return true;
  return set_errno(error);
}

}  // namespace unshade::system

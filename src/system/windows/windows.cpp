#include "system/windows/windows.hpp"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdint>

namespace unshade::system::windows {

namespace {

bool is_verbatim(const std::wstring& name) { return name.starts_with(L"\\\\?\\") || name.starts_with(L"\\\\.\\"); }

}  // namespace

std::wstring wide(std::string_view text) {
  const int bytes = static_cast<int>(text.size());
  std::wstring made(static_cast<std::size_t>(::MultiByteToWideChar(CP_UTF8, 0, text.data(), bytes, nullptr, 0)), L'\0');
  ::MultiByteToWideChar(CP_UTF8, 0, text.data(), bytes, made.data(), static_cast<int>(made.size()));
  return made;
}

std::string narrow(std::wstring_view text) {
  const int units = static_cast<int>(text.size());
  std::string made(static_cast<std::size_t>(::WideCharToMultiByte(CP_UTF8, 0, text.data(), units, nullptr, 0, nullptr, nullptr)), '\0');
  ::WideCharToMultiByte(CP_UTF8, 0, text.data(), units, made.data(), static_cast<int>(made.size()), nullptr, nullptr);
  return made;
}

std::wstring absolute(const std::wstring& name) {
  const DWORD units = ::GetFullPathNameW(name.c_str(), 0, nullptr, nullptr);
  std::wstring whole(units, L'\0');
  whole.resize(::GetFullPathNameW(name.c_str(), units, whole.data(), nullptr));
  return whole;
}

std::wstring api_name(std::string_view path) {
  constexpr std::size_t kLongest = 247;
  std::wstring name = wide(path);
  if (is_verbatim(name)) {
    // it has no other separator, but what is added to it has
    std::ranges::replace(name, L'/', L'\\');
    return name;
  }
  // a name that is not absolute is put after the current folder
  if (::GetFullPathNameW(name.c_str(), 0, nullptr, nullptr) <= kLongest) return name;
  const std::wstring whole = absolute(name);
  if (is_verbatim(whole)) return whole;
  if (whole.starts_with(L"\\\\")) return L"\\\\?\\UNC" + whole.substr(1);
  return L"\\\\?\\" + whole;
}

bool set_errno(DWORD error) {
  switch (error) {
    case ERROR_FILE_NOT_FOUND:
    case ERROR_PATH_NOT_FOUND:
    case ERROR_INVALID_DRIVE:
    case ERROR_INVALID_NAME:
    case ERROR_BAD_PATHNAME:
    case ERROR_BAD_NETPATH:
    case ERROR_BAD_NET_NAME:
    case ERROR_DIRECTORY: errno = ENOENT; break;
    case ERROR_ACCESS_DENIED:
    case ERROR_SHARING_VIOLATION:
    case ERROR_LOCK_VIOLATION:
    case ERROR_WRITE_PROTECT:
    case ERROR_CURRENT_DIRECTORY:
    case ERROR_DELETE_PENDING: errno = EACCES; break;
    case ERROR_FILE_EXISTS:
    case ERROR_ALREADY_EXISTS: errno = EEXIST; break;
    case ERROR_TOO_MANY_OPEN_FILES: errno = EMFILE; break;
    case ERROR_INVALID_HANDLE: errno = EBADF; break;
    case ERROR_NOT_ENOUGH_MEMORY:
    case ERROR_OUTOFMEMORY: errno = ENOMEM; break;
    case ERROR_BROKEN_PIPE:
    case ERROR_NO_DATA:
    case ERROR_PIPE_NOT_CONNECTED: errno = EPIPE; break;
    case ERROR_HANDLE_DISK_FULL:
    case ERROR_DISK_FULL: errno = ENOSPC; break;
    case ERROR_FILE_TOO_LARGE: errno = EFBIG; break;
    case ERROR_FILENAME_EXCED_RANGE: errno = ENAMETOOLONG; break;
    case ERROR_NOT_SAME_DEVICE: errno = EXDEV; break;
    case ERROR_BAD_EXE_FORMAT: errno = ENOEXEC; break;
    case ERROR_INVALID_PARAMETER: errno = EINVAL; break;
    default: errno = EIO; break;
  }
  return false;
}

std::string random_letters() {
  constexpr std::string_view kLetters = "abcdefghijklmnopqrstuvwxyz0123456789";
  static std::atomic<std::uint64_t> calls = 0;
  LARGE_INTEGER ticks{};
  ::QueryPerformanceCounter(&ticks);
  // src: Steele, Lea, Flood, "Fast splittable pseudorandom number generators", the finalizer of SplitMix64
  std::uint64_t number = static_cast<std::uint64_t>(ticks.QuadPart) ^ (std::uint64_t{::GetCurrentProcessId()} << 40) ^ (++calls << 20);
  number = (number ^ (number >> 30)) * 0xbf58476d1ce4e5b9U;
  number = (number ^ (number >> 27)) * 0x94d049bb133111ebU;
  number ^= number >> 31;
  std::string letters(6, ' ');
  for (char& letter : letters) {
    letter = kLetters[static_cast<std::size_t>(number % kLetters.size())];
    number /= kLetters.size();
  }
  return letters;
}

}  // namespace unshade::system::windows

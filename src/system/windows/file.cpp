#include <unshade/system/file.hpp>

#include <algorithm>
#include <cerrno>
#include <string>
#include <utility>

#include "system/utf8.hpp"
#include "system/windows/windows.hpp"

namespace unshade::system {

namespace {

using windows::handle_of;
using windows::set_errno;

constexpr DWORD kShared = FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE;

std::optional<FileStatus> status_from(HANDLE handle) {
  FileStatus made;
  ::SetLastError(NO_ERROR);
  const DWORD type = ::GetFileType(handle);
  if (type == FILE_TYPE_UNKNOWN && ::GetLastError() != NO_ERROR) {
    set_errno();
    return std::nullopt;
  }
  if (type != FILE_TYPE_DISK) {
    made.id.number = static_cast<std::uint64_t>(reinterpret_cast<std::uintptr_t>(handle));
    made.id.device = ~std::uint64_t{0};
    made.rights = 0666;
    return made;
  }
  BY_HANDLE_FILE_INFORMATION found{};
  if (::GetFileInformationByHandle(handle, &found) == 0) {
    set_errno();
    return std::nullopt;
  }
  const auto joined = [](DWORD high, DWORD low) { return std::uint64_t{high} << 32 | low; };
  constexpr std::int64_t kUntil1970 = 116'444'736'000'000'000;  // in the file system's units of 100 ns, from 1601 on
  made.kind = (found.dwFileAttributes & FILE_ATTRIBUTE_DIRECTORY) != 0 ? FileKind::folder : FileKind::regular;
  made.bytes = joined(found.nFileSizeHigh, found.nFileSizeLow);
  made.modified =
      (static_cast<std::int64_t>(joined(found.ftLastWriteTime.dwHighDateTime, found.ftLastWriteTime.dwLowDateTime)) - kUntil1970) * 100;
  made.rights = (found.dwFileAttributes & FILE_ATTRIBUTE_READONLY) != 0 ? 0444 : 0666;
  made.id = {found.dwVolumeSerialNumber, joined(found.nFileIndexHigh, found.nFileIndexLow)};
  return made;
}

File open(const std::string& path, DWORD access, DWORD disposition) {
  const std::wstring name = windows::api_name(path);
  const HANDLE handle = ::CreateFileW(name.c_str(), access, kShared, nullptr, disposition, FILE_ATTRIBUTE_NORMAL, nullptr);
  if (handle == INVALID_HANDLE_VALUE) {
    const DWORD error = ::GetLastError();
    const DWORD attributes = ::GetFileAttributesW(name.c_str());
    set_errno(error);
    if (attributes != INVALID_FILE_ATTRIBUTES && (attributes & FILE_ATTRIBUTE_DIRECTORY) != 0) errno = EISDIR;
  }
  return windows::file_of(handle);
}

bool is_console(HANDLE handle) {
  DWORD mode = 0;
  return ::GetConsoleMode(handle, &mode) != 0;
}

/// What is typed, in UTF-8. `into` has place for a letter of each unit.
std::ptrdiff_t read_console(HANDLE handle, std::span<std::byte> into) {
  constexpr std::size_t kMostUnits = 4096;
  std::wstring units(std::min(kMostUnits, into.size() / 3), L'\0');
  DWORD count = 0;
  if (::ReadConsoleW(handle, units.data(), static_cast<DWORD>(units.size() - 1), &count, nullptr) == 0) return set_errno() ? 0 : -1;
  if (count != 0 && units[0] == L'\x1a') return 0;  // Ctrl+Z is the end
  if (count != 0 && IS_HIGH_SURROGATE(units[count - 1])) {
    DWORD other = 0;
    if (::ReadConsoleW(handle, units.data() + count, 1, &other, nullptr) != 0) count += other;
  }
  const std::string text = windows::narrow({units.data(), count});
  std::copy_n(reinterpret_cast<const std::byte*>(text.data()), text.size(), into.data());
  return static_cast<std::ptrdiff_t>(text.size());
}

bool write_console(HANDLE handle, std::string_view text) {
  constexpr std::size_t kMostUnits = 8192;  // older consoles have a buffer of 64 KiB for all
  const std::wstring units = windows::wide(text);
  for (std::size_t at = 0; at < units.size();) {
    std::size_t count = std::min(kMostUnits, units.size() - at);
    if (count > 1 && at + count < units.size() && IS_HIGH_SURROGATE(units[at + count - 1])) --count;
    DWORD written = 0;
    if (::WriteConsoleW(handle, units.data() + at, static_cast<DWORD>(count), &written, nullptr) == 0) return set_errno();
    at += written;
  }
  return true;
}

}  // namespace

std::optional<FileStatus> status_of(const std::string& path) {
  const HANDLE handle = ::CreateFileW(windows::api_name(path).c_str(), FILE_READ_ATTRIBUTES, kShared, nullptr, OPEN_EXISTING,
                                      FILE_FLAG_BACKUP_SEMANTICS, nullptr);
  if (handle == INVALID_HANDLE_VALUE) {
    set_errno();
    return std::nullopt;
  }
  const auto status = status_from(handle);
  ::CloseHandle(handle);
  return status;
}

std::ptrdiff_t File::read(std::span<std::byte> into) {
  const HANDLE handle = handle_of(*this);
  if (into.size() >= 16 && is_console(handle)) return read_console(handle, into);
  DWORD count = 0;
  if (::ReadFile(handle, into.data(), windows::some_of(into.size()), &count, nullptr) != 0) return count;
  const DWORD error = ::GetLastError();
  if (error == ERROR_BROKEN_PIPE || error == ERROR_HANDLE_EOF) return 0;  // whoever wrote is gone
  set_errno(error);
  return -1;
}

std::ptrdiff_t File::read_at(std::uint64_t offset, std::span<std::byte> into) const {
  OVERLAPPED place = windows::place_of(offset);
  DWORD count = 0;
  if (::ReadFile(handle_of(*this), into.data(), windows::some_of(into.size()), &count, &place) != 0) return count;
  if (::GetLastError() == ERROR_HANDLE_EOF) return 0;
  set_errno();
  return -1;
}

bool File::write(std::string_view bytes) {
  const HANDLE handle = handle_of(*this);
  if (is_console(handle)) {
    std::string text(begun_.data(), begun_bytes_);
    text += bytes;
    const std::size_t unfinished = unfinished_bytes(text);
    begun_bytes_ = static_cast<unsigned char>(unfinished);
    std::copy_n(text.end() - static_cast<std::ptrdiff_t>(unfinished), unfinished, begun_.begin());
    return write_console(handle, std::string_view(text).substr(0, text.size() - unfinished));
  }
  while (!bytes.empty()) {
    DWORD written = 0;
    if (::WriteFile(handle, bytes.data(), windows::some_of(bytes.size()), &written, nullptr) == 0) return set_errno();
    bytes.remove_prefix(written);
  }
  return true;
}

std::optional<FileStatus> File::status() const { return status_from(handle_of(*this)); }

bool File::close() {
  const bool closes = owned_ && native_ != kNone;
  const HANDLE handle = handle_of(*this);
  native_ = kNone;
  return !closes || ::CloseHandle(handle) != 0 || set_errno();
}

File open_to_read(const std::string& path, Waits) { return open(path, GENERIC_READ, OPEN_EXISTING); }

File open_to_write(const std::string& path) { return open(path, GENERIC_WRITE, OPEN_EXISTING); }

File open_to_append(const std::string& path) { return open(path, FILE_APPEND_DATA, OPEN_ALWAYS); }

File standard(Standard which) {
  constexpr DWORD kHandles[] = {STD_INPUT_HANDLE, STD_OUTPUT_HANDLE, STD_ERROR_HANDLE};
  return File(reinterpret_cast<File::Native>(::GetStdHandle(kHandles[static_cast<std::size_t>(which)])), File::Owned::no);
}

std::string native_path(const std::string& path) { return windows::narrow(windows::api_name(path)); }

}  // namespace unshade::system

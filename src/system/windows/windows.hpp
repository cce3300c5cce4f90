// Windows' header, and what each file of this half needs.
#pragma once

#ifndef WIN32_LEAN_AND_MEAN
#define WIN32_LEAN_AND_MEAN
#endif
#ifndef NOMINMAX
#define NOMINMAX
#endif
#ifndef UNICODE
#define UNICODE
#endif
#include <windows.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include <unshade/system/file.hpp>

namespace unshade::system::windows {

/// UTF-16 of UTF-8; what is none becomes U+FFFD.
std::wstring wide(std::string_view text);
/// UTF-8 of UTF-16; halves of surrogate pairs become U+FFFD.
std::string narrow(std::wstring_view text);

/// A name with its drive and all folders, and without `.` and `..`.
std::wstring absolute(const std::wstring& name);

/// A name as Windows' functions take it: beyond 247 letters absolute and with `\\?\` before it. Without that, they refuse 260 and more, and
/// for folders 248.
std::wstring api_name(std::string_view path);

/// Sets errno to what is nearest to an error of Windows. Returns false.
bool set_errno(DWORD error);
inline bool set_errno() { return set_errno(::GetLastError()); }

inline HANDLE handle_of(const File& file) { return reinterpret_cast<HANDLE>(file.native()); }
inline File file_of(HANDLE handle) { return File(reinterpret_cast<File::Native>(handle)); }

/// Bytes of one call of ReadFile or WriteFile: more are done by others.
inline DWORD some_of(std::size_t bytes) { return static_cast<DWORD>(std::min(bytes, std::size_t{1} << 30)); }
/// A place in a file, for ReadFile and WriteFile.
inline OVERLAPPED place_of(std::uint64_t offset) {
  OVERLAPPED place{};
  place.Offset = static_cast<DWORD>(offset);
  place.OffsetHigh = static_cast<DWORD>(offset >> 32);
  return place;
}

/// Six letters that no other call gives, most likely.
std::string random_letters();

/// Gives consoles back the modes that they had.
void restore_consoles();

}  // namespace unshade::system::windows

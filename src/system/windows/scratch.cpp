#include <unshade/system/scratch.hpp>

#include <array>
#include <string>

#include "system/windows/windows.hpp"

namespace unshade::system {

struct ScratchFile::Open {
  HANDLE handle = INVALID_HANDLE_VALUE;

  Open() {
    std::array<wchar_t, MAX_PATH + 1> folder{};
    if (::GetTempPathW(static_cast<DWORD>(folder.size()), folder.data()) == 0) return;
    const std::wstring name = folder.data() + windows::wide("unshade-" + windows::random_letters());
    handle = ::CreateFileW(name.c_str(), GENERIC_READ | GENERIC_WRITE, 0, nullptr, CREATE_NEW,
                           FILE_ATTRIBUTE_TEMPORARY | FILE_FLAG_DELETE_ON_CLOSE, nullptr);
  }
  Open(const Open&) = delete;
  Open& operator=(const Open&) = delete;
  ~Open() {
    if (handle != INVALID_HANDLE_VALUE) ::CloseHandle(handle);
  }
};

ScratchFile::ScratchFile() = default;
ScratchFile::ScratchFile(ScratchFile&&) noexcept = default;
ScratchFile& ScratchFile::operator=(ScratchFile&&) noexcept = default;
ScratchFile::~ScratchFile() = default;

bool ScratchFile::write_at(std::uint64_t offset, std::span<const std::byte> bytes) {
  if (open_ == nullptr) open_ = std::make_unique<Open>();
  while (!bytes.empty()) {
    OVERLAPPED place = windows::place_of(offset);
    DWORD written = 0;
    if (::WriteFile(open_->handle, bytes.data(), windows::some_of(bytes.size()), &written, &place) == 0) return windows::set_errno();
    offset += written;
    bytes = bytes.subspan(written);
  }
  return true;
}

bool ScratchFile::read_at(std::uint64_t offset, std::span<std::byte> into) {
  if (open_ == nullptr) return false;
  while (!into.empty()) {
    OVERLAPPED place = windows::place_of(offset);
    DWORD count = 0;
    if (::ReadFile(open_->handle, into.data(), windows::some_of(into.size()), &count, &place) == 0 || count == 0) return false;
    offset += count;
    into = into.subspan(count);
  }
  return true;
}

}  // namespace unshade::system

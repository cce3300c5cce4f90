#include <unshade/system/terminal.hpp>

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <utility>

#include "system/windows/windows.hpp"

namespace unshade::system {

namespace {

constexpr DWORD kSequences = 0x0004;       // ENABLE_VIRTUAL_TERMINAL_PROCESSING
constexpr DWORD kSequencesTyped = 0x0200;  // ENABLE_VIRTUAL_TERMINAL_INPUT

HANDLE handle_of(Standard which) { return windows::handle_of(standard(which)); }

/// Whether a pipe is a terminal of MSYS or Cygwin, such as git's: `\msys-dd50a72ab4668b33-pty0-to-master`.
bool is_pty(HANDLE handle) {
  if (::GetFileType(handle) != FILE_TYPE_PIPE) return false;
  struct {
    FILE_NAME_INFO info;
    std::array<wchar_t, MAX_PATH> more;
  } found{};
  if (::GetFileInformationByHandleEx(handle, FileNameInfo, &found, sizeof found) == 0) return false;
  std::wstring name(found.info.FileNameLength / sizeof(wchar_t), L'\0');
  const auto* const letters = reinterpret_cast<const std::byte*>(&found) + offsetof(FILE_NAME_INFO, FileName);
  name.assign(reinterpret_cast<const wchar_t*>(letters), name.size());
  return (name.starts_with(L"\\msys-") || name.starts_with(L"\\cygwin-")) && name.find(L"-pty") != std::wstring::npos &&
         name.ends_with(L"-master");
}

// The modes that consoles had, plus one; 0: they are as they were. By standard output and error.
std::array<std::atomic<DWORD>, 2> console_modes;

}  // namespace

namespace windows {

void restore_consoles() {
  constexpr Standard kStreams[] = {Standard::out, Standard::err};
  // the first one had the mode of both, if they are one console
  for (std::size_t i = console_modes.size(); i-- != 0;)
    if (const DWORD mode = console_modes[i].exchange(0); mode != 0) ::SetConsoleMode(system::handle_of(kStreams[i]), mode - 1);
}

}  // namespace windows

bool is_terminal(Standard which) {
  DWORD mode = 0;
  const HANDLE handle = handle_of(which);
  return ::GetConsoleMode(handle, &mode) != 0 || is_pty(handle);
}

bool takes_sequences(Standard which) {
  const HANDLE handle = handle_of(which);
  DWORD mode = 0;
  if (::GetConsoleMode(handle, &mode) == 0) return is_pty(handle);
  if ((mode & kSequences) != 0) return true;
  if (which == Standard::in || ::SetConsoleMode(handle, mode | ENABLE_PROCESSED_OUTPUT | kSequences) == 0) return false;
  static const bool restores = std::atexit(windows::restore_consoles) == 0;
  if (restores) console_modes[which == Standard::out ? 0 : 1] = mode + 1;
  return true;
}

std::optional<unsigned> terminal_columns() {
  CONSOLE_SCREEN_BUFFER_INFO found{};
  if (::GetConsoleScreenBufferInfo(handle_of(Standard::out), &found) == 0) return std::nullopt;
  const int columns = found.srWindow.Right - found.srWindow.Left + 1;
  return columns > 0 ? std::optional(static_cast<unsigned>(columns)) : std::nullopt;
}

std::string ask_terminal(File& terminal, std::string_view request, char last, unsigned milliseconds) {
  constexpr std::size_t kMostAnswer = 256;
  std::string answer;
  DWORD written_mode = 0;
  DWORD typed_mode = 0;
  const HANDLE out = windows::handle_of(terminal);
  const File typed = open_to_read("CONIN$");
  const HANDLE in = windows::handle_of(typed);
  // what may not change its mode may still read it
  if (::GetConsoleMode(out, &written_mode) == 0 || (written_mode & kSequences) == 0 || ::GetConsoleMode(in, &typed_mode) == 0)
    return answer;
  const HANDLE changed =
      ::CreateFileW(L"CONIN$", GENERIC_READ | GENERIC_WRITE, FILE_SHARE_READ | FILE_SHARE_WRITE, nullptr, OPEN_EXISTING, 0, nullptr);
  const File owner = windows::file_of(changed);
  constexpr DWORD kByLine = ENABLE_LINE_INPUT | ENABLE_ECHO_INPUT | ENABLE_PROCESSED_INPUT;
  if (::SetConsoleMode(changed, (typed_mode & ~kByLine) | kSequencesTyped) == 0) return answer;
  const ULONGLONG end = ::GetTickCount64() + milliseconds;
  if (terminal.write(request)) {
    while (answer.size() < kMostAnswer && !answer.ends_with(last)) {
      const ULONGLONG now = ::GetTickCount64();
      if (now >= end || ::WaitForSingleObject(changed, static_cast<DWORD>(end - now)) != WAIT_OBJECT_0) break;
      INPUT_RECORD record{};
      DWORD count = 0;
      if (::ReadConsoleInputW(changed, &record, 1, &count) == 0 || count != 1) break;
      const wchar_t letter = record.Event.KeyEvent.uChar.UnicodeChar;
      if (record.EventType == KEY_EVENT && record.Event.KeyEvent.bKeyDown != 0 && letter != 0 && letter < 0x80)
        answer += static_cast<char>(letter);
    }
  }
  ::SetConsoleMode(changed, typed_mode);
  return answer;
}

std::string ask_terminal(std::string_view request, char last, unsigned milliseconds) {
  File terminal = windows::file_of(
      ::CreateFileW(L"CONOUT$", GENERIC_READ | GENERIC_WRITE, FILE_SHARE_READ | FILE_SHARE_WRITE, nullptr, OPEN_EXISTING, 0, nullptr));
  return terminal ? ask_terminal(terminal, request, last, milliseconds) : std::string();
}

}  // namespace unshade::system

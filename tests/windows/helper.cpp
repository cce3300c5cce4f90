// What scripts of tests cannot do themselves in a program for Windows:
//   helper hold FILE                      opens a file that it shares with nobody, says so, and closes it at the end of its input
//   helper console PAGE FILE COMMAND...   runs a command whose output is a console of a code page, and writes what the console shows to a
//   file, in UTF-8
#ifndef UNICODE
#define UNICODE
#endif
#include <windows.h>

#include <cstdio>
#include <string>
#include <vector>

namespace {

constexpr SHORT kColumns = 200;
constexpr SHORT kLines = 60;

int fail(const char* what) {
  std::fprintf(stderr, "%s: error %lu\n", what, ::GetLastError());
  return 1;
}

int hold(const wchar_t* name) {
  const HANDLE file = ::CreateFileW(name, GENERIC_READ, 0, nullptr, OPEN_EXISTING, FILE_ATTRIBUTE_NORMAL, nullptr);
  if (file == INVALID_HANDLE_VALUE) return fail("the file");
  std::puts("held");
  std::fflush(stdout);
  while (std::getchar() != EOF) {
  }
  ::CloseHandle(file);
  return 0;
}

// Arguments have no quotes and no backslashes at their ends.
std::wstring line_of(int argc, wchar_t** argv) {
  std::wstring line;
  for (int i = 0; i < argc; ++i) line += (i == 0 ? L"\"" : L" \"") + std::wstring(argv[i]) + L'"';
  return line;
}

int show(UINT page, const wchar_t* to, int argc, wchar_t** argv) {
  SECURITY_ATTRIBUTES inherited{sizeof(SECURITY_ATTRIBUTES), nullptr, TRUE};
  const HANDLE screen = ::CreateConsoleScreenBuffer(GENERIC_READ | GENERIC_WRITE, FILE_SHARE_READ | FILE_SHARE_WRITE, &inherited,
                                                    CONSOLE_TEXTMODE_BUFFER, nullptr);
  if (screen == INVALID_HANDLE_VALUE) return fail("the console");
  if (::SetConsoleOutputCP(page) == 0 || ::SetConsoleCP(page) == 0) return fail("the code page");
  ::SetConsoleScreenBufferSize(screen, {kColumns, kLines});
  CONSOLE_SCREEN_BUFFER_INFO size{};
  if (::GetConsoleScreenBufferInfo(screen, &size) == 0) return fail("the size of the console");
  STARTUPINFOW start{};
  start.cb = sizeof start;
  start.dwFlags = STARTF_USESTDHANDLES;
  start.hStdInput = ::GetStdHandle(STD_INPUT_HANDLE);
  start.hStdOutput = screen;
  start.hStdError = screen;
  PROCESS_INFORMATION made{};
  std::wstring line = line_of(argc, argv);
  if (::CreateProcessW(nullptr, line.data(), nullptr, nullptr, TRUE, 0, nullptr, nullptr, &start, &made) == 0) return fail("the command");
  ::WaitForSingleObject(made.hProcess, INFINITE);
  DWORD status = 0;
  ::GetExitCodeProcess(made.hProcess, &status);
  std::FILE* const file = ::_wfopen(to, L"wb");
  if (file == nullptr) return fail("the file");
  std::vector<wchar_t> units(static_cast<std::size_t>(size.dwSize.X));
  for (SHORT row = 0; row < size.dwSize.Y; ++row) {
    DWORD count = 0;
    ::ReadConsoleOutputCharacterW(screen, units.data(), static_cast<DWORD>(units.size()), {0, row}, &count);
    std::wstring shown(units.data(), count);
    shown.erase(shown.find_last_not_of(L' ') + 1);
    if (shown.empty()) continue;
    std::string text(shown.size() * 3, '\0');
    text.resize(static_cast<std::size_t>(::WideCharToMultiByte(CP_UTF8, 0, shown.data(), static_cast<int>(shown.size()), text.data(),
                                                               static_cast<int>(text.size()), nullptr, nullptr)));
    std::fprintf(file, "%s\n", text.c_str());
  }
  std::fclose(file);
  return static_cast<int>(status);
}

}  // namespace

int wmain(int argc, wchar_t** argv) {
  const std::wstring action = argc > 1 ? argv[1] : L"";
  if (action == L"hold" && argc == 3) return hold(argv[2]);
  if (action == L"console" && argc > 4) return show(static_cast<UINT>(std::stoul(argv[2])), argv[3], argc - 4, argv + 4);
  std::fputs("helper hold FILE | console PAGE FILE COMMAND...\n", stderr);
  return 2;
}

#include <unshade/system/process.hpp>

#include <cstddef>

#include "system/windows/windows.hpp"

#include <shellapi.h>

namespace unshade::system {

std::vector<std::string> begin_process(int argc, char** argv) {
  // a drive without a disk is a fault, and no question
  ::SetErrorMode(SEM_FAILCRITICALERRORS | SEM_NOOPENFILEERRORBOX);
  // argv has the letters of the code page alone
  int count = 0;
  LPWSTR* const words = ::CommandLineToArgvW(::GetCommandLineW(), &count);
  if (words == nullptr) return {argv + (argc > 0 ? 1 : 0), argv + argc};
  std::vector<std::string> made;
  for (int i = 1; i < count; ++i) made.push_back(windows::narrow(words[i]));
  ::LocalFree(words);
  return made;
}

std::string environment(const char* name) {
  const std::wstring wide_name = windows::wide(name);
  std::wstring value;
  for (;;) {
    const DWORD units = ::GetEnvironmentVariableW(wide_name.c_str(), value.data(), static_cast<DWORD>(value.size()));
    if (units < value.size() || units == 0) {
      value.resize(units);
      return windows::narrow(value);
    }
    value.resize(units);
  }
}

std::string home_folder() {
  const std::string home = environment("HOME");
  return home.empty() ? environment("USERPROFILE") : home;
}

}  // namespace unshade::system

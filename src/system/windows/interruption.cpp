#include <unshade/system/interruption.hpp>

#include <atomic>

#include "system/windows/windows.hpp"

namespace unshade::system {

namespace {

std::atomic<void (*)()> interruption_act = nullptr;

/// Windows calls it in a thread of its own for Ctrl+C, Ctrl+Break, the closing of the console, the end of the session and of the system,
/// and ends the process after it.
BOOL WINAPI end_interrupted(DWORD) {
  if (void (*const act)() = interruption_act) act();
  windows::restore_consoles();
  return FALSE;
}

}  // namespace

void on_interruption(void (*act)()) {
  interruption_act = act;
  ::SetConsoleCtrlHandler(end_interrupted, TRUE);
}

}  // namespace unshade::system

// Interruptions of a console of Windows, which call the process' handlers by kernelbase!CtrlRoutine.
#ifdef _WIN32
#include <gtest/gtest.h>
#include <process.h>
#include <windows.h>

#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <string>
#include <thread>

#include <unshade/system/process.hpp>

#include "cli/io/guard.hpp"
#include "cli/io/io.hpp"
#include "support/system.hpp"

namespace unshade::test {

namespace {

namespace fs = std::filesystem;

constexpr wchar_t kEvent[] = L"UNSHADE_TEST_EVENT";
constexpr wchar_t kFolder[] = L"UNSHADE_TEST_FOLDER";

// In a process of its own, which it ends.
TEST(Guard, DISABLED_IsInterrupted) {
  const std::string event = system::environment("UNSHADE_TEST_EVENT");
  const std::string folder = system::environment("UNSHADE_TEST_FOLDER");
  cli::remove_guarded_files_on_interruption();
  cli::OutputFile whole;
  cli::OutputFile begun;
  ASSERT_TRUE(whole.open(folder + "/whole") && whole.write("1") && whole.commit() && begun.open(folder + "/begun") && begun.write("2"));
  ASSERT_EQ(std::distance(fs::directory_iterator(folder), fs::directory_iterator()), 2);
  const FARPROC routine = ::GetProcAddress(::GetModuleHandleW(L"kernelbase.dll"), "CtrlRoutine");
  ASSERT_NE(routine, nullptr);
  auto* const number = reinterpret_cast<void*>(static_cast<std::uintptr_t>(std::stoul(event)));
  ASSERT_NE(::CreateThread(nullptr, 0, reinterpret_cast<LPTHREAD_START_ROUTINE>(reinterpret_cast<void*>(routine)), number, 0, nullptr),
            nullptr);
  std::this_thread::sleep_for(std::chrono::seconds(20));
  std::_Exit(99);
}

TEST(Guard, InterruptionsLeaveNoUnfinishedFiles) {
  const fs::path folder = fs::temp_directory_path() / ("unshade-guard-" + std::to_string(process_id()));
  for (const int event : {CTRL_C_EVENT, CTRL_BREAK_EVENT, CTRL_CLOSE_EVENT}) {
    fs::create_directories(folder);
    ::SetEnvironmentVariableW(kEvent, std::to_wstring(event).c_str());
    ::SetEnvironmentVariableW(kFolder, folder.c_str());
    wchar_t program[MAX_PATH];
    ::GetModuleFileNameW(nullptr, program, MAX_PATH);
    const wchar_t* const words[] = {L"test", L"--gtest_also_run_disabled_tests", L"--gtest_filter=Guard.DISABLED_IsInterrupted", nullptr};
    const auto status = ::_wspawnv(_P_WAIT, program, words);
    EXPECT_NE(status, -1);
    EXPECT_NE(status, 1) << "the test in the other process failed";
    EXPECT_NE(status, 99) << "it was not interrupted";
    EXPECT_EQ(std::distance(fs::directory_iterator(folder), fs::directory_iterator()), 1) << event;
    EXPECT_TRUE(fs::exists(folder / "whole"));
    fs::remove_all(folder);
  }
}

}  // namespace

}  // namespace unshade::test
#endif

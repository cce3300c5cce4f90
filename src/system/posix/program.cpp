#include <unshade/system/program.hpp>

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <thread>
#include <vector>

#include "system/limit_faults.hpp"

extern char** environ;  // NOLINT(readability-redundant-declaration): POSIX has no header for it

namespace unshade::system {

std::optional<std::string> find_program(std::string_view name) {
  const char* const found = std::getenv("PATH");
  std::string_view folders = found == nullptr ? std::string_view() : found;
  while (!folders.empty()) {
    const std::string_view folder = folders.substr(0, folders.find(':'));
    folders.remove_prefix(std::min(folder.size() + 1, folders.size()));
    if (folder.empty()) continue;
    std::string path = (std::filesystem::path(folder) / name).string();
    std::error_code fault;
    if (std::filesystem::is_regular_file(path, fault) && ::access(path.c_str(), X_OK) == 0) return path;
  }
  return std::nullopt;
}

Result<int> run_program(const std::string& program, std::span<const std::string> arguments, const std::string& log,
                        std::chrono::milliseconds longest, Errors errors) {
  std::vector<std::string> words{program};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  ::posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, log.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  if (errors == Errors::logged) ::posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO);
  pid_t child = 0;
  const int problem = ::posix_spawn(&child, program.c_str(), &actions, nullptr, pointers.data(), environ);
  ::posix_spawn_file_actions_destroy(&actions);
  const std::string name = std::filesystem::path(program).filename().string();
  if (problem != 0) return start_fault(name, problem);

  using Clock = std::chrono::steady_clock;
  const auto end_of_time = Clock::now() + longest;
  std::chrono::milliseconds pause(1);
  int status = 0;
  for (;;) {
    const pid_t ended = ::waitpid(child, &status, WNOHANG);
    if (ended == child) break;
    if (ended < 0 && errno != EINTR) return limit_fault("waiting for " + name + " failed: " + std::strerror(errno));
    if (Clock::now() >= end_of_time) {
      ::kill(child, SIGKILL);
      while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
      }
      return late_fault(name, longest);
    }
    std::this_thread::sleep_for(pause);
    pause = std::min(pause * 2, std::chrono::milliseconds(20));
  }
  if (WIFSIGNALED(status)) return limit_fault(name + " crashed with signal " + std::to_string(WTERMSIG(status)));
  return WEXITSTATUS(status);
}

}  // namespace unshade::system

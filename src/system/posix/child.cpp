#include <unshade/system/child.hpp>

#include <fcntl.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <new>
#include <string_view>

#include "system/limit_faults.hpp"

namespace unshade::system {

namespace {

// Exit statuses of the child.
constexpr int kDone = 0;
constexpr int kNoMemory = 3;
constexpr int kNobodyReads = 4;

/// Without a child there is nothing that could limit the work.
Error no_child(std::string_view what, int number) {
  return {ErrorCode::unsupported, 0, {}, "cannot create " + std::string(what) + ": " + std::strerror(number)};
}

void set_limit(int resource, std::uint64_t value) {
  rlimit limit{};
  if (::getrlimit(resource, &limit) != 0) return;
  limit.rlim_cur = std::min<rlim_t>(value, limit.rlim_max);
  ::setrlimit(resource, &limit);
}

/// Address space of this process in bytes; 0 if that cannot be told.
std::uint64_t address_space() {
  const int file = ::open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
  if (file < 0) return 0;
  char text[64];
  const auto count = ::read(file, text, sizeof text);
  ::close(file);
  std::uint64_t pages = 0;
  if (count <= 0 || std::from_chars(text, text + count, pages).ec != std::errc{}) return 0;
  return pages * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
}

[[noreturn]] void be_child(int to, pid_t parent, const ChildLimits& limits, const std::function<std::string()>& work) {
#ifdef __linux__
  // Ctrl-C reaches both; this is for signals that reach the parent alone.
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(kNobodyReads);
#else
  static_cast<void>(parent);
#endif
  set_limit(RLIMIT_CORE, 0);
  set_limit(RLIMIT_CPU, std::uint64_t{limits.seconds} + 1);  // in case nobody is left to end it
  if (const std::uint64_t now = address_space(); now != 0) set_limit(RLIMIT_AS, now + limits.bytes);
  std::set_new_handler([] { ::_exit(kNoMemory); });
  const std::string result = work();
  std::size_t at = 0;
  while (at < result.size()) {
    const auto count = ::write(to, result.data() + at, result.size() - at);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) ::_exit(kNobodyReads);
    at += static_cast<std::size_t>(count);
  }
  ::_exit(kDone);
}

}  // namespace

Result<std::string> in_child(const ChildLimits& limits, const std::function<std::string()>& work, int) {
  if (limits.seconds == 0) return work();
  int ends[2];
  if (::pipe(ends) != 0) return no_child("a pipe to a child process", errno);
  for (const int end : ends) ::fcntl(end, F_SETFD, FD_CLOEXEC);
  const pid_t parent = ::getpid();
  const pid_t child = ::fork();
  if (child == 0) {
    ::close(ends[0]);
    be_child(ends[1], parent, limits, work);
  }
  const int fork_error = errno;
  ::close(ends[1]);
  if (child < 0) {
    ::close(ends[0]);
    return no_child("a child process", fork_error);
  }

  using Clock = std::chrono::steady_clock;
  const auto end_of_time = Clock::now() + std::chrono::seconds(limits.seconds);
  std::string result;
  bool late = false;
  for (;;) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(end_of_time - Clock::now()).count();
    pollfd wait{ends[0], POLLIN, 0};
    const int ready = left > 0 ? ::poll(&wait, 1, static_cast<int>(left)) : 0;
    if (ready < 0 && errno == EINTR) continue;
    late = ready == 0;
    if (ready <= 0) break;
    char buffer[1 << 16];
    const auto count = ::read(ends[0], buffer, sizeof buffer);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) break;
    result.append(buffer, static_cast<std::size_t>(count));
    if (result.size() > limits.result_bytes) break;
  }
  ::close(ends[0]);
  const bool long_result = result.size() > limits.result_bytes;
  if (late || long_result) ::kill(child, SIGKILL);
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (late || (WIFSIGNALED(status) && WTERMSIG(status) == SIGXCPU)) return limit_fault(late_message(limits));
  if (long_result) return large_result_fault(limits);
  if (WIFSIGNALED(status)) return limit_fault("crashed with signal " + std::to_string(WTERMSIG(status)));
  if (WEXITSTATUS(status) == kNoMemory) return limit_fault("needed more than " + std::to_string(limits.bytes >> 20) + " MiB of memory");
  if (WEXITSTATUS(status) != kDone) return limit_fault("ended with status " + std::to_string(WEXITSTATUS(status)));
  return result;
}

}  // namespace unshade::system

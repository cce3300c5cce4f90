#include "cli/io/guard.hpp"

#include <signal.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <memory>

namespace unshade::cli {

namespace {

/// Verbs with many results have one open at a time, or some dozens; test keeps the pictures of all tests.
constexpr std::size_t kMostGuarded = 1024;

/// What a signal handler may look at: whoever takes a name out of its place owns it.
std::array<std::atomic<char*>, kMostGuarded> guarded_names;
static_assert(std::atomic<char*>::is_always_lock_free);
pid_t guarding_process = 0;

extern "C" void remove_guarded_files(int number) {
  // a child that is forked has the names too, and not the files
  if (::getpid() == guarding_process)
    for (std::atomic<char*>& place : guarded_names)
      if (const char* const name = place.exchange(nullptr)) ::unlink(name);  // the memory goes with the process
  ::signal(number, SIG_DFL);
  ::raise(number);
}

}  // namespace

std::size_t guard_file(const std::string& path) {
  auto name = std::make_unique<char[]>(path.size() + 1);
  path.copy(name.get(), path.size());
  for (std::size_t i = 0; i < guarded_names.size(); ++i) {
    char* none = nullptr;
    if (!guarded_names[i].compare_exchange_strong(none, name.get())) continue;
    (void)name.release();
    return i;
  }
  return kNoGuard;
}

void release_file(std::size_t guard) {
  if (guard != kNoGuard) const std::unique_ptr<char[]> name(guarded_names[guard].exchange(nullptr));
}

void remove_guarded_files_on_signals() {
  guarding_process = ::getpid();
  for (const int number : {SIGINT, SIGTERM, SIGHUP}) {
    struct sigaction action{};
    if (::sigaction(number, nullptr, &action) != 0 || action.sa_handler != SIG_DFL) continue;
    action.sa_handler = remove_guarded_files;
    ::sigaction(number, &action, nullptr);
  }
}

}  // namespace unshade::cli

#include "cli/testing/watch.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <filesystem>
#include <set>
#include <system_error>
#include <thread>

#ifdef __linux__
#include <poll.h>
#include <sys/inotify.h>
#include <unistd.h>
#endif

namespace unshade::cli::testing {

namespace {

constexpr unsigned kInterval = 200;  // milliseconds between looks
constexpr unsigned kSettling = 50;   // after a change, until what is written is written

}  // namespace

Watch::Watch(std::function<std::vector<std::string>()> list) : list_(std::move(list)) {
#ifdef __linux__
  notifier_ = ::inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
#endif
  states_ = look();
}

Watch::~Watch() {
#ifdef __linux__
  if (notifier_ >= 0) ::close(notifier_);
#endif
}

Watch::States Watch::look() {
  States made;
  std::set<std::string> folders;
  for (const std::string& name : list_()) {
    std::error_code fault;
    const auto size = std::filesystem::file_size(name, fault);
    const auto time = std::filesystem::last_write_time(name, fault);
    made[name] = fault ? std::pair<std::uint64_t, std::int64_t>(~std::uint64_t{0}, 0)
                       : std::pair<std::uint64_t, std::int64_t>(size, time.time_since_epoch().count());
    const std::string folder = std::filesystem::path(name).parent_path().string();
    folders.insert(folder.empty() ? "." : folder);
  }
#ifdef __linux__
  // a folder that is watched already stays so
  for (const std::string& folder : folders) {
    if (notifier_ >= 0)
      ::inotify_add_watch(notifier_, folder.c_str(), IN_CLOSE_WRITE | IN_MOVED_TO | IN_MOVED_FROM | IN_CREATE | IN_DELETE | IN_ATTRIB);
  }
#endif
  return made;
}

void Watch::sleep(unsigned milliseconds) const {
#ifdef __linux__
  if (notifier_ >= 0) {
    pollfd waited{notifier_, POLLIN, 0};
    if (::poll(&waited, 1, static_cast<int>(milliseconds)) <= 0) return;
    std::array<char, 4096> events{};
    while (::read(notifier_, events.data(), events.size()) > 0) {
    }
    return;
  }
#endif
  std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
}

bool Watch::wait(unsigned milliseconds) {
  using Clock = std::chrono::steady_clock;
  const auto end = Clock::now() + std::chrono::milliseconds(milliseconds);
  for (;;) {
    if (States now = look(); now != states_) {
      std::this_thread::sleep_for(std::chrono::milliseconds(kSettling));
      states_ = look();
      return true;
    }
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(end - Clock::now()).count();
    if (left <= 0) return false;
    sleep(static_cast<unsigned>(std::min<std::int64_t>(left, kInterval)));
  }
}

}  // namespace unshade::cli::testing

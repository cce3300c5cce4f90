#include <unshade/system/changes.hpp>

#include <poll.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/inotify.h>
#endif

#include <array>
#include <chrono>
#include <thread>

namespace unshade::system {

FolderChanges::FolderChanges() {
#ifdef __linux__
  notifier_ = File(::inotify_init1(IN_NONBLOCK | IN_CLOEXEC));
#endif
}

void FolderChanges::watch([[maybe_unused]] const std::string& folder) {
#ifdef __linux__
  if (notifier_)
    ::inotify_add_watch(static_cast<int>(notifier_.native()), folder.c_str(),
                        IN_CLOSE_WRITE | IN_MOVED_TO | IN_MOVED_FROM | IN_CREATE | IN_DELETE | IN_ATTRIB);
#endif
}

void FolderChanges::sleep(unsigned milliseconds) {
  if (!notifier_) return std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
  const int number = static_cast<int>(notifier_.native());
  pollfd waited{number, POLLIN, 0};
  if (::poll(&waited, 1, static_cast<int>(milliseconds)) <= 0) return;
  std::array<char, 4096> events{};
  while (::read(number, events.data(), events.size()) > 0) {
  }
}

}  // namespace unshade::system

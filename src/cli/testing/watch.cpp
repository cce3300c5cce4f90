#include "cli/testing/watch.hpp"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <set>
#include <system_error>
#include <thread>

namespace unshade::cli::testing {

namespace {

constexpr unsigned kInterval = 200;  // milliseconds between looks
constexpr unsigned kSettling = 50;   // after a change, until what is written is written

}  // namespace

Watch::Watch(std::function<std::vector<std::string>()> list) : list_(std::move(list)), states_(look()) {}

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
  for (const std::string& folder : folders) changes_.watch(folder);
  return made;
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
    changes_.sleep(static_cast<unsigned>(std::min<std::int64_t>(left, kInterval)));
  }
}

}  // namespace unshade::cli::testing

#include "cli/testing/watch.hpp"

#include <algorithm>
#include <chrono>
#include <set>
#include <thread>
#include <utility>

#include <unshade/core/text/paths.hpp>
#include <unshade/system/file.hpp>

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
    const auto status = system::status_of(name);
    made[name] = status ? std::pair(status->bytes, status->modified) : std::pair(~std::uint64_t{0}, std::int64_t{0});
    const std::string_view folder = paths::folder_of(name);
    folders.emplace(folder.empty() ? "." : folder);
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

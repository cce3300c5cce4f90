// Waits for files to change.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <unshade/system/changes.hpp>

namespace unshade::cli::testing {

/// Files with their sizes and times. Linux wakes it (inotify); elsewhere it looks five times a second.
class Watch {
 public:
  /// `list` gives the names of the files: it is called again whenever something may have changed.
  explicit Watch(std::function<std::vector<std::string>()> list);
  Watch(const Watch&) = delete;
  Watch& operator=(const Watch&) = delete;

  std::size_t count() const { return states_.size(); }
  /// Until a file changes, is made, or is removed; false if none does for so long. Writes that follow each other at once are one change.
  bool wait(unsigned milliseconds);

 private:
  using States = std::map<std::string, std::pair<std::uint64_t, std::int64_t>>;
  States look();

  std::function<std::vector<std::string>()> list_;
  system::FolderChanges changes_;
  States states_;
};

}  // namespace unshade::cli::testing

// Sleeping until something changes in folders.
#pragma once

#include <string>

#include <unshade/system/file.hpp>

namespace unshade::system {

/// Linux wakes it (inotify); elsewhere it sleeps its time.
class FolderChanges {
 public:
  FolderChanges();
  FolderChanges(const FolderChanges&) = delete;
  FolderChanges& operator=(const FolderChanges&) = delete;

  /// A folder that is watched already stays so.
  void watch(const std::string& folder);
  /// Returns when something may have changed, at the latest after so long.
  void sleep(unsigned milliseconds);

 private:
  File notifier_;
};

}  // namespace unshade::system

// A folder for files of one piece of work.
#pragma once

#include <filesystem>

namespace unshade::system {

/// It is removed with all that is in it.
class WorkFolder {
 public:
  /// Below the system's folder for such; path() is empty if it cannot be made.
  WorkFolder();
  ~WorkFolder();
  WorkFolder(const WorkFolder&) = delete;
  WorkFolder& operator=(const WorkFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace unshade::system

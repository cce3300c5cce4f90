// Files that a command reads.
#pragma once

#include <optional>
#include <set>
#include <string>

#include <unshade/system/file.hpp>

#include "cli/io/io.hpp"

namespace unshade::cli::write {

/// Known by what they are, whatever names and links lead to them, so that nothing that is written replaces one.
class InputFiles {
 public:
  /// Of a file that is not there, nothing is added.
  void add(const std::optional<Io::FileId>& file) {
    if (file) ids_.insert(*file);
  }
  /// Whether a path leads to one of them that can be replaced: a device and a pipe cannot.
  bool has(const std::string& path) const {
    const auto file = Io::file_id(path);
    return file && ids_.contains(*file) && system::regular_file_bytes(path);
  }

 private:
  std::set<Io::FileId> ids_;
};

}  // namespace unshade::cli::write

// Files that a verb writes together.
#pragma once

#include <cstddef>
#include <deque>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "cli/io/io.hpp"
#include "cli/write/input_files.hpp"

namespace unshade::cli::write {

/// `base` and `end`; of the second of equal names on, its number is between them: `a.lst`, `a.2.lst`.
std::string numbered(std::string_view base, std::size_t number, std::string_view end);

/// Whether a path is there and no regular file: /dev/stdout, a pipe. What is written to it cannot be taken back.
bool is_stream(const std::string& path);

/// They appear under their names when all of them are complete, and none does if one would replace an input.
class PendingFiles {
 public:
  /// Writes a file under a temporary name; its folders are made. What is no regular file (/dev/null, a pipe) is written in place. Returns
  /// the error, or an empty text.
  std::string add(const std::string& path, std::string_view bytes);
  /// The same: false, and a complaint.
  bool add(const std::string& path, std::string_view bytes, Io& io);
  /// Whether one of them has the path, in capital or small letters: systems may take them for the same.
  bool has(const std::string& path) const;
  /// The first path in a folder, by its number, that none of them has.
  std::string free_path(const std::string& folder, std::string_view base, std::string_view end);
  /// Gives the files their names. False, and a complaint, if one would replace an input, or cannot get its name.
  bool commit(const InputFiles& inputs, Io& io);

 private:
  struct File {
    std::string path;
    OutputFile output;
  };
  std::deque<File> files_;
  std::set<std::string> taken_;
  std::set<std::string> folded_;                                        // the same
  std::map<std::pair<std::string, std::string>, std::size_t> numbers_;  // of the last path that was free, by folder and base, and end
};

}  // namespace unshade::cli::write

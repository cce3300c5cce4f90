// Other programs, where they are installed.
#pragma once

#include <chrono>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include <unshade/core/result.hpp>

namespace unshade::cli {

/// A folder for files of one piece of work, which is removed with all that is in it.
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

/// The path of a program in the folders of PATH.
std::optional<std::string> find_program(std::string_view name);

/// What a program says on standard error: to the file that its output goes to, or as this program's.
enum class Errors : unsigned char { logged, shown };

/// Runs a program with no input, its output in the file `log`, and returns its exit status. From any thread. Errors, without
/// offset and path: missing, if it cannot be started; limit, if it took longer or a signal ended it.
Result<int> run_program(const std::string& program, std::span<const std::string> arguments, const std::string& log,
                        std::chrono::milliseconds longest, Errors errors = Errors::logged);

}  // namespace unshade::cli

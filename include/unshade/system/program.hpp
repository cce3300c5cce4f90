// Other programs, where they are installed.
#pragma once

#include <chrono>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include <unshade/core/result.hpp>

namespace unshade::system {

/// The path of a program in the folders of PATH. On Windows the name may lack its `.exe` or `.com`; scripts (.bat, .cmd) are none: their
/// interpreter takes arguments apart by rules of its own.
std::optional<std::string> find_program(std::string_view name);

/// What a program says on standard error: to the file that its output goes to, or as this program's.
enum class Errors : unsigned char { logged, shown };

/// Runs a program with no input, its output in the file `log`, and returns its exit status. From any thread. Errors, without
/// offset and path: missing, if it cannot be started; limit, if it took longer or crashed. On Windows what it started ends with it.
Result<int> run_program(const std::string& program, std::span<const std::string> arguments, const std::string& log,
                        std::chrono::milliseconds longest, Errors errors = Errors::logged);

}  // namespace unshade::system

// Work in a child process, which can be ended: for libraries that have no limits of their own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include <unshade/core/result.hpp>

#include "cli/line/verb.hpp"

namespace unshade::cli {

class Args;
class Io;

struct ChildLimits {
  unsigned seconds = 10;                            ///< of wall-clock time; 0: no child, the work is done here without limits
  std::uint64_t bytes = std::uint64_t{1} << 31;     ///< of address space beyond what this process has
  std::size_t result_bytes = std::size_t{1} << 28;  ///< what the work may return
};

inline constexpr Option kTimeLimit{"time-limit", 0,  Takes::text,
                                   "SECONDS",    {}, "time limit of Khronos' libraries for a module (default: 10; 0: no limit)"};
/// The limits of a command line, or nothing, and a complaint.
std::optional<ChildLimits> child_limits(const Args& args, Io& io);

/// Calls `work` in a child of this process and returns its text. The child sees a copy of this process' memory; it ends with this process.
/// Call it if this is the only thread. Errors, without offset and path: limit, if a limit was reached or the child crashed; unsupported,
/// if there is no child to be had.
Result<std::string> in_child(const ChildLimits& limits, const std::function<std::string()>& work);

}  // namespace unshade::cli

// Work with limits, for libraries that have none of their own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>

#include <unshade/core/result.hpp>

namespace unshade::system {

struct ChildLimits {
  unsigned seconds = 10;                            ///< of wall-clock time; 0: no child, the work is done here without limits
  std::uint64_t bytes = std::uint64_t{1} << 31;     ///< of address space beyond what this process has
  std::size_t result_bytes = std::size_t{1} << 28;  ///< what the work may return
};

/// Calls `work` in a child of this process and returns its text. The child sees a copy of this process' memory; it ends with this process.
/// Call it if this is the only thread. Errors, without offset and path: limit, if a limit was reached or the child crashed; unsupported,
/// if there is no child to be had.
/// Windows has no fork(), and a thread cannot be ended safely: there a thread of this process does the work. If it takes too long, the
/// process says so on standard error, as an error of its own, and ends with `status_if_late`; a crash is one of the process; memory is
/// limited by what the system gives.
Result<std::string> in_child(const ChildLimits& limits, const std::function<std::string()>& work, int status_if_late = 2);

}  // namespace unshade::system

// The limits of work in a child process, as an option of verbs.
#pragma once

#include <optional>

#include <unshade/system/child.hpp>

#include "cli/line/verb.hpp"

namespace unshade::cli {

class Args;
class Io;

using system::ChildLimits;
using system::in_child;

inline constexpr Option kTimeLimit{"time-limit", 0,  Takes::text,
                                   "SECONDS",    {}, "time limit of Khronos' libraries for a module (default: 10; 0: no limit)"};
/// The limits of a command line, or nothing, and a complaint.
std::optional<ChildLimits> child_limits(const Args& args, Io& io);

}  // namespace unshade::cli

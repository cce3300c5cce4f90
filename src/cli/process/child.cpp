#include "cli/process/child.hpp"

#include <unshade/core/text/numbers.hpp>

#include "cli/io/io.hpp"
#include "cli/line/args.hpp"

namespace unshade::cli {

namespace {

constexpr unsigned kMostSeconds = 86'400;

}  // namespace

std::optional<ChildLimits> child_limits(const Args& args, Io& io) {
  ChildLimits limits;
  if (!args.has(kTimeLimit.name)) return limits;
  const auto seconds = as_number<decltype(limits.seconds)>(args.value(kTimeLimit.name));
  limits.seconds = seconds.value_or(0);
  if (seconds && *seconds <= kMostSeconds) return limits;
  io.report({}, "usage", "--time-limit must be a number of seconds of at most " + std::to_string(kMostSeconds));
  return std::nullopt;
}

}  // namespace unshade::cli

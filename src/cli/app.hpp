// The command as a function.
#pragma once

#include <string>
#include <vector>

#include "cli/io/stream.hpp"
#include "cli/line/verb.hpp"

namespace unshade::cli {

/// Runs a command line, without the program's name in front.
Exit run(const std::vector<std::string>& words, Host& host);

}  // namespace unshade::cli

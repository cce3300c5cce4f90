// The command as a function.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/stream.hpp"
#include "cli/table.hpp"

namespace unshade::cli {

/// `0.1.0`
std::string_view version();

/// Runs a command line, without the program's name in front.
Exit run(const std::vector<std::string>& words, Host& host);

}  // namespace unshade::cli

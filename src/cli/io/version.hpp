// The version of the command.
#pragma once

#include <string_view>

namespace unshade::cli {

/// `0.1.0`
std::string_view version();

}  // namespace unshade::cli

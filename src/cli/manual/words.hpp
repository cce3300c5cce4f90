// What help, manual pages and JSON say alike.
#pragma once

#include <string>
#include <string_view>

#include "cli/line/verb.hpp"

namespace unshade::cli::manual {

inline constexpr std::string_view kTagline = "takes compiled shaders apart";

/// `unshade info [OPTION]... FILE...`
std::string usage_of(const Verb& verb);

/// The description of an option, with its values if the summary does not name them all.
std::string described(const Option& option);

}  // namespace unshade::cli::manual

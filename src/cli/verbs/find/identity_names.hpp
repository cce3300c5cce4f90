// Names of identities on command lines.
#pragma once

#include <string>
#include <string_view>

namespace unshade::cli::verbs {

/// What is wrong with an identity that was asked for; empty: nothing.
std::string identity_fault(std::string_view id);

}  // namespace unshade::cli::verbs

// Listings for git's textconv, which compares texts instead of bytes.
#pragma once

#include <span>
#include <string>

#include <unshade/shader/listing.hpp>

#include "cli/io/io.hpp"

namespace unshade::cli::verbs::git {

/// Prints for each file what git compares: a line that says what the file is, and its listing. Text that holds no shader comes as it is.
/// What cannot be listed becomes its error and a checksum, with Exit::ok: for another status git would show nothing.
Exit print_for_textconv(std::span<const std::string> names, const shader::ListingOptions& options, Io& io);

}  // namespace unshade::cli::verbs::git

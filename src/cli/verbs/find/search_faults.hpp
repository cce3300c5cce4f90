// What kept a search from files, or from parts of them, on standard error.
#pragma once

#include <unshade/unpack/search.hpp>

#include "cli/io/io.hpp"

namespace unshade::cli::verbs {

/// Reports why a file cannot be read, and what of it cannot be unpacked.
Exit report_faults(const unpack::SearchedFile& file, Io& io);
/// Reports the latter.
Exit report_layers(const unpack::SearchedFile& file, Io& io);

}  // namespace unshade::cli::verbs

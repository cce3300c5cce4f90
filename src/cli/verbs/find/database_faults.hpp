// The room index as verbs see it, and its errors on standard error.
#pragma once

#include <string>

#include <unshade/index/database.hpp>

#include "cli/io/io.hpp"

namespace unshade::cli::verbs {

// Here `index` is the verb.
namespace database = unshade::index;

/// Reports what is wrong with a database, or with what was asked of it.
Exit refuse_database(const std::string& path, const Error& error, Io& io);

}  // namespace unshade::cli::verbs

// Files into a database that another verb asks.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include <unshade/index/sqlite.hpp>
#include "cli/io/io.hpp"
#include "cli/verbs/find/database_faults.hpp"

namespace unshade::cli::verbs::index {

/// Finds the shaders of files and folders, as `unshade index` does, and puts them into a new database. Reports faults. Throws
/// database::Fault.
Exit index_paths(database::Connection& database, const std::vector<std::string>& paths, std::size_t threads, Io& io);

}  // namespace unshade::cli::verbs::index

// The room index as verbs see it, and its faults on standard error.
#pragma once

#include <string>

#include <unshade/index/sqlite.hpp>

#include "cli/io/io.hpp"

namespace unshade::cli::verbs {

// Here `index` is the verb.
namespace database = unshade::index;

/// Reports what is wrong with a database.
Exit refuse_database(const std::string& path, const database::Fault& fault, Io& io);

/// Calls `body`, which returns an Exit, and reports what it throws.
template <class Body>
Exit with_database(const std::string& path, Io& io, Body body) {
  try {
    return body();
  } catch (const database::Fault& fault) {
    return refuse_database(path, fault, io);
  }
}

}  // namespace unshade::cli::verbs

// Joining databases.
#pragma once

#include <string>

#include <unshade/index/database.hpp>

#include "index/schema.hpp"

namespace unshade::index {

/// Database::merge(). Throws Fault, and changes nothing then.
Merged merge_database(Connection& database, const std::string& other);

}  // namespace unshade::index

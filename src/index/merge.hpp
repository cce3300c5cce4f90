// Joining databases.
#pragma once

#include <string>

#include <unshade/index/database.hpp>

#include "index/schema.hpp"

namespace unshade::index {

/// Database::merge(). After a fault of the connection the transaction is open still.
Result<Merged> merge_database(Connection& database, const std::string& other);

}  // namespace unshade::index

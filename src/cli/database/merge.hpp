// Joining databases.
#pragma once

#include <string>

#include "cli/database/schema.hpp"

namespace unshade::cli::database {

/// Adds all that another database has, in one transaction. Where both have a file, that of the other one replaces it. Listings and bytes
/// are taken over if both databases keep them. Throws Fault, and changes nothing then.
void merge_database(Connection& database, const std::string& other);

}  // namespace unshade::cli::database

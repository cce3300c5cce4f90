// What is in a database, counted.
#pragma once

#include <string>

#include <unshade/index/database.hpp>

namespace unshade::index {

Stats stats_of(Connection& database, const std::string& path);

}  // namespace unshade::index

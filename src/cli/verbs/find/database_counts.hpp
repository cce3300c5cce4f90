// What is in a database, counted, as people and JSON get it.
#pragma once

#include <string>

#include <unshade/index/stats.hpp>

#include "cli/io/json.hpp"
#include "cli/io/printer.hpp"
#include "cli/verbs/find/database_faults.hpp"

namespace unshade::cli::verbs {

void print_stats(const std::string& path, const database::Stats& stats, Printer& out);
void write_stats(const std::string& path, const database::Stats& stats, Json& json);

}  // namespace unshade::cli::verbs

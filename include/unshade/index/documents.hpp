// What databases are and have as JSON and as text; docs/reference/json has the shapes.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include <unshade/present/files.hpp>
#include <unshade/present/json.hpp>
#include <unshade/present/printer.hpp>

#include <unshade/index/database.hpp>

namespace unshade::index {

/// A line of counts for each row, for people.
void print_stats(const std::string& path, const Stats& stats, present::Printer& out);
/// One database's object of `unshade.index-stats/1`.
void write_stats(const std::string& path, const Stats& stats, present::Json& json);

/// What a run added: `unshade.index/1`.
void write_totals(const std::string& path, const Totals& totals, std::span<const present::Fault> faults, present::Json& json);
/// What was joined, in a line.
void print_merged(const std::string& path, std::uint64_t databases, const Merged& merged, present::Printer& out);
/// What was joined: `unshade.index-merge/1`.
void write_merged(const std::string& path, std::uint64_t databases, const Merged& merged, present::Json& json);
/// A shader in a line with its first place, and lines for its other places, if all are asked for, and of its listing.
void print_found(const Found& found, bool all_places, present::Printer& out);
/// A shader, as a line of its own: `unshade.search/1`.
void write_found(const Found& found, present::Printer& out);

}  // namespace unshade::index

// The database of shaders: its tables, and opening it. Described in docs/reference/database.md. Requires SQLite and xxHash.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>

#include <unshade/index/sqlite.hpp>

namespace unshade::index {

/// What a new database keeps besides facts.
struct Keeps {
  bool bytes = false;     ///< of each shader, --keep
  bool listings = false;  ///< words of each listing, --text
};

/// A column of the table `shader` with an identity of find::identity_kinds().
struct IdentityColumn {
  std::string_view id;
  std::string_view column;
};
std::span<const IdentityColumn> identity_columns();

/// Opens a database, and checks that it is one. With Mode::make, an absent or empty file becomes one that keeps `keeps`. Throws Fault.
std::unique_ptr<Connection> open_database(const std::string& path, Mode mode, Keeps keeps = {});
/// A new database that is in no file. Throws Fault.
std::unique_ptr<Connection> new_database_in_memory(Keeps keeps);
/// Whether the file is there, and not empty.
bool is_there(const std::string& path);
/// Whether the file is there, and begins as a database that this unshade reads.
bool is_database(const std::string& path);
/// What a database keeps.
Keeps kept_by(Connection& database);
/// Reads all of it. Throws Fault if something is wrong.
void check_database(Connection& database);

}  // namespace unshade::index

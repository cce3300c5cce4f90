// The tables of a database, and opening it. Described in docs/reference/database.md.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>

#include <unshade/core/result.hpp>
#include <unshade/index/database.hpp>

#include "index/sqlite.hpp"

namespace unshade::index {

/// A column of the table `shader` with an identity of find::identity_kinds().
struct IdentityColumn {
  std::string_view id;
  std::string_view column;
};
std::span<const IdentityColumn> identity_columns();

/// Opens a database, and checks that it is one. With Mode::make, an absent or empty file becomes one that keeps `keeps`.
Result<std::unique_ptr<Connection>> open_database(const std::string& path, Mode mode, Keeps keeps = {});
/// A new database that is in no file.
std::unique_ptr<Connection> new_database_in_memory(Keeps keeps);
/// Whether two paths lead to one file.
bool is_same_file(const std::string& one, const std::string& other);
/// What a database keeps.
Keeps kept_by(Connection& database);
/// Reads all of it, and notes what is wrong.
void check_database(Connection& database);

}  // namespace unshade::index

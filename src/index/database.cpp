#include <unshade/index/database.hpp>

#include <utility>

#include "index/fault.hpp"
#include "index/merge.hpp"
#include "index/query.hpp"
#include "index/schema.hpp"
#include "index/stats.hpp"
#include "index/writer.hpp"

namespace unshade::index {

namespace {

Result<Keeps> checked_keeps(Connection& connection) {
  return without_fault<Keeps>(connection, [&] { return kept_by(connection); });
}

/// All of a database that is in a file.
Result<void> check_file(const std::string& path) {
  auto database = Database::open(path);
  return database ? database->check() : database.error();
}

}  // namespace

Database::Database(std::unique_ptr<Connection> connection, std::string path, Keeps keeps)
    : connection_(std::move(connection)), path_(std::move(path)), keeps_(keeps) {}
Database::Database(Database&&) noexcept = default;
Database& Database::operator=(Database&&) noexcept = default;
Database::~Database() = default;

Result<Database> Database::open(const std::string& path) {
  auto connection = open_database(path, Mode::read);
  if (!connection) return std::move(connection).error();
  const auto kept = checked_keeps(**connection);
  if (!kept) return kept.error();
  return Database(*std::move(connection), path, *kept);
}

Result<Database> Database::make(const std::string& path, Keeps keeps) {
  auto connection = open_database(path, Mode::make, keeps);
  if (!connection) return std::move(connection).error();
  const auto kept = checked_keeps(**connection);
  if (!kept) return kept.error();
  return Database(*std::move(connection), path, *kept);
}

Result<Database> Database::in_memory(Keeps keeps) {
  auto connection = new_database_in_memory(keeps);
  if (const auto fault = connection->take_fault()) return error_of(*fault);
  return Database(std::move(connection), {}, keeps);
}

Result<Stats> Database::stats() {
  return without_fault<Stats>(*connection_, [&] { return stats_of(*connection_, path_); });
}

Result<void> Database::check() {
  return without_fault<void>(*connection_, [&]() -> Result<void> {
    check_database(*connection_);
    return {};
  });
}

Result<void> Database::remove(const std::string& path) {
  auto removed = without_fault<void>(*connection_, [&]() -> Result<void> {
    KnownShaders known;
    Writer writer(*connection_, known);
    writer.remove_file(path);
    writer.commit();
    return {};
  });
  if (!removed) connection_->undo();
  return removed;
}

Result<Merged> Database::merge(const std::string& other) {
  auto merged = without_fault<Merged>(*connection_, [&] { return merge_database(*connection_, other); });
  if (merged) return merged;
  connection_->undo();
  // SQLite does not say which of the two is damaged
  if (merged.error().code == ErrorCode::bad_value)
    if (auto checked = check_file(other); !checked) return std::move(checked).error().within("other");
  return merged;
}

Result<void> Database::read(const std::vector<std::int64_t>& ids, const Take& take) {
  return without_fault<void>(*connection_, [&]() -> Result<void> {
    Rows rows(*connection_);
    for (const std::int64_t id : ids) {
      FoundRow row = rows.of(id);
      if (connection_->has_fault() || !take({std::move(row)})) break;
    }
    return {};
  });
}

Result<void> Database::similar(const std::vector<std::int64_t>& ids, const find::Sketch& sketch, shader::Family family, double threshold,
                               const Take& take) {
  return without_fault<void>(*connection_, [&]() -> Result<void> {
    Rows rows(*connection_);
    for (const Likeness& one : like(*connection_, sketch, family, threshold, ids)) {
      FoundRow row = rows.of(one.id);
      if (connection_->has_fault() || !take({std::move(row), one.similarity})) break;
    }
    return {};
  });
}

}  // namespace unshade::index

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
  return without_throwing<Database>([&] {
    auto connection = open_database(path, Mode::read);
    const Keeps keeps = kept_by(*connection);
    return Database(std::move(connection), path, keeps);
  });
}

Result<Database> Database::make(const std::string& path, Keeps keeps) {
  return without_throwing<Database>([&] {
    auto connection = open_database(path, Mode::make, keeps);
    const Keeps kept = kept_by(*connection);
    return Database(std::move(connection), path, kept);
  });
}

Result<Database> Database::in_memory(Keeps keeps) {
  return without_throwing<Database>([&] { return Database(new_database_in_memory(keeps), {}, keeps); });
}

Result<Stats> Database::stats() {
  return without_throwing<Stats>([&] { return stats_of(*connection_, path_); });
}

Result<void> Database::check() {
  return without_throwing<void>([&]() -> Result<void> {
    check_database(*connection_);
    return {};
  });
}

Result<void> Database::remove(const std::string& path) {
  try {
    KnownShaders known;
    Writer writer(*connection_, known);
    writer.remove_file(path);
    writer.commit();
    return {};
  } catch (const Fault& fault) {
    connection_->undo();
    return error_of(fault);
  }
}

Result<Merged> Database::merge(const std::string& other) {
  try {
    return merge_database(*connection_, other);
  } catch (const Fault& fault) {
    // SQLite does not say which of the two is damaged
    if (fault.kind == Fault::Kind::damaged)
      if (auto checked = check_file(other); !checked) return std::move(checked).error().within("other");
    return error_of(fault);
  }
}

Result<void> Database::read(const std::vector<std::int64_t>& ids, const Take& take) {
  return without_throwing<void>([&]() -> Result<void> {
    Rows rows(*connection_);
    for (const std::int64_t id : ids)
      if (!take({rows.of(id)})) break;
    return {};
  });
}

Result<void> Database::similar(const std::vector<std::int64_t>& ids, const find::Sketch& sketch, shader::Family family, double threshold,
                               const Take& take) {
  return without_throwing<void>([&]() -> Result<void> {
    Rows rows(*connection_);
    for (const Likeness& one : like(*connection_, sketch, family, threshold, ids))
      if (!take({rows.of(one.id), one.similarity})) break;
    return {};
  });
}

}  // namespace unshade::index

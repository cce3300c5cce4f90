#include "index/sqlite.hpp"

#include <sqlite3.h>

#include <utility>

#include <unshade/core/text/paths.hpp>
#include <unshade/system/file.hpp>

#include "index/checked_pages.hpp"
#include "index/fault.hpp"

namespace unshade::index {

namespace {

/// How long another process may keep the database for itself, milliseconds.
constexpr int kPatience = 10'000;

Fault last_fault(sqlite3* connection, Fault::Kind kind) {
  const int code = connection != nullptr ? sqlite3_extended_errcode(connection) : SQLITE_NOMEM;
  if (code == SQLITE_IOERR_DATA) return checksum_fault();
  if ((code & 0xff) == SQLITE_CORRUPT) return {Fault::Kind::damaged, "the file is damaged: its pages are inconsistent"};
  if ((code & 0xff) == SQLITE_NOTADB) return {Fault::Kind::format, "not a SQLite database"};
  if ((code & 0xff) == SQLITE_BUSY) return {Fault::Kind::io, "another process is writing to it"};
  return {kind, connection != nullptr ? sqlite3_errmsg(connection) : "out of memory"};
}

int allow_reading(void*, int action, const char*, const char* name, const char*, const char*) {
  switch (action) {
    case SQLITE_SELECT:
    case SQLITE_READ:
    case SQLITE_RECURSIVE: return SQLITE_OK;
    // of functions only this one does more than compute
    case SQLITE_FUNCTION: return std::string_view(name) == "load_extension" ? SQLITE_DENY : SQLITE_OK;
    default: return SQLITE_DENY;
  }
}

}  // namespace

Error error_of(const Fault& fault) {
  switch (fault.kind) {
    case Fault::Kind::damaged: return {ErrorCode::bad_value, 0, {}, fault.message};
    case Fault::Kind::format: return {ErrorCode::bad_magic, 0, {}, fault.message};
    case Fault::Kind::sql: return {ErrorCode::bad_value, 0, "conditions", fault.message};
    case Fault::Kind::io: break;
  }
  return {ErrorCode::missing, 0, {}, fault.message};
}

std::string sqlite_name(const std::string& path) {
  const std::string native = system::native_path(path);
  return paths::is_absolute(native) || paths::drive_letters(native) != 0 ? native : "./" + native;
}

Fault checksum_fault() {
  return {Fault::Kind::damaged,
          "page " + std::to_string(damaged_page()) + " has a wrong checksum: the file is damaged, or another program has written to it"};
}

Statement::Statement(Connection& connection, std::string_view sql, Fault::Kind kind) : connection_(&connection), kind_(kind) {
  if (connection.has_fault()) return;
  const char* rest = nullptr;
  const int status = sqlite3_prepare_v2(connection.connection_, sql.data(), static_cast<int>(sql.size()), &statement_, &rest);
  if (status != SQLITE_OK) {
    check(status);
    return;
  }
  const std::string_view left(rest, static_cast<std::size_t>(sql.data() + sql.size() - rest));
  if (statement_ == nullptr || left.find_first_not_of(" \t\r\n;") != std::string_view::npos)
    connection.note({kind, "expected one condition of SQL"});
}

Statement::Statement(Statement&& other) noexcept
    : connection_(other.connection_), statement_(std::exchange(other.statement_, nullptr)), kind_(other.kind_) {}

Statement::~Statement() { sqlite3_finalize(statement_); }

void Statement::check(int status) {
  if (status != SQLITE_OK && !connection_->has_fault()) connection_->note(last_fault(connection_->connection_, kind_));
}

void Statement::reset() { sqlite3_reset(statement_); }

bool Statement::step() {
  if (connection_->has_fault()) return false;
  const int status = sqlite3_step(statement_);
  if (status == SQLITE_ROW) return true;
  if (status != SQLITE_DONE) check(status);
  return false;
}

int Statement::columns() const { return sqlite3_column_count(statement_); }
std::string_view Statement::column_name(int column) const { return sqlite3_column_name(statement_, column); }
std::int64_t Statement::integer(int column) const { return sqlite3_column_int64(statement_, column); }
bool Statement::is_null(int column) const { return sqlite3_column_type(statement_, column) == SQLITE_NULL; }

std::string_view Statement::text(int column) const {
  const auto* const data = reinterpret_cast<const char*>(sqlite3_column_text(statement_, column));
  return data == nullptr ? std::string_view() : std::string_view(data, static_cast<std::size_t>(sqlite3_column_bytes(statement_, column)));
}

std::span<const std::byte> Statement::blob(int column) const {
  const auto* const data = static_cast<const std::byte*>(sqlite3_column_blob(statement_, column));
  return {data, static_cast<std::size_t>(sqlite3_column_bytes(statement_, column))};
}

void Statement::bind_one(int index, std::int64_t value) { check(sqlite3_bind_int64(statement_, index, value)); }
void Statement::bind_one(int index, std::string_view text) {
  check(sqlite3_bind_text(statement_, index, text.empty() ? "" : text.data(), static_cast<int>(text.size()), SQLITE_STATIC));
}
void Statement::bind_one(int index, OrNull value) { value.text.empty() ? bind_one(index, nullptr) : bind_one(index, value.text); }
void Statement::bind_one(int index, std::span<const std::byte> bytes) {
  if (bytes.empty()) return bind_one(index, nullptr);
  check(sqlite3_bind_blob(statement_, index, bytes.data(), static_cast<int>(bytes.size()), SQLITE_STATIC));
}
void Statement::bind_one(int index, std::nullptr_t) { check(sqlite3_bind_null(statement_, index)); }

Connection::Connection(const std::string& path, Mode mode) {
  // also to read: what an interrupted writer left is to be undone
  const bool in_memory = mode == Mode::memory;
  const int flags =
      SQLITE_OPEN_READWRITE | (mode == Mode::make || in_memory ? SQLITE_OPEN_CREATE : 0) | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE;
  const std::string name = in_memory ? ":memory:" : sqlite_name(path);
  if (sqlite3_open_v2(name.c_str(), &connection_, flags, in_memory ? nullptr : checked_file_system()) != SQLITE_OK) {
    note(last_fault(connection_, Fault::Kind::io));
    return;
  }
  sqlite3_busy_timeout(connection_, kPatience);
  // Texts of conditions may stand between double quotes, whatever the library was built with.
  sqlite3_db_config(connection_, SQLITE_DBCONFIG_DQS_DML, 1, nullptr);
  if (mode == Mode::make) {
    int reserved = kPageChecksumBytes;
    sqlite3_file_control(connection_, "main", SQLITE_FCNTL_RESERVE_BYTES, &reserved);
  }
}

Connection::~Connection() { sqlite3_close_v2(connection_); }

void Connection::run(const std::string& sql) {
  if (has_fault()) return;
  if (sqlite3_exec(connection_, sql.c_str(), nullptr, nullptr, nullptr) != SQLITE_OK) note(last_fault(connection_, Fault::Kind::io));
}

void Connection::undo() {
  if (sqlite3_get_autocommit(connection_) == 0) sqlite3_exec(connection_, "rollback", nullptr, nullptr, nullptr);
}

std::int64_t Connection::last_id() const { return sqlite3_last_insert_rowid(connection_); }
std::int64_t Connection::changes() const { return sqlite3_changes64(connection_); }

std::int64_t Connection::integer(std::string_view sql) {
  Statement statement = prepare(sql);
  return statement.step() ? statement.integer(0) : 0;
}

void Connection::read_only() { sqlite3_set_authorizer(connection_, allow_reading, nullptr); }

}  // namespace unshade::index

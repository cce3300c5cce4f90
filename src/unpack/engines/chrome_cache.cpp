#include "unpack/engines/chrome_cache.hpp"

#include <string>
#include <string_view>

#include "unpack/streams/cursor.hpp"

#ifdef UNSHADE_HAS_DATABASE
#include <sqlite3.h>

#include <memory>
#endif

namespace unshade::unpack {

#ifdef UNSHADE_HAS_DATABASE

namespace {

/// Larger databases are not read: Chrome's have some tens of MiB.
constexpr std::uint64_t kMostDatabase = std::uint64_t{1} << 28;
/// In the header: who may write and read the file, 1 or, with a write-ahead log, 2.
constexpr std::size_t kWriteVersion = 18;
constexpr std::size_t kReadVersion = 19;
constexpr std::size_t kDatabaseHeader = 100;
/// Instructions of SQLite between two looks at how many there were.
constexpr int kStepsAtOnce = 1000;

/// Damaged pages can refer to each other so that a query has no end.
struct Patience {
  std::uint64_t left;

  static int use(void* patience) {
    auto& left = static_cast<Patience*>(patience)->left;
    if (left == 0) return 1;
    --left;
    return 0;
  }
};

struct CloseDatabase {
  void operator()(sqlite3* database) const { sqlite3_close(database); }
};
struct EndStatement {
  void operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
};

/// A database in memory that may be anything: its schema runs nothing.
std::unique_ptr<sqlite3, CloseDatabase> open_bytes(unsigned char* bytes, std::size_t size) {
  sqlite3* opened = nullptr;
  const int status = sqlite3_open_v2(":memory:", &opened, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, nullptr);
  std::unique_ptr<sqlite3, CloseDatabase> database(opened);
  if (status != SQLITE_OK) {
    sqlite3_free(bytes);
    return nullptr;
  }
  for (const int setting : {SQLITE_DBCONFIG_TRUSTED_SCHEMA, SQLITE_DBCONFIG_ENABLE_TRIGGER, SQLITE_DBCONFIG_ENABLE_VIEW})
    sqlite3_db_config(opened, setting, 0, nullptr);
  sqlite3_db_config(opened, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
  // nothing that is stored as it is can be larger
  sqlite3_limit(opened, SQLITE_LIMIT_LENGTH, static_cast<int>(size));
  const auto length = static_cast<sqlite3_int64>(size);
  constexpr unsigned kFlags = SQLITE_DESERIALIZE_FREEONCLOSE | SQLITE_DESERIALIZE_READONLY;
  if (sqlite3_deserialize(opened, "main", bytes, length, length, kFlags) != SQLITE_OK) return nullptr;
  return database;
}

}  // namespace

bool is_chrome_cache(View head) { return head.text().find("CREATE TABLE entries(key ") != std::string_view::npos; }

void read_chrome_cache(Feed& packed, Budget& budget, const ArchiveReader& reader) {
  Cursor cursor(packed);
  const auto fail = [&](ErrorCode code, std::string_view message) { reader.fault({code, 0, {}, std::string(message)}); };
  const std::uint64_t size = packed.size().value_or(0);
  if (size > kMostDatabase) return fail(ErrorCode::limit, "the browser's cache database exceeds the limit of 256 MiB");
  if (size < kDatabaseHeader) return fail(ErrorCode::truncated, "the header of the database is cut off");
  auto* const bytes = static_cast<unsigned char*>(sqlite3_malloc64(size));
  if (bytes == nullptr) return fail(ErrorCode::limit, "not enough memory for the database");
  if (!cursor.read(reinterpret_cast<std::byte*>(bytes), static_cast<std::size_t>(size))) {
    sqlite3_free(bytes);
    return fail(ErrorCode::truncated, "the database is cut off");
  }
  bytes[kWriteVersion] = bytes[kReadVersion] = 1;
  const auto database = open_bytes(bytes, static_cast<std::size_t>(size));
  if (database == nullptr) return fail(ErrorCode::bad_value, "the database cannot be opened");
  Patience patience{64 + size / kStepsAtOnce};
  sqlite3_progress_handler(database.get(), kStepsAtOnce, Patience::use, &patience);
  sqlite3_stmt* prepared = nullptr;
  int status = sqlite3_prepare_v2(database.get(), "select rowid, content from entries", -1, &prepared, nullptr);
  const std::unique_ptr<sqlite3_stmt, EndStatement> statement(prepared);
  std::uint64_t entries = 0;
  if (status == SQLITE_OK) {
    while ((status = sqlite3_step(prepared)) == SQLITE_ROW) {
      ++entries;
      const auto* const content = static_cast<const std::byte*>(sqlite3_column_blob(prepared, 1));
      const auto content_bytes = static_cast<std::size_t>(sqlite3_column_bytes(prepared, 1));
      const Member member{{"sqlite"}, "entry_" + std::to_string(sqlite3_column_int64(prepared, 0))};
      if (!budget.take(content_bytes + 1)) return reader.fault({ErrorCode::limit, 0, member.name, std::string(kBudgetSpent)});
      if (content == nullptr) continue;
      MemoryFeed feed{View({content, content_bytes})};
      if (!reader.member(member, feed)) return;
    }
  }
  if (status != SQLITE_DONE)
    fail(ErrorCode::bad_value,
         "the database is damaged after " + std::to_string(entries) + " entries: " + std::string(sqlite3_errmsg(database.get())));
}

#else

bool is_chrome_cache(View) { return false; }
void read_chrome_cache(Feed&, Budget&, const ArchiveReader&) {}

#endif

}  // namespace unshade::unpack

// SQLite's statements. The first fault sticks to the connection: statements after it do nothing, and have no rows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

struct sqlite3;
struct sqlite3_stmt;

namespace unshade::index {

/// What is wrong with a database, or with SQL that was asked for.
struct Fault {
  enum class Kind : unsigned char {
    damaged,  ///< bytes are not those that were written
    format,   ///< not a database of unshade, or one of another version
    sql,      ///< SQL of the user's
    io,
  };
  Kind kind = Kind::io;
  std::string message{};
};

/// A value that is NULL if the text or the bytes are empty.
struct OrNull {
  std::string_view text;
};

class Connection;

class Statement {
 public:
  Statement(Connection& connection, std::string_view sql, Fault::Kind kind);
  Statement(Statement&& other) noexcept;
  Statement(const Statement&) = delete;
  Statement& operator=(const Statement&) = delete;
  ~Statement();

  /// Binds all parameters. Texts and bytes must live until the next bind() or run().
  template <class... Values>
  Statement& bind(const Values&... values) {
    reset();
    int index = 0;
    (bind_one(++index, values), ...);
    return *this;
  }
  Statement& bind_all(const std::vector<std::string>& texts) {
    reset();
    for (std::size_t i = 0; i < texts.size(); ++i) bind_one(static_cast<int>(i) + 1, std::string_view(texts[i]));
    return *this;
  }
  /// Whether there is another row; false after a fault.
  bool step();
  /// All of it, without rows.
  template <class... Values>
  void run(const Values&... values) {
    bind(values...);
    while (step()) {
    }
  }

  int columns() const;
  std::string_view column_name(int column) const;
  std::int64_t integer(int column) const;
  bool is_null(int column) const;
  // Of the row; zeros and nothing where there is none. Valid until the next step().
  std::string_view text(int column) const;
  std::span<const std::byte> blob(int column) const;

 private:
  void reset();
  void bind_one(int index, std::int64_t value);
  void bind_one(int index, std::uint64_t value) { bind_one(index, static_cast<std::int64_t>(value)); }
  void bind_one(int index, std::uint32_t value) { bind_one(index, std::int64_t{value}); }
  void bind_one(int index, int value) { bind_one(index, std::int64_t{value}); }
  void bind_one(int index, std::string_view text);
  void bind_one(int index, const std::string& text) { bind_one(index, std::string_view(text)); }
  void bind_one(int index, OrNull value);
  void bind_one(int index, std::span<const std::byte> bytes);
  void bind_one(int index, std::nullptr_t);
  void bind_one(int index, const std::optional<std::int64_t>& value) { value ? bind_one(index, *value) : bind_one(index, nullptr); }
  void bind_one(int index, const std::optional<std::uint64_t>& value) { value ? bind_one(index, *value) : bind_one(index, nullptr); }
  void check(int status);

  Connection* connection_;
  sqlite3_stmt* statement_ = nullptr;
  Fault::Kind kind_;
};

enum class Mode : unsigned char { read, write, make, memory };

/// The name of a file as SQLite takes it: some names that begin with a colon, or `file:`, are none to it.
std::string sqlite_name(const std::string& path);
/// Of the page that was read last and has a wrong checksum.
Fault checksum_fault();

/// A connection to a database whose pages have checksums, see checked_pages.hpp.
class Connection {
 public:
  /// With Mode::memory there is no file, and no path. What cannot be opened has a fault.
  Connection(const std::string& path, Mode mode);
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;
  ~Connection();

  /// Notes what is wrong, unless something was before.
  void note(Fault fault) {
    if (!fault_) fault_ = std::move(fault);
  }
  bool has_fault() const { return fault_.has_value(); }
  /// What was wrong first since the last call; what follows works again.
  std::optional<Fault> take_fault() { return std::exchange(fault_, std::nullopt); }

  void run(const std::string& sql);
  /// Gives up a transaction that is open.
  void undo();
  Statement prepare(std::string_view sql, Fault::Kind kind = Fault::Kind::io) { return {*this, sql, kind}; }
  std::int64_t last_id() const;
  std::int64_t changes() const;
  /// The integer of the first row of a query; 0 without one.
  std::int64_t integer(std::string_view sql);
  /// From here on, statements may read and do nothing else.
  void read_only();

 private:
  friend class Statement;

  sqlite3* connection_ = nullptr;
  std::optional<Fault> fault_{};
};

}  // namespace unshade::index

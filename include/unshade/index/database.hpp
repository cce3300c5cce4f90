// Databases of shaders: made, added to, joined, searched. Described in docs/reference/database.md. Requires SQLite, PCRE2 and xxHash.
//
// Errors of a database: bad value, it is damaged; bad magic, it is none, or of another version; missing, it cannot be read or written.
// Their path is empty; that of others is the part of the request that they are about.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include <unshade/core/result.hpp>
#include <unshade/find/sketch.hpp>
#include <unshade/shader/shader.hpp>
#include <unshade/unpack/search.hpp>
#include <unshade/unpack/shard.hpp>

#include <unshade/index/search.hpp>

namespace unshade::index {

class Connection;

/// What a new database keeps besides facts.
struct Keeps {
  bool bytes = false;     ///< of each shader, --keep
  bool listings = false;  ///< words of each listing, --text
};

/// Files that are to be searched for shaders.
struct Additions {
  std::vector<std::string> files{};  ///< regular ones; each counts once, and the database itself does not
  std::size_t threads = 1;
  bool unpack = true;    ///< search members of archives and contents of compressed files
  bool streams = false;  ///< search compressed streams anywhere
  /// Leave out files that are as they were when they were last searched in the same way, and forget those below `roots` that are gone.
  bool update = false;
  std::vector<std::string> roots{};   ///< files, and folders that `files` has all of
  std::vector<std::string> unread{};  ///< files and folders that cannot be read now: of these nothing is forgotten
  unpack::Shard shard{};              ///< only its files are searched or forgotten
  std::string version{};              ///< of what searches, for the table of runs
  /// Called now and then with the bytes that were searched, of so many. May be empty.
  std::function<void(std::uint64_t done, std::uint64_t total)> progress{};
  /// Gets each file once it was searched, with its faults. May be empty.
  std::function<void(const unpack::SearchedFile&)> searched{};
};

/// What a search of files did.
struct Totals {
  std::uint64_t files = 0;
  std::uint64_t unchanged = 0;
  std::uint64_t removed = 0;
  std::uint64_t bytes = 0;
  std::uint64_t shaders = 0;
  std::uint64_t added = 0;  ///< shaders that were not there
};

/// What another database had.
struct Merged {
  std::uint64_t files = 0;
  std::uint64_t replaced = 0;  ///< of them, files that were there with shaders that they do not have any more
  std::uint64_t added = 0;     ///< shaders that were not there
};

struct KindCount {
  std::string family;
  std::string profile;
  std::uint64_t shaders = 0;
  std::uint64_t bytes = 0;
};

/// What is in a database, counted.
struct Stats {
  std::uint64_t size = 0;     ///< bytes of the database
  std::uint64_t files = 0;    ///< searched
  std::uint64_t faults = 0;   ///< of them, files that could not be read
  std::uint64_t places = 0;   ///< where a shader is
  std::uint64_t shaders = 0;  ///< of different bytes
  std::uint64_t bytes = 0;    ///< of them
  std::uint64_t gone = 0;     ///< of them, shaders without a place: their files have changed, or are gone
  std::uint64_t codes = 0;    ///< different code
  std::uint64_t programs = 0;
  std::uint64_t interfaces = 0;
  std::uint64_t names = 0;
  Keeps keeps;
  std::vector<KindCount> kinds;  ///< the most frequent first
};

/// A database that is open. For one thread at a time.
class Database {
 public:
  /// Opens a database that is there, to read it.
  static Result<Database> open(const std::string& path);
  /// Opens a database to change it. A file that is absent or empty becomes one that keeps `keeps`.
  static Result<Database> make(const std::string& path, Keeps keeps);
  /// A new database that is in no file.
  static Result<Database> in_memory(Keeps keeps);
  Database(Database&&) noexcept;
  Database& operator=(Database&&) noexcept;
  ~Database();

  Keeps keeps() const { return keeps_; }
  Result<Stats> stats();
  /// Reads all of it; an error if something is wrong.
  Result<void> check();

  /// Searches files, and adds the shaders in them. The database is whole at any moment: what an interrupted call did is continued with
  /// `update`. A file that cannot be read is noted, and what is known of it stays.
  Result<Totals> add(const Additions& additions);
  /// Takes a file out. Its shaders stay, without the place.
  Result<void> remove(const std::string& path);
  /// Adds all that another database has, in one transaction. Where both have a file, that of the other one replaces it, unless it could not
  /// be read there. Listings and bytes are taken over if both databases keep them. After an error, nothing has changed; if the other one is
  /// damaged, the path is `other`.
  Result<Merged> merge(const std::string& other);

  /// The ids of the shaders that fulfil all conditions, in ascending order. Those without a place are left out. The path of an error that
  /// the conditions are to blame for is `where`, `words` or `conditions`.
  Result<std::vector<std::int64_t>> matching(const Query& query);
  /// Gets shaders, one after the other; returns false to get no more.
  using Take = std::function<bool(Found&&)>;
  /// Gives the shaders of `ids`, in that order.
  Result<void> read(const std::vector<std::int64_t>& ids, const Take& take);
  /// Gives those of `ids` whose opcodes are as similar, from 0 to 1, the most similar first; of the same family alone.
  Result<void> similar(const std::vector<std::int64_t>& ids, const find::Sketch& sketch, shader::Family family, double threshold,
                       const Take& take);
  /// Lists those of `ids` again, from the bytes that the database keeps or from their files, and gives those with lines that match. Those
  /// that lie in archives come last.
  Result<void> list(const std::vector<std::int64_t>& ids, const LineSearch& lines, const Take& take);

 private:
  friend class Joining;
  Database(std::unique_ptr<Connection> connection, std::string path, Keeps keeps);

  std::unique_ptr<Connection> connection_;
  std::string path_;  // empty: in memory
  Keeps keeps_;
};

/// Whether the file is there, and not empty.
bool is_there(const std::string& path);
/// Whether the file is there, and begins as a database that this unshade reads.
bool is_database(const std::string& path);

/// Why a database cannot be joined.
struct Refusal {
  enum class Why : unsigned char {
    itself,       ///< it is the one that others are merged into
    no_listings,  ///< it lacks the words of listings, which that one keeps
    no_bytes,     ///< it lacks the bytes of shaders, which that one keeps
    other_file,   ///< a file of it has other shaders than that of the same path in a database before it
  };
  Why why;
  std::string path{};     ///< of the file, for other_file
  std::size_t first = 0;  ///< the number of the database that had it first, for other_file
};

/// Databases that are to be merged into one. Two files cannot be joined under one path, so all of them are looked at before the first is
/// merged.
class Joining {
 public:
  /// `into`: the path of the database that they are merged into. `keeps`: what it keeps; nothing if it is to be made.
  Joining(std::string into, std::optional<Keeps> keeps);

  /// Adds the next database; or says why it cannot be joined.
  Result<std::optional<Refusal>> add(const std::string& other);
  /// What the database keeps: what it kept, or what all of the others keep.
  Keeps keeps() const { return keeps_; }

 private:
  struct File {
    std::array<std::byte, 16> shaders;  ///< a digest of theirs
    std::size_t database;
  };
  std::optional<Refusal> add_files(Connection& database, std::size_t number);

  std::string into_;
  bool is_new_;
  Keeps keeps_;
  std::size_t count_ = 0;
  std::unordered_map<std::string, File> files_;
};

}  // namespace unshade::index

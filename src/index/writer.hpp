// Writing what a search of files finds into a database, in transactions.
#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include <unshade/core/mutex.hpp>
#include <unshade/find/facts.hpp>

#include "index/schema.hpp"

namespace unshade::index {

using Digest = std::array<std::byte, 16>;
/// Digests are evenly distributed already.
struct DigestHash {
  std::size_t operator()(const Digest& digest) const;
};

/// The shaders that a database has, by the digest of their bytes; for several threads.
class KnownShaders {
 public:
  bool has(const Digest& digest) const { return id(digest) != 0; }
  /// The row of a shader; 0 if there is none.
  std::int64_t id(const Digest& digest) const;
  void add(const Digest& digest, std::int64_t id);

 private:
  struct Shelf {
    mutable Mutex mutex;
    std::unordered_map<Digest, std::int64_t, DigestHash> ids;
  };
  const Shelf& shelf_of(const Digest& digest) const { return shelves_[DigestHash{}(digest) % kShelves]; }

  static constexpr std::size_t kShelves = 64;
  std::array<Shelf, kShelves> shelves_;
};

/// A shader, as a thread that searches files has read it.
struct Entry {
  Digest digest{};         ///< XXH3 of its bytes
  std::uint64_t size = 0;  ///< bytes
  bool is_new = true;      ///< it was not known: the rest is filled
  find::Facts facts;
  std::string listing;           ///< with Keeps::listings
  std::vector<std::byte> bytes;  ///< with Keeps::bytes
  std::string_view form;         ///< of `bytes`: `raw`, `zstd`
};
/// Reads a shader.
Entry entry_of(View bytes, Keeps keeps, const KnownShaders& known);

/// Where a shader is in a file.
struct Place {
  const Entry* entry = nullptr;
  std::string layers;  ///< as scan prints them; empty: in the file as it is
  std::uint64_t offset = 0;
  std::string_view certainty;
  std::optional<std::uint64_t> parent;
};

/// A file, as the file system has it, and how it is searched.
struct FileState {
  std::int64_t size = 0;   ///< bytes
  std::int64_t mtime = 0;  ///< nanoseconds since 1970
  std::string search{};    ///< `unpack streams`: what is searched besides the file as it is
  friend bool operator==(const FileState&, const FileState&) = default;
};

class Writer {
 public:
  /// Fills `known` with what the database has.
  Writer(Connection& database, KnownShaders& known);
  Writer(const Writer&) = delete;
  Writer& operator=(const Writer&) = delete;
  ~Writer();

  std::uint64_t new_shaders = 0;

  /// The state in which a file was searched without a fault; nothing if it was not.
  std::optional<FileState> searched(const std::string& path);
  /// Whether a shader is in the database.
  bool has(const Digest& digest) const { return known_.has(digest); }
  /// Puts a file in the place of what was there under its path. Now and then what was added is made lasting.
  void add_file(const std::string& path, const FileState& state, const std::string& fault, const std::vector<Place>& places);
  /// Notes why a file could not be read, and leaves what is known of it; false if nothing is.
  bool set_fault(const std::string& path, const std::string& fault);
  /// Takes a file out. Its shaders stay, without the place.
  void remove_file(const std::string& path);
  /// Makes lasting what was added.
  void commit();
  /// The last row of a run: how much was searched, by which version.
  void add_run(std::int64_t started, const std::string& version, std::uint64_t files);

 private:
  std::int64_t shader_id(const Entry& entry);
  std::int64_t kind_id(const find::Facts& facts);
  std::int64_t name_id(const std::string& name);
  std::int64_t opcode_id(shader::Family family, std::uint32_t opcode);
  std::optional<std::int64_t> interface_id(const find::Facts& facts);
  std::optional<std::int64_t> program_id(const find::Facts& facts);
  void begin();

  using Clock = std::chrono::steady_clock;
  struct Statements;

  Connection& database_;
  KnownShaders& known_;
  Keeps keeps_;
  std::unique_ptr<Statements> statements_;
  std::unordered_map<std::string, std::int64_t> kinds_;
  std::unordered_map<std::string, std::int64_t> names_;
  std::unordered_map<std::uint64_t, std::int64_t> opcodes_;
  std::unordered_map<Digest, std::int64_t, DigestHash> interfaces_;
  std::unordered_map<Digest, std::int64_t, DigestHash> programs_;
  bool is_open_ = false;
  Clock::time_point began_;
};

}  // namespace unshade::index

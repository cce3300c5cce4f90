// Joining databases.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include <unshade/index/schema.hpp>

namespace unshade::index {

/// What another database had.
struct Merged {
  std::uint64_t files = 0;
  std::uint64_t replaced = 0;  ///< of them, files that were there with shaders that they do not have any more
  std::uint64_t added = 0;     ///< shaders that were not there
};

/// Adds all that another database has, in one transaction. Where both have a file, that of the other one replaces it, unless it could not
/// be read there. Listings and bytes are taken over if both databases keep them. Throws Fault, and changes nothing then.
Merged merge_database(Connection& database, const std::string& other);

/// A path under which two databases have different files.
struct TwiceFound {
  std::string path;
  std::string first;  ///< the database that had it first
};

/// The files of several databases: two that differ cannot be joined under one path.
class SeenFiles {
 public:
  /// The first file of a database that is another one in a database before it: of other shaders. Throws Fault.
  std::optional<TwiceFound> add(const std::string& name, Connection& database);

 private:
  struct File {
    std::array<std::byte, 16> shaders;  ///< a digest of theirs
    std::size_t database;               ///< in names_
  };
  std::vector<std::string> names_;
  std::unordered_map<std::string, File> files_;
};

}  // namespace unshade::index

// Archives and compressed files, by libarchive, member by member.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include <unshade/core/result.hpp>

#include <unshade/unpack/feed.hpp>

namespace unshade::unpack {

/// Whether the command was built with libarchive.
bool has_archives();

/// A regular file in an archive, or what a compressed file holds.
struct Member {
  std::vector<std::string> forms;  ///< from the outside in: `gzip`, `tar`
  std::string name;                ///< as the archive has it, trusted by nobody; empty for what a compressed file holds
};

/// Bytes of a file, from an offset up to another one.
struct Range {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
};

struct ArchiveReader {
  /// Gets each member; returns false to read no more.
  std::function<bool(const Member&, Feed&)> member;
  /// Gets what cannot be read, at a place in the packed bytes; path: the member's name.
  std::function<void(const Error&)> fault;
  /// Gets what lies after the end of an archive that was read without a fault, or after the damage in a compressed stream, and where in
  /// the packed bytes. May be empty.
  std::function<void(std::uint64_t offset, Feed& rest)> rest{};
  /// Gets where the packed bytes of each member lie that was read; of a zip, of folders too, which have none. May be empty.
  std::function<void(std::uint64_t begin, std::uint64_t end)> covers{};
};

/// Reads the members of an archive. What they hold is taken from `budget`; it ends with an error, limit, when that is spent.
void read_archive(Feed& packed, Budget& budget, const ArchiveReader& reader);
/// Reads a compressed file of bzip2 or lzip, whose content is its one member, whatever it begins with.
void read_compressed(Feed& packed, Budget& budget, const ArchiveReader& reader);

}  // namespace unshade::unpack

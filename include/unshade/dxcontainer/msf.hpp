// MSF 7.00, the container of program databases: streams made of blocks that may lie anywhere in the file. Debug parts of DXBC (SPDB) and
// the PDB files of DXIL are written in it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include <unshade/core/result.hpp>
#include <unshade/core/tree.hpp>
#include <unshade/core/view.hpp>

namespace unshade::dxcontainer {

/// The first 32 bytes of an MSF file; the literal adds the last of its three zeros.
inline constexpr std::string_view kMsfMagic{"Microsoft C/C++ MSF 7.00\r\n\032DS\0\0", 32};

/// One stream: where its bytes lie.
struct MsfStream {
  std::uint32_t size = 0;             ///< bytes; 0 for an absent stream
  bool absent = false;                ///< the directory says it was deleted (size 0xffffffff)
  std::vector<std::uint32_t> blocks;  ///< block numbers, in the order of the stream
};

/// A stream's bytes in one piece: borrowed from the file if its blocks follow each other, else copied. Offsets in its view are offsets
/// in the stream: view().file_offset() is 0.
class MsfBytes {
 public:
  MsfBytes() = default;
  explicit MsfBytes(View borrowed) : view_(borrowed.bytes()) {}
  explicit MsfBytes(std::vector<std::byte> own) : own_(std::move(own)), view_(own_) {}
  MsfBytes(MsfBytes&&) = default;
  MsfBytes& operator=(MsfBytes&&) = default;
  MsfBytes(const MsfBytes&) = delete;
  MsfBytes& operator=(const MsfBytes&) = delete;

  View view() const { return view_; }

 private:
  std::vector<std::byte> own_;  // moving a vector keeps its bytes where they are, so view_ stays good
  View view_;
};

/// A parsed MSF file. Borrows its bytes.
struct MsfFile {
  View file;
  std::uint32_t block_bytes = 0;
  std::uint32_t block_count = 0;     ///< as the superblock states it; some compilers state it wrongly, so nothing depends on it
  std::uint32_t free_block_map = 0;  ///< which of the two free block maps is in force: 1 or 2
  MsfStream directory_map;           ///< lists the blocks of the directory
  MsfStream directory;               ///< sizes and blocks of the streams
  std::vector<MsfStream> streams;

  /// Bytes from the start of the outer file of the byte at `offset` of a stream; the end of the file when the stream has none there.
  std::uint64_t file_offset(const MsfStream& stream, std::uint64_t offset) const;
  /// A stream's bytes; empty when there is no such stream. All streams together take no more memory than the file: blocks are not shared.
  MsfBytes bytes(const MsfStream& stream) const;
  MsfBytes bytes(std::size_t stream) const { return stream < streams.size() ? bytes(streams[stream]) : MsfBytes(); }
};

bool is_msf(View file);

/// Reads the superblock and the stream directory.
/// Errors: bad_magic; bad_value for a block size that is no power of two from 512 to 32768; out_of_range for a block beyond the file;
/// overlap for a block that is used twice; truncated.
/// Source: docs/reference/formats/debug.md, "MSF".
Result<MsfFile> parse_msf(View file);

/// The header and free blocks around streams.
struct MsfForm {
  std::uint32_t block_bytes = 512;
  bool counts_map = false;  ///< the superblock counts the directory map among the blocks; dxc leaves it out
};

/// A file of streams, laid out as dxc does it: superblock, two free block maps of zeros (nothing is free), directory map, directory, and
/// the streams in their order, each in one piece. Free block maps that large files have further on are left out, as dxc leaves them.
/// Errors: bad_value for a block size that parse_msf() refuses; limit.
Result<std::vector<std::byte>> write_msf(std::span<const View> streams, const MsfForm& form = {});

/// Adds superblock, directory, free block maps, free blocks and what streams leave unused of their last blocks. Errors are
/// named below `part`.
void record_msf(const MsfFile& msf, const char* part, Tree& tree, std::uint32_t group);

}  // namespace unshade::dxcontainer

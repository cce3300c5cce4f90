// A container inside of a program database, as dxc writes it beside a shader (-Fd).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <unshade/core/result.hpp>
#include <unshade/core/tree.hpp>
#include <unshade/core/view.hpp>
#include <unshade/dxcontainer/msf.hpp>

namespace unshade::dxcontainer {

/// A stream that begins like a container. Borrows the file's bytes, unless its blocks are scattered: then it owns a copy of them.
class PdbContainer {
 public:
  PdbContainer(MsfFile msf, std::size_t stream);

  const MsfFile& msf() const { return msf_; }
  /// Its number: 5 in what dxc writes.
  std::size_t stream() const { return stream_; }
  /// Whether its blocks follow each other in the file, as in all that dxc writes.
  bool in_one_piece() const { return in_one_piece_; }
  /// The container's bytes. If it is in one piece, offsets of the view are those in the file; else they are offsets in the stream.
  View view() const { return in_one_piece_ ? borrowed_ : copied_.view(); }
  /// From an offset of view(), as errors and findings tell it, to an offset in the file.
  std::uint64_t file_offset(std::uint64_t offset) const { return in_one_piece_ ? offset : msf_.file_offset(msf_.streams[stream_], offset); }

 private:
  MsfFile msf_;
  std::size_t stream_ = 0;
  bool in_one_piece_ = false;
  View borrowed_;
  MsfBytes copied_;
};

/// The header of the information stream.
struct PdbIdentity {
  std::array<std::byte, 16> guid{};  ///< of dxc: the digest in the container's HASH part
  std::uint32_t age = 1;
  std::uint32_t signature = 0;         ///< a time, or 0
  std::uint32_t version = 20'000'404;  ///< of the stream: VC70
};

/// Errors: missing if there is no such stream; truncated.
Result<PdbIdentity> parse_pdb_identity(const MsfFile& msf);

/// The database of a container as dxc writes it: six streams, the second its identity, the last the container.
/// Source: DXC lib/DXIL/DxilPDB.cpp. Errors: those of write_msf().
Result<std::vector<std::byte>> write_pdb(View container, const PdbIdentity& identity);

/// Finds the first stream that begins like a container, that of dxc before others. Errors: those of parse_msf(); missing if there is
/// none.
Result<PdbContainer> find_container_in_pdb(View file);

/// Adds everything but the container to a tree: the blocks of the MSF file, its information stream, and other streams as bytes.
void record_pdb(const PdbContainer& pdb, Tree& tree, std::uint32_t group);

/// Puts a tree over a stream's bytes into one over the file: fields go where their bytes lie, in pieces where those are scattered, below
/// `group`. Errors are located in the file.
void graft_stream(Tree&& stream_tree, const MsfFile& msf, const MsfStream& stream, Tree& tree, std::uint32_t group);

}  // namespace unshade::dxcontainer

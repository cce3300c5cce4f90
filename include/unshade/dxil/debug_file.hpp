// Debug information of a container in a file of its own, as dxc -Zi -Qstrip_debug -Fd does it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <unshade/core/result.hpp>
#include <unshade/dxcontainer/container.hpp>
#include <unshade/dxcontainer/pdb.hpp>

namespace unshade::dxil {

/// The identity of this container's database: the digest of its HASH part, else that of its header. Errors: missing if there is
/// neither; those of parse_hash().
Result<dxcontainer::PdbIdentity> identity_of(const dxcontainer::Container& container);
/// The identity as the name of a file: `f5ae930377f486df1099018467b36f10.pdb`.
std::string debug_file_name(const dxcontainer::PdbIdentity& identity);

/// What a program database says of itself and holds.
struct DebugDatabase {
  std::string id;  ///< its GUID: `f5ae930377f486df1099018467b36f10`
  std::uint32_t age = 0;
  std::string name;  ///< in the container's ILDN; empty: none
  std::uint32_t block_bytes = 0;
  std::vector<std::uint32_t> stream_bytes;
  std::size_t container_stream = 0;
  std::vector<std::uint32_t> parts;  ///< of the container
};
/// Errors: those of find_container_in_pdb(), parse_pdb_identity() and parse_container().
Result<DebugDatabase> describe_database(View file);
/// The database of a container, as dxc writes it. Errors: those of parse_container(), identity_of() and write_pdb().
Result<std::vector<std::byte>> make_database(View container);

struct SeparatedDebug {
  std::string name;                 ///< that ILDN of both has
  std::vector<std::byte> pdb;       ///< ILDN, HASH, SRCI, PDBI, VERS and ILDB, as far as the container had them
  std::vector<std::byte> stripped;  ///< the container without ILDB, SRCI and PDBI, and with ILDN
};

/// Takes the debug information out of a container. `name`: what the database will be called; empty: the name that the container has for
/// it, else its identity's. Errors: missing if the container has no debug information; those of the parsers and writers.
Result<SeparatedDebug> separate_debug(const dxcontainer::Container& container, std::string_view name = {});

}  // namespace unshade::dxil

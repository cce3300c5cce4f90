#include <algorithm>
#include <array>
#include <string>

#include <unshade/core/archive/writer.hpp>
#include <unshade/dxcontainer/pdb.hpp>
#include <unshade/dxcontainer/pdb/layout.hpp>
#include <unshade/dxcontainer/pdb/streams.hpp>

namespace unshade::dxcontainer {

namespace {

constexpr std::size_t kStreams = 6;  // old directory, information, types, debug information, ids, container

}  // namespace

Result<PdbIdentity> parse_pdb_identity(const MsfFile& msf) {
  if (pdb::kInformationStream >= msf.streams.size())
    return Error{ErrorCode::missing, msf.file.file_offset(), "pdb/streams", "the program database has no information stream"};
  const MsfStream& stream = msf.streams[pdb::kInformationStream];
  const MsfBytes bytes = msf.bytes(stream);
  pdb::Information information;
  if (auto read = pdb::read_stream(msf, stream, bytes.view(), "information", information); !read)
    return std::move(read).error().within("pdb");
  PdbIdentity identity;
  identity.version = information.version;
  identity.signature = information.signature;
  identity.age = information.age;
  std::copy(information.guid.bytes().begin(), information.guid.bytes().end(), identity.guid.begin());
  return identity;
}

Result<std::vector<std::byte>> write_pdb(View container, const PdbIdentity& identity) {
  // A table of stream names without a name: room for one, as there has to be.
  constexpr std::array<std::byte, 8> kNoEntry{};
  pdb::Information information;
  information.version = identity.version;
  information.signature = identity.signature;
  information.age = identity.age;
  information.guid = View(identity.guid);
  information.capacity = 1;
  information.entries = View(kNoEntry);
  Writer writer(LayoutPolicy{.fill = std::byte{0}, .pads_end = false});
  describe(writer, information);
  const auto bytes = writer.finish();
  std::array<View, kStreams> streams;
  streams[pdb::kInformationStream] = View(bytes);
  streams[kStreams - 1] = container;
  return write_msf(streams);
}

}  // namespace unshade::dxcontainer

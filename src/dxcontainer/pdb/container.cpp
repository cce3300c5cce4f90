#include <unshade/dxcontainer/pdb.hpp>

#include <string>
#include <utility>
#include <vector>

#include <unshade/dxcontainer/container.hpp>
#include <unshade/dxcontainer/pdb/layout.hpp>
#include <unshade/dxcontainer/pdb/streams.hpp>

namespace unshade::dxcontainer {

namespace {

constexpr std::size_t kContainerStream = 5;  // src: DXC lib/DXIL/DxilPDB.cpp, kDataStreamIndex
constexpr const char* kPart = "pdb";         // what errors are named below

bool blocks_follow(const MsfStream& stream) {
  for (std::size_t i = 1; i < stream.blocks.size(); ++i)
    if (stream.blocks[i] != stream.blocks[i - 1] + 1) return false;
  return true;
}

// Looks at the first block alone, which has 512 bytes at least.
bool begins_like_container(const MsfFile& msf, const MsfStream& stream) {
  if (stream.blocks.empty() || stream.size < kHeaderBytes) return false;
  return is_container(msf.file.clamped(std::size_t{stream.blocks[0]} * msf.block_bytes, kHeaderBytes));
}

}  // namespace

PdbContainer::PdbContainer(MsfFile msf, std::size_t stream)
    : msf_(std::move(msf)), stream_(stream), in_one_piece_(blocks_follow(msf_.streams[stream])) {
  const MsfStream& found = msf_.streams[stream_];
  if (in_one_piece_) {
    borrowed_ = found.blocks.empty() ? View() : msf_.file.clamped(std::size_t{found.blocks[0]} * msf_.block_bytes, found.size);
  } else {
    copied_ = msf_.bytes(found);
  }
}

Result<PdbContainer> find_container_in_pdb(View file) {
  auto msf = parse_msf(file);
  if (!msf) return std::move(msf).error().within(kPart);
  if (kContainerStream < msf->streams.size() && begins_like_container(*msf, msf->streams[kContainerStream]))
    return PdbContainer(*std::move(msf), kContainerStream);
  for (std::size_t i = 0; i < msf->streams.size(); ++i)
    if (begins_like_container(*msf, msf->streams[i])) return PdbContainer(*std::move(msf), i);
  return Error{ErrorCode::missing, file.file_offset(), std::string(kPart) + "/streams",
               "the program database has no stream with a container"};
}

void record_pdb(const PdbContainer& pdb, Tree& tree, std::uint32_t group) {
  const MsfFile& msf = pdb.msf();
  record_msf(msf, kPart, tree, group);
  for (std::uint32_t i = 0; i < msf.streams.size(); ++i) {
    const MsfStream& stream = msf.streams[i];
    if (i == pdb.stream() || stream.size == 0) continue;
    const MsfBytes bytes = msf.bytes(stream);
    if (i == pdb::kInformationStream) {
      pdb::Information information;
      pdb::record_stream(msf, stream, bytes.view(), "information", tree, group, kNoIndex, kPart, information);
    } else {
      pdb::StreamRecorder(tree, group, msf, stream).leaf("stream", kBytes, 0, stream.size, i);
    }
  }
}

void graft_stream(Tree&& stream_tree, const MsfFile& msf, const MsfStream& stream, Tree& tree, std::uint32_t group) {
  const auto& fields = stream_tree.fields();
  std::vector<std::uint32_t> place(fields.size(), group);
  for (std::size_t i = 1; i < fields.size(); ++i) {
    const Field& field = fields[i];
    pdb::StreamRecorder recorder(tree, place[field.parent], msf, stream);
    if (field.type->kind != FieldKind::group) {
      recorder.leaf(field.name, *field.type, field.offset, field.size, field.index, field.context);
      continue;
    }
    place[i] = recorder.group(field.name, field.offset, field.size, field.index);
  }
  for (const Error& error : stream_tree.errors()) {
    Error located = error;
    located.offset = msf.file_offset(stream, error.offset);
    tree.fail(std::move(located));
  }
}

}  // namespace unshade::dxcontainer

#include <unshade/dxcontainer/msf.hpp>

#include <unshade/dxcontainer/pdb/msf_layout.hpp>
#include <unshade/dxcontainer/pdb/streams.hpp>

namespace unshade::dxcontainer {

namespace {

/// Takes `count` block numbers of a list into `stream`, each of which must lie in the file and be in no other stream.
std::optional<Error> take_blocks(const MsfFile& msf, View list, std::size_t first, MsfStream& stream, std::vector<bool>& used) {
  const std::size_t count = (std::size_t{stream.size} + msf.block_bytes - 1) / msf.block_bytes;
  stream.blocks.reserve(count);
  std::size_t left = stream.size;
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint32_t block = list_u32(list, first + i);
    const std::size_t needed = std::min<std::size_t>(left, msf.block_bytes);
    const std::uint64_t at = list.file_offset() + (first + i) * 4;
    const std::uint64_t offset = std::uint64_t{block} * msf.block_bytes;
    if (offset >= msf.file.size() || needed > msf.file.size() - offset)
      return Error{ErrorCode::out_of_range, at, "", "block " + std::to_string(block) + " is beyond the end of the file"};
    if (used[block]) return Error{ErrorCode::overlap, at, "", "block " + std::to_string(block) + " is used twice"};
    used[block] = true;
    stream.blocks.push_back(block);
    left -= needed;
  }
  return std::nullopt;
}

}  // namespace

std::uint64_t MsfFile::file_offset(const MsfStream& stream, std::uint64_t offset) const {
  const std::uint64_t block = block_bytes == 0 ? stream.blocks.size() : offset / block_bytes;
  if (block < stream.blocks.size())
    return file.file_offset() + std::uint64_t{stream.blocks[static_cast<std::size_t>(block)]} * block_bytes + offset % block_bytes;
  // One past the last byte of a stream that fills its last block.
  if (offset != 0 && offset == stream.size && !stream.blocks.empty()) return file_offset(stream, offset - 1) + 1;
  return file.file_offset() + file.size();
}

MsfBytes MsfFile::bytes(const MsfStream& stream) const {
  if (stream.blocks.empty()) return {};
  bool together = true;
  for (std::size_t i = 1; i < stream.blocks.size(); ++i) together = together && stream.blocks[i] == stream.blocks[i - 1] + 1;
  const std::size_t first = std::size_t{stream.blocks[0]} * block_bytes;
  if (together) return MsfBytes(file.clamped(first, stream.size));
  std::vector<std::byte> own;
  own.reserve(stream.size);
  for (const std::uint32_t block : stream.blocks) {
    const View piece = file.clamped(std::size_t{block} * block_bytes, std::min<std::size_t>(block_bytes, stream.size - own.size()));
    own.insert(own.end(), piece.bytes().begin(), piece.bytes().end());
  }
  return MsfBytes(std::move(own));
}

bool is_msf(View file) { return file.size() >= kMsfMagic.size() && file.text().substr(0, kMsfMagic.size()) == kMsfMagic; }

Result<MsfFile> parse_msf(View file) {
  pdb::Superblock superblock;
  if (auto read = read_part(file, "superblock", superblock); !read) return std::move(read).error();
  MsfFile msf;
  msf.file = file;
  msf.block_bytes = superblock.block_bytes;
  msf.block_count = superblock.block_count;
  msf.free_block_map = superblock.free_block_map;
  std::vector<bool> used(file.size() / msf.block_bytes + 1);
  used[0] = true;

  if (superblock.directory_bytes > file.size())
    return Error{ErrorCode::out_of_range, file.file_offset() + 44, "superblock/directory_bytes", "the directory is larger than the file"};
  msf.directory_map.size = superblock.blocks_for(superblock.directory_bytes) * 4;
  if (auto error = take_blocks(msf, superblock.directory_map_blocks, 0, msf.directory_map, used))
    return std::move(*error).within("superblock/directory_map_blocks");
  const MsfBytes map = msf.bytes(msf.directory_map);
  msf.directory.size = superblock.directory_bytes;
  if (auto error = take_blocks(msf, map.view(), 0, msf.directory, used)) {
    error->offset = msf.file_offset(msf.directory_map, error->offset);
    return std::move(*error).within("directory_map");
  }

  const MsfBytes bytes = msf.bytes(msf.directory);
  pdb::Directory directory;
  if (auto read = read_stream(msf, msf.directory, bytes.view(), "directory", directory, msf.block_bytes); !read)
    return std::move(read).error();
  msf.streams.resize(directory.stream_count);
  std::size_t first = 0;
  for (std::size_t i = 0; i < msf.streams.size(); ++i) {
    MsfStream& stream = msf.streams[i];
    stream.size = list_u32(directory.sizes, i);
    stream.absent = stream.size == pdb::kAbsentStream;
    if (stream.absent) stream.size = 0;
    if (auto error = take_blocks(msf, directory.blocks, first, stream, used)) {
      error->offset = msf.file_offset(msf.directory, error->offset);
      return std::move(*error).within("directory/stream_blocks");
    }
    first += stream.blocks.size();
  }
  return msf;
}

void record_msf(const MsfFile& msf, const char* part, Tree& tree, std::uint32_t group) {
  const auto leaf = [&](const char* name, const FieldType& type, std::uint64_t from, std::uint64_t to) {
    if (to > from)
      tree.add({name, &type, group, static_cast<std::uint32_t>(msf.file.file_offset() + from), static_cast<std::uint32_t>(to - from),
                kNoIndex, 0});
  };
  pdb::Superblock superblock;
  {
    TreeReader reader(msf.file, TreeRecorder(tree, group));
    reader.record("superblock", superblock);
    if (reader.ok()) leaf("block_slack", kPadding, reader.position(), std::min<std::uint64_t>(msf.block_bytes, msf.file.size()));
  }
  const MsfBytes map = msf.bytes(msf.directory_map);
  pdb::StreamTreeReader reader(map.view(), pdb::StreamRecorder(tree, group, msf, msf.directory_map));
  View list;
  reader.raw("directory_map", list, map.view().size(), kU32List, kNoIndex, static_cast<std::uint32_t>(map.view().size()));
  const MsfBytes bytes = msf.bytes(msf.directory);
  pdb::Directory directory;
  record_stream(msf, msf.directory, bytes.view(), "directory", tree, group, kNoIndex, part, directory, msf.block_bytes);

  // What is left of the last block of each stream, and blocks that no stream holds.
  const std::size_t blocks = (msf.file.size() + msf.block_bytes - 1) / msf.block_bytes;
  std::vector<bool> used(blocks + 1);
  used[0] = true;
  const auto use = [&](const MsfStream& stream) {
    for (const std::uint32_t block : stream.blocks) used[block] = true;
    if (stream.blocks.empty()) return;
    const std::uint64_t end = msf.file_offset(stream, stream.size - 1) - msf.file.file_offset() + 1;
    const std::uint64_t block_end = (std::uint64_t{stream.blocks.back()} + 1) * msf.block_bytes;
    leaf("block_slack", kPadding, end, std::min<std::uint64_t>(block_end, msf.file.size()));
  };
  use(msf.directory_map);
  use(msf.directory);
  for (const MsfStream& stream : msf.streams) use(stream);
  for (std::size_t block = 1; block < blocks; ++block) {
    if (used[block]) continue;
    // Two maps take turns, one block each at the start of every run of as many blocks as a map block has bytes.
    const std::size_t place = block % msf.block_bytes;
    const bool is_map = place == 1 || place == 2;
    leaf(is_map ? "free_block_map" : "free_block", kBytes, block * msf.block_bytes,
         std::min<std::uint64_t>((block + 1) * msf.block_bytes, msf.file.size()));
  }
}

}  // namespace unshade::dxcontainer

// The descriptions of MSF 7.00, and a reader over streams whose fields land at their true places in the file.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>

#include <unshade/dxcontainer/msf.hpp>

#include "core/archive/reader.hpp"
#include "core/archive/stream_words.hpp"

namespace unshade::dxcontainer {

/// 32-bit integers side by side, printed as one list. Context: their bytes.
extern const FieldType kU32List;
/// The same for 16 bits.
extern const FieldType kU16List;

/// 32-bit integer `i` of a list that raw() read; 0 beyond its end.
inline std::uint32_t list_u32(View list, std::size_t i) { return list.u32(i * 4).value_or(0); }

/// `count` of them. `is_derived`: they follow from the rest, so that a document need not state them.
template <class Archive>
void u32_list(Archive& a, const char* name, View& list, std::size_t count, bool is_derived = false) {
  if constexpr (kIsStreamArchive<Archive>) {
    a.template integers<std::uint32_t>(name, list, count, is_derived);
  } else {
    a.raw(name, list, count * 4, kU32List, kNoIndex, static_cast<std::uint32_t>(count * 4));
  }
}
template <class Archive>
void u16_list(Archive& a, const char* name, View& list, std::size_t count) {
  if constexpr (kIsStreamArchive<Archive>) {
    a.template integers<std::uint16_t>(name, list, count);
  } else {
    a.raw(name, list, count * 2, kU16List, kNoIndex, static_cast<std::uint32_t>(count * 2));
  }
}

/// Block 0. Bytes: 52, then the block numbers of the directory map.
struct MsfSuperblock {
  View magic;
  std::uint32_t block_bytes = 0;
  std::uint32_t free_block_map = 0;
  std::uint32_t block_count = 0;
  std::uint32_t directory_bytes = 0;
  std::uint32_t unknown = 0;
  View directory_map_blocks;

  /// Blocks that `bytes` take.
  std::uint32_t blocks_for(std::uint64_t bytes) const {
    return block_bytes == 0 ? 0 : static_cast<std::uint32_t>((bytes + block_bytes - 1) / block_bytes);
  }
};

template <class Archive>
void describe(Archive& a, MsfSuperblock& s) {
  a.raw("magic", s.magic, kMsfMagic.size(), kText);
  if (a.ok() && Archive::kReads && s.magic.text() != kMsfMagic) a.fail_at(ErrorCode::bad_magic, 0, "magic", "not an MSF 7.00 file");
  a.u32("block_bytes", s.block_bytes);
  if (a.ok() && Archive::kReads && (s.block_bytes < 512 || s.block_bytes > 32768 || (s.block_bytes & (s.block_bytes - 1)) != 0))
    a.fail_at(ErrorCode::bad_value, kMsfMagic.size(), "block_bytes", "expected a power of two from 512 to 32768");
  a.u32("free_block_map", s.free_block_map);
  a.u32("block_count", s.block_count);
  a.u32("directory_bytes", s.directory_bytes);
  a.u32("reserved", s.unknown);
  const std::size_t map_blocks = s.blocks_for(std::uint64_t{s.blocks_for(s.directory_bytes)} * 4);
  u32_list(a, "directory_map_blocks", s.directory_map_blocks, map_blocks);
}

/// Size of a stream that was deleted.
inline constexpr std::uint32_t kAbsentStream = 0xffff'ffff;

/// The stream directory: u32 count, u32 size of each, then the block numbers of each.
struct MsfDirectory {
  std::uint32_t stream_count = 0;
  View sizes;
  View blocks;
};

template <class Archive>
void describe(Archive& a, MsfDirectory& d, std::uint32_t block_bytes) {
  counted(a, "stream_count", d.stream_count, "stream_sizes");
  u32_list(a, "stream_sizes", d.sizes, d.stream_count);
  std::uint64_t count = 0;
  for (std::size_t i = 0; i < d.sizes.size() / 4; ++i) {
    const std::uint32_t size = list_u32(d.sizes, i);
    if (size != kAbsentStream) count += (std::uint64_t{size} + block_bytes - 1) / block_bytes;
  }
  u32_list(a, "stream_blocks", d.blocks, static_cast<std::size_t>(count));
}

/// Records what is read from a stream at the places in the file where its blocks lie. A field that crosses from one block into another
/// that does not follow it becomes several.
class StreamRecorder {
 public:
  static constexpr bool kRecords = true;
  StreamRecorder(Tree& tree, std::uint32_t group, const MsfFile& msf, const MsfStream& stream)
      : tree_(&tree), group_(group), msf_(&msf), stream_(&stream) {}

  void leaf(const char* name, const FieldType& type, std::uint64_t offset, std::size_t size, std::uint32_t index,
            std::uint32_t context = 0) {
    if (size == 0) return;
    const std::size_t first = run(offset, size);
    if (first == size) return add(name, type, offset, size, index, context);
    const bool divisible = type.kind == FieldKind::text || type.kind == FieldKind::padding || type.kind == FieldKind::unknown ||
                           &type == &kU32List || &type == &kU16List;
    for (std::uint32_t piece = 0; size != 0; ++piece) {
      const std::size_t here = run(offset, size);
      const bool is_list = &type == &kU32List || &type == &kU16List;
      add(name, divisible ? type : kBytes, offset, here, piece, is_list ? static_cast<std::uint32_t>(here) : context);
      offset += here;
      size -= here;
    }
  }
  std::uint32_t open(const char* name, std::uint64_t offset, std::uint32_t index) {
    const std::uint32_t above = group_;
    group_ = add_group(name, offset, index);
    return above;
  }
  void close(std::uint32_t above, std::uint64_t end) {
    set_end(group_, end);
    group_ = above;
  }
  /// A group of a known size; returns its index.
  std::uint32_t group(const char* name, std::uint64_t offset, std::uint64_t size, std::uint32_t index) {
    const std::uint32_t added = add_group(name, offset, index);
    set_end(added, offset + size);
    return added;
  }

 private:
  std::uint32_t add_group(const char* name, std::uint64_t offset, std::uint32_t index) {
    return tree_->add({name, &kGroup, group_, static_cast<std::uint32_t>(msf_->file_offset(*stream_, offset)), 0, index, 0});
  }
  /// The size of a group is that of one run; one that is scattered has none.
  void set_end(std::uint32_t group, std::uint64_t end) {
    Field& field = tree_->at(group);
    const std::uint64_t last = end == 0 ? 0 : msf_->file_offset(*stream_, end - 1) + 1;
    const bool whole = last > field.offset && last - field.offset <= stream_->size;
    field.size = whole ? static_cast<std::uint32_t>(last - field.offset) : 0;
  }
  void add(const char* name, const FieldType& type, std::uint64_t offset, std::size_t size, std::uint32_t index, std::uint32_t context) {
    tree_->add({name, &type, group_, static_cast<std::uint32_t>(msf_->file_offset(*stream_, offset)), static_cast<std::uint32_t>(size),
                index, context});
  }
  /// How many of the bytes lie in one piece.
  std::size_t run(std::uint64_t offset, std::size_t size) const {
    std::size_t block = static_cast<std::size_t>(offset / msf_->block_bytes);
    std::size_t here = msf_->block_bytes - static_cast<std::size_t>(offset % msf_->block_bytes);
    while (here < size && block + 1 < stream_->blocks.size() && stream_->blocks[block + 1] == stream_->blocks[block] + 1) {
      here += msf_->block_bytes;
      ++block;
    }
    return std::min(here, size);
  }

  Tree* tree_;
  std::uint32_t group_;
  const MsfFile* msf_;
  const MsfStream* stream_;
};

using StreamTreeReader = BasicReader<StreamRecorder>;

/// Reads a stream into `model`; errors are located in the file.
template <class T, class... Context>
Result<void> read_stream(const MsfFile& msf, const MsfStream& stream, View bytes, const char* name, T& model, const Context&... context) {
  Reader reader(bytes);
  describe(reader, model, context...);
  auto error = reader.take_error();
  if (!error) return {};
  error->offset = msf.file_offset(stream, error->offset);
  return std::move(*error).within(name);
}

/// The same into a new group `name` of the tree, errors named below `part`; what no description claims of the stream becomes one unknown
/// field.
template <class T, class... Context>
void record_stream(const MsfFile& msf, const MsfStream& stream, View bytes, const char* name, Tree& tree, std::uint32_t group,
                   std::uint32_t index, const char* part, T& model, const Context&... context) {
  StreamTreeReader reader(bytes, StreamRecorder(tree, group, msf, stream));
  reader.group(name, index, [&] {
    describe(reader, model, context...);
    View rest;
    if (reader.ok() && reader.rest() != 0) reader.raw("unknown", rest, reader.rest(), kUnknown);
  });
  if (auto error = reader.take_error()) {
    error->offset = msf.file_offset(stream, error->offset);
    tree.fail(std::move(*error).within(part));
  }
}

}  // namespace unshade::dxcontainer

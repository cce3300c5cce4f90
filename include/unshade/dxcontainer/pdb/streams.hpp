// A reader over streams of an MSF file whose fields land at their places in the file.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

#include <unshade/core/archive/reader.hpp>
#include <unshade/core/archive/stream_words.hpp>
#include <unshade/core/tree.hpp>
#include <unshade/dxcontainer/msf.hpp>

namespace unshade::dxcontainer::pdb {

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

}  // namespace unshade::dxcontainer::pdb
